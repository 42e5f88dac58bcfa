package manifest

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// MilliCPU reads a quantity of cpu ("500m", "2") as milli, rounded up.
func MilliCPU(text string) (int64, error) {
	q, err := parseQuantity(text)
	return q.MilliValue(), err
}

// Units reads a quantity ("4Gi", "8") as whole units, rounded up.
func Units(text string) (int64, error) {
	q, err := parseQuantity(text)
	return q.Value(), err
}

func parseQuantity(text string) (resource.Quantity, error) {
	q, err := resource.ParseQuantity(text)
	switch {
	case err != nil:
		return q, fmt.Errorf("is not a quantity: write it like 500m, 2 or 4Gi")
	case q.Sign() < 0:
		return q, fmt.Errorf("must not be negative")
	}
	return q, nil
}
