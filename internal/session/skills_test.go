package session_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// skilled is a house with skills.
func skilled(t *testing.T, journal session.Journal, model llm.Model, all []skills.Skill, more ...tools.Tool) *house {
	return skilledWith(t, journal, model, all, more, func(*session.Config, *session.Settings) {})
}

// skilledWith is skilled with a configuration of its own.
func skilledWith(t *testing.T, journal session.Journal, model llm.Model, all []skills.Skill, more []tools.Tool,
	change func(*session.Config, *session.Settings)) *house {
	t.Helper()
	h := &house{t: t, journal: journal, did: map[string]int{}}
	kit := session.Toolset{Tools: append(h.tools(), more...), AlwaysListed: 3, Skills: all}
	budget := agent.Budget{Steps: 20, Calls: 20, Time: time.Hour, Output: 10_000}
	set := session.Settings{Budget: budget, Options: llm.Options{NumPredict: 500},
		Window: window.Window{Size: 1 << 16, Reserve: 500}}
	cfg := session.Config{
		Journal: journal, Model: model, Toolset: func(context.Context) session.Toolset { return kit }, Now: h.now,
		Log: slog.New(slog.DiscardHandler), Policy: inForce, Random: rand.Reader, Budget: budget,
	}
	change(&cfg, &set)
	if cfg.Settings == nil {
		cfg.Settings = func(context.Context) session.Settings { return set }
	}
	h.Sessions = session.New(t.Context(), cfg)
	t.Cleanup(h.Close)
	return h
}

// does is a tool that says its name, and counts in did how often it ran.
func does(name string, powers tools.Capabilities, did map[string]int) tools.Tool {
	return doesWith(tools.Def{Name: name, Capabilities: powers}, did)
}

func doesWith(d tools.Def, did map[string]int) tools.Tool {
	type named struct {
		What string `json:"what,omitempty"`
	}
	if d.Description == "" {
		d.Description = "the tool " + d.Name
	}
	return tools.New(d, func(_ context.Context, in named) (tools.Result, error) {
		did[strings.TrimSpace(d.Name+" "+in.What)]++
		return tools.Result{Text: strings.TrimSpace(d.Name + " did it " + in.What)}, nil
	})
}

// music is a skill with two tools.
func music(did map[string]int) skills.Skill {
	return skills.Skill{Name: "music", Description: "Finds and plays songs", Conventions: "A song is a number.",
		Instructions: "Play softly at night.",
		Keywords:     []string{"song"},
		Tools:        []tools.Tool{does("play_song", tools.Writes, did), does("song_text", tools.Reads, did)}}
}

// weather is a skill with one tool.
func weather(did map[string]int) skills.Skill {
	return skills.Skill{Name: "weather", Description: "Says what the sky does", Keywords: []string{"rain"},
		Tools: []tools.Tool{does("forecast", tools.Reads, did)}}
}

// of returns the bodies of one type.
func of[B event.Body](bodies []event.Body) (all []B) {
	for _, b := range bodies {
		if one, ok := b.(B); ok {
			all = append(all, one)
		}
	}
	return all
}

// everything returns the bodies of the chat.
func (h *house) everything() (bodies []event.Body) {
	h.t.Helper()
	for e, err := range h.journal.Chat(h.t.Context(), "main", 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		bodies = append(bodies, e.Body)
	}
	return bodies
}

func listed(r llm.Request) (names []string) {
	for _, d := range r.Tools {
		names = append(names, d.Name)
	}
	return names
}

func head(t *testing.T, r llm.Request) string {
	t.Helper()
	raw, err := json.Marshal([]any{r.System, r.Tools})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func lastWords(r llm.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == llm.UserRole {
			return m.Text
		}
	}
	return ""
}

func (h *house) request(skill string) session.SkillRequest {
	return session.SkillRequest{Chat: "main", Skill: skill, By: "ana", Principal: owner}
}

func says(n int) (all []llm.Step) {
	for range n {
		all = append(all, llm.Say("well"))
	}
	return all
}

var usual = []string{"look", "run", "write", "call_tool", "find_tool", "use_skill"}

// A message that is about a skill opens it: its tools come at the end of the list, its words with
// the message, above the time.
func TestAMessageOpensASkill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		script := llm.NewScript(says(4)...)
		h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(did), weather(did)})
		h.watch(h.submit("1", "hello"), false)
		opened := of[event.Opened](h.watch(h.submit("2", "a song, please"), false))
		h.watch(h.submit("3", "another song"), false)
		h.watch(h.submit("4", "and now"), false)
		r := script.Requests()
		if len(opened) != 1 || opened[0].By != "message" || opened[0].Skill != "music" || opened[0].Narrows {
			t.Errorf("opened %+v", opened)
		}
		if diff := cmp.Diff(usual, listed(r[0])); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(append(slices.Clone(usual), "play_song", "song_text"), listed(r[1])); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(r[0].System, "- music: Finds and plays songs\n") || r[0].System != r[1].System {
			t.Errorf("the system text is %s", r[1].System)
		}
		words := lastWords(r[1])
		for _, want := range []string{"A song is a number.", "Play softly at night.", "play_song, song_text"} {
			if i := strings.Index(words, want); i < 0 || i > strings.Index(words, "a song, please") {
				t.Errorf("%q does not stand above the question in %s", want, words)
			}
		}
		if !strings.HasPrefix(words, "[Saturday") || !strings.HasSuffix(words, "skill music.]\n\na song, please") {
			t.Errorf("the words are %s", words)
		}
		if strings.Contains(lastWords(r[2]), "softly") {
			t.Error("its words were told twice")
		}
		if head(t, r[1]) != head(t, r[2]) || head(t, r[2]) != head(t, r[3]) {
			t.Error("what stands before the conversation has changed though nothing was opened")
		}
		if !cmp.Equal(r[2].Messages, r[3].Messages[:len(r[2].Messages)]) {
			t.Error("the conversation does not begin as before")
		}
	})
}

// What the model opens it can call in the next request of the turn.
func TestTheModelOpensASkill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		use := func(n int, args map[string]string) llm.Step { return llm.Do(llm.CallOf(n, "use_skill", args)) }
		s := music(did)
		s.Pages = pages{"notes.md": "c d e"}
		script := llm.NewScript(use(1, map[string]string{"name": "Music"}), llm.Do(plain(2, "play_song")),
			use(3, map[string]string{"name": "music"}),
			use(4, map[string]string{"name": "opera"}),
			use(5, map[string]string{"name": "music", "page": "notes.md"}),
			use(6, map[string]string{"name": "weather", "page": "x"}), llm.Say("well"))
		h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{s, weather(did)})
		bodies := h.watch(h.submit("1", "hello"), false)
		r := script.Requests()
		if diff := cmp.Diff(append(slices.Clone(usual), "play_song", "song_text"), listed(r[1])); diff != "" ||
			did["play_song"] != 1 {
			t.Error(diff, did)
		}
		if opened := of[event.Opened](bodies); len(opened) != 1 || opened[0].By != "model" || opened[0].Text != "" {
			t.Errorf("opened %+v", opened)
		}
		got := of[event.Returned](bodies)
		for i, want := range map[int]string{0: "Play softly", 2: "Play softly", 3: "use one of: music, weather", 4: "c d e", 5: "has no pages"} {
			if !strings.Contains(got[i].Text, want) {
				t.Errorf("result %d is %q, want %q", i, got[i].Text, want)
			}
		}
		if !strings.Contains(got[0].Text, "notes.md") {
			t.Error("nobody says that there is a page")
		}
		if strings.Contains(fmt.Sprint(r[1].Messages[:1]), "softly") {
			t.Error("what the model read as a result was told again")
		}
	})
}

type pages map[string]string

func (p pages) Names() []string { return []string{"notes.md"} }
func (p pages) Read(_ context.Context, name string) (string, error) {
	if text, ok := p[name]; ok {
		return text, nil
	}
	return "", errors.New("there is no such page")
}

// What is not there for a caller is not offered, found, or callable, however it is called, also
// where another has opened it.
func TestASkillIsNotThereForAll(t *testing.T) {
	for name, limit := range map[string]func(*skills.Skill){
		"level":    func(s *skills.Skill) { s.Level = event.GroupAdmin },
		"platform": func(s *skills.Skill) { s.Platforms = []string{"cli"} },
		"scope":    func(s *skills.Skill) { s.Scopes = []string{"private"} },
		"tool": func(s *skills.Skill) {
			s.Tools = []tools.Tool{doesWith(tools.Def{Name: "song_text", Capabilities: tools.Reads, Level: event.GroupAdmin}, map[string]int{})}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				s := music(did)
				limit(&s)
				script := llm.NewScript(llm.Say("well"), llm.Do(plain(1, "song_text")),
					llm.Do(llm.CallOf(2, "call_tool", map[string]any{"name": "song_text"})),
					llm.Do(llm.CallOf(3, "find_tool", map[string]string{"query": "song"})),
					llm.Do(llm.CallOf(4, "use_skill", map[string]string{"name": "music"})),
					llm.Say("well"), llm.Say("well"))
				h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{s, weather(did)})
				h.watch(h.submit("1", "a song"), false)
				guest := event.Principal{Platform: "telegram", Scope: "group", Level: event.User}
				if name == "level" || name == "tool" {
					guest = event.Principal{Platform: "cli", Scope: "private", Level: event.User}
				}
				seq, err := h.Submit(t.Context(),
					session.Input{Chat: "main", ID: "2", From: "bo", Text: "another song", Principal: guest})
				if err != nil {
					t.Fatal(err)
				}
				bodies := h.watch(seq, false)
				r := script.Requests()
				if !slices.Contains(listed(r[0]), "song_text") || slices.Contains(listed(r[1]), "song_text") {
					t.Errorf("the lists are %v and %v", listed(r[0]), listed(r[1]))
				}
				if strings.Contains(r[1].System, "- music") != (name == "tool") && name != "tool" {
					t.Errorf("the guest reads %s", r[1].System)
				}
				rule := strings.Replace(name, "tool", "level", 1)
				if diff := cmp.Diff([]string{rule, rule}, rules(bodies)[:2]); diff != "" || did["song_text"] > 0 {
					t.Error(diff, did)
				}
				got := of[event.Returned](bodies)
				if strings.Contains(got[2].Text+got[3].Text, "song_text") || got[3].OK != (name == "tool") {
					t.Errorf("found %q, opened %q", got[2].Text, got[3].Text)
				}
				h.watch(h.submit("3", "and now"), false)
				if r = script.Requests(); head(t, r[0]) != head(t, r[len(r)-1]) {
					t.Error("the owner's list has changed")
				}
			})
		})
	}
}

// A person opens and closes skills; what is to be told is told once, with the next words.
func TestAPersonOpensASkill(t *testing.T) {
	for _, how := range []string{"between", "during", "restart", "joined"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				memory := storetest.NewMemory(time.Now)
				var h *house
				open := func() {
					if err := h.OpenSkill(t.Context(), h.request("music")); err != nil {
						t.Fatal(err)
					}
				}
				script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
					switch how {
					case "during", "joined":
						open()
						if how == "joined" {
							h.submit("1b", "besides")
						}
						return llm.Do(call(1, "look", "a"))(ctx, r, d)
					}
					return llm.Say("well")(ctx, r, d)
				}, llm.Say("well"), llm.Say("well"), llm.Say("well"))
				all := []skills.Skill{music(did), weather(did)}
				h = skilled(t, memory, script, all)
				h.watch(h.submit("1", "hello"), false)
				switch how {
				case "between":
					open()
				case "restart":
					open()
					h.Close()
					h = skilled(t, memory, script, all)
				}
				h.watch(h.submit("2", "and now"), false)
				r := script.Requests()
				told := lastWords(r[len(r)-1])
				if how == "joined" {
					told = lastWords(r[1])
				}
				if !strings.Contains(told, "Play softly") || !slices.Contains(listed(r[1]), "play_song") {
					t.Errorf("%v, told %s", listed(r[1]), told)
				}
				if n := strings.Count(fmt.Sprint(r[len(r)-1].Messages), "Play softly"); n != 1 {
					t.Errorf("it was told %d times", n)
				}
				if err := h.CloseSkill(t.Context(), h.request("music")); err != nil {
					t.Error(err)
				}
				if err := h.CloseSkill(t.Context(), h.request("music")); err == nil {
					t.Error("it was closed twice")
				}
				h.watch(h.submit("3", "and then"), false)
				r = script.Requests()
				if diff := cmp.Diff(usual, listed(r[len(r)-1])); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// What is closed before it was told is not told.
func TestAClosedSkillIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(says(1)...)
		h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(map[string]int{})})
		if err := errors.Join(h.OpenSkill(t.Context(), h.request("music")), h.CloseSkill(t.Context(), h.request("music"))); err != nil {
			t.Fatal(err)
		}
		if err := h.OpenSkill(t.Context(), h.request("opera")); err == nil ||
			!strings.Contains(err.Error(), "opera") {
			t.Errorf("a skill that is not there: %v", err)
		}
		h.watch(h.submit("1", "hello"), false)
		if words := lastWords(script.Requests()[0]); strings.Contains(words, "softly") {
			t.Error(words)
		}
	})
}

// A new conversation begins without any skill, in this process and in the next.
func TestResetClosesSkills(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			memory, script := storetest.NewMemory(time.Now), llm.NewScript(says(3)...)
			all := []skills.Skill{music(map[string]int{})}
			h := skilled(t, memory, script, all)
			h.watch(h.submit("1", "a song"), false)
			if err := h.OpenSkill(t.Context(), h.request("music")); err != nil {
				t.Fatal(err)
			}
			if err := h.Reset(t.Context(), "main"); err != nil {
				t.Fatal(err)
			}
			if restart {
				h.Close()
				h = skilled(t, memory, script, all)
			}
			if _, open, err := h.Skills(t.Context(), "main", owner); err != nil || len(open) > 0 {
				t.Errorf("%+v, %v", open, err)
			}
			h.watch(h.submit("2", "hello"), false)
			if r := script.Requests(); !cmp.Equal(usual, listed(r[1])) || len(r[1].Messages) != 1 ||
				strings.Contains(lastWords(r[1]), "softly") {
				t.Errorf("restart %t: %v %v", restart, listed(r[1]), r[1].Messages)
			}
		})
	}
}

// A conversation that was made shorter has the skills open; a message about one tells its words again.
func TestSkillsOutliveWhatIsLeftOut(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			memory := storetest.NewMemory(time.Now)
			var requests []llm.Request
			well := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
				requests = append(requests, r)
				return llm.Say("well")(ctx, r, d)
			})
			small := func(_ *session.Config, s *session.Settings) { s.Window = window.Window{Size: 8192, Reserve: 500} }
			all := []skills.Skill{music(map[string]int{}), weather(map[string]int{})}
			h := skilledWith(t, memory, well, all, nil, small)
			h.watch(h.submit("first", "a song"), false)
			for i := range 8 {
				h.watch(h.submit(fmt.Sprint(i), fmt.Sprintf("turn %d %s", i, strings.Repeat("many words ", 400))), false)
			}
			if restart {
				h.Close()
				h = skilledWith(t, memory, well, all, nil, small)
			}
			short := of[event.Compacted](h.everything())
			if len(short) == 0 || len(short[0].Skills) != 1 || short[0].Skills[0].Text != "" {
				t.Fatalf("made shorter %d times", len(short))
			}
			h.watch(h.submit("quiet", "go on"), false)
			quiet := requests[len(requests)-1]
			if !slices.Contains(listed(quiet), "song_text") || strings.Contains(lastWords(quiet), "softly") {
				t.Errorf("restart %t: %v", restart, listed(quiet))
			}
			h.watch(h.submit("again", "another song"), false)
			if last := requests[len(requests)-1]; !strings.Contains(lastWords(last), "softly") ||
				head(t, last) != head(t, quiet) {
				t.Errorf("restart %t: told %s", restart, lastWords(last))
			}
		})
	}
}

// Strangers' words in a skill count as those of a page do, whoever opens it and however its words
// come; those of the house do not.
func TestSkillsTaint(t *testing.T) {
	stranger := event.Label{Untrusted: true, Source: "skill:music"}
	for name, c := range map[string]struct {
		label event.Label
		how   string
		want  string
	}{
		"matched": {stranger, "message", "rule-of-two"}, "by the model": {stranger, "model", "rule-of-two"}, "found": {stranger, "find", "rule-of-two"},
		"by a person": {stranger, "person", "rule-of-two"}, "during a turn": {stranger, "during", "rule-of-two"}, "restart": {stranger, "restart", "rule-of-two"},
		"trusted": {event.Label{}, "message", "private-data"}, "closed later": {stranger, "closed", "rule-of-two"}, "a page": {stranger, "page", "rule-of-two"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did, text := map[string]int{}, "hello"
				s := music(did)
				s.Label, s.Pages = c.label, pages{"notes.md": "x"}
				var h *house
				first := llm.Say("well")
				switch c.how {
				case "message", "restart", "closed":
					text = "a song"
				case "model":
					first = llm.Do(llm.CallOf(7, "use_skill", map[string]string{"name": "music"}))
				case "page":
					first = llm.Do(llm.CallOf(7, "use_skill", map[string]string{"name": "music", "page": "notes.md"}))
				case "find":
					first = llm.Do(llm.CallOf(7, "find_tool", map[string]string{"query": "play song"}))
				case "during":
					first = func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
						if err := h.OpenSkill(ctx, h.request("music")); err != nil {
							t.Error(err)
						}
						return llm.Do(call(3, "look", "a"))(ctx, r, d)
					}
				}
				steps := []llm.Step{first}
				steps = append(steps, llm.Do(plain(1, "diary")),
					llm.Do(fetch(2, "https://b.example/?q=1")), llm.Say("well"))
				memory, script := storetest.NewMemory(time.Now), llm.NewScript(steps...)
				h = skilled(t, memory, script, []skills.Skill{s, weather(did)}, world(&did)...)
				bodies := h.watch(h.submit("1", text), false)
				switch c.how {
				case "person":
					if err := h.OpenSkill(t.Context(), h.request("music")); err != nil {
						t.Fatal(err)
					}
				case "closed":
					if err := h.CloseSkill(t.Context(), h.request("music")); err != nil {
						t.Fatal(err)
					}
				case "restart":
					h.Close()
					h = skilled(t, memory, script, []skills.Skill{s, weather(did)}, world(&did)...)
				}
				if len(rules(bodies)) < 2 {
					bodies = h.watch(h.submit("2", "and now"), false)
				}
				if got := rules(bodies); got[len(got)-1] != c.want {
					t.Errorf("the rules are %v, want %s", got, c.want)
				}
			})
		})
	}
}

// A turn about a skill that allows some tools may call those and no others; the next turn may call all.
func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		allowed [2][]string
		text    string
		want    []string // by which rules look, write, forecast and find_tool are refused
	}{
		"one":     {[2][]string{{"look"}, nil}, "a song", []string{"", "skill", "skill", ""}},
		"none":    {[2][]string{{}, nil}, "a song", []string{"skill", "skill", "skill", ""}},
		"all":     {[2][]string{nil, nil}, "a song", []string{"", "", "", ""}},
		"both":    {[2][]string{{"look"}, {"write"}}, "a song in the rain", []string{"", "", "", ""}},
		"neither": {[2][]string{{"look"}, nil}, "hello", []string{"", "", "", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				one, two := music(did), weather(did)
				one.Allowed, two.Allowed = c.allowed[0], c.allowed[1]
				calls := func(n int) llm.Step {
					return llm.Do(call(n, "look", "a"), call(n+1, "write", "b"), plain(n+2, "forecast"),
						llm.CallOf(n+3, "find_tool", map[string]string{"query": "x"}))
				}
				script := llm.NewScript(calls(1), llm.Say("well"), calls(10), llm.Say("well"), calls(20), llm.Say("well"))
				h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{one, two})
				bodies := h.watch(h.submit("1", c.text), false)
				if diff := cmp.Diff(c.want, rules(bodies)); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff([]string{"", "", "", ""}, rules(h.watch(h.submit("2", "and now"), false))); diff != "" {
					t.Errorf("an unrelated turn: %s", diff)
				}
				if diff := cmp.Diff(c.want, rules(h.watch(h.submit("3", c.text), false))); diff != "" {
					t.Errorf("it is about the skill again: %s", diff)
				}
				if r := script.Requests(); strings.Contains(lastWords(r[len(r)-1]), "softly") {
					t.Error("its words were told again")
				}
			})
		})
	}
}

// What the model opens narrows the turn from there on.
func TestAllowedByTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := music(map[string]int{})
		s.Allowed = []string{"look"}
		use := llm.Do(llm.CallOf(1, "use_skill", map[string]string{"name": "music"}))
		script := llm.NewScript(use, llm.Do(call(2, "write", "b"), call(3, "look", "a"), plain(4, "song_text")), llm.Say("well"))
		h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{s})
		if diff := cmp.Diff([]string{"", "skill", "", ""}, rules(h.watch(h.submit("1", "hello"), false))); diff != "" {
			t.Error(diff)
		}
	})
}

// A model finds and calls tools that its list does not have. Each is judged, asked about and
// recorded as the tool that it is.
func TestFindAndCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		s := music(did)
		s.Label = event.Label{Private: true, Source: "skill:music"}
		hidden := doesWith(tools.Def{Name: "secret_song", Hidden: true, Capabilities: tools.Reads}, did)
		off := doesWith(tools.Def{Name: "off_song", Capabilities: tools.Reads}, did)
		through := func(n int, args string) llm.Call {
			return llm.Call{ID: fmt.Sprint("r", n), Name: "call_tool", Args: json.RawMessage(args)}
		}
		script := llm.NewScript(
			llm.Do(llm.CallOf(1, "find_tool", map[string]string{"query": "play a song"})),
			llm.Do(through(2, `{"name":"play_song","args":{"what":"x"}}`)),
			llm.Do(through(3, `{"name":"shout","arguments":"{\"what\":\"y\"}"}`)),
			llm.Do(plain(4, "song_text")), llm.Do(through(5, `{"name":"secret_song"}`)),
			llm.Do(through(6, `{"name":"off_song"}`)),
			llm.Do(through(7, `{"name":"look","args":{"path":"a"}}`)),
			llm.Do(llm.CallOf(8, "find_tool", map[string]string{"query": "zzz"})), llm.Say("well"))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{s, weather(did)},
			[]tools.Tool{hidden, off, does("shout", tools.Executes, did)}, func(cfg *session.Config, _ *session.Settings) {
				cfg.Policy = func(context.Context) (policy.Policy, error) {
					return policy.Policy{Disabled: map[string]bool{"off_song": true}}, nil
				}
			})
		bodies := h.watch(h.submit("1", "hello"), true)
		got := of[event.Returned](bodies)
		if !strings.Contains(got[0].Text, `"name":"play_song"`) || !strings.Contains(got[0].Text, `"parameters"`) ||
			!strings.Contains(got[0].Text, "A song is a number.") || !got[0].Label.Private {
			t.Errorf("found %+v", got[0])
		}
		if strings.Contains(got[0].Text+got[7].Text, "secret") ||
			strings.Contains(got[0].Text+got[7].Text, "off_song") {
			t.Errorf("found what nobody may know of: %s, %s", got[0].Text, got[7].Text)
		}
		var names []string
		for _, r := range got {
			names = append(names, fmt.Sprintf("%s %t", r.Tool, r.OK))
		}
		want := []string{"find_tool true", "play_song true", "shout true", "song_text true",
			"secret_song false", "off_song false", "look true", "find_tool true"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
		if q := of[event.Asked](bodies); len(q) != 1 || q[0].Tool != "shout" || string(q[0].Args) != `{"what":"y"}` {
			t.Errorf("asked %+v", q)
		}
		if c := of[event.Called](bodies); c[1].Tool != "play_song" || string(c[1].Args) != `{"what":"x"}` ||
			len(of[event.Started](bodies)) != 2 {
			t.Errorf("called %+v", c[1])
		}
		if did["play_song x"] != 1 || did["shout y"] != 1 || did["secret_song"]+did["off_song"] > 0 ||
			got[5].Rule != "disabled" {
			t.Errorf("did %v, %+v", did, got[5])
		}
		if seq := h.command("2", "/secret_song now"); len(of[event.Generated](h.watch(seq, false))) != 1 ||
			did["secret_song now"] != 1 {
			t.Errorf("a person cannot call what is hidden from models: %v", did)
		}
	})
}

// Going round in circles through call_tool is going round in circles.
func TestCallToolInCircles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, n := map[string]int{}, 0
		again := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			n++
			return llm.Do(llm.CallOf(n, "call_tool", map[string]any{"name": "song_text"}))(ctx, r, d)
		})
		h := skilled(t, storetest.NewMemory(time.Now), again, []skills.Skill{music(did)})
		bodies := h.watch(h.submit("1", "hello"), false)
		if end := bodies[len(bodies)-1].(event.Ended); end.Reason != event.Looped || did["song_text"] != 1 {
			t.Errorf("it ended with %+v after %v", end, did)
		}
	})
}

// lazy is a skill whose tools are known once it was begun.
func lazy(did map[string]int, begun func(context.Context) error) skills.Skill {
	s := music(did)
	all := s.Tools
	s.Tools = nil
	s.Begin = func(ctx context.Context) (skills.Skill, error) {
		if err := begun(ctx); err != nil {
			return skills.Skill{}, err
		}
		ready := s
		ready.Tools, ready.Name, ready.Level = append(all, nil), "other", event.User
		return ready, nil
	}
	return s
}

// A skill begins in each process that takes up the chat. Where it cannot, the turn goes on.
func TestBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, broken := map[string]int{}, true
		s := lazy(did, func(context.Context) error {
			if broken {
				return errors.New("the server does not start")
			}
			return nil
		})
		s.Level = event.BotAdmin
		memory := storetest.NewMemory(time.Now)
		script := llm.NewScript(llm.Say("well"),
			llm.Do(llm.CallOf(1, "use_skill", map[string]string{"name": "music"})), llm.Say("well"),
			llm.Do(plain(2, "play_song")), llm.Say("well"), llm.Do(plain(3, "play_song")), llm.Say("well"))
		h := skilled(t, memory, script, []skills.Skill{s})
		bodies := h.watch(h.submit("1", "a song"), false)
		if n := of[event.Noted](bodies); len(n) != 1 ||
			!strings.Contains(n[0].Text, "music cannot be opened: the server does not start") ||
			len(of[event.Opened](bodies)) > 0 || replyOf(bodies).Text != "well" {
			t.Errorf("%s %+v", types(bodies), n)
		}
		if r := of[event.Returned](h.watch(h.submit("2", "hello"), false)); len(r) != 1 || r[0].OK ||
			!strings.Contains(r[0].Text, "does not start") {
			t.Errorf("%+v", r)
		}
		if err := h.OpenSkill(t.Context(), h.request("music")); err == nil {
			t.Error("a person opened it")
		}
		broken = false
		h.watch(h.submit("3", "a song"), false)
		h.Close()
		h = skilled(t, memory, script, []skills.Skill{s})
		h.watch(h.submit("4", "and now"), false)
		r := script.Requests()
		if did["play_song"] != 2 || head(t, r[4]) != head(t, r[5]) {
			t.Errorf("did %v, %v then %v", did, listed(r[4]), listed(r[5]))
		}
		h.Close()
		h = skilledWith(t, memory, off(t), []skills.Skill{s}, nil, unasked(t))
		if h.watch(h.command("5", "/play_song"), false); did["play_song"] != 3 {
			t.Errorf("as a command it was not found: %v", did)
		}
	})
}

// A turn that is stopped while a skill begins ends at once, and says nothing of the skill.
func TestStopWhileASkillBegins(t *testing.T) {
	for _, stop := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			memory := storetest.NewMemory(time.Now)
			wait := func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
			h := skilled(t, memory, llm.NewScript(says(1)...), []skills.Skill{lazy(map[string]int{}, wait)})
			seq := h.submit("1", "a song")
			synctest.Wait()
			if !stop {
				h.Close()
				h = skilled(t, memory, llm.NewScript(says(1)...), nil)
			} else if ran, err := h.Stop(t.Context(), "main"); err != nil || !ran {
				t.Error(err)
			}
			bodies := h.watch(seq, false)
			want := map[bool]event.Reason{true: event.Stopped, false: event.Done}[stop]
			if end := bodies[len(bodies)-1].(event.Ended); end.Reason != want || len(of[event.Noted](bodies)) > 0 {
				t.Errorf("it ended with %+v: %s", end, types(bodies))
			}
		})
	}
}

// A model that many tools confuse is told of as many as its profile says: those that the message is
// most about. It can call the others.
func TestMaxTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		s := skills.Skill{Name: "kitchen", Description: "Cooks", Keywords: []string{"cook"}}
		for _, name := range []string{"boil_water", "fry_egg", "bake_bread", "cut_onion", "peel_carrot", "roast_nuts"} {
			s.Tools = append(s.Tools, does(name, tools.Reads, did))
		}
		script := llm.NewScript(llm.Do(plain(1, "roast_nuts")),
			llm.Do(llm.CallOf(2, "call_tool", map[string]any{"name": "fry_egg"})), llm.Say("well"), llm.Say("well"))
		h := skilledWith(t, storetest.NewMemory(time.Now), script, []skills.Skill{s, music(did)}, nil,
			func(_ *session.Config, set *session.Settings) { set.Profile.MaxTools = 7 })
		h.watch(h.submit("1", "cook: cut an onion and peel the carrot"), false)
		h.watch(h.submit("2", "a song"), false)
		r := script.Requests()
		want := []string{"look", "write", "call_tool", "find_tool", "use_skill", "cut_onion", "peel_carrot"}
		if diff := cmp.Diff(want, listed(r[0])); diff != "" {
			t.Error(diff)
		}
		want = append(want[:5:5], "play_song", "song_text")
		if diff := cmp.Diff(want, listed(r[3])); diff != "" {
			t.Errorf("the newest skill has not the room: %s", diff)
		}
		if words := lastWords(r[0]); !strings.Contains(words, "It also has the tools boil_water, fry_egg, bake_bread, roast_nuts: find_tool") {
			t.Error(words)
		}
		if did["roast_nuts"] != 1 || did["fry_egg"] != 1 {
			t.Errorf("did %v", did)
		}
	})
}

// A skill closed while another is opened leaves as many tools as there were; what is called is read
// by the new ones.
func TestAnotherListOfTheSameLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		type number struct {
			N int `json:"n"`
		}
		got := 0
		count := tools.New(tools.Def{Name: "count", Description: "counts", Capabilities: tools.Reads}, func(_ context.Context, in number) (tools.Result, error) {
			got = in.N
			return tools.Result{Text: "counted"}, nil
		})
		one := skills.Skill{Name: "one", Description: "one",
			Tools: []tools.Tool{does("forecast", tools.Reads, map[string]int{})}}
		two := skills.Skill{Name: "two", Description: "two", Tools: []tools.Tool{count}}
		script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			if err := errors.Join(h.CloseSkill(ctx, h.request("one")), h.OpenSkill(ctx, h.request("two"))); err != nil {
				t.Error(err)
			}
			return llm.Do(call(1, "look", "a"))(ctx, r, d)
		}, llm.Do(llm.Call{ID: "2", Name: "Count", Args: []byte(`{"n":"7"}`)}), llm.Say("well"))
		h = skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{one, two})
		if err := h.OpenSkill(t.Context(), h.request("one")); err != nil {
			t.Fatal(err)
		}
		h.watch(h.submit("1", "hello"), false)
		if r := script.Requests(); got != 7 ||
			!slices.Contains(listed(r[1]), "count") || len(r[0].Tools) != len(r[1].Tools) {
			t.Errorf("counted %d, told of %v", got, listed(r[1]))
		}
	})
}

// Whatever event a crash comes after: the lists and the words are those of a process that lived
// through it.
func TestSkillsAndACrash(t *testing.T) {
	play := func(t *testing.T, n int) (last llm.Request, crashed bool) {
		did, memory := map[string]int{}, storetest.NewMemory(time.Now)
		replies := model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			last = r
			results := 0
			for _, m := range r.Messages {
				if m.Role == llm.ToolRole {
					results++
				}
			}
			if results == 0 {
				return llm.Do(llm.CallOf(1, "use_skill", map[string]string{"name": "weather"}),
					call(2, "look", "a"))(ctx, r, d)
			}
			return llm.Say("well")(ctx, r, d)
		})
		s := music(did)
		s.Allowed = []string{"look"}
		all := []skills.Skill{s, weather(did), {Name: "garden", Description: "Grows", Instructions: "Water it."}}
		h := skilled(t, &crashing{memory, n}, replies, all)
		again := func(f func() error) {
			if err := f(); err != nil {
				crashed = true
				synctest.Wait()
				h.Close()
				h = skilled(t, memory, replies, all)
				if err := f(); err != nil {
					t.Fatal(err)
				}
			}
		}
		turn := func(id, text string) func() error {
			return func() error {
				seq, err := h.Submit(t.Context(),
					session.Input{Chat: "main", ID: id, From: "ana", Text: text, Principal: owner})
				if err != nil {
					return err
				}
				for e, err := range h.Follow(t.Context(), "main", seq) {
					if err != nil {
						return err
					}
					if _, over := e.Body.(event.Ended); over && e.Turn == seq {
						break
					}
				}
				return nil
			}
		}
		again(turn("1", "a song"))
		again(func() error { return h.OpenSkill(t.Context(), h.request("garden")) })
		again(turn("2", "and now"))
		again(func() error {
			if err := h.CloseSkill(t.Context(), h.request("music")); err != nil &&
				!strings.Contains(err.Error(), "is not open") {
				return err
			}
			return nil
		})
		again(turn("3", "and then"))
		return last, crashed
	}
	var want llm.Request
	synctest.Test(t, func(t *testing.T) { want, _ = play(t, 1<<30) })
	if len(want.Tools) != len(usual)+1 || !strings.Contains(fmt.Sprint(want.Messages), "Water it.") {
		t.Fatalf("%v", listed(want))
	}
	for n := 1; ; n++ {
		crashed := false
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got llm.Request
				got, crashed = play(t, n)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
		if !crashed {
			if n < 20 {
				t.Errorf("it was over after %d events", n)
			}
			return
		}
	}
}

// What tools say of themselves may take a while, or may ask the chat: it is asked for where the
// chat does not wait.
func TestSkillsWhoseToolsAskForTheChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		asks := describing{tool: does("slow", tools.Reads, map[string]int{}), asked: func() {
			if h != nil {
				_, _ = h.IsBusy(t.Context(), "main")
			}
		}}
		s := skills.Skill{Name: "slow", Description: "Is slow", Keywords: []string{"slow"},
			Tools: []tools.Tool{asks}, Allowed: []string{}}
		script := llm.NewScript(llm.Do(llm.CallOf(1, "use_skill", map[string]string{"name": "slow"})),
			llm.Do(llm.CallOf(2, "find_tool", map[string]string{"query": "slow"})), llm.Say("well"), llm.Say("well"))
		h = skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{s})
		h.watch(h.submit("1", "slow"), false)
		if err := h.OpenSkill(t.Context(), h.request("slow")); err != nil {
			t.Error(err)
		}
		if _, open, err := h.Skills(t.Context(), "main", owner); err != nil || len(open) != 1 {
			t.Error(open, err)
		}
		if r := script.Requests(); !slices.Contains(listed(r[0]), "slow") {
			t.Errorf("told of %v", listed(r[0]))
		}
	})
}

// game is a skill that leads the chat: it answers "roll" from what it has read, and minds dragons.
type game struct{ asked *int }

func (g game) TryDirect(_ context.Context, words string) (driver.Plan, bool, error) {
	*g.asked++
	return driver.Plan{Result: tools.Result{Text: "You rolled 4.",
			Effects: []event.Effect{{Kind: "wrote", Target: "dice.txt"}}, Label: event.Label{Private: true}}},
		words == "roll", nil
}
func (game) Context(context.Context, string) (string, error)        { return "[It is night.]", nil }
func (game) Narration(context.Context) (driver.Narration, bool)     { return driver.Narration{}, false }
func (game) Finalize(context.Context, string) (tools.Result, error) { return tools.Result{}, nil }
func (game) Check(_ context.Context, draft string) []string {
	if strings.Contains(draft, "dragon") {
		return []string{"there is no dragon"}
	}
	return nil
}
func (game) Fallback(context.Context, string) (string, error) { return "Night falls.", nil }

// What leads a chat answers without a model, with a receipt; what it read taints; the model reads
// what was said in its place.
func TestASkillThatLeads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, asked := map[string]int{}, 0
		s := skills.Skill{Name: "game", Description: "Leads a game", Driver: game{&asked},
			Tools: []tools.Tool{does("roll_dice", tools.Reads, did)}}
		memory := storetest.NewMemory(time.Now)
		script := llm.NewScript(llm.Say("A dragon."), llm.Say("A dragon again."),
			llm.Do(fetch(1, "https://b.example/?q=1")), llm.Say("well"), llm.Say("well"))
		all := []skills.Skill{music(did), s}
		h := skilled(t, memory, script, all, world(&did)...)
		if err := errors.Join(h.OpenSkill(t.Context(), h.request("music")), h.OpenSkill(t.Context(), h.request("game"))); err != nil {
			t.Fatal(err)
		}
		bodies := h.watch(h.submit("1", "roll"), false)
		r := replyOf(bodies)
		if !strings.HasPrefix(r.Text, "You rolled 4.\n\n") || r.Receipt == "" || len(script.Requests()) > 0 ||
			asked != 1 || !r.Label.Private {
			t.Errorf("%+v, asked %d times", r, asked)
		}
		if r := replyOf(h.watch(h.submit("2", "who is there"), false)); r.Text != "Night falls." {
			t.Errorf("%+v", r)
		}
		h.Close()
		h = skilled(t, memory, script, all, world(&did)...)
		if diff := cmp.Diff([]string{"private-data"}, rules(h.watch(h.submit("3", "look it up"), false))); diff != "" {
			t.Errorf("what the answer was made of is forgotten: %s", diff)
		}
		last := script.Requests()[3]
		if all := fmt.Sprint(last.Messages); !strings.Contains(all, "Night falls.") ||
			strings.Contains(all, "dragon again") || strings.Count(all, "[It is night.]") != 1 {
			t.Errorf("the model reads %s", all)
		}
		if diff := cmp.Diff([]string{"roll_dice", "call_tool", "find_tool", "use_skill"}, listed(last)); diff != "" {
			t.Error(diff)
		}
		if strings.Contains(fmt.Sprint(h.everything()), "It is night.]") {
			t.Error("what is so at the moment was journaled")
		}
	})
}

// Once a driver has answered, a crash does not have it asked again.
func TestALeadAndACrash(t *testing.T) {
	for n := 2; n < 6; n++ {
		synctest.Test(t, func(t *testing.T) {
			memory, asked := storetest.NewMemory(time.Now), 0
			all := []skills.Skill{{Name: "game", Description: "Leads a game", Driver: game{&asked}, Begin: func(context.Context) (skills.Skill, error) {
				return skills.Skill{Driver: game{&asked}}, nil
			}}}
			h := skilled(t, &crashing{memory, n}, off(t), all)
			if err := h.OpenSkill(t.Context(), h.request("game")); err != nil {
				t.Fatal(err)
			}
			seq, err := h.Submit(t.Context(),
				session.Input{Chat: "main", ID: "1", From: "ana", Text: "roll", Principal: owner})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			h.Close()
			before := asked
			h = skilled(t, memory, off(t), all)
			bodies := h.watch(seq, false)
			if over := n >= 5; over && asked != before || ends(t, memory) != 1 ||
				!strings.HasPrefix(replyOf(bodies).Text, "You rolled 4.") {
				t.Errorf("after %d events it was asked %d times, then %d: %s", n, before, asked, types(bodies))
			}
		})
	}
}
