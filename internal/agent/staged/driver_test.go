package staged_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/agent/staged"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/tools"
)

// master is a driver: it answers "roll", has plans for some words, gives the context, and objects
// to dragons.
type master struct {
	asked  *[]string
	direct error
	broken error // of Context
	silent bool  // it has no words of its own
	plans  map[string][]driver.PlannedCall
	tells  *driver.Narration // nil: the model answers in its own words
	result tools.Result      // of Finalize
	mute   error             // likewise
}

func (m master) note(what string) {
	if m.asked != nil {
		*m.asked = append(*m.asked, what)
	}
}

func (m master) TryDirect(_ context.Context, words string) (driver.Plan, bool, error) {
	m.note("direct " + words)
	if m.direct != nil {
		return driver.Plan{}, false, m.direct
	}
	if calls := m.plans[words]; calls != nil {
		return driver.Plan{Calls: calls}, true, nil
	}
	return driver.Plan{Result: rolled()}, words == "roll", nil
}

func rolled() tools.Result {
	return tools.Result{Text: "You rolled 4.", Effects: []event.Effect{{Kind: "rolled", Target: "4"}}, Files: []event.File{{Path: "map.png"}},
		Choices: []event.Choice{{}}, Label: event.Label{Private: true}}
}

func (m master) Context(_ context.Context, words string) (string, error) {
	m.note("context " + words)
	return "[It is night.]", m.broken
}

func (m master) Narration(context.Context) (driver.Narration, bool) {
	if m.tells == nil {
		return driver.Narration{}, false
	}
	m.note("narration")
	return *m.tells, true
}

func (m master) Finalize(_ context.Context, words string) (tools.Result, error) {
	m.note("finalize " + words)
	return m.result, m.mute
}

func (m master) Check(_ context.Context, draft string) []string {
	m.note("check " + draft)
	if strings.Contains(draft, "dragon") {
		return []string{"there is no dragon", "it is night"}
	}
	return nil
}

func (m master) Fallback(context.Context, string) (string, error) {
	m.note("fallback")
	if m.silent {
		return "", errors.New("no words")
	}
	return "Night falls.", nil
}

func TestADriverAnswersWithoutAModel(t *testing.T) {
	var asked []string
	script := llm.NewScript()
	got, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Stage: staged.New(master{asked: &asked}, "roll", nil)})
	if got != "You rolled 4." || agenttest.Names(bodies) != "generated replied ended" || len(script.Requests()) > 0 || len(asked) != 1 {
		t.Errorf("%q by %s, asked %v", got, agenttest.Names(bodies), asked)
	}
	r := agenttest.Of[event.Replied](bodies)[0]
	if len(r.Effects) != 1 || len(r.Files) != 1 || len(r.Choices) != 1 || !r.Label.Private || bodies[2].(event.Ended).Reason != event.Done {
		t.Errorf("%+v", r)
	}
}

// The person reads an error of the driver. A stop ends the turn as stopped; the end of the process
// leaves it open.
func TestADriverThatFails(t *testing.T) {
	bad := &tools.Error{Message: "there is no game here"}
	for name, c := range map[string]struct {
		driver master
		stop   error
		words  string
		reason event.Reason
	}{
		"direct": {master{direct: bad}, nil, "there is no game here", event.Done}, "context": {master{broken: bad}, nil, "there is no game here", event.Broken},
		"direct, stopped":  {master{direct: context.Canceled}, agent.ErrStopped, "Stopped.", event.Stopped},
		"context, stopped": {master{broken: context.Canceled}, agent.ErrStopped, "Stopped.", event.Stopped},
		"direct, down":     {master{direct: context.Canceled}, errors.New("down"), "", ""}, "context, down": {master{broken: context.Canceled}, errors.New("down"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			d := cancelling{c.driver, func() {
				if c.stop != nil {
					cancel(c.stop)
				}
			}}
			var bodies []event.Body
			turn := agent.Turn{Stage: staged.New(d, "hello", nil), History: []llm.Message{{Role: llm.UserRole, Text: "hello"}}}
			words, err := agent.New(llm.NewScript(), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, turn, func(all ...event.Body) error {
				bodies = append(bodies, all...)
				return nil
			})
			if words != c.words || (err != nil) != (c.reason == "") || c.reason == "" && len(bodies) > 0 {
				t.Errorf("%q, %v, %s", words, err, agenttest.Names(bodies))
			}
			if c.reason != "" && bodies[len(bodies)-1].(event.Ended).Reason != c.reason {
				t.Errorf("it ended with %+v", bodies[len(bodies)-1])
			}
		})
	}
}

// cancelling is a driver that cancels the turn when it is asked.
type cancelling struct {
	master
	cancel func()
}

func (c cancelling) TryDirect(ctx context.Context, words string) (driver.Plan, bool, error) {
	if c.direct != nil {
		c.cancel()
	}
	return c.master.TryDirect(ctx, words)
}

func (c cancelling) Context(ctx context.Context, words string) (string, error) {
	c.cancel()
	return c.master.Context(ctx, words)
}

// The context of the driver stands below the newest words in each request of the turn, and nowhere else.
func TestTheContextOfADriver(t *testing.T) {
	var asked []string
	script := llm.NewScript(llm.Do(llm.CallOf(1, "look", map[string]string{"path": "a"})), llm.Say("A dragon comes."), llm.Say("It is dark."))
	history := []llm.Message{{Role: llm.UserRole, Text: "before"}, {Role: llm.AssistantRole, Text: "well"}, {Role: llm.UserRole, Text: "hello\n\n[now]"}}
	_, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Stage: staged.New(master{asked: &asked}, "hello", nil), Tools: agenttest.Tools(), History: history, Begin: 2})
	for i, r := range script.Requests() {
		for k, m := range r.Messages {
			if strings.Contains(m.Text, "It is night.]") != (k == 2) || k == 2 && m.Text != "hello\n\n[now]\n\n[It is night.]" {
				t.Errorf("request %d, message %d is %q", i, k, m.Text)
			}
		}
	}
	for _, b := range bodies {
		raw, err := event.Marshal(b)
		if err != nil || strings.Contains(string(raw), "It is night.]") {
			t.Errorf("%s, %v", raw, err)
		}
	}
	if diff := cmp.Diff([]string{"direct hello", "context hello", "check A dragon comes.", "check It is dark.", "finalize It is dark."}, asked); diff != "" {
		t.Error(diff)
	}
	if history[2].Text != "hello\n\n[now]" {
		t.Error("the history was changed")
	}
}

// Words that fail the check are not shown: the model reads so once, then others take their place.
func TestADriverChecks(t *testing.T) {
	cut := func(text string) llm.Step {
		return func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
			return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}, Truncated: true}, nil
		}
	}
	for name, c := range map[string]struct {
		steps  []llm.Step
		silent bool
		want   string
		nudges int
		below  string // what stands below it: why the model could not be asked
	}{
		"fine":     {[]llm.Step{llm.Say("It is dark.")}, false, "It is dark.", 0, ""},
		"mended":   {[]llm.Step{llm.Say("A dragon."), llm.Say("It is dark.")}, false, "It is dark.", 1, ""},
		"untrue":   {[]llm.Step{llm.Say("A dragon."), llm.Say("Still a dragon.")}, false, "Night falls.", 1, ""},
		"cut":      {[]llm.Step{cut("A dragon and")}, false, "Night falls.", 0, ""},
		"no model": {[]llm.Step{llm.Fail(llm.Failed, "no server")}, false, "Night falls.", 0, "\n\nno server"},
		"half a reply": {[]llm.Step{func(_ context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			onDelta(llm.Delta{Text: "A dragon and"})
			return nil, &llm.Error{Kind: llm.Failed, Message: "no server"}
		}}, false, "Night falls.", 0, "\n\nno server"},
		"untrue, without other words": {[]llm.Step{llm.Say("A dragon."), llm.Say("Still a dragon.")}, true,
			"What the model said to that is not so, and is left out.", 1, ""},
		"no model at all": {[]llm.Step{llm.Fail(llm.Failed, "no server")}, true, "no server", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			script := llm.NewScript(c.steps...)
			got, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Stage: staged.New(master{silent: c.silent}, "hello", nil)})
			if got != c.want+c.below || agenttest.ReplyText(bodies) != got || len(agenttest.Of[event.Nudged](bodies)) != c.nudges {
				t.Errorf("%q, %q after %d nudges", got, agenttest.ReplyText(bodies), len(agenttest.Of[event.Nudged](bodies)))
			}
			for _, n := range agenttest.Of[event.Nudged](bodies) {
				if n.Why != event.ForUntrue || !strings.Contains(n.Text, "there is no dragon; it is night") {
					t.Errorf("%+v", n)
				}
			}
			for _, d := range agenttest.Of[event.Delta](bodies) {
				if d.Text != "" || d.Restart {
					t.Errorf("%+v was shown before it was checked", d)
				}
			}
			g := agenttest.Of[event.Generated](bodies)
			if last := g[len(g)-1].Message.Text; last != c.want {
				t.Errorf("the model reads %q as what was said", last)
			}
		})
	}
}

// After a crash the driver is not asked again for an answer or a plan where the model has replied.
func TestADriverIsAskedOnce(t *testing.T) {
	call := llm.CallOf(1, "look", map[string]string{"path": "a"})
	var asked []string
	history := []llm.Message{{Role: llm.UserRole, Text: "roll"}, {Role: llm.AssistantRole, Calls: []llm.Call{call}}}
	script := llm.NewScript(llm.Say("It is dark."))
	agenttest.Play(t, t.Context(), script, agent.Turn{Stage: staged.New(master{asked: &asked}, "roll", nil), Tools: agenttest.Tools(), History: history})
	want := []string{"context roll", "context roll", "check It is dark.", "finalize It is dark."} // before the call runs, and once it has
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

// The request for a summary begins with the words as the server has read them, with the context of
// the driver.
func TestADriverAndASummary(t *testing.T) {
	summed := 0
	for turns := 10; turns < 120; turns += 2 {
		var history []llm.Message
		for i := range turns {
			history = append(history, llm.Message{Role: llm.UserRole, Text: fmt.Sprintf("tell me of %d %s", i, strings.Repeat("and more ", 12))},
				llm.Message{Role: llm.AssistantRole, Text: fmt.Sprintf("much was said of %d %s", i, strings.Repeat("and so on ", 12))})
		}
		history = append(history, llm.Message{Role: llm.UserRole, Text: "hello"})
		script := llm.NewScript(llm.Say("They spoke."), llm.Say("It is dark."), llm.Say("It is dark."))
		_, bodies := agenttest.Play(t, t.Context(), script, agent.Turn{Stage: staged.New(master{}, "hello", nil), History: history, Begin: len(history) - 1,
			Window: window.Window{Size: 4096, Reserve: 400}})
		for _, g := range agenttest.Of[event.Generated](bodies) {
			if g.Class == "summary" {
				summed++
			}
		}
		for i, r := range script.Requests() {
			at := 0
			for k, m := range r.Messages {
				if m.Text == "hello\n\n[It is night.]" {
					at = k
				} else if strings.Contains(m.Text, "It is night.]") {
					t.Errorf("request %d, message %d is %q", i, k, m.Text)
				}
			}
			if at == 0 {
				t.Errorf("%d turns, request %d does not say what is so", turns, i)
			}
		}
	}
	if summed == 0 {
		t.Error("nothing was summed up")
	}
}
