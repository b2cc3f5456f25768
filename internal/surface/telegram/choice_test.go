package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/sessiontest"
	"hob/internal/surface/telegram/telegramtest"
)

// story is a reply as what leads a chat gives it.
func story() (text string, choices []event.Choice) {
	return "The mill stands **still**.\n\nNobody is there.\n🎲 finesse 15 ≥ 12 · HP 7/12 · 21:50", []event.Choice{
		{Label: "Go north", Text: "north", Pick: "mill/3"}, {Label: "🎒", Text: "/inv", Pick: "mill/3"},
		{Label: "🗺", Text: "/map", Beside: true},
	}
}

// What is told stands as it was written, and is not shown before it is whole.
func TestAStoryIsSentWithChoices(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		text, choices := story()
		w.cfg.Files.(sessiontest.Files)["story:map"] = string(telegramtest.PNG(30, 20, 1))
		w.reply(adasChat, event.Replied{Text: text, Choices: choices, Files: []event.File{
			{Name: "map.png", Type: "image/png", Path: "story:map", Bytes: 90, StateOf: "map", Caption: "1 the mill"},
		}})
		w.want("sent", w.chat.BotTexts(), []string{"<photo > 1 the mill", "The mill stands still.\n\nNobody is there.\n🎲 finesse 15 ≥ 12 · HP 7/12 · 21:50"})
		w.want("buttons", keys(w.chat), []string{"Go north", "🎒 | 🗺"})
		w.want("below the last", len(w.chat.FromBot()[1].Buttons), 2)
		w.want("drafts", len(w.chat.Drafts()), 0)
		w.turn(adasChat, strings.Repeat("word ", 1500), choices...)
		all := w.chat.FromBot()
		w.want("below the last of several", []int{len(all[len(all)-2].Buttons), len(all[len(all)-1].Buttons)}, []int{0, 2})
	})
}

// A press says what was picked, by who has pressed, and takes the buttons away.
func TestAPressPicks(t *testing.T) {
	private := event.Principal{Platform: chat.Platform, Scope: "private", Level: event.Owner}
	group := event.Principal{Platform: chat.Platform, Scope: "group"}
	home := event.Label{Untrusted: true, Source: "telegram group Home"}
	web := event.Label{Untrusted: true, Source: "web:example.org"}
	_, choices := story()
	for _, c := range []struct {
		name  string
		group bool
		play  func(w *table, name event.Chat) int64
		press string
		want  session.Input
	}{
		{name: "in private", press: "Go north", want: session.Input{ID: "0/77", From: "77", Text: "north", Pick: "mill/3", Principal: private}},
		{name: "by a guest of a group", group: true, press: "Go north",
			want: session.Input{ID: "0/78", From: "78", Text: "north", Pick: "mill/3", Principal: group, Label: home, Own: "north"}},
		{name: "the last", press: "🗺", want: session.Input{ID: "2/77", From: "77", Text: "/map", Principal: private}},
		{name: "a command that calls a tool", press: "Begin", play: func(w *table, name event.Chat) int64 {
			return w.turn(name, "Which?", event.Choice{Label: "Begin", Text: "/game new mill"})
		}, want: session.Input{ID: "0/77", From: "77", Text: "/game new mill", Principal: private, Command: true}},
		{name: "a command that a page offers", press: "Begin", play: func(w *table, name event.Chat) int64 {
			return w.reply(name, event.Replied{Text: "done", Choices: []event.Choice{{Label: "Begin", Text: "/game new mill"}}, Label: web})
		}, want: session.Input{ID: "0/77", From: "77", Text: "/game new mill", Principal: private, Label: web}},
		{name: "a command of hob's own below what a page led to", press: "Done", play: func(w *table, name event.Chat) int64 {
			return w.reply(name, event.Replied{Text: "done", Choices: []event.Choice{{Label: "Done", Text: "/reminder 7 done", Trusted: true}}, Label: web})
		}, want: session.Input{ID: "0/77", From: "77", Text: "/reminder 7 done", Principal: private, Command: true}},
		{name: "a sentence of hob's own below what a page led to", press: "note", play: func(w *table, name event.Chat) int64 {
			return w.reply(name, event.Replied{Text: "done", Choices: []event.Choice{{Label: "note", Text: "note milk", Trusted: true}}, Label: web})
		}, want: session.Input{ID: "0/77", From: "77", Text: "note milk", Principal: private, Typed: true}},
		{name: "a sentence", press: "note", play: func(w *table, name event.Chat) int64 {
			return w.turn(name, "Which?", event.Choice{Label: "note", Text: "note milk"})
		}, want: session.Input{ID: "0/77", From: "77", Text: "note milk", Principal: private, Typed: true}},
		{name: "a sentence that a page offers", press: "note", play: func(w *table, name event.Chat) int64 {
			return w.reply(name, event.Replied{Text: "done", Choices: []event.Choice{{Label: "note", Text: "note milk"}}, Label: web})
		}, want: session.Input{ID: "0/77", From: "77", Text: "note milk", Principal: private, Label: web}},
		{name: "a thing that is called like a command", press: "/game new mill", play: func(w *table, name event.Chat) int64 {
			return w.turn(name, "Which?", event.Choice{Label: "/game new mill", Text: "/game new mill", Pick: "mill/3"})
		}, want: session.Input{ID: "0/77", From: "77", Text: "/game new mill", Pick: "mill/3", Principal: private}},
		{name: "of a result", press: "Go north", play: func(w *table, name event.Chat) int64 {
			return w.reply(name, event.Replied{Text: "done", Choices: choices[1:]}, event.Noted{Text: "hm"}, event.Returned{ID: "1", OK: true, Choices: choices[:1]}) - 1
		}, want: session.Input{ID: "0/77", From: "77", Text: "north", Pick: "mill/3", Principal: private}},
		{name: "of a page, in a group", group: true, press: "Go north", play: func(w *table, name event.Chat) int64 {
			return w.reply(name, event.Replied{Text: "done", Choices: choices, Label: web})
		}, want: session.Input{ID: "0/78", From: "78", Text: "north", Pick: "mill/3", Principal: group, Label: web}},
	} {
		t.Run(c.name, func(t *testing.T) {
			atTable(t, telegramtest.Options{}, func(w *table) {
				name, at, who := adasChat, w.chat, w.ada
				w.taken["map"] = false
				if c.group {
					name, at, who = tableGroupChat, w.group, w.bob
				}
				if c.play == nil {
					c.play = func(w *table, name event.Chat) int64 { return w.turn(name, "Where to?", choices...) }
				}
				seq := c.play(w, name)
				c.want.Chat, c.want.ID = name, fmt.Sprintf("choice/%d/%s", seq, c.want.ID)
				message := newest(at)
				again := dataOf(at, message, c.press)
				w.want("shown", w.press(at, who, message, c.press), "")
				w.want("handed in", w.said(), []session.Input{c.want})
				w.want("buttons", keys(at), []string(nil))
				w.want("the same again", w.press(at, who, message, again), "")
				w.want("handed in", w.said(), []session.Input{c.want})
				w.want("changes", methods(w.srv, "editMessageReplyMarkup"), 1)
				w.want("who was asked about", w.whoAsked[0], commands.Request{Surface: commands.Telegram, Chat: name, From: c.want.From, Principal: c.want.Principal})
			})
		})
	}
}

// dataOf is what a press of a button carries.
func dataOf(c *telegramtest.Chat, message int64, label string) string {
	m, _ := c.Message(message)
	for _, b := range slices.Concat(m.Buttons...) {
		if b.Text == label {
			return b.Data
		}
	}
	return ""
}

// Choices outlive hob.
func TestAPressAfterARestart(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		_, choices := story()
		w.turn(adasChat, "Where to?", choices...)
		w.stop()
		w.chat.PressLabel(w.ada, "Go north") // while nobody is there
		w.start()
		after(time.Second)
		w.want("toast", w.chat.Toast(w.ada), "")
		w.want("handed in", len(w.said()), 1)
		w.want("buttons", keys(w.chat), []string(nil))
	})
}

func TestForgedPresses(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		w.cfg.Files.(sessiontest.Files)["a"] = "text"
		_, choices := story()
		first := w.reply(adasChat, event.Replied{Text: "one", Choices: choices},
			event.Returned{ID: "1", OK: true, Choices: choices[:1], Files: []event.File{{Name: "a.txt", Path: "a"}}})
		document, message := w.chat.FromBot()[0].ID, newest(w.chat)
		second := w.turn(adasChat, "two", choices...)
		w.turn(tableGroupChat, "three", choices...)
		said := w.chat.Say(w.ada, "@hob_bot go on")
		for _, c := range []struct {
			name    string
			message int64
			data    string
		}{
			{"of a later reply", message, forged(second, "0")},
			{"of an earlier reply", newest(w.chat), forged(first, "0")},
			{"of another chat", newest(w.chat), forged(second+4, "0")},
			{"past the last", message, forged(first, "3")},
			{"before the first", message, forged(first, "-1")},
			{"written otherwise", message, forged(first, "00")},
			{"with more", message, forged(first, "0:1")},
			{"of words", message, forged(first-2, "0")},
			{"of nothing", message, forged(0, "0")},
			{"of far too much", message, "c:zzzzzzzzzzzzzzz:0"},
			{"without anything", message, "c:"},
			{"below a file of the same turn", document, forged(first-1, "0")},
			{"below what they have written themselves", said, forged(first, "0")},
			{"below a message that is gone", 4711, forged(first, "0")},
		} {
			w.want(c.name, w.press(w.chat, w.ada, c.message, c.data), "This button is old: write what you want instead.")
		}
		eve := w.srv.User(666, "Eve")
		w.want("in another's chat", w.press(w.chat, eve, message, forged(first, "0")), "This button is not for you.")
		w.want("handed in", w.said(), []session.Input(nil))
		w.want("asked about", len(w.whoAsked), 0)
		w.want("what is not forged", w.press(w.chat, w.ada, message, forged(first-1, "0")), "")
		w.want("handed in", len(w.said()), 1)
	})
}

// What leads the chat may say no: that is told to who has pressed, and nothing else happens.
func TestAPressThatIsNotTheirs(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		_, choices := story()
		w.no = func(chat event.Chat, by commands.Request, c event.Choice) string {
			if chat != tableGroupChat || c != choices[0] || by.From == "77" {
				return ""
			}
			return "It is Ada's turn." + strings.Repeat(" 漢", 200)
		}
		w.turn(tableGroupChat, "Where to?", choices...)
		no := w.press(w.group, w.bob, newest(w.group), "Go north")
		if !strings.HasPrefix(no, "It is Ada's turn.") || len([]rune(no)) > 200 {
			t.Errorf("shown: %q", no)
		}
		w.want("handed in", w.said(), []session.Input(nil))
		w.want("buttons", keys(w.group), []string{"Go north", "🎒 | 🗺"})
		w.want("Ada's", w.press(w.group, w.ada, newest(w.group), "Go north"), "")
		w.want("handed in", len(w.said()), 1)
		w.want("buttons", keys(w.group), []string(nil))
	})
}

// Buttons that stay are for all, and a press of the same one again is another: somebody has changed their mind twice. A newer reply
// with choices takes them away.
func TestButtonsThatStay(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		_, choices := story()
		w.stays = "Your plan is now: Go north."
		seq := w.turn(tableGroupChat, "Where to?", choices...)
		message, first := newest(w.group), w.srv.LastUpdate()
		want := []string{}
		for i, press := range []struct {
			who   *telegramtest.User
			label string
			at    int
		}{{w.ada, "Go north", 0}, {w.bob, "Go north", 0}, {w.ada, "🎒", 1}, {w.ada, "Go north", 0}} {
			w.want("shown", w.press(w.group, press.who, message, press.label), w.stays)
			want = append(want, fmt.Sprintf("choice/%d/%d/%d/%d", seq, press.at, press.who.ID, first+int64(i)+1))
			w.want("buttons", keys(w.group), []string{"Go north", "🎒 | 🗺"})
		}
		var got []string
		for _, in := range w.said() {
			got = append(got, updateOf(in.ID))
		}
		w.want("handed in", got, want)
		w.stays = ""
		w.want("the last", w.press(w.group, w.bob, message, "Go north"), "")
		w.want("buttons", keys(w.group), []string(nil))
		w.turn(tableGroupChat, "And now?", choices...)
		w.stays = "Noted."
		w.want("shown", w.press(w.group, w.bob, newest(w.group), "Go north"), w.stays)
		w.turn(tableGroupChat, "Bob is in.", event.Choice{Label: "West", Text: "west"})
		w.want("buttons", keys(w.group), []string{"West"})
	})
}

// Whatever comes of a press, who has pressed is told.
func TestAPressThatIsNotTaken(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		_, choices := story()
		w.turn(adasChat, "Where to?", choices...)
		w.refuses = errFull
		w.want("shown", w.press(w.chat, w.ada, newest(w.chat), "Go north"), errFull.Error())
		w.want("buttons", keys(w.chat), []string{"Go north", "🎒 | 🗺"})
		w.refuses = &event.Error{Message: "you write too much", Suggestion: "wait a minute"}
		w.want("shown", w.press(w.chat, w.ada, newest(w.chat), "Go north"), "you write too much; wait a minute")
		w.refuses = &event.ReusedIDError{ID: "it was picked before a restart"}
		w.want("shown", w.press(w.chat, w.ada, newest(w.chat), "Go north"), "")
		w.refuses = nil
		w.srv.Fail(telegramtest.Fault{Method: "answerCallbackQuery", Kind: telegramtest.TooMany, RetryAfter: 5 * time.Second})
		id := w.chat.Press(w.ada, newest(w.chat), forged(w.log.Last(adasChat)-1, "0"))
		after(10 * time.Second)
		cb, _ := w.srv.Callback(id)
		w.want("answered", cb.Answered, true)
		w.want("handed in", len(w.said()), 1)
	})
}

// The choices of a reply are those of that moment: the next reply takes them away, also after a restart.
func TestTheNextChoicesTakeTheLastAway(t *testing.T) {
	for _, c := range []struct {
		name    string
		between func(w *table)
	}{
		{"at once", func(*table) {}},
		{"after an hour", func(*table) { after(time.Hour) }},
		{"after a restart", func(w *table) { w.stop(); w.start() }},
		{"after a reply without any", func(w *table) {
			w.turn(adasChat, "You have nothing.")
			w.want("buttons", keys(w.chat), []string{"Go north", "🎒 | 🗺"})
		}},
		{"where Telegram fails", func(w *table) {
			w.srv.Fail(telegramtest.Fault{Method: "editMessageReplyMarkup", Kind: telegramtest.HangBefore})
			w.srv.Fail(telegramtest.Fault{Method: "editMessageReplyMarkup", Kind: telegramtest.TooMany, RetryAfter: 10 * time.Second})
		}},
		{"where hob ends before", func(w *table) {
			w.srv.Fail(telegramtest.Fault{Method: "editMessageReplyMarkup", Kind: telegramtest.HangBefore})
			w.turn(adasChat, "first", event.Choice{Label: "East", Text: "east"})
			w.stop()
			w.start()
			w.wake(adasChat)
		}},
		{"where the message is gone", func(w *table) { w.chat.Delete(newest(w.chat)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			atTable(t, telegramtest.Options{}, func(w *table) {
				_, choices := story()
				w.turn(adasChat, "Where to?", choices...)
				c.between(w)
				w.turn(adasChat, "And now?", event.Choice{Label: "West", Text: "west"})
				after(time.Minute)
				w.want("buttons", keys(w.chat), []string{"West"})
				told := len(w.chat.BotTexts())
				n := methods(w.srv, "editMessageReplyMarkup")
				w.want("West", w.press(w.chat, w.ada, newest(w.chat), "West"), "")
				w.turn(adasChat, "And then?", choices...)
				w.want("buttons", keys(w.chat), []string{"Go north", "🎒 | 🗺"})
				w.want("sent", len(w.chat.BotTexts()), told+1)
				w.want("what was pressed is not taken away twice", methods(w.srv, "editMessageReplyMarkup"), n+1)
			})
		})
	}
}

// Many people press the buttons of one message at once, and nothing is lost and nothing is done twice.
func TestManyPress(t *testing.T) {
	const people, presses = 50, 20
	atTable(t, telegramtest.Options{Limits: telegramtest.Usual(), SeesAll: true}, func(w *table) {
		var choices []event.Choice
		for i := range 4 {
			choices = append(choices, event.Choice{Label: fmt.Sprint("go ", i), Text: fmt.Sprint("gone ", i)})
		}
		w.no = func(_ event.Chat, by commands.Request, c event.Choice) string {
			if len(by.From)%2 == 0 && strings.HasSuffix(by.From, "3") && c.Text == "gone 3" {
				return "not you"
			}
			return ""
		}
		seq := w.turn(tableGroupChat, "Where to?", choices...)
		message := newest(w.group)
		var ids []string
		want := map[string]int{}
		refused := map[string]bool{}
		data := map[int]string{}
		for i := range choices {
			data[i] = dataOf(w.group, message, fmt.Sprint("go ", i))
		}
		for n := range presses {
			for u := range people {
				who := w.srv.User(int64(1000+u), fmt.Sprint("u", u))
				w.group.Join(who, telegramtest.Ordinary)
				i := (n + u) % 4
				id := w.group.Press(who, message, data[i])
				ids = append(ids, id)
				if i == 3 && u%10 == 3 {
					refused[id] = true
					continue
				}
				want[fmt.Sprintf("choice/%d/%d/%d", seq, i, 1000+u)]++
			}
		}
		after(10 * time.Minute)
		for _, id := range ids {
			toast := ""
			if refused[id] {
				toast = "not you"
			}
			if cb, _ := w.srv.Callback(id); !cb.Answered || cb.Text != toast {
				t.Fatalf("%s: answered %v with %q, not %q", id, cb.Answered, cb.Text, toast)
			}
		}
		good := 0
		for _, c := range w.srv.Calls("answerCallbackQuery") {
			if c.Code == 200 {
				good++
			}
		}
		w.want("answers", []int{good, methods(w.srv, "answerCallbackQuery")}, []int{len(ids), len(ids)})
		got := map[string]int{}
		for id, n := range w.times {
			if strings.HasPrefix(id, "choice/") {
				got[id] = n
			}
		}
		w.want("handed in", got, want)
		w.want("inputs", len(w.said()), len(want))
		w.want("buttons", keys(w.group), []string(nil))
		w.want("the keyboard goes once", methods(w.srv, "editMessageReplyMarkup"), 1)
	})
}
