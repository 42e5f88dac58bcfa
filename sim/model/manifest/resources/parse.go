package resources

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// MilliCPU reads a quantity of cpu ("500m", "2") as milli, rounded up.
func MilliCPU(text string) (int64, error) {
	q, err := parseQuantity(text, resource.Milli)
	return q.MilliValue(), err
}

// Units reads a quantity ("4Gi", "8") as whole units, rounded up.
func Units(text string) (int64, error) {
	q, err := parseQuantity(text, 0)
	return q.Value(), err
}

// parseQuantity reads a quantity that is at most MaxAmount of the base unit; zero where
// there is an error.
func parseQuantity(text string, unit resource.Scale) (resource.Quantity, error) {
	q, err := resource.ParseQuantity(text)
	switch {
	case err != nil:
		return resource.Quantity{}, fmt.Errorf("is not a quantity: write it like 500m, 2 or 4Gi")
	case q.Sign() < 0:
		return resource.Quantity{}, fmt.Errorf("must not be negative")
	case q.Cmp(*resource.NewScaledQuantity(MaxAmount, unit)) > 0:
		return resource.Quantity{}, fmt.Errorf("is too large: the largest amount is 2^53 of the base unit")
	}
	return q, nil
}
