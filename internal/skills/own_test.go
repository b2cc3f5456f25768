package skills_test

import (
	"testing"

	"hob/internal/skills"
)

// A skill of hob's own has words of all that a list, a model and the matching of messages need.
func TestOwn(t *testing.T) {
	for _, name := range []string{"calendar", "files", "lists", "notes", "recall", "reminders", "system", "telegram", "web"} {
		if s := skills.Own(name); s.Name != name || s.Description == "" || len(s.Keywords) < 5 {
			t.Errorf("%+v", s)
		}
	}
}
