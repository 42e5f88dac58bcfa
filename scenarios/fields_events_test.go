package scenarios_test

import "slices"

// eventFleet has two pools of two nodes, with pods that tolerate the taint k=v.
const eventFleet = `tieBreak: first
fleet:
  - {pool: general, count: 2, template: {status: {allocatable: {cpu: "8"}}}}
  - {pool: extra, count: 2, template: {status: {allocatable: {cpu: "8"}}}}
workloads:
  - name: web
    arrivals: {every: 1m}
    lifetime: 10m
    template:
      spec:
        tolerations: [{key: k, operator: Equal, value: v}]
        containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
`

// refusedSelections are the fields of an event that its kind does not take; the scripts
// of bad input have them.
func refusedSelections() []string {
	out := []string{"events[].add.nodes"}
	for _, kind := range []string{"add", "remove", "drain", "cordon", "uncordon"} {
		for _, field := range []string{"key", "value", "effect"} {
			out = append(out, "events[]."+kind+"."+field)
		}
	}
	return out
}

func eventCases() []fieldCase {
	at := func(events string) string { return eventFleet + "events: [" + events + "]" }
	cases := []fieldCase{
		change("events[].at", at("{at: @, drain: {pool: general}}"), "11m", "12m"),
		change("events[].add.pool", at("{at: 11m, add: {pool: @, count: 1}}"), "general", "extra"),
		change("events[].add.count", at("{at: 11m, add: {pool: general, count: @}}"), "1", "2"),
	}
	before := map[string]string{
		"uncordon": "{at: 5m, cordon: {pool: general}}, {at: 5m, cordon: {pool: extra}}, ",
		"untaint":  "{at: 5m, taint: {pool: general, key: x, effect: NoSchedule}}, {at: 5m, taint: {pool: extra, key: x, effect: NoSchedule}}, ",
	}
	for _, kind := range []string{"remove", "drain", "cordon", "uncordon", "taint", "untaint"} {
		taint := ""
		if kind == "taint" || kind == "untaint" {
			taint = ", key: x, effect: NoSchedule"
		}
		events := at(before[kind] + "{at: 11m, " + kind + ": {@" + taint + "}}")
		cases = append(cases,
			change("events[]."+kind+".pool", events, "pool: general", "pool: extra"),
			change("events[]."+kind+".count", events, "pool: general, count: 1", "pool: general, count: 2"),
			change("events[]."+kind+".nodes", events, "nodes: [general-0000]", "nodes: [general-0001]"))
	}
	taint := at("{at: 11m, taint: {pool: general, @}}")
	cases = append(cases,
		change("events[].taint.key", taint, "key: k, value: v, effect: NoExecute", "key: x, value: v, effect: NoExecute"),
		change("events[].taint.value", taint, "key: k, value: v, effect: NoExecute", "key: k, value: x, effect: NoExecute"),
		change("events[].taint.effect", taint, "key: x, effect: NoSchedule", "key: x, effect: NoExecute"))
	untaint := at("{at: 5m, taint: {pool: general, key: x, value: y, effect: NoSchedule}}, {at: 11m, untaint: {pool: general, @}}")
	return append(cases,
		change("events[].untaint.key", untaint, "key: x, value: y, effect: NoSchedule", "key: z, value: y, effect: NoSchedule"),
		change("events[].untaint.value", untaint, "key: x, value: y, effect: NoSchedule", "key: x, value: z, effect: NoSchedule"),
		change("events[].untaint.effect", untaint, "key: x, value: y, effect: NoSchedule", "key: x, value: y, effect: NoExecute"))
}

func traceCases() []fieldCase {
	fleet := `fleet: [{pool: a, count: 1, template: {status: {allocatable:
    {cpu: "64", memory: 64Gi, nvidia.com/gpu: "8", alibabacloud.com/gpu-milli: "8000", alibabacloud.com/gpu-count: "8"}}}}]
objects: [classes.yaml, low.yaml]
`
	one := func(trace, field, options, from, to string) fieldCase {
		return change("workloads[].trace."+trace+"."+field, fleet+"workloads: [{name: a, trace: {"+trace+": {"+options+"}}}]", from, to)
	}
	cases := []fieldCase{
		one("openb", "pods", "pods: @", "pods.csv", "other.csv"),
		one("openb", "gpu", "pods: pods.csv, gpu: @", "share", "device"),
		one("openb", "times", "pods: pods.csv, times: @", "real", "atOnce"),
		one("openb", "priorityByQoS", "pods: pods.csv, priorityByQoS: {@}", "", "LS: low"),
		one("swf", "jobs", "jobs: @", "jobs.swf", "other.swf"),
		one("swf", "statuses", "jobs: jobs.swf, statuses: [@]", "1", "0"),
		one("swf", "cpuPerProcessor", "jobs: jobs.swf, cpuPerProcessor: @", "1", "500m"),
		one("swf", "memoryPerProcessor", "jobs: jobs.swf, memoryPerProcessor: @", "1Gi", "2Gi"),
		one("swf", "ownMemory", "jobs: jobs.swf, ownMemory: @", "false", "true"),
		one("philly", "jobs", "jobs: @", "jobs.csv", "other.jobs.csv"),
		one("philly", "tenants", "jobs: jobs.csv, tenants: @", "label", "namespace"),
		one("philly", "cpuPerGPU", "jobs: jobs.csv, cpuPerGPU: @", "1", "2"),
		one("philly", "memoryPerGPU", "jobs: jobs.csv, memoryPerGPU: @", "1Gi", "2Gi"),
		change("workloads[].lifetime", fleet+"workloads: [{name: a, lifetime: @, trace: {openb: {pods: pods.csv, times: atOnce}}}]", "1m", "2m"),
		change("workloads[].priorityClassName", fleet+"workloads: [{name: a, priorityClassName: @, trace: {swf: {jobs: jobs.swf}}}]", "high", "low"),
		change("workloads[].schedulerName", "policy: policy.yaml\ntieBreak: first\n"+
			"workloads: [{name: a, schedulerName: @, trace: {swf: {jobs: jobs.swf}}}]", "default-scheduler", "other"),
	}
	files := map[string][2]string{
		"openb": {"pods: pods.csv", "pods: badpods.csv"}, "swf": {"jobs: jobs.swf", "jobs: badjobs.swf"},
		"philly": {"jobs: jobs.csv", "jobs: badphilly.csv"},
	}
	for _, trace := range []string{"openb", "swf", "philly"} {
		file, bad := files[trace][0], files[trace][1]
		cases = append(cases,
			one(trace, "start", file+", start: @", "0s", "1m"),
			one(trace, "until", file+", until: @", "5m", "10m"),
			one(trace, "timeScale", file+", timeScale: @", "1", "2"),
			one(trace, "lifetimeScale", file+", lifetimeScale: @", "1", "2"),
			one(trace, "limit", file+", limit: @", "1", "3"),
			one(trace, "skipBadLines", bad+", skipBadLines: @", "false", "true"),
			one(trace, "namespace", file+", namespace: @", "a", "b"))
		if trace != "openb" { // which has no gangs, and refuses it
			cases = append(cases, one(trace, "gangScheduleTimeout", file+", gangScheduleTimeout: @", "30s", "1m"))
		}
	}
	return cases
}

// isRefused reports whether a field is refused wherever it stands, so that it has no case.
func isRefused(field string) bool {
	return field == "workloads[].trace.openb.gangScheduleTimeout" || slices.Contains(refusedSelections(), field)
}
