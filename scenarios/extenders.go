package scenarios

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/extender"
	"github.com/berth-sim/berth/sim/model/cluster"

	"github.com/berth-sim/berth/sim/model/manifest/encode"
)

// extenders returns the extenders of a policy. The loader must have kept objects for them.
func extenders(policy config.Policy, c *cluster.Cluster) ([]scheduler.Extender, error) {
	return extender.New(policy.Extenders, c, encode.NewEncoder(c))
}

// describeExtender returns the address of an extender, its calls, and the pods that it manages, as text.
func describeExtender(x extender.Config) string {
	var calls []string
	for _, call := range []struct{ name, verb string }{
		{"filter", x.FilterVerb}, {"prioritize", x.PrioritizeVerb}, {"preempt", x.PreemptVerb}, {"bind", x.BindVerb},
	} {
		if call.verb != "" {
			calls = append(calls, call.name)
		}
	}
	if len(calls) == 0 {
		calls = []string{"nothing"}
	}
	out := fmt.Sprintf("extender %s: %s", x.URLPrefix, strings.Join(calls, ", "))
	if x.PrioritizeVerb != "" {
		out += fmt.Sprintf("; weight %d", x.Weight)
	}
	if len(x.Managed) > 0 {
		out += "; for pods that ask for " + strings.Join(x.Managed, ", ")
	}
	if x.Ignorable {
		out += "; can be ignored"
	}
	return out
}

// SlowExtender returns a warning about an extender that does not answer a call in time.
func SlowExtender(x scheduler.ExtenderInfo, call string) string {
	return fmt.Sprintf("extender %s: no answer to %s within %v; berth goes on, and waits as long for every such call", x.Name, call, x.Timeout)
}

// failedCalls returns warnings about extenders with failed calls, and the consequences of these.
func failedCalls(s *scheduler.Scheduler) []string {
	var out []string
	for _, c := range s.FailedCalls() {
		then := map[string]string{
			"filter": "and the attempts with them", "prioritize": "so that its scores are missing there",
			"preempt": "so that no pod was preempted", "bind": "so that the pods lost their nodes",
		}[c.Call]
		if c.Extender.Ignorable {
			then = "and were skipped"
		}
		out = append(out, fmt.Sprintf("extender %s: %d of %s of %s failed, %s; the first: %v",
			c.Extender.Name, c.Failed, human.Counted(c.Made, "call"), c.Call, then, c.First))
	}
	return out
}
