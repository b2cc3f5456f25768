package skills_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/tools"
)

// The complete example of the system whose tools and skills work here: a plugin for music, with a search that is built, lyrics
// that are a typed function, playing for those who run the group, a skill of all of them and a command of its own.

type song struct {
	ID, Name, Artist, Lyrics string
}

// library stands for the service that the plugin asks.
type library []song

func newLibrary() library {
	return library{
		{"1", "月亮代表我的心", "邓丽君", "你问我爱你有多深"},
		{"2", "城里的月光", "许美静", "每颗心上某一个地方"},
		{"3", "十五的月亮", "董文华", "十五的月亮照在家乡照在边关"},
		{"4", "月亮之上", "凤凰传奇", "我在仰望"},
		{"5", "晴天", "周杰伦", "故事的小黄花"},
	}
}

func (l library) search(keyword string, limit int) (lines []string) {
	for _, s := range l {
		if strings.Contains(s.Name, keyword) && len(lines) < limit {
			lines = append(lines, s.Name+" - "+s.Artist)
		}
	}
	return lines
}

func (l library) searchTool() (tools.Tool, error) {
	return tools.Build("search_music").
		Desc("搜索音乐").
		Param("keyword", "string", "搜索关键词", true).
		Param("limit", "number", "返回数量", false).
		Keyword("音乐", "歌", "听歌", "搜歌").Tag("音乐", "搜索").
		Capabilities(tools.Reads).Source("music").
		Run(func(_ context.Context, params map[string]any) (string, error) {
			limit := 5.0
			if n, ok := params["limit"].(float64); ok {
				limit = n
			}
			songs := l.search(params["keyword"].(string), int(limit))
			return fmt.Sprintf("%d: %s", len(songs), strings.Join(songs, "; ")), nil
		}).Tool()
}

type lyricsArgs struct {
	SongID string `json:"songId" jsonschema:"歌曲 ID"`
}

func (l library) lyricsTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "get_lyrics", Description: "获取指定歌曲的歌词", Keywords: []string{"歌词", "词"}, Capabilities: tools.Reads, Source: "music",
	}, func(_ context.Context, in lyricsArgs) (tools.Result, error) {
		for _, s := range l {
			if s.ID == in.SongID {
				return tools.Result{Text: s.Lyrics, Data: s}, nil
			}
		}
		return tools.Result{}, &tools.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: "there is no song " + in.SongID}
	})
}

func (l library) playTool() (tools.Tool, error) {
	return tools.Build("play_music").Desc("在群里播放音乐").Param("songId", "string", "歌曲 ID", true).
		Platform("telegram").Scope("group").Permission(tools.GroupAdmin).Capabilities(tools.Reads).Source("music").
		Run(func(_ context.Context, params map[string]any) (string, error) {
			return "playing " + params["songId"].(string), nil
		}).
		Tool()
}

// command is the command of old, "music <keyword:string>", which is a tool as well.
func (l library) command() (tools.Tool, error) {
	return tools.CommandTool("music <keyword:string>", func(_ context.Context, params map[string]any) (string, error) {
		return strings.Join(l.search(params["keyword"].(string), 3), "\n"), nil
	}).Desc("搜索音乐").Alias("音乐").Example("music 月亮").Capabilities(tools.Reads).Source("music").Tool()
}

// musicSkill declares the skill as a plugin would.
func musicSkill(t testing.TB) skills.Skill {
	t.Helper()
	l := newLibrary()
	search, err1 := l.searchTool()
	play, err2 := l.playTool()
	music, err3 := l.command()
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	return skills.Declare(skills.Skill{
		Name:        "music",
		Description: "音乐服务，支持搜索音乐和获取歌词",
		Conventions: "songId 是数字 ID。",
		Keywords:    []string{"音乐", "歌", "歌词", "听", "搜歌"},
		Tags:        []string{"music", "娱乐"},
		Source:      "music",
	}, search, l.lyricsTool(), play, music)
}

func inGroup(level tools.Level) tools.Caller {
	return tools.Caller{Principal: event.Principal{Platform: "telegram", Scope: "group", Level: level}}
}

func TestMusic_IsFound(t *testing.T) {
	music := musicSkill(t)
	all := append(skillsS1(t)[:2], music) // weather and news
	found := skills.Search(all, "我想听歌", 0)
	if diff := cmp.Diff([]hit{{"music", 3}}, hits(found)); diff != "" { // 歌, 听, and 听歌 of its search
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"search_music"}, namesOf(skills.Filter(music.Tools, "我想听歌", 0))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"音乐", "歌", "歌词", "听", "搜歌", "听歌", "词"}, music.Keywords); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"music", "娱乐", "音乐", "搜索"}, music.Tags); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("音乐服务，支持搜索音乐和获取歌词。songId 是数字 ID。", music.About()); diff != "" {
		t.Error(diff)
	}
}

// Whoever may not play is not offered it, and is refused all the same when the call is made.
func TestMusic_IsRefusedTwice(t *testing.T) {
	music := musicSkill(t)
	for _, c := range []struct {
		who     tools.Caller
		offered bool
		rule    policy.Rule
		verdict policy.Verdict
	}{
		{inGroup(tools.GroupAdmin), true, policy.RuleReads, policy.Allow},
		{inGroup(tools.Owner), true, policy.RuleReads, policy.Allow},
		{inGroup(tools.User), false, policy.RuleLevel, policy.Deny},
		{tools.Caller{Principal: event.Principal{Platform: "telegram", Scope: "private", Level: tools.Owner}}, false, policy.RuleScope, policy.Deny},
		{caller(tools.Owner), false, policy.RulePlatform, policy.Deny},
		{tools.Caller{}, false, policy.RulePlatform, policy.Deny},
	} {
		offered := namesOf(skills.Collect(c.who, []skills.Skill{music}, nil))
		if got := strings.Contains(strings.Join(offered, " "), "play_music"); got != c.offered || len(offered) < 3 {
			t.Errorf("%+v is offered %v", c.who.Principal, offered)
		}
		commands, _ := tools.NewCommands(music.Tools)
		tool, args, err := commands.Parse("/play_music 4")
		if err != nil {
			t.Fatal(err)
		}
		r := policy.Policy{}.Judge(t.Context(), policy.Call{Call: llm.Call{Name: tool.Name(), Args: args}, Tool: tool, Caller: c.who})
		if r.Rule != c.rule || r.Verdict != c.verdict {
			t.Errorf("%+v: %v by %s", c.who.Principal, r.Verdict, r.Rule)
		}
		if r.Verdict == policy.Deny && r.Refusal(tool.Name(), "").Code != event.CodePermissionDenied {
			t.Error(r.Refusal(tool.Name(), ""))
		}
	}
}

// A tool says the same whether a model calls it or a person does, without any model.
func TestMusic_BothFaces(t *testing.T) {
	music := musicSkill(t)
	commands, lost := tools.NewCommands(music.Tools)
	if lost != nil {
		t.Error(lost)
	}
	for _, c := range []struct{ line, name, args, want string }{
		{"/music 月亮", "music", `{"keyword":"月亮"}`, "月亮代表我的心 - 邓丽君\n十五的月亮 - 董文华\n月亮之上 - 凤凰传奇"},
		{"音乐 晴天", "music", `{"keyword":"晴天"}`, "晴天 - 周杰伦"},
		{"/search_music 月亮 limit=2", "search_music", `{"keyword":"月亮","limit":2}`, "2: 月亮代表我的心 - 邓丽君; 十五的月亮 - 董文华"},
		{"search_music “月亮”", "search_music", `{"keyword":"月亮"}`, "3: 月亮代表我的心 - 邓丽君; 十五的月亮 - 董文华; 月亮之上 - 凤凰传奇"},
		{"/get_lyrics 5", "get_lyrics", `{"songId":"5"}`, "故事的小黄花"},
	} {
		tool, args, err := commands.Parse(c.line)
		if err != nil || tool.Name() != c.name {
			t.Fatalf("%s: %v, %v", c.line, tool, err)
		}
		person, err := tools.Call(t.Context(), tool, args)
		if err != nil {
			t.Error(err)
		}
		model, err := tools.Call(t.Context(), tool, json.RawMessage(c.args))
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(model, person); diff != "" || person.Text != c.want {
			t.Errorf("%s: %q %s", c.line, person.Text, diff)
		}
	}
	if _, _, err := commands.Parse("/musik 月亮"); err == nil || err.(*tools.Error).Suggestion != "did you mean music?" {
		t.Errorf("%v", err)
	}
}

// Found by the skill and registered on its own, a tool is there once, and it is that of the skill.
func TestMusic_IsThereOnce(t *testing.T) {
	music := musicSkill(t)
	other := built(t, tools.Build("get_lyrics").Source("loose"))
	all := skills.Collect(inGroup(tools.GroupAdmin), []skills.Skill{music}, append([]tools.Tool{other}, music.Tools...))
	if diff := cmp.Diff([]string{"search_music", "get_lyrics", "play_music", "music"}, namesOf(all)); diff != "" {
		t.Error(diff)
	}
	for _, tool := range all {
		if tools.SourceOf(tool) != "music" {
			t.Errorf("%s of %s", tool.Name(), tools.SourceOf(tool))
		}
	}
	if again := skills.Declare(music, music.Tools...); len(again.Tools) != 4 || len(again.Keywords) != len(music.Keywords) {
		t.Error(namesOf(again.Tools), again.Keywords)
	}
}
