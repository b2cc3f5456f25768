package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/phrases"
	"hob/internal/store"
	"hob/internal/surface/web"
	"hob/internal/surface/web/certs"
	"hob/internal/surface/web/door"
)

// A view works without scripts: a message is sent by a form, and its reply is read by loading the page again.
func TestChatWithoutScripts(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(callOf("look", `{"path":"a.md"}`), llm.Say("It is **there**."))})
	b := w.signedIn(door.Person{})
	page := b.get("/").body
	id := match(page, `name="id" value="([^"]+)"`)
	form := url.Values{"chat": {"main"}, "text": {"where is a.md?"}, "id": {id}}
	if a := b.post("/say", form); a.status != http.StatusSeeOther || a.header.Get("Location") != "/?chat=main#composer" {
		t.Fatalf("%d %s %s", a.status, a.header.Get("Location"), a.body)
	}
	if a := b.post("/say", form); a.status != http.StatusSeeOther { // a browser that sends a form again: it is one input
		t.Fatalf("%d %s", a.status, a.body)
	}
	s := b.stream("/events?chat=main&after=1")
	s.until(func(m message) bool { return m.event == "state" && m.data["running"] == false })
	got := b.get("/?chat=main").body
	for _, want := range []string{"where is a.md?", "<strong>there</strong>", `class="tool">look</span> <span class="state ok">`, "look a.md"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q stands there %d times in\n%s", want, strings.Count(got, want), got)
		}
	}
}

// A question is shown whole, and answered by a form.
func TestQuestion(t *testing.T) {
	for answer, want := range map[string]string{"yes": "Allowed", "no": "Denied"} {
		w := newWorld(t, options{model: llm.NewScript(callOf("run", `{"path":"a<b"}`), llm.Say("So be it."))})
		b := w.signedIn(door.Person{})
		s := b.stream("/events?chat=main")
		s.until(func(m message) bool { return m.event == "state" })
		b.post("/say", url.Values{"chat": {"main"}, "text": {"run it"}})
		all := s.until(func(m message) bool {
			return m.event == "item" && strings.Contains(m.data["html"].(string), `class="decide"`)
		})
		html := all[len(all)-1].data["html"].(string)
		id := match(html, `name="id" value="([^"]+)"`)
		if id == "" || !strings.Contains(html, "a&lt;b") {
			t.Fatalf("the question is\n%s", html)
		}
		if a := b.post("/decide", url.Values{"chat": {"main"}, "id": {id}, "answer": {answer}}); a.status != http.StatusSeeOther {
			t.Fatalf("%d %s", a.status, a.body)
		}
		s.until(func(m message) bool {
			return m.event == "item" && m.data["id"] == all[len(all)-1].data["id"] && strings.Contains(m.data["html"].(string), want)
		})
		if a := b.post("/decide", url.Values{"chat": {"main"}, "id": {id}, "answer": {answer}}); a.status != http.StatusConflict {
			t.Errorf("a second answer: %d", a.status)
		}
	}
}

// A yes or a no that is typed while one question stands there answers it. Other words, and a yes to a question that waits no more, do not.
func TestTypedAnswer(t *testing.T) {
	for answer, want := range map[string]string{"yes": "Allowed", "Nein.": "Denied"} {
		w := newWorld(t, options{model: llm.NewScript(callOf("run", `{"path":"a"}`), llm.Say("So be it."))})
		b := w.signedIn(door.Person{})
		s := b.stream("/events?chat=main")
		s.until(func(m message) bool { return m.event == "state" })
		b.post("/say", url.Values{"chat": {"main"}, "text": {"run it"}})
		all := s.until(func(m message) bool {
			return m.event == "item" && strings.Contains(m.data["html"].(string), `class="decide"`)
		})
		html := all[len(all)-1].data["html"].(string)
		id := match(b.get("/?chat=main").body, `name="asks" value="([^"]+)"`)
		if id == "" || id != match(html, `name="id" value="([^"]+)"`) {
			t.Fatalf("the composer is to answer %q", id)
		}
		if a := b.post("/say", url.Values{"chat": {"main"}, "text": {answer}, "asks": {id}}); a.status != http.StatusSeeOther {
			t.Fatalf("%d %s", a.status, a.body)
		}
		s.until(func(m message) bool {
			return m.event == "item" && m.data["id"] == all[len(all)-1].data["id"] && strings.Contains(m.data["html"].(string), want)
		})
		if id := match(b.get("/?chat=main").body, `name="asks" value="([^"]+)"`); id != "" {
			t.Errorf("the composer answers %q once it is answered", id)
		}
		if a := b.post("/say", url.Values{"chat": {"main"}, "text": {answer}, "asks": {id}}); a.status != http.StatusConflict {
			t.Errorf("a second answer: %d", a.status)
		}
		if got := b.get("/?chat=main").body; strings.Contains(got, ">"+answer+"<") {
			t.Error("the answer is said, too")
		}
	}
}

// Only who may allow something has a button for that, and the form of another is refused.
func TestUserMayNotAllow(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(callOf("run", `{"path":"a"}`), llm.Say("No."))})
	ben := w.letIn("Ben", event.User)
	b := w.signedIn(ben)
	s := b.stream("/events")
	s.until(func(m message) bool { return m.event == "state" })
	b.post("/say", url.Values{"text": {"run it"}})
	all := s.until(func(m message) bool {
		return m.event == "item" && strings.Contains(m.data["html"].(string), `class="decide"`)
	})
	html := all[len(all)-1].data["html"].(string)
	if strings.Contains(html, `value="yes"`) {
		t.Error("a user has a button to allow")
	}
	id := match(html, `name="id" value="([^"]+)"`)
	if a := b.post("/decide", url.Values{"id": {id}, "answer": {"yes"}}); a.status != http.StatusConflict {
		t.Errorf("a user allows: %d", a.status)
	}
	if a := b.post("/decide", url.Values{"id": {id}, "answer": {"no"}}); a.status != http.StatusSeeOther {
		t.Errorf("a user denies: %d %s", a.status, a.body)
	}
}

// Each change of a turn has a button of its own beside that for all of them, but where one change is all there is. Who only reads a chat
// has none.
func TestUndoButtons(t *testing.T) {
	in := inGroup{}
	w := newWorld(t, options{members: in})
	owner, ben := w.signedIn(door.Person{}), w.letIn("Ben", event.User)
	in[ben.ID] = true
	member := w.signedIn(ben)
	for _, c := range []struct {
		numbers []int64
		by      *browser
		chat    event.Chat
		want    string
	}{
		{nil, owner, "a", ""},
		{[]int64{0, 0}, owner, "looked", ""}, // a command that has changed nothing
		{[]int64{41}, owner, "b", "undo of it"},
		{[]int64{41, 0, 42, 41}, owner, "c", "undo of it, undo #41, undo #42"},
		{[]int64{1, 2, 3, 4, 5, 6, 7}, owner, "d", "undo of it, undo #2, undo #3, undo #4, undo #5, undo #6, undo #7"},
		{[]int64{41, 42}, member, ben.Home(), "undo of it, undo #41, undo #42"},
		{[]int64{41, 42}, member, "telegram/-5", ""},
	} {
		said, err := w.db.Append(t.Context(), store.Entry{Chat: c.chat, Body: event.Said{Text: "do it", Principal: event.Principal{Platform: "telegram"}}})
		if err != nil {
			t.Fatal(err)
		}
		turn := said[0].Seq
		reply := event.Replied{Text: "Done.", Receipt: "What was done."}
		bodies := []event.Body{}
		for i, n := range c.numbers { // a model's calls, but for the last
			did := []event.Effect{{Kind: "wrote", Change: n}}
			if i == len(c.numbers)-1 {
				reply.Effects = did
				break
			}
			bodies = append(bodies, event.Started{CallID: fmt.Sprint(i)}, event.Returned{ID: fmt.Sprint(i), Tool: "write", OK: true, Effects: did})
		}
		for _, body := range append(bodies, reply) {
			if _, err := w.db.Append(t.Context(), store.Entry{Chat: c.chat, Turn: turn, Body: body}); err != nil {
				t.Fatal(err)
			}
		}
		var lines []string
		shown := c.by.get("/?chat=" + url.QueryEscape(string(c.chat))).body
		if !strings.Contains(shown, "What was done.") {
			t.Fatalf("%s is not shown", c.chat)
		}
		for _, found := range regexp.MustCompile(`name="line" value="(undo [^"]*)"`).FindAllStringSubmatch(shown, -1) {
			lines = append(lines, strings.ReplaceAll(found[1], fmt.Sprint("of ", turn), "of it"))
		}
		if got := strings.Join(lines, ", "); got != c.want {
			t.Errorf("%v in %s: %q, want %q", c.numbers, c.chat, got, c.want)
		}
	}
}

// letIn lets somebody in by the page.
func (w *world) letIn(name string, level event.Level) door.Person {
	w.t.Helper()
	p, err := w.db.People().AllowPerson(w.t.Context(), event.Person{Platform: door.Platform, ID: int64(len(name)) + 100, Name: name, Level: level})
	if err != nil {
		w.t.Fatal(err)
	}
	return door.Person{Platform: p.Platform, ID: p.ID, Name: p.Name}
}

// An address of which there is no page says so on a page of hob's, from where one goes on, and to nobody who has not signed in.
func TestNoSuchPage(t *testing.T) {
	w := newWorld(t, options{})
	if a := w.signedIn(door.Person{}).get("/nope"); a.status != http.StatusNotFound || !strings.Contains(a.body, "there is no page at this address") || !strings.Contains(a.body, `href="/"`) {
		t.Errorf("%d\n%s", a.status, a.body)
	}
	if stranger, known := w.newBrowser().get("/nope"), w.newBrowser().get("/house"); stranger.status != known.status {
		t.Errorf("a stranger learns from %d that there is no page, where there is one it is %d", stranger.status, known.status)
	}
}

// Two people: each is themselves, and reads their own chats alone.
func TestTwoPeople(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(llm.Say("hello, owner"), llm.Say("hello, Ben"))})
	owner, ben := w.signedIn(door.Person{}), w.signedIn(w.letIn("Ben", event.User))
	owner.say("main", "it is me")
	ben.say("page/103", "and me")
	for path, want := range map[string]int{
		"/?chat=main": http.StatusNotFound, "/?chat=page/103": http.StatusOK, "/?chat=page/1039": http.StatusNotFound, "/?chat=page/103/work": http.StatusOK,
		"/events?chat=main": http.StatusNotFound, "/tools?chat=main": http.StatusNotFound, "/story?chat=main": http.StatusNotFound,
		"/house?chat=main": http.StatusNotFound, "/search?chat=main&q=me": http.StatusNotFound, "/file?chat=main&seq=1&n=0": http.StatusNotFound,
		"/complete?chat=main&line=/": http.StatusNotFound, "/?chat=a%20b": http.StatusNotFound,
	} {
		if a := ben.get(path); a.status != want {
			t.Errorf("Ben gets %s: %d, want %d", path, a.status, want)
		}
	}
	for path, form := range map[string]url.Values{
		"/say": {"chat": {"main"}, "text": {"hi"}}, "/stop": {"chat": {"main"}}, "/new": {"chat": {"main"}}, "/command": {"chat": {"main"}, "line": {"status"}},
		"/decide": {"chat": {"main"}, "id": {"x"}, "answer": {"yes"}},
	} {
		if a := ben.post(path, form); a.status < 400 {
			t.Errorf("Ben posts to %s of the owner's chat: %d", path, a.status)
		}
	}
	if got := ben.get("/").body; strings.Contains(got, "it is me") || !strings.Contains(got, "hello, Ben") {
		t.Errorf("Ben reads\n%s", got)
	}
	if got := ben.get("/").body; strings.Contains(got, ">main<") {
		t.Error("Ben sees the chats of others")
	}
	if got := owner.get("/?chat=page/103").body; !strings.Contains(got, "and me") || !strings.Contains(got, "page-103") {
		t.Error("the owner does not see who has written")
	}
}

// The house has what hob knows and what it will remind of, each with what can be done with it.
func TestHouse(t *testing.T) {
	w := newWorld(t, options{})
	w.known = []commands.Fact{
		{ID: 3, Of: "me", Text: "likes <b>tea</b>", From: "Ada"},
		{ID: 5, Of: "me", Text: "likes rye", From: "Ada", Waiting: true, Rival: 3},
		{ID: 6, Of: "house", Text: "the code is 1234", From: "model, after reading example.org", Waiting: true, Stranger: true},
	}
	b := w.signedIn(door.Person{})
	got := b.get("/house").body
	for _, want := range []string{
		`value="memory forget 3"`, "likes &lt;b&gt;tea", "; undo with /undo #41", "&lt;b&gt;a.md", `value="/undo #41"`, `value="memory replace 5"`, `value="memory keep 5"`, `value="memory accept 6"`, `value="memory keep 6"`,
		"Strangers’ words led to this", "after reading example.org", "#7 for &lt;b&gt;owner", `value="/reminder 7 done"`, `value="/reminder 7 in 1 hour"`, `value="/reminder 7 cancel"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the house lacks %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, `value="memory accept 5"`) || strings.Contains(got, `value="memory accept 3"`) {
		t.Error("a fact that is known, or has a rival, is accepted as it is")
	}
	for _, line := range []string{"memory accept 6", "memory keep 5"} {
		if a := b.post("/command", url.Values{"line": {line}, "back": {"/house"}}); a.status != http.StatusSeeOther || a.header.Get("Location") != "/house?chat=main" {
			t.Errorf("%s: %d %s", line, a.status, a.header)
		}
	}
	if a := b.post("/command", url.Values{"line": {"memory forget 3"}}, "X-Hob-Part", "answer"); !strings.Contains(a.body, "Forgot 3") || len(w.known) != 1 || w.known[0].Waiting {
		t.Errorf("what is left is %v; %s", w.known, a.body)
	}
	// What changes a reminder is said in the chat; the house shows what hob says to it.
	a := b.post("/say", url.Values{"text": {"/look"}, "more": {"<i>this</i>"}, "back": {"/house"}}, "X-Hob-Part", "answer")
	if !strings.Contains(a.body, `id="answer"`) || !strings.Contains(a.body, "look &lt;i&gt;this") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := b.post("/say", url.Values{"text": {"/look x"}, "back": {"/house"}}); a.header.Get("Location") != "/house?chat=main" {
		t.Errorf("%d %s", a.status, a.header)
	}
}

// inGroup is who is in every group.
type inGroup map[int64]bool

func (m inGroup) IsMember(_ context.Context, p door.Person, _ event.Chat) (bool, error) {
	return m[p.ID], nil
}

// Who is in a group reads it: what was said there and what hob said, not what was asked from elsewhere, what calls were about, and what
// only others decide. They write nothing in it. Who leaves it loses its stream.
func TestGroup(t *testing.T) {
	const group, secret = event.Chat("telegram/-5"), "SECRET"
	in := inGroup{}
	now := time.Now()
	w := newWorld(t, options{members: in, now: func() time.Time { return now }, model: llm.NewScript(
		callOf("look", `{"path":"SECRET"}`), llm.Say("the answer for all"), llm.Say("an answer to the terminal"))})
	ben, eve := w.letIn("Ben", event.BotAdmin), w.letIn("Eve!", event.BotAdmin)
	in[ben.ID] = true
	b, e := w.signedIn(ben), w.signedIn(eve)
	w.play(group, "telegram", "hello, all")
	w.play(group, "cli", secret)
	at := "/?chat=" + url.QueryEscape(string(group))
	if a := e.get(at); a.status != http.StatusNotFound || strings.Contains(e.get("/").body, string(group)) {
		t.Errorf("somebody else reads the group: %d", a.status)
	}
	got := b.get(at).body
	for _, want := range []string{"hello, all", "the answer for all", "an answer to the terminal", "Write in the group itself", `<span class="tool">look</span>`} {
		if !strings.Contains(got, want) {
			t.Errorf("Ben does not read %q in\n%s", want, got)
		}
	}
	for _, not := range []string{secret, `id="composer"`, `action="/decide"`, `action="/new"`, `id="tools-panel"`} {
		if strings.Contains(got, not) {
			t.Errorf("Ben gets %q in\n%s", not, got)
		}
	}
	if !strings.Contains(b.get("/").body, ">"+string(group)+"<") {
		t.Error("the group is not among Ben's chats")
	}
	s := b.stream("/events?chat=" + url.QueryEscape(string(group)))
	s.until(func(m message) bool { return m.event == "state" })
	w.play(group, "cli", secret)
	for _, m := range s.until(func(m message) bool { return m.event == "state" && m.data["running"] == false }) {
		if raw, _ := json.Marshal(m.data); strings.Contains(string(raw), secret) {
			t.Errorf("Ben's stream has %s", raw)
		}
	}
	for path, form := range map[string]url.Values{
		"/say": {"text": {"hi"}}, "/stop": {}, "/new": {}, "/command": {"line": {"status"}}, "/decide": {"id": {"x"}, "answer": {"no"}},
	} {
		form.Set("chat", string(group))
		if a := b.post(path, form); a.status < 400 {
			t.Errorf("Ben posts to %s of the group: %d", path, a.status)
		}
	}
	for _, path := range []string{"/tools", "/house", "/search", "/complete"} {
		if a := b.get(path + at[1:] + "&q=SECRET&line=/"); a.status != http.StatusNotFound {
			t.Errorf("Ben gets %s of the group: %d", path, a.status)
		}
	}
	delete(in, ben.ID)
	now = now.Add(2 * time.Minute)
	w.play(group, "telegram", "he is gone")
	s.until(func(m message) bool { return m.event == "gone" })
	if a := b.get(at); a.status != http.StatusNotFound {
		t.Errorf("Ben has left the group and reads it: %d", a.status)
	}
}

// A switch of tools is pressed by whoever may, with a sign-in that is not old.
func TestSwitchTool(t *testing.T) {
	now := time.Now()
	w := newWorld(t, options{now: func() time.Time { return now }})
	b, ben := w.signedIn(door.Person{}), w.signedIn(w.letIn("Ben", event.BotAdmin))
	if got := b.get("/tools").body; strings.Count(got, `aria-label="look, everywhere: ENABLED"`) != 1 || !strings.Contains(got, `value="tools disable look"`) {
		t.Fatalf("%s", got)
	}
	press := url.Values{"line": {"tools disable look"}, "back": {"/tools"}}
	if a := ben.post("/command", press); a.status < 400 || !w.switches["look"] {
		t.Errorf("an admin switches a tool: %d", a.status)
	}
	if a := b.post("/command", press); a.status != http.StatusSeeOther || w.switches["look"] {
		t.Errorf("the owner switches a tool: %d %s", a.status, a.body)
	}
	if got := b.get("/tools").body; !strings.Contains(got, `aria-label="look, everywhere: DISABLED"`) || strings.Contains(ben.get("/tools").body, `"tools disable write"`) {
		t.Errorf("%s", got)
	}
	here := url.Values{"line": {"tools disable write here"}, "back": {"/tools"}, "chat": {"page/103"}}
	if a := ben.post("/command", here); a.status != http.StatusSeeOther || !w.offIn["page/103 write"] || !w.switches["write"] {
		t.Errorf("Ben switches a tool in his chat: %d %s", a.status, a.body)
	}
	if got := ben.get("/tools").body; !strings.Contains(got, `aria-label="write, in this chat: DISABLED"`) || !strings.Contains(got, `value="tools enable write here"`) {
		t.Errorf("%s", got)
	}
	if got := b.get("/tools").body; !strings.Contains(got, `aria-label="write, in this chat: ENABLED"`) {
		t.Errorf("%s", got)
	}
	now = now.Add(10 * time.Minute)
	press.Set("line", "tools enable look")
	a := b.post("/command", press, "X-Hob-Part", "answer")
	var refusal struct {
		SignIn bool `json:"sign_in"`
	}
	if json.Unmarshal([]byte(a.body), &refusal) != nil || a.status != http.StatusForbidden || !refusal.SignIn || w.switches["look"] {
		t.Errorf("an old sign-in switches a tool: %d %s", a.status, a.body)
	}
	if a := b.post("/command", url.Values{"line": {"tools look"}}); a.status != http.StatusOK {
		t.Errorf("an old sign-in reads: %d %s", a.status, a.body)
	}
	again := w.door.Invite(door.Person{})
	b.post("/sign-in", url.Values{"code": {again.Short}})
	b.csrf = match(b.get("/").body, `name="csrf" content="([^"]+)"`)
	if a := b.post("/command", press); a.status != http.StatusSeeOther || !w.switches["look"] {
		t.Errorf("a new sign-in switches a tool: %d %s", a.status, a.body)
	}
}

// The column says what a tool may do and what came of its last calls, in the reader's own chats; the house lists them, and gives an owner a
// backup, with a sign-in that is not old.
func TestCallsAndBackup(t *testing.T) {
	now := time.Now()
	w := newWorld(t, options{model: llm.NewScript(callOf("look", `{"path":"a.md"}`), llm.Say("ok")), now: func() time.Time { return now }})
	b, ben := w.signedIn(door.Person{}), w.signedIn(w.letIn("Ben", event.BotAdmin))
	b.say("main", "look")
	for path, want := range map[string]string{"/tools": `</time> main <span class="state ok">`, "/house": `<td>main</td><td class="tool">look</td>`} {
		if got := b.get(path).body; !strings.Contains(got, want) {
			t.Errorf("the owner's %s is\n%s", path, got)
		}
		if got := ben.get(path).body; strings.Contains(got, "main") && !strings.Contains(got, `id="main"`) || strings.Contains(got, want) {
			t.Errorf("Ben's %s has calls of others:\n%s", path, got)
		}
	}
	skill := match(b.get("/tools").body, `(?s)<li data-skill="music">(.*?)</details>`)
	for _, want := range []string{`server failing">failing`, "it said &lt;b&gt;no", `music_play</span>`, "It may: look at things", `span class="state ok"`} {
		if !strings.Contains(skill, want) {
			t.Errorf("the skill lacks %q: %s", want, skill)
		}
	}
	if got := b.get("/tools").body; !strings.Contains(got, "It may: look at things") {
		t.Errorf("%s", got)
	}
	if a := b.post("/backup", url.Values{}); a.status != http.StatusOK || a.body != "all" || !strings.Contains(a.header.Get("Content-Disposition"), "hob-") {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if a := ben.post("/backup", url.Values{}); a.status != http.StatusNotFound || strings.Contains(ben.get("/house").body, `id="backup"`) {
		t.Errorf("an admin gets all that hob keeps: %d", a.status)
	}
	now = now.Add(10 * time.Minute)
	if a := b.post("/backup", url.Values{}); a.status != http.StatusForbidden {
		t.Errorf("an old sign-in: %d", a.status)
	}
}

// A note that calls a person has its choices: one that hob offers calls a tool, whoever wrote the text above it; one that a stranger
// offers is words, fenced as theirs.
func TestChoicesOfNotes(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(llm.Say("It is only words."))})
	b := w.signedIn(door.Person{})
	theirs := event.Label{Untrusted: true, Source: "mail"}
	for i, c := range []struct {
		label   event.Label
		trusted bool
	}{{event.Label{}, false}, {theirs, false}, {theirs, true}} {
		note := event.Noted{Text: "wake up", Label: c.label, Loud: true, Choices: []event.Choice{{Label: "Look", Text: "/look note" + fmt.Sprint(i) + ".md", Trusted: c.trusted}}}
		if _, err := w.db.Append(t.Context(), store.Entry{Chat: "main", Body: note}); err != nil {
			t.Fatal(err)
		}
	}
	page := b.get("/").body
	forms := regexp.MustCompile(`(?s)<form class="pick".*?</form>`).FindAllString(page, -1)
	if len(forms) != 3 || strings.Count(page, `data-loud="true"`) != 3 {
		t.Fatalf("%s", page)
	}
	for i, form := range forms {
		fields := url.Values{}
		for _, m := range regexp.MustCompile(`name="(\w+)" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
			fields.Set(m[1], m[2])
		}
		s := b.stream("/events?chat=main")
		s.until(func(m message) bool { return m.event == "state" })
		b.post("/say", fields)
		s.until(func(m message) bool {
			return m.event == "item" && strings.Contains(m.data["html"].(string), []string{"look note0.md", "It is only words.", `"tool">look`}[i])
		})
	}
}

// What a turn of a story did has a number in the log of changes, so Undo stands below it; what has none has no Undo.
func TestUndoOfAStorysTurn(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	for i, number := range []int64{41, 0} {
		said, err := w.db.Append(t.Context(), store.Entry{Chat: "main", Body: event.Said{InputID: fmt.Sprint(i), Text: "go north"}})
		if err != nil {
			t.Fatal(err)
		}
		receipt := []string{"14:03 #41", "14:06"}[i]
		_, err = w.db.Append(t.Context(),
			store.Entry{Chat: "main", Turn: said[0].Seq, Body: event.Replied{
				Text: "You go north.\n\n" + receipt, Receipt: receipt, Effects: []event.Effect{{Kind: "played", Target: "14:03", Change: number}},
			}},
			store.Entry{Chat: "main", Turn: said[0].Seq, Body: event.Ended{Reason: event.Done}})
		if err != nil {
			t.Fatal(err)
		}
	}
	page := b.get("/").body
	if !strings.Contains(page, "14:03 #41") || strings.Count(page, `name="line" value="undo of 1"`) != 1 || strings.Count(page, `value="undo of `) != 1 {
		t.Error(page)
	}
}

// A turn that no model answered, or that was stopped, has a reply that says so, and nothing below says it again.
func TestNoReplyIsSaidOnce(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	for reason, reply := range map[event.Reason]string{event.NoModel: "There is no model.", event.Stopped: "Stopped."} {
		said, err := w.db.Append(t.Context(), store.Entry{Chat: event.Chat(reason), Body: event.Said{InputID: string(reason), Text: "hello"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.db.Append(t.Context(),
			store.Entry{Chat: event.Chat(reason), Turn: said[0].Seq, Body: event.Replied{Text: reply}},
			store.Entry{Chat: event.Chat(reason), Turn: said[0].Seq, Body: event.Ended{Reason: reason}})
		if err != nil {
			t.Fatal(err)
		}
		if page := b.get("/?chat=" + string(reason)).body; strings.Count(page, reply) != 1 || strings.Contains(page, `class="item end`) {
			t.Error(page)
		}
	}
}

// A slash begins a command of the table or a call of a tool, which the page answers without a model.
func TestSlash(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	if a := b.post("/say", url.Values{"text": {"/status"}}, "X-Hob-Part", "answer"); a.status != http.StatusOK || !strings.Contains(a.body, `id="answer"`) {
		t.Errorf("/status: %d %s", a.status, a.body)
	}
	if a := b.post("/say", url.Values{"text": {"/help"}}, "X-Hob-Part", "answer"); a.status != http.StatusOK || !strings.Contains(a.body, "<code>/undo [#N | list]</code>") {
		t.Errorf("/help: %d %s", a.status, a.body)
	}
	if a := b.post("/say", url.Values{"text": {"/status"}}, "X-Hob-Part", "none"); a.status != http.StatusNoContent { // it is done, whatever of it is shown
		t.Errorf("/status, and nothing of it shown: %d %s", a.status, a.body)
	}
	if a := b.get("/complete?line=/he"); a.body != "[\"/help\"]\n" {
		t.Errorf("/he becomes %s", a.body)
	}
	b.say("main", "/look a.md")
	if got := b.get("/").body; !strings.Contains(got, "look a.md") {
		t.Errorf("/look: %s", got)
	}
	if a := b.get("/complete?line=/sta"); a.body != "[\"/status\"]\n" {
		t.Errorf("/sta becomes %s", a.body)
	}
	if a := b.get("/complete?line=/tools%20en"); a.body != "[\"/tools enable\"]\n" {
		t.Errorf("/tools en becomes %s", a.body)
	}
}

// Files come with a message, and go out as attachments; what is a picture by its bytes is shown, whatever it is called.
func TestFiles(t *testing.T) {
	w := newWorld(t, options{model: llm.NewScript(llm.Say("thanks"))})
	b := w.signedIn(door.Person{})
	png := "\x89PNG\r\n\x1a\n rest"
	sent := []struct{ name, text string }{
		{"photo.png", png}, {"evil.png", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"}, {"<img src=x>.html", "<script>alert(1)</script>"},
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	for _, field := range [][2]string{{"csrf", b.csrf}, {"chat", "main"}, {"id", "1"}, {"text", "look at these"}} {
		_ = parts.WriteField(field[0], field[1])
	}
	for _, f := range sent {
		part, _ := parts.CreateFormFile("file", f.name)
		_, _ = io.WriteString(part, f.text)
	}
	_ = parts.Close()
	s := b.stream("/events?chat=main")
	s.until(func(m message) bool { return m.event == "state" })
	if a := b.do(b.request(http.MethodPost, "/say", &form, "Content-Type", parts.FormDataContentType())); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.body)
	}
	all := s.until(func(m message) bool { return m.event == "item" })
	html := all[len(all)-1].data["html"].(string)
	if strings.Contains(html, "<img src=x>") || strings.Count(html, "<img ") != 1 || strings.Contains(html, "[picture") || strings.Contains(html, "[file") {
		t.Errorf("the message is\n%s", html)
	}
	seq := int(all[len(all)-1].data["seq"].(float64))
	for n, f := range sent {
		a := b.get(fmt.Sprintf("/file?chat=main&seq=%d&n=%d", seq, n))
		kind, media := "attachment", "application/octet-stream"
		if n == 0 {
			kind, media = "inline", "image/png"
		}
		h := a.header
		if a.body != f.text || !strings.HasPrefix(h.Get("Content-Disposition"), kind) || h.Get("Content-Type") != media ||
			h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: %d %v %q", f.name, a.status, h, a.body)
		}
	}
	if a := b.get(fmt.Sprintf("/file?chat=main&seq=%d&n=3", seq)); a.status != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", a.status)
	}
	var bare bytes.Buffer
	parts = multipart.NewWriter(&bare)
	part, _ := parts.CreateFormFile("file", "early.txt")
	_, _ = io.WriteString(part, "too early")
	_ = parts.WriteField("csrf", b.csrf)
	_ = parts.Close()
	if a := b.do(b.request(http.MethodPost, "/say", &bare, "Content-Type", parts.FormDataContentType())); a.status != http.StatusForbidden || w.files["in/early.txt"] != "" {
		t.Errorf("a file before the token of the form: %d", a.status)
	}
}

// What a model, a file, a tool or a skill is called or says is text, and never HTML; the page itself has no inline script or style.
func TestNothingBecomesHTML(t *testing.T) {
	evil := `<script>alert(1)</script><img src=x onerror=alert(2)>` + "\n\n" + `[click](javascript:alert(3)) [bank](https://evil.example/pay) ` +
		`![track](https://evil.example/p.png) [home](/house) <https://bank.example@evil.example/> [a](data:text/html,x)` + "\n\n<div onclick=x>\nraw\n</div>\n"
	w := newWorld(t, options{model: llm.NewScript(callOf("look", `{"path":"<script>alert(4)</script>"}`), llm.Say("ok"), llm.Say(evil))})
	b := w.signedIn(w.letIn(`Ben"><script>alert(5)</script>`, event.Owner))
	home := match(b.get("/").body, `data-chat="([^"]+)"`)
	b.say(home, "<script>alert(6)</script>")
	b.say(home, "and now?")
	for _, path := range []string{"/", "/tools", "/house", "/devices", "/search?q=script", "/?chat=%3Cscript%3E"} {
		got := b.get(path).body
		if regexp.MustCompile(`(?i)<script(?: |>)`).FindAllString(got, -1); strings.Count(got, "<script") != strings.Count(got, `<script type="module" src="/static/page.js`) {
			t.Errorf("%s has a script:\n%s", path, got)
		}
		if m := regexp.MustCompile(`(?i)<[^>]+ (on[a-z]+|style)=`).FindString(got); m != "" {
			t.Errorf("%s has an inline handler or style: %s", path, m)
		}
		for _, m := range regexp.MustCompile(`(?:href|src|action)="([^"]*)"`).FindAllStringSubmatch(got, -1) {
			if to := m[1]; !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "https://evil.example/") {
				t.Errorf("%s leads to %s", path, to)
			}
		}
	}
	got := b.get("/").body
	for _, want := range []string{
		`rel="noreferrer noopener nofollow" target="_blank" href="https://evil.example/pay">bank</a> <span class="host" dir="ltr">(evil.example)</span>`,
		`href="https://evil.example/p.png">🖼 track</a>`, `(evil.example)</span>`, "alert(3)", "&lt;div onclick=x&gt;",
	} {
		if want != "alert(3)" && !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, `href="/house">home`) || strings.Contains(got, "javascript:") || strings.Contains(got, "<img src=\"https") {
		t.Errorf("a model leads somewhere:\n%s", got)
	}
}

// What a browser may do with an answer is said with each.
func TestHeaders(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	for _, path := range []string{"/", "/sign-in", "/static/style.css", "/nowhere", "/tools"} {
		h := b.get(path).header
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
				"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hob",
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		if strings.HasPrefix(path, "/static/") == (h.Get("Cache-Control") == "no-store") {
			t.Errorf("%s: %s", path, h.Get("Cache-Control"))
		}
	}
	if got := b.get("/").header.Get("Set-Cookie"); got != "" {
		t.Errorf("a view sets a cookie: %s", got)
	}
}

// Other pages, other hosts and forged forms are turned away.
func TestOtherPlaces(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	_, port, _ := strings.Cut(w.addr, ":")
	form := func() url.Values { return url.Values{"chat": {"main"}, "text": {"hi"}} }
	for name, c := range map[string]struct {
		header []string
		want   int
	}{
		"its own":            {nil, http.StatusSeeOther},
		"another origin":     {[]string{"Origin", "http://evil.example"}, http.StatusForbidden},
		"another port":       {[]string{"Origin", "http://localhost:1"}, http.StatusForbidden},
		"HTTPS of the name":  {[]string{"Origin", "https://localhost:" + port}, http.StatusForbidden},
		"no origin":          {[]string{"Origin", ""}, http.StatusForbidden},
		"an opaque origin":   {[]string{"Origin", "null"}, http.StatusForbidden},
		"another site":       {[]string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"another port, same": {[]string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		"another host":       {[]string{"Host", "evil.example:" + port}, http.StatusMisdirectedRequest},
		"a host that begins": {[]string{"Host", "localhost.evil.example:" + port}, http.StatusMisdirectedRequest},
		"no port":            {[]string{"Host", "localhost"}, http.StatusMisdirectedRequest},
		"numbers":            {[]string{"Host", "127.0.0.1:" + port}, http.StatusMisdirectedRequest},
		"forwarded":          {[]string{"Host", "evil.example", "X-Forwarded-Host", "localhost:" + port}, http.StatusMisdirectedRequest},
	} {
		if a := b.post("/say", form(), c.header...); a.status != c.want {
			t.Errorf("%s: %d, want %d", name, a.status, c.want)
		}
	}
	for name, bad := range map[string]string{"none": "", "another": "AAAA", "one of another session": door.FormToken("x")} {
		f := form()
		f.Set("csrf", bad)
		for _, path := range []string{"/say", "/stop", "/command", "/decide", "/new", "/devices/end", "/sign-in/leave"} {
			if a := b.post(path, f); a.status != http.StatusForbidden {
				t.Errorf("%s token at %s: %d", name, path, a.status)
			}
		}
	}
	for name, c := range map[string]struct {
		header []string
		want   int
	}{
		"a link from elsewhere":    {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, http.StatusOK},
		"a frame elsewhere":        {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, http.StatusForbidden},
		"a picture elsewhere":      {[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, http.StatusForbidden},
		"another port's script":    {[]string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"}, http.StatusForbidden},
		"a request of another one": {[]string{"Origin", "http://evil.example"}, http.StatusForbidden},
		"this machine in numbers":  {[]string{"Host", "127.0.0.1:" + port}, http.StatusFound},
		"another host":             {[]string{"Host", "evil.example"}, http.StatusMisdirectedRequest},
	} {
		if a := b.get("/", c.header...); a.status != c.want {
			t.Errorf("%s: %d, want %d", name, a.status, c.want)
		}
	}
	if a := b.get("/tools", "Host", "127.0.0.1:"+port); a.header.Get("Location") != w.origin+"/tools" {
		t.Errorf("numbers lead to %s", a.header.Get("Location"))
	}
}

// Without a sign-in there is nothing to see; a forged cookie is none; a browser that comes from another site comes again, once.
func TestNotSignedIn(t *testing.T) {
	w := newWorld(t, options{})
	in := w.signedIn(door.Person{})
	for _, cookie := range []string{"", "hob=", "hob=AAAA", "hob=" + strings.Repeat("A", 43), "hob=a; hob=b", "__Host-hob=x"} {
		b := w.newBrowser()
		for _, path := range []string{"/", "/tools", "/story", "/house", "/devices", "/search", "/file", "/map.svg", "/complete"} {
			if a := b.get(path, "Cookie", cookie); a.status != http.StatusSeeOther || a.header.Get("Location") != "/sign-in" {
				t.Errorf("%q gets %s: %d", cookie, path, a.status)
			}
		}
		if a := b.get("/events", "Cookie", cookie); a.status != http.StatusUnauthorized {
			t.Errorf("%q gets a stream: %d", cookie, a.status)
		}
		for _, path := range []string{"/say", "/stop", "/command", "/decide", "/new"} {
			if a := b.post(path, url.Values{"csrf": {in.csrf}, "text": {"hi"}}, "Cookie", cookie); a.status != http.StatusUnauthorized {
				t.Errorf("%q posts to %s: %d", cookie, path, a.status)
			}
		}
	}
	from := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	first := w.newBrowser().get("/?chat=a%22b", from...)
	again := match(first.body, `content="0;url=([^"]+)"`)
	if first.status != http.StatusOK || again == "" {
		t.Fatalf("%d %s", first.status, first.body)
	}
	if a := w.newBrowser().get(strings.ReplaceAll(again, "&amp;", "&"), from...); a.status != http.StatusSeeOther {
		t.Errorf("it comes again without end: %d", a.status)
	}
}

// A sign-in shows who signs in where, and only its press uses the code up.
func TestSignIn(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, options{log: slog.New(slog.NewTextHandler(&log, nil))})
	ben := w.letIn("Ben", event.User)
	in := w.door.Invite(ben)
	b := w.newBrowser()
	for range 2 {
		a := b.post("/sign-in/look", url.Values{"code": {in.Long}}, "User-Agent", "Mozilla/5.0 (X11; Linux) Firefox/150")
		if a.status != http.StatusOK || !strings.Contains(a.body, "Ben") || !strings.Contains(a.body, "Firefox, Linux") || !strings.Contains(a.body, w.origin) {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if a := b.get("/sign-in?code=" + in.Long); a.status != http.StatusOK || a.header.Get("Set-Cookie") != "" {
		t.Errorf("to open a link signs in: %v", a.header)
	}
	if a := b.post("/sign-in", url.Values{"code": {in.Long}}, "Origin", "http://evil.example"); a.status != http.StatusForbidden {
		t.Errorf("another page presses: %d", a.status)
	}
	a := b.post("/sign-in", url.Values{"code": {in.Long}})
	cookie := a.header.Get("Set-Cookie")
	for _, want := range []string{"hob=", "Path=/", "HttpOnly", "SameSite=Strict"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie is %s", cookie)
		}
	}
	if strings.Contains(cookie, "Secure") || strings.Contains(cookie, "Domain") {
		t.Errorf("the cookie is %s", cookie)
	}
	if a := w.newBrowser().post("/sign-in", url.Values{"code": {in.Long}}); a.status != http.StatusForbidden {
		t.Errorf("a code is good twice: %d", a.status)
	}
	if got := log.String(); strings.Count(got, `msg="a sign-in was refused" from=127.0.0.1 device=Go-http-client/1.1 err="this code is not good`) != 1 || strings.Contains(got, in.Long) {
		t.Errorf("the log has %s", got)
	}
	in = w.door.Invite(ben)
	for range 5 {
		w.newBrowser().post("/sign-in/look", url.Values{"code": {"AAAA-AAAA"}})
	}
	if a := w.newBrowser().post("/sign-in", url.Values{"code": {in.Short}}); a.status != http.StatusForbidden || !strings.Contains(a.body, "not good") {
		t.Errorf("a code after five wrong ones: %d", a.status)
	}
	token := match(b.get("/").body, `name="csrf" content="([^"]+)"`)
	b.csrf = token
	if a := b.post("/sign-in/leave", url.Values{}); a.status != http.StatusSeeOther {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := b.get("/"); a.status != http.StatusSeeOther {
		t.Errorf("who has left is in: %d", a.status)
	}
}

// A page behind a proxy is asked for by the proxy's name, with a cookie for HTTPS; headers count from the proxy alone.
func TestProxy(t *testing.T) {
	for _, c := range []struct {
		name    string
		proxies []string
		host    string
		header  []string
		want    int
	}{
		{"by its name", nil, "hob.example.ts.net", nil, http.StatusOK},
		{"forwarded by a proxy", []string{"127.0.0.1"}, "10.0.0.5:8780", []string{"X-Forwarded-Host", "hob.example.ts.net", "X-Forwarded-Proto", "https"}, http.StatusOK},
		{"forwarded by a network", []string{"127.0.0.0/8"}, "x", []string{"X-Forwarded-Host", "hob.example.ts.net"}, http.StatusOK},
		{"forwarded by anybody", nil, "10.0.0.5:8780", []string{"X-Forwarded-Host", "hob.example.ts.net"}, http.StatusMisdirectedRequest},
		{"forwarded by another", []string{"10.0.0.9"}, "x", []string{"X-Forwarded-Host", "hob.example.ts.net"}, http.StatusMisdirectedRequest},
		{"forwarded from plain HTTP", []string{"127.0.0.1"}, "hob.example.ts.net", []string{"X-Forwarded-Proto", "http"}, http.StatusForbidden},
		{"by localhost", nil, "localhost:1", nil, http.StatusMisdirectedRequest},
	} {
		w := newWorld(t, options{site: func(port string) web.SiteConfig {
			return web.SiteConfig{Listen: "localhost:" + port, URL: "https://hob.example.ts.net", Proxies: c.proxies}
		}})
		b := w.newBrowser()
		if a := b.get("/sign-in", append([]string{"Host", c.host}, c.header...)...); a.status != c.want {
			t.Errorf("%s: %d, want %d", c.name, a.status, c.want)
		} else if c.want == http.StatusOK && a.header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s: it may be asked for over plain HTTP", c.name)
		}
	}
	w := newWorld(t, options{site: func(port string) web.SiteConfig {
		return web.SiteConfig{Listen: "localhost:" + port, URL: "https://hob.example.ts.net"}
	}})
	a := w.newBrowser().post("/sign-in", url.Values{"code": {w.door.Invite(door.Person{}).Long}})
	if cookie := a.header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "__Host-hob=") || !strings.Contains(cookie, "Secure") || strings.Contains(cookie, "Domain") {
		t.Errorf("the cookie is %s", cookie)
	}
}

// With certificates of its own the page is there over HTTPS alone, under one name, and streams over HTTP/2 too.
func TestOwnTLS(t *testing.T) {
	authority, err := certs.Open(t.TempDir(), "hob.lan", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, options{tls: authority, model: llm.NewScript(llm.Say("good evening")), site: func(port string) web.SiteConfig {
		return web.SiteConfig{Listen: "0.0.0.0:" + port, TLS: true, Host: "hob.lan"}
	}})
	if !strings.HasPrefix(w.origin, "https://hob.lan:") {
		t.Fatal(w.origin)
	}
	b := w.signedIn(door.Person{})
	u, err := url.Parse(w.origin)
	if err != nil {
		t.Fatal(err)
	}
	if all := b.client.Jar.Cookies(u); len(all) != 1 || all[0].Name != "__Host-hob" {
		t.Errorf("%v", all)
	}
	s := b.stream("/events?chat=main")
	if s.resp.ProtoMajor != 2 {
		t.Errorf("it is %s", s.resp.Proto)
	}
	b.post("/say", url.Values{"chat": {"main"}, "text": {"hello"}})
	s.until(func(m message) bool {
		return m.event == "item" && strings.Contains(m.data["html"].(string), "good evening")
	})
	if a := b.get("/", "Host", "localhost"); a.status != http.StatusMisdirectedRequest {
		t.Errorf("by another name: %d", a.status)
	}
	plain := w.newBrowser()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(w.origin, "https", "http", 1)+"/sign-in", nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := plain.do(r); a.status != http.StatusBadRequest || strings.Contains(a.body, "code") {
		t.Errorf("over plain HTTP: %d %s", a.status, a.body)
	}
}

// Big and odd requests are refused, and the page goes on.
func TestHugeRequests(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	for _, path := range []string{"/say", "/command", "/sign-in/look", "/sign-in"} {
		form := url.Values{"csrf": {b.csrf}, "code": {strings.Repeat("A", 2<<20)}}.Encode()
		resp, err := b.client.Do(b.request(http.MethodPost, path, strings.NewReader(form)))
		if err != nil { // it hangs up before all of it was sent
			continue
		}
		if resp.Body.Close(); resp.StatusCode < 400 {
			t.Errorf("%s takes two megabytes: %d", path, resp.StatusCode)
		}
	}
	r := b.request(http.MethodGet, "/", nil, "X-Long", strings.Repeat("a", 64<<10))
	if resp, err := b.client.Do(r); err == nil {
		if resp.Body.Close(); resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("a long header: %d", resp.StatusCode)
		}
	}
	if a := b.get("/"); a.status != http.StatusOK {
		t.Errorf("%d", a.status)
	}
}

// The first view is small: the page, its style and its scripts, compressed.
func TestFirstViewIsSmall(t *testing.T) {
	w := newWorld(t, options{})
	b := w.signedIn(door.Person{})
	a := b.get("/", "Accept-Encoding", "gzip")
	if a.header.Get("Content-Encoding") != "gzip" {
		t.Fatal("it is not compressed")
	}
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	html, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	size := len(a.body)
	names, err := os.ReadDir("static")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names { // every script is loaded, the one by the other
		if n.IsDir() || !slices.Contains([]string{"js", "css", "svg", "json"}, n.Name()[strings.LastIndex(n.Name(), ".")+1:]) {
			continue
		}
		got := b.get("/static/"+n.Name(), "Accept-Encoding", "gzip")
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", n.Name(), got.status)
		}
		size += len(got.body)
	}
	if !bytes.Contains(html, []byte("</html>")) || size > 60_000 {
		t.Errorf("the first view takes %d bytes", size)
	}
	t.Logf("the first view takes %d bytes", size)
}

// The page speaks the language of the browser; each language has all words.
func TestLanguages(t *testing.T) {
	w := newWorld(t, options{})
	for accept, want := range map[string]string{"": "en", "de-AT,de;q=0.9": "de", "fr,ru;q=0.5": "ru", "zh-CN": "zh", "en;q=0.1,de;q=x": "en", "xx": "en"} {
		if got := match(w.newBrowser().get("/sign-in", "Accept-Language", accept).body, `<html lang="([a-z]+)"`); got != want {
			t.Errorf("%q gets %q", accept, got)
		}
	}
	known := map[string]bool{}
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		raw, err := os.ReadFile("words/" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for key, text := range phrases.File(raw).All() {
			known[key] = true
			if text == "" {
				t.Errorf("%s has no words in %s", key, lang)
			}
		}
	}
	if err := phrases.Check(os.DirFS(".")); err != nil {
		t.Error(err)
	}
	views, err := os.ReadDir("views")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		text, err := os.ReadFile("views/" + v.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\.Text "([^"]+)"`).FindAllSubmatch(text, -1) {
			if !known[string(m[1])] {
				t.Errorf("%s uses %s, which has no words", v.Name(), m[1])
			}
		}
	}
}

// The page shows the times of the household, also in what is kept of its stream.
func TestZone(t *testing.T) {
	w := newWorld(t, options{zone: func() *time.Location { return time.FixedZone("JST", 9*3600) }})
	b := w.signedIn(door.Person{})
	said, err := w.db.Append(t.Context(), store.Entry{Chat: "main", Body: event.Said{Text: "good evening"}})
	if err != nil {
		t.Fatal(err)
	}
	at := said[0].Time.In(time.FixedZone("JST", 9*3600)).Format("15:04")
	if shown := b.get("/?chat=main").body; !strings.Contains(shown, ">"+at+"</time>") {
		t.Errorf("it was said at %s in Tokyo, and the page shows\n%s", at, shown)
	}
}

// A refusal is in the language of the browser, and the sign-in says why somebody who is signed in is to sign in again.
func TestWordsOfRefusals(t *testing.T) {
	w := newWorld(t, options{translate: func(lang, _, text string) string { return lang + ": " + text }})
	b, german := w.signedIn(door.Person{}), []string{"Accept-Language", "de"}
	for _, a := range []answer{
		b.get("/nothing", german...), b.get("/map.svg", append(german, "X-Hob-Part", "answer")...),
		w.newBrowser().post("/sign-in/look", url.Values{"code": {"AAAA-AAAA"}}, german...),
	} {
		if !strings.Contains(a.body, "de: th") {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	const why = "sign in again, then press it once more"
	if a := b.get("/sign-in"); !strings.Contains(a.body, why) {
		t.Error("the sign-in does not say why it is there", a.body)
	}
	if a := w.newBrowser().get("/sign-in"); strings.Contains(a.body, why) {
		t.Error("the first sign-in asks for another one", a.body)
	}
}

// People read their own name and those of the household where a chat has a number.
func TestNamesOfChats(t *testing.T) {
	w := newWorld(t, options{})
	of := w.letIn("Ben", event.User)
	ben := w.signedIn(of)
	w.signedIn(w.letIn("Carla", event.User))
	home := string(of.Home())
	for _, c := range []struct {
		by         *browser
		chat, want string
	}{
		{ben, home, "Ben"},
		{ben, home + "/work", "work"},
		{ben, home + "/my work", "my-work"},
		{w.signedIn(door.Person{}), home, "Ben"},
		{w.signedIn(door.Person{}), home + "/work", "Ben/work"},
		{w.signedIn(door.Person{}), "page/105", "Carla"},
		{w.signedIn(door.Person{}), "page/1050", "page/1050"},
		{w.signedIn(door.Person{}), "kitchen plan", "kitchen-plan"},
	} {
		if a := c.by.get("/?chat=" + url.QueryEscape(c.chat)); !strings.Contains(a.body, "<title>"+c.want+" · hob</title>") || !strings.Contains(a.body, ": <strong>"+c.want+"</strong>") {
			t.Errorf("%s is not called %s: %d\n%.300s", c.chat, c.want, a.status, a.body)
		}
	}
}
