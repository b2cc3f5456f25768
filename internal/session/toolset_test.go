package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// crowd is 30 skills with 200 tools.
func crowd(did map[string]int) (all []skills.Skill) {
	for i := range 30 {
		s := skills.Skill{Name: fmt.Sprintf("skill-%02d", i), Keywords: []string{fmt.Sprintf("topic%02d", i)},
			Description: fmt.Sprintf("Does what has to do with topic number %d, which is described at some length, and with all that belongs to it", i)}
		for k := range 7 {
			if i*7+k < 200 {
				s.Tools = append(s.Tools, doesWith(tools.Def{Name: fmt.Sprintf("tool_%02d_%d", i, k), Capabilities: tools.Reads,
					Description: fmt.Sprintf("Does the part number %d of topic %d, as it is described in its manual.", k, i)}, did))
			}
		}
		all = append(all, s)
	}
	return all
}

// Two hundred tools in thirty skills leave the prompt short and the list as it is.
func TestAPromptWithManyTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		script := llm.NewScript(llm.Say("well"), llm.Say("well"), llm.Say("well"),
			llm.Do(llm.CallOf(1, "call_tool", map[string]any{"name": "tool_28_3"})),
			llm.Say("well"), llm.Say("well"))
		h := skilled(t, storetest.NewMemory(time.Now), script, crowd(did))
		for i, text := range []string{"hello", "how are you", "topic07 please", "and number 28", "and now"} {
			h.watch(h.submit(fmt.Sprint(i), text), false)
		}
		r := script.Requests()
		if n := len(head(t, r[0])); n > 6000 {
			t.Errorf("a prompt of %d bytes stands before the conversation", n)
		}
		for _, pair := range [][2]int{{0, 1}, {2, 3}, {3, 4}, {4, 5}} {
			if head(t, r[pair[0]]) != head(t, r[pair[1]]) {
				t.Errorf("requests %v begin differently: %v, %v", pair, listed(r[pair[0]]), listed(r[pair[1]]))
			}
		}
		if len(r[2].Tools) != len(usual)+7 || did["tool_28_3"] != 1 {
			t.Errorf("told of %v, did %v", listed(r[2]), did)
		}
	})
}

// Whatever happens in a chat: as long as nothing is opened, closed or forgotten between two
// requests, the second begins with the first, byte for byte. What was opened only adds to the end
// of the list.
func TestPromptsGrowWithSkills(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		acts := rapid.SliceOfN(rapid.SampledFrom([]string{"plain", "music", "rain", "both", "use", "find", "join", "command", "open", "close", "restart"}), 1, 12).Draw(rt, "acts")
		var problem string
		synctest.Test(t, func(t *testing.T) { problem = prompts(t, acts) })
		if problem != "" {
			rt.Fatal(problem)
		}
	})
}

// prompts plays what people do and says what is wrong with the requests that come of it.
func prompts(t *testing.T, acts []string) string {
	did, memory := map[string]int{}, storetest.NewMemory(time.Now)
	var h *house
	var requests []llm.Request
	var marks []string // what was open, at each request
	n, next, join := 0, "", ""
	replies := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
		requests = append(requests, r)
		_, open, err := h.Skills(ctx, "main", owner)
		if err != nil {
			t.Error(err)
		}
		mark := ""
		for _, o := range open {
			mark += o.Skill + " "
		}
		marks = append(marks, mark)
		do := next
		next = ""
		n++
		if join != "" {
			h.submit(fmt.Sprint("join", n), join)
			join = ""
			return llm.Do(call(1000+n, "look", fmt.Sprint(n)))(ctx, r, d)
		}
		switch do {
		case "use":
			return llm.Do(llm.CallOf(n, "use_skill", map[string]string{"name": "weather"}))(ctx, r, d)
		case "find":
			return llm.Do(llm.CallOf(n, "find_tool", map[string]string{"query": "song"}),
				llm.CallOf(1000+n, "call_tool", map[string]any{"name": "song_text"}))(ctx, r, d)
		}
		return llm.Say("well")(ctx, r, d)
	})
	all := []skills.Skill{music(did), weather(did)}
	h = skilled(t, memory, replies, all)
	for i, act := range acts {
		id, texts := fmt.Sprint(i), map[string]string{"music": "a song", "rain": "is there rain",
			"both": "a song about rain", "join": "hello"}
		switch act {
		case "command":
			h.watch(h.command(id, "/look rain"), false)
			continue
		case "open":
			if err := h.OpenSkill(t.Context(), h.request("music")); err != nil {
				t.Error(err)
			}
			continue
		case "close":
			_ = h.CloseSkill(t.Context(), h.request("music")) // which may be closed
			continue
		case "restart":
			h.Close()
			h = skilled(t, memory, replies, all)
			continue
		case "use", "find":
			next = act
		case "join":
			join = "besides, a song"
		}
		text := texts[act]
		if text == "" {
			text = "go on"
		}
		h.watch(h.submit(id, text), false)
	}
	h.Close()
	legal(t, requests)
	for i := 1; i < len(requests); i++ {
		a, b := requests[i-1], requests[i]
		if !cmp.Equal(a.Messages, b.Messages[:min(len(a.Messages), len(b.Messages))]) {
			return fmt.Sprintf("the messages of request %d do not begin with those before: %s", i,
				cmp.Diff(a.Messages, b.Messages))
		}
		one, _ := json.Marshal(a.Tools)
		two, _ := json.Marshal(b.Tools)
		switch {
		case a.System != b.System:
			return "the system text has changed"
		case marks[i] == marks[i-1] && string(one) != string(two):
			return fmt.Sprintf("nothing was opened, and the list has changed from %v to %v", listed(a), listed(b))
		case strings.HasPrefix(marks[i], marks[i-1]) && !slices.Equal(listed(a), listed(b)[:len(a.Tools)]):
			return fmt.Sprintf("the list does not begin as before: %v, %v", listed(a), listed(b))
		}
	}
	return ""
}

// Where tools of one name meet, it is one tool for all who speak in a chat; what does not work
// there is in nobody's way.
func TestToolsOfOneName(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*skills.Skill)
		as     event.Level
		want   string // "" is none
	}{
		"a skill's wins":               {func(*skills.Skill) {}, event.Owner, "skill"},
		"elsewhere it does not":        {func(s *skills.Skill) { s.Platforms = []string{"telegram"} }, event.Owner, "loose"},
		"nor where it does not work":   {func(s *skills.Skill) { s.Scopes = []string{"group"} }, event.Owner, "loose"},
		"who may not use it has none":  {func(s *skills.Skill) { s.Level = event.BotAdmin }, event.User, ""},
		"who may use it has the skill": {func(s *skills.Skill) { s.Level = event.BotAdmin }, event.BotAdmin, "skill"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				says := func(text string) tools.Tool {
					return tools.New(tools.Def{Name: "twin", Description: "twin", Capabilities: tools.Reads},
						func(context.Context, struct{}) (tools.Result, error) { return tools.Result{Text: text}, nil })
				}
				s := skills.Skill{Name: "twins", Description: "Twins", Tools: []tools.Tool{says("skill")}}
				c.change(&s)
				script := llm.NewScript(llm.Do(plain(1, "twin")), llm.Say("well"))
				h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{s}, says("loose"))
				as := event.Principal{Platform: "cli", Scope: "private", Level: c.as}
				seq, err := h.Submit(t.Context(),
					session.Input{Chat: "main", ID: "1", From: "ana", Text: "hello", Principal: as})
				if err != nil {
					t.Fatal(err)
				}
				r := of[event.Returned](h.watch(seq, false))
				if len(r) != 1 || r[0].OK != (c.want != "") || r[0].OK && r[0].Text != c.want ||
					!r[0].OK && r[0].Rule != "level" {
					t.Errorf("%+v", r)
				}
				if got := replyOf(h.watch(h.commandAs("2", "/twin", as), false)).Text; c.want != "" && got != c.want ||
					c.want == "" && !strings.Contains(got, "need more rights") {
					t.Errorf("as a command it says %q", got)
				}
			})
		})
	}
}

// A tool that somebody has grouped in a skill stays with those that are always told of.
func TestAToolOfASkillThatIsThereAnyway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(says(1)...)
		h := skilledWith(t, storetest.NewMemory(time.Now), script, nil, nil, func(cfg *session.Config, _ *session.Settings) {
			kit := cfg.Toolset(t.Context())
			kit.Skills = []skills.Skill{{Name: "files", Description: "Files", Keywords: []string{"file"},
				Level: event.Owner, Tools: []tools.Tool{kit.Tools[0], nil}}}
			kit.Tools = append(kit.Tools, nil)
			cfg.Toolset = func(context.Context) session.Toolset { return kit }
		})
		h.watch(h.submit("1", "a file"), false)
		if r := script.Requests()[0]; !cmp.Equal(usual, listed(r)) ||
			!strings.Contains(lastWords(r), "in your list: look.") {
			t.Errorf("%v\n%s", listed(r), lastWords(r))
		}
	})
}

// A model that is told of fewer tools than the one before it is told of the most needed, and may call the others.
func TestAnotherModelWithFewerTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		most := 0
		script := llm.NewScript(llm.Say("well"), llm.Do(plain(1, "song_text")), llm.Say("well"))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(map[string]int{})}, nil, func(cfg *session.Config, set *session.Settings) {
			own := *set
			cfg.Settings = func(context.Context) session.Settings {
				own.Profile.MaxTools = most
				return own
			}
		})
		h.watch(h.submit("1", "a song"), false)
		most = 4
		r := of[event.Returned](h.watch(h.submit("2", "and now"), false))
		if got := listed(script.Requests()[1]); !cmp.Equal(got, []string{"call_tool", "find_tool", "use_skill", "play_song"}) || len(r) != 1 || !r[0].OK {
			t.Errorf("told of %v, %+v", got, r)
		}
	})
}

// Where one message opens two skills and there is room for the tools of the better one alone, the text of the other says what
// the list has, and how its tools are called all the same.
func TestTwoSkillsAndRoomForOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		script := llm.NewScript(says(1)...)
		sky := weather(did)
		sky.Tools = append(sky.Tools, does("wind", tools.Reads, did))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(did), sky}, nil, func(_ *session.Config, set *session.Settings) {
			set.Profile.MaxTools = 6
		})
		h.watch(h.submit("1", "a rain song in the rain: which song of the music?"), false)
		r := script.Requests()[0]
		if got := listed(r); !slices.Contains(got, "play_song") || slices.Contains(got, "forecast") {
			t.Fatalf("the list has %v: want the tools of music alone", got)
		}
		for _, want := range []string{"Its tools in your list: play_song, song_text.", "It also has the tools forecast, wind"} {
			if !strings.Contains(lastWords(r), want) {
				t.Errorf("the model does not read %q in\n%s", want, lastWords(r))
			}
		}
	})
}
