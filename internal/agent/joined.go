package agent

import (
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
)

// hearing is the turn with what the person has said meanwhile. A turn that is to end has no room for new wishes: what is
// said then is the next turn's.
func (t Turn) hearing(ctx context.Context) (Turn, error) {
	if t.Arrived == nil || t.Usage.refusing() != "" || t.usedUp() != "" || ctx.Err() != nil {
		return t, nil
	}
	said, err := t.Arrived(ctx)
	if err != nil || len(said) == 0 {
		return t, err
	}
	t.History = append(t.History[:len(t.History):len(t.History)], said...)
	t.Usage = t.Usage.Add(event.Joined{})
	return t.choosing(), nil // it may have opened what can be called now
}

// words are what the person has said in the turn.
func (t Turn) words() string {
	var all []string
	for i, m := range t.History[t.Begin:] {
		ours := m.Note || strings.HasPrefix(m.Text, "[hob: ") // steps in short, or a summary
		if m.Role == llm.UserRole && (i == 0 || !ours) {
			all = append(all, m.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

// fadedNote stands in a message for its pictures once they are no longer shown.
const fadedNote = "\n[hob: what was pictured here is no longer shown]"

// faded returns messages without the pictures of earlier turns: whoever makes a conversation shorter begins with those. What
// the person shows in the open turn stays.
func faded(messages []llm.Message, begin int) []llm.Message {
	all := make([]llm.Message, len(messages))
	for i, m := range messages {
		if i < begin && len(m.Images) > 0 {
			m.Images = nil
			m.Text += fadedNote
		}
		all[i] = m
	}
	return all
}

// compacted says that the conversation is told in its present form from here on. Pictures are not journaled: those of the
// open turn are shown again from where they are kept.
func (t Turn) compacted(before int, why string) event.Compacted {
	plain := make([]llm.Message, len(t.History))
	for i, m := range t.History {
		m.Images = nil
		plain[i] = m
	}
	return event.Compacted{Messages: plain, Begin: t.Begin, Before: before, After: t.prompt(), Why: why}
}
