package skills_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/driver"
	"hob/internal/skills"
	"hob/internal/tools"
)

// leader leads and does nothing else.
type leader struct{ driver.Driver }

// TestOpens_ALeadByItsKeywordsAlone has no word of a chore open what takes the place of all else.
func TestOpens_ALeadByItsKeywordsAlone(t *testing.T) {
	saga := skills.Skill{Name: "saga", Description: "Run a story about the house", Keywords: []string{"play a story"}, Tags: []string{"game"}, Driver: leader{}}
	for _, name := range []string{"look", "rest"} {
		tool, err := tools.NewUntyped(tools.Def{Name: name, Description: "Look at what is there"}, nil, nothing)
		if err != nil {
			t.Fatal(err)
		}
		saga.Tools = append(saga.Tools, tool)
	}
	for words, want := range map[string]bool{
		"look up the rest of the page": false, "look": false, "which game is on tonight?": false, "Run a story about the house": false,
		"let us play a story": true, "saga, please": true,
	} {
		var got []string
		for _, s := range skills.Match([]skills.Skill{saga}, words) {
			got = append(got, s.Name)
			if len(s.Tools) != 2 {
				t.Errorf("%q opens it without its tools", words)
			}
		}
		if diff := cmp.Diff(map[bool][]string{true: {"saga"}, false: nil}[want], got); diff != "" {
			t.Errorf("%q: %s", words, diff)
		}
	}
}

func nothing(context.Context, map[string]any) (string, error) { return "", nil }
