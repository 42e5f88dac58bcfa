package reports

// Unit is what the values of a metric are measured in.
type Unit string

// The units. An amount is in the base unit of the resource that is its label: cpu in
// milli, memory, storage and huge pages in bytes, all else in units.
const (
	UnitPods          Unit = "pods"
	UnitNodes         Unit = "nodes"
	UnitGangs         Unit = "gangs"
	UnitDevices       Unit = "devices"
	UnitCount         Unit = "1"
	UnitShare         Unit = "share" // 0 to 1
	UnitRatio         Unit = "ratio"
	UnitSeconds       Unit = "s"
	UnitPodSeconds    Unit = "pod-s"
	UnitPerSecond     Unit = "1/s"
	UnitNodeHours     Unit = "node-h"
	UnitCost          Unit = "price" // in the currency of pricePerHour
	UnitAmount        Unit = "amount"
	UnitAmountSeconds Unit = "amount-s"
)

// Of is the unit of the value with that label: amounts depend on the resource.
func (u Unit) Of(label string) string {
	switch u {
	case UnitAmount:
		return baseUnit(label)
	case UnitAmountSeconds:
		return baseUnit(label) + "-s"
	}
	return string(u)
}

func baseUnit(resource string) string {
	switch {
	case resource == "cpu":
		return "milli"
	case inBytes(resource):
		return "bytes"
	}
	return "units"
}
