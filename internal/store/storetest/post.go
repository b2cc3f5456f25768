package storetest

import (
	"context"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Post keeps who may write, what has arrived and what was sent.
type Post interface {
	store.Journal
	Receive(ctx context.Context, all []event.Update) ([]event.Update, error)
	Undone(ctx context.Context, platform string) ([]event.Update, error)
	SetUpdate(ctx context.Context, n int64, state event.UpdateState) error
	BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error)
	EndSend(ctx context.Context, s event.Send, reader string, mark int64) error
	Sends(ctx context.Context, chat event.Chat, seq int64) ([]event.Send, error)
	SentAs(ctx context.Context, chat event.Chat, message int64) (event.Send, bool, error)
	Shown(ctx context.Context, chat event.Chat, name string) (int64, error)
	SetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
	Person(ctx context.Context, platform string, id int64) (event.Person, bool, error)
	People(ctx context.Context, platform string) ([]event.Person, error)
	AllowPerson(ctx context.Context, p event.Person) (event.Person, error)
	ForgetPerson(ctx context.Context, platform string, id int64) (bool, error)
	AddInvite(ctx context.Context, in event.Invite, code string) error
	Invited(ctx context.Context, platform string) (event.Invite, bool, error)
	Redeem(ctx context.Context, p event.Person, code string) (event.Person, bool, error)
}

// RunPost holds what keeps post to its contract. Each call of open returns a new and empty one; now is its clock.
func RunPost(t *testing.T, open func(t *testing.T, now func() time.Time) Post) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Post, *time.Time)
	}{
		{"an update is received once", receivedOnce},
		{"an id that is known may be another update", receivedAnew},
		{"what was dealt with long ago is forgotten", arrivalsForgotten},
		{"a message is sent once", sentOnce},
		{"what was sent long ago is forgotten", sendsForgotten},
		{"a message shows what changes", shownWhere},
		{"people are let in and forgotten", letIn},
		{"a code lets one person in", oneInvite},
		{"wrong codes use an invite up", wrongCodes},
		{"an invite ends", inviteEnds},
		{"an ended context does nothing", postCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Date(2027, 1, 2, 3, 4, 5, 6e6, time.UTC)
			c.test(t, open(t, func() time.Time { return now }), &now)
		})
	}
}

// expect compares what a call returned.
func expect(t *testing.T, what string, want, got any, err error) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%s: %v (-want +got)\n%s", what, err, diff)
	}
}

func sentOnce(t *testing.T, p Post, _ *time.Time) {
	ctx := t.Context()
	want := event.Send{Chat: "c", Seq: 5, Part: 1, State: event.SendBegun, Tries: 1}
	got, err := p.BeginSend(ctx, "c", 5, 1)
	expect(t, "begun", want, got, err)
	want.Tries = 2
	got, err = p.BeginSend(ctx, "c", 5, 1)
	expect(t, "begun again", want, got, err)
	want.State, want.Message = event.SendSent, 77
	if err := p.EndSend(ctx, want, "told/c", 5); err != nil {
		t.Fatal(err)
	}
	mark, err := p.Marked(ctx, "told/c")
	expect(t, "the reader's mark", int64(5), mark, err)
	got, err = p.BeginSend(ctx, "c", 5, 1)
	expect(t, "begun when it was sent", want, got, err)

	first, err := p.BeginSend(ctx, "c", 5, -1)
	if err != nil {
		t.Fatal(err)
	}
	first.State = event.SendGone
	if err := p.EndSend(ctx, first, "", 9); err != nil {
		t.Fatal(err)
	}
	if _, err := p.BeginSend(ctx, "other", 5, 1); err != nil {
		t.Fatal(err)
	}
	all, err := p.Sends(ctx, "c", 5)
	expect(t, "all of an event", []event.Send{first, want}, all, err)
	if mark, err = p.Marked(ctx, "told/c"); mark != 5 || err != nil {
		t.Errorf("the mark moved without its reader: %d, %v", mark, err)
	}

	as, known, err := p.SentAs(ctx, "c", 77)
	expect(t, "by its message", want, as, err)
	if !known {
		t.Error("it is not known by its message")
	}
	for chat, message := range map[event.Chat]int64{"c": 78, "other": 77, "d": 0} {
		if as, known, err := p.SentAs(ctx, chat, message); known || err != nil {
			t.Errorf("message %d of %s is known as %+v, %v", message, chat, as, err)
		}
	}
	if err := p.EndSend(ctx, event.Send{Chat: "c", Seq: 6, State: event.SendSent}, "told/c", 99); err == nil {
		t.Error("a message ended that was not begun")
	}
	if mark, err = p.Marked(ctx, "told/c"); mark != 5 || err != nil {
		t.Errorf("the mark moved with what failed: %d, %v", mark, err)
	}
	add(t, p, said("telegram/1", "1"), said("main", "2"), said("telegram/-4/3", "3"))
	chats, err := p.ChatsOf(ctx, "telegram/")
	expect(t, "chats", []event.Chat{"telegram/-4/3", "telegram/1"}, chats, err)
}

func sendsForgotten(t *testing.T, p Post, now *time.Time) {
	ctx := t.Context()
	for seq := range int64(2) {
		if _, err := p.BeginSend(ctx, "c", seq, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.EndSend(ctx, event.Send{Chat: "c", Seq: 1, State: event.SendSent, Message: 5}, "", 0); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(31 * 24 * time.Hour)
	if _, err := p.BeginSend(ctx, "c", 9, 0); err != nil {
		t.Fatal(err)
	}
	for seq, want := range map[int64]int{0: 1, 1: 0} { // what has not ended is not forgotten
		if all, err := p.Sends(ctx, "c", seq); len(all) != want || err != nil {
			t.Errorf("%d: %v, %v", seq, all, err)
		}
	}
}

func shownWhere(t *testing.T, p Post, _ *time.Time) {
	ctx := t.Context()
	want := func(what string, chat event.Chat, name string, message int64) {
		t.Helper()
		got, err := p.Shown(ctx, chat, name)
		expect(t, what, message, got, err)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	want("nothing yet", "c", "map", 0)
	do(p.SetShown(ctx, "c", "map", 7))
	do(p.SetShown(ctx, "c", "map", 9))
	do(p.SetShown(ctx, "c", "sheet", -3))
	do(p.SetShown(ctx, "d", "map", 11))
	want("the newest", "c", "map", 9)
	do(p.ForgetShown(ctx, "c", "map", 7))
	want("what another message shows by now", "c", "map", 9)
	do(p.ForgetShown(ctx, "c", "map", 9))
	want("what was forgotten", "c", "map", 0)
	want("another name", "c", "sheet", -3)
	want("another chat", "d", "map", 11)
	do(p.SetShown(ctx, "d", "map", 0))
	want("none", "d", "map", 0)
	do(p.ForgetShown(ctx, "d", "map", 11))
	if err := p.SetShown(ctx, "d", "", 1); err == nil {
		t.Error("what has no name is shown")
	}
	if err := p.SetShown(ctx, "", "map", 1); err == nil {
		t.Error("it is shown in no chat")
	}
}

func letIn(t *testing.T, p Post, now *time.Time) {
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
	for _, want := range []bool{true, false} {
		if had, err := p.ForgetPerson(ctx, "p", 5); had != want || err != nil {
			t.Error(had, err)
		}
	}
	if got, known, err := p.Person(ctx, "p", 5); known || err != nil {
		t.Error("Ann is known:", got, err)
	}
	for _, nobody := range []event.Person{{Platform: "p"}, {ID: 1}} {
		if _, err := p.AllowPerson(ctx, nobody); err == nil {
			t.Errorf("%+v was let in", nobody)
		}
	}
}

func oneInvite(t *testing.T, p Post, now *time.Time) {
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

func wrongCodes(t *testing.T, p Post, now *time.Time) {
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

func inviteEnds(t *testing.T, p Post, now *time.Time) {
	ctx := t.Context()
	if err := p.AddInvite(ctx, event.Invite{Platform: "p", Expires: now.Add(time.Minute), Tries: 2}, "K7QX-9M2P"); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(time.Minute)
	if _, right, err := p.Redeem(ctx, event.Person{Platform: "p", ID: 6}, "K7QX-9M2P"); right || err != nil {
		t.Error(right, err)
	}
}

func postCancelled(t *testing.T, p Post, _ *time.Time) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Receive(ctx, []event.Update{told(1, `1`)}); err == nil {
		t.Error("Receive")
	}
	if _, err := p.BeginSend(ctx, "c", 1, 0); err == nil {
		t.Error("BeginSend")
	}
	if _, err := p.AllowPerson(ctx, event.Person{Platform: "p", ID: 1}); err == nil {
		t.Error("AllowPerson")
	}
}
