package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/record"
)

// podRows returns the rows of a table of pods, without the names of the columns.
func podRows(t *testing.T, text []byte) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// plainRows works the rows out from the records in the plainest way, by number of arrival.
func plainRows(t *testing.T, path string) []map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, nodes, workloads := map[int64]map[string]string{}, map[int32]string{}, map[int32]string{}
	var numbers []int64
	for r, err := range record.Read(path, file) {
		if err != nil {
			t.Fatal(err)
		}
		now := strconv.FormatFloat(r.Time.Seconds(), 'g', -1, 64)
		row := rows[r.Pod]
		switch r.Kind {
		case record.NodeAdded:
			nodes[r.Node] = r.NodeInfo.Name
		case record.DeclareWorkload:
			workloads[r.Workload] = r.Text
		case record.PodArrived:
			rows[r.Pod] = map[string]string{"name": r.Text, "workload": workloads[r.Workload], "arrival": now, "attempts": "0"}
			numbers = append(numbers, r.Pod)
		case record.PodAttempted:
			row["attempts"] = strconv.Itoa(r.Count)
			if r.Attempt.Node >= 0 {
				row["node"] = nodes[r.Attempt.Node]
			}
		case record.PodRolledBack:
			row["node"] = ""
		case record.PodBound:
			row["node"], row["bound"] = nodes[r.Node], now
		case record.PodStarted:
			row["running"] = now
		case record.PodCompleted, record.PodGone:
			row["ended"] = now
		case record.PodEvicted:
			if r.Cause == record.ByPreemption {
				row["victimOf"] = rows[r.By]["name"]
			}
		}
	}
	var out []map[string]string
	for _, n := range numbers {
		out = append(out, rows[n])
	}
	return out
}

// differences lists what tables of pods differ in, pod by pod.
func differences(rows, plain []map[string]string) []string {
	if len(rows) != len(plain) {
		return []string{fmt.Sprintf("%d rows for %d pods", len(rows), len(plain))}
	}
	key := func(a map[string]string) string { return a["name"] + " " + a["arrival"] }
	byKey := func(a, b map[string]string) int { return strings.Compare(key(a), key(b)) }
	slices.SortStableFunc(rows, byKey)
	slices.SortStableFunc(plain, byKey)
	var out []string
	for i := range rows {
		for _, column := range []string{"name", "workload", "node", "arrival", "bound", "running", "ended", "attempts", "victimOf"} {
			if rows[i][column] != plain[i][column] {
				out = append(out, fmt.Sprintf("%s: %s is %q, want %q", key(plain[i]), column, rows[i][column], plain[i][column]))
			}
		}
	}
	return out
}

// TestPodsAgreeWithTheRecords: every pod of the log has one row, and what the row says follows from the records.
func TestPodsAgreeWithTheRecords(t *testing.T) {
	atRoot(t)
	victims := 0
	for _, scenario := range []string{"preemption", "gang-timeouts", "quickstart"} {
		dir := filepath.Join(t.TempDir(), scenario)
		printed := berth(t.Context(), 80, "run", "scenarios/"+scenario+".yaml", "--quiet", "--horizon", "1h30m", "--out", dir, "--pods", "-o", "csv")
		if printed.code != exitDone {
			t.Fatalf("%s: exit %d: %s", scenario, printed.code, printed.err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "pods.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if printed.out != string(text) {
			t.Errorf("%s: what run --pods prints is not pods.csv", scenario)
		}
		if again := berth(t.Context(), 80, "report", dir, "--pods", "-o", "csv"); again.out != string(text) {
			t.Errorf("%s: what report --pods prints is not pods.csv: %s", scenario, again.err)
		}
		rows, plain := podRows(t, text), plainRows(t, filepath.Join(dir, "records.jsonl"))
		for _, d := range differences(rows, plain) {
			t.Errorf("%s: %s", scenario, d)
		}
		for _, row := range rows {
			if row["victimOf"] != "" {
				victims++
			}
			if unbound := row["bound"] == ""; unbound && row["attempts"] != "0" && row["lastReason"] == "" && row["state"] == "pending" {
				t.Errorf("%s: no reason why %s is pending", scenario, row["name"])
			}
		}
		rows[len(rows)/2]["running"] = "7"
		if len(differences(rows, plain)) != 1 || len(differences(rows[1:], plain)) != 1 {
			t.Errorf("%s: a planted difference is not found", scenario)
		}
	}
	if victims == 0 {
		t.Error("no pod was preempted")
	}
}
