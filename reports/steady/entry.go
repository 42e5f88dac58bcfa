package steady

// Entry is the result of one run of a scenario.
type Entry struct {
	Scenario string
	Load     int // GPUs asked for in the mean, in percent of those that there are
	Policy   string
	Seed     uint64
	Result   *Result
}
