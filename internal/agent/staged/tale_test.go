package staged_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/agent/staged"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// tale is a story and its driver. A call that is made again at the same place of a turn is not done
// again: it replays.
type tale struct {
	narration driver.Narration
	done      []string        // what was done, in order
	at        map[string]int  // places of these calls
	places    []tools.CallRef // of all calls, in the order in which they were made
	finalized map[string]int  // how often Finalize was called with words
	problems  func() []string // of words; nil: none but dragons
	broken    bool            // it has no words of its own
}

func newTale() *tale {
	return &tale{at: map[string]int{}, finalized: map[string]int{},
		narration: driver.Narration{Batches: 5, Ask: "Tell it.", Temperature: 0.8, Tokens: 180, Rewrites: 1}}
}

func (s *tale) TryDirect(_ context.Context, words string) (driver.Plan, bool, error) {
	rest, ok := strings.CutPrefix(words, "go ")
	if !ok {
		return driver.Plan{}, false, nil
	}
	var plan driver.Plan
	for to := range strings.FieldsSeq(rest) {
		plan.Calls = append(plan.Calls, driver.PlannedCall{Name: "walk", Args: fmt.Appendf(nil, `{"to":%q}`, to)})
	}
	return plan, true, nil
}

func (s *tale) Context(context.Context, string) (string, error) {
	return "[You are at " + s.where() + ".]", nil
}

func (s *tale) where() string {
	if len(s.done) == 0 {
		return "home"
	}
	return s.done[len(s.done)-1]
}

func (s *tale) Narration(context.Context) (driver.Narration, bool) { return s.narration, true }

func (s *tale) Check(_ context.Context, draft string) []string {
	if s.problems != nil {
		return s.problems()
	}
	if strings.Contains(draft, "dragon") {
		return []string{"there is no dragon"}
	}
	return nil
}

func (s *tale) Fallback(_ context.Context, told string) (string, error) {
	switch {
	case told != "":
		return told + " And so it was.", nil
	case s.broken:
		return "", errors.New("no words")
	case len(s.done) == 0:
		return "Nothing happens. Say what you do.", nil
	}
	return "You walked to " + strings.Join(s.done, " and ") + ".", nil
}

func (s *tale) Finalize(_ context.Context, words string) (tools.Result, error) {
	s.finalized[words]++
	return tools.Result{Text: words + "\n\nAt " + s.where(), Choices: []event.Choice{{Label: "on", Text: "go on", Pick: "7"}}}, nil
}

// walk is the tool of a tale. "nowhere" cannot be walked to, and "hell" is a bug.
func (s *tale) walk() tools.Tool {
	type way struct {
		To string `json:"to"`
	}
	return tools.New(tools.Def{Name: "walk", Description: "walks", Capabilities: tools.Reads | tools.Writes | tools.Replays},
		func(ctx context.Context, in way) (tools.Result, error) {
			place := tools.CallerFrom(ctx).Call
			s.places = append(s.places, place)
			switch in.To {
			case "nowhere":
				return tools.Result{}, &tools.Error{Type: event.TypeNotFound, Code: event.CodeInvalidValue, Message: "there is no way to nowhere"}
			case "hell":
				panic("a bug")
			}
			from := s.where()
			if key := fmt.Sprint(place); s.at[key] == 0 {
				s.at[key]++
				s.done = append(s.done, in.To)
			}
			return tools.Result{Text: "you walked from " + from + " to " + in.To, Effects: []event.Effect{{Kind: "played", Target: "tale"}}}, nil
		})
}

// turn is a turn of the tale.
func (s *tale) turn(words string) agent.Turn {
	return agent.Turn{System: "You lead.", Stage: staged.New(s, words, nil), Tools: []tools.Tool{s.walk(), agenttest.Tools()[0]},
		History: []llm.Message{{Role: llm.UserRole, Text: words}}, Options: llm.Options{NumPredict: 100, Think: llm.ThinkOn, Temperature: 0.1}}
}

func walk(n int, to string) llm.Step {
	return llm.Do(llm.CallOf(n, "walk", map[string]string{"to": to}))
}

// classes are those of the replies, in order.
func classes(bodies []event.Body) string {
	var all []string
	for _, g := range agenttest.Of[event.Generated](bodies) {
		all = append(all, g.Class)
	}
	return strings.Join(all, " ")
}

// prefix returns an error for a request that does not begin with the one before it.
func prefix(requests []llm.Request) error {
	for i := 1; i < len(requests); i++ {
		a, b := requests[i-1], requests[i]
		if a.System != b.System || fmt.Sprint(a.Tools) != fmt.Sprint(b.Tools) || string(a.Format) != string(b.Format) {
			return fmt.Errorf("request %d has another head", i+1)
		}
		if len(b.Messages) < len(a.Messages) {
			return fmt.Errorf("request %d has fewer messages", i+1)
		}
		for k := range a.Messages {
			if fmt.Sprint(a.Messages[k]) != fmt.Sprint(b.Messages[k]) {
				return fmt.Errorf("request %d, message %d is %+v, it was %+v", i+1, k, b.Messages[k], a.Messages[k])
			}
		}
	}
	return nil
}
