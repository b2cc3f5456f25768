package store

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
)

// People stores the persons added on a platform, and the invites that admit others: tables person
// and invite. Every change is in the log of changes. It is safe for concurrent use.
type People struct {
	db      *DB
	changes *Changes
}

// People returns the store of people.
func (d *DB) People() *People { return &People{d, d.Changes(Limits{})} }

// byInvite is the By of a person who used a code.
const byInvite = "invite"

// Person returns the person or group with this id on the platform; the bool is false if they were
// not added.
func (s *People) Person(ctx context.Context, platform string, id int64) (event.Person, bool, error) {
	p, known, err := find(ctx, s.db.read, scanPerson, personQuery+`WHERE platform = ? AND id = ?`, platform, id)
	return p, known, wrap("look up a person in", s.db.path, err)
}

const personQuery = `SELECT platform, id, name, level, since, by FROM person `

func scanPerson(scan scanner) (event.Person, error) {
	var p event.Person
	var level string
	if err := scan(&p.Platform, &p.ID, &p.Name, &level, milliseconds{&p.Since}, &p.By); err != nil {
		return p, err
	}
	var err error
	p.Level, err = event.ParseLevel(level)
	return p, err
}

// People returns everybody who was added on a platform, sorted by id.
func (s *People) People(ctx context.Context, platform string) (people []event.Person, err error) {
	people, err = collect(ctx, s.db.read, scanPerson, personQuery+`WHERE platform = ? ORDER BY id`, platform)
	return people, wrap("list the people in", s.db.path, err)
}

// AllowPerson adds a person, durably when it returns, or changes the level of one who was added
// before. A zero Since becomes now.
func (s *People) AllowPerson(ctx context.Context, p event.Person) (event.Person, error) {
	if err := checkPerson(p); err != nil {
		return event.Person{}, err
	}
	err := s.db.transact(ctx, func(tx transaction) (err error) {
		p, err = s.allow(ctx, tx, p, causeOr(ctx, event.Cause{Tool: "allow"}))
		return err
	})
	if err != nil {
		return event.Person{}, wrap("allow a person in", s.db.path, err)
	}
	return p, nil
}

func (s *People) allow(ctx context.Context, tx transaction, p event.Person, cause event.Cause) (event.Person, error) {
	if p.Since.IsZero() {
		p.Since = s.db.now()
	}
	p.Since = time.UnixMilli(p.Since.UnixMilli()).UTC()
	content, err := json.Marshal(p)
	if err == nil {
		_, _, err = s.changes.editRow(ctx, tx, personKind, personKey(p.Platform, p.ID), content, cause)
	}
	return p, err
}

// personKind begins the names of people in the log of changes; personKey is the rest.
const personKind = "person"

func personKey(platform string, id int64) string { return fmt.Sprintf("%s/%d", platform, id) }

// personOf parses a key into a platform and an id.
func personOf(key string) (platform string, id int64, err error) {
	platform, number, _ := strings.Cut(key, "/")
	if id, err = strconv.ParseInt(number, 10, 64); err != nil {
		return "", 0, errNoName(key)
	}
	return platform, id, nil
}

func whatPerson(p event.Person) string { return strings.TrimSpace(p.Name + " as " + p.Level.String()) }

func readPerson(ctx context.Context, from querier, key string) ([]byte, error) {
	platform, id, err := personOf(key)
	if err != nil {
		return nil, err
	}
	p, known, err := find(ctx, from, scanPerson, personQuery+`WHERE platform = ? AND id = ?`, platform, id)
	if err != nil || !known {
		return nil, err
	}
	return json.Marshal(p)
}

func writePerson(ctx context.Context, tx transaction, key string, content []byte) (string, error) {
	platform, id, err := personOf(key)
	if err != nil {
		return "", err
	}
	if content == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM person WHERE platform = ? AND id = ?`, platform, id)
		return key, err
	}
	var p event.Person
	if err := json.Unmarshal(content, &p); err != nil {
		return "", err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO person (platform, id, name, level, since, by) VALUES (?, ?, ?, ?, ?, ?)`,
		platform, id, p.Name, p.Level.String(), p.Since.UnixMilli(), p.By)
	return key, err
}

// rises reports whether then gives a person a higher level than now, where now may be nobody.
func rises(now, then []byte) bool {
	var a, b event.Person
	if then == nil {
		return false
	}
	return now == nil || json.Unmarshal(now, &a) != nil || json.Unmarshal(then, &b) != nil || b.Level > a.Level
}

// ForgetPerson removes a person, durably when it returns, and reports whether they had been added.
func (s *People) ForgetPerson(ctx context.Context, platform string, id int64) (bool, error) {
	var made event.Change
	err := s.db.transact(ctx, func(tx transaction) (err error) {
		_, made, err = s.changes.editRow(ctx, tx, personKind, personKey(platform, id), nil, causeOr(ctx, event.Cause{Tool: "allow"}))
		return err
	})
	if err != nil {
		return false, wrap("forget a person in", s.db.path, err)
	}
	return made.ID != 0, nil
}

// AddInvite puts an invite in force, durably when it returns, and replaces an earlier one of that
// platform. The code is one of [event.CleanCode]; only its SHA-256 is stored.
func (s *People) AddInvite(ctx context.Context, in event.Invite, code string) error {
	made, err := newInvite(in, code)
	if err != nil {
		return err
	}
	_, err = s.db.exec(ctx, `INSERT OR REPLACE INTO invite (platform, level, expires, tries, sum) VALUES (?, ?, ?, ?, ?)`,
		made.Platform, made.Level.String(), made.Expires.UnixMilli(), made.Tries, made.sum)
	return wrap("add an invite to", s.db.path, err)
}

// Invited returns the platform's invite in force, and whether there is one.
func (s *People) Invited(ctx context.Context, platform string) (event.Invite, bool, error) {
	in, known, err := find(ctx, s.db.read, scanInvite, inviteQuery, platform)
	return in.Invite, known && in.inForce(s.db.now()), wrap("read the invite in", s.db.path, err)
}

const inviteQuery = `SELECT platform, level, expires, tries, sum FROM invite WHERE platform = ?`

func scanInvite(scan scanner) (in invite, err error) {
	var level string
	if err := scan(&in.Platform, &level, milliseconds{&in.Expires}, &in.Tries, &in.sum); err != nil {
		return in, err
	}
	in.Level, err = event.ParseLevel(level)
	return in, err
}

// Redeem adds a person who gives the code of the platform's invite, while that is in force: p with
// the invite's level, or with their old level if that is higher. It uses up the invite, durably
// when it returns. A wrong code uses up one of its tries.
func (s *People) Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error) {
	if err := checkPerson(p); err != nil {
		return event.Person{}, false, err
	}
	right := false
	err := s.db.transact(ctx, func(tx transaction) error {
		now := s.db.now()
		in, known, err := find(ctx, tx, scanInvite, inviteQuery, p.Platform)
		if err != nil || !known || !in.inForce(now) {
			return err
		}
		if right = in.matches(code); !right {
			_, err := tx.ExecContext(ctx, `UPDATE invite SET tries = tries - 1 WHERE platform = ?`, p.Platform)
			return err
		}
		before, _, err := find(ctx, tx, scanPerson, personQuery+`WHERE platform = ? AND id = ?`, p.Platform, p.ID)
		if err != nil {
			return err
		}
		p.Level, p.Since, p.By = max(in.Level, before.Level), now, byInvite
		if p, err = s.allow(ctx, tx, p, event.Cause{By: personKey(p.Platform, p.ID), Tool: "pair"}); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM invite WHERE platform = ?`, p.Platform)
		return err
	})
	if err != nil || !right {
		return event.Person{}, false, wrap("redeem an invite in", s.db.path, err)
	}
	return p, true, nil
}

// invite is an [event.Invite] with the hash of its code.
type invite struct {
	event.Invite
	sum string
}

// newInvite refuses a malformed code, which would be no secret.
func newInvite(in event.Invite, code string) (invite, error) {
	clean, ok := event.CleanCode(code)
	if !ok || in.Platform == "" || in.Tries <= 0 || in.Expires.IsZero() {
		return invite{}, errors.New("add an invite: it needs a platform, a code, tries and an end")
	}
	in.Expires = time.UnixMilli(in.Expires.UnixMilli()).UTC()
	return invite{in, sumOf(clean)}, nil
}

func sumOf(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

func (in invite) inForce(now time.Time) bool { return in.Tries > 0 && now.Before(in.Expires) }

// matches takes the same time for a wrong code as for the right one.
func (in invite) matches(code string) bool {
	clean, ok := event.CleanCode(code)
	return ok && subtle.ConstantTimeCompare([]byte(in.sum), []byte(sumOf(clean))) == 1
}

func checkPerson(p event.Person) error {
	if p.Platform == "" || p.ID == 0 {
		return errors.New("allow a person: they need a platform and an id on it")
	}
	return nil
}
