package telegram_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// monthMind is a model that takes its time, sometimes looks, and sometimes fails.
type monthMind struct {
	mu      sync.Mutex
	random  *rand.Rand
	asked   int
	failed  int
	strange int
}

func (m *monthMind) draw(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.random.IntN(n)
}

func (m *monthMind) note(count *int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*count++
}

func (m *monthMind) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	m.note(&m.asked)
	for _, msg := range req.Messages {
		if strings.Contains(msg.Text, "stranger") {
			m.note(&m.strange)
		}
	}
	pace := time.Duration(50+m.draw(3000)) * time.Millisecond
	if m.draw(30) == 0 {
		pace = time.Minute
		onDelta(llm.Delta{Status: "loading the model"})
	}
	usage := llm.Usage{PromptTokens: 100, EvalTokens: 10}
	if len(req.Tools) == 0 { // it is asked for a summary
		err := spend(ctx, pace)
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "They talked."}, Usage: usage}, err
	}
	found := strings.Join(unanswered(req), " ")
	last := req.Messages[len(req.Messages)-1]
	if n := m.draw(100); (n < 25 && last.Role == llm.UserRole || n < 5) && looks(req) < mostLooks {
		if err := spend(ctx, pace); err != nil {
			return nil, err
		}
		id := m.draw(1 << 40)
		call := llm.CallOf(id, "look", map[string]string{"path": fmt.Sprint("a", id)}) // never twice the same: that would be to go round in circles
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{call}}, Usage: usage}, nil
	}
	for _, word := range strings.SplitAfter("Well now, so that is what was said to me today: ", " ") {
		if err := spend(ctx, pace/4); err != nil {
			return nil, err
		}
		onDelta(llm.Delta{Text: word})
	}
	if m.draw(40) == 0 {
		m.note(&m.failed)
		return nil, &llm.Error{Kind: llm.Failed, Message: "the model broke at " + found}
	}
	return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "Well now, so that is what was said to me today: " + found}, Usage: usage}, nil
}

// mostLooks is how often it looks before it says something. A turn that does nothing else is ended.
const mostLooks = 3

// looks returns how often it has looked since it said something.
func looks(req llm.Request) (n int) {
	for _, msg := range slices.Backward(req.Messages) {
		switch {
		case msg.Role == llm.AssistantRole && len(msg.Calls) == 0:
			return n
		case msg.Role == llm.AssistantRole:
			n++
		}
	}
	return n
}

// look is the tool's work, which sometimes fails.
func (m *monthMind) look(ctx context.Context) (tools.Result, error) {
	if err := spend(ctx, time.Duration(m.draw(90_000))*time.Millisecond); err != nil {
		return tools.Result{}, err
	}
	if m.draw(8) == 0 {
		return tools.Result{}, &event.Error{Type: event.TypeValidation, Code: event.CodeInvalidValue, Message: "there is nothing to see"}
	}
	return tools.Result{Text: fmt.Sprint("a view of ", m.draw(1<<40))}, nil
}
