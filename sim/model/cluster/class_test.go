package cluster

import "testing"

// Classes of trials take no numbers from the classes that records declare.
func TestClassesOfTrialsHaveNoSerial(t *testing.T) {
	v := NewVocabulary()
	first, trial, second, again := v.AddClass("a", Class{}), v.AddTrialClass(Class{}), v.AddClass("b", Class{}), v.AddClass("a", Class{})
	if first.Serial != 0 || trial.Serial != -1 || second.Serial != 1 || again != first {
		t.Errorf("the serials are %d, %d of the trial, and %d", first.Serial, trial.Serial, second.Serial)
	}
	for id, class := range []*Class{first, trial, second} {
		if class.ID != ClassID(id) || v.Class(class.ID) != class {
			t.Errorf("class %d has the id %d", id, class.ID)
		}
	}
}
