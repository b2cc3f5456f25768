package recall

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/memory"
	"hob/internal/tools"
)

// Facts are what is known, and who asks.
type Facts struct {
	*memory.Memory
	// Who returns the person that a call is made for.
	Who func(ctx context.Context) (memory.Person, error)
}

// search returns the facts that a query is about and that whoever asks may know.
func (f Facts) search(ctx context.Context, query string) ([]memory.Found, error) {
	who, err := f.Who(ctx)
	if err != nil {
		return nil, failed(err)
	}
	found, err := f.Search(ctx, who, query, maxFacts)
	if err != nil {
		return nil, failed(err)
	}
	return found, nil
}

// about returns the facts that a query is about, a line each.
func (f Facts) about(ctx context.Context, query string) (tools.Result, error) {
	d, lines := recallData{Facts: []fact{}, Found: []recalled{}}, []string(nil)
	who, err := f.Who(ctx)
	if err != nil {
		return tools.Result{}, failed(err)
	}
	some, err := f.Riding(ctx, who, query)
	if err != nil {
		return tools.Result{}, failed(err)
	}
	from := event.Label{Private: true, Source: "chat"}
	for _, k := range some {
		from = from.Join(k.Label)
		lines = append(lines, fmt.Sprintf("#%d %s", k.ID, oneLine(k.Text)))
		d.Facts = append(d.Facts, fact{k.ID, k.Key, k.Text, k.Time})
	}
	if len(lines) == 0 {
		lines = []string{"nothing is known of " + display.Quote(display.Brief(query))}
	}
	return tools.Result{Text: strings.Join(lines, "\n"), Data: d, Label: from}, nil
}

// failed is a failure of the store, or a refusal, as a tool says it.
func failed(err error) error {
	if no := (*memory.Refusal)(nil); errors.As(err, &no) {
		return tools.Invalid(event.CodeInvalidValue, "%s", no.Why)
	}
	return tools.Failed("what is known could not be reached: %s", display.Reason(err))
}

type rememberIn struct {
	Text string `json:"text" jsonschema:"in the user's words"`
	Key  string `json:"key,omitempty" jsonschema:"such as birthday"`
	Of   string `json:"of,omitempty" jsonschema:"me or house" quiet:"true"`
}

// NewRemember returns remember: it keeps one fact. What came of strangers' words waits for a person's yes instead, so a call needs no
// question: nothing reads the fact before.
func NewRemember(f Facts) tools.Tool {
	return tools.New(tools.Def{
		Name: "remember", Description: "Keep one fact for good.",
		Capabilities: tools.Writes,
		Command:      "remember <text:string...>", Examples: []string{"remember my name is Anna", "remember of=house the boiler code is 4711"},
		Check: tools.CheckArgs(rememberIn.check),
	}, f.remember)
}

func (in rememberIn) check() error {
	switch {
	case strings.TrimSpace(in.Text) == "":
		return tools.Invalid(event.CodeRequiredField, "text: says nothing")
	case len(in.Text) > memory.MaxText:
		return tools.Invalid(event.CodeInvalidValue, "text: has %d bytes, and a fact has at most %d", len(in.Text), memory.MaxText).
			Suggest("keep it with note_add")
	case in.Of != "" && in.Of != "me" && in.Of != "house":
		return tools.Invalid(event.CodeInvalidValue, "of: must be me or house, not %s", in.Of)
	}
	return nil
}

// kept is the Data of remember and forget.
type kept struct {
	ID      int64  `json:"id"`
	Text    string `json:"text"`
	Key     string `json:"key,omitempty"`
	Waiting bool   `json:"waiting,omitempty"` // nothing reads it before a person has said yes
	Rival   int64  `json:"rival,omitempty"`   // the fact that stays until then
	Change  int64  `json:"change,omitempty"`  // undo takes it back
}

func (f Facts) remember(ctx context.Context, in rememberIn) (tools.Result, error) {
	who, err := f.Who(ctx)
	if err != nil {
		return tools.Result{}, failed(err)
	}
	caller := tools.CallerFrom(ctx)
	out, err := f.Remember(ctx, who, memory.Saying{
		Text: in.Text, Key: in.Key, House: in.Of == "house", Label: caller.Label, Typed: caller.Typed, Words: caller.Words, Cause: caller.Cause("remember"),
	})
	if err != nil {
		return tools.Result{}, failed(err)
	}
	res := tools.Result{Data: kept{out.ID, out.Text, out.Key, out.State == event.FactWaiting, out.Rival.ID, out.Change}}
	kind := "remembered"
	switch {
	case out.Known && out.State == event.FactKept:
		res.Text = fmt.Sprintf("this is known already, as fact %d", out.ID)
		return res, nil
	case out.State == event.FactKept:
		res.Text = fmt.Sprintf("remembered as fact %d: %s", out.ID, out.Text)
	default:
		kind = "set aside"
		res.Text = fmt.Sprintf("set aside as fact %d, and not known yet: %s", out.ID, why(out))
	}
	if out.Change != 0 {
		res.Effects = []event.Effect{effect(kind, out.Text, out.Change)}
	}
	return res, nil
}

// why says why a fact waits, and what a person does about it.
func why(out memory.Outcome) string {
	switch {
	case out.Label.Untrusted:
		return fmt.Sprintf("somebody else's words led to it. /memory shows it, /memory accept %d keeps it", out.ID)
	case out.Rival.ID == 0 && out.Unsaid:
		return fmt.Sprintf("the user has not said that in these words. /memory accept %d keeps it", out.ID)
	case out.Rival.ID != 0:
		return fmt.Sprintf("fact %d says: %s. /memory replace %d takes the new one, /memory keep %d the old one", out.Rival.ID, out.Rival.Text, out.ID, out.ID)
	}
	return "it is for others to read, too, so an admin says yes to it with /memory accept " + strconv.FormatInt(out.ID, 10)
}

func effect(kind, text string, change int64) event.Effect {
	return event.Effect{Kind: kind, Target: display.Brief(text), Change: change}
}

// choicesOf returns a choice for each of some facts that are meant to be forgotten, of which an answer may name one.
func choicesOf(some []event.Fact) []event.Choice {
	return lists.Map(some, func(f event.Fact) event.Choice {
		number := "#" + strconv.FormatInt(f.ID, 10)
		return event.Choice{Label: display.Truncate(oneLine(f.Text), 30) + " " + number, Text: "/forget " + number, Trusted: true}
	})
}

type forgetIn struct {
	Fact string `json:"fact" jsonschema:"its #number, its key, or words of it"`
}

// NewForget returns forget: it removes one fact, which undo brings back.
func NewForget(f Facts) tools.Tool {
	return tools.New(tools.Def{
		Name: "forget", Description: "Remove one fact.",
		Capabilities: tools.Writes | tools.Persists | tools.Private,
		Command:      "forget <fact:string...>", Examples: []string{"forget #12", "forget my address"},
	}, f.forget)
}

func (f Facts) forget(ctx context.Context, in forgetIn) (tools.Result, error) {
	who, err := f.Who(ctx)
	if err != nil {
		return tools.Result{}, failed(err)
	}
	some, err := f.Meant(ctx, who, in.Fact)
	if err != nil {
		return tools.Result{}, failed(err)
	}
	label := event.Label{Private: true, Source: "memory"}
	if len(some) != 1 {
		lines := lists.Map(some, func(f event.Fact) string { return fmt.Sprintf("fact %d: %s", f.ID, f.Text) })
		if len(lines) == 0 {
			return tools.Result{}, tools.Missing(event.CodeInvalidValue, "nothing of that is known: %s", display.Quote(display.Brief(in.Fact)))
		}
		return tools.Result{Label: label, Choices: choicesOf(some)}, tools.Invalid(event.CodeInvalidValue, "more than one fact fits: %s", strings.Join(lines, "; ")).
			Suggest("call forget with one of the numbers")
	}
	caller := tools.CallerFrom(ctx)
	if !caller.Typed && !f.MayForget(some[0], caller.Words) {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "the user has not asked for fact %d to be forgotten", some[0].ID).
			Suggest("ask them; they can say /memory forget " + strconv.FormatInt(some[0].ID, 10))
	}
	gone, change, err := f.Forget(ctx, who, some[0].ID, caller.Cause("forget"))
	if err != nil {
		return tools.Result{}, failed(err)
	}
	return tools.Result{
		Text: fmt.Sprintf("forgot fact %d: %s", gone.ID, gone.Text), Label: label,
		Data:    kept{ID: gone.ID, Text: gone.Text, Key: gone.Key, Change: change},
		Effects: []event.Effect{effect("forgot", gone.Text, change)},
	}, nil
}
