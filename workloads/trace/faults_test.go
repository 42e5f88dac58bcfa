package trace_test

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/workloads/trace"
)

const (
	nodeHeader   = "sn,cpu_milli,memory_mib,gpu,model\n"
	podHeader    = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
	phillyHeader = "job_id,submit_s,duration_s,num_gpus,vc\n"
)

// Each text, read to its end, gives exactly these errors, one a line.
func TestFaultsOfLines(t *testing.T) {
	unknown := strings.Repeat(" -1", 16)
	for _, c := range []struct{ format, text, want string }{
		{"nodes.csv", nodeHeader + "a,-1,2,0,\n", `file:2:3: cpu_milli: "-1" must not be negative`},
		{"nodes.csv", nodeHeader + "a,1.5,x,0,\n",
			"file:2:3: cpu_milli: \"1.5\" is not an integer\nfile:2:7: memory_mib: \"x\" is not an integer"},
		{"nodes.csv", nodeHeader + "a,1,99999999999999999999,0,\n", `file:2:5: memory_mib: "99999999999999999999" must be between 0 and 8796093022207`},
		{"nodes.csv", nodeHeader + "a,1,8796093022208,0,\n", `file:2:5: memory_mib: "8796093022208" must be between 0 and 8796093022207`},
		{"nodes.csv", nodeHeader + "a,1,,0,\n", `file:2:5: memory_mib: must not be empty`},
		{"nodes.csv", nodeHeader + ",1,2,0,\n", `file:2:1: sn: must not be empty`},
		{"nodes.csv", nodeHeader + "a\tb,1,2,0,\n", `file:2:1: sn: "a\tb" has control characters`},
		{"nodes.csv", nodeHeader + "a,1,2,4,\n", `file:2:9: model: does not go with gpu 4: a node has a model exactly when it has GPUs`},
		{"nodes.csv", nodeHeader + "a,1,2,0,T4\n", `file:2:9: model: "T4" does not go with gpu 0: a node has a model exactly when it has GPUs`},
		{"nodes.csv", nodeHeader + "a,1,2,0,\n\nb,1,2,0,\na,3,4,0,\n", `file:5:1: sn: "a" is also the name in line 2`},
		{"nodes.csv", nodeHeader + "a,-1,2,0,\na,1,2,0,\n", `file:2:3: cpu_milli: "-1" must not be negative`},
		{"nodes.csv", nodeHeader + "a,1,2\n", `file:2:1: "a,1,2" has 3 fields, the header has 5`},
		{"nodes.csv", nodeHeader + "a,1,2,0,,x\n", `file:2:1: "a,1,2,0,,x" has 6 fields, the header has 5`},
		{"nodes.csv", nodeHeader + "\"a,1,2,0,\nb,-1,2,0,\n", "file:2:1: \"\\\"a,1,2,0,\" is not a line of CSV: extraneous or missing \" in quoted-field\n" +
			`file:3:3: cpu_milli: "-1" must not be negative`},
		{"nodes.csv", nodeHeader + "\xff\xfe,1,2,0,\n", `file:2:1: "\xff\xfe,1,2,0," is not UTF-8 text`},

		{"nodes.csv", "", "file:1:1: header: is missing: the file is empty, it must begin with sn,cpu_milli,memory_mib,gpu,model"},
		{"nodes.csv", "sn,cpu_milli,memory_mib,gpus\n", "file:1:25: header: \"gpus\" is not a column of this format (sn,cpu_milli,memory_mib,gpu,model)\n" +
			"file:1:1: header: \"gpu\" is missing\nfile:1:1: header: \"model\" is missing"},
		{"nodes.csv", "\nsn,sn,cpu_milli,memory_mib,gpu,model\n", `file:2:4: header: "sn" is there twice`},
		{"nodes.csv", "\"sn\n", `file:1:1: "\"sn" is not a line of CSV: extraneous or missing " in quoted-field`},
		{"pods.csv", "name,cpu_milli,memory_mib,num_gpu\n", `file:1:1: header: "gpu_milli" is missing`},
		{"pods.csv", strings.Replace(podHeader, ",qos", "", 1), `file:1:1: header: "qos" is missing`},

		{"pods.csv", podHeader + "p,1,2,1,1001,,,,0,1,0\n", `file:2:9: gpu_milli: "1001" must be between 0 and 1000`},
		{"pods.csv", podHeader + "p,1,2,2,999,,,,0,1,0\n", `file:2:9: gpu_milli: "999" must be 1000 when num_gpu is 2: only one GPU can be shared`},
		{"pods.csv", podHeader + "p,1,2,0,5,,,,0,1,0\n", `file:2:9: gpu_milli: "5" must be 0 when num_gpu is 0`},
		{"pods.csv", podHeader + "p,1,2,1,0,,,,0,1,0\n", `file:2:9: gpu_milli: "0" must be positive when num_gpu is 1`},
		{"pods.csv", podHeader + "p,1,2,1,9,A||B,,,0,1,0\n", `file:2:11: gpu_spec: "A||B" names an empty model`},
		{"pods.csv", podHeader + "p,1,2,1,9,,,,5,4,\n", `file:2:16: deletion_time: "4" is before creation_time 5`},
		{"pods.csv", podHeader + "p,1,2,1,9,,,,5,7,8\n", `file:2:18: scheduled_time: "8" is not between creation_time 5 and deletion_time 7`},
		{"pods.csv", podHeader + "p,1,2,1,9,,,,5,,8\n", `file:2:16: deletion_time: must not be empty`},
		{"pods.csv", podHeader + "p,1,2,1,9,,,,5,2305843010,\n", `file:2:16: deletion_time: "2305843010" must be between 0 and 2305843009`},
		{"pods.csv", podHeader + "p,1,2,1,9,,,,0,1,0\np,1,2,1,9,,,,0,1,0\n", `file:3:1: name: "p" is also the name in line 2`},

		{"philly.csv", phillyHeader + "0,0,1,0,a\n", `file:2:7: num_gpus: "0" must be between 1 and 2147483647`},
		{"philly.csv", phillyHeader + "0,5,1,1,a\n1,4,1,1,a\n2,5,1,1,a\n", `file:3:3: submit_s: "4" is before 5 of line 2: jobs must be sorted`},
		{"philly.csv", phillyHeader + "3,5,1,1,a\n3,6,1,1,a\n", `file:3:1: job_id: "3" does not come after 3 of line 2: ids must rise`},

		{"log.swf", "1 2 3\n", `file:1:1: "1 2 3" has 3 fields, it must have 18`},
		{"log.swf", "1 0 -1" + unknown, `file:1:1: "1 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1" has 19 fields, it must have 18`},
		{"log.swf", "1 x" + unknown, `file:1:3: submit time: "x" is not a number`},
		{"log.swf", "1 nan" + unknown, `file:1:3: submit time: "nan" is not a number`},
		{"log.swf", "1 0x1p3" + unknown, `file:1:3: submit time: "0x1p3" is not a number`},
		{"log.swf", "1 1e999" + unknown, `file:1:3: submit time: "1e999" must be at most 2305843009`},
		{"log.swf", "1.5 0" + unknown, `file:1:1: job number: "1.5" is not an integer`},
		{"log.swf", "1 -1" + unknown, `file:1:3: submit time: "-1" must not be negative`},
		{"log.swf", "1 0 -2" + unknown[3:], `file:1:5: wait time: "-2" must be -1 or more`},
		{"log.swf", "1 0" + unknown + "\n1 0" + unknown, `file:2:1: job number: "1" does not come after 1 of line 1: job numbers must rise`},
		{"log.swf", "; a: b\n1 7" + unknown + "\n2 6.5" + unknown, `file:3:3: submit time: "6.5" is before 7 of line 2: jobs must be sorted`},
	} {
		_, faults, _ := readAll(formats[c.format], strings.NewReader(c.text), trace.Options{})
		if faults != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.format, c.text, faults, c.want)
		}
	}
}
