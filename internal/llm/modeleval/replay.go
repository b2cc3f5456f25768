package modeleval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// Limits of a replay. A recorded answer may be a long one; more than three requests over what was recorded is a
// model that does not find its way.
const (
	replayTokens  = 2048
	extraRequests = 3
)

// RecordedTurn is a turn that was played before.
type RecordedTurn struct {
	System  string
	Tools   []llm.ToolDefinition
	History []llm.Message // the conversation before the turn
	Turn    []llm.Message // a user's message, then calls, their results and the answer
}

// Outcome says how a model did compared with what was recorded.
type Outcome string

// The outcomes.
const (
	Same      Outcome = "same"      // the same calls in the same order, and an answer
	Different Outcome = "different" // other calls that could run, or an answer after other calls
	Worse     Outcome = "worse"     // nothing that a person would want
)

// Comparison is how a model did in one turn.
type Comparison struct {
	UserText string  `json:"words"` // the user's that began the turn
	Outcome  Outcome `json:"outcome"`
	Why      string  `json:"why,omitempty"` // one line; "" if it is the same
}

// Replay plays the turns with the model and compares. No tool is run: results are those that were recorded. onTurn hears
// of every turn as it ends; it may be nil. The error is that of [Run]; what was compared before it is returned too.
func Replay(ctx context.Context, m llm.Model, p llm.Profile, turns []RecordedTurn, onTurn func(Comparison)) ([]Comparison, error) {
	var all []Comparison
	for _, turn := range turns {
		c, err := replay(ctx, m, p, turn)
		if err != nil {
			return all, fmt.Errorf("replay turn: %w", err)
		}
		all = append(all, c)
		if onTurn != nil {
			onTurn(c)
		}
	}
	return all, nil
}

// recordedCall is a recorded call.
type recordedCall struct {
	key    string // tool and canonical arguments
	result string
	then   []string // the user's messages between its result and the next call
	made   bool
}

// recordedScript is a recorded turn in parts.
type recordedScript struct {
	opening  []llm.Message // before the first reply
	steps    []recordedCall
	requests int // replies of the model
	answered bool
}

// takeApart takes a turn apart. A call without a result was never run, and nothing can be said of what follows it.
func takeApart(turn []llm.Message) recordedScript {
	results := map[string]string{}
	for _, m := range turn {
		if m.Role == llm.ToolRole {
			results[m.CallID] = m.Text
		}
	}
	var s recordedScript
	for _, m := range turn {
		switch {
		case m.Role == llm.UserRole && s.requests == 0:
			s.opening = append(s.opening, m)
		case m.Role == llm.UserRole && len(s.steps) > 0:
			last := &s.steps[len(s.steps)-1]
			last.then = append(last.then, m.Text)
		case m.Role == llm.AssistantRole:
			s.requests++
			for _, c := range m.Calls {
				if result, ran := results[c.ID]; ran {
					s.steps = append(s.steps, recordedCall{key: keyOf(c), result: result})
				}
			}
			s.answered = len(m.Calls) == 0 && strings.TrimSpace(m.Text) != ""
		}
	}
	return s
}

func replay(ctx context.Context, m llm.Model, p llm.Profile, turn RecordedTurn) (Comparison, error) {
	s := takeApart(turn.Turn)
	var c Comparison
	if len(s.opening) > 0 {
		c.UserText = s.opening[0].Text
	}
	if len(s.opening) == 0 || !s.answered {
		c.Outcome, c.Why = Different, "the recorded turn has no words or no answer to compare with"
		return c, nil
	}
	t := newConversation(m, p, turn.System, turn.Tools)
	t.tokens = replayTokens
	for _, m := range turn.History {
		if p.Keep != llm.KeepAll {
			m.Thinking = ""
		}
		for _, call := range m.Calls {
			t.ids[call.ID] = true
		}
		t.messages = append(t.messages, m)
	}
	t.messages = append(t.messages, s.opening...)
	var err error
	c.Outcome, c.Why, err = s.play(ctx, t)
	return c, err
}

// play lets the model have its turn.
func (s *recordedScript) play(ctx context.Context, t *conversation) (Outcome, string, error) {
	seen := map[string]bool{}
	inOrder := true
	for t.requests < s.requests+extraRequests {
		r, err := t.askPatiently(ctx)
		switch {
		case err != nil:
			return "", "", err
		case r.Class == toolcall.Text:
			outcome, why := s.compare(inOrder)
			return outcome, why, nil
		case r.Class != toolcall.Calls:
			return Worse, describe(r), nil
		}
		for _, c := range r.Calls {
			key := keyOf(c.Call)
			i := s.find(key)
			switch {
			case i < 0 && seen[key]:
				return Worse, oneLine("repeats " + c.Name + " " + string(c.Args)), nil
			case i < 0:
				return Different, oneLine("calls " + c.Name + " " + string(c.Args) + ", which was not recorded"), nil
			}
			inOrder = inOrder && i == s.firstOpen()
			seen[key], s.steps[i].made = true, true
			t.addResult(c, s.steps[i].result)
		}
		s.addUserWords(t)
	}
	return Worse, fmt.Sprintf("has no answer after %d requests, and %d were recorded", t.requests, s.requests), nil
}

// compare says how an answer compares, by the calls before it.
func (s *recordedScript) compare(inOrder bool) (Outcome, string) {
	made := 0
	for _, step := range s.steps {
		if step.made {
			made++
		}
	}
	switch {
	case made < len(s.steps):
		return Different, fmt.Sprintf("answers after %d of %d recorded calls", made, len(s.steps))
	case !inOrder:
		return Different, "makes the recorded calls in another order"
	}
	return Same, ""
}

// firstOpen returns the index of the first call that was not made yet, or -1.
func (s *recordedScript) firstOpen() int {
	return slices.IndexFunc(s.steps, func(step recordedCall) bool { return !step.made })
}

// find returns the index of the first such call that was not made yet, or -1.
func (s *recordedScript) find(key string) int {
	return slices.IndexFunc(s.steps, func(step recordedCall) bool { return !step.made && step.key == key })
}

// addUserWords says what the user said in the turn after the calls that were made.
func (s *recordedScript) addUserWords(t *conversation) {
	for i := range s.steps {
		if !s.steps[i].made {
			return
		}
		for _, words := range s.steps[i].then {
			t.addUser(words)
		}
		s.steps[i].then = nil
	}
}

// askPatiently asks once more where the connection broke, and takes a reply that is too slow for none.
func (t *conversation) askPatiently(ctx context.Context) (toolcall.Reading, error) {
	for try := 0; ; try++ {
		limited, cancel := context.WithTimeout(ctx, checkTime)
		r, err := t.ask(limited)
		cancel()
		switch {
		case ctx.Err() != nil:
			return r, context.Cause(ctx)
		case errors.Is(err, context.DeadlineExceeded):
			return toolcall.Reading{Class: toolcall.Failed, Reason: fmt.Sprintf("took longer than %v", checkTime)}, nil
		case err != nil:
			return r, err
		case try == 0 && (r.Class == toolcall.Transport || r.Class == toolcall.Incomplete):
			t.requests--
		default:
			return r, nil
		}
	}
}

// keyOf is what makes two calls the same.
func keyOf(c llm.Call) string { return c.Name + " " + llm.CanonicalArgs(c.Args) }
