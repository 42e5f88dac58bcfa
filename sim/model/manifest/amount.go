package manifest

// Text is the amount as a person writes it as a Kubernetes quantity: 500m, 2, 1Gi.
func (r ResourceAmount) Text() string {
	q := quantityOf(r.Name, r.Value)
	return q.String()
}
