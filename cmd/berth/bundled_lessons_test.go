package main

// lesson is what a bundled scenario says of itself, in numbers.
type lesson struct {
	scenario, policy string
	claims           []claim
}

const many = 1e18

var lessons = []lesson{
	{"quickstart", "", []claim{
		{"", "placement.evictions", "drain", 50, many},
		{"training", "placement.gangsWhole", "", 8, 12},
		{"web", "placement.pending", "", 0, 0},
		{"", "utilization.allocatedPeak", "cpu", 0.95, 1},
	}},
	// Packed, every report starts at once and a third of the nodes stays empty.
	{"bin-packing", "", []claim{
		{"reports", "placement.pending", "", 0, 0},
		{"reports", "placement.waitToRun", "max", 0, 1},
		{"", "utilization.emptyNodesMean", "", 6, 24},
		{"", "fragmentation.fits", "cpu 14 cores, memory 48 GiB", 6, many},
	}},
	// Spread, not one ever starts, though more than half of the fleet is free.
	{"bin-packing", "least-allocated", []claim{
		{"reports", "placement.running", "", 0, 0},
		{"reports", "placement.completed", "", 0, 0},
		{"reports", "placement.pending", "", 31, 31},
		{"", "fragmentation.free", "cpu", 0.5, 1},
		{"", "utilization.emptyNodesMean", "", 0, 1},
		{"", "utilization.imbalanceGini", "cpu", 0, 0.1},
		{"", "fragmentation.fits", "cpu 14 cores, memory 48 GiB", 0, 0},
		{"", "fragmentation.ideal", "cpu 14 cores, memory 48 GiB", 10, many},
	}},
	// What the scenario names is the same as what --policy would.
	{"bin-packing", "most-allocated", []claim{{"reports", "placement.pending", "", 0, 0}}},
	// Spread was the default long ago too, and packing the choice of autoscalers.
	{"bin-packing", "legacy-default", []claim{
		{"reports", "placement.pending", "", 31, 31},
		{"", "utilization.emptyNodesMean", "", 0, 1},
		{"", "utilization.imbalanceGini", "cpu", 0, 0.1},
	}},
	{"bin-packing", "legacy-autoscaler", []claim{
		{"reports", "placement.pending", "", 0, 0},
		{"", "utilization.emptyNodesMean", "", 6, 24},
	}},
	{"bin-packing", "legacy-file", []claim{
		{"reports", "placement.pending", "", 0, 0},
		{"", "utilization.emptyNodesMean", "", 6, 24},
	}},
	// Critical pods wait for their victims to leave, patient ones for work to end.
	{"preemption", "", []claim{
		{"critical", "placement.waitToRun", "p50", 1, 1.1},
		{"critical", "placement.waitToRun", "max", 1, 1.1},
		{"patient", "placement.waitToRun", "p50", 60, 3600},
		{"critical", "placement.victims", "", 0, 0},
		{"patient", "placement.victims", "", 0, 0},
		{"batch", "placement.victims", "", 30, many},
		{"batch", "placement.workLost", "", 3600, many},
		{"", "utilization.allocatedPeak", "cpu", 1, 1},
	}},
	// So it was in the legacy scheduler.
	{"preemption", "legacy-default", []claim{
		{"critical", "placement.waitToRun", "p50", 1, 1.1},
		{"critical", "placement.victims", "", 0, 0},
		{"patient", "placement.victims", "", 0, 0},
		{"batch", "placement.victims", "", 30, many},
	}},
	// All GPUs are held and none works.
	{"gang-deadlock", "", []claim{
		{"", "placement.gangs", "", 12, 12},
		{"", "placement.gangsWhole", "", 0, 0},
		{"", "placement.waiting", "", 8, 8},
		{"", "placement.running", "", 0, 0},
		{"", "placement.completed", "", 3, 3},
		{"", "placement.permitTimeouts", "", 0, 0},
		{"", "utilization.allocatedNow", "nvidia.com/gpu", 1, 1},
	}},
	{"gang-timeouts", "", []claim{
		{"", "placement.gangs", "", 12, 12},
		{"", "placement.gangsWhole", "", 12, 12},
		{"", "placement.completed", "", 75, 75},
		{"", "placement.permitTimeouts", "", 10, many},
		{"", "placement.heldInVain", "nvidia.com/gpu", 1, many},
		{"research", "placement.waitToRun", "p99", 3600, many},
	}},
	// Each goes where it belongs.
	{"heterogeneous", "", []claim{
		{"gpu", "placement.scheduled", "", 48, 48}, // as many as there are of training
		{"training", "placement.scheduled", "", 48, 48},
		{"arm", "placement.scheduled", "", 101, 101}, // of render
		{"render", "placement.scheduled", "", 101, 101},
		{"render", "placement.pending", "", 10, many},
		{"web", "placement.pending", "", 0, 0},
		{"batch", "placement.pending", "", 0, 0},
		{"batch", "placement.evicted", "", 20, many},
		{"spot", "utilization.allocated", "cpu", 0.75, 1},
		{"general", "placement.scheduled", "", 1500, 1700}, // web, and batch that found no spot node
		{"", "fragmentation.external", "cpu 5 cores, memory 12 GiB", 1, 1},
	}},
	// The fleet is full in the afternoon only, and the drain hurts nobody for long.
	{"diurnal", "", []claim{
		{"", "utilization.allocatedPeak", "cpu", 0.9, 1},
		{"", "utilization.allocated", "cpu", 0.5, 0.7},
		{"", "utilization.cost", "", 200, 30 * 24 * 0.38},
		{"", "placement.evictions", "drain", 50, many},
		{"", "placement.waitToRun", "max", 0, 1},
		{"", "placement.pending", "", 0, 0},
		{"nightly", "placement.completed", "", 150, many},
	}},
	// Spread, pods of eight GPUs find no node to themselves; packed, nearly all do.
	{"gpu-fleet", "", []claim{
		{"", "placement.pending", "", 20, many},
		{"", "placement.pendingReason", "NodeResourcesFit: Insufficient alibabacloud.com/gpu-count", 20, many},
		{"", "fragmentation.free", "alibabacloud.com/gpu-milli", 0.3, 0.4},
	}},
	{"gpu-fleet", "gpu-packing", []claim{
		{"", "placement.pending", "", 0, 6},
		{"", "utilization.emptyNodesMean", "", 5, many},
	}},
	// Pods that share GPUs leave no node for gangs where they are spread, and enough of them where
	// they are packed.
	{"gpu-churn", "gpu/default-scores", []claim{
		{"gang", "placement.pending", "", 10, many},
		{"one-node", "placement.waitToBind", "p99", 3600, many},
		{"inference", "placement.pending", "", 0, 0},
	}},
	{"gpu-churn", "gpu/best-fit", []claim{
		{"gang", "placement.pending", "", 0, 0},
		{"", "devices.fragmentedMean", "", 0.11, 0.12},
	}},
	{"gpu-churn", "gpu/fgd", []claim{
		{"gang", "placement.pending", "", 0, 0},
		{"", "devices.fragmentedMean", "", 0.1, 0.11},
	}},
}
