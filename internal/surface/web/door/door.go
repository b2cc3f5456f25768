// Package door decides who gets into the page: it makes codes, keeps signed-in browsers, and says who
// somebody is and what their level is now.
//
// # Codes
//
// An [Invite] lets one person sign in on one browser. It has two forms: Long has 128 random bits, for the
// fragment of a link, which no server and no log sees; Short has 8 letters, which people type. Either
// uses up the other. An invite is good for [InviteTime]. Wrong codes count for all invites together:
// after [InviteTries] of them no invite is good any more. [Door.Look] says whose code it is and uses
// nothing up; [Door.Enter] uses it up. Invites are in memory alone: a restart ends them.
//
// # Browsers
//
// A signed-in browser is a [Session]. Its token has 256 random bits; only the SHA-256 of it is kept, in
// the settings under page/session/. A session ends when it was not used for [IdleTime], when it is
// revoked, and when its person is not let in any more. The level is never kept: [Door.Level] looks it up.
//
// # People
//
// A [Person] with platform "" is the owner of this machine. Others are people of a platform, as [People] has them. They read and
// write in their own chats, and read those of the groups that they are in, as long as [Members] says so.
package door

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/recent"
)

// The bounds of codes and of sessions.
const (
	InviteTime  = 5 * time.Minute
	InviteTries = 5
	IdleTime    = 30 * 24 * time.Hour

	maxInvites  = 16
	maxSessions = 64
	seenEvery   = time.Hour // how often it is stored that a session is used
)

// Platform is that of the people who were let in by the page alone, and of what people do over the page.
const Platform = "page"

// GuestPrefix begins the From of people who were let in by the page: no number of another platform is taken for theirs.
const GuestPrefix = "page-"

// Errors of a code or a session.
var (
	ErrCode    = errors.New("this code is not good, or not any more: make another with hob page or /page")
	ErrSession = errors.New("this browser is not signed in any more")
)

// Settings keep small state by key; [store.Settings] is one.
type Settings interface {
	Set(ctx context.Context, key, value string) error
	List(ctx context.Context, prefix string) (map[string]string, error)
	Delete(ctx context.Context, key string) error
}

// People are those who were let in on a platform; [store.People] is one.
type People interface {
	Person(ctx context.Context, platform string, id int64) (event.Person, bool, error)
}

// Person is who signs in.
type Person struct {
	Platform string `json:"platform,omitempty"` // "": the owner of this machine
	ID       int64  `json:"id,omitempty"`       // on the platform
	Name     string `json:"name,omitempty"`     // as people read it
}

// IsHost reports whether p is the owner of this machine.
func (p Person) IsHost() bool { return p.Platform == "" }

// From is p as an input has it.
func (p Person) From() string {
	switch id := strconv.FormatInt(p.ID, 10); p.Platform {
	case "":
		return "owner"
	case Platform:
		return GuestPrefix + id
	default: // as that platform has it
		return id
	}
}

// Home is the chat that p begins with. A person of another platform has their chat of there.
func (p Person) Home() event.Chat {
	if p.IsHost() {
		return "main"
	}
	return event.Chat(p.Platform + "/" + strconv.FormatInt(p.ID, 10))
}

// MayRead reports whether p may read a chat and write in it: an owner all, others their own and those below it.
func (p Person) MayRead(chat event.Chat, level event.Level) bool {
	return level >= event.Owner || chat == p.Home() || strings.HasPrefix(string(chat), string(p.Home())+"/")
}

// Is reports whether both are the same person, whatever they are called.
func (p Person) Is(other Person) bool { return p.Platform == other.Platform && p.ID == other.ID }

// Session is a browser that is signed in.
type Session struct {
	ID       string    `json:"id"` // for people, to name it: no secret
	Person   Person    `json:"person"`
	Device   string    `json:"device"` // the browser as it calls itself
	Created  time.Time `json:"created"`
	SignedIn time.Time `json:"signed_in"` // when the person last showed who they are
	Seen     time.Time `json:"seen"`
}

// Invite is a code that lets a person sign in.
type Invite struct {
	Long    string // 128 bits, for the fragment of a link
	Short   string // 8 letters, as [event.ShowCode] shows them
	Expires time.Time
}

// Config has the parts of a [Door].
type Config struct {
	Settings Settings
	People   People
	Members  Members // nil: nobody knows who is in a group
	Now      func() time.Time
	// Entered is called after a person has got a new way in. May be nil.
	Entered func(ctx context.Context, e Entry)
}

// Entry is a new way in: a browser on which somebody has signed in, or a passkey.
type Entry struct {
	ID      string // of the session or the passkey, for [Door.Revoke]
	Person  Person
	Device  string
	Passkey bool
}

// Door is safe for concurrent use.
type Door struct {
	cfg Config

	mu       sync.RWMutex
	invites  []invite
	tries    int                 // wrong codes that are left for all invites
	sessions map[string]*Session // by the SHA-256 of their token
	changed  chan struct{}       // closed when sessions end, then replaced

	members *recent.Map[membership, memberAnswer]
}

// invite is an invite without its codes.
type invite struct {
	person      Person
	expires     time.Time
	long, short [sha256.Size]byte
}

const sessionPrefix = "page/session/"

// Open returns a door with the sessions that were kept.
func Open(ctx context.Context, cfg Config) (*Door, error) {
	d := &Door{cfg: cfg, sessions: map[string]*Session{}, changed: make(chan struct{}), members: recent.NewMap[membership, memberAnswer](maxMembers)}
	kept, err := cfg.Settings.List(ctx, sessionPrefix)
	if err != nil {
		return nil, fmt.Errorf("read who is signed in: %w", err)
	}
	for key, raw := range kept {
		s := &Session{}
		if json.Unmarshal([]byte(raw), s) != nil || s.ID == "" {
			continue // nobody can be let in by it
		}
		d.sessions[strings.TrimPrefix(key, sessionPrefix)] = s
	}
	return d, nil
}

// Invite makes a code for a person. Of too many it forgets the oldest.
func (d *Door) Invite(p Person) Invite {
	raw, code := make([]byte, 16), event.NewCode()
	_, _ = rand.Read(raw) // it never fails
	out := Invite{
		Long: base64.RawURLEncoding.EncodeToString(raw), Short: event.ShowCode(code),
		Expires: d.cfg.Now().Add(InviteTime),
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dropOldInvites()
	if len(d.invites) >= maxInvites {
		d.invites = d.invites[1:]
	}
	d.invites = append(d.invites, invite{
		person: p, expires: out.Expires, long: sha256.Sum256([]byte(out.Long)), short: sha256.Sum256([]byte(code)),
	})
	d.tries = InviteTries
	return out
}

// Look returns whose code it is. It uses up none but a try where the code is wrong.
func (d *Door) Look(code string) (Person, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, err := d.find(code)
	if err != nil {
		return Person{}, err
	}
	return d.invites[i].person, nil
}

// Enter uses a code up and signs its person in on a browser. It returns the token of the new session. before is the
// token that the browser had, which ends; "" for none.
func (d *Door) Enter(ctx context.Context, code, device, before string) (token string, s Session, err error) {
	d.mu.Lock()
	i, err := d.find(code)
	if err != nil {
		d.mu.Unlock()
		return "", Session{}, err
	}
	person := d.invites[i].person
	d.invites = slices.Delete(d.invites, i, i+1)
	d.mu.Unlock()
	return d.SignIn(ctx, person, device, before)
}

// SignIn signs a person in who has shown who they are.
func (d *Door) SignIn(ctx context.Context, p Person, device, before string) (token string, s Session, err error) {
	now := d.cfg.Now()
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	token = base64.RawURLEncoding.EncodeToString(raw)
	key := keyOf(token)
	s = Session{ID: key[:8], Person: p, Device: device, Created: now, SignedIn: now, Seen: now}
	old, known := d.peek(before)
	known = known && old.Person.Is(p)
	if known {
		s.Created = old.Created
	}
	if err := d.keep(ctx, key, s, true); err != nil {
		return "", Session{}, err
	}
	if before != "" {
		if err := d.end(ctx, func(key string, _ *Session) bool { return key == keyOf(before) }); err != nil {
			return "", Session{}, err
		}
	}
	if err := d.endOldest(ctx); err != nil {
		return "", Session{}, err
	}
	if !known && d.cfg.Entered != nil {
		d.cfg.Entered(ctx, Entry{ID: s.ID, Person: p, Device: device})
	}
	return token, s, nil
}

// Session returns the session of a token, and the level of its person now.
func (d *Door) Session(ctx context.Context, token string) (Session, event.Level, error) {
	s, ok := d.peek(token)
	now := d.cfg.Now()
	if !ok || now.Sub(s.Seen) > IdleTime {
		return Session{}, event.User, ErrSession
	}
	level, err := d.Level(ctx, s.Person)
	if err != nil {
		return Session{}, event.User, err
	}
	if now.Sub(s.Seen) > seenEvery {
		s.Seen = now
		if err := d.keep(ctx, keyOf(token), s, false); err != nil {
			return Session{}, event.User, err
		}
	}
	return s, level, nil
}

// Level returns the level of a person now. Its error is [ErrSession] where they are not let in any more.
func (d *Door) Level(ctx context.Context, p Person) (event.Level, error) {
	if p.IsHost() {
		return event.Owner, nil
	}
	known, ok, err := d.cfg.People.Person(ctx, p.Platform, p.ID)
	if err != nil {
		return event.User, err
	}
	if !ok {
		return event.User, ErrSession
	}
	return known.Level, nil
}

// Sessions returns all sessions, those used last first.
func (d *Door) Sessions() []Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []Session
	for _, s := range d.sessions {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Session) int { return b.Seen.Compare(a.Seen) })
	return all
}

// Revoke ends the session of that ID, or removes the passkey of that ID, of a person for whom may is true. It reports whether there
// was one.
func (d *Door) Revoke(ctx context.Context, id string, may func(Person) bool) (bool, error) {
	found := false
	err := d.end(ctx, func(_ string, s *Session) bool {
		is := s.ID == id && may(s.Person)
		found = found || is
		return is
	})
	if found || err != nil {
		return found, err
	}
	return d.removePasskey(ctx, id, may)
}

// Leave ends the session of a token.
func (d *Door) Leave(ctx context.Context, token string) error {
	return d.end(ctx, func(key string, _ *Session) bool { return key == keyOf(token) })
}

// Changed returns a channel that is closed when a session ends.
func (d *Door) Changed() <-chan struct{} {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.changed
}

// FormToken returns what each form of a session carries, so that no other page can send it.
func FormToken(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("form"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// IsFormToken reports whether a form came from a page of the session.
func IsFormToken(token, given string) bool {
	return subtle.ConstantTimeCompare([]byte(FormToken(token)), []byte(given)) == 1
}

func keyOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// peek returns the session of a token as it is kept.
func (d *Door) peek(token string) (Session, bool) {
	if token == "" {
		return Session{}, false
	}
	key := keyOf(token)
	d.mu.RLock()
	defer d.mu.RUnlock()
	s, ok := d.sessions[key]
	if !ok {
		return Session{}, false
	}
	return *s, true
}

// keep stores a session, durably when it returns. One that is not new and has ended meanwhile does not come back.
func (d *Door) keep(ctx context.Context, key string, s Session, isNew bool) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("keep a session: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.sessions[key]; !known && !isNew {
		return ErrSession
	}
	if err := d.cfg.Settings.Set(ctx, sessionPrefix+key, string(raw)); err != nil {
		return fmt.Errorf("keep a session: %w", err)
	}
	d.sessions[key] = &s
	return nil
}

// end ends the sessions for which a function returns true. One that cannot be deleted stays.
func (d *Door) end(ctx context.Context, ends func(key string, s *Session) bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	ended := false
	for key, s := range d.sessions {
		if !ends(key, s) {
			continue
		}
		if err := d.cfg.Settings.Delete(ctx, sessionPrefix+key); err != nil {
			return fmt.Errorf("end a session: %w", err)
		}
		delete(d.sessions, key)
		ended = true
	}
	if ended {
		close(d.changed)
		d.changed = make(chan struct{})
	}
	return nil
}

// endOldest ends the sessions that were not used for long, and those that are too many.
func (d *Door) endOldest(ctx context.Context) error {
	all, now := d.Sessions(), d.cfg.Now()
	return d.end(ctx, func(_ string, s *Session) bool {
		i := slices.IndexFunc(all, func(o Session) bool { return o.ID == s.ID })
		return i >= maxSessions || now.Sub(s.Seen) > IdleTime
	})
}

// find returns the place of the invite that has a code. A wrong code counts as a try. d.mu is held.
func (d *Door) find(code string) (int, error) {
	d.dropOldInvites()
	sum := sha256.Sum256([]byte(strings.TrimSpace(code)))
	if short, ok := event.CleanCode(code); ok {
		sum = sha256.Sum256([]byte(short))
	}
	found := -1
	for i, in := range d.invites {
		if subtle.ConstantTimeCompare(sum[:], in.long[:])|subtle.ConstantTimeCompare(sum[:], in.short[:]) == 1 {
			found = i
		}
	}
	if found >= 0 {
		return found, nil
	}
	if d.tries--; d.tries <= 0 {
		d.invites = nil
	}
	return 0, ErrCode
}

// dropOldInvites forgets the invites that have expired. d.mu is held.
func (d *Door) dropOldInvites() {
	now := d.cfg.Now()
	d.invites = slices.DeleteFunc(d.invites, func(in invite) bool { return !now.Before(in.expires) })
}
