package storetest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"hob/internal/event"
)

type personKey struct {
	platform string
	id       int64
}

// invite is an invite with its code.
type invite struct {
	event.Invite
	code string
}

// Person is that of [store.People].
func (m *Memory) Person(ctx context.Context, platform string, id int64) (p event.Person, known bool, err error) {
	err = m.do(ctx, func() error { p, known = m.people[personKey{platform, id}]; return nil })
	return p, known, err
}

// People is that of [store.People].
func (m *Memory) People(ctx context.Context, platform string) (people []event.Person, err error) {
	err = m.do(ctx, func() error { people = slices.Collect(maps.Values(m.people)); return nil })
	people = slices.DeleteFunc(people, func(p event.Person) bool { return p.Platform != platform })
	slices.SortFunc(people, func(a, b event.Person) int { return cmp.Compare(a.ID, b.ID) })
	return people, err
}

// AllowPerson is that of [store.People].
func (m *Memory) AllowPerson(ctx context.Context, p event.Person) (event.Person, error) {
	err := m.do(ctx, func() error {
		if p.Platform == "" || p.ID == 0 {
			return errors.New("a person needs a platform and an id on it")
		}
		p = m.allow(p)
		return nil
	})
	return p, err
}

func (m *Memory) allow(p event.Person) event.Person {
	if p.Since.IsZero() {
		p.Since = m.now()
	}
	p.Since = time.UnixMilli(p.Since.UnixMilli()).UTC()
	m.people[personKey{p.Platform, p.ID}] = p
	return p
}

// AddInvite is that of [store.People].
func (m *Memory) AddInvite(ctx context.Context, in event.Invite, code string) error {
	return m.do(ctx, func() error {
		clean, ok := event.CleanCode(code)
		if !ok {
			return errors.New("an invite needs a code")
		}
		m.invites[in.Platform] = invite{in, clean}
		return nil
	})
}

// Invited is that of [store.People].
func (m *Memory) Invited(ctx context.Context, platform string) (in event.Invite, inForce bool, err error) {
	err = m.do(ctx, func() error {
		in = m.invites[platform].Invite
		inForce = in.Tries > 0 && m.now().Before(in.Expires)
		return nil
	})
	return in, inForce, err
}

// Redeem is that of [store.People].
func (m *Memory) Redeem(ctx context.Context, p event.Person, code string) (let event.Person, right bool, err error) {
	err = m.do(ctx, func() error {
		in := m.invites[p.Platform]
		if in.Tries <= 0 || !m.now().Before(in.Expires) {
			return nil
		}
		if clean, ok := event.CleanCode(code); !ok || clean != in.code {
			in.Tries--
			m.invites[p.Platform] = in
			return nil
		}
		p.Level = max(in.Level, m.people[personKey{p.Platform, p.ID}].Level)
		p.Since, p.By = m.now(), "invite"
		let, right = m.allow(p), true
		delete(m.invites, p.Platform)
		return nil
	})
	return let, right, err
}
