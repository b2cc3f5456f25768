package app_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/undo"
)

// as is somebody in a private chat of Telegram.
func as(id string, level event.Level) commands.Request {
	return commands.Request{Surface: commands.Telegram, Chat: event.Chat("telegram/" + id), From: id,
		Principal: event.Principal{Platform: "telegram", Scope: "private", Level: level}}
}

// with returns a request with arguments.
func with(r commands.Request, args string) commands.Request {
	r.Args = args
	return r
}

// Everybody sees and takes back their own, and the owner all. A guest has nothing, and takes nothing back.
func TestUndo_WhoMay(t *testing.T) {
	o := newTestApp(t, noOllama)
	ben, eve, ada := as("8", event.BotAdmin), as("9", event.User), as("7", event.Owner)
	o.write(here, "ada.txt", "hers") // change 1, by 7
	for who, want := range map[string]string{"list": "There is nothing to take back.", "#1": "error: there is no change 1: /undo list shows those that there are"} {
		for _, other := range []commands.Request{ben, eve} {
			got, _ := o.ask("undo", with(other, who))
			o.is(want, got)
		}
	}
	o.is("hers", o.read("ada.txt"))
	group := ben
	group.Scope, group.Chat = "group", "telegram/-5"
	got, _ := o.ask("undo", group)
	o.is("There is nothing to take back in this chat.", got)
	got, _ = o.ask("undo", with(ada, "list"))
	if !strings.HasPrefix(got, "Changes, the newest first\n• ") || !strings.HasSuffix(got, " made ada.txt; undo with /undo #1") {
		t.Error(got)
	}
	o.tool(tools.Caller{Chat: ben.Chat, User: "8", Principal: ben.Principal}, "write_file", `{"path":"ben.txt","content":"his","mode":"overwrite"}`)
	got, _ = o.ask("undo", with(ben, "list"))
	if strings.Contains(got, "ada.txt") || !strings.Contains(got, "#2") {
		t.Error("Ben sees\n", got)
	}
	got, _ = o.ask("undo", with(ada, "#2")) // the owner, though it is Ben's, and in another chat
	if !strings.HasPrefix(got, "Taken back\n• ben.txt is gone") {
		t.Error(got)
	}
	got, _ = o.ask("undo", with(ada, "list"))
	for _, want := range []string{" deleted ben.txt; takes back 2; undo with /undo #3\n", " made ben.txt; #2, taken back by 3\n", " made ada.txt; undo with /undo #1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// tool calls a tool as somebody.
func (o testApp) tool(who tools.Caller, name, args string) tools.Result {
	o.Helper()
	tool, err := o.Tools.ByName(name)
	if err != nil {
		o.Fatal(err)
	}
	res, err := tools.Call(tools.WithCaller(o.Context(), who), tool, []byte(args))
	if err != nil {
		o.Fatal(err)
	}
	return res
}

// What gives rights back is a question in the owner's chat, about exactly that, and nothing for others. Tightening asks nobody.
func TestUndo_Rights(t *testing.T) {
	o := newTestApp(t, noOllama)
	ada, ben := as("7", event.Owner), as("8", event.BotAdmin)
	of := func(who commands.Request) context.Context {
		return event.WithCause(t.Context(), tools.Caller{Chat: who.Chat, User: who.From, Principal: who.Principal}.Cause("test"))
	}
	grant, err := o.Journal.Grants().Add(of(ben), event.Grant{Tool: "fetch", Host: "a.org", By: "8"})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := o.ask("undo", with(ben, "#1")) // change 1: no right
	if !strings.HasPrefix(got, "Taken back") {
		t.Error(got)
	}
	got, _ = o.ask("undo", with(ben, "#2")) // which takes back change 1: again a right
	o.is("error: only the owner can take that back: it gives somebody more rights than they have now", got)
	for _, force := range []string{"#2 force", "2 change 2 force", "change 2 no-asking"} {
		_, _ = o.ask("undo", with(ben, force))
		if all, err := o.Journal.Grants().InForce(t.Context()); err != nil || len(all) > 0 {
			t.Fatalf("/undo %s: %v, %v", force, all, err)
		}
	}
	group := ada
	group.Scope = "group"
	group.Chat = "telegram/-5"
	if _, err := o.Journal.Grants().Add(of(group), event.Grant{Tool: "fetch", Host: "b.org", By: "7"}); err != nil {
		t.Fatal(err)
	}
	_, _ = o.Journal.Grants().Revoke(of(group), grant.ID+1)
	got, _ = o.ask("undo", with(group, "#4"))
	o.is("error: that gives rights back: say it in a private chat with me, where I can ask you", got)

	got, _ = o.ask("undo", with(ada, "#2"))
	if !strings.Contains(got, "it needs your yes here: fetch on a.org needs no question again") {
		t.Error(got)
	}
	var asked event.Asked
	for e, err := range o.Follow(t.Context(), ada.Chat, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if q, ok := e.Body.(event.Asked); ok {
			asked = q
			break
		}
	}
	if !strings.Contains(asked.Text, "rights: fetch on a.org needs no question again") || asked.Tool != undo.ToolName || asked.Rule != "authority" {
		t.Errorf("%+v", asked)
	}
	if all, err := o.Journal.Grants().InForce(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("before the yes: %v, %v", all, err)
	}
	if err := o.Decide(t.Context(), session.Answer{Chat: ada.Chat, ID: asked.ID, Allow: true, By: "7", Principal: ada.Principal}); err != nil {
		t.Fatal(err)
	}
	for e, err := range o.Follow(t.Context(), ada.Chat, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ended := e.Body.(event.Ended); ended {
			break
		}
	}
	if all, err := o.Journal.Grants().InForce(t.Context()); err != nil || len(all) != 1 || all[0].ID != grant.ID {
		t.Errorf("after the yes: %v, %v", all, err)
	}
}

// A configuration that was cut short, before or after it was written, is not half taken back.
func TestUndo_OfAConfigurationCutShort(t *testing.T) {
	o := newTestApp(t, noOllama)
	ctx := app.WithOwnersCause(t.Context(), "config")
	path := o.set.ConfigPath
	set := func(value string, cut func(replace func() error)) {
		t.Helper()
		defer func() { _ = recover() }()
		editor := o.set.ConfigEditor(ctx, path)
		keep := editor.Keep
		editor.Keep = func(path, text string, replace func() error) error {
			return keep(path, text, func() error { cut(replace); return nil })
		}
		if err := editor.Set(path, "time.zone", value); err != nil {
			t.Fatal(err)
		}
	}
	whole := func(replace func() error) {
		if err := replace(); err != nil {
			t.Fatal(err)
		}
	}
	set("Europe/Berlin", whole)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set("Europe/Paris", func(func() error) { panic("killed") })                        // change 2: it never happened
	set("Europe/Rome", func(replace func() error) { whole(replace); panic("killed") }) // change 3: it did, and nobody noted it
	done, err := o.set.Changes(o.Journal).Undo(t.Context(), commands.UndoRequest{By: tools.Caller{User: "owner", Principal: app.LocalOwner()}})
	if err != nil || len(done.Undone) != 1 || done.Undone[0].Change != 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(before) {
		t.Errorf("%q, %v, want %q", now, err, before)
	}
	all, err := o.Journal.Changes(store.Limits{}).Since(t.Context(), 0)
	if err != nil || len(all) != 3 || all[0].Undoes != 3 { // change 2 is void
		t.Errorf("%+v, %v", all, err)
	}
}

// What was done beside the changes and stays is said: of a whole turn all of it, of single changes what their commands did, and before the
// question where the owner is asked.
func TestUndo_WhatRemains(t *testing.T) {
	const page, command = "fetched https://a.org/x", `whatever "make all" did elsewhere`
	for _, c := range []struct {
		name, args string
		remains    string // "": nothing is said of it
		asks       bool
	}{
		{name: "a turn, looked at", args: "turn dry-run", remains: command + ", " + page},
		{name: "a turn", args: "turn", remains: command + ", " + page},
		{name: "what a command changed", args: "#1", remains: command},
		{name: "a file", args: "#2"},
		{name: "a right that comes back, and a command", args: "#1 #4", remains: command, asks: true},
		{name: "a right that comes back", args: "#4", asks: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newTestApp(t, noOllama)
			ada := as("7", event.Owner)
			ada.Surface = commands.Terminal
			said, err := o.Journal.Append(t.Context(), store.Entry{Chat: ada.Chat, Body: event.Said{InputID: "a", From: "7", Text: "make it"}})
			if err != nil {
				t.Fatal(err)
			}
			turn := said[0].Seq
			who := tools.Caller{Chat: ada.Chat, User: "7", Turn: turn, Principal: ada.Principal}
			ctx := tools.WithCaller(t.Context(), who)
			after := o.Tools.FileTool.Watch().Before(ctx, "make all", event.Label{})
			if err := os.WriteFile(o.set.WorkspaceDir+"/made", []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
			made := after(ctx).Change                                                                       // 1
			wrote := o.tool(who, "write_file", `{"path":"a.txt","content":"a","mode":"overwrite"}`).Effects // 2
			for i, effects := range [][]event.Effect{
				{{Kind: "ran", Target: "make all", Change: made}}, {{Kind: "fetched", Target: "https://a.org/x", Status: 200}}, wrote,
			} {
				_, err := o.Journal.Append(t.Context(), store.Entry{Chat: ada.Chat, Turn: turn, Body: event.Returned{ID: string(rune('a' + i)), Tool: "some", OK: true, Effects: effects}})
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := o.Journal.Append(t.Context(), store.Entry{Chat: ada.Chat, Turn: turn, Body: event.Ended{Reason: event.Done}}); err != nil {
				t.Fatal(err)
			}
			owns := event.WithCause(t.Context(), tools.Caller{Chat: ada.Chat, User: "7", Principal: ada.Principal}.Cause("grant"))
			grant, err := o.Journal.Grants().Add(owns, event.Grant{Tool: "fetch", Host: "a.org", By: "7"}) // 3
			if err != nil {
				t.Fatal(err)
			}
			if _, err := o.Journal.Grants().Revoke(owns, grant.ID); err != nil { // 4
				t.Fatal(err)
			}
			got, _ := o.ask("undo", with(ada, c.args))
			want := ""
			if c.remains != "" {
				want = "Remains, because nothing takes it back: " + c.remains + "\n\n"
			}
			rest, found := strings.CutPrefix(got, want)
			if !found || strings.Contains(rest, "Remains") || strings.HasPrefix(rest, "That gives rights back") != c.asks {
				t.Errorf("%s\nwant at first %q, and then a question: %v", got, want, c.asks)
			}
		})
	}
}

// What somebody answers to whether another may remind them is a change of theirs, with the reminders that it is about. They take it back
// themselves, without a question; the owner is asked before somebody may remind another again who said no.
func TestUndo_Consent(t *testing.T) {
	o := newTestApp(t, noOllama)
	ada, ben, eve := as("7", event.Owner), as("8", event.BotAdmin), as("9", event.User)
	for id, name := range map[int64]string{8: "Ben", 9: "Eve"} {
		if _, err := o.Journal.People().AllowPerson(t.Context(), event.Person{Platform: "telegram", ID: id, Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	due := time.Now().Add(time.Hour).UTC()
	party := func(id, name string) event.Party { return event.Party{Platform: "telegram", ID: id, Name: name} }
	r, err := o.Journal.Reminders().Add(t.Context(), event.Reminder{
		Text: "bring the drill", Chat: eve.Chat, By: party("8", "Ben"), For: party("9", "Eve"), State: event.ReminderWaiting, Due: due, Planned: due,
		When: event.When{Zone: "UTC", Start: due.Format(event.StartLayout)},
	})
	if err != nil {
		t.Fatal(err)
	}
	is := func(answer string, state event.ReminderState) {
		t.Helper()
		got, err := o.Journal.Reminders().Consent(t.Context(), r.For, r.By)
		now, _, bad := o.Journal.Reminders().Get(t.Context(), r.ID)
		if err != nil || bad != nil || got != answer || now.State != state {
			t.Fatalf("the answer is %q, the reminder %s, %v, %v; want %q, %s", got, now.State, err, bad, answer, state)
		}
	}
	answers := func(word string) int64 {
		t.Helper()
		res := o.tool(tools.Caller{Chat: eve.Chat, User: "9", Principal: eve.Principal}, "reminder", `{"id":1,"change":"`+word+`"}`)
		if len(res.Effects) != 1 || res.Effects[0].Change == 0 {
			t.Fatalf("%+v", res.Effects)
		}
		return res.Effects[0].Change
	}
	undo := func(who commands.Request, n int64, want string) {
		t.Helper()
		if got, _ := o.ask("undo", with(who, fmt.Sprint("#", n))); !strings.HasPrefix(got, want) {
			t.Errorf("%s\nwant %q", got, want)
		}
	}
	yes := answers("agree")
	is("yes", event.ReminderOpen)
	undo(ben, yes, "error: there is no change")
	undo(eve, yes, "Taken back\n")
	is("", event.ReminderWaiting)
	answers("agree")
	no := answers("refuse")
	is("no", event.ReminderRefused)
	undo(eve, no, "Taken back\n• ")
	is("yes", event.ReminderOpen)
	no = answers("mute")
	undo(ada, no, "That gives rights back, so it needs your yes here: this answer holds no longer: Ben may remind Eve: mute.")
	is("mute", event.ReminderRefused)
	got, _ := o.ask("undo", with(eve, "list"))
	if !strings.Contains(got, "changed consent (Ben may remind Eve: mute) and 1 more") {
		t.Error(got)
	}
}

// What an undo makes of a reminder of two people is said to the other one: that it is back, that nobody agrees to it any more, and that it
// is gone.
func TestUndo_IsHeard(t *testing.T) {
	o := newTestApp(t, noOllama)
	ben, eve := as("8", event.User), as("9", event.User)
	for id, name := range map[int64]string{8: "Ben", 9: "Eve"} {
		if _, err := o.Journal.People().AllowPerson(t.Context(), event.Person{Platform: "telegram", ID: id, Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	call := func(who commands.Request, tool, args string) int64 {
		t.Helper()
		res := o.tool(tools.Caller{Chat: who.Chat, User: who.From, Principal: who.Principal}, tool, args)
		if len(res.Effects) != 1 || res.Effects[0].Change == 0 {
			t.Fatalf("%s %s: %q, %+v", tool, args, res.Text, res.Effects)
		}
		return res.Effects[0].Change
	}
	heard := func(chat event.Chat, want string) {
		t.Helper()
		var last event.Noted
		for e, err := range o.Journal.Chat(t.Context(), chat, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if note, ok := e.Body.(event.Noted); ok {
				last = note
			}
		}
		if !strings.HasPrefix(last.Text, want) || !strings.HasSuffix(last.Text, "for Eve: bring the drill") {
			t.Errorf("%s reads %q, want %q", chat, last.Text, want)
		}
	}
	undo := func(who commands.Request, n int64) {
		t.Helper()
		if got, _ := o.ask("undo", with(who, fmt.Sprint("#", n))); !strings.HasPrefix(got, "Taken back") {
			t.Fatal(got)
		}
	}
	const drill = `{"text":"in 3 hours bring the drill","for":"Eve"}`
	call(ben, "remind", drill)
	yes := call(eve, "reminder", `{"id":1,"change":"agree"}`)
	cancelled := call(eve, "reminder", `{"id":1,"change":"cancel"}`)
	undo(eve, cancelled)
	heard(ben.Chat, "Eve has brought this reminder back: ")
	undo(eve, yes)
	heard(ben.Chat, "Eve has taken back the yes to this reminder: ")
	call(eve, "reminder", `{"id":1,"change":"agree"}`)
	undo(ben, call(ben, "remind", drill))
	heard(eve.Chat, "Ben has cancelled this reminder: ")
}

// A reminder that was told since is passed by: what came before it can be taken back. Who names its change reads why it cannot.
func TestUndo_PassesWhatWasTold(t *testing.T) {
	o := newTestApp(t, noOllama)
	ada := as("7", event.Owner)
	caller := tools.Caller{Chat: ada.Chat, User: "7", Principal: ada.Principal}
	if _, err := o.Journal.People().AllowPerson(t.Context(), event.Person{Platform: "telegram", ID: 7, Name: "Ada", Level: event.Owner}); err != nil {
		t.Fatal(err)
	}
	undo := func(args, want string) {
		t.Helper()
		if got, _ := o.ask("undo", with(ada, args)); !strings.HasPrefix(got, want) {
			t.Errorf("undo %s: %s\nwant %q", args, got, want)
		}
	}
	o.tool(caller, "write_file", `{"path":"note.txt","content":"older","mode":"overwrite"}`)
	for id, words := range []string{"in 5 minutes tea", "every day at 9:00 the pill"} {
		o.tool(caller, "remind", `{"text":"`+words+`"}`)
		_, err := o.Journal.Reminders().Change(t.Context(), int64(id)+1, func(r *event.Reminder) error {
			r.Sent, r.Unseen, r.Last = 1, 1, time.Now().Add(time.Minute)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	undo("#3", "Nothing was taken back\n• reminder 1 (tea): it was told already")
	undo("last 1 dry-run", "Remains, because nothing takes it back: reminder 2 (the pill) and 1 more, whose time has come\n\nWould be taken back\n• note.txt is gone")
	undo("last 3", "Remains, because nothing takes it back: reminder 2 (the pill) and 1 more, whose time has come\n\nTaken back\n• note.txt is gone")
	undo("last 1", "Remains, because nothing takes it back: reminder 2 (the pill) and 1 more, whose time has come\n\nThere is nothing to take back in this chat.")
	undo("of 1", "Nothing of that is left to take back.")

	o.tool(caller, "remind", `{"text":"in 5 minutes soup"}`)
	if _, err := o.Journal.Reminders().Change(t.Context(), 3, func(r *event.Reminder) error { r.State = event.ReminderMissed; return nil }); err != nil {
		t.Fatal(err)
	}
	undo("#6", "Nothing was taken back\n• reminder 3 (soup): its time has passed")
	o.tool(caller, "reminder", `{"id":3,"change":"in 10 minutes"}`)
	undo("last 1", "Taken back\n• reminder 3 (soup) is as it was")
}
