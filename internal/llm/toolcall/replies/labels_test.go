package replies

import (
	"os"
	"reflect"
	"testing"
)

func corpus(t *testing.T) (Box, []Reply) {
	t.Helper()
	box, all, err := Read(os.DirFS("../testdata/replies"), "hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return box, append(all, Generate(all)...)
}

// The rule and the labels are made apart; they agree on every reply.
func TestIsProse_AgreesWithTheLabels(t *testing.T) {
	box, all := corpus(t)
	for i, r := range all {
		if got, want := IsProse(r.Raw, box.Sets[r.Tools]), r.Want.Class == ClassText; got != want {
			t.Errorf("line %d, %s: prose is %v, the label %q\n%s", i+1, r.Shape, got, r.Want.Class, r.Raw)
		}
	}
}

func TestIsProse(t *testing.T) {
	tools := []string{"read_file", "set_light"}
	for raw, prose := range map[string]bool{
		"":                                                          true,
		"The file is empty.":                                        true,
		"Try read_file(path=\"a\").":                                true,
		"read_file(path, offset)":                                   true,
		"> read_file(path=\"a\")":                                   true,
		"read_file(path=\"a\")":                                     false,
		"read_file(":                                                false,
		"Yes.\n\n[read_file(path='a":                                false,
		"```\nread_file(path='a')":                                  false,
		"{\"name\": \"Ada\", \"age\": 36}":                          true,
		"{\"name\": \"Ada\", \"arguments\": {}}":                    false,
		"So:\n{\"name\": \"Ada\", \"arguments\": {}}":               true,
		"So:\n{\"name\": \"read_file\", \"arguments\": {}}":         false,
		"<think>read_file(path='a')</think>\nNo.":                   true,
		"<think>No.</think>\nread_file(path='a')":                   false,
		"Now. <tool_call>{\"name\": \"set_light\"}":                 false,
		"```python\nopen_door(side=\"left\")\n```":                  true,
		"```tool_code\nopen_door(side=\"left\")\n```":               false,
		"open_door(side=\"left\")":                                  false,
		"open_door(side=\"left\") opens the left door.":             true,
		"set_light: {\"room\": \"hall\"}":                           false,
		"set_light: on":                                             true,
		"set_light":                                                 false,
		"I look. read_file{\"path\": \"a\"}":                        false,
		"I look. read_file\n{\"path\": \"a\"}":                      false,
		"I look at read_file {\"path\": \"a\"}":                     true,
		"I look. read_file {\"path\": \"a\"} is an example.":        true,
		"<think>a</think>read_file(path='a')</think>b":              false,
		"<think>a</think>No more.</think>b":                         true,
		"- `read_file`: reads a file\n- `set_light`: for the lamps": true,
	} {
		if got := IsProse(raw, tools); got != prose {
			t.Errorf("%q: prose is %v", raw, got)
		}
	}
}

// The corpus is what the issue asks for, and no label contradicts its tools.
func TestCorpus(t *testing.T) {
	box, all := corpus(t)
	shapes, seen := map[string]int{}, map[string]bool{}
	for i, r := range all {
		shapes[r.Shape]++
		if seen[r.Raw] {
			t.Errorf("line %d stands twice: %q", i+1, r.Raw)
		}
		seen[r.Raw] = true
		if len(box.Set(r.Tools)) == 0 {
			t.Errorf("line %d: no set %q", i+1, r.Tools)
		}
		if (r.Want.Class == ClassCall) != (len(r.Want.Calls) > 0) && r.Want.Class != ClassAsk {
			t.Errorf("line %d: %s with %d calls", i+1, r.Want.Class, len(r.Want.Calls))
		}
		for _, c := range r.Want.Calls {
			if !offered(box.Set(r.Tools), c.Name) {
				t.Errorf("line %d: %s is not in the set %s", i+1, c.Name, r.Tools)
			}
		}
	}
	_, hand, err := Read(os.DirFS("../testdata/replies"), "hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(hand) < 500 || len(all) < 2000 || len(shapes) < 80 {
		t.Errorf("%d replies by hand, %d of %d shapes with the generated ones", len(hand), len(all), len(shapes))
	}
	if again := Generate(hand); !reflect.DeepEqual(again, all[len(hand):]) {
		t.Error("the generator does not make the same replies twice")
	}
}

func offered(tools []Tool, name string) bool {
	for _, t := range tools {
		if t.Name == name {
			return true
		}
	}
	return false
}
