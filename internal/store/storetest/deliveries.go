package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"hob/internal/event"
)

// Receive is that of [store.Deliveries].
func (m *Memory) Receive(ctx context.Context, all []event.Update) (fresh []event.Update, err error) {
	all = slices.Clone(all)
	for i, u := range all {
		if all[i].Hash, err = event.HashJSON(u.Raw); err != nil {
			return nil, err
		}
	}
	err = m.do(ctx, func() error {
		for _, u := range all {
			known := slices.ContainsFunc(m.updates, func(o event.Update) bool {
				return o.Platform == u.Platform && o.Bot == u.Bot && o.ID == u.ID && o.Hash == u.Hash
			})
			if known {
				continue
			}
			u.N, u.Raw = int64(len(m.updates)+1), slices.Clone(u.Raw)
			m.updates = append(m.updates, u)
			fresh = append(fresh, u)
		}
		return nil
	})
	return fresh, err
}

// Undone is that of [store.Deliveries].
func (m *Memory) Undone(ctx context.Context, platform string) (undone []event.Update, err error) {
	err = m.do(ctx, func() error {
		for _, u := range m.updates {
			if u.Platform == platform && u.State != event.UpdateDone {
				undone = append(undone, u)
			}
		}
		return nil
	})
	return undone, err
}

// SetUpdate is that of [store.Deliveries].
func (m *Memory) SetUpdate(ctx context.Context, n int64, state event.UpdateState) error {
	return m.do(ctx, func() error {
		if n < 1 || n > int64(len(m.updates)) {
			return fmt.Errorf("there is no update %d", n)
		}
		u := &m.updates[n-1]
		if u.State = state; state == event.UpdateDone {
			u.Raw = nil
		}
		return nil
	})
}

// BeginSend is that of [store.Deliveries].
func (m *Memory) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (begun event.Send, err error) {
	err = m.do(ctx, func() error {
		s := m.send(chat, seq, part)
		if s == nil {
			m.sends = append(m.sends, event.Send{Chat: chat, Seq: seq, Part: part, State: event.SendBegun})
			s = &m.sends[len(m.sends)-1]
		}
		if s.State == event.SendBegun {
			s.Tries++
		}
		begun = *s
		return nil
	})
	return begun, err
}

// send returns the record of a message, nil where there is none.
func (m *Memory) send(chat event.Chat, seq int64, part int) *event.Send {
	for i := range slices.Backward(m.sends) {
		if s := &m.sends[i]; s.Chat == chat && s.Seq == seq && s.Part == part {
			return s
		}
	}
	return nil
}

// SetSend is that of [store.Deliveries].
func (m *Memory) SetSend(ctx context.Context, next event.Send, reader string, mark int64) error {
	return m.do(ctx, func() error {
		s := m.send(next.Chat, next.Seq, next.Part)
		if s == nil {
			return fmt.Errorf("part %d of event %d of chat %q was not begun", next.Part, next.Seq, next.Chat)
		}
		s.State, s.Message = next.State, next.Message
		if reader != "" {
			m.marks[reader] = max(m.marks[reader], mark)
		}
		return nil
	})
}

// Sends is that of [store.Deliveries].
func (m *Memory) Sends(ctx context.Context, chat event.Chat, seq int64) (sends []event.Send, err error) {
	err = m.do(ctx, func() error {
		for _, s := range m.sends {
			if s.Chat == chat && s.Seq == seq {
				sends = append(sends, s)
			}
		}
		return nil
	})
	slices.SortFunc(sends, func(a, b event.Send) int { return cmp.Compare(a.Part, b.Part) })
	return sends, err
}

// SentAs is that of [store.Deliveries].
func (m *Memory) SentAs(ctx context.Context, chat event.Chat, message int64) (sent event.Send, known bool, err error) {
	err = m.do(ctx, func() error {
		for _, s := range m.sends {
			if s.Chat == chat && message != 0 && s.Message == message {
				sent, known = s, true
			}
		}
		return nil
	})
	return sent, known, err
}

// Shown is that of [store.Deliveries].
func (m *Memory) Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error) {
	err = m.do(ctx, func() error { message = m.shown[chatKey{chat, name}]; return nil })
	return message, err
}

// SetShown is that of [store.Deliveries].
func (m *Memory) SetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	return m.do(ctx, func() error {
		if chat == "" || name == "" {
			return errors.New("a shown message needs a chat and a name")
		}
		m.shown[chatKey{chat, name}] = message
		return nil
	})
}

// ForgetShown is that of [store.Deliveries].
func (m *Memory) ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	return m.do(ctx, func() error {
		if key := (chatKey{chat, name}); m.shown[key] == message {
			delete(m.shown, key)
		}
		return nil
	})
}
