package main

import (
	"io"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
)

func TestFlagsOfDynamic(t *testing.T) {
	s, err := dynamicStudy([]string{"-loads", "80 90", "-seeds", "3", "-policies", "FGD", "-cap", "90m"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Loads) != 2 || s.Loads[1] != 90 || s.Seeds[0] != 3 || s.Cap != scenarios.Duration(90*clock.Minute) || len(s.Scenarios) != 3 {
		t.Errorf("the study is %+v", s)
	}
	for args, want := range map[string]string{
		"more":              `there is no argument "more"`,
		"-loads 80,90":      `-loads: "80,90" is not a whole number`,
		"-seeds -1":         `-seeds: "-1" is not a whole number`,
		"-scenarios= -cap=": "invalid value",
		"-policies=":        "nothing to run",
		"-one-of 0":         "must be positive",
	} {
		if _, err := dynamicStudy(strings.Fields(args), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, not %q", args, err, want)
		}
	}
}
