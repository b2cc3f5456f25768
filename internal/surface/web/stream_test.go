package web_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/surface/web"
	"hob/internal/surface/web/door"
)

// slow is a model that a test lets go on, piece by piece.
type slow struct {
	pieces chan string // closed: the reply is whole
}

func (m slow) Chat(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	text := ""
	for {
		select {
		case piece, ok := <-m.pieces:
			if !ok {
				return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
			}
			text += piece
			onDelta(llm.Delta{Text: piece})
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// draftOf folds the draft messages of a stream, as a script does.
type draftOf struct{ settled, tail string }

func (d *draftOf) add(m message) {
	if m.data["restart"] == true {
		d.settled = ""
	}
	d.settled += m.data["settled"].(string)
	d.tail = m.data["tail"].(string)
}

// A reply is seen as it is written, as Markdown; who comes in the middle sees all of it; a reload loses and doubles nothing.
func TestStreamOfAReply(t *testing.T) {
	m := slow{make(chan string)}
	w := newWorld(t, options{model: m})
	b := w.signedIn(door.Person{})
	first := b.stream("/events?chat=main")
	b.post("/say", url.Values{"chat": {"main"}, "text": {"tell me"}})
	whole := ""
	send := func(piece string) {
		whole += piece
		m.pieces <- piece
	}
	// drafts reads a stream until it shows that word of the reply, and always what was written so far, in order.
	drafts := func(s *stream, word string) {
		t.Helper()
		var d draftOf
		s.until(func(m message) bool {
			if m.event != "draft" {
				return false
			}
			d.add(m)
			text := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(d.settled+d.tail, " ")), " ")
			if !strings.HasPrefix(strings.Join(strings.Fields(strings.ReplaceAll(whole, "*", " ")), " "), text) {
				t.Fatalf("the draft is %q of %q", text, whole)
			}
			return strings.Contains(text, word)
		})
		if !strings.Contains(d.settled+d.tail, "<em>is</em>") {
			t.Errorf("the draft is no Markdown: %s", d.settled+d.tail)
		}
	}
	send("It *is* so w0.")
	drafts(first, "so") // what could begin a call is held back
	for i := 1; i <= 50; i++ {
		send(fmt.Sprintf("\n\nAnd w%d on and on.", i))
		again := b.stream("/events?chat=main&after=1")
		drafts(again, fmt.Sprintf("w%d", i-1))
		again.resp.Body.Close()
	}
	close(m.pieces)
	last := b.stream("/events?chat=main&after=1")
	var items []string
	last.until(func(m message) bool {
		if m.event == "item" {
			items = append(items, m.data["id"].(string)+" "+fmt.Sprint(strings.Contains(m.data["html"].(string), "w50 on and on")))
		}
		return m.event == "state" && m.data["running"] == false
	})
	if len(items) != 1 || !strings.HasSuffix(items[0], "true") {
		t.Errorf("the reply comes as %q", items)
	}
	if got := b.get("/").body; strings.Count(got, `class="item reply" id="e`) != 1 || strings.Count(got, "w50 on and on") != 1 {
		t.Errorf("the reply stands there %d times", strings.Count(got, `class="item reply" id="e`))
	}
}

// A browser that comes back with the last id misses nothing of any of its chats, and hears nothing twice.
func TestStreamGoesOn(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	add := func(chat event.Chat, text string) {
		t.Helper()
		if _, err := w.db.Append(t.Context(), store.Entry{Chat: chat, Body: event.Noted{Text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	add("a", "before")
	add("b", "before")
	after := fmt.Sprintf("&after=%s&after=%s", match(b.get("/?chat=a").body, `data-seq="(\d+)" data-running`), match(b.get("/?chat=b").body, `data-seq="(\d+)" data-running`))
	for i := range 3 {
		add("a", fmt.Sprintf("a%d", i))
		add("b", fmt.Sprintf("b%d", i))
	}
	var heard []string
	last := ""
	for range 6 { // it breaks off after each item
		header := []string{}
		if last != "" {
			header = []string{"Last-Event-ID", last}
		}
		s := b.stream("/events?chat=a&chat=b"+after, header...)
		all := s.until(func(m message) bool { return m.event == "item" })
		m := all[len(all)-1]
		heard, last = append(heard, match(m.data["html"].(string), `dir="auto">(\w+)<`)), m.id
		s.resp.Body.Close()
	}
	seen := map[string]int{}
	for _, text := range heard {
		seen[text]++
	}
	for _, want := range []string{"a0", "a1", "a2", "b0", "b1", "b2"} {
		if seen[want] != 1 {
			t.Errorf("%s is heard %d times: %q", want, seen[want], heard)
		}
	}
}

// tale is a story that every chat plays.
type tale struct{}

func (tale) Story(context.Context, event.Chat) (web.Story, bool, error) {
	return web.Story{Title: "Ember Supper"}, true, nil
}
func (tale) DrawMap(context.Context, event.Chat, bool, string) ([]byte, error) { return nil, nil }
func (tale) Takes(context.Context, event.Chat, string, string) (takes, discreet bool) {
	return false, false
}

// A view was loaded before a story began, and its stream began after that: the browser hears of the story.
func TestStreamTellsOfAStoryThatBeganBeforeIt(t *testing.T) {
	w := newWorld(t, options{stories: tale{}, model: llm.NewScript(llm.Say("You are in the inn."), llm.Say("It rains."))})
	b := w.signedIn(door.Person{})
	after := match(b.get("/?chat=a").body, `data-seq="(\d+)" data-running`)
	w.play("a", "page", "begin")
	s := b.stream("/events?chat=a&after=" + after)
	isStory := func(m message) bool { return m.event == "story" }
	s.until(isStory)
	w.play("a", "page", "go on") // at the same turn of the story
	s.until(isStory)
}

// leftTale is a story that nobody plays any more.
type leftTale struct{ tale }

func (leftTale) Story(context.Context, event.Chat) (web.Story, bool, error) {
	return web.Story{}, false, nil
}

// A chat that has left its story says so: the map of a story that rests does not stand above chores.
func TestStreamTellsOfAStoryThatWasLeft(t *testing.T) {
	w := newWorld(t, options{stories: leftTale{}, model: llm.NewScript(llm.Say("It rests."))})
	b := w.signedIn(door.Person{})
	s := b.stream("/events?chat=a&after=0")
	w.play("a", "page", "leave it")
	s.until(func(m message) bool { return m.event == "story" && m.data["open"] == false })
}

// Two who watch the same are sent the same, each with the token of their own forms; a person who may not say yes gets no form for it.
func TestItemsOfTwo(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(callOf("run", `{"path":"make"}`), llm.Say("ok"))})
	home := event.Chat("page/103")
	ada, ben := w.signedIn(door.Person{}), w.signedIn(w.letIn("Ben", event.User))
	path := "/events?chat=" + url.QueryEscape(string(home))
	streams := map[*browser]*stream{ada: ada.stream(path), ben: ben.stream(path)}
	for _, s := range streams {
		s.until(func(m message) bool { return m.event == "state" })
	}
	if _, err := w.sessions.Submit(t.Context(), inputOf(home, "run it")); err != nil {
		t.Fatal(err)
	}
	for b, s := range streams {
		all := s.until(func(m message) bool {
			return m.event == "item" && strings.Contains(m.data["html"].(string), "item question")
		})
		html := all[len(all)-1].data["html"].(string)
		other := map[*browser]*browser{ada: ben, ben: ada}[b]
		if !strings.Contains(html, `value="`+b.csrf+`"`) || strings.Contains(html, other.csrf) || strings.Contains(html, `value="yes"`) != (b == ada) {
			t.Errorf("%s is sent %s", b.csrf, html)
		}
	}
}

// Who loses the right to read loses the stream, at the next event; who is signed out, at once.
func TestStreamEndsWithTheRight(t *testing.T) {
	w := newWorld(t, options{})
	ben := w.letIn("Ben", event.Owner)
	b := w.signedIn(ben)
	s := b.stream("/events?chat=main")
	s.until(func(m message) bool { return m.event == "state" })
	w.letIn("Ben", event.User)
	if _, err := w.db.Append(t.Context(), store.Entry{Chat: "main", Body: event.Noted{Text: "secret"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.sessions.Submit(t.Context(), inputOf("main", "wake up")); err != nil { // who follows hears of what is journaled
		t.Fatal(err)
	}
	for {
		m, ok := s.next()
		if !ok {
			t.Fatal("the stream ends without a word")
		}
		if m.event == "item" {
			t.Fatalf("it shows %v", m.data)
		}
		if m.event == "gone" {
			break
		}
	}
	if _, ok := s.next(); ok {
		t.Error("the stream goes on")
	}
	s = b.stream("/events") // of Ben's own chat
	s.until(func(m message) bool { return m.event == "state" })
	if _, err := w.door.Revoke(t.Context(), w.door.Sessions()[0].ID, func(door.Person) bool { return true }); err != nil {
		t.Fatal(err)
	}
	s.until(func(m message) bool { return m.event == "gone" })
	if _, ok := s.next(); ok {
		t.Error("the stream goes on")
	}
}

// A browser has few streams; the oldest ends for a new one. A thousand of them leave room for others.
func TestManyStreams(t *testing.T) {
	w := newWorld(t, options{})
	b, ben := w.signedIn(door.Person{}), w.signedIn(w.letIn("Ben", event.User))
	first := b.stream("/events")
	first.until(func(m message) bool { return m.event == "state" })
	for range 1000 {
		s := b.stream("/events")
		if s.resp.StatusCode != http.StatusOK {
			t.Fatalf("%d", s.resp.StatusCode)
		}
		s.until(func(m message) bool { return m.event == "state" })
	}
	for {
		if _, ok := first.next(); !ok {
			break
		}
	}
	s := ben.stream("/events")
	s.until(func(m message) bool { return m.event == "state" })
	if a := b.get("/"); a.status != http.StatusOK {
		t.Errorf("%d", a.status)
	}
	if s := b.stream("/events?" + strings.Repeat("chat=a&", 9)); s.resp.StatusCode != http.StatusNotFound {
		t.Errorf("a stream of nine chats: %d", s.resp.StatusCode)
	}
}

// endless are sessions in which something happens all the time.
type endless struct {
	*session.Sessions
	over chan struct{}
}

func (s endless) Follow(ctx context.Context, chat event.Chat, _ int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		defer close(s.over)
		for seq := int64(1); ctx.Err() == nil; seq++ {
			if !yield(event.Event{Seq: seq, Chat: chat, Body: event.Noted{Text: strings.Repeat("all work and no play ", 100)}}, nil) {
				return
			}
		}
	}
}

// A browser that reads nothing is cut off, and holds nothing up.
func TestSlowReader(t *testing.T) {
	over := make(chan struct{})
	w := newWorld(t, options{sessions: func(s *session.Sessions) web.Sessions { return endless{s, over} }})
	b := w.signedIn(door.Person{})
	s := b.stream("/events?chat=main")
	if s.resp.StatusCode != http.StatusOK {
		t.Fatal(s.resp.StatusCode)
	}
	<-over // nobody reads
	if a := b.get("/"); a.status != http.StatusOK {
		t.Errorf("%d", a.status)
	}
}
