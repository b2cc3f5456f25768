package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/skills/gamemaster"
	"hob/internal/tools"
)

var update = flag.Bool("update", false, "accept the lists of tools and skills")

// ability is a tool, and who may call it where.
type ability struct{ tool, skill, level, where string }

// TestLists holds the one list of all tools and skills, testdata/tools.golden, and the two tables of the documentation that are
// made of it: who may call what in docs/safety.md, the skills in docs/skills.md. -update writes the list and the first table.
func TestLists(t *testing.T) {
	needsWalls(t) // or there is no run_command
	all, names := abilitiesOfAll(t)
	var list strings.Builder
	for _, a := range all {
		fmt.Fprintf(&list, "%-12s %-18s %-12s %s\n", a.skill, a.tool, a.level, a.where)
	}
	golden(t, filepath.Join("testdata", "tools.golden"), func(string) string { return list.String() })
	golden(t, filepath.Join("..", "..", "docs", "safety.md"), func(page string) string {
		head := "| tools | least level | where |\n|---|---|---|\n"
		before, rest, _ := strings.Cut(page, head)
		_, after, found := strings.Cut(rest, "| those of the game, ")
		if !found {
			t.Fatal("docs/safety.md has no table of the tools")
		}
		return before + head + tableOf(all) + "| those of the game, " + after
	})
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "skills.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| comes with hob | |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var told []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1) {
		told = append(told, m[1])
	}
	slices.Sort(told)
	if diff := cmp.Diff(names, told); diff != "" {
		t.Errorf("docs/skills.md has another list of the skills: write it by hand, a row for each (-code +page):\n%s", diff)
	}
}

// abilitiesOfAll returns all tools that hob can have, skill after skill, and the names of the skills that come with it, sorted.
func abilitiesOfAll(t *testing.T) (all []ability, names []string) {
	t.Helper()
	o := newOffice(t, nowhereToAsk, "[web]\nsearch = 'http://127.0.0.1:1'\n")
	o.SkillSources.AddGroupSkill(nil)
	have := o.SkillSources.Toolset(t.Context())
	seen := map[string]bool{}
	add := func(s skills.Skill) {
		for _, tool := range s.Tools {
			d := tools.DefOf(tool)
			if !seen[d.Name] {
				all = append(all, ability{d.Name, s.Name, levelName(max(s.Level, d.Level)), whereOf(append(s.Platforms, d.Platforms...), append(s.Scopes, d.Scopes...))})
			}
			seen[d.Name] = true
		}
	}
	add(skills.Skill{Name: "-", Tools: have.Tools})
	for _, s := range have.Skills {
		add(s)
		names = append(names, s.Name)
	}
	for _, s := range have.ShortSkills { // their tools are others' already
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return all, names
}

// levelName is a level as the documentation has it.
func levelName(l event.Level) string { return strings.ReplaceAll(l.String(), "_", " ") }

// whereOf says in words where a tool is.
func whereOf(platforms, scopes []string) string {
	where := "everywhere"
	switch {
	case slices.Contains(scopes, "group"):
		where = "in groups"
	case len(scopes) > 0:
		where = "in private chats"
	}
	if slices.Contains(platforms, "telegram") {
		where += " on Telegram"
	}
	return where
}

// tableOf is a table of the tools: who may call them where. The game's are left out.
func tableOf(all []ability) string {
	var rows, heads []string
	for _, a := range all {
		if a.skill == gamemaster.Name {
			continue
		}
		head := fmt.Sprintf(" | %s | %s |", a.level, a.where)
		i := slices.Index(heads, head)
		if i < 0 {
			heads, rows = append(heads, head), append(rows, "| `"+a.tool+"`")
		} else {
			rows[i] += ", `" + a.tool + "`"
		}
	}
	for i := range rows {
		rows[i] += heads[i] + "\n"
	}
	return strings.Join(rows, "")
}

// golden compares a file with what it should be, which may depend on what it is; with -update it writes that.
func golden(t *testing.T, path string, should func(is string) string) {
	t.Helper()
	is, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := should(string(is))
	if *update && want != string(is) {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(is)); diff != "" {
		t.Errorf("%s lacks what - has, and has what + has; -update writes it anew:\n%s", filepath.Base(path), diff)
	}
}
