package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// saga is a story: "go a b" and "/go a b" need no model. What is done is done once for each place
// of a turn.
type saga struct {
	done  []string
	at    map[string]int
	calls []tools.Caller // of its tools
	told  int
}

func newSaga() *saga { return &saga{at: map[string]int{}} }

func (s *saga) TryDirect(_ context.Context, words string) (driver.Plan, bool, error) {
	verb, rest, _ := strings.Cut(strings.TrimPrefix(words, "/"), " ")
	var plan driver.Plan
	for to := range strings.FieldsSeq(rest) {
		plan.Calls = append(plan.Calls, driver.PlannedCall{Name: map[string]string{"go": "walk", "undo": "undo_walk"}[verb], Args: fmt.Appendf(nil, `{"to":%q}`, to)})
	}
	return plan, (verb == "go" || verb == "undo") && len(plan.Calls) > 0, nil
}

func (s *saga) Context(_ context.Context, words string) (string, error) {
	return "[TAILMARK at " + s.where() + ", " + words + "]", nil
}

func (s *saga) where() string {
	if len(s.done) == 0 {
		return "home"
	}
	return s.done[len(s.done)-1]
}

func (s *saga) Narration(context.Context) (driver.Narration, bool) {
	return driver.Narration{Batches: 3, Ask: "ASKMARK tell it", Temperature: 0.8, Tokens: 100, Rewrites: 1}, true
}

func (s *saga) Check(_ context.Context, draft string) []string {
	if strings.Contains(draft, "dragon") {
		return []string{"there is no dragon"}
	}
	return nil
}

func (s *saga) Fallback(context.Context, string) (string, error) {
	return "Template: at " + s.where() + ".", nil
}

func (s *saga) Finalize(_ context.Context, words string) (tools.Result, error) {
	s.told++
	return tools.Result{Text: words + "\n\nAt " + s.where(),
		Effects: []event.Effect{{Kind: "played", Target: "saga", Detail: "turn 1"}},
		Choices: []event.Choice{{Label: "on", Text: "go on", Pick: "7"}}}, nil
}

func (s *saga) tool(name string, hidden bool) tools.Tool {
	type way struct {
		To string `json:"to"`
	}
	d := tools.Def{Name: name, Description: "TOOLMARK " + name,
		Capabilities: tools.Reads | tools.Writes | tools.Replays, Hidden: hidden}
	return tools.New(d, func(ctx context.Context, in way) (tools.Result, error) {
		caller := tools.CallerFrom(ctx)
		s.calls = append(s.calls, caller)
		if in.To == "nowhere" {
			return tools.Result{}, errors.New("there is no way")
		}
		if key := fmt.Sprint(caller.Turn, caller.Call); s.at[key] == 0 {
			s.at[key]++
			s.done = append(s.done, in.To)
		}
		return tools.Result{Text: name + " to " + in.To,
			Effects: []event.Effect{{Kind: "played", Target: "saga", Detail: "walk"}}}, nil
	})
}

// skill is the story as it is registered: its tools are known once it is ready.
func (s *saga) skill() skills.Skill {
	return skills.Skill{Name: "saga", Description: "Leads a tale", Keywords: []string{"tale"},
		Instructions: "INSTRMARK lead well", Driver: s,
		Begin: func(context.Context) (skills.Skill, error) {
			return skills.Skill{Description: "Leads a tale", Instructions: "INSTRMARK lead well", Driver: s,
				Tools: []tools.Tool{s.tool("walk", false), s.tool("undo_walk", true)}}, nil
		}}
}

func walked(n int, to string) llm.Step {
	return llm.Do(llm.CallOf(n, "walk", map[string]string{"to": to}))
}

// led is a house whose chat a story leads.
func led(t *testing.T, journal session.Journal, model llm.Model, s *saga) *house {
	t.Helper()
	did := map[string]int{}
	h := skilled(t, journal, model, []skills.Skill{music(did), s.skill()})
	if err := h.OpenSkill(t.Context(), h.request("saga")); err != nil {
		t.Fatal(err)
	}
	return h
}

// A turn of a story has one receipt, what goes with its words, and the words without both for the
// model.
func TestALedTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSaga()
		script := llm.NewScript(
			llm.Do(llm.CallOf(1, "walk", map[string]string{"to": "a"}), llm.CallOf(2, "walk", map[string]string{"to": "nowhere"})),
			llm.Say("done"), llm.Say("You are at a."), llm.Say("done"), llm.Say("Still there."))
		h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(map[string]int{}), s.skill()})
		if err := errors.Join(h.OpenSkill(t.Context(), h.request("music")), h.OpenSkill(t.Context(), h.request("saga"))); err != nil {
			t.Fatal(err)
		}
		bodies := h.watch(h.submit("1", "walk to a"), false)
		if strings.Contains(fmt.Sprint(script.Requests()), "Play softly") {
			t.Error("it is told of a skill that the story has closed")
		}
		want := event.Replied{Text: "You are at a.\n\nAt a\n\nsaga", Receipt: "saga",
			Effects: []event.Effect{{Kind: "played", Target: "saga", Detail: "turn 1"}},
			Choices: []event.Choice{{Label: "on", Text: "go on", Pick: "7"}}}
		if diff := cmp.Diff(want, replyOf(bodies)); diff != "" {
			t.Error(diff)
		}
		h.watch(h.submit("2", "and now"), false)
		r := script.Requests()
		var words []string
		for _, m := range r[4].Messages {
			if m.Role == llm.AssistantRole && m.Text != "" {
				words = append(words, m.Text)
			}
		}
		if diff := cmp.Diff([]string{"You are at a."}, words); diff != "" {
			t.Error(diff)
		}
		if leads, err := h.HasDriver(t.Context(), "main"); err != nil || !leads {
			t.Error(leads, err)
		}
		if err := h.CloseSkill(t.Context(), h.request("saga")); err != nil {
			t.Fatal(err)
		}
		if leads, err := h.HasDriver(t.Context(), "main"); err != nil || leads {
			t.Error(leads, err)
		}
	})
}

// A crash after any event: the turn ends once, and what was called is done once. Nothing is told as
// interrupted.
func TestALedTurnAndACrash(t *testing.T) {
	for _, words := range []string{"walk to a", "go a b", "/go a b"} {
		whole := 0
		for n := 2; n < 40 && whole < 2; n++ {
			synctest.Test(t, func(t *testing.T) {
				s, memory := newSaga(), storetest.NewMemory(time.Now)
				model := model(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
					m := req.Messages[len(req.Messages)-1]
					switch {
					case strings.HasPrefix(m.Text, "ASKMARK"):
						return llm.Say("It is told.")(ctx, req, onDelta)
					case m.Role == llm.UserRole:
						return llm.Do(llm.CallOf(1, "walk", map[string]string{"to": "a"}),
							llm.CallOf(2, "walk", map[string]string{"to": "b"}))(ctx, req, onDelta)
					}
					return llm.Say("done")(ctx, req, onDelta)
				})
				h := led(t, &crashing{memory, n}, model, s)
				seq, err := h.Submit(t.Context(),
					session.Input{Chat: "main", ID: "1", From: "ana", Text: words, Principal: owner,
						Command: words[0] == '/', Pick: "p1"})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				h.Close()
				whole += ends(t, memory)
				h = skilled(t, memory, model, []skills.Skill{s.skill()})
				bodies := h.watch(seq, false)
				want := "Template: at b.\n\nAt b"
				if words == "walk to a" {
					want = "It is told.\n\nAt b"
				}
				if got := replyOf(bodies); !strings.HasPrefix(got.Text, want) || ends(t, memory) != 1 ||
					len(of[event.Replied](bodies)) != 1 {
					t.Errorf("%q, after %d events: %q by %s", words, n, got.Text, types(bodies))
				}
				if diff := cmp.Diff([]string{"a", "b"}, s.done); diff != "" ||
					strings.Contains(fmt.Sprint(bodies), "interrupted") {
					t.Errorf("%q, after %d events: %s: %s", words, n, types(bodies), diff)
				}
				for _, c := range s.calls {
					if c.Pick != "p1" || c.Call.ID == "" || c.Call.Reply != 1 {
						t.Errorf("%+v", c)
					}
				}
			})
		}
		if whole == 0 {
			t.Errorf("%q never came to its end", words)
		}
	}
}

// Commands are the story's first, then those of tools; a plan may call what models are not told of.
func TestCommandsInAStory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSaga()
		h := led(t, storetest.NewMemory(time.Now), off(t), s)
		for i, c := range []struct{ line, want string }{
			{"/go a", "Template: at a.\n\nAt a\n\nsaga"}, {"/undo b", "Template: at b.\n\nAt b\n\nsaga"},
			{"/look it", "look it"}, {"/saddle", "there is no command"},
		} {
			if got := replyOf(h.watch(h.command(fmt.Sprint(i), c.line), false)).Text; !strings.HasPrefix(strings.ToLower(got), strings.ToLower(c.want)) {
				t.Errorf("%s: %q", c.line, got)
			}
		}
		if s.told != 2 || len(s.calls) != 2 {
			t.Errorf("told %d times, called %d", s.told, len(s.calls))
		}
		if got := replyOf(h.watch(h.submit("plain", "undo c"), false)).Text; !strings.HasPrefix(got, "Template: at c.") {
			t.Errorf("%q", got)
		}
		want := event.Replied{Text: "Template: at c.\n\nAt c\n\nsaga", Receipt: "saga",
			Effects: []event.Effect{{Kind: "played", Target: "saga", Detail: "turn 1"}},
			Choices: []event.Choice{{Label: "on", Text: "go on", Pick: "7"}}}
		if diff := cmp.Diff(want, replyOf(h.watch(h.submit("vain", "go nowhere"), false))); diff != "" {
			t.Errorf("what came to nothing is told by the lead: %s", diff)
		}
	})
}

// While something leads, whatever is said is a turn of its own.
func TestNothingJoinsALedTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSaga()
		var h *house
		said := false
		m := model(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if !said {
				said = true
				h.submit("2", "and then")
				return walked(1, "a")(ctx, req, onDelta)
			}
			return llm.Say("well")(ctx, req, onDelta)
		})
		memory := storetest.NewMemory(time.Now)
		h = led(t, memory, m, s)
		h.watch(h.submit("1", "walk"), false)
		synctest.Wait()
		if n := ends(t, memory); n != 2 || len(of[event.Joined](h.everything())) > 0 {
			t.Errorf("%d turns: %s", n, types(h.everything()))
		}
	})
}

// A chat leaves a story, does a chore and comes back: neither is told anything of the other, also
// after a restart and where conversations are made shorter. What was told in the story is there
// again.
func TestStoriesAndChoresAreApart(t *testing.T) {
	for _, size := range []int{1 << 16, 4096} {
		synctest.Test(t, func(t *testing.T) {
			s, did, memory := newSaga(), map[string]int{}, storetest.NewMemory(time.Now)
			var stories, chores []llm.Request
			inStory := false
			m := model(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
				raw, _ := json.Marshal(req)
				if req = (llm.Request{}); json.Unmarshal(raw, &req) != nil {
					t.Error("a request cannot be read back")
				}
				last := req.Messages[len(req.Messages)-1]
				if inStory {
					stories = append(stories, req)
				} else {
					chores = append(chores, req)
				}
				long := strings.Repeat(" at length", 120) + ", and no more"
				switch {
				case strings.Contains(last.Text, "few words") || strings.Contains(last.Text, "Sum up"):
					return llm.Say("in short")(ctx, req, onDelta)
				case last.Role == llm.ToolRole, strings.HasPrefix(last.Text, "ASKMARK"):
					return llm.Say(map[bool]string{true: "PROSEMARK", false: "CHOREPROSE"}[inStory]+long)(ctx, req, onDelta)
				case inStory:
					return walked(len(stories), "a")(ctx, req, onDelta)
				}
				return llm.Do(call(len(chores), "write", fmt.Sprint("CHOREMARK", len(chores))))(ctx, req, onDelta)
			})
			begin := func() *house {
				return skilledWith(t, memory, m, []skills.Skill{music(did), s.skill()}, nil, func(_ *session.Config, set *session.Settings) {
					set.Window = window.Window{Size: size, Reserve: 500}
				})
			}
			h := begin()
			n := 0
			say := func(words string) {
				n++
				h.watch(h.submit(fmt.Sprint(n), words), false)
			}
			for round := range 3 {
				before := len(chores)
				for range 4 {
					say("CHORESAID play a song")
				}
				if first := chores[before]; (len(first.Messages) > 1) != (round > 0) {
					t.Errorf("round %d: the first chore is told %d messages", round, len(first.Messages))
				}
				if err := errors.Join(h.OpenSkill(t.Context(), h.request("music")), h.OpenSkill(t.Context(), h.request("saga"))); err != nil {
					t.Fatal(err)
				}
				inStory, before = true, len(stories)
				for range 4 {
					say("STORYSAID sing a song")
					h.Close()
					h = begin()
				}
				if first := stories[before]; (len(first.Messages) > 1) != (round > 0) {
					t.Errorf("round %d: the first of the story is told %d messages", round, len(first.Messages))
				}
				if err := h.CloseSkill(t.Context(), h.request("saga")); err != nil {
					t.Fatal(err)
				}
				inStory = false
			}
			say("CHORESAID and last")
			if len(stories) < 24 || len(chores) < 26 {
				t.Fatalf("%d requests of stories, %d of chores", len(stories), len(chores))
			}
			never := func(what string, all []llm.Request, marks ...string) {
				for i, r := range all {
					raw, _ := json.Marshal(r)
					for _, mark := range marks {
						if strings.Contains(string(raw), mark) {
							t.Fatalf("%s, request %d has %s: %s", what, i+1, mark, raw)
						}
					}
				}
			}
			never("chores", chores, "TAILMARK", "ASKMARK", "TOOLMARK", "INSTRMARK", "PROSEMARK",
				"STORYSAID", `"walk"`)
			never("stories", stories, "CHOREMARK", "CHOREPROSE", "CHORESAID", "Play softly", `"write"`,
				`"play_song"`, `"look"`)
			lastOf := func(all []llm.Request) string { return fmt.Sprint(all[len(all)-1].Messages) }
			if !strings.Contains(lastOf(stories), "INSTRMARK") ||
				strings.Count(lastOf(stories), "PROSEMARK") < 3 || strings.Count(lastOf(chores), "CHORE") < 3 {
				t.Errorf("the last of the stories is told %s,\nthe last of the chores %s", lastOf(stories), lastOf(chores))
			}
			if shortened := len(of[event.Compacted](h.everything())); (size == 4096) != (shortened > 0) {
				t.Errorf("%d times a conversation was made shorter", shortened)
			}
			if !slices.Contains(listed(chores[len(chores)-1]), "write") ||
				slices.Contains(listed(stories[len(stories)-1]), "undo_walk") {
				t.Errorf("listed are %v, %v", listed(chores[len(chores)-1]), listed(stories[len(stories)-1]))
			}
		})
	}
}

// However long a story gets, its model reads how it is led.
func TestALongStoryIsLed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, long := newSaga(), strings.Repeat(" at length", 120)+", and no more"
		var requests []llm.Request
		m := model(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			requests = append(requests, req)
			return llm.Say("Told"+long)(ctx, req, onDelta)
		})
		h := skilledWith(t, storetest.NewMemory(time.Now), m, []skills.Skill{s.skill()}, nil, func(_ *session.Config, set *session.Settings) {
			set.Window = window.Window{Size: 4096, Reserve: 500}
		})
		if err := h.OpenSkill(t.Context(), h.request("saga")); err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			h.watch(h.submit(fmt.Sprint(i), "on"), false)
			last := requests[len(requests)-1]
			if n := strings.Count(fmt.Sprint(last.Messages), "INSTRMARK"); n != 1 &&
				len(of[event.Compacted](h.everything())) == 0 {
				t.Errorf("turn %d: told %d times how it leads", i, n)
			}
		}
		told, short := 0, len(of[event.Compacted](h.everything()))
		for _, o := range of[event.Opened](h.everything()) {
			if strings.Contains(o.Text, "INSTRMARK") {
				told++
			}
		}
		if short < 2 || told < short || told > short+1 {
			t.Errorf("told %d times, it was made shorter %d times", told, short)
		}
	})
}

// Words that are about a story open that and nothing else. A story that the model opens leads from
// the next message on.
func TestAStoryIsOpened(t *testing.T) {
	for _, by := range []string{"message", "model"} {
		synctest.Test(t, func(t *testing.T) {
			s, did := newSaga(), map[string]int{}
			steps := []llm.Step{llm.Say("hm"), llm.Say("It begins."), llm.Say("hm"), llm.Say("It goes on.")}
			words := "a tale with a song"
			if by == "model" {
				words = "let us play"
				steps = append([]llm.Step{llm.Do(llm.CallOf(1, "use_skill", map[string]string{"name": "saga"})), llm.Say("It is open.")}, steps[2:]...)
			}
			script := llm.NewScript(append(steps, llm.Say("well"))...)
			h := skilled(t, storetest.NewMemory(time.Now), script, []skills.Skill{music(did), s.skill()})
			h.watch(h.submit("1", words), false)
			first := script.Requests()
			raw, _ := json.Marshal(first)
			if strings.Contains(string(raw), "INSTRMARK") != (by == "message") ||
				strings.Contains(string(raw), "Play softly") ||
				strings.Contains(string(raw), "TOOLMARK") != (by == "message") {
				t.Errorf("%s: %s", by, raw)
			}
			if got := replyOf(h.watch(h.submit("2", "on with the song"), false)).Text; !strings.HasPrefix(got, "It goes on.\n\nAt home") {
				t.Errorf("%s: %q", by, got)
			}
			r := script.Requests()
			raw, _ = json.Marshal(r[len(r)-1])
			if strings.Count(string(raw), "INSTRMARK") != 1 || strings.Contains(string(raw), "let us play") ||
				strings.Contains(string(raw), "Play softly") ||
				strings.Contains(string(raw), words) != (by == "message") {
				t.Errorf("%s: %s", by, raw)
			}
			if err := errors.Join(h.OpenSkill(t.Context(), h.request("music")), h.CloseSkill(t.Context(), h.request("saga"))); err != nil {
				t.Fatal(err)
			}
			h.watch(h.submit("3", "thanks"), false)
			r = script.Requests()
			if diff := cmp.Diff(usual, listed(r[len(r)-1])); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What was read in a story taints the story and not the chores beside it; a conversation that was
// made shorter keeps the label of the other.
func TestLabelsOfStoriesAndChores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, memory := newSaga(), storetest.NewMemory(time.Now)
		h := led(t, memory, llm.NewScript(says(20)...), s)
		send := func(id, text string, label event.Label) event.Label {
			seq, err := h.Submit(t.Context(),
				session.Input{Chat: "main", ID: id, From: "ana", Text: text, Principal: owner, Label: label})
			if err != nil {
				t.Fatal(err)
			}
			return replyOf(h.watch(seq, false)).Label
		}
		stranger := event.Label{Untrusted: true, Source: "forwarded"}
		if got := send("1", "look what they wrote", stranger); got != stranger {
			t.Errorf("%+v", got)
		}
		if err := h.CloseSkill(t.Context(), h.request("saga")); err != nil {
			t.Fatal(err)
		}
		if got := send("2", "a chore", event.Label{}); got != (event.Label{}) {
			t.Errorf("the chore is tainted: %+v", got)
		}
		if err := h.OpenSkill(t.Context(), h.request("saga")); err != nil {
			t.Fatal(err)
		}
		if got := send("3", "on", event.Label{}); got != stranger {
			t.Errorf("the story has forgotten: %+v", got)
		}
	})
}
