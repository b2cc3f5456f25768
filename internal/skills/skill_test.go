package skills_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

func TestAbout(t *testing.T) {
	for _, c := range []struct{ name, description, conventions, want string }{
		{"skill-search-13", "群管理能力，包括踢人、禁言等", "用户和群使用数字 ID。", "群管理能力，包括踢人、禁言等。用户和群使用数字 ID。"},
		{"after a sentence", "Manages a group.", "Ids are numbers.", "Manages a group. Ids are numbers."},
		{"after none", "Manages a group", "Ids are numbers.", "Manages a group. Ids are numbers."},
		{"after a Chinese one", "群管理。", "用数字。", "群管理。用数字。"},
		{"no conventions", "Manages a group.\n", "", "Manages a group."},
		{"no description", "", "Ids are numbers.", "Ids are numbers."},
		{"nothing", "", " ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, skills.Skill{Description: c.description, Conventions: c.conventions}.About()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The example of what asked for skills: a skill takes its tools' words after its own.
func TestDeclare(t *testing.T) {
	search := built(t, tools.Build("search_music").Keyword("音乐", "Song").Tag("搜索"))
	lyrics := built(t, tools.Build("get_lyrics").Keyword("歌词", "词", "").Tag("音乐"))
	second := built(t, tools.Build("get_lyrics").Keyword("lost"))
	own := skills.Skill{
		Name: "music", Description: "音乐服务", Conventions: "c", Instructions: "i", Source: "s",
		Keywords: []string{"音乐", "song", "听"}, Tags: []string{"music"}, Tools: []tools.Tool{search},
	}
	got := skills.Declare(own, lyrics, search, second)
	want := own
	want.Keywords, want.Tags, want.Tools = []string{"音乐", "song", "听", "歌词", "词"}, []string{"music", "搜索", "音乐"}, []tools.Tool{search, lyrics}
	same := cmp.Comparer(func(a, b tools.Tool) bool { return a == b })
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Error(diff)
	}
	given := []string{"", "a", "b"}
	if got := skills.Declare(skills.Skill{Tags: given, Keywords: given}); len(got.Tags) != 2 || given[2] != "b" || given[0] != "" {
		t.Errorf("what was declared changed: %q", given)
	}
	if diff := cmp.Diff(got, skills.Declare(got), same); diff != "" {
		t.Errorf("declared again: %s", diff)
	}
}

// about lists a set: name and description of each skill.
func about(s *skills.Set) []string {
	var list []string
	for _, skill := range s.All() {
		list = append(list, skill.Name+": "+skill.About())
	}
	return list
}

func TestSet(t *testing.T) {
	t.Run("skill-search-11", func(t *testing.T) {
		var s skills.Set
		remove := s.Add(skills.Skill{Name: "news", Description: "1"})
		s.Add(skills.Skill{Name: "music", Description: "2"})
		if got, ok := s.ByName("news"); !ok || got.Description != "1" {
			t.Errorf("%v, %v", got, ok)
		}
		remove()
		remove()
		if _, ok := s.ByName("news"); ok {
			t.Error("it is still found")
		}
		if diff := cmp.Diff([]string{"music: 2"}, about(&s)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("skill-search-13", func(t *testing.T) {
		var s skills.Set
		s.Add(skills.Skill{Name: "group", Description: "A.", Conventions: "Old."})
		s.Add(skills.Skill{Name: "music"})
		s.Add(skills.Skill{Name: "group", Description: "A.", Conventions: "New."})
		if diff := cmp.Diff([]string{"group: A. New.", "music: "}, about(&s)); diff != "" {
			t.Error(diff)
		}
	})
	for name, later := range map[string]bool{"skill-search-14: the first goes first": false, "skill-search-14: the last goes first": true} {
		t.Run(name, func(t *testing.T) {
			var s skills.Set
			removes := []func(){s.Add(skills.Skill{Name: "x", Description: "1"}), s.Add(skills.Skill{Name: "x", Description: "2"})}
			if diff := cmp.Diff([]string{"x: 2"}, about(&s)); diff != "" {
				t.Error(diff)
			}
			if later {
				removes[1]()
			} else {
				removes[0]()
				if got, ok := s.ByName("x"); !ok || got.Description != "2" || len(s.All()) != 1 {
					t.Errorf("%v, %v of %v", got, ok, about(&s))
				}
				removes[1]()
			}
			if _, ok := s.ByName("x"); ok || len(s.All()) != 0 {
				t.Errorf("a ghost is left: %v", about(&s))
			}
			removes[0]()
		})
	}
	t.Run("many at once", func(t *testing.T) {
		var s skills.Set
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				remove := s.Add(skills.Skill{Name: string(rune('a' + i%5))})
				s.ByName("a")
				s.All()
				remove()
			})
		}
		wg.Wait()
		if got := about(&s); len(got) != 0 {
			t.Errorf("left: %v", got)
		}
	})
}

func TestCollect(t *testing.T) {
	from := func(name, source string) *tools.Builder { return tools.Build(name).Source(source) }
	telegram := skills.Skill{Name: "telegram", Tools: []tools.Tool{
		built(t, from("kick", "telegram").Platform("telegram").Scope("group").Permission(tools.GroupAdmin)),
		built(t, from("pin", "telegram").Platform("telegram", "irc")),
		built(t, from("fetch", "telegram")),
		built(t, from("secret", "telegram").Hidden()),
	}}
	irc := skills.Skill{Name: "irc", Tools: []tools.Tool{built(t, from("kick", "irc").Platform("irc")), nil}}
	loose := []tools.Tool{
		built(t, from("fetch", "loose")), built(t, from("kick", "loose")), built(t, from("secret", "loose")),
		built(t, from("serve", "loose").Permission(tools.Owner)), built(t, from("hush", "loose").Hidden()),
	}
	at := func(platform, scope string, level tools.Level) tools.Caller {
		return tools.Caller{Principal: event.Principal{Platform: platform, Scope: scope, Level: level}}
	}
	for _, c := range []struct {
		name string
		who  tools.Caller
		want []string
	}{
		{"tool-permission-08", at("cli", "private", tools.Owner), []string{"fetch of telegram", "kick of loose", "serve of loose"}},
		{"tool-filter-13", at("telegram", "group", tools.GroupAdmin), []string{"kick of telegram", "pin of telegram", "fetch of telegram"}},
		{"tool-filter-13: another platform", at("irc", "group", tools.GroupAdmin), []string{"pin of telegram", "fetch of telegram", "kick of irc"}},
		{"tool-filter-13: another scope", at("telegram", "channel", tools.Owner), []string{"pin of telegram", "fetch of telegram", "kick of loose", "serve of loose"}},
		{"a lower level does not see the loser instead", at("telegram", "group", tools.User), []string{"pin of telegram", "fetch of telegram"}},
		{"tool-filter-14", tools.Caller{}, []string{"fetch of telegram", "kick of loose"}}, // and of the lowest level
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, tool := range skills.Collect(c.who, []skills.Skill{telegram, irc}, loose) {
				got = append(got, tool.Name()+" of "+tools.SourceOf(tool))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if telegram.Tools[0].Name() != "kick" || irc.Tools[1] != nil || len(loose) != 5 || loose[4].Name() != "hush" {
		t.Error("what it was given has changed")
	}
}
