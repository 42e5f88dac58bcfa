package answers

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/explain"
)

// holds says which devices the pod has on its node; empty for a pod that has no node, or asks for
// none.
func (e *explanation) holds() string {
	d := e.Devices
	switch {
	case d == nil || e.Node == "" || e.State == explain.Unschedulable || e.State == explain.Failed:
		return ""
	case len(d.Held) == 0:
		return fmt.Sprintf("It lacks what it asks for there, %s: a kubelet would refuse it.", asked(d))
	}
	return fmt.Sprintf("It holds %s there, of %s.", numberedDevices(d.Held), d.Kind)
}

// asked is what a pod asks for of devices.
func asked(d *explain.Devices) string {
	if d.Count == 1 {
		return fmt.Sprintf("%s thousandths of one device of %s", human.Whole(int(d.Milli)), d.Kind)
	}
	return fmt.Sprintf("%s devices of %s", human.Whole(d.Count), d.Kind)
}

// devices has a row for the nodes with as much free of each device, of those rejected on their
// account.
func (e *explanation) devices() part {
	if e.Devices == nil || len(e.Devices.Free) == 0 {
		return part{}
	}
	p := part{
		title: "Free of each device", sentences: []string{"The pod asks for " + asked(e.Devices) + "."},
		Table: table.Table{Head: []string{"nodes", "such as", "model", "thousandths free, by device"}, Words: []int{1, 2, 3}, Notes: true},
	}
	for i, f := range e.Devices.Free {
		if i == table.MaxRows && len(e.Devices.Free) > table.MaxRows+1 {
			p.Rows = append(p.Rows, []string{"", "", "", fmt.Sprintf("and %d more rows, which lack more", len(e.Devices.Free)-i)})
			break
		}
		p.Rows = append(p.Rows, []string{human.Whole(f.Nodes), f.Node, cmp.Or(f.Model, human.None), thousandths(f.Milli)})
	}
	return p
}

// thousandths lists what is free of each device.
func thousandths(list []int32) string {
	texts := make([]string, len(list))
	for i, milli := range list {
		texts[i] = strconv.Itoa(int(milli))
	}
	return strings.Join(texts, ", ")
}
