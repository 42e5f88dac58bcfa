package cluster

// keepVolume notes what a volume is, before it changes.
func (t *Volumes) keepVolume(id VolumeID) {
	if !t.journal.isOpen() {
		return
	}
	before, offered := t.volumes[id], t.offered(id)
	t.journal.note(func() {
		if t.volumes[id].live {
			t.withdraw(id)
		}
		t.volumes[id] = before
		if offered {
			t.offer(id)
		}
	})
}

// keepClaim notes what there is under the name of a claim, before it changes.
func (t *Volumes) keepClaim(id ClaimID) {
	if t.journal.isOpen() {
		before := t.claims[id]
		t.journal.note(func() { t.claims[id] = before })
	}
}

// set sets an entry of a map, and notes what it was.
func set[K comparable, V any](j *journal, m map[K]V, key K, value V) {
	noteEntry(j, m, key)
	m[key] = value
}

// noteEntry notes the entry of a map, before it changes.
func noteEntry[K comparable, V any](j *journal, m map[K]V, key K) {
	if j.isOpen() {
		before, had := m[key]
		j.note(func() {
			if had {
				m[key] = before
			} else {
				delete(m, key)
			}
		})
	}
}
