package skills_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// written is a skill or a tool as it stands in a file of testdata.
type written struct {
	Name        string
	Description string
	Keywords    []string
	Tags        []string
	Permission  string
	Tools       []written
}

func (w written) tool(t testing.TB) tools.Tool {
	t.Helper()
	level, err := event.ParseLevel(w.Permission)
	if err != nil {
		t.Fatal(err)
	}
	return built(t, tools.Build(w.Name).Desc(w.Description).Keyword(w.Keywords...).Tag(w.Tags...).Permission(level))
}

func (w written) skill(t testing.TB) skills.Skill {
	t.Helper()
	s := skills.Skill{Name: w.Name, Description: w.Description, Keywords: w.Keywords, Tags: w.Tags}
	for _, tool := range w.Tools {
		s.Tools = append(s.Tools, tool.tool(t))
	}
	return s
}

// built ends a builder whose tool does nothing.
func built(t testing.TB, b *tools.Builder) tools.Tool {
	t.Helper()
	tool, err := b.Run(func(context.Context, map[string]any) (string, error) { return "", nil }).Tool()
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func named(t testing.TB, name string) tools.Tool { return built(t, tools.Build(name)) }

func load(t testing.TB, name string) (file struct{ Skills, Tools []written }) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// skillsS1 are the skills weather, news and music.
func skillsS1(t testing.TB) (all []skills.Skill) {
	for _, w := range load(t, "s1.json").Skills {
		all = append(all, w.skill(t))
	}
	return all
}

// toolsS2 are tools with and without words of their own.
func toolsS2(t testing.TB) (all []tools.Tool) {
	for _, w := range load(t, "s2.json").Tools {
		all = append(all, w.tool(t))
	}
	return all
}

// caller is somebody of a level in a private chat on the machine.
func caller(level tools.Level) tools.Caller {
	return tools.Caller{Principal: event.Principal{Platform: "cli", Scope: "private", Level: level}}
}

// hit is a name and its score.
type hit struct {
	Name  string
	Score float64
}

func hits(found []skills.Scored) []hit {
	var list []hit
	for _, f := range found {
		list = append(list, hit{f.Skill.Name, f.Score})
	}
	return list
}

func ranks(ranked []skills.Ranked) []hit {
	var list []hit
	for _, r := range ranked {
		list = append(list, hit{r.Tool.Name(), r.Score})
	}
	return list
}

func namesOf(all []tools.Tool) []string {
	var list []string
	for _, t := range all {
		list = append(list, t.Name())
	}
	return list
}
