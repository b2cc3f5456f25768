package modeleval

import (
	"cmp"
	"context"
	_ "embed" // tasks.toml
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/lazyregexp"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/tools"
)

// task is a check that is played as a whole turn, by the loop that plays every turn of hob: what that mends counts for the
// model.
type task struct {
	Name  string
	Words string       // the user's
	Look  []look       // tools of a small world that never changes
	act   []tools.Tool // its tools that do more than look
	Rules []rule
	judge func(outcome) string // what went wrong although it keeps to the rules, "" if nothing did; nil: nothing can
}

//go:embed tasks.toml
var tasksFile string

// tasks returns the checks that are played by the loop. They are made of what models of up to 8B fail at when each call by
// itself is right: to notice what a result lacks, and to carry a fact from one result into the next call.
func tasks() []task {
	var file struct{ Task []task }
	if _, err := toml.Decode(tasksFile, &file); err != nil {
		panic(err) // a mistake in the source
	}
	judges := map[string]func(outcome) string{
		"grounded synthesis": judgeMeter, "conditional routing": judgeForecast,
	}
	acts := map[string][]tools.Tool{"argument transformation": {addEntry()}, "conditional routing": {sendMessage()}}
	for i, t := range file.Task {
		file.Task[i].judge, file.Task[i].act = judges[t.Name], acts[t.Name]
	}
	return file.Task
}

// tools returns all tools of a task.
func (c task) tools() []tools.Tool {
	return append(lists.Map(c.Look, look.tool), c.act...)
}

// Bounds of a task. A right one has at most five replies.
const (
	taskSteps  = 10
	taskCalls  = 16
	taskOutput = 8 * (replyTokens + thinkingTokens)
)

// outcome is the outcome of a task.
type outcome struct {
	reason event.Reason
	reply  string // of the loop, with its notes
	calls  []madeCall
}

// madeCall is a call and whether it succeeded.
type madeCall struct {
	id   string
	tool string
	args json.RawMessage
	ok   bool
}

// play plays a task with a model as its profile says, and judges it. calls is how many it made. The error is one of the
// model's, or the end of ctx.
func (c task) play(ctx context.Context, m *counter, p llm.Profile, b *battery) (note string, calls int, err error) {
	var o outcome
	turn := agent.Turn{
		System: system, History: []llm.Message{{Role: llm.UserRole, Text: c.Words}}, Tools: c.tools(),
		Profile: p, Options: replyOptions(p, replyTokens),
		Budget: agent.Budget{Steps: taskSteps, Calls: taskCalls, Time: 2 * checkTime, Output: taskOutput},
	}
	_, err = agent.New(m, allow{}, nil, nil, b.now).Run(ctx, turn, func(bodies ...event.Body) error {
		for _, body := range bodies {
			o.add(body)
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return "", len(o.calls), ctx.Err()
	case m.fatal != nil:
		return "", len(o.calls), fatalError{m.fatal}
	case err != nil:
		return "", len(o.calls), fmt.Errorf("play %s: %w", c.Name, err)
	case o.reason != event.Done:
		return oneLine(fmt.Sprintf("the turn ended with %q: %s", o.reason, o.reply)), len(o.calls), nil
	}
	for _, r := range c.Rules {
		note = cmp.Or(note, o.breaks(r))
	}
	if note == "" && c.judge != nil {
		note = c.judge(o)
	}
	if note != "" {
		note = oneLine(note + ": " + o.String())
	}
	return note, len(o.calls), nil
}

// allow permits every call: nothing that these tools do is real.
type allow struct{}

func (allow) Permit(ctx context.Context, _ tools.Tool, _ llm.Call) (context.Context, error) {
	return ctx, nil
}

func (o *outcome) add(body event.Body) {
	switch b := body.(type) {
	case event.Called:
		o.calls = append(o.calls, madeCall{id: b.ID, tool: b.Tool, args: b.Args})
	case event.Returned:
		if i := slices.IndexFunc(o.calls, func(c madeCall) bool { return c.id == b.ID }); i >= 0 {
			o.calls[i].ok = b.OK
		}
	case event.Replied:
		o.reply = b.Text
	case event.Ended:
		o.reason = b.Reason
	}
}

// String says in a line what was answered and what was called.
func (o outcome) String() string {
	if len(o.calls) == 0 {
		return fmt.Sprintf("answered %q without a call", o.reply)
	}
	calls := lists.Map(o.calls, func(c madeCall) string { return c.tool + " " + string(c.args) })
	return fmt.Sprintf("answered %q after %s", o.reply, strings.Join(calls, ", "))
}

// find returns the index of the first call of a tool that succeeded, with arguments that fit; -1 if there is none.
func (o outcome) find(tool string, with map[string]string) int {
	return slices.IndexFunc(o.calls, func(c madeCall) bool { return c.tool == tool && c.ok && fits(c.args, with) })
}

// succeeded counts the calls of a tool that succeeded.
func (o outcome) succeeded(tool string) int {
	n := 0
	for _, c := range o.calls {
		if c.tool == tool && c.ok {
			n++
		}
	}
	return n
}

// rule is what a right outcome has; see tasks.toml.
type rule struct {
	Call                string
	Once                bool
	With                map[string]string
	Says, Never, Unless string
	Fails               string
}

// breaks says what of a rule an outcome has not; "" if it has all.
func (o outcome) breaks(r rule) string {
	matches := func(pattern string) bool { return regexp.MustCompile("(?i)" + pattern).MatchString(o.reply) }
	switch {
	case r.Call != "" && o.find(r.Call, r.With) < 0, r.Once && o.succeeded(r.Call) != 1, !matches(r.Says), r.Never != "" && matches(r.Never) && (r.Unless == "" || !matches(r.Unless)):
		return cmp.Or(r.Fails, "no result of "+r.Call)
	}
	return ""
}

var oneNumber = lazyregexp.New(`\d+(?:[.,\x{00a0}\x{202f} ]\d{3})*(?:[.,]\d+)?`)

// numbers returns the whole numbers of the answer, without what separates their thousands.
func (o outcome) numbers() []string {
	plain := strings.NewReplacer(",", "", ".", "", " ", "", "\u00a0", "", "\u202f", "")
	return lists.Map(oneNumber().FindAllString(o.reply, -1), plain.Replace)
}
