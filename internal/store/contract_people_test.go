package store_test

import (
	"context"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store/storetest"
)

// people is what [store.People] and [storetest.Memory] both are.
type people interface {
	Person(ctx context.Context, platform string, id int64) (event.Person, bool, error)
	People(ctx context.Context, platform string) ([]event.Person, error)
	AllowPerson(ctx context.Context, p event.Person) (event.Person, error)
	AddInvite(ctx context.Context, in event.Invite, code string) error
	Invited(ctx context.Context, platform string) (event.Invite, bool, error)
	Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error)
}

func TestPeopleContract(t *testing.T) {
	for name, test := range map[string]func(*testing.T, people, *time.Time){
		"people are let in":               letIn,
		"a code lets one person in":       oneInvite,
		"wrong codes use an invite up":    wrongCodes,
		"an invite ends":                  inviteEnds,
		"an ended context lets nobody in": peopleCancelled,
	} {
		t.Run("SQLite/"+name, func(t *testing.T) {
			now := clock()
			test(t, storetest.Open(t, func() time.Time { return *now }).People(), now)
		})
		t.Run("fake/"+name, func(t *testing.T) {
			now := clock()
			test(t, storetest.NewMemory(func() time.Time { return *now }), now)
		})
	}
}

func letIn(t *testing.T, p people, now *time.Time) {
	ctx := t.Context()
	ann := event.Person{Platform: "p", ID: 5, Name: "Ann\x00", Level: event.Owner, By: "owner"}
	got, err := p.AllowPerson(ctx, ann)
	ann.Since = *now
	expect(t, "let in", ann, got, err)
	group := event.Person{Platform: "p", ID: -100123456789012, Since: time.UnixMilli(3).UTC()}
	if _, err := p.AllowPerson(ctx, group); err != nil {
		t.Fatal(err)
	}
	if _, err := p.AllowPerson(ctx, event.Person{Platform: "q", ID: 5}); err != nil {
		t.Fatal(err)
	}
	people, err := p.People(ctx, "p")
	expect(t, "people", []event.Person{group, ann}, people, err)
	ann.Level = event.User
	if _, err := p.AllowPerson(ctx, ann); err != nil {
		t.Fatal(err)
	}
	got, known, err := p.Person(ctx, "p", 5)
	expect(t, "with another level", ann, got, err)
	if !known {
		t.Error("Ann is not known")
	}
	for _, nobody := range []event.Person{{Platform: "p"}, {ID: 1}} {
		if _, err := p.AllowPerson(ctx, nobody); err == nil {
			t.Errorf("%+v was let in", nobody)
		}
	}
}

func TestForgetPerson(t *testing.T) {
	ctx, p := t.Context(), storetest.Open(t, time.Now).People()
	if _, err := p.AllowPerson(ctx, event.Person{Platform: "p", ID: 5, Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if had, err := p.ForgetPerson(ctx, "p", 5); had != want || err != nil {
			t.Error(had, err)
		}
	}
	if got, known, err := p.Person(ctx, "p", 5); known || err != nil {
		t.Error("Ann is known:", got, err)
	}
}

func oneInvite(t *testing.T, p people, now *time.Time) {
	ctx := t.Context()
	in := event.Invite{Platform: "p", Level: event.BotAdmin, Expires: now.Add(time.Minute), Tries: 5}
	if err := p.AddInvite(ctx, in, "0000-0000"); err != nil {
		t.Fatal(err)
	}
	if err := p.AddInvite(ctx, in, "K7QX-9M2P"); err != nil { // in the place of the first
		t.Fatal(err)
	}
	got, there, err := p.Invited(ctx, "p")
	expect(t, "invited", in, got, err)
	if !there {
		t.Error("no invite is in force")
	}
	ann := event.Person{Platform: "p", ID: 5, Name: "Ann"}
	for _, wrong := range []string{"0000-0000", ""} {
		if _, right, err := p.Redeem(ctx, ann, wrong); right || err != nil {
			t.Error(wrong, right, err)
		}
	}
	if _, right, err := p.Redeem(ctx, event.Person{Platform: "q", ID: 5}, "K7QX-9M2P"); right || err != nil {
		t.Error("a code for another platform:", right, err)
	}
	want := event.Person{Platform: "p", ID: 5, Name: "Ann", Level: event.BotAdmin, Since: *now, By: "invite"}
	let, right, err := p.Redeem(ctx, ann, " k7qx 9m2p")
	expect(t, "let in", want, let, err)
	if !right {
		t.Error("the code was not right")
	}
	let, _, err = p.Person(ctx, "p", 5)
	expect(t, "kept", want, let, err)
	if _, right, err := p.Redeem(ctx, event.Person{Platform: "p", ID: 6}, "K7QX-9M2P"); right || err != nil {
		t.Error("the code was good for two:", right, err)
	}
	in.Level = event.User
	if err := p.AddInvite(ctx, in, "K7QX-9M2P"); err != nil {
		t.Fatal(err)
	}
	let, _, err = p.Redeem(ctx, ann, "K7QX-9M2P")
	expect(t, "with an invite below their level", want, let, err)
}

func wrongCodes(t *testing.T, p people, now *time.Time) {
	ctx := t.Context()
	in := event.Invite{Platform: "p", Expires: now.Add(time.Minute), Tries: 2}
	if err := p.AddInvite(ctx, in, "K7QX-9M2P"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, right, err := p.Redeem(ctx, event.Person{Platform: "p", ID: 6}, "K7QX-9M2Q"); right || err != nil {
			t.Error(right, err)
		}
	}
	if _, right, err := p.Redeem(ctx, event.Person{Platform: "p", ID: 6}, "K7QX-9M2P"); right || err != nil {
		t.Error("the right code, too late:", right, err)
	}
	if _, there, err := p.Invited(ctx, "p"); there || err != nil {
		t.Error("the invite is still in force:", err)
	}
	for _, bad := range []string{"", "SHORT", "K7QX-9M2PX", "K7QX-9M2U"} {
		if err := p.AddInvite(ctx, in, bad); err == nil {
			t.Errorf("%q is a code", bad)
		}
	}
}

func inviteEnds(t *testing.T, p people, now *time.Time) {
	ctx := t.Context()
	if err := p.AddInvite(ctx, event.Invite{Platform: "p", Expires: now.Add(time.Minute), Tries: 2}, "K7QX-9M2P"); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(time.Minute)
	if _, right, err := p.Redeem(ctx, event.Person{Platform: "p", ID: 6}, "K7QX-9M2P"); right || err != nil {
		t.Error(right, err)
	}
}

func peopleCancelled(t *testing.T, p people, _ *time.Time) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.AllowPerson(ctx, event.Person{Platform: "p", ID: 1}); err == nil {
		t.Error("AllowPerson")
	}
}
