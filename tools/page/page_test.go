package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// link is the address in what `hob page` prints.
var link = regexp.MustCompile(`https?://\S+/sign-in#\S+`)

// signIn opens the page as the owner, by a link, in a browser of somebody new.
func (h *house) signIn() *tab {
	h.t.Helper()
	b := h.newTab(nil)
	b.open(link.FindString(h.hob("page")))
	b.press("#sign-in button")
	b.live()
	return b
}

// live waits until the scripts of the chat, or of another view, have begun.
func (b *tab) live(view ...string) {
	b.h.t.Helper()
	name := "chat"
	if len(view) > 0 {
		name = view[0]
	}
	b.until(fmt.Sprintf(`document.documentElement.dataset.live && document.body.dataset.view === %s`, quote(name)))
}

// visit opens a view, in the chat that the person begins with.
func (b *tab) visit(view string) {
	b.h.t.Helper()
	path := "/" + view
	if view == "chat" {
		path = "/"
	}
	b.open(b.h.url(path))
	b.live(view)
}

// say writes words and presses Enter.
func (b *tab) say(words string) {
	b.h.t.Helper()
	b.write("#text", words)
	b.keys(kb.Enter)
}

// asked says words, and waits for a new reply with a text.
func (b *tab) asked(words, reply string) {
	b.h.t.Helper()
	before := look[int](b, `document.querySelectorAll("#transcript .item.reply").length`)
	b.say(words)
	b.until(fmt.Sprintf(`document.querySelectorAll("#transcript .item.reply").length > %d && [...document.querySelectorAll("#transcript .item.reply")].at(-1).textContent.includes(%s)
		&& document.body.dataset.running === "false"`, before, quote(reply)))
}

// A code signs one browser in, once; the page shows who signs in where before anything is used up; a code can be typed, too.
func TestSignIn(t *testing.T) {
	h := newHouse(t, "")
	stranger := h.newTab(nil)
	stranger.open(h.url("/"))
	stranger.until(`location.pathname === "/sign-in"`)

	address := link.FindString(h.hob("page"))
	first, second := stranger, h.newTab(nil)  // the first has the page of the sign-in open already
	for _, b := range []*tab{first, second} { // looking uses nothing up
		b.open(address)
		b.shows("#sign-in", "Chrome")
		b.until(`!location.hash`)
	}
	first.press("#sign-in button")
	first.live()
	second.press("#sign-in button")
	second.shows("[role=alert]", "")
	second.lacks("#composer")

	code := regexp.MustCompile(`\b[A-Z0-9]{4}[- ]?[A-Z0-9]{4}\b`).FindString(h.hob("page"))
	second.open(h.url("/sign-in"))
	second.write("#code-field", code)
	second.press("#code button")
	second.press("#sign-in button")
	second.live()

	first.open(h.url("/devices"))
	first.until(`document.querySelectorAll('form[action="/devices/end"]').length === 2`)
	first.clean()
	second.clean("403")
}

// A chore: what is done is shown as it is done, what goes out is asked before, and what was written can be taken back.
func TestAChore(t *testing.T) {
	var fetched string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fetched = r.URL.String()
		fmt.Fprint(w, "What a stranger wrote.")
	}))
	t.Cleanup(web.Close)
	m := newModel()
	m.site = web.URL
	h := newHouse(t, fmt.Sprintf("[fetch]\nallow = [%q]\n", strings.TrimPrefix(web.URL, "http://")), m.steps())
	b := h.signIn()

	b.asked("write shopping.txt milk", "It is done.")
	b.shows(".item.call summary", "write_file")
	path := filepath.Join(h.state, "workspace", "shopping.txt")
	if text, err := os.ReadFile(path); err != nil || string(text) != "milk\n" {
		t.Fatalf("the file has %q, %v", text, err)
	}
	b.asked("peruse shopping.txt", "It is done.") // what is in the workspace is private

	b.say("wander /first?n=1")
	b.shows(".item.question", web.URL+"/first?n=1")
	b.until(`!document.getElementById("waits").hidden && document.getElementById("waits").textContent === "hob waits for an answer to its question above."`)
	b.press(`.decide button[value="no"]`)
	b.until(`document.querySelector(".item.question .decided") && document.body.dataset.running === "false"`)
	b.until(`document.getElementById("waits").hidden`)
	if fetched != "" {
		t.Errorf("it fetched %s after a no", fetched)
	}
	b.say("wander /second?n=2")
	b.press(`.decide button[value="yes"]`)
	b.until(`[...document.querySelectorAll("#transcript .item.reply")].at(-1).textContent.includes("It is done.") && document.body.dataset.running === "false"`)
	if fetched != "/second?n=2" {
		t.Errorf("it fetched %q after a yes", fetched)
	}
	b.say("wander /third?n=3")
	b.shows(".item.question", web.URL+"/third?n=3")
	b.say("yes") // typed, it is the answer
	b.until(`[...document.querySelectorAll("#transcript .item.reply")].filter((r) => r.textContent.includes("It is done.")).length === 4 && document.body.dataset.running === "false"`)
	if fetched != "/third?n=3" {
		t.Errorf("it fetched %q after a yes that was typed", fetched)
	}

	b.press(".receipt button")
	b.shows("#answer", "shopping.txt")
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is still there")
	}
	b.clean()
}

// Of several changes of a turn each can be taken back alone, and then what is left of them.
func TestUndoOfOneChange(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.asked("pair first.txt second.txt", "It is done.")
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(h.state, "workspace", name))
		return err == nil
	}
	b.press(`.receipt button[aria-label="Undo #1"]`)
	b.shows("#answer", "first.txt")
	if exists("first.txt") || !exists("second.txt") {
		t.Errorf("first.txt is there: %t, second.txt: %t", exists("first.txt"), exists("second.txt"))
	}
	b.press(".receipt button")
	b.shows("#answer", "second.txt")
	if exists("second.txt") {
		t.Error("second.txt is still there")
	}
	b.clean()
}

// A button below a reminder that is a command works, and its answer stands where it was given: what is said later comes below it.
func TestAReminderIsTakenBack(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.asked("remind me tomorrow at 9pm to call Ana", "call Ana")
	b.until(`[...document.querySelectorAll(".pick button")].find((one) => one.textContent === "Undo")`)
	look[bool](b, `[...document.querySelectorAll(".pick button")].find((one) => one.textContent === "Undo").click() ?? true`)
	b.shows("#answer", "call Ana")
	b.until(`document.getElementById("toast").textContent === ""`)
	b.asked("good evening", "Good evening.")
	b.until(`document.getElementById("answer").compareDocumentPosition([...document.querySelectorAll("#transcript .reply")].at(-1)) === Node.DOCUMENT_POSITION_FOLLOWING`)
	b.clean()
}

// A tool that is switched off is gone from the next request to the model, and comes back when it is switched on.
func TestAToolIsSwitchedOff(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	offered := func() bool {
		all := h.model.Requests()
		for _, tool := range all[len(all)-1].Tools {
			if tool.Name == "fetch" {
				return true
			}
		}
		return false
	}
	b := h.signIn()
	b.asked("good evening", "Good evening.")
	if !offered() {
		t.Fatal("fetch is not offered at first")
	}
	const button = `[data-tool="fetch"] .switch button`
	b.visit("tools")
	b.shows(button, "ENABLED")
	b.press(button)
	b.shows(button, "DISABLED")
	b.visit("chat")
	b.asked("good evening again", "Good evening.")
	if offered() {
		t.Error("fetch is offered though it is off")
	}
	b.visit("tools")
	b.press(button)
	b.shows(button, "ENABLED")
	b.visit("chat")
	b.asked("and now", "Good evening.")
	if !offered() {
		t.Error("fetch is not offered though it is on again")
	}

	const here = `[data-tool="fetch"] .switch:last-child button`
	b.visit("tools")
	b.press(here)
	b.shows(here, "DISABLED")
	b.shows(button, "ENABLED")
	b.visit("chat")
	b.asked("good night", "Good evening.")
	if offered() {
		t.Error("fetch is offered though it is off in this chat")
	}
	b.open(h.url("/?chat=kitchen"))
	b.live()
	b.asked("good morning", "Good evening.")
	if !offered() {
		t.Error("fetch is not offered in another chat")
	}
	b.resize(1440, 900, "light")
	if side := look[float64](b, `document.querySelector("#tools-side").offsetWidth / innerWidth`); side == 0 || side > 0.21 {
		t.Errorf("beside the chat the tools take %.2f of the window", side)
	}
	b.clean()
}

// A picture comes later than its message, and moves nobody away from the end of the chat.
func TestAPictureKeepsTheEnd(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	for n := range 3 {
		look[bool](b, `new Promise((yes) => {
			const canvas = Object.assign(document.createElement("canvas"), { width: 300, height: 400 });
			canvas.toBlob((blob) => {
				const chosen = new DataTransfer();
				chosen.items.add(new File([blob], "wall.png", { type: "image/png" }));
				const field = document.querySelector("#composer input[type=file]");
				field.files = chosen.files;
				field.dispatchEvent(new Event("change", { bubbles: true }));
				yes(true);
			});
		})`)
		b.asked("good evening", "Good evening.")
		b.until(fmt.Sprintf(`[...document.querySelectorAll("#transcript .files img")].filter((one) => one.complete && one.naturalHeight > 0).length === %d`, n+1))
	}
	b.until(`(() => { const root = document.documentElement; return root.scrollHeight > root.clientHeight && root.scrollHeight - root.scrollTop - root.clientHeight < 80; })()`)
	b.clean()
}

// A turn of a story: its words come into the chat, and the map follows.
func TestAStory(t *testing.T) {
	h := newHouse(t, "")
	b := h.signIn()
	b.say("/game new cosy")
	b.shows("#transcript .item.reply", "Ember Supper")
	b.until(`document.querySelector("#map")?.complete && document.querySelector("#map").naturalWidth > 0`)
	before := look[string](b, `document.querySelector("#map").src`)
	b.say("go to Oda's Orchard")
	b.until(fmt.Sprintf(`document.querySelector("#map").src !== %s && document.querySelector("#map").complete && document.querySelector("#map").naturalWidth > 0`, quote(before)))
	b.shows("#transcript .item.reply", "Orchard")

	b.say("map") // in letters, whose lines do not break
	b.until(`document.querySelector("#transcript .md pre") && getComputedStyle(document.querySelector("#transcript .md pre")).whiteSpace === "pre"`)
	b.say("/game close")
	b.until(`!document.querySelector("#map") && !document.querySelector("#story-panel h2")`)
	b.clean()
}

// A reply that is being written survives any reload: nothing of it is lost or doubled.
func TestReloads(t *testing.T) {
	m := newModel()
	h := newHouse(t, "", m.steps())
	t.Cleanup(m.end)
	b := h.signIn()
	b.say("recite")
	<-m.reciter
	const reloads = 50
	written := ""
	words := func() string {
		return `(document.querySelector("#draft:not([hidden])")?.textContent ?? "").replace(/\s+/g, " ").trim()`
	}
	for i := range reloads {
		piece := fmt.Sprintf("This is sentence %02d of the reply. ", i)
		if i%10 == 9 {
			piece += "\n\n" // paragraphs are settled
		}
		m.pieces <- piece
		written += piece
		want := strings.Join(strings.Fields(written), " ")
		b.until(fmt.Sprintf(`%s === %s`, words(), quote(want)))
		b.do(chromedp.Reload())
		b.until(fmt.Sprintf(`%s === %s`, words(), quote(want)))
	}
	close(m.pieces)
	b.until(`document.body.dataset.running === "false" && document.querySelector("#draft").hidden`)
	got := look[[]string](b, `[...document.querySelectorAll("#transcript .item.reply .md")].map((e) => e.textContent.replace(/\s+/g, " ").trim())`)
	if want := strings.Join(strings.Fields(written), " "); len(got) != 1 || got[0] != want {
		t.Errorf("the replies are %q, want one: %q", got, want)
	}
	if n := look[int](b, `document.querySelectorAll("#transcript .item.said").length`); n != 1 {
		t.Errorf("what was said stands there %d times", n)
	}
	b.clean()
}

// Who reads further up stays there when the reply that was being written is finished.
func TestTheEndOfAReplyMovesNobody(t *testing.T) {
	m := newModel()
	h := newHouse(t, "", m.steps())
	t.Cleanup(m.end)
	b := h.signIn()
	b.resize(360, 740, "light")
	b.say("recite")
	<-m.reciter
	b.shows("#waits:not([hidden])", "hob is at work") // before it has written a word
	for i := range 60 {
		m.pieces <- fmt.Sprintf("This is sentence %02d of a reply that is longer than the window.\n\n", i)
	}
	b.shows("#draft", "sentence 59")
	b.until(`(scrollTo(0, 600), document.documentElement.scrollTop === 600)`)
	close(m.pieces)
	b.until(`document.body.dataset.running === "false" && document.querySelector("#draft").hidden`)
	b.shows("#transcript .item.reply", "sentence 59")
	if at := look[float64](b, `document.documentElement.scrollTop`); at != 600 {
		t.Errorf("who reads at 600 px is moved to %.0f px", at)
	}
	b.asked("timer 10 hours", "10") // who says something sees what comes of it
	const atEnd = `document.documentElement.scrollHeight - document.documentElement.scrollTop - document.documentElement.clientHeight < 2`
	b.until(atEnd)
	b.until(`(scrollTo(0, 600), document.documentElement.scrollTop === 600)`)
	look[bool](b, `([...document.querySelectorAll("#transcript form.pick button")].find((e) => e.textContent === "Done").click(), true)`)
	b.until(`[...document.querySelectorAll("#transcript .item.reply")].at(-1).textContent.includes("Done") && ` + atEnd)
	b.clean()
}

// On a phone a table goes on beside the window rather than in pieces of words, what a tool does has the width of the list, and on its
// side a story leaves room for its words.
func TestNothingIsSqueezed(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.resize(360, 740, "light")
	b.asked("say | Name | Weight in kilograms | Colour of the packaging | Notes |\n|---|---|---|---|\n| Flour | 1 | white | the good one from the mill |", "Flour")
	if lines := look[float64](b, `(() => {
		const cell = document.querySelector("#transcript td"), range = document.createRange();
		range.selectNodeContents(cell);
		return range.getClientRects().length;
	})()`); lines != 1 {
		t.Errorf("a word of a table stands on %.0f lines", lines)
	}
	if wide := look[float64](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		t.Errorf("the page is %.0f px wider than the window", wide)
	}
	b.say("/game new cosy")
	b.until(`document.querySelector("#story-side img#map")?.naturalWidth > 0`)
	b.resize(740, 340, "light")
	b.until(`innerWidth === 740 && (scrollTo(0, 1e6), document.querySelector("#story-side").getBoundingClientRect().bottom <= 0)`)
	b.resize(360, 740, "light")
	b.visit("tools")
	b.press(`[data-tool="fetch"] summary`)
	if part := look[float64](b, `document.querySelector('[data-tool="fetch"] details').offsetWidth / document.querySelector("#tools-panel").offsetWidth`); part < 0.95 {
		t.Errorf("what a tool does has %.2f of the width", part)
	}
	b.clean()
}

// Who reads the end still does when the window gets narrower, as a phone is turned.
func TestTheEndStaysInANarrowerWindow(t *testing.T) {
	h := newHouse(t, "")
	b := h.signIn()
	b.resize(1280, 900, "light")
	for i := range 6 {
		b.asked(fmt.Sprintf("note %d %s", i, strings.Repeat("water the plants on the window sill ", 8)), "noted")
	}
	const atEnd = `document.documentElement.scrollHeight - document.documentElement.scrollTop - document.documentElement.clientHeight < 2`
	b.until(atEnd)
	b.resize(390, 844, "light")
	b.until(`innerWidth === 390 && ` + atEnd)
}

// Ten tabs of a browser show the same with one stream, and the stream goes on in another when its tab is closed.
func TestTenTabs(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	tabs := []*tab{h.signIn()}
	for range 9 {
		b := h.newTab(tabs[0])
		b.visit("chat")
		tabs = append(tabs, b)
	}
	tabs[9].asked("say one", "one")
	for _, b := range tabs {
		b.shows("#transcript .item.reply", "one")
	}
	count := func() (n int) {
		for _, b := range tabs {
			n += b.openStreams()
		}
		return n
	}
	h.until("there is one stream", func() bool { return count() == 1 })
	tabs[0].open("about:blank")
	tabs[5].asked("say two", "two")
	for _, b := range tabs[1:] {
		b.shows("#transcript .item.reply", "two")
		b.clean()
	}
	h.until("there is one stream again", func() bool { return count() == 1 })
}
