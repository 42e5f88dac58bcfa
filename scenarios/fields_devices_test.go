package scenarios_test

// deviceCases are the fields of GPUs.
func deviceCases() []fieldCase {
	const two = "fleet: [{pool: a, count: 1, devices: {count: 4, model: T4}, template: {status: {allocatable: {cpu: \"64\", memory: 64Gi}}}}, " +
		"{pool: b, count: 1, devices: {count: 2, model: P100}, template: {status: {allocatable: {cpu: \"64\", memory: 64Gi}}}}]\n"
	pool := func(fields string) string {
		return "fleet: [{pool: a, count: 1, devices: {" + fields + `}, template: {status: {allocatable: {cpu: "4", memory: 8Gi}}}}]`
	}
	one := func(fields string) string {
		return two + "workloads:\n" + synthetic("arrivals: {every: 10m}, devices: {"+fields+"}")
	}
	target := func(fields string) string { return two + "target: [{" + fields + "}]" }
	openb := func(fields string) string {
		return "fleet: [{trace: {openb: {nodes: nodes.csv}}}]\nworkloads: [{name: a, trace: {openb: {pods: pods.csv, times: atOnce, " + fields + "}}}]"
	}
	return []fieldCase{
		change("fleet[].devices.count", pool("count: @"), "1", "2"),
		change("fleet[].devices.model", pool("count: 1, model: @"), "T4", "P100"),
		change("workloads[].devices.count", one("count: @"), "1", "2"),
		change("workloads[].devices.milli", one("milli: @"), "500", "1000"),
		change("workloads[].devices.models", one("models: [@]"), "T4", "P100"),
		change("target[].pods", target("pods: @"), "1", "2"),
		change("target[].cpu", target("pods: 1, cpu: @"), "1", "2"),
		change("target[].devices.count", target("pods: 1, devices: {count: @}"), "1", "2"),
		change("target[].devices.milli", target("pods: 1, devices: {milli: @}"), "1", "2"),
		change("target[].devices.models", target("pods: 1, devices: {models: [@]}"), "T4", "P100"),
		change("workloads[].trace.openb.spacing", openb("spacing: @"), "0s", "1s"),
		change("workloads[].trace.openb.fgd.demand", openb("fgd: {demand: @}"), "1.3", "0.1"),
	}
}
