package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/tools"
)

// rows001 are those of tools and skills.
func rows001() []seedRow {
	return slices.Concat(rowsOfToolFields(), rowsOfSkills(), rowsOfPermissions(), rowsOfCommands())
}

// weather is the page's own tool, with more of its fields set by more.
func (w *seedWorld) weather(more func(*tools.Builder)) tools.Tool {
	w.Helper()
	b := tools.Build("get_weather").Desc("查询城市天气").
		Param("city", "string", "城市名称", true).
		Param("unit", "string", "温度单位(C/F)", false)
	if more != nil {
		more(b)
	}
	tool, err := b.Capabilities(tools.Reads).Run(func(_ context.Context, params map[string]any) (string, error) {
		return "sunny in " + params["city"].(string), nil
	}).Tool()
	if err != nil {
		w.Fatal(err)
	}
	return tool
}

// typedWeather is the same as a typed function.
func typedWeather() tools.Tool {
	type in struct {
		City string `json:"city" jsonschema:"城市名称"`
		Unit string `json:"unit,omitempty" jsonschema:"温度单位"`
	}
	return tools.New(tools.Def{Name: "get_weather", Description: "查询城市天气", Capabilities: tools.Reads}, func(_ context.Context, in in) (tools.Result, error) {
		return tools.Result{Text: "sunny in " + in.City}, nil
	})
}

// at is somebody on a platform, in a kind of chat, with rights.
func at(platform, scope string, level tools.Level) tools.Caller {
	return tools.Caller{Principal: event.Principal{Platform: platform, Scope: scope, Level: level}}
}

// namesIn are the names of tools.
func namesIn(all []tools.Tool) (names []string) {
	for _, t := range all {
		names = append(names, t.Name())
	}
	return names
}

// offered reports whether somebody is offered a tool.
func offered(t tools.Tool, who tools.Caller) bool {
	return len(skills.Collect(who, nil, []tools.Tool{t})) == 1
}

func rowsOfToolFields() []seedRow {
	return []seedRow{
		{46, "Tool: name, description, parameters, execute", func(w *seedWorld) {
			for _, tool := range []tools.Tool{w.weather(nil), typedWeather(), &seedSearch{}} {
				if raw, err := json.Marshal(tool.Parameters()); tool.Name() == "" || tool.Description() == "" || err != nil || !strings.Contains(string(raw), `"object"`) {
					w.Errorf("%s: %s, %v", tool.Name(), raw, err)
				}
			}
			for _, tool := range []tools.Tool{w.weather(nil), typedWeather()} {
				if res, err := tools.Call(w.Context(), tool, json.RawMessage(`{"city":"北京"}`)); res.Text != "sunny in 北京" || err != nil {
					w.Error(res.Text, err)
				}
			}
		}, ""},
		{47, "Tool: tags, keywords", func(w *seedWorld) {
			tool := w.weather(func(b *tools.Builder) { b.Tag("出行").Keyword("天气") })
			for message, score := range map[string]float64{"北京天气怎么样": 1, "出行": 0.5} {
				if got := skills.Rank([]tools.Tool{tool}, message); len(got) != 1 || got[0].Score < score {
					w.Errorf("%s: %v", message, got)
				}
			}
		}, ""},
		{48, "Tool: platforms, scopes, permissionLevel", func(w *seedWorld) {
			tool := w.weather(func(b *tools.Builder) { b.Platform("telegram").Scope("group").Permission(tools.GroupAdmin) })
			for who, want := range map[*tools.Caller]bool{
				new(at("telegram", "group", tools.GroupAdmin)): true, new(at("cli", "group", tools.GroupAdmin)): false,
				new(at("telegram", "private", tools.GroupAdmin)): false, new(at("telegram", "group", tools.User)): false,
			} {
				if offered(tool, *who) != want {
					w.Errorf("%+v is offered it: %t", who.Principal, !want)
				}
			}
		}, ""},
		{49, "Tool: hidden", func(w *seedWorld) {
			tool := w.weather(func(b *tools.Builder) { b.Hidden() })
			all, _ := tools.NewCommands([]tools.Tool{tool})
			if _, _, err := all.Parse("/get_weather 北京"); offered(tool, at("cli", "private", tools.Owner)) || err != nil {
				w.Error("a hidden tool is offered, or nobody can call it:", err)
			}
		}, ""},
		{50, "Tool: command, a pattern or false", func(w *seedWorld) {
			silent := tools.New(tools.Def{Name: "silent", Description: "It has no command.", Capabilities: tools.Reads, Command: tools.NoCommand},
				func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
			all, _ := tools.NewCommands([]tools.Tool{w.weather(func(b *tools.Builder) { b.Command("weather <city:string>") }), silent})
			tool, args, err := all.Parse("/weather 北京")
			if err != nil || string(args) != `{"city":"北京"}` {
				w.Fatal(string(args), err)
			}
			if res, err := tools.Call(w.Context(), tool, args); res.Text != "sunny in 北京" || err != nil {
				w.Error(res, err)
			}
			if _, _, err := all.Parse("/silent"); err == nil {
				w.Error("silent is a command")
			}
		}, ""},
		{51, "Tool: source", func(w *seedWorld) {
			if tool := w.weather(func(b *tools.Builder) { b.Source("weather-plugin") }); tools.SourceOf(tool) != "weather-plugin" {
				w.Error(tools.SourceOf(tool))
			}
			w.has(w.run("tool", "help", "read_file"), "built-in")
		}, ""},
		{52, "a name is unique", func(w *seedWorld) {
			r := tools.NewRegistry()
			if err := r.Register(w.weather(nil)); err != nil {
				w.Error(err)
			}
			if err := r.Register(typedWeather()); err == nil {
				w.Error("one name, two tools")
			}
		}, ""},
		{53, "the chained way: desc, param, platform, scope, permission, execute", func(w *seedWorld) {
			tool := w.weather(func(b *tools.Builder) { b.Platform("icqq").Scope("group").Permission(tools.User) })
			raw, err := json.Marshal(tool.Parameters())
			if err != nil || !offered(tool, at("icqq", "group", tools.User)) {
				w.Error(err)
			}
			w.has(string(raw), `"required":["city"]`, `"城市名称"`, `"unit"`)
		}, ""},
		{54, "the typed way", func(w *seedWorld) {
			raw, err := json.Marshal(typedWeather().Parameters())
			if err != nil {
				w.Error(err)
			}
			w.has(string(raw), `"required":["city"]`, `"城市名称"`, `"unit"`)
			if _, err := tools.Call(w.Context(), typedWeather(), json.RawMessage(`{"city":5}`)); err == nil {
				w.Error("a number is a city")
			}
		}, ""},
		{55, "addTool", func(w *seedWorld) {
			r := tools.NewRegistry()
			if err := r.Register(typedWeather()); err != nil || len(r.All()) != 1 {
				w.Error(err)
			}
			tested("internal/skills TestDocs")(w)
		}, ""},
	}
}

func rowsOfSkills() []seedRow {
	declared := func(w *seedWorld) skills.Skill {
		lyrics := tools.New(tools.Def{Name: "get_lyrics", Description: "获取指定歌曲的歌词", Keywords: []string{"歌词", "音乐"}, Tags: []string{"music"}, Capabilities: tools.Reads},
			func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
		return skills.Declare(skills.Skill{Name: "music", Description: "音乐服务", Conventions: "用户和群使用数字 ID", Keywords: []string{"音乐", "歌"}, Tags: []string{"music", "娱乐"}},
			lyrics, w.weather(func(b *tools.Builder) { b.Keyword("天气").Tag("出行") }))
	}
	return []seedRow{
		{56, "declareSkill takes the tools, and merges keywords and tags", func(w *seedWorld) {
			s := declared(w)
			if got := fmt.Sprint(namesIn(s.Tools), s.Keywords, s.Tags); got != "[get_lyrics get_weather] [音乐 歌 歌词 天气] [music 娱乐 出行]" {
				w.Error(got)
			}
		}, ""},
		{57, "a skill is registered for all, and found by its name", func(w *seedWorld) {
			var all skills.Set
			all.Add(declared(w))
			if s, ok := all.ByName("music"); !ok || len(s.Tools) != 2 {
				w.Error(s)
			}
			w.has(w.run("skill", "list"), "notes", "web", "gamemaster")
		}, ""},
		{58, "conventions stand behind the description, and are seen once the skill is picked", func(w *seedWorld) {
			if about := declared(w).About(); about != "音乐服务。用户和群使用数字 ID" {
				w.Error(about)
			}
			w.says("noted", "please take a note about the bins")
			w.has(string(w.requests()[0].Body), "[The skill notes is open.]")
		}, ""},
		{59, "a platform's skill: managing groups", tested("internal/skills/telegram TestKick", "internal/skills/telegram TestHowLongAMuteIs", "internal/skills/telegram TestPromoteAndDemote"), ""},
		{60, "Skill: name, description, tools, keywords, tags, source", func(w *seedWorld) {
			status, all := w.ask("GET", "/api/v1/skills?chat=main", nil)
			if status != 200 {
				w.Error(status)
			}
			w.has(all, `"name":"notes"`, `"description":"`, `"tools":[{`, `"keywords":[`, `"tags":[`, `"source":"built-in"`)
		}, ""},
		{61, "the first filter: a message opens a skill", func(w *seedWorld) {
			w.skill("tianqi", "metadata:\n  keywords: 天气\n", "Look out of the window.")
			w.says("sky", "今天北京天气怎么样")
			w.has(string(w.requests()[0].Body), "[The skill tianqi is open.]", "Look out of the window.")
			w.says("paris", "What is the capital of France?")
			w.has(string(w.requests()[0].Body), "! [The skill ")
		}, ""},
		{62, "the second filter: tools of the skill, by permission and by relevance", func(w *seedWorld) {
			s := declared(w)
			if got := namesIn(skills.Filter(s.Tools, "北京天气怎么样", 0)); !slices.Equal(got, []string{"get_weather"}) {
				w.Error(got)
			}
		}, "Tools are chosen by the message only where a model's limit leaves no room for all."},
	}
}

// tools are all that a hob has, those of its skills too.
func (w *seedWorld) tools() (all []tools.Tool) {
	have := newOffice(w.T, nowhereToAsk).SkillSources.Toolset(w.Context())
	all = slices.Clone(have.Tools)
	for _, s := range have.Skills {
		all = append(all, s.Tools...)
	}
	return all
}

func rowsOfPermissions() []seedRow {
	judged := func(w *seedWorld, name, args string, who tools.Caller) policy.Rule {
		all := w.tools()
		i := slices.IndexFunc(all, func(t tools.Tool) bool { return t.Name() == name })
		if i < 0 {
			w.Fatalf("there is no %s", name)
		}
		r := policy.Policy{}.Judge(w.Context(), policy.Call{Call: llm.Call{Name: name, Args: json.RawMessage(args)}, Tool: all[i], Caller: who})
		if r.Verdict != policy.Deny {
			return ""
		}
		return r.Rule
	}
	return []seedRow{
		{63, "levels: user, group_admin, group_owner, bot_admin, owner", func(w *seedWorld) {
			levels := []tools.Level{tools.User, tools.GroupAdmin, tools.GroupOwner, tools.BotAdmin, tools.Owner}
			for i, l := range levels {
				tool := w.weather(func(b *tools.Builder) { b.Permission(l) })
				for j, who := range levels {
					if offered(tool, at("cli", "private", who)) != (j >= i) {
						w.Errorf("a tool for %s and %s", l, who)
					}
				}
			}
			if got := fmt.Sprint(levels); got != "[user group_admin group_owner bot_admin owner]" {
				w.Error(got)
			}
		}, ""},
		{64, "layer 1: whoever may not is not offered it", func(w *seedWorld) {
			all := w.tools()
			for who, not := range map[*tools.Caller][]string{
				new(at("telegram", "private", tools.User)): {"write_file", "delete_file"},
				new(at("telegram", "group", tools.Owner)):  {"read_file", "list_files", "write_file"},
			} {
				for _, name := range namesIn(skills.Collect(*who, nil, all)) {
					if slices.Contains(not, name) {
						w.Errorf("%+v is offered %s", who.Principal, name)
					}
				}
			}
		}, ""},
		{65, "layer 2: it is refused again when it is called, and the context comes with the call", func(w *seedWorld) {
			if got := judged(w, "write_file", `{"path":"a","content":"b"}`, at("telegram", "private", tools.User)); got != policy.RuleLevel {
				w.Errorf("write_file: %q", got)
			}
			if got := judged(w, "read_file", `{"path":"a"}`, at("telegram", "group", tools.Owner)); got != policy.RuleScope {
				w.Errorf("read_file: %q", got)
			}
			var who tools.Caller
			tool := tools.New(tools.Def{Name: "who", Description: "Says who asks.", Capabilities: tools.Reads}, func(ctx context.Context, _ struct{}) (tools.Result, error) {
				who = tools.CallerFrom(ctx)
				return tools.Result{}, nil
			})
			if _, err := tools.Call(tools.WithCaller(w.Context(), tools.Caller{User: "ana"}), tool, json.RawMessage(`{}`)); err != nil || who.User != "ana" {
				w.Error(who, err)
			}
			tested("internal/skills/telegram TestTheLevelIsCheckedAgain")(w)
		}, ""},
		{66, "without a level it is the lowest", func(w *seedWorld) {
			if !offered(w.weather(nil), tools.Caller{}) || offered(w.weather(func(b *tools.Builder) { b.Permission(tools.GroupAdmin) }), tools.Caller{}) {
				w.Error("no level is not the lowest")
			}
		}, ""},
	}
}

func rowsOfCommands() []seedRow {
	return []seedRow{
		{67, "a tool as a command", func(w *seedWorld) {
			w.run("tool", "write_file", "path=seeds/a.txt", "content=x")
			w.has(w.run("tool", "list_files", "seeds"), "a.txt")
			w.has(w.says("commands", "/list_files seeds"), "a.txt", `"reply":"`)
			if pattern, ok := tools.CommandOf(typedWeather()); !ok || pattern != "get_weather <city:string> [unit:string]" {
				w.Error(pattern)
			}
		}, ""},
		{68, "a command as a tool", func(w *seedWorld) {
			tool, err := tools.CommandTool("music <keyword:string>", func(_ context.Context, params map[string]any) (string, error) {
				return "playing " + params["keyword"].(string), nil
			}).Desc("搜索音乐").Capabilities(tools.Reads).Tool()
			if err != nil {
				w.Fatal(err)
			}
			raw, err := json.Marshal(tool.Parameters())
			if err != nil {
				w.Error(err)
			}
			w.has(string(raw), `"keyword":{`, `"required":["keyword"]`)
			if res, err := tools.Call(w.Context(), tool, json.RawMessage(`{"keyword":"月亮"}`)); res.Text != "playing 月亮" || err != nil {
				w.Error(res.Text, err)
			}
		}, ""},
		{69, "each name once, and the skill's first", func(w *seedWorld) {
			mine := w.weather(nil)
			all := skills.Collect(at("cli", "private", tools.Owner), []skills.Skill{{Name: "sky", Tools: []tools.Tool{mine}}}, []tools.Tool{typedWeather(), &seedSearch{}})
			if len(all) != 2 || all[0] != mine {
				w.Error(namesIn(all))
			}
		}, ""},
		{70, "matching Chinese", func(w *seedWorld) {
			groups := skills.Skill{Name: "group", Description: "群管理能力", Keywords: []string{"群管理", "踢人", "禁言"}}
			sky := skills.Skill{Name: "sky", Description: "天气", Tools: []tools.Tool{w.weather(func(b *tools.Builder) { b.Keyword("天气") })}, Keywords: []string{"天气"}}
			for message, want := range map[string]string{"帮我踢人": "group", "今天天气怎么样": "sky"} {
				if found := skills.Search([]skills.Skill{groups, sky}, message, 0); len(found) != 1 || found[0].Skill.Name != want {
					w.Errorf("%s: %v", message, found)
				}
			}
			if found := skills.Rank([]tools.Tool{w.weather(nil)}, "查一下北京天气"); len(found) != 1 { // it shares pairs of letters
				w.Error(found)
			}
		}, ""},
		{71, "the music example of the page", tested("internal/skills TestMusic_IsFound", "internal/skills TestMusic_IsRefusedTwice", "internal/skills TestMusic_BothFaces"), ""},
	}
}
