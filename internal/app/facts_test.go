package app_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/tools"
)

// Whose facts somebody reads and keeps depends on who they are and who reads along: the owner at the terminal is the first owner on
// Telegram, everybody else who was let in has their own and the house's, a group has its own, and a guest has none.
func TestFactsOfWhom(t *testing.T) {
	o := newTestApp(t, noOllama)
	let := func(p event.Person) {
		t.Helper()
		if p.Platform == "" {
			p.Platform = "telegram"
		}
		if _, err := o.Journal.People().AllowPerson(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	let(event.Person{ID: 8, Name: "Ben", Level: event.Owner, Since: day.AddDate(0, 0, 1)})
	let(event.Person{ID: 7, Name: "Ada", Level: event.Owner, Since: day})
	let(event.Person{ID: 9, Name: "Cem", Level: event.User, Since: day})
	let(event.Person{ID: -5, Name: "friends", Since: day})
	on := func(platform, id, chat, scope string, level event.Level) commands.Request {
		return commands.Request{Surface: commands.Telegram, Chat: event.Chat(chat), From: id, Principal: event.Principal{Platform: platform, Scope: scope, Level: level}}
	}
	terminal := on("cli", "owner", "main", "private", event.Owner)
	terminal.Surface = commands.Terminal
	ada, ben := on("telegram", "7", "telegram/7", "private", event.Owner), on("telegram", "8", "telegram/8", "private", event.Owner)
	cem, guest := on("telegram", "9", "telegram/9", "private", event.User), on("telegram", "10", "telegram/10", "private", event.User)
	adaInGroup, cemInGroup := on("telegram", "7", "telegram/-5", "group", event.Owner), on("telegram", "9", "telegram/-5", "group", event.User)
	other := on("telegram", "9", "telegram/-6", "group", event.User)

	remember := func(by commands.Request, text string) string {
		t.Helper()
		tool, err := o.Tools.ByName("remember")
		if err != nil {
			t.Fatal(err)
		}
		args, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		res, err := tools.Call(tools.WithCaller(t.Context(), tools.Caller{Chat: by.Chat, User: by.From, Principal: by.Principal, Typed: true}), tool, args)
		if err != nil {
			return err.Error()
		}
		return res.Text
	}
	for _, c := range []struct {
		by   commands.Request
		text string
		want string
	}{
		{terminal, "my dentist is Dr. Brandt", "remembered as fact 1: my dentist is Dr. Brandt"},
		{ada, "our code is 4711", "remembered as fact 2: our code is 4711"},
		{ben, "my car is red", "remembered as fact 3: my car is red"},
		{cem, "I like plum jam", "remembered as fact 4: I like plum jam"},
		{cem, "our cat is called Mika", "set aside as fact 5, and not known yet: it is for others to read, too, so an admin says yes to it with /memory accept 5"},
		{adaInGroup, "we meet on Mondays", "remembered as fact 6: we meet on Mondays"},
		{guest, "my name is Eve", "hob remembers things for the people of the household, and not for guests"},
		{other, "we meet on Sundays", "set aside as fact 7, and not known yet: it is for others to read, too, so an admin says yes to it with /memory accept 7"},
	} {
		if got := remember(c.by, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s %q: %q, want %q", c.by.From, c.text, got, c.want)
		}
	}
	known := func(by commands.Request) string {
		t.Helper()
		all, err := app.Known(o.Journal).Facts(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, f := range all {
			text := f.Of + ": " + f.Text
			if f.Waiting {
				text = "(" + text + ")"
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, "; ")
	}
	const house, waits = "house: our code is 4711", "(house: our cat is called Mika)"
	for _, c := range []struct {
		name string
		by   commands.Request
		want string
	}{
		{"the terminal", terminal, "me: my dentist is Dr. Brandt; " + house + "; " + waits + "; (group/telegram/-6: we meet on Sundays)"},
		{"the first owner", ada, "me: my dentist is Dr. Brandt; " + house + "; " + waits + "; (group/telegram/-6: we meet on Sundays)"},
		{"another owner", ben, house + "; me: my car is red; " + waits + "; (group/telegram/-6: we meet on Sundays)"},
		{"a user", cem, house + "; me: I like plum jam; " + waits},
		{"a group", adaInGroup, "me: we meet on Mondays"},
		{"a user in the group", cemInGroup, "me: we meet on Mondays"},
		{"another group", other, ""},
		{"a guest", guest, ""},
	} {
		if got := known(c.by); got != c.want {
			t.Errorf("%s knows %s, want %s", c.name, got, c.want)
		}
	}

	// The rows of the command: who may do what to whose.
	for _, c := range []struct {
		by   commands.Request
		args string
		want string
	}{
		{guest, "", "Nothing is known yet."}, {guest, "2", "error: there is no fact 2 here"},
		{cem, "3", "error: there is no fact 3 here"}, {cem, "forget 3", "error: there is no fact 3 here"}, {cem, "forget 2", "error: fact 2 is not yours to change"},
		{cem, "accept 5", "error: fact 5 waits for an admin's yes"}, // whose word it is; they may drop it
		{terminal, "4", "error: there is no fact 4 here"}, {terminal, "forget 4", "error: there is no fact 4 here"},
		{ben, "accept 5", "Known now, as 5: our cat is called Mika"}, {cem, "forget plum jam", "Forgot 4: I like plum jam"},
		{cemInGroup, "forget 6", "error: fact 6 is not yours to change"}, {adaInGroup, "forget 6", "Forgot 6: we meet on Mondays"},
		{ada, "accept five", "error: \"five\" is no number of a fact"}, {ada, "keep 7", "Dropped 7: we meet on Sundays"},
	} {
		r := c.by
		r.Args = c.args
		if got, _ := o.ask("memory", r); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s in %s, /memory %s: %q, want %q", r.From, r.Chat, c.args, got, c.want)
		}
	}
}
