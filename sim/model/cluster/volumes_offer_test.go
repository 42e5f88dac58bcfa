package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// plainChoice is the twin of controllerChoice: it looks at every volume there is.
func (c *Cluster) plainChoice(id ClaimID, claim *Claim) VolumeID {
	best := NoVolume
	c.Volumes.EachVolume(func(v VolumeID) {
		if c.Volumes.controllerCanBind(id, claim, v) && (best == NoVolume || c.Volumes.controllerPrefers(id, claim, v, best)) {
			best = v
		}
	})
	return best
}

// plainMatch is the twin of MatchVolumes.
func (c *Cluster) plainMatch(id ClaimID, claim *Claim) (m Match) {
	c.Volumes.EachVolume(func(candidate VolumeID) {
		v := &c.Volumes.volumes[candidate]
		isFor, taken := c.Volumes.isReservedFor(v, id, claim), v.assumed != NoClaim || v.Claim.Given
		switch {
		case taken && !isFor || v.StorageClass != claim.StorageClass || v.Capacity < claim.Request || v.Block != claim.Block ||
			v.AttributesClass != claim.AttributesClass || v.Deleting:
		case isFor:
			m.Reserved = append(m.Reserved, candidate)
		case v.Phase == VolumeAvailable && claim.Modes&^v.Modes == 0 &&
			(claim.Selector == nil || claim.Selector.Matches(v.Labels, &c.Symbols)):
			m.Open = append(m.Open, candidate)
		}
	})
	sort := func(list []VolumeID, order func(a, b *Volume) int) {
		slices.SortFunc(list, func(a, b VolumeID) int { return order(&c.Volumes.volumes[a], &c.Volumes.volumes[b]) })
	}
	sort(m.Reserved, byName)
	sort(m.Open, bySizeAndName)
	return m
}

// storageWalk is a cluster in which volumes, claims and pods come and go at random.
type storageWalk struct {
	*Cluster
	rnd    *rand.Rand
	made   int
	pods   []PodID
	shapes [][]Symbol // storage class and attributes class
	// states counts what was compared: volumes that are reserved, that are assumed, that are
	// open, and none.
	states [4]int
}

func newStorageWalk(t *testing.T, seed uint64) *storageWalk {
	t.Helper()
	w := &storageWalk{Cluster: New(NewVocabulary()), rnd: rand.New(rand.NewPCG(seed, 0))}
	if _, err := w.AddNode(NodeSpec{Name: "n", Allocatable: []Quantity{{Pods, 1000}}}); err != nil {
		t.Fatal(err)
	}
	w.Volumes.AddStorageClass(StorageClass{Name: w.Symbol("waits"), Provisioner: noProvisioner, WaitForFirstConsumer: true})
	w.Volumes.AddStorageClass(StorageClass{Name: w.Symbol("instant"), Provisioner: noProvisioner})
	w.shapes = [][]Symbol{{0, 0}, {w.Symbol("waits"), 0}, {w.Symbol("instant"), 0}, {w.Symbol("waits"), w.Symbol("gold")}}
	return w
}

func (w *storageWalk) chance(in int) bool { return w.rnd.IntN(in) == 0 }

func (w *storageWalk) name() string { w.made++; return fmt.Sprint(w.rnd.IntN(9), "-", w.made) }

func (w *storageWalk) modes() AccessModes {
	return []AccessModes{ReadWriteOnce, ReadOnlyMany, ReadWriteOnce | ReadOnlyMany, ReadWriteOnce | ReadWriteMany, ReadWriteOnce | ReadOnlyMany | ReadWriteMany}[w.rnd.IntN(5)]
}

// someClaim is one that exists; false where there is none.
func (w *storageWalk) someClaim() (out ClaimID, found bool) {
	seen := 0
	w.Volumes.EachClaim(func(id ClaimID) {
		if seen++; w.rnd.IntN(seen) == 0 {
			out, found = id, true
		}
	})
	return out, found
}

func (w *storageWalk) addVolume() {
	shape := w.shapes[w.rnd.IntN(4)]
	v := Volume{
		Name: w.name(), StorageClass: shape[0], AttributesClass: shape[1], Capacity: w.rnd.Int64N(4), Modes: w.modes(), Block: w.chance(6),
		ReclaimPolicy: ReclaimPolicy(w.rnd.IntN(3)), Deleting: w.chance(9), Labels: w.NewLabelSet(map[string]string{"disk": fmt.Sprint(w.rnd.IntN(2))}),
	}
	if id, some := w.someClaim(); some && w.chance(2) {
		claim := w.Volumes.Claim(id)
		uid := []string{"", claim.UID, "another"}[w.rnd.IntN(3)]
		v.Claim = ClaimRef{Given: true, Namespace: claim.Namespace, Name: claim.Name, UID: uid, ByController: w.chance(2)}
	}
	w.Volumes.AddVolume(v)
	w.Volumes.SyncNew()
}

func (w *storageWalk) addClaim() {
	shape := w.shapes[w.rnd.IntN(4)]
	claim := Claim{
		Name: w.name(), StorageClass: shape[0], AttributesClass: shape[1], Request: w.rnd.Int64N(4), Modes: w.modes(), Block: w.chance(6),
	}
	if w.chance(4) {
		claim.Selector = &LabelSelector{Requirements: []Requirement{{Key: w.Symbol("disk"), Op: In, Values: []Symbol{w.Symbol("1")}}}}
	}
	w.Volumes.AddClaim(claim)
}

// addPod puts a pod on the node that has a claim, some volume of which it assumes.
func (w *storageWalk) addPod() {
	id, some := w.someClaim()
	if !some {
		return
	}
	claim := w.Volumes.Claim(id)
	class := w.AddClass(claim.Name, Class{Volumes: []PodVolume{{Kind: ClaimVolume, Name: claim.Name}}})
	pod := w.AddPod(Pod{Name: w.name(), Class: class, Group: NoGroup})
	w.pods = append(w.pods, pod)
	w.Assume(pod, 0)
	var m Match
	w.Volumes.Match(id, claim, &m)
	if may := append(m.Reserved, m.Open...); len(may) > 0 && !claim.IsBound() {
		w.Volumes.Assume(pod, 0, []Binding{{id, may[w.rnd.IntN(len(may))]}})
	}
}

// endPod takes a pod away in one of the ways that there are.
func (w *storageWalk) endPod() {
	if len(w.pods) == 0 {
		return
	}
	i := w.rnd.IntN(len(w.pods))
	pod := w.pods[i]
	w.pods = slices.Delete(w.pods, i, i+1)
	if w.chance(2) {
		for _, b := range w.Volumes.Commit(pod) {
			if w.chance(2) {
				w.Volumes.SyncClaim(b.Claim)
			}
		}
	}
	if w.chance(3) {
		w.Volumes.Revert(pod)
		w.Forget(pod)
	}
	w.RemovePod(pod)
}

func (w *storageWalk) step() {
	switch w.rnd.IntN(12) {
	case 0, 1, 2, 3:
		w.addVolume()
	case 4, 5, 6:
		w.addClaim()
	case 7, 8:
		w.addPod()
	case 9:
		w.endPod()
	case 10:
		if id, some := w.someClaim(); some {
			w.Volumes.SyncClaim(id)
		}
	case 11:
		if id, some := w.someClaim(); some && w.chance(2) {
			w.Volumes.RemoveClaim(id)
		}
	}
}

// compare sets the lists against the plain twins, for all claims that are not bound.
func (w *storageWalk) compare() error {
	var err error
	w.Volumes.EachClaim(func(id ClaimID) {
		claim := w.Volumes.Claim(id)
		if claim.IsBound() || err != nil {
			return
		}
		fast, plain := w.Volumes.controllerChoice(id, claim), w.plainChoice(id, claim)
		if fast != plain {
			err = fmt.Errorf("claim %+v: volume %d is chosen, plainly %d", claim, fast, plain)
		}
		switch {
		case plain == NoVolume:
			w.states[3]++
		case w.Volumes.Volume(plain).assumed != NoClaim:
			w.states[1]++
		case w.Volumes.Volume(plain).Claim.Given:
			w.states[0]++
		default:
			w.states[2]++
		}
		var m Match
		if w.Volumes.Match(id, claim, &m); err == nil {
			if want := w.plainMatch(id, claim); !slices.Equal(m.Reserved, want.Reserved) || !slices.Equal(m.Open, want.Open) {
				err = fmt.Errorf("claim %+v: volumes %+v match, plainly %+v", claim, m, want)
			}
		}
	})
	return err
}

// The volumes that the lists give a claim are those that a look at all volumes gives it.
func TestListsOfVolumesAndPlainSearchAgree(t *testing.T) {
	var states [4]int
	for seed := range uint64(40) {
		w := newStorageWalk(t, seed)
		for i := range 150 {
			w.step()
			if err := w.compare(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
			if err := w.Verify(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
		}
		for i, n := range w.states {
			states[i] += n
		}
	}
	for i, what := range []string{"reserved", "assumed", "open"} {
		if states[i] < 200 {
			t.Errorf("a volume that was %s was chosen %d times only", what, states[i])
		}
	}
	t.Logf("reserved %d, assumed %d, open %d, none %d", states[0], states[1], states[2], states[3])
}

// BenchmarkControllerChoice asks for the volumes of 5,000 claims among 5,000 volumes, which
// are of each claim's own or free for all, beside the plain twin.
func BenchmarkControllerChoice(b *testing.B) {
	const n = 5000
	for _, kind := range []string{"reserved", "open"} {
		b.Run(fmt.Sprintf("%s/claims=%d/volumes=%d", kind, n, n), func(b *testing.B) {
			c := New(NewVocabulary())
			var claims []ClaimID
			for i := range n {
				name := fmt.Sprint(i)
				claims = append(claims, c.Volumes.AddClaim(Claim{Name: name, Request: int64(i), Modes: ReadWriteOnce}))
				v := Volume{Name: name, Capacity: int64(i), Modes: ReadWriteOnce, Phase: VolumeAvailable}
				if kind == "reserved" {
					v.Claim = ClaimRef{Given: true, Name: name}
				}
				c.Volumes.AddVolume(v)
			}
			all := func(choose func(ClaimID, *Claim) VolumeID) time.Duration {
				start := b.Elapsed()
				for i, id := range claims {
					if got := choose(id, c.Volumes.Claim(id)); got != VolumeID(i) {
						b.Fatalf("claim %d gets volume %d", i, got)
					}
				}
				return b.Elapsed() - start
			}
			var fast, plain time.Duration
			for b.Loop() {
				fast += all(c.Volumes.controllerChoice)
				plain += all(c.plainChoice)
			}
			b.ReportMetric(float64(fast.Nanoseconds())/float64(b.N*n), "ns/claim")
			b.ReportMetric(float64(plain.Nanoseconds())/float64(b.N*n), "ns/claim-plain")
			b.ReportMetric(float64(plain)/float64(fast), "times-faster")
		})
	}
}

// A volume that is for a claim is released with it, of whatever class it is; one that is
// for any claim of that name is not.
func TestVolumesForAClaimGoWithIt(t *testing.T) {
	c := New(NewVocabulary())
	claim := c.Volumes.AddClaim(Claim{Name: "a", UID: "1", StorageClass: c.Symbol("x")})
	own := c.Volumes.AddVolume(Volume{Name: "own", StorageClass: c.Symbol("y"), Claim: ClaimRef{Given: true, Name: "a", UID: "1"}})
	next := c.Volumes.AddVolume(Volume{Name: "next", StorageClass: c.Symbol("x"), Claim: ClaimRef{Given: true, Name: "a"}})
	c.Volumes.SyncNew()
	if freed := c.Volumes.RemoveClaim(claim); freed != 1 || c.Volumes.Volume(own).Phase != VolumeReleased || c.Volumes.Volume(next).Phase != VolumeAvailable {
		t.Errorf("%d volumes got free, their phases are %d and %d", freed, c.Volumes.Volume(own).Phase, c.Volumes.Volume(next).Phase)
	}
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
}
