package conformance

// resize gives a running pod the status of one whose resources were changed in place.
func (g *generator) resize(pod object) {
	spec, status := pod["spec"].(object), pod["status"].(object)
	statusOf := func(containers []any) []any {
		var out []any
		for _, c := range containers {
			if g.chance(0.2) {
				continue
			}
			s := object{"name": c.(object)["name"], "image": "pause:3", "imageID": "", "ready": true, "restartCount": 0}
			if g.chance(0.8) {
				s["resources"] = object{"requests": g.actual()}
			}
			if g.chance(0.6) {
				s["allocatedResources"] = g.actual()
			}
			out = append(out, s)
		}
		return out
	}
	set(status, "containerStatuses", statusOf(spec["containers"].([]any)))
	set(status, "initContainerStatuses", statusOf(initContainers(spec)))
	if spec["resources"] != nil && g.chance(0.7) {
		status["resources"] = object{"requests": g.actual()}
		if g.chance(0.5) {
			status["allocatedResources"] = g.actual()
		}
	}
	switch g.IntN(4) {
	case 0:
		status["conditions"] = []any{object{"type": "PodResizePending", "status": "True", "reason": pick(g, "Infeasible", "Deferred")}}
	case 1:
		status["conditions"] = []any{object{"type": "PodResizeInProgress", "status": "True"}}
	}
}

func (g *generator) actual() object {
	a := object{}
	if g.chance(0.9) {
		a["cpu"] = pick(g, "0", "100m", "250m", "1", "2")
	}
	if g.chance(0.9) {
		a["memory"] = pick(g, "0", "128Mi", "1Gi", "3Gi")
	}
	return a
}

// declare needs a feature that not every node declares.
func (g *generator) declare(spec object) {
	for _, c := range append(spec["containers"].([]any), initContainers(spec)...) {
		if c := c.(object); g.chance(0.6) && c["restartPolicy"] == nil {
			c["restartPolicy"] = "Never"
			c["restartPolicyRules"] = []any{object{
				"action": pick(g, "Restart", "RestartAllContainers"), "exitCodes": object{"operator": "In", "values": []any{1, 42}},
			}}
		}
	}
}

var nodeFeatures = []string{"Example", "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport"}
