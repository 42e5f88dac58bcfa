package world

// DrainChecks is how often the world has checked a pod that a drain waits for.
func (w *World) DrainChecks() int64 { return w.controllers[drainRank].(*drainController).checks }
