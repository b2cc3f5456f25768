package commands

import "testing"

// A line of the list says how a change is undone, where it can be; no name looks like that.
func TestListedChange(t *testing.T) {
	for want, c := range map[string]ListedChange{
		"made notes/tea.md; undo with /undo #41":                       {Number: 41, Did: "created", What: "notes/tea.md", Undo: true},
		"switched off tool fetch; undo with /undo #41":                 {Number: 41, Did: "switched off", What: "tool fetch", Undo: true},
		"deleted tea.md; takes back 41; undo with /undo #42":           {Number: 42, Did: "deleted", What: "tea.md", State: "takes back 41", Undo: true},
		"made tea.md; #41, taken back by 42":                           {Number: 41, Did: "created", What: "tea.md", State: "taken back by 42"},
		`changed "a; undo with /undo #3"; undo with /undo #41`:         {Number: 41, Did: "changed", What: "a; undo with /undo #3", Undo: true},
		"changed 3 paths: rm -r old; #41, can no longer be taken back": {Number: 41, Did: "changed", What: "3 paths: rm -r old", State: "can no longer be taken back"},
		"made tea.md; #41": {Number: 41, Did: "created", What: "tea.md"},
	} {
		if got := c.describe(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
