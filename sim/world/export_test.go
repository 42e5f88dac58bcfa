package world

// DrainLooks is how often the world has looked at a pod that a drain waits for.
func (w *World) DrainLooks() int64 { return w.disruptions.looks }
