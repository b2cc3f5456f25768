package skills_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/skills"
	"hob/internal/tools"
)

func TestSearch(t *testing.T) {
	for _, c := range []struct {
		name, message string
		want          []hit
	}{
		{"skill-search-01", "今天天气怎么样", []hit{{"weather", 1}}},
		{"skill-search-02", "news", []hit{{"news", 0.8}}},
		{"skill-search-04", "天气和气温", []hit{{"weather", 2}}},
		{"skill-search-05", "weather", []hit{{"weather", 0.8}}},
		{"skill-search-07", "查询天气预报", []hit{{"weather", 1.35}}},
		{"skill-search-08", "获取", []hit{{"news", 0.2}}},
		{"in capital letters", " NEWS! ", []hit{{"news", 0.8}}},
		{"a tool's name", "call get_news", []hit{{"news", 1.2}}},
		{"what a tool is for", "请获取新闻", []hit{{"news", 1.1}}},
		{"several", "天气, 歌曲 and 音乐", []hit{{"music", 2}, {"weather", 1}}},
		{"equals in their order", "音乐 天气 新闻", []hit{{"weather", 1}, {"news", 1}, {"music", 1}}},
		{"nothing", "good morning", nil},
		{"no message", "", nil},
		{"a blank message", " \n\t\u3000", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, hits(skills.Search(skillsS1(t), c.message, 0))); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("skill-search-10", func(t *testing.T) {
		all := skillsS1(t)
		for i := range 4 {
			all = append(all, skills.Skill{Name: fmt.Sprint("more", i), Keywords: []string{"天气"}})
		}
		const several = "天气 weather 新闻"
		want := []hit{{"weather", 1.8}, {"news", 1}, {"more0", 1}, {"more1", 1}, {"more2", 1}, {"more3", 1}}
		for most, n := range map[int]int{1: 1, 0: 3, -1: 3, 5: 5, 100: 6} {
			if diff := cmp.Diff(want[:n], hits(skills.Search(all, several, most))); diff != "" {
				t.Errorf("at most %d: %s", most, diff)
			}
		}
	})
}

// What has no words of its own is not found by everything, as it would be where "" is in every text.
func TestSearch_Blanks(t *testing.T) {
	bare := skills.Skill{Tools: []tools.Tool{named(t, "x_y")}, Keywords: []string{"", " "}, Tags: []string{""}}
	if got := skills.Search([]skills.Skill{bare, {Description: "Ends. And begins?"}}, "hello", 0); len(got) != 0 {
		t.Errorf("found %v", hits(got))
	}
	if got := skills.Search([]skills.Skill{{Description: "Ends. And begins?"}}, "?", 0); len(got) != 0 {
		t.Errorf("a mark is about %v", hits(got))
	}
}

// The first ten letters of what a tool is for are enough; a name may have blanks for its hyphens.
func TestSearch_Parts(t *testing.T) {
	all := []skills.Skill{
		{Name: "house", Tools: []tools.Tool{built(t, tools.Build("sweep").Desc("一二三四五六七八九十不要"))}},
		{Name: "group-admin", Conventions: "Ids are numbers"},
	}
	for message, want := range map[string][]hit{
		"一二三四五六七八九十":                  {{"house", 0.1}},
		"the Group Admin is away":     {{"group-admin", 0.3}},
		"the group-admin's tea":       {{"group-admin", 0.3}},
		"ids are":                     {{"group-admin", 0.2}},
		"please: ids are numbers, ok": {{"group-admin", 0.15}},
	} {
		if diff := cmp.Diff(want, hits(skills.Search(all, message, 0))); diff != "" {
			t.Errorf("%s: %s", message, diff)
		}
	}
}

// Pairs of letters find what the words do not, and never add to what these find.
func TestSearch_Pairs(t *testing.T) {
	all := []skills.Skill{
		{Name: "group", Description: "群成员的管理", Tools: []tools.Tool{built(t, tools.Build("kick").Desc("踢出群成员"))}},
		{Name: "poems", Description: "朗读成员写的诗", Tags: []string{"诗歌"}},
		{Name: "japanese", Description: "カレンダーを開く"},
		{Name: "korean", Keywords: []string{"일정관리"}},
		{Name: "latin", Description: "日 and 本 apart, what can I do for you"},
	}
	for message, want := range map[string][]hit{
		"把那位成员请出去":     {{"group", 0.05}, {"poems", 0.05}},
		"看看群成员名单":      {{"group", 0.15}, {"poems", 0.05}},
		"成员, 成员, 成员":   {{"group", 0.05}, {"poems", 0.05}},
		"カレンダー":        {{"japanese", 0.2}}, // by the words
		"明日のカレンダーは？":   {{"japanese", 0.4}},
		"내 일정을 보여줘":    {{"korean", 0.1}},
		"有诗歌吗":         {{"poems", 0.5}}, // by the words
		"日本":           nil,
		"诗":            {{"poems", 0.2}}, // by the words
		"词":            nil,
		"who is there": nil,
	} {
		if diff := cmp.Diff(want, hits(skills.Search(all, message, 0))); diff != "" {
			t.Errorf("%s: %s", message, diff)
		}
	}
	chatty := []skills.Skill{{Name: "chatty", Description: "你好，什么都可以问"}}
	if got := skills.Search(chatty, "请问你可以做什么", 0); len(got) != 0 {
		t.Errorf("words that say nothing find %v", hits(got))
	}
}

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		name, message string
		level         tools.Level
		want          []hit
	}{
		{"tool-filter-01", "我想听歌", 0, []hit{{"search_music", 2}}},
		{"tool-filter-02", "歌词", 0, []hit{{"get_lyrics", 2.2}, {"search_music", 1}}},
		{"tool-filter-04", "move to the tavern", 0, []hit{{"move_player", 1.65}}},
		{"tool-filter-05", "查询城市天气", 0, []hit{{"get_weather", 0.35}}},
		{"tool-filter-07: hello", "hello", 0, nil},
		{"tool-filter-07: nothing", "", 0, nil},
		{"tool-filter-08: user", "踢人", tools.User, nil},
		{"tool-filter-08: group_admin", "踢人", tools.GroupAdmin, []hit{{"icqq_kick_member", 1}}},
		{"tool-filter-11: a letter of a name", "a", 0, nil},
		{"a part of a name", "the Weather?", 0, []hit{{"get_weather", 0.3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := skills.Collect(caller(c.level), nil, toolsS2(t))
			if diff := cmp.Diff(c.want, ranks(skills.Rank(all, c.message))); diff != "" {
				t.Error(diff)
			}
			var want []string
			for _, h := range c.want {
				want = append(want, h.Name)
			}
			if diff := cmp.Diff(want, namesOf(skills.Filter(all, c.message, 0))); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("tool-filter-10", func(t *testing.T) {
		var all []tools.Tool
		for i := range 12 {
			all = append(all, built(t, tools.Build(fmt.Sprint("t", i)).Keyword("rain")))
		}
		weak := built(t, tools.Build("sun").Desc("what the heaven looks like").Keyword("x"))
		if diff := cmp.Diff([]hit{{"sun", 0.2}}, ranks(skills.Rank([]tools.Tool{weak}, "heave"))); diff != "" {
			t.Error(diff)
		}
		if got := skills.Filter([]tools.Tool{weak}, "heave", 0); len(got) != 0 {
			t.Errorf("0.2 is enough for %v", namesOf(got))
		}
		if got := skills.Filter([]tools.Tool{weak}, "heaven", 0); len(got) != 1 { // 0.15 + 0.2
			t.Error("0.35 is not enough")
		}
		for most, n := range map[int]int{0: 8, 3: 3, 10: 10, 100: 12} {
			if diff := cmp.Diff(namesOf(all[:n]), namesOf(skills.Filter(all, "rain", most))); diff != "" {
				t.Errorf("at most %d: %s", most, diff)
			}
		}
		if got := skills.Rank(all, "rain"); len(got) != len(all) {
			t.Errorf("Rank cuts to %d", len(got))
		}
	})
	t.Run("tool-filter-11", func(t *testing.T) {
		all := []tools.Tool{built(t, tools.Build("x-y.z_long").Tag("q", "诗", "").Keyword("k", "", " ").Desc("i o u"))}
		for message, want := range map[string][]hit{
			"q x y z 诗 i o u": nil,
			"k":               {{"x-y.z_long", 1}}, // a keyword may be one letter: many Chinese words are
			"long":            {{"x-y.z_long", 0.3}},
		} {
			if diff := cmp.Diff(want, ranks(skills.Rank(all, message))); diff != "" {
				t.Errorf("%s: %s", message, diff)
			}
		}
	})
	t.Run("pairs are not enough", func(t *testing.T) {
		all := []tools.Tool{built(t, tools.Build("t").Desc("踢出所有的群成员"))}
		const message = "请让所有的群成员出去"
		if diff := cmp.Diff([]hit{{"t", 0.5}}, ranks(skills.Rank(all, message))); diff != "" {
			t.Error(diff)
		}
		if got := skills.Filter(all, message, 0); len(got) != 0 {
			t.Errorf("they are for %v", namesOf(got))
		}
	})
}

func TestFilter_UseSkill(t *testing.T) {
	closed := skillsS1(t)
	open := built(t, tools.Build(skills.UseSkill).Desc("Opens something."))
	all := append(toolsS2(t), open)
	for _, c := range []struct {
		name, message string
		all           []tools.Tool
		most          int
		want          []string
	}{
		{"tool-permission-10", "use the weather skill to move 歌", all, 0, []string{"use_skill", "move_player", "search_music", "get_weather"}},
		{"tool-permission-10: never dropped", "Music", all, 1, []string{"use_skill"}},
		{"tool-permission-10: once", "weather: what something opens", all, 0, []string{"use_skill", "get_weather"}},
		{"no skill is named", "move", all, 0, []string{"move_player"}},
		{"it does not exist", "weather", toolsS2(t), 0, []string{"get_weather"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, namesOf(skills.Filter(c.all, c.message, c.most, closed...))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := skills.Filter(all, "music weather news", 0); len(got) == 0 || got[0].Name() == skills.UseSkill {
		t.Errorf("%v: no skill is closed", namesOf(got))
	}
}

// A choice is within its bounds, sorted, without repetitions, and the same again.
func TestChoices(t *testing.T) {
	words := []string{"天气", "歌", "move", "Go", "群成员", "获取", "get_news", "?", " ", "x", "é", "\xff"}
	all, closed := toolsS2(t), skillsS1(t)
	rapid.Check(t, func(t *rapid.T) {
		message := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "message"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		most := rapid.IntRange(1, 5).Draw(t, "most")
		found := hits(skills.Search(closed, message, most))
		for i, h := range found {
			if len(found) > most || h.Score <= 0 || i > 0 && h.Score > found[i-1].Score {
				t.Fatalf("%q: %v", message, found)
			}
		}
		ranked := ranks(skills.Rank(all, message))
		for i, h := range ranked {
			if h.Score <= 0 || i > 0 && h.Score > ranked[i-1].Score {
				t.Fatalf("%q: %v", message, ranked)
			}
		}
		kept := namesOf(skills.Filter(all, message, most, closed...))
		seen := map[string]bool{}
		for _, name := range kept {
			if seen[name] || len(kept) > most {
				t.Fatalf("%q: %v", message, kept)
			}
			seen[name] = true
		}
		if diff := cmp.Diff(kept, namesOf(skills.Filter(all, message, most, closed...))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// crowd is 200 tools in 30 skills.
func crowd(t testing.TB) (all []skills.Skill) {
	subjects := []string{"天气", "新闻", "音乐", "mail", "calendar", "lights", "shopping", "家务", "notes", "trains"}
	for i := range 30 {
		subject := fmt.Sprint(subjects[i%10], i)
		s := skills.Skill{
			Name: fmt.Sprint("skill-", i), Description: "Everything about " + subject + "，包括查询、搜索和管理各种信息, and what belongs to it.",
			Keywords: []string{subject, subject + " list", "查" + subject}, Tags: []string{subject + "管理", "group" + subject},
		}
		for j := range 200/30 + min(1, max(0, 20-i)) {
			s.Tools = append(s.Tools, built(t, tools.Build(fmt.Sprintf("tool_%d_%d", i, j)).
				Desc("Reads, searches or changes one part of "+subject+" for somebody who asks for it: 查询和修改记录。").
				Keyword(subject, "查询"+subject, "找").Tag(subject, "管理")))
		}
		all = append(all, s)
	}
	return all
}

func BenchmarkMatch(b *testing.B) {
	all := crowd(b)
	who := caller(tools.Owner)
	loose := skills.Collect(who, all, nil)
	if len(loose) != 200 {
		b.Fatalf("%d tools", len(loose))
	}
	message := "Could you look up the trains29 to Bergen for tomorrow morning, and tell me 明天的天气0怎么样? I would like to leave around nine."
	for name, run := range map[string]func() int{
		"search": func() int { return len(skills.Search(all, message, 0)) },
		"pairs": func() int {
			return len(skills.Search(all, "请帮我看一看有没有和我们家有关的记录，然后修改一下各种信息的内容", 0))
		},
		"rank":    func() int { return len(skills.Rank(loose, message)) },
		"filter":  func() int { return len(skills.Filter(loose, message, 0, all...)) },
		"collect": func() int { return len(skills.Collect(who, all, loose)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if run() == 0 {
					b.Fatal("nothing was found")
				}
			}
		})
	}
}
