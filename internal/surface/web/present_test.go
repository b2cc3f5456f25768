package web_test

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/store"
	"hob/internal/surface/web"
	"hob/internal/surface/web/door"
)

// present is how things stand, as a test says.
type present struct {
	mu        sync.Mutex
	mark      int64
	changes   []event.Change
	reminders map[int64]event.Reminder
	list      []web.ListItem
	err       error // of what is asked about changes
}

func (p *present) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.mark++
}

func (p *present) Mark(context.Context) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mark, nil
}

func (p *present) Changes(_ context.Context, after int64) ([]event.Change, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.changes), func(c event.Change) bool { return c.ID <= after }), p.err
}

func (p *present) Reminder(_ context.Context, id int64) (event.Reminder, bool, error) {
	r, known := p.reminders[id]
	return r, known, nil
}

func (p *present) List(context.Context, commands.Request, string) ([]web.ListItem, error) {
	return p.list, nil
}

// The answers to a reminder go once it is answered, and what came of it stands in their place. One that waits keeps them, and of several each
// goes by itself.
func TestFatesOfReminders(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	later, open := now.Add(time.Hour), event.ReminderOpen
	is := &present{reminders: map[int64]event.Reminder{
		1: {ID: 1, State: open, Seq: 1},
		2: {ID: 2, State: open, Seen: later},
		3: {ID: 3, State: event.ReminderDone, Seen: later, Changed: later},
		4: {ID: 4, State: open, Seen: now.Add(-time.Hour), Changed: later, Due: later.Add(30 * time.Second)},
		5: {ID: 5, State: open, Seq: 1000},
		6: {ID: 6, State: event.ReminderCancelled, Changed: later},
		7: {ID: 7, State: event.ReminderRefused},
		8: {ID: 8, State: event.ReminderWaiting},
	}}
	w := newWorld(t, options{present: is, now: func() time.Time { return now }})
	for _, c := range []struct {
		ids  []int64
		left int
		want string
	}{
		{[]int64{1}, 1, ""}, {[]int64{2}, 0, "Done"}, {[]int64{3}, 0, "Done"}, {[]int64{4}, 0, "Again Sat 28 Nov 2026, 13:00"}, {[]int64{5}, 0, ""},
		{[]int64{6}, 0, "Cancelled"}, {[]int64{7}, 0, "Refused"}, {[]int64{8}, 1, ""}, {[]int64{9}, 0, ""}, {[]int64{1, 2, 6}, 1, "#2: Done|#6: Cancelled"},
	} {
		note := event.Noted{Text: "tea", Loud: true}
		chat := event.Chat("c")
		for _, id := range c.ids {
			chat += event.Chat(string(rune('0' + id)))
			note.Choices = append(note.Choices, event.Reminder{ID: id}.Choice("Done", "done", false))
		}
		if _, err := w.db.Append(t.Context(), store.Entry{Chat: chat, Body: note}); err != nil {
			t.Fatal(err)
		}
		page := w.signedIn(door.Person{}).get("/?chat=" + string(chat)).body
		var fates []string
		for _, m := range regexp.MustCompile(`class="fate">([^<]*)<`).FindAllStringSubmatch(page, -1) {
			fates = append(fates, m[1])
		}
		if got := strings.Join(fates, "|"); got != c.want || strings.Count(page, `class="pick"`) != c.left {
			t.Errorf("%v: %q and %d buttons, want %q and %d", c.ids, got, strings.Count(page, `class="pick"`), c.want, c.left)
		}
	}
}

// A reminder that comes again keeps its answers below the reply that has set it, and the question whether one may be reminded loses its own
// once it is answered.
func TestFatesOfReplies(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	is := &present{reminders: map[int64]event.Reminder{
		1: {ID: 1, State: event.ReminderOpen, Seen: now.Add(time.Hour), Due: now.Add(24 * time.Hour)},
		2: {ID: 2, State: event.ReminderOpen},
		3: {ID: 3, State: event.ReminderWaiting},
	}}
	w := newWorld(t, options{present: is, now: func() time.Time { return now }})
	for i, c := range []struct {
		choice event.Choice
		left   int
		want   string
	}{
		{event.Reminder{ID: 1}.Choice("Done", "done", false), 1, ""},
		{event.Reminder{ID: 2}.Choice("Yes", "agree", false), 0, "Agreed"},
		{event.Reminder{ID: 3}.Choice("Yes", "agree", false), 1, ""},
	} {
		chat := event.Chat("r" + string(rune('0'+i)))
		if _, err := w.db.Append(t.Context(), store.Entry{Chat: chat, Body: event.Replied{Text: "so", Choices: []event.Choice{c.choice}}}); err != nil {
			t.Fatal(err)
		}
		page := w.signedIn(door.Person{}).get("/?chat=" + string(chat)).body
		if got := match(page, `class="fate">([^<]*)<`); got != c.want || strings.Count(page, `class="pick"`) != c.left {
			t.Errorf("%q: %q and %d buttons, want %q and %d", c.choice.Text, got, strings.Count(page, `class="pick"`), c.want, c.left)
		}
	}
}

// Each list of a reply has its own boxes, and what somebody else may have put on a list is not the words of who ticks it off.
func TestListsOfAReply(t *testing.T) {
	const address = "see https://x.example/c"
	w := newWorld(t, options{present: &present{list: []web.ListItem{{Text: "towels"}, {Text: address, Ticked: true}, {Text: "twin"}, {Text: "twin", Ticked: true}}}})
	b := w.signedIn(door.Person{})
	show := func(text string, names ...string) (ticks []string) {
		t.Helper()
		said, err := w.db.Append(t.Context(), store.Entry{Chat: "main", Body: event.Said{InputID: text, Text: "show them"}})
		if err != nil {
			t.Fatal(err)
		}
		turn := said[0].Seq
		var all []store.Entry
		for _, name := range names {
			all = append(all, store.Entry{Chat: "main", Turn: turn, Body: event.Returned{Tool: "list_show", OK: true, Data: map[string]any{"list": name}}})
		}
		all = append(all, store.Entry{Chat: "main", Turn: turn, Body: event.Replied{Text: text, Literal: true}}, store.Entry{Chat: "main", Turn: turn, Body: event.Ended{Reason: event.Done}})
		if _, err := w.db.Append(t.Context(), all...); err != nil {
			t.Fatal(err)
		}
		page := b.get("/?chat=main").body
		page = page[strings.LastIndex(page, "show them"):]
		for _, m := range regexp.MustCompile(`name="text" value="(/tick [^"]*)"><input type="hidden" name="aside" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			ticks = append(ticks, html.UnescapeString(m[1]+" | "+m[2]))
		}
		return ticks
	}
	two := "shopping: 2 open, 1 ticked\n[ ] towels\n[x] " + address + "\n[ ] twin\npacking: 1 open, 0 ticked\n[ ] towels"
	want := []string{"/tick shopping towels | towels", `/tick shopping open=true ["` + address + `"] | ["` + address + `"]`, "/tick packing towels | towels"}
	if got := show(two, "shopping", "packing"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := show(two+"\nagain", "shopping"); len(got) > 0 {
		t.Errorf("it is not clear whose the boxes are: %q", got)
	}
	a := b.post("/say", url.Values{"chat": {"other"}, "text": {"/tick shopping " + address}, "aside": {address}})
	if a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for e, err := range w.db.Chat(t.Context(), "other", 0) {
		if said, ok := e.Body.(event.Said); err != nil || ok && !slices.Equal(said.Aside, []string{address}) {
			t.Errorf("%+v, %v", said, err)
		}
	}
}

// What is taken back by a command is told to who watches the chat, in the place where it stands, and who reads the page has it so.
func TestWhatWasTakenBackIsTold(t *testing.T) {
	is := &present{}
	w := newWorld(t, options{present: is})
	b := w.signedIn(door.Person{})
	said, err := w.db.Append(t.Context(), store.Entry{Chat: "main", Body: event.Said{InputID: "1", Text: "do it"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.db.Append(t.Context(),
		store.Entry{Chat: "main", Turn: said[0].Seq, Body: event.Replied{
			Text: "Done. #41 #42", Receipt: "#41 #42", Effects: []event.Effect{{Kind: "wrote", Change: 41}, {Kind: "wrote", Change: 42}},
		}},
		store.Entry{Chat: "main", Turn: said[0].Seq, Body: event.Ended{Reason: event.Done}})
	if err != nil {
		t.Fatal(err)
	}
	s := b.stream("/events?chat=main")
	s.until(func(m message) bool { return m.event == "state" })
	undoneBy := func(by ...int64) {
		is.set(func() {
			is.changes = nil
			for i, n := range by {
				is.changes = append(is.changes, event.Change{ID: 41 + int64(i), Fate: event.Fate{UndoneBy: n}})
			}
		})
		if a := b.post("/command", url.Values{"chat": {"main"}, "line": {"status"}}); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for _, c := range []struct {
		by   []int64
		want string
	}{
		{[]int64{43}, `undo of 1, undo #43, Taken back: #41`},
		{[]int64{43, 44}, `undo #43 #44, Taken back`},
		{[]int64{0, 44}, `undo of 1, undo #44, Taken back: #42`},
		{nil, `undo of 1, undo #41, undo #42, `},
	} {
		undoneBy(c.by...)
		all := s.until(func(m message) bool { return m.event == "item" })
		told := all[len(all)-1]
		if told.id != "" || told.data["again"] != true || told.data["seq"] != nil {
			t.Errorf("it was told as %v", told)
		}
		for _, page := range []string{told.data["html"].(string), b.get("/?chat=main").body} {
			var got []string
			for _, m := range regexp.MustCompile(`name="line" value="(undo [^"]*)"`).FindAllStringSubmatch(page, -1) {
				got = append(got, m[1])
			}
			got = append(got, match(page, `class="fate">([^<]*)<`))
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%v: %q, want %q", c.by, strings.Join(got, ", "), c.want)
			}
		}
	}

	// Where it cannot be known, the chat is shown as it was.
	is.set(func() { is.err = errors.New("the disk is full") })
	if a := b.get("/?chat=main"); a.status != http.StatusOK || !strings.Contains(a.body, "Done.") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A search finds a turn once, by its answer where that has the words, and not once more by each call and its result.
func TestSearchFindsATurnOnce(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(callOf("look", `{"path":"bread.md"}`), llm.Say("The bread is there."))})
	b := w.signedIn(door.Person{})
	b.say("main", "where is the bread?")
	page := b.get("/search?chat=main&q=bread").body
	if n := strings.Count(page, "/?chat=main&amp;before="); n != 2 || !strings.Contains(page, "The bread is there.") || !strings.Contains(page, "where is the bread?") {
		t.Errorf("%d hits:\n%s", n, page)
	}
}
