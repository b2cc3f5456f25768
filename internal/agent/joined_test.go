package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"hob/internal/agent"
	"hob/internal/agent/agenttest"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
)

// arrivals are what a person says in the course of a turn, by the requests before which they say it.
func arrivals(t *testing.T, script *llm.Script, text string) func(context.Context) ([]llm.Message, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return func(context.Context) (said []llm.Message, err error) {
		for len(lines) > 0 && lines[0] != "" {
			before := 0
			number, words, _ := strings.Cut(lines[0], " ")
			if _, err := fmt.Sscan(number, &before); err != nil {
				t.Fatal(err)
			}
			if before > len(script.Requests())+1 {
				break
			}
			said, lines = append(said, llm.Message{Role: llm.UserRole, Text: words}), lines[1:]
		}
		return said, nil
	}
}

// Arrived is not called while a call waits for its result.
func TestArrivalsAreAskedForBetweenSteps(t *testing.T) {
	waits := 0
	turn := asked(agenttest.Tools()...)
	turn.Arrived = func(context.Context) ([]llm.Message, error) {
		if waits > 0 {
			t.Error("asked in the middle of a step")
		}
		return nil, nil
	}
	emit := func(bodies ...event.Body) error {
		for _, b := range bodies {
			switch b.(type) {
			case event.Called:
				waits++
			case event.Returned:
				waits--
			}
		}
		return nil
	}
	look := func(n int) llm.Call { return llm.CallOf(n, "look", map[string]string{"path": fmt.Sprint(n)}) }
	script := llm.NewScript(llm.Do(look(1), look(2)), llm.Do(look(3)), llm.Say("done"))
	if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, emit); err != nil {
		t.Fatal(err)
	}
}

// An arrival that cannot be journaled ends Run, and no request has words that are not durable.
func TestAnArrivalThatFails(t *testing.T) {
	full := errors.New("the disk is full")
	turn := asked(agenttest.Tools()...)
	turn.Arrived = func(context.Context) ([]llm.Message, error) { return nil, full }
	script := llm.NewScript(llm.Say("done"))
	var out recorder
	if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit); !errors.Is(err, full) || len(script.Requests()) > 0 {
		t.Errorf("Run = %v after %d requests", err, len(script.Requests()))
	}
}

// A call that is held back does not run and has no Started. A stop ends the wait: then its result
// says so.
func TestCallsThatMayNotEnter(t *testing.T) {
	write := llm.CallOf(1, "write", map[string]string{"path": "a"})
	down := errors.New("going down")
	for _, why := range []error{down, agent.ErrStopped} {
		ctx, cancel := context.WithCancelCause(t.Context())
		turn := asked(agenttest.Tools()...)
		turn.Enter = func(ctx context.Context) (func(), error) { cancel(why); return nil, context.Cause(ctx) }
		var out agenttest.Collector
		_, err := agent.New(llm.NewScript(llm.Do(write)), agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(ctx, turn, out.Emit)
		for _, b := range out.Bodies {
			if _, ok := b.(event.Started); ok {
				t.Errorf("%v: the call began", why)
			}
		}
		results := agenttest.Results(out.Bodies)
		if stopped := why == agent.ErrStopped; stopped && (err != nil || len(results) != 1 || results[0].By != "stop") || !stopped && (!errors.Is(err, down) || len(results) > 0) {
			t.Errorf("%v: Run = %v with results %+v", why, err, results)
		}
	}
}

// Calls leave when their results are durable, and not before.
func TestCallsLeaveWithTheirResults(t *testing.T) {
	inside := 0
	turn := asked(agenttest.Tools()...)
	turn.Enter = func(context.Context) (func(), error) { inside++; return func() { inside-- }, nil }
	emit := func(bodies ...event.Body) error {
		switch bodies[0].(type) {
		case event.Started, event.Returned:
			if inside != 1 {
				t.Errorf("%s while %d are inside", bodies[0].Type(), inside)
			}
		case event.Ended:
			if inside != 0 {
				t.Errorf("%d never left", inside)
			}
		}
		return nil
	}
	script := llm.NewScript(llm.Do(llm.CallOf(1, "look", map[string]string{"path": "a"})), llm.Do(llm.CallOf(2, "write", map[string]string{"path": "b"})), llm.Say("done"))
	if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, emit); err != nil || inside != 0 {
		t.Error(err, inside)
	}
}

// When a conversation is made shorter, earlier pictures go first and say so; those of the open turn
// stay for the model. None is journaled.
func TestPicturesOfALongConversation(t *testing.T) {
	turn := asked(longReads()...)
	turn.History = []llm.Message{
		{Role: llm.UserRole, Text: "What is a fox? " + strings.Repeat("Tell me more. ", 300)},
		{Role: llm.AssistantRole, Text: "It is red. " + strings.Repeat("It is red. ", 300)},
		{Role: llm.UserRole, Text: "What is this?", Images: [][]byte{[]byte("old")}}, {Role: llm.AssistantRole, Text: "A fox."},
		{Role: llm.UserRole, Text: "And this?", Images: [][]byte{[]byte("new")}},
	}
	turn.Begin, turn.Window = 4, window.Window{Size: 4096, Reserve: 700}
	script := llm.NewScript(llm.Say("A fox called Bo has many red hairs."), llm.Say("A hare."), llm.Say("A hare."))
	var out agenttest.Collector
	if _, err := agent.New(script, agenttest.Gate{}, nil, nil, agenttest.Clock()).Run(t.Context(), turn, out.Emit); err != nil {
		t.Fatal(err)
	}
	all := script.Requests()
	messages := all[len(all)-1].Messages
	for i, m := range messages {
		if last := i == len(messages)-1; last != (len(m.Images) == 1) {
			t.Errorf("message %d of %d shows %d pictures: %.60q", i+1, len(messages), len(m.Images), m.Text)
		}
	}
	if all := fmt.Sprint(messages); !strings.Contains(all, "What is this?\n[hob: what was pictured here is no longer shown]") {
		t.Errorf("the model reads %s", all)
	}
	short := 0
	for _, b := range out.Bodies {
		if c, ok := b.(event.Compacted); ok {
			short++
			for _, m := range c.Messages {
				if len(m.Images) > 0 {
					t.Error("a picture was journaled")
				}
			}
		}
	}
	if short == 0 {
		t.Error("the conversation was not made shorter")
	}
}
