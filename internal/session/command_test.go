package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// command hands in a line that calls a tool.
func (h *house) command(id, line string) int64 {
	h.t.Helper()
	return h.commandAs(id, line, owner)
}

func (h *house) commandAs(id, line string, as event.Principal) int64 {
	h.t.Helper()
	seq, err := h.Submit(h.t.Context(), session.Input{Chat: "main", ID: id, From: "ana", Text: line,
		Principal: as, Command: true})
	if err != nil {
		h.t.Fatal(err)
	}
	return seq
}

// off is a model that nobody may ask.
func off(t *testing.T) llm.Model {
	return model(func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
		t.Error("the model was asked")
		return nil, errors.New("it is switched off")
	})
}

// unasked are sessions whose settings nobody may ask for.
func unasked(t *testing.T) func(*session.Config, *session.Settings) {
	return func(cfg *session.Config, _ *session.Settings) {
		cfg.Settings = func(context.Context) session.Settings {
			t.Error("the settings were asked for")
			return session.Settings{}
		}
	}
}

func replyOf(bodies []event.Body) event.Replied {
	if all := of[event.Replied](bodies); len(all) == 1 {
		return all[0]
	}
	return event.Replied{}
}

// A command passes policy, journal and audit as a model's call does, and asks neither a model nor
// how one is asked.
func TestCommands(t *testing.T) {
	guest := event.Principal{Platform: "cli", Scope: "private", Level: event.User}
	for name, c := range map[string]struct {
		line  string
		as    event.Principal
		allow bool
		types string
		want  string // in the reply
		did   string
	}{
		"reads":         {"/look a", owner, false, "said generated called returned replied ended", "look a", "look a"},
		"writes":        {"/write b", owner, false, "said generated called started returned replied ended", "write b", "write b"},
		"by name":       {"/write path=b", owner, false, "said generated called started returned replied ended", "write b", "write b"},
		"yes":           {"/run c", owner, true, "said generated called asked decided started returned replied ended", "run c", "run c"},
		"no":            {"/run c", owner, false, "said generated called asked decided returned replied ended", "denied by the user", ""},
		"level":         {"/kick bo", guest, true, "said generated called returned replied ended", "you need more rights for that, which an owner or admin can give", ""},
		"usage":         {"/look a b", owner, false, "said replied ended", "usage: ", ""},
		"no usage":      {"/kick bo now then", guest, false, "said replied ended", "not for you here", ""},
		"unknown":       {"/lok a", owner, false, "said replied ended", "did you mean look?", ""},
		"above them":    {"/kik bo", guest, false, "said replied ended", `there is no command "kik"; /help lists the commands`, ""},
		"for who may":   {"/kik bo", event.Principal{Platform: "cli", Scope: "private", Level: event.GroupAdmin}, false, "said replied ended", "did you mean kick?", ""},
		"of a skill":    {"/play_song x", owner, false, "said generated called started returned replied ended", "play_song did it x", "play_song x"},
		"skill's level": {"/forecast x", guest, false, "said generated called returned replied ended", "you need more rights for that, which an owner or admin can give", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				kick := doesWith(tools.Def{Name: "kick", Capabilities: tools.Writes, Level: event.GroupAdmin}, did)
				sky := weather(did)
				sky.Level = event.BotAdmin
				memory := storetest.NewMemory(time.Now)
				h := skilledWith(t, memory, off(t), []skills.Skill{music(did), sky}, []tools.Tool{kick}, unasked(t))
				bodies := h.watch(h.commandAs("1", c.line, c.as), c.allow)
				if diff := cmp.Diff(c.types, types(bodies)); diff != "" {
					t.Error(diff)
				}
				if got := replyOf(bodies).Text; !strings.Contains(got, c.want) ||
					strings.Contains(got, "do not retry") || strings.HasPrefix(got, "error") || strings.Contains(got, " denied (") ||
					name == "no usage" && strings.Contains(got, "usage") {
					t.Errorf("the reply is %q", got)
				}
				for what, n := range h.did {
					did[what] += n
				}
				if len(did) > 1 || c.did != "" && did[c.did] != 1 {
					t.Errorf("did %v", did)
				}
				if audits := records(t, memory); len(audits) != len(of[event.Returned](bodies)) {
					t.Errorf("%d calls are on record", len(audits))
				}
			})
		})
	}
}

// records are the records of calls in a journal.
func records(t *testing.T, m *storetest.Memory) []event.Audit {
	t.Helper()
	all, err := m.Audits(t.Context(), store.AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Wherever a crash lands, a command ends, and does nothing twice.
func TestACommandAndACrash(t *testing.T) {
	for n := 1; n < 10; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				memory := storetest.NewMemory(time.Now)
				first := skilledWith(t, &crashing{memory, n}, off(t), nil, nil, unasked(t))
				seq := first.command("1", "/write b")
				synctest.Wait()
				first.Close()
				second := skilledWith(t, memory, off(t), nil, nil, unasked(t))
				bodies := second.watch(seq, false)
				if ends(t, memory) != 1 || first.did["write b"]+second.did["write b"] > 1 ||
					len(of[event.Returned](bodies)) != 1 || replyOf(bodies).Text == "" {
					t.Errorf("it was %s; did %v and %v", types(bodies), first.did, second.did)
				}
				second.Close()
				var requests []llm.Request
				third := skilled(t, memory, model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
					requests = append(requests, r)
					return llm.Say("well")(ctx, r, d)
				}), nil)
				third.watch(third.submit("2", "hello"), false)
				legal(t, requests)
				if told := fmt.Sprint(requests[0].Messages); strings.Count(told, "write b") > 3 {
					t.Errorf("the model reads the result twice: %s", told)
				}
			})
		})
	}
}

// A tool that is gone after a crash leaves a legal conversation.
func TestACommandWhoseToolIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did, memory := map[string]int{}, storetest.NewMemory(time.Now)
		first := skilledWith(t, &crashing{memory, 3}, off(t), []skills.Skill{music(did)}, nil, unasked(t))
		seq := first.command("1", "/play_song x")
		synctest.Wait()
		first.Close()
		script := llm.NewScript(says(1)...)
		second := skilled(t, memory, script, nil)
		if bodies := second.watch(seq, false); !strings.Contains(replyOf(bodies).Text, "no command") {
			t.Errorf("%s", types(bodies))
		}
		second.watch(second.submit("2", "hello"), false)
		legal(t, script.Requests())
	})
}

// A command waits for its own turn, and nothing joins it.
func TestCommandsDoNotJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		var second, third int64
		script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			second, third = h.command("2", "/look b"), h.submit("3", "besides")
			return llm.Do(call(1, "look", "a"))(ctx, r, d)
		}, llm.Say("seen"), llm.Say("well"))
		memory := storetest.NewMemory(time.Now)
		h = skilled(t, memory, script, nil)
		h.watch(h.submit("1", "look at a"), false)
		if got := types(h.watch(second, false)); got != "said generated called returned replied ended" {
			t.Errorf("the command's turn is %s", got)
		}
		h.watch(third, false)
		if n := ends(t, memory); n != 3 {
			t.Errorf("%d turns", n)
		}
		legal(t, script.Requests())
		want := []string{"user look at a", "assistant", "tool look a", "assistant seen", "user /look b",
			"assistant", "tool look b",
			"assistant [The user has read that.]", "user besides"}
		if diff := cmp.Diff(want, summary(script.Requests()[2])); diff != "" {
			t.Error(diff)
		}
	})
}

// What a person types is judged by itself, whatever the conversation has read: nothing of that can
// be in it. What comes with it that others chose counts, and what others wrote orders nothing.
func TestACommandIsJudgedByItself(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*session.Input)
		want   []string // by which rules it is refused
	}{
		"typed":     {func(*session.Input) {}, []string{""}},
		"elsewhere": {func(in *session.Input) { in.Text = "/fetch https://c.example/" }, []string{""}},
		"aside":     {func(in *session.Input) { in.Aside = []string{"https://b.example/?q=1"} }, []string{"constructed-address"}},
		"message":   {func(in *session.Input) { in.Command = false }, []string{"rule-of-two"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				did := map[string]int{}
				script := llm.NewScript(llm.Do(plain(1, "diary"), fetch(2, "https://a.example/x")), llm.Say("read"), llm.Do(fetch(3, "https://d.example/?q=1")),
					llm.Say("well"))
				h := skilled(t, storetest.NewMemory(time.Now), script, nil, world(&did)...)
				h.watch(h.submit("1", "read my diary and https://a.example/x"), false)
				in := session.Input{Chat: "main", ID: "2", From: "ana", Text: "/fetch https://b.example/?q=1",
					Principal: owner, Command: true}
				c.change(&in)
				seq, err := h.Submit(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				bodies := h.watch(seq, false)
				if diff := cmp.Diff(c.want, rules(bodies)); diff != "" {
					t.Error(diff)
				}
				if called := of[event.Called](bodies); !called[0].Label.Private { // what is told of it is the conversation's
					t.Errorf("called %+v", called[0])
				}
			})
		})
	}
}

func TestWhatOthersWroteIsNoCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := llm.NewScript(says(1)...)
		h := skilled(t, storetest.NewMemory(time.Now), script, nil)
		seq, err := h.Submit(t.Context(), session.Input{Chat: "main", ID: "1", From: "ana", Text: "/write b",
			Principal: owner, Command: true,
			Label: event.Label{Untrusted: true, Source: "forwarded"}})
		if err != nil {
			t.Fatal(err)
		}
		h.watch(seq, false)
		if h.did["write b"] > 0 || len(script.Requests()) != 1 {
			t.Errorf("did %v", h.did)
		}
	})
}

// A long result is shown to who asked for it, up to a bound.
func TestTheResultOfACommandIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := tools.New(tools.Def{Name: "long", Description: "is long", Capabilities: tools.Reads}, func(context.Context, struct{}) (tools.Result, error) {
			return tools.Result{Text: strings.Repeat("line\n", 1000),
				Effects: []event.Effect{{Kind: "sent", Target: "x"}}}, nil
		})
		h := skilledWith(t, storetest.NewMemory(time.Now), off(t), nil, []tools.Tool{long}, unasked(t))
		r := replyOf(h.watch(h.command("1", "/long"), false))
		if strings.Count(r.Text, "line\n") < 999 || r.Receipt == "" || !strings.HasSuffix(r.Text, r.Receipt) {
			t.Errorf("%d bytes, %q", len(r.Text), r.Receipt)
		}
	})
}

// A skill that narrows what a model may call narrows no person.
func TestCommandsAreNotNarrowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		s := music(did)
		s.Allowed = []string{}
		h := skilledWith(t, storetest.NewMemory(time.Now), llm.NewScript(says(1)...), []skills.Skill{s}, nil,
			func(*session.Config, *session.Settings) {})
		h.watch(h.submit("1", "a song"), false)
		bodies := h.watch(h.command("2", "/write song"), false)
		if diff := cmp.Diff([]string{""}, rules(bodies)); diff != "" || slices.ContainsFunc(bodies, func(b event.Body) bool { return b.Type() == "opened" }) {
			t.Error(diff, types(bodies))
		}
	})
}

// People are told of the commands that they may call. For whom a skill is, its tools are.
func TestCommandsAreToldToWhoMayCallThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		did := map[string]int{}
		sky := weather(did)
		sky.Level = event.BotAdmin
		h := skilledWith(t, storetest.NewMemory(time.Now), off(t), []skills.Skill{music(did), sky}, nil, unasked(t))
		for level, want := range map[event.Level]bool{event.User: false, event.BotAdmin: true} {
			all, err := h.Commands(t.Context(), "main",
				event.Principal{Platform: "cli", Scope: "private", Level: level})
			if err != nil {
				t.Fatal(err)
			}
			has := func(name string) bool {
				return slices.ContainsFunc(all, func(one tools.Tool) bool { return one.Name() == name })
			}
			if has("forecast") != want || !has("play_song") {
				t.Errorf("%s is told of %d commands, forecast %v", level, len(all), has("forecast"))
			}
		}
	})
}
