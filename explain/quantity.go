package explain

import (
	"strconv"
	"strings"
)

const kibi = 1 << 10

// Quantity writes an amount in the base unit of a resource as Kubernetes does, exactly:
// 1500m, 2Gi.
func Quantity(resource string, amount int64) string {
	switch {
	case resource == "cpu" && amount%1000 == 0:
		return strconv.FormatInt(amount/1000, 10)
	case resource == "cpu":
		return strconv.FormatInt(amount, 10) + "m"
	case !inBytes(resource) || amount == 0:
		return strconv.FormatInt(amount, 10)
	}
	unit := 0
	for amount%kibi == 0 && unit < 4 {
		amount /= kibi
		unit++
	}
	return strconv.FormatInt(amount, 10) + []string{"", "Ki", "Mi", "Gi", "Ti"}[unit]
}

func inBytes(resource string) bool {
	return resource == "memory" || resource == "ephemeral-storage" || strings.HasPrefix(resource, "hugepages-")
}

// Rough is Quantity without parts of a mebibyte, where there are many.
func Rough(resource string, amount int64) string {
	if amount < 0 {
		return "-" + Rough(resource, -amount)
	}
	return Quantity(resource, roundDown(resource, amount))
}

// roundDown drops what nobody would write: parts of a mebibyte where there are many.
func roundDown(resource string, amount int64) int64 {
	const mebi = kibi * kibi
	if inBytes(resource) && amount >= 16*mebi {
		return amount / mebi * mebi
	}
	return amount
}
