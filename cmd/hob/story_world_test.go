package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// parlour is a daemon on a Telegram, in a group of which a story is played.
type parlour struct {
	*house
	bot     *telegramtest.Server
	group   *telegramtest.Chat
	people  map[string]*telegramtest.User
	kept    telegramtest.Message // a message as it was, with its buttons
	presses []string
	daemon  *served
	counted int // lines of scripts that were said or pressed
}

// parlourID is the group's number, parlourChat its name.
const (
	parlourID   = -1001234567890
	parlourChat = event.Chat("telegram/-1001234567890")
)

// newParlour is a house with a group: ada owns hob, bob, cem and dan are members whom nobody has let in.
func newParlour(t *testing.T, ollama, config string, more ...telegramtest.Member) *parlour {
	t.Helper()
	p := &parlour{house: newHouse(t, ollama), bot: telegramtest.New(telegramtest.Options{CallbackLife: 10 * time.Minute})}
	web := httptest.NewServer(p.bot)
	t.Cleanup(web.Close)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(p.bot.Token()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n[policy]\nturns_per_minute = 10000\n%s", web.URL, token, config))
	p.people = map[string]*telegramtest.User{
		"ada": p.bot.User(77, "Ada"), "bob": p.bot.User(78, "Bob"), "cem": p.bot.User(79, "Cem"), "dan": p.bot.User(80, "Dan"),
	}
	members := []telegramtest.Member{{User: p.people["ada"], Role: telegramtest.Creator}}
	for _, name := range []string{"bob", "cem", "dan"} {
		members = append(members, telegramtest.Member{User: p.people[name]})
	}
	p.group = p.bot.Group(parlourID, "Home", append(members, more...)...)
	p.look(func(db *store.DB) {
		for _, who := range []event.Person{
			{Platform: chat.Platform, ID: parlourID, Name: "Home"}, {Platform: chat.Platform, ID: 77, Name: "Ada", Level: event.Owner},
		} {
			if _, err := db.People().AllowPerson(t.Context(), who); err != nil {
				t.Fatal(err)
			}
		}
	})
	return p
}

// wait waits for something to happen on Telegram.
func (p *parlour) wait(what string, is func() bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	if err := p.bot.Wait(ctx, is); err != nil {
		p.t.Fatalf("waiting until %s: %v\n%s\n%s", what, err, strings.Join(p.journal(parlourChat), "\n"), p.daemon.said())
	}
}

// newestWords is the newest message with words.
func newestWords(c *telegramtest.Chat) (newest telegramtest.Message) {
	for _, m := range c.FromBot() {
		if m.File == nil {
			newest = m
		}
	}
	return newest
}

// offering is the newest message with buttons.
func offering(c *telegramtest.Chat) (newest telegramtest.Message) {
	for _, m := range c.FromBot() {
		if len(m.Buttons) > 0 {
			newest = m
		}
	}
	return newest
}

// answer is what is said in a chat once something was done there.
func (p *parlour) answer(c *telegramtest.Chat, what string, do func()) telegramtest.Message {
	p.t.Helper()
	before := newestWords(c).ID
	do()
	p.wait(what+" is answered", func() bool { return newestWords(c).ID > before && settled(c) })
	return newestWords(c)
}

// settled reports whether at most one message has buttons, beside those that undo a turn, which stay: hob knows of it as soon as it has
// taken away those of the one before.
func settled(c *telegramtest.Chat) bool {
	n := 0
	for _, m := range c.FromBot() {
		if len(m.Buttons) > 0 && !strings.HasPrefix(m.Buttons[0][0].Data, "u:") {
			n++
		}
	}
	return n < 2
}

// say says something to hob in the group.
func (p *parlour) say(who, text string, opts ...telegramtest.Option) telegramtest.Message {
	p.t.Helper()
	return p.answer(p.group, text, func() { p.group.Say(p.people[who], text, opts...) })
}

// buttonOf is the data of a button.
func buttonOf(m telegramtest.Message, label string) (data string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Text == label {
				data = b.Data
			}
		}
	}
	return data
}

// press presses a button of a message and returns what is shown for it, or else the message that comes of it.
func (p *parlour) press(c *telegramtest.Chat, u *telegramtest.User, m telegramtest.Message, label string) (said telegramtest.Message, toast string) {
	p.t.Helper()
	data := buttonOf(m, label)
	if data == "" {
		p.t.Fatalf("there is no button %q below\n%s\n%v", label, m.Text, m.Buttons)
	}
	before := newestWords(c).ID
	id := c.Press(u, m.ID, data)
	p.presses = append(p.presses, id)
	p.wait(label+" is answered", func() bool {
		cb, _ := p.bot.Callback(id)
		now, _ := c.Message(m.ID)
		return cb.Answered && (cb.Text != "" || newestWords(c).ID > before && settled(c) || now.Edits > m.Edits && len(now.Buttons) > 0)
	})
	cb, _ := p.bot.Callback(id)
	return newestWords(c), cb.Text
}

// played are the lines of a script: WHO HOW WORDS => what is to be read in the answer. "at" is said with a mention, "re" in reply to
// what hob said last, "do" behind /do, "cmd" as it stands; "press" presses a button of the newest message that has any,
// "keep" keeps that message to press one of it "old" later. What is shown for a press begins with "toast:".
func (p *parlour) played(script string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "story", script))
	if err != nil {
		p.t.Fatal(err)
	}
	for no, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		act, want, _ := strings.Cut(line, " => ")
		part := append(strings.SplitN(act, " ", 3), "", "")
		got := p.line(part[0], part[1], part[2])
		p.t.Logf("%s\n%s\n\n", line, got)
		for _, w := range strings.Split(want, " & ") {
			if !strings.Contains(got, w) {
				p.t.Errorf("%s:%d: %s: the answer is\n%s", script, no+1, line, got)
			}
		}
	}
}

// line does what a line of a script says.
func (p *parlour) line(who, how, words string) (got string) {
	p.t.Helper()
	p.counted++
	var m telegramtest.Message
	toast := ""
	switch u := p.people[who]; how {
	case "at":
		m = p.say(who, "@hob_bot "+words)
	case "re":
		m = p.say(who, words, telegramtest.ReplyTo(newestWords(p.group).ID))
	case "do":
		m = p.say(who, "/do@hob_bot "+words)
	case "cmd":
		name, args, _ := strings.Cut(words, " ")
		m = p.say(who, name+"@hob_bot "+args)
	case "press":
		m, toast = p.press(p.group, u, offering(p.group), words)
	case "old":
		m, toast = p.press(p.group, u, p.kept, words)
	case "keep":
		p.counted--
		p.kept = offering(p.group)
		return p.kept.Text
	default:
		p.t.Fatalf("nobody knows how to %s", how)
	}
	if toast != "" {
		return "toast:" + toast
	}
	return m.Text + "\n" + strings.Join(keysOf(m), "\n")
}

// keysOf is what stands on the buttons of a message, in rows.
func keysOf(m telegramtest.Message) (all []string) {
	for _, row := range m.Buttons {
		var keys []string
		for _, b := range row {
			keys = append(keys, b.Text)
		}
		all = append(all, "["+strings.Join(keys, " | ")+"]")
	}
	return all
}

// campaign looks at a campaign as it is kept.
func (p *parlour) campaign(id string, with func(*eventlog.Log)) {
	p.t.Helper()
	book := game.Rules()
	p.look(func(db *store.DB) {
		s, err := eventlog.Load(p.t.Context(), campaigns.New(db).Log(id), game.Options(book, time.Now))
		if err != nil {
			p.t.Fatal(err)
		}
		with(s)
	})
}

// toldOnce looks that all presses were answered, and that each reply of a chat is one message.
func (p *parlour) toldOnce(c *telegramtest.Chat, beside int) {
	p.t.Helper()
	for _, id := range p.presses {
		if cb, _ := p.bot.Callback(id); !cb.Answered {
			p.t.Errorf("the press of %s was not answered", cb.Data)
		}
	}
	replies := 0
	p.look(func(db *store.DB) {
		for e, err := range db.Chat(p.t.Context(), event.Chat(fmt.Sprint("telegram/", c.ID)), 0) {
			if err != nil {
				p.t.Fatal(err)
			}
			if _, ok := e.Body.(event.Replied); ok {
				replies++
			}
		}
	})
	sent := slices.DeleteFunc(p.bot.Calls("sendMessage"), func(call telegramtest.Call) bool {
		return call.Params["chat_id"] != fmt.Sprint(c.ID) || call.Code != 200
	})
	if len(sent) != replies+beside {
		p.t.Errorf("%d messages were sent for %d replies and %d answers", len(sent), replies, beside)
	}
	if v := p.bot.Violations(); len(v) > 0 {
		p.t.Errorf("calls came too early: %v", v)
	}
}
