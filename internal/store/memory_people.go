package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
)

// Person is [People.Person].
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

// People is [People.People].
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

// AllowPerson is [People.AllowPerson].
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

// ForgetPerson is [People.ForgetPerson].
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

// AddInvite is [People.AddInvite].
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

// Invited is [People.Invited].
func (m *Memory) Invited(ctx context.Context, platform string) (event.Invite, bool, error) {
	unlock, err := m.lock(ctx, "read the invite")
	if err != nil {
		return event.Invite{}, false, err
	}
	defer unlock()
	in, ok := m.post.invites[platform]
	return in.Invite, ok && in.inForce(m.now()), nil
}

// Redeem is [People.Redeem].
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
