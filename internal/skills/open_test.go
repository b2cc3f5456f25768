package skills_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

func TestOpen(t *testing.T) {
	works := []tools.Tool{named(t, "works")}
	above := []tools.Tool{built(t, tools.Build("above").Permission(event.Owner))}
	in := func(platform, scope string, level event.Level) tools.Caller {
		return tools.Caller{Principal: event.Principal{Platform: platform, Scope: scope, Level: level}}
	}
	for name, c := range map[string]struct {
		skill  skills.Skill
		caller tools.Caller
		want   bool
	}{
		"with tools":              {skills.Skill{Tools: works}, in("cli", "private", event.User), true},
		"with words":              {skills.Skill{Instructions: "do it"}, in("cli", "private", event.User), true},
		"with a server":           {skills.Skill{Begin: func(context.Context) (skills.Skill, error) { return skills.Skill{}, nil }}, in("", "", event.User), true},
		"with nothing":            {skills.Skill{Instructions: " \n"}, in("cli", "private", event.Owner), false},
		"with tools of others":    {skills.Skill{Tools: above}, in("cli", "private", event.BotAdmin), false},
		"on its platform":         {skills.Skill{Tools: works, Platforms: []string{"http", "cli"}}, in("cli", "private", event.User), true},
		"on another platform":     {skills.Skill{Tools: works, Platforms: []string{"http"}}, in("cli", "private", event.Owner), false},
		"on no platform":          {skills.Skill{Tools: works, Platforms: []string{"http"}}, in("", "", event.Owner), false},
		"in another scope":        {skills.Skill{Tools: works, Scopes: []string{"group"}}, in("cli", "private", event.Owner), false},
		"at its level":            {skills.Skill{Tools: works, Level: event.GroupOwner}, in("cli", "private", event.GroupOwner), true},
		"below its level":         {skills.Skill{Tools: works, Level: event.GroupOwner}, in("cli", "private", event.GroupAdmin), false},
		"of nobody in particular": {skills.Skill{Tools: works, Level: event.GroupAdmin}, tools.Caller{}, false},
	} {
		if got := c.skill.IsAvailable(c.caller); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// However many skills there are and whatever they say, the index is short, has a line each or their names, and is valid text.
func TestIndex(t *testing.T) {
	if got := skills.Index(nil); got != "" {
		t.Errorf("of none it says %q", got)
	}
	two := []skills.Skill{{Name: "a", Description: "One\n  line.\n- b: forged"}, {Name: "notes", Description: strings.Repeat("word ", 40)}}
	want := "- a: One line. - b: forged\n- notes: " + strings.TrimSpace(strings.Repeat("word ", 17)) + "…\n"
	if diff := cmp.Diff(want, skills.Index(two)); diff != "" {
		t.Error(diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []skills.Skill
		n := rapid.IntRange(1, 300).Draw(t, "skills")
		for i := range n {
			about := strings.Repeat(rapid.SampledFrom([]string{"word ", "天气", "é", " ", ""}).Draw(t, "about"), rapid.IntRange(0, 60).Draw(t, "length"))
			all = append(all, skills.Skill{Name: fmt.Sprintf("skill-%d-%s", i, strings.Repeat("x", i%50)), Description: about})
		}
		text := skills.Index(all)
		if len(text) > 2100 || !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") || !strings.Contains(text, "skill-0-") {
			t.Fatalf("%d skills: %d bytes: %s", n, len(text), text)
		}
		if lines := strings.Count(text, "\n"); lines != n && lines != 1 {
			t.Fatalf("%d skills have %d lines", n, lines)
		}
	})
}

func TestChoose(t *testing.T) {
	all := []tools.Tool{named(t, "boil_water"), built(t, tools.Build("secret").Hidden()), named(t, "fry_egg"), named(t, "bake_bread")}
	for _, c := range []struct {
		message string
		room    int
		want    []string
	}{
		{"fry an egg", -1, nil}, {"fry an egg", 0, nil}, {"fry an egg", 1, []string{"fry_egg"}}, {"nothing of it", 2, []string{"boil_water", "fry_egg"}},
		{"bread", 2, []string{"boil_water", "bake_bread"}}, {"", 3, []string{"boil_water", "fry_egg", "bake_bread"}}, {"bread", 9, []string{"boil_water", "fry_egg", "bake_bread"}},
	} {
		if diff := cmp.Diff(c.want, namesOf(skills.Choose(all, c.message, c.room))); diff != "" {
			t.Errorf("%q, room for %d: %s", c.message, c.room, diff)
		}
	}
	if len(all) != 4 || all[1].Name() != "secret" {
		t.Error("the list was changed")
	}
}

type leaves []string

func (l leaves) Names() []string                              { return l }
func (l leaves) Read(context.Context, string) (string, error) { return "", nil }

func TestTold(t *testing.T) {
	s := skills.Skill{Name: "kitchen", Description: "Cooks", Conventions: "Grams.", Instructions: "\nWash your hands.\n", Pages: leaves{"a.md", "b.md"},
		Tools: []tools.Tool{named(t, "boil_water"), built(t, tools.Build("secret").Hidden()), named(t, "fry_egg")}}
	want := `[The skill kitchen is open.]
Cooks. Grams.

Wash your hands.

It also has the tools boil_water: find_tool says how they are called.

It has the pages a.md, b.md: use_skill with page reads one.

Its tools in your list: fry_egg.
[End of the skill kitchen.]`
	twice := s
	twice.Instructions = "Read a.md first."
	if strings.Contains(twice.Prompt(nil, true), "the pages") {
		t.Error("pages are named twice")
	}
	if diff := cmp.Diff(want, s.Prompt([]string{"fry_egg"}, true)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("[The skill bare is open.]\n[End of the skill bare.]", skills.Skill{Name: "bare", Pages: leaves{}}.Prompt(nil, true)); diff != "" {
		t.Error(diff)
	}
}

type leading struct{ driver.Driver }

// TestLeadsAreBrief looks that a skill that leads chats stands in no chore's prompt, and that its own does not list its tools.
func TestLeadsAreBrief(t *testing.T) {
	s := skills.Skill{Name: "master", Description: "Runs stories.", Instructions: "Play.", Driver: leading{}}
	other := skills.Skill{Name: "cook", Description: "Cooks."}
	if got := skills.Index([]skills.Skill{s, other}); got != "- cook: Cooks.\n" {
		t.Errorf("the index is %q", got)
	}
	if got := skills.Index([]skills.Skill{s}); got != "" {
		t.Errorf("the index of a lead alone is %q", got)
	}
	if got, want := s.Prompt([]string{"roll"}, true), "[The skill master is open.]\nRuns stories.\n\nPlay.\n[End of the skill master.]"; got != want {
		t.Errorf("told: %q", got)
	}
}
