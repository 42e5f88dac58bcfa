package explain

import (
	"slices"
	"strconv"
	"strings"
)

const kibi = 1 << 10

// Quantity writes an amount in the base unit of a resource as Kubernetes does, exactly:
// 1500m, 2Gi.
func Quantity(resource string, amount int64) string {
	return inOneUnit(resource, amount)[0]
}

// RoundedQuantity is like Quantity, without parts of a mebibyte if there are many mebibytes.
func RoundedQuantity(resource string, amount int64) string { return Quantities(resource, amount)[0] }

// Quantities writes amounts of one resource roughly, all in one unit.
func Quantities(resource string, amounts ...int64) []string {
	rough := make([]int64, len(amounts))
	for i, n := range amounts {
		rough[i] = roundDown(resource, n)
	}
	return inOneUnit(resource, rough...)
}

// inOneUnit writes amounts in the largest unit that divides all of them.
func inOneUnit(resource string, amounts ...int64) []string {
	divides := func(unit int64) bool { return !slices.ContainsFunc(amounts, func(n int64) bool { return n%unit != 0 }) }
	unit, suffix := int64(1), ""
	switch {
	case resource == "cpu" && divides(1000):
		unit = 1000
	case resource == "cpu":
		suffix = "m"
	case inBytes(resource):
		for k := 0; k < len(byteUnits) && divides(unit*kibi); k++ {
			unit, suffix = unit*kibi, byteUnits[k]
		}
	}
	out := make([]string, len(amounts))
	for i, n := range amounts {
		if out[i] = "0"; n != 0 {
			out[i] = strconv.FormatInt(n/unit, 10) + suffix
		}
	}
	return out
}

var byteUnits = []string{"Ki", "Mi", "Gi", "Ti"}

func inBytes(resource string) bool {
	return resource == "memory" || resource == "ephemeral-storage" || strings.HasPrefix(resource, "hugepages-")
}

// roundDown drops what people do not write: parts of a mebibyte where there are many.
func roundDown(resource string, amount int64) int64 {
	const mebi = kibi * kibi
	if inBytes(resource) && max(amount, -amount) >= 16*mebi {
		return amount / mebi * mebi
	}
	return amount
}
