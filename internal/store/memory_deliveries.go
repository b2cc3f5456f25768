package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"hob/internal/event"
)

// memoryPost is what [Memory] keeps of people, of what arrives and of what is sent.
type memoryPost struct {
	people   []event.Person // by platform and id
	invites  map[string]invite
	arrivals []arrival
	received int64 // N of the newest
	sends    []sending
	shown    map[[2]string]int64 // by chat and name
}

type arrival struct {
	event.Update
	time time.Time
}

type sending struct {
	event.Send
	time time.Time
}

// Receive is [Deliveries.Receive].
func (m *Memory) Receive(ctx context.Context, all []event.Update) (fresh []event.Update, err error) {
	unlock, err := m.lock(ctx, "receive updates")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if all, err = checkUpdates(all); err != nil {
		return nil, err
	}
	for _, u := range all {
		if slices.ContainsFunc(m.post.arrivals, func(a arrival) bool {
			return a.Platform == u.Platform && a.Bot == u.Bot && a.ID == u.ID && same(a.Update, u)
		}) {
			continue
		}
		m.post.received++
		u.N, u.Raw = m.post.received, json.RawMessage(string(u.Raw))
		m.post.arrivals = append(m.post.arrivals, arrival{u, m.now()})
		fresh = append(fresh, u)
	}
	return fresh, nil
}

// Undone is [Deliveries.Undone].
func (m *Memory) Undone(ctx context.Context, platform string) (undone []event.Update, err error) {
	unlock, err := m.lock(ctx, "read updates")
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, a := range m.post.arrivals {
		if a.Platform == platform && a.State != event.UpdateDone {
			undone = append(undone, a.Update)
		}
	}
	return undone, nil
}

// SetUpdate is [Deliveries.SetUpdate].
func (m *Memory) SetUpdate(ctx context.Context, n int64, state event.UpdateState) error {
	unlock, err := m.lock(ctx, "note an update")
	if err != nil {
		return err
	}
	defer unlock()
	i := slices.IndexFunc(m.post.arrivals, func(a arrival) bool { return a.N == n })
	if i < 0 {
		return unknownUpdate(n)
	}
	a := &m.post.arrivals[i]
	if a.State = state; state == event.UpdateDone {
		a.Raw = nil
	}
	return nil
}

// BeginSend is [Deliveries.BeginSend].
func (m *Memory) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error) {
	unlock, err := m.lock(ctx, "begin to send")
	if err != nil {
		return event.Send{}, err
	}
	defer unlock()
	s := m.sending(chat, seq, part)
	if s == nil {
		m.post.sends = append(m.post.sends, sending{event.Send{Chat: chat, Seq: seq, Part: part, State: event.SendBegun}, m.now()})
		s = &m.post.sends[len(m.post.sends)-1]
	}
	if s.State == event.SendBegun {
		s.Tries++
	}
	return s.Send, nil
}

// Prune is [Deliveries.Prune].
func (m *Memory) Prune(ctx context.Context, before time.Time) (removed int64, err error) {
	unlock, err := m.lock(ctx, "prune what was delivered")
	if err != nil {
		return 0, err
	}
	defer unlock()
	all := len(m.post.arrivals) + len(m.post.sends)
	m.post.arrivals = slices.DeleteFunc(m.post.arrivals, func(a arrival) bool { return a.State == event.UpdateDone && a.time.Before(before) })
	m.post.sends = slices.DeleteFunc(m.post.sends, func(s sending) bool {
		mark, marked := m.marks[event.SendReader(s.Chat)]
		return marked && s.Seq <= mark && s.time.Before(before)
	})
	return int64(all - len(m.post.arrivals) - len(m.post.sends)), nil
}

func (m *Memory) sending(chat event.Chat, seq int64, part int) *sending {
	for i := range slices.Backward(m.post.sends) {
		if s := &m.post.sends[i]; s.Chat == chat && s.Seq == seq && s.Part == part {
			return s
		}
	}
	return nil
}

// EndSend is [Deliveries.EndSend].
func (m *Memory) EndSend(ctx context.Context, s event.Send, reader string, mark int64) error {
	unlock, err := m.lock(ctx, "end to send")
	if err != nil {
		return err
	}
	defer unlock()
	found := m.sending(s.Chat, s.Seq, s.Part)
	if found == nil {
		return unknownSend(s)
	}
	found.State, found.Message = s.State, s.Message
	if reader != "" {
		m.marks[reader] = max(m.marks[reader], mark)
	}
	return nil
}

// Sends is [Deliveries.Sends].
func (m *Memory) Sends(ctx context.Context, chat event.Chat, seq int64) (found []event.Send, err error) {
	unlock, err := m.lock(ctx, "read what was sent")
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, s := range m.post.sends {
		if s.Chat == chat && s.Seq == seq {
			found = append(found, s.Send)
		}
	}
	slices.SortFunc(found, func(a, b event.Send) int { return cmp.Compare(a.Part, b.Part) })
	return found, nil
}

// SentAs is [Deliveries.SentAs].
func (m *Memory) SentAs(ctx context.Context, chat event.Chat, message int64) (event.Send, bool, error) {
	unlock, err := m.lock(ctx, "read what was sent")
	if err != nil {
		return event.Send{}, false, err
	}
	defer unlock()
	for _, s := range slices.Backward(m.post.sends) {
		if s.Chat == chat && message != 0 && s.Message == message {
			return s.Send, true, nil
		}
	}
	return event.Send{}, false, nil
}

// Shown is [Deliveries.Shown].
func (m *Memory) Shown(ctx context.Context, chat event.Chat, name string) (int64, error) {
	unlock, err := m.lock(ctx, "read what is shown")
	if err != nil {
		return 0, err
	}
	defer unlock()
	return m.post.shown[[2]string{string(chat), name}], nil
}

// SetShown is [Deliveries.SetShown].
func (m *Memory) SetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	unlock, err := m.lock(ctx, "note what is shown")
	if err != nil {
		return err
	}
	defer unlock()
	if chat == "" || name == "" {
		return errShown
	}
	if m.post.shown == nil {
		m.post.shown = map[[2]string]int64{}
	}
	if message == 0 {
		delete(m.post.shown, [2]string{string(chat), name})
		return nil
	}
	m.post.shown[[2]string{string(chat), name}] = message
	return nil
}

// ForgetShown is [Deliveries.ForgetShown].
func (m *Memory) ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	unlock, err := m.lock(ctx, "note what is shown")
	if err != nil {
		return err
	}
	defer unlock()
	if key := [2]string{string(chat), name}; m.post.shown[key] == message {
		delete(m.post.shown, key)
	}
	return nil
}
