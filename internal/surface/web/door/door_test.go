package door_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/store/storetest"
	"hob/internal/surface/web/door"
)

// house is a door with a clock that a test sets.
type house struct {
	*door.Door
	db  *store.DB
	now time.Time
	in  []string // who has entered on a new browser
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{now: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)}
	h.db = storetest.Open(t, func() time.Time { return h.now })
	h.reopen(t)
	return h
}

// reopen is a restart.
func (h *house) reopen(t *testing.T) {
	t.Helper()
	d, err := door.Open(t.Context(), door.Config{
		Settings: h.db.Settings(), People: h.db.People(), Now: func() time.Time { return h.now },
		Entered: func(_ context.Context, e door.Entry) { h.in = append(h.in, e.Device) },
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Door = d
}

func (h *house) allow(t *testing.T, name string, level event.Level) door.Person {
	t.Helper()
	p, err := h.db.People().AllowPerson(t.Context(), event.Person{Platform: door.Platform, ID: int64(len(name)) + 100, Name: name, Level: level})
	if err != nil {
		t.Fatal(err)
	}
	return door.Person{Platform: p.Platform, ID: p.ID, Name: p.Name}
}

// Either form of a code signs in, once; looking uses nothing up.
func TestCodes(t *testing.T) {
	h := newHouse(t)
	for _, form := range []func(door.Invite) string{
		func(in door.Invite) string { return in.Long },
		func(in door.Invite) string { return in.Short },
		func(in door.Invite) string { return strings.ToLower(strings.ReplaceAll(in.Short, "-", " ")) },
	} {
		in := h.Invite(door.Person{})
		for range 3 {
			if who, err := h.Look(form(in)); err != nil || !who.IsHost() {
				t.Errorf("look: %+v, %v", who, err)
			}
		}
		token, s, err := h.Enter(t.Context(), form(in), "Firefox", "")
		if err != nil || token == "" || s.Device != "Firefox" {
			t.Fatalf("enter: %+v, %v", s, err)
		}
		for _, again := range []string{in.Long, in.Short} {
			if _, _, err := h.Enter(t.Context(), again, "Firefox", ""); !errors.Is(err, door.ErrCode) {
				t.Errorf("a code that was used is good again: %v", err)
			}
		}
	}
	if len(h.in) != 3 {
		t.Errorf("told of %q", h.in)
	}
}

// A code ends after five minutes, and all end after five wrong ones.
func TestCodesEnd(t *testing.T) {
	h := newHouse(t)
	old := h.Invite(door.Person{})
	h.now = h.now.Add(door.InviteTime)
	if _, err := h.Look(old.Long); !errors.Is(err, door.ErrCode) {
		t.Errorf("an old code: %v", err)
	}
	one, other := h.Invite(door.Person{}), h.Invite(door.Person{})
	for range door.InviteTries - 1 {
		_, _ = h.Look("AAAA-AAAA")
	}
	if _, err := h.Look(one.Short); err != nil {
		t.Errorf("a code after four wrong ones: %v", err)
	}
	_, _ = h.Look("AAAA-AAAA")
	for _, in := range []door.Invite{one, other} {
		if _, err := h.Look(in.Long); !errors.Is(err, door.ErrCode) {
			t.Errorf("a code after five wrong ones: %v", err)
		}
	}
}

// A session outlives a restart, and nothing that is kept lets anybody in.
func TestSessionsAreKept(t *testing.T) {
	h := newHouse(t)
	token, s, err := h.SignIn(t.Context(), door.Person{}, "Firefox", "")
	if err != nil {
		t.Fatal(err)
	}
	h.reopen(t)
	got, level, err := h.Session(t.Context(), token)
	if err != nil || level != event.Owner || got.ID != s.ID {
		t.Fatalf("%+v, %v, %v", got, level, err)
	}
	kept, err := h.db.Settings().List(t.Context(), "page/")
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	for key, value := range kept {
		if strings.Contains(key+value, token) {
			t.Error("the token itself is kept")
		}
		if _, _, err := h.Session(t.Context(), strings.TrimPrefix(key, "page/session/")); err == nil {
			t.Error("what is kept lets somebody in")
		}
	}
	h.now = h.now.Add(door.IdleTime + time.Second)
	if _, _, err := h.Session(t.Context(), token); !errors.Is(err, door.ErrSession) {
		t.Errorf("a session that was not used for a month: %v", err)
	}
}

// A level holds as long as the store says so, and nobody is let in who was turned out.
func TestLevelsAreLookedUp(t *testing.T) {
	h := newHouse(t)
	ben := h.allow(t, "Ben", event.User)
	token, _, err := h.SignIn(t.Context(), ben, "Firefox", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, level, err := h.Session(t.Context(), token); err != nil || level != event.User {
		t.Fatalf("%v, %v", level, err)
	}
	h.allow(t, "Ben", event.BotAdmin)
	if _, level, err := h.Session(t.Context(), token); err != nil || level != event.BotAdmin {
		t.Fatalf("%v, %v", level, err)
	}
	if _, err := h.db.People().ForgetPerson(t.Context(), ben.Platform, ben.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.Session(t.Context(), token); !errors.Is(err, door.ErrSession) {
		t.Errorf("somebody who was turned out: %v", err)
	}
}

// To sign in again ends the session before, and is no new browser; another person on the same browser is one.
func TestSignInAgain(t *testing.T) {
	h := newHouse(t)
	first, _, err := h.SignIn(t.Context(), door.Person{}, "Firefox", "")
	if err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(time.Hour)
	second, s, err := h.SignIn(t.Context(), door.Person{}, "Firefox", first)
	if err != nil || !s.SignedIn.Equal(h.now) || s.Created.Equal(h.now) {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, _, err := h.Session(t.Context(), first); !errors.Is(err, door.ErrSession) {
		t.Errorf("the session before goes on: %v", err)
	}
	if len(h.in) != 1 {
		t.Errorf("told of %q", h.in)
	}
	if _, _, err := h.SignIn(t.Context(), h.allow(t, "Ben", event.User), "Firefox", second); err != nil || len(h.in) != 2 {
		t.Errorf("told of %q, %v", h.in, err)
	}
}

// Who may not end a session does not; who ends one closes what waits for that.
func TestRevoke(t *testing.T) {
	h := newHouse(t)
	token, s, err := h.SignIn(t.Context(), door.Person{}, "Firefox", "")
	if err != nil {
		t.Fatal(err)
	}
	changed := h.Changed()
	if ended, err := h.Revoke(t.Context(), s.ID, func(door.Person) bool { return false }); ended || err != nil {
		t.Errorf("%t, %v", ended, err)
	}
	select {
	case <-changed:
		t.Error("nothing has ended")
	default:
	}
	if ended, err := h.Revoke(t.Context(), s.ID, func(door.Person) bool { return true }); !ended || err != nil {
		t.Errorf("%t, %v", ended, err)
	}
	select {
	case <-changed:
	default:
		t.Error("nobody hears that it has ended")
	}
	if _, _, err := h.Session(t.Context(), token); !errors.Is(err, door.ErrSession) {
		t.Error(err)
	}
	h.reopen(t)
	if _, _, err := h.Session(t.Context(), token); !errors.Is(err, door.ErrSession) {
		t.Error("it is there again after a restart")
	}
}

// The token of a form is of one session.
func TestFormToken(t *testing.T) {
	if !door.IsFormToken("a", door.FormToken("a")) || door.IsFormToken("b", door.FormToken("a")) || door.IsFormToken("a", "") {
		t.Error("a form of another session is taken")
	}
}

// People read their own chats, and no chat whose name only begins alike.
func TestMayRead(t *testing.T) {
	ben := door.Person{Platform: "telegram", ID: 47}
	for chat, want := range map[event.Chat]bool{
		"telegram/47": true, "telegram/47/work": true, "telegram/471": false, "telegram/4": false, "telegram/-47": false, "main": false, "page/47": false,
	} {
		if got := ben.MayRead(chat, event.BotAdmin); got != want {
			t.Errorf("%s: %t", chat, got)
		}
	}
	if !(door.Person{}).MayRead("telegram/47", event.Owner) {
		t.Error("an owner reads every chat")
	}
}
