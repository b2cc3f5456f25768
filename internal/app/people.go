package app

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/store"
)

// A pairing code is good for so long, and for so many wrong codes.
const (
	pairingTimeout = 10 * time.Minute
	pairingTries   = 5
)

// pairingPoll is how often [AwaitPairing] looks whether somebody has given the code.
const pairingPoll = time.Second

// ErrNotPaired says that a code is no longer good and let nobody in.
var ErrNotPaired = errors.New("nobody has given the code in time, or too many wrong ones were given: hob pair makes another")

// LetIn lets a person or a group of a platform in. as is a level of [LevelNamed]; a group has none.
func (s *Environment) AddPerson(ctx context.Context, p event.Person, as string) (event.Person, error) {
	if p.ID < 0 && as != "" {
		return p, exit.Errorf(exit.Usage, "%d is a group, in which everybody has the rights that they have anyway: leave --as out", p.ID)
	}
	if err := s.MakeState(); err != nil {
		return p, err
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return p, err
	}
	if p.ID > 0 {
		p.Level, err = ChooseLevel(ctx, db, p.Platform, as)
	}
	if err == nil {
		p, err = db.People().AllowPerson(ctx, p)
	}
	if failed := db.Close(); err == nil {
		err = failed
	}
	return p, err
}

// LevelNamed is the level that somebody is let in with: owner, admin or user. For "" it is the owner's for the first of a platform,
// and a user's for all later ones.
func ChooseLevel(ctx context.Context, db *store.DB, platform, as string) (event.Level, error) {
	switch as {
	case "owner":
		return event.Owner, nil
	case "admin":
		return event.BotAdmin, nil
	case "user":
		return event.User, nil
	case "":
	default:
		return event.User, exit.Errorf(exit.Usage, "there is no %q: it is owner, admin or user", as)
	}
	all, err := db.People().People(ctx, platform)
	if err != nil || slices.ContainsFunc(all, func(p event.Person) bool { return p.Level == event.Owner }) {
		return event.User, err
	}
	return event.Owner, nil
}

// LevelWords is a level as people read it.
func DescribeLevel(l event.Level) string {
	switch l {
	case event.Owner:
		return "owner (may do everything)"
	case event.BotAdmin:
		return "admin (may do everything but switch tools)"
	}
	return "user (may ask, read the workspace and fetch pages)"
}

// Pairing is what `hob pair --json` prints.
type Pairing struct {
	Code    string      `json:"code"`
	Link    string      `json:"link,omitempty"` // opens the chat with the bot and gives it the code
	Level   event.Level `json:"level"`
	Expires time.Time   `json:"expires"`
}

// NewPairing makes a code that lets one person of a platform in. bot is the bot's name there, "" where that is not known yet.
func NewPairing(ctx context.Context, db *store.DB, platform, as, bot string) (Pairing, error) {
	level, err := ChooseLevel(ctx, db, platform, as)
	if err != nil {
		return Pairing{}, err
	}
	code := pairingCode()
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

// pairingCode returns 40 random bits as a code.
func pairingCode() string {
	var raw [event.CodeLen]byte
	_, _ = rand.Read(raw[:]) // it never fails
	for i, b := range raw {
		raw[i] = event.CodeLetters[int(b)%len(event.CodeLetters)] // there are 32 of them: all come as often
	}
	return string(raw[:])
}

// AwaitPairing waits until the code of a platform has let somebody in who is not in before. Its error is [ErrNotPaired], or ctx's.
func AwaitPairing(ctx context.Context, db *store.DB, platform string, before []event.Person) (event.Person, error) {
	poll := time.NewTicker(pairingPoll)
	defer poll.Stop()
	for {
		_, open, err := db.People().Invited(ctx, platform)
		if err != nil {
			return event.Person{}, err
		}
		if !open {
			break
		}
		select {
		case <-ctx.Done():
			return event.Person{}, ctx.Err()
		case <-poll.C:
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
