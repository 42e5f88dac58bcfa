package scheduler

import "fmt"

// Code is the kind of an answer of a plugin.
type Code uint8

// The codes. Unschedulable means that preemption may help,
// UnschedulableAndUnresolvable that it cannot.
const (
	Success Code = iota
	Unschedulable
	UnschedulableAndUnresolvable
	Error
	Skip
	Wait
)

// Status is the answer of a plugin at the points that are asked once a cycle.
type Status struct {
	Code    Code
	Message string
}

// Rejects reports whether the status means that the pod cannot be scheduled now.
func (s Status) Rejects() bool {
	return s.Code == Unschedulable || s.Code == UnschedulableAndUnresolvable
}

// in returns the status with the plugin and the extension point in the message of an error; other codes are unchanged.
func (s Status) in(point string, p Plugin) Status {
	if s.Code == Error {
		s.Message = fmt.Sprintf("running %s plugin %q: %s", point, p.Name(), s.Message)
	}
	return s
}

// Verdict is the answer of a filter for one node. It is built in the hot loop, so
// it holds no text: bits 30..31 the code, 24..29 the plugin (stamped by the cycle),
// 0..23 a detail that the plugin chose.
type Verdict uint32

// Fits is the verdict of a node that passes.
const Fits Verdict = 0

const (
	detailBits = 24
	pluginBits = 6
	maxPlugins = 1 << pluginBits

	// MaxDetail is the largest detail of a verdict.
	MaxDetail = 1<<detailBits - 1
)

// NewRejection returns the verdict of a node that does not pass, with a detail that the plugin turns into
// reasons later. The code is Unschedulable or UnschedulableAndUnresolvable.
func NewRejection(code Code, detail uint32) Verdict {
	return Verdict(code)<<(detailBits+pluginBits) | Verdict(detail&MaxDetail)
}

// Code returns the code of the verdict, Success if the node fits.
func (v Verdict) Code() Code { return Code(v >> (detailBits + pluginBits)) }

// Detail returns what the plugin gave to Reject.
func (v Verdict) Detail() uint32 { return uint32(v & MaxDetail) }

func (v Verdict) plugin() int { return int(v >> detailBits & (maxPlugins - 1)) }

func (v Verdict) by(plugin int) Verdict { return v | Verdict(plugin)<<detailBits }
