package tools_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/tools"
)

// toolFrom is a tool of a source.
func toolFrom(name, source string) tools.Tool {
	return toolThatSays(tools.Def{Name: name, Source: source})
}

func TestMerge(t *testing.T) {
	skill, loose := toolFrom("fetch", "skill:web"), toolFrom("fetch", "mcp:files")
	note, builtIn := toolFrom("note", ""), toolFrom("note", "")
	plain := toolPlain{name: "plain"} // two values of it cannot be compared
	for _, c := range []struct {
		name    string
		groups  [][]tools.Tool
		want    []tools.Tool
		dropped []string
	}{
		{"nothing", nil, nil, nil},
		{"tool-permission-08", [][]tools.Tool{{skill}, {note, skill}}, []tools.Tool{skill, note}, nil},
		{"the first group wins", [][]tools.Tool{{note}, {loose}, {skill, builtIn}}, []tools.Tool{note, loose},
			[]string{"fetch of skill:web gives way to fetch of mcp:files", "note of built-in gives way to note of built-in"}},
		{"the first of a group wins", [][]tools.Tool{{skill, loose}}, []tools.Tool{skill},
			[]string{"fetch of mcp:files gives way to fetch of skill:web"}},
		{"nil", [][]tools.Tool{{nil, note}, nil}, []tools.Tool{note}, nil},
		{"not to be compared", [][]tools.Tool{{plain}, {plain}}, []tools.Tool{plain}, []string{"plain of built-in gives way to plain of built-in"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, dropped := tools.Merge(c.groups...)
			same := cmp.Comparer(func(a, b tools.Tool) bool {
				return a.Name() == b.Name() && tools.SourceOf(a) == tools.SourceOf(b)
			})
			if diff := cmp.Diff(c.want, all, same); diff != "" {
				t.Error(diff)
			}
			var told []string
			for _, d := range dropped {
				told = append(told, d.String())
			}
			if diff := cmp.Diff(c.dropped, told); diff != "" {
				t.Error(diff)
			}
		})
	}
	if all, _ := tools.Merge([]tools.Tool{note}, []tools.Tool{builtIn}); len(all) != 1 || all[0] != note {
		t.Error("it is not the first that stays")
	}
}

// Whatever is merged, each name is there once, and each tool is kept, dropped or the same as one that is kept.
func TestMerge_LosesNothing(t *testing.T) {
	pool := []tools.Tool{toolFrom("a", "1"), toolFrom("a", "2"), toolFrom("b", "1"), toolFrom("c", "2"), toolFrom("c", "3")}
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(pool), 0, 5), 0, 4).Draw(t, "groups")
		all, dropped := tools.Merge(groups...)
		names := map[string]tools.Tool{}
		for _, tool := range all {
			if names[tool.Name()] != nil {
				t.Fatalf("%s is there twice", tool.Name())
			}
			names[tool.Name()] = tool
		}
		for _, group := range groups {
			for _, tool := range group {
				lost := false
				for _, d := range dropped {
					lost = lost || d.Tool == tool
				}
				if kept := names[tool.Name()] == tool; kept == lost {
					t.Fatalf("%s of %s: kept %v, dropped %v", tool.Name(), tools.SourceOf(tool), kept, lost)
				}
			}
		}
	})
}
