package workloads

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestAnImportCountsTheSameWithoutWriting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(file, []byte("job_id,submit_s,duration_s,num_gpus,vc\n0,0,600,8,a\n1,60,300,17,b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	jobs := func() *Philly { return &Philly{Trace: Trace{File: file}, Tenants: TenantsNamespace} }
	var out bytes.Buffer
	written, err := WriteManifests(t.Context(), &out, nil, jobs())
	if err != nil || out.Len() == 0 {
		t.Fatalf("wrote %d bytes, %v", out.Len(), err)
	}
	counted, err := WriteManifests(t.Context(), nil, nil, jobs())
	if err != nil || !reflect.DeepEqual(counted, written) {
		t.Errorf("counted %+v, %v; wrote %+v", counted, err, written)
	}
	if counted.Pods != 4 || counted.PodGroups != 1 {
		t.Errorf("%d pods and %d pod groups, want 4 and 1", counted.Pods, counted.PodGroups)
	}
}
