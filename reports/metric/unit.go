package metric

import (
	"fmt"
	"math"

	"github.com/berth-sim/berth/reports/human"
)

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

// Of returns the unit of the value with that label: amounts depend on the resource.
func (u Unit) Of(label string) string {
	switch u {
	case UnitAmount:
		return baseUnit(label)
	case UnitAmountSeconds:
		return baseUnit(label) + "-s"
	}
	return string(u)
}

// Text writes a value of the unit for people; the label is the resource of an amount.
func (u Unit) Text(label string, v float64) string {
	if math.IsNaN(v) {
		return human.None
	}
	switch u {
	case UnitShare:
		return human.Share(v)
	case UnitRatio:
		return fmt.Sprintf("%.3f", v)
	case UnitSeconds:
		return human.Seconds(v)
	case UnitPodSeconds:
		return human.Span(v, "pod")
	case UnitPerSecond:
		return human.Rate(v)
	case UnitNodeHours:
		return human.Short(v)
	case UnitCost:
		if v == 0 {
			return human.None // no node has a price
		}
		return human.Number(v, 2)
	case UnitAmount:
		return human.Amount(label, v)
	case UnitAmountSeconds:
		return human.AmountSeconds(label, v)
	}
	return human.Number(v, 1)
}

func baseUnit(resource string) string {
	switch {
	case resource == "cpu":
		return "milli"
	case human.InBytes(resource):
		return "bytes"
	}
	return "units"
}
