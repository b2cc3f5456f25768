package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/retry"
	"hob/internal/store"
	"hob/internal/tools"
)

// Limits of a pairing code: its lifetime, and how many wrong codes end it.
const (
	pairingTimeout = 10 * time.Minute
	pairingTries   = 5
)

// pairingPoll is how often [AwaitPairing] checks whether the code was used.
const pairingPoll = time.Second

// ErrNotPaired means that a code has expired unused.
var ErrNotPaired = errors.New("nobody has given the code in time, or too many wrong ones were given: hob pair makes another")

// The page's platform, and how its own guests are called there; see package door.
const (
	pagePlatform = "page"
	pageGuest    = "page-"
)

// partyOf returns the caller on the platform that knows them. On the page, people known from
// Telegram are their Telegram selves.
func partyOf(c tools.Caller) event.Party {
	p := event.Party{Platform: c.Platform, ID: c.User}
	if c.Platform != pagePlatform {
		return p
	}
	if id, guest := strings.CutPrefix(c.User, pageGuest); guest {
		p.ID = id
	} else if c.User != "owner" {
		p.Platform = telegramPlatform
	}
	return p
}

// AddPerson admits a person or a group of a platform. as is a level of [ChooseLevel]; a group has
// none. For a person who was added before, missing fields keep their values. The only owner stays
// owner.
func (s *Environment) AddPerson(ctx context.Context, p event.Person, as string) (event.Person, error) {
	if p.ID < 0 && as != "" {
		return p, exit.Errorf(exit.Usage, "%d is a group, in which everybody has the rights that they have anyway: leave --as out", p.ID)
	}
	if err := s.MakeState(); err != nil {
		return p, err
	}
	err := s.EditJournal(ctx, func(db *store.DB) (err error) {
		if p, err = completePerson(ctx, db, p, as); err != nil {
			return err
		}
		p, err = db.People().AllowPerson(WithOwnersCause(ctx, "allow"), p)
		return err
	})
	return p, err
}

// completePerson returns the person with the level to add, and with the known facts from an earlier
// record.
func completePerson(ctx context.Context, db *store.DB, p event.Person, as string) (event.Person, error) {
	all, err := db.People().People(ctx, p.Platform)
	if err != nil {
		return p, err
	}
	known := event.Person{}
	otherOwner := false
	for _, one := range all {
		if one.ID == p.ID {
			known = one
		} else {
			otherOwner = otherOwner || one.Level == event.Owner
		}
	}
	p.Name = cmp.Or(p.Name, known.Name)
	switch {
	case p.ID < 0:
		return p, nil
	case as == "" && known.ID != 0:
		p.Level = known.Level
	default:
		p.Level, err = ChooseLevel(ctx, db, p.Platform, as)
	}
	if err == nil && known.Level == event.Owner && p.Level != event.Owner && !otherOwner {
		err = exit.Errorf(exit.Usage, "%d is the only owner: make somebody else one first", p.ID)
	}
	return p, err
}

// ChooseLevel returns the level for a new person: owner, admin or user. For "" it is owner for the
// first person of a platform and user for later ones.
func ChooseLevel(ctx context.Context, db *store.DB, platform, as string) (event.Level, error) {
	if as != "" {
		level, err := event.ParseRole(as)
		if err != nil {
			err = exit.Errorf(exit.Usage, "%v", err)
		}
		return level, err
	}
	all, err := db.People().People(ctx, platform)
	if err != nil || slices.ContainsFunc(all, func(p event.Person) bool { return p.Level == event.Owner }) {
		return event.User, err
	}
	return event.Owner, nil
}

// Pairing is a new pairing code: `hob pair --json` prints it.
type Pairing struct {
	Code    string      `json:"code"`
	Link    string      `json:"link,omitempty"` // opens the chat with the bot and sends it the code
	Level   event.Level `json:"level"`
	Expires time.Time   `json:"expires"`
}

// NewPairing makes a code that admits one person of a platform. bot is the bot's name there, or ""
// if it is not known yet.
func NewPairing(ctx context.Context, db *store.DB, platform, as, bot string) (Pairing, error) {
	level, err := ChooseLevel(ctx, db, platform, as)
	if err != nil {
		return Pairing{}, err
	}
	code := event.NewCode()
	in := event.Invite{Platform: platform, Level: level, Expires: time.Now().Add(pairingTimeout), Tries: pairingTries}
	if err := db.People().AddInvite(ctx, in, code); err != nil {
		return Pairing{}, err
	}
	p := Pairing{Code: event.ShowCode(code), Level: level, Expires: in.Expires.UTC().Truncate(time.Second)}
	if bot != "" {
		p.Link = "https://t.me/" + bot + "?start=" + code
	}
	return p, nil
}

// AwaitPairing waits until the code of a platform has admitted a person who is not in before. Its
// error is [ErrNotPaired], or that of ctx.
func AwaitPairing(ctx context.Context, db *store.DB, platform string, before []event.Person) (event.Person, error) {
	for {
		_, open, err := db.People().Invited(ctx, platform)
		if err != nil {
			return event.Person{}, err
		}
		if !open {
			break
		}
		if err := retry.Wait(ctx, pairingPoll); err != nil {
			return event.Person{}, err
		}
	}
	now, err := db.People().People(ctx, platform)
	if err != nil {
		return event.Person{}, err
	}
	for _, p := range now {
		if !slices.ContainsFunc(before, func(b event.Person) bool { return b.ID == p.ID && b.Since.Equal(p.Since) }) {
			return p, nil
		}
	}
	return event.Person{}, ErrNotPaired
}
