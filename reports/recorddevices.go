package reports

import (
	"encoding/json"
	"slices"

	"github.com/berth-sim/berth/sim/model/record"
)

// deviceObject is what a class asks of devices, as the log has it.
type deviceObject struct {
	Kind   string   `json:"kind"`
	Count  int      `json:"count"`
	Milli  int32    `json:"milli"`
	Models []string `json:"models,omitempty"`
}

// targetObject is a class of the target workload, as the log has it.
type targetObject struct {
	Pods     int64    `json:"pods"`
	MilliCPU int64    `json:"milliCPU"`
	Count    int      `json:"count,omitempty"`
	Milli    int32    `json:"milli,omitempty"`
	Models   []string `json:"models,omitempty"`
}

// appendDevices appends what a record says of devices, where it says something.
func appendDevices(b []byte, r *record.Record, fields field) []byte {
	if fields&hasDevices != 0 && r.Devices != nil {
		b = append(append(b, `,"devices":`...), encoded(deviceObject(*r.Devices))...)
	}
	if fields&hasHeld != 0 {
		b = appendHeld(b, r.Held)
	}
	if fields&hasTarget != 0 {
		classes := make([]targetObject, len(r.Target))
		for i, c := range r.Target {
			classes[i] = targetObject(c)
		}
		b = append(append(b, `,"target":`...), encoded(classes)...)
	}
	return b
}

// encoded is a value as JSON that can always be encoded.
func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// appendHeld appends the devices that a pod holds, if there are any.
func appendHeld(b []byte, held []int32) []byte {
	if len(held) == 0 {
		return b
	}
	b = append(b, `,"held":[`...)
	for i, d := range held {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, "", int64(d))
	}
	return append(b, ']')
}

// appendNodeDevices appends the devices of a node, if it has any.
func appendNodeDevices(b []byte, n *record.NodeInfo) []byte {
	if n.Devices == 0 {
		return b
	}
	b = appendInt(b, `,"devices":`, int64(n.Devices))
	b = appendText(append(b, `,"deviceKind":`...), n.DeviceKind)
	return appendText(append(b, `,"model":`...), n.Model)
}

// devices puts what a line says of devices into its record.
func (l *recordLine) devices(r *record.Record) {
	if l.Devices != nil {
		r.Devices = new(record.DeviceRequest(*l.Devices))
	}
	if l.Held != nil {
		r.Held = slices.Clone(*l.Held)
	}
	if l.Target != nil {
		for _, c := range *l.Target {
			r.Target = append(r.Target, record.TargetClass(c))
		}
	}
}

// held reads the devices that a pod holds.
func (s *lineScanner) held() []int32 {
	s.literal("[")
	held := []int32{s.small()}
	for !s.bad && s.next() == ',' {
		s.literal(",")
		held = append(held, s.small())
	}
	s.literal("]")
	return held
}
