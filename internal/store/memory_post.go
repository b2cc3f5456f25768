package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

// Receive is [DB.Receive].
func (m *Memory) Receive(ctx context.Context, all []event.Update) (fresh []event.Update, err error) {
	unlock, err := m.lock(ctx, "receive updates")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if all, err = checkUpdates(all); err != nil {
		return nil, err
	}
	old := m.now().Add(-postAge)
	m.post.arrivals = slices.DeleteFunc(m.post.arrivals, func(a arrival) bool { return a.State == event.UpdateDone && a.time.Before(old) })
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

// Undone is [DB.Undone].
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

// SetUpdate is [DB.SetUpdate].
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

// BeginSend is [DB.BeginSend].
func (m *Memory) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error) {
	unlock, err := m.lock(ctx, "begin to send")
	if err != nil {
		return event.Send{}, err
	}
	defer unlock()
	s := m.sending(chat, seq, part)
	if s == nil {
		old := m.now().Add(-postAge)
		m.post.sends = slices.DeleteFunc(m.post.sends, func(s sending) bool { return s.State != event.SendBegun && s.time.Before(old) })
		m.post.sends = append(m.post.sends, sending{event.Send{Chat: chat, Seq: seq, Part: part, State: event.SendBegun}, m.now()})
		s = &m.post.sends[len(m.post.sends)-1]
	}
	if s.State == event.SendBegun {
		s.Tries++
	}
	return s.Send, nil
}

func (m *Memory) sending(chat event.Chat, seq int64, part int) *sending {
	for i := range slices.Backward(m.post.sends) {
		if s := &m.post.sends[i]; s.Chat == chat && s.Seq == seq && s.Part == part {
			return s
		}
	}
	return nil
}

// EndSend is [DB.EndSend].
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

// Sends is [DB.Sends].
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

// SentAs is [DB.SentAs].
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

// ChatsOf is [DB.ChatsOf].
func (m *Memory) ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error) {
	all, err := m.Chats(ctx)
	return withPrefix(all, prefix), err
}

func withPrefix(all []ChatInfo, prefix string) (names []event.Chat) {
	for _, c := range all {
		if strings.HasPrefix(string(c.Chat), prefix) {
			names = append(names, c.Chat)
		}
	}
	return names
}

// Person is [DB.Person].
func (m *Memory) Person(ctx context.Context, platform string, id int64) (event.Person, bool, error) {
	unlock, err := m.lock(ctx, "look up a person")
	if err != nil {
		return event.Person{}, false, err
	}
	defer unlock()
	i, known := m.findPerson(platform, id)
	if !known {
		return event.Person{}, false, nil
	}
	return m.post.people[i], true, nil
}

func (m *Memory) findPerson(platform string, id int64) (int, bool) {
	return slices.BinarySearchFunc(m.post.people, id, func(p event.Person, id int64) int {
		return cmp.Or(strings.Compare(p.Platform, platform), cmp.Compare(p.ID, id))
	})
}

// People is [DB.People].
func (m *Memory) People(ctx context.Context, platform string) (people []event.Person, err error) {
	unlock, err := m.lock(ctx, "list people")
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, p := range m.post.people {
		if p.Platform == platform {
			people = append(people, p)
		}
	}
	return people, nil
}

// AllowPerson is [DB.AllowPerson].
func (m *Memory) AllowPerson(ctx context.Context, p event.Person) (event.Person, error) {
	unlock, err := m.lock(ctx, "allow a person")
	if err != nil {
		return event.Person{}, err
	}
	defer unlock()
	return m.allow(p)
}

func (m *Memory) allow(p event.Person) (event.Person, error) {
	if err := checkPerson(p); err != nil {
		return event.Person{}, err
	}
	if p.Since.IsZero() {
		p.Since = m.now()
	}
	p.Since = time.UnixMilli(p.Since.UnixMilli()).UTC()
	i, known := m.findPerson(p.Platform, p.ID)
	if known {
		m.post.people[i] = p
	} else {
		m.post.people = slices.Insert(m.post.people, i, p)
	}
	return p, nil
}

// ForgetPerson is [DB.ForgetPerson].
func (m *Memory) ForgetPerson(ctx context.Context, platform string, id int64) (bool, error) {
	unlock, err := m.lock(ctx, "forget a person")
	if err != nil {
		return false, err
	}
	defer unlock()
	i, known := m.findPerson(platform, id)
	if known {
		m.post.people = slices.Delete(m.post.people, i, i+1)
	}
	return known, nil
}

// AddInvite is [DB.AddInvite].
func (m *Memory) AddInvite(ctx context.Context, in event.Invite, code string) error {
	unlock, err := m.lock(ctx, "add an invite")
	if err != nil {
		return err
	}
	defer unlock()
	made, err := newInvite(in, code)
	if err != nil {
		return err
	}
	if m.post.invites == nil {
		m.post.invites = map[string]invite{}
	}
	m.post.invites[in.Platform] = made
	return nil
}

// Invited is [DB.Invited].
func (m *Memory) Invited(ctx context.Context, platform string) (event.Invite, bool, error) {
	unlock, err := m.lock(ctx, "read the invite")
	if err != nil {
		return event.Invite{}, false, err
	}
	defer unlock()
	in, ok := m.post.invites[platform]
	return in.Invite, ok && in.inForce(m.now()), nil
}

// Redeem is [DB.Redeem].
func (m *Memory) Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error) {
	unlock, err := m.lock(ctx, "redeem an invite")
	if err != nil {
		return event.Person{}, false, err
	}
	defer unlock()
	in, ok := m.post.invites[p.Platform]
	if !ok || !in.inForce(m.now()) {
		return event.Person{}, false, nil
	}
	if !in.matches(code) {
		in.Tries--
		m.post.invites[p.Platform] = in
		return event.Person{}, false, nil
	}
	if i, known := m.findPerson(p.Platform, p.ID); known {
		in.Level = max(in.Level, m.post.people[i].Level)
	}
	p.Level, p.Since, p.By = in.Level, m.now(), byInvite
	if p, err = m.allow(p); err != nil {
		return event.Person{}, false, err
	}
	delete(m.post.invites, p.Platform)
	return p, true, nil
}

func unknownUpdate(n int64) error {
	return fmt.Errorf("note an update: there is none with number %d", n)
}

func unknownSend(s event.Send) error {
	return fmt.Errorf("end to send: part %d of event %d of chat %q was not begun", s.Part, s.Seq, s.Chat)
}
