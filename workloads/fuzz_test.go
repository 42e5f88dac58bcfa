package workloads

import (
	"bytes"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/workloads/arrival"
)

// FuzzTraces reads any bytes as a trace of each kind: jobs come in order of time, and
// what they ask for is either a class or an error.
func FuzzTraces(f *testing.F) {
	f.Add([]byte("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"+
		"late,12000,16384,1,1000,G2|T4,LS,Running,100,500,120\nearly,6000,1,1,460,,BE,Running,10,70,\n"), 1.5, false)
	f.Add([]byte("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,0,0\n"), 0.0, true)
	f.Add([]byte("; MaxProcs: 9\n1 0 -1 60 2 -1 20 -1 -1 10 1 1 1 1 1 1 -1 -1\n"), 1e300, true)
	f.Add([]byte("job_id,submit_s,duration_s,num_gpus,vc\n0,0,100,2,6214e9\n1,5,7,2147483647,b\n"), 1e-300, true)
	f.Fuzz(func(t *testing.T, data []byte, scale float64, skip bool) {
		common := Trace{File: "fuzz", TimeScale: scale, LifetimeScale: scale, SkipBad: skip}
		loader := manifest.New(cluster.NewVocabulary())
		for _, p := range []TraceSource{
			&Openb{Trace: common},
			&Openb{Trace: Trace{File: "fuzz", SkipBad: skip}, AtOnce: true, GPUs: WholeGPUs},
			&SWF{Trace: common, OwnMemory: true},
			&Philly{Trace: common, Tenants: TenantsLabel, MilliCPU: maxShare, MemoryBytes: maxShare},
		} {
			if p.check() != nil {
				continue
			}
			all, err := p.read(bytes.NewReader(data))
			if err != nil {
				continue
			}
			checkJobs(t, &selection{Trace: *p.trace(), jobs: all}, loader)
		}
	})
}

func checkJobs(t *testing.T, s *selection, loader *manifest.Loader) {
	last := clock.Time(0)
	for {
		j, more, err := s.next()
		if !more || err != nil {
			return
		}
		if j.at < last || j.lifetime < 0 || j.pods < 1 || j.name == "" {
			t.Fatalf("after %v comes %+v", last, j)
		}
		last = j.at
		if class, err := loader.Shape(j.shape); (class == nil) == (err == nil) {
			t.Fatalf("class %v and error %v of %+v", class, err, j)
		}
	}
}

// FuzzSchedules expands a CronJob with any schedule: its Jobs come in order of time,
// within the bounds of the run.
func FuzzSchedules(f *testing.F) {
	for _, s := range []string{"30 0 * * *", "@every 1h", "@weekly", "*/5 1-3 * JAN,FEB MON-FRI", "0 0 30 2 *", "TZ=0", "CRON_TZ=", "@every 0s"} {
		f.Add(s)
	}
	v := cluster.NewVocabulary()
	class := v.AddClass("a", cluster.Class{})
	f.Fuzz(func(t *testing.T, schedule string) {
		const at, until = clock.Hour, 100 * 24 * clock.Hour
		objects := &manifest.Objects{Controllers: []manifest.Controller{{
			ControllerSpec: validate.ControllerSpec{Kind: "CronJob", Name: "c", Schedule: schedule, Parallelism: 2, Completions: 3},
			Template:       &manifest.Template{Class: class},
		}}}
		x, err := Manifests{At: at, Until: until, JobLifetime: arrival.Forever()}.Stream(objects)
		if err != nil {
			return
		}
		last := at
		for range 100 {
			a, more, err := x.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				return
			}
			if a.At < last || a.At >= until {
				t.Fatalf("%s comes at %v, after one at %v", a.Name, a.At, last)
			}
			last = a.At
		}
	})
}

func BenchmarkSynthetic(b *testing.B) {
	p, _ := arrival.Constant(clock.Second, 0)
	s, err := Synthetic{Name: "w", Arrivals: p, Templates: []Template{{Class: &cluster.Class{}}}}.Stream()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for range b.N {
		if _, more, _ := s.Next(); !more {
			b.Fatal("the stream ended")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pods/s")
}

func BenchmarkPlay(b *testing.B) {
	const jobs = 10_000
	var log bytes.Buffer
	for i := range jobs {
		log.WriteString(numbered("", int64(i))[1:] + " " + numbered("", int64(i))[1:] + " -1 60 1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n")
	}
	b.Run("jobs=10000", func(b *testing.B) {
		loader := manifest.New(cluster.NewVocabulary())
		for range b.N {
			p := &SWF{Trace: Trace{File: "log"}}
			all, err := p.read(bytes.NewReader(log.Bytes()))
			if err != nil {
				b.Fatal(err)
			}
			s := &selection{Trace: p.Trace, jobs: all}
			for j, more, _ := s.next(); more; j, more, _ = s.next() {
				if _, err := loader.Shape(j.shape); err != nil {
					b.Fatal(err)
				}
			}
			if s.taken != jobs {
				b.Fatalf("%d jobs", s.taken)
			}
		}
		b.ReportMetric(float64(b.N)*jobs/b.Elapsed().Seconds(), "jobs/s")
	})
}
