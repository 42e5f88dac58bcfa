package scenarios_test

// fieldFiles are what the cases refer to.
var fieldFiles = map[string]string{
	"classes.yaml": `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000, globalDefault: true}`,
	"low.yaml":     `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: -1}`,
	"limits.yaml":  `{apiVersion: v1, kind: LimitRange, metadata: {name: l}, spec: {limits: [{type: Container, min: {memory: 64Mi}}]}}`,
	"pod.yaml":     `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}`,
	"two.yaml":     `{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {containers: [{name: c, image: i}]}}`,
	"small.yaml":   `{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}`,
	"large.yaml":   `{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "10"}}}`,
	"volumes.yaml": `apiVersion: v1
kind: List
items:
  - {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: made}, provisioner: csi.example.com, volumeBindingMode: WaitForFirstConsumer}
  - {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: there}, provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}
  - {apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {storageClassName: there, capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /v}}}
  - {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: m}, spec: {storageClassName: made, resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce]}}
  - {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: t}, spec: {storageClassName: there, resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: m}, spec: {containers: [{name: c, image: i}], volumes: [{name: v, persistentVolumeClaim: {claimName: m}}]}}
  - {apiVersion: v1, kind: Pod, metadata: {name: t}, spec: {containers: [{name: c, image: i}], volumes: [{name: v, persistentVolumeClaim: {claimName: t}}]}}
`,
	"policy.yaml": `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
  - schedulerName: other
    pluginConfig:
      - name: NodeResourcesFit
        args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
    plugins: {score: {disabled: [{name: NodeResourcesBalancedAllocation}]}}
`,
	"packing.yaml": `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - name: NodeResourcesFit
        args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
    plugins: {score: {disabled: [{name: NodeResourcesBalancedAllocation}]}}
`,
	"lives.txt": "60\n120\n",
	"other.txt": "30\n",
	"nodes.csv": "sn,cpu_milli,memory_mib,gpu,model\na,64000,65536,8,T4\n",
	"more.csv":  "sn,cpu_milli,memory_mib,gpu,model\na,64000,65536,8,T4\nb,64000,65536,8,T4\n",
	"pods.csv": `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p,1000,1024,1,500,,LS,Running,0,600,0
q,1000,1024,1,1000,,BE,Running,60,700,60
r,1000,1024,0,0,,BE,Running,300,400,300
`,
	"other.csv": `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p,2000,1024,1,500,,LS,Running,0,600,0
`,
	"other.swf":      "1 0 0 900 1 -1 2048 1 600 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
	"other.jobs.csv": "job_id,submit_s,duration_s,num_gpus,vc\n1,0,900,1,red\n",
	"badpods.csv": `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
p,x,1024,1,500,,LS,Running,0,600,0
`,
	"jobs.swf": `1 0 0 600 1 -1 2048 1 600 -1 1 -1 -1 -1 -1 -1 -1 -1
2 60 0 640 99 -1 -1 99 600 -1 0 -1 -1 -1 -1 -1 -1 -1
3 300 0 100 1 -1 -1 1 600 -1 1 -1 -1 -1 -1 -1 -1 -1
`,
	"badjobs.swf":   "1 0 0 x 1 -1 -1 1 600 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
	"jobs.csv":      "job_id,submit_s,duration_s,num_gpus,vc\n1,0,600,1,red\n2,60,640,800,blue\n3,300,100,2,red\n",
	"badphilly.csv": "job_id,submit_s,duration_s,num_gpus,vc\n1,0,x,1,red\n",
}

func topCases() []fieldCase {
	busy := "workloads:\n" + synthetic("arrivals: {poisson: {rate: 1/m}}, lifetime: 5m")
	full := "workloads:\n" + synthetic("arrivals: {every: 1m}, lifetime: 5m") + `  - {name: big, arrivals: {every: 20m}, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "3"}}}]}}}
`
	return []fieldCase{
		change("metadata.name", "metadata: {name: @}", "a", "b"),
		change("seed", busy+"seed: @", "1", "2"),
		change("horizon", "horizon: @", "1h", "2h"),
		change("tieBreak", busy+"tieBreak: @", "random", "first"),
		change("kubernetes", busy+"tieBreak: upstream\nkubernetes: @", "1.34", "1.35"),
		change("featureGates", "kubernetes: 1.36\nfeatureGates: {NodeDeclaredFeatures: @}\nworkloads: [{name: a, arrivals: {every: 1m}, lifetime: 5m, template: {spec: {hostNetwork: true, hostUsers: false, containers: [{name: c, image: i}]}}}]", "true", "false"),
		change("rules", busy+"tieBreak: upstream\nrules: {ties: @}", "draw", "heap"),
		change("objects", "objects: [@]", "", "classes.yaml"),
		change("admission", busy+"objects: [limits.yaml]\nadmission: [@]", "LimitRanger", "-LimitRanger"),
		change("ignore", "objects: [classes.yaml]\nignore: [@]", "ConfigMap", "PriorityClass"),
		change("skipPods", "workloads: [{name: a, manifests: [pod.yaml]}]\nskipPods: [@]", "p", "q"),
		change("policy", busy+"policy: @", "policy.yaml", "packing.yaml"),
		change("dropPlugins", busy+"policy: policy.yaml\ndropPlugins: [@]", "NodeResourcesFit", "ImageLocality"),
		change("latency.preset", "latency: {preset: @}", "kube-scheduler-1.36", "none"),
		change("latency.cycle", "latency: {cycle: @}", "1ms", "{exponential: {mean: 1ms}}"),
		change("latency.perEvaluatedNode", "latency: {perEvaluatedNode: @}", "1ms", "2ms"),
		change("latency.perNode", "latency: {perNode: @}", "1ms", "2ms"),
		change("latency.bind", "latency: {bind: @}", "1ms", "2ms"),
		change("latency.volumeBind", "objects: [volumes.yaml]\nlatency: {volumeBind: @}", "1s", "2s"),
		change("latency.provision", "objects: [volumes.yaml]\nlatency: {provision: @}", "1s", "2s"),
		change("latency.start", "latency: {start: @}", "1s", "2s"),
		change("latency.terminate", "latency: {terminate: @}\nevents: [{at: 11m, drain: {pool: general}}]", "1s", "2s"),
		change("collect.every", "collect: {every: @}", "10m", "20m"),
		change("collect.fragmentation.off", "collect: {fragmentation: {off: @}}", "true", "false"),
		change("collect.fragmentation.share", full+"collect: {fragmentation: {share: @}}", "0.5", "1"),
		change("collect.fragmentation.maxClasses", full+"collect: {fragmentation: {share: 1, maxClasses: @}}", "1", "2"),
		change("collect.fragmentation.inflate", "collect: {fragmentation: {inflate: @}}", "false", "true"),
	}
}

func fleetCases() []fieldCase {
	const template = `{status: {allocatable: {cpu: "@", memory: 8Gi}}}`
	pool := func(fields string) string {
		return "fleet: [{" + fields + `, template: {status: {allocatable: {cpu: "4", memory: 8Gi}}}}]`
	}
	return []fieldCase{
		change("fleet[].pool", pool("pool: @, count: 1"), "a", "b"),
		change("fleet[].count", pool("pool: a, count: @"), "1", "2"),
		change("fleet[].zones", pool("pool: a, count: 1, zones: [@]"), "", "z"),
		change("fleet[].namePattern", pool(`pool: a, count: 1, namePattern: "@-{index}"`), "x", "y"),
		change("fleet[].pricePerHour", pool("pool: a, count: 1, pricePerHour: @"), "1", "2"),
		change("fleet[].jitter", pool("pool: a, count: 1, jitter: {cpu: @}"), "0", "0.5"),
		change("fleet[].template", "fleet: [{pool: a, count: 1, template: "+template+"}]", "4", "5"),
		change("fleet[].manifests", "fleet: [{manifests: [@]}]", "small.yaml", "large.yaml"),
		change("fleet[].pricePerHour", "fleet: [{manifests: [small.yaml], pricePerHour: @}]", "1", "2"),
		change("fleet[].trace.openb.nodes", "fleet: [{trace: {openb: {nodes: @}}}]", "nodes.csv", "more.csv"),
		change("fleet[].trace.openb.gpu", "fleet: [{trace: {openb: {nodes: nodes.csv, gpu: @}}}]", "share", "device"),
		change("fleet[].pricePerHour", "fleet: [{trace: {openb: {nodes: nodes.csv}}, pricePerHour: @}]", "1", "2"),
	}
}

func workloadCases() []fieldCase {
	one := func(fields string) string { return "workloads:\n" + synthetic(fields) }
	return []fieldCase{
		change("workloads[].name", "workloads: [{name: @, arrivals: {every: 1m}, template: "+podSpec+"}]", "a", "b"),
		change("workloads[].lifetime", one("arrivals: {every: 10m}, lifetime: @"), "5m", "6m"),
		change("workloads[].replicas", one("arrivals: {every: 10m}, lifetime: 5m, replicas: @"), "1", "2"),
		change("workloads[].gang.minMember", one("arrivals: {every: 10m}, lifetime: 5m, replicas: 3, gang: {minMember: @}"), "2", "3"),
		change("workloads[].gang.scheduleTimeout",
			one("arrivals: {every: 10m}, lifetime: 5m, replicas: 9, gang: {minMember: 9, scheduleTimeout: @}"), "30s", "1m"),
		change("workloads[].priorityClassName", "objects: [classes.yaml, low.yaml]\n"+one("arrivals: {every: 10m}, priorityClassName: @"), "high", "low"),
		change("workloads[].schedulerName",
			"policy: policy.yaml\ntieBreak: first\n"+one("arrivals: {every: 10m}, schedulerName: @"), "default-scheduler", "other"),
		change("workloads[].onEviction",
			"events: [{at: 11m, drain: {pool: general}}]\n"+one("arrivals: {every: 10m}, onEviction: @"), "recreate", "drop"),
		change("workloads[].template", `workloads: [{name: a, arrivals: {every: 10m}, template: {spec: {containers:
      [{name: c, image: i, resources: {requests: {cpu: "@"}}}]}}}]`, "1", "2"),
		change("workloads[].templates[].weight", `workloads: [{name: a, arrivals: {every: 1m}, templates: [{weight: @, template: `+podSpec+`},
      {weight: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}]`, "1", "9"),
		change("workloads[].templates[].template", `workloads: [{name: a, arrivals: {every: 1m}, templates: [{weight: 1, template:
      {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "@"}}}]}}}]}]`, "1", "2"),
		change("workloads[].manifests", "workloads: [{name: a, manifests: [@]}]", "pod.yaml", "two.yaml"),
		change("workloads[].lifetime", "workloads: [{name: a, manifests: [pod.yaml], lifetime: @}]", "5m", "6m"),
	}
}

func arrivalCases() []fieldCase {
	one := func(field, arrivals, from, to string) fieldCase {
		return change("workloads[].arrivals."+field, "workloads:\n"+synthetic("lifetime: 5m, arrivals: {"+arrivals+"}"), from, to)
	}
	return []fieldCase{
		one("every", "every: @", "10m", "11m"),
		one("poisson.rate", "poisson: {rate: @}", "10/h", "20/h"),
		one("bursts.every", "bursts: {every: @, size: 2}", "10m", "11m"),
		one("bursts.size", "bursts: {every: 10m, size: @}", "2", "3"),
		one("bursts.jitter", "bursts: {every: 10m, size: 2, jitter: @}", "0s", "5m"),
		one("bursts.spread", "bursts: {every: 10m, size: 2, spread: @}", "0s", "5m"),
		one("diurnal.period", "diurnal: {low: 0/m, high: 1/m, period: @}", "20m", "40m"),
		one("diurnal.low", "diurnal: {low: @, high: 1/m, period: 20m}", "0/m", "30/h"),
		one("diurnal.high", "diurnal: {low: 0/m, high: @}", "1/m", "2/m"),
		one("diurnal.peakAt", "diurnal: {low: 0/m, high: 1/m, peakAt: @}", "0s", "12h"),
		one("diurnal.points[].at", "diurnal: {points: [{rate: 1/m}, {at: @, rate: 5/m}]}", "10m", "30m"),
		one("diurnal.points[].rate", "diurnal: {points: [{rate: @}]}", "1/m", "2/m"),
		one("atOnce.count", "atOnce: {count: @}", "1", "2"),
		one("atOnce.at", "atOnce: {count: 1, at: @}", "1m", "2m"),
		one("times", "times: [1m, @]", "2m", "3m"),
		one("start", "every: 10m, start: @", "0s", "1m"),
		one("start", "poisson: {rate: 1/m}, start: @", "0s", "30m"),
		one("until", "every: 10m, until: @", "1h", "30m"),
		one("limit", "every: 10m, limit: @", "1", "2"),
	}
}

func spanCases() []fieldCase {
	one := func(field, law, from, to string) fieldCase {
		return change("span."+field, "workloads:\n"+synthetic("arrivals: {every: 2m}, lifetime: {"+law+"}"), from, to)
	}
	return []fieldCase{
		one("fixed", "fixed: @", "1m", "2m"),
		one("exponential.mean", "exponential: {mean: @}", "1m", "2m"),
		one("lognormal.median", "lognormal: {median: @, sigma: 1}", "1m", "2m"),
		one("lognormal.sigma", "lognormal: {median: 1m, sigma: @}", "1", "2"),
		one("weibull.scale", "weibull: {scale: @, shape: 2}", "1m", "2m"),
		one("weibull.shape", "weibull: {scale: 1m, shape: @}", "1", "2"),
		one("uniform.min", "uniform: {min: @, max: 2m}", "0s", "1m"),
		one("uniform.max", "uniform: {max: @}", "1m", "2m"),
		one("empirical.file", "empirical: {file: @}", "lives.txt", "other.txt"),
		one("empirical.values", "empirical: {values: [@]}", "1m", "2m"),
	}
}
