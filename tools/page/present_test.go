package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reload loads the view anew.
func (b *tab) reload() {
	b.h.t.Helper()
	b.do(chromedp.Reload())
	b.live()
}

// What was taken back is seen after a reload, too, and its button is gone: what can be pressed then makes it again.
func TestUndoIsSeenAfterAReload(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	path := filepath.Join(h.state, "workspace", "shopping.txt")
	b.asked("write shopping.txt milk", "It is done.")
	const undo, redo = `#transcript .receipt button[value^="undo of"]`, `#transcript .receipt button[value^="undo #"]`
	b.press(undo)
	b.shows("#answer", "shopping.txt")
	for range 2 {
		b.lacks(undo)
		b.shows("#transcript .receipt", "Taken back")
		b.reload()
	}
	b.axe("taken back")
	b.press(redo)
	b.lacks(redo)
	b.until(fmt.Sprintf(`document.querySelector(%s) && !document.querySelector("#transcript .receipt").textContent.includes("Taken back")`, quote(undo)))
	if _, err := os.Stat(path); err != nil {
		t.Error("the file was not made again")
	}

	// Typed, and in another chat, it is the same.
	b.asked("undo", "Taken back")
	b.lacks(undo)
	other := h.newTab(b)
	other.open(h.url("/?chat=kitchen"))
	other.live()
	other.asked("write eggs.txt two", "It is done.")
	b.say("/undo #" + look[string](other, `document.querySelector("#transcript .receipt").textContent.match(/#(\d+)/)[1]`))
	other.lacks(undo)

	b.asked("pair first.txt second.txt", "It is done.")
	b.press(`.item:last-of-type .receipt button[aria-label^="Undo #"]`)
	b.shows("#transcript .receipt", "Taken back: #")
	b.asked("remind me tomorrow at 9pm to call Ana", "call Ana")
	look[bool](b, `[...document.querySelectorAll(".pick button")].find((one) => one.textContent === "Undo").click() ?? true`)
	for range 2 {
		b.until(`![...document.querySelectorAll(".pick button")].some((one) => one.textContent === "Undo")`)
		b.shows("#transcript .item.reply:last-of-type, #transcript .item.reply", "Taken back")
		b.reload()
	}
	b.clean()
}

// A list that hob shows is ticked where it stands, by a press or a key: that is the command that somebody could type, and can be taken back.
func TestAListIsTicked(t *testing.T) {
	h := newHouse(t, "")
	b := h.signIn()
	b.resize(380, 800, "light")
	b.asked(`/list_add shopping ["oat milk, 2 l","eggs","bread"]`, "oat milk")
	b.asked("show the shopping list", "3 open")
	const boxes = `[...document.querySelectorAll("#transcript [role=checkbox]")]`
	list := func() string {
		text, err := os.ReadFile(filepath.Join(h.state, "workspace", "lists", "shopping.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	ticked := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`%s.map((one) => one.ariaChecked + " " + one.textContent.trim()).join("; ") === %s`, boxes, quote(want)))
	}
	ticked("false oat milk, 2 l; false eggs; false bread")
	b.axe("a list")
	b.press("#transcript [role=checkbox]")
	ticked("true oat milk, 2 l; false eggs; false bread")
	b.tabTo(`.tick:nth-of-type(2) [role=checkbox]`)
	b.keys(" ")
	ticked("true oat milk, 2 l; true eggs; false bread")
	b.until(`document.activeElement.textContent.trim() === "eggs"`) // where they are they stay
	b.keys(kb.Enter)
	ticked("true oat milk, 2 l; false eggs; false bread")
	if got := list(); !strings.Contains(got, "[x] oat milk, 2 l") || !strings.Contains(got, "[ ] eggs") {
		t.Errorf("the list is\n%s", got)
	}
	if folder := os.Getenv("HOB_PICTURES"); folder != "" {
		b.picture(filepath.Join(folder, "ticked.png"))
	}
	b.reload()
	ticked("true oat milk, 2 l; false eggs; false bread")
	b.shows("#transcript .receipt button", "Undo")
	b.say("/undo")
	ticked("true oat milk, 2 l; true eggs; false bread")
	b.clean()

	// Where the tool is off nobody can tick anything.
	h.hob("tool", "disable", "list_tick")
	b.reload()
	b.lacks("#transcript [role=checkbox]")
	b.shows("#transcript .reply", "[ ] bread")
}

// The buttons of a reminder that rang are gone once it is answered, and it says what was chosen, after a reload, too.
func TestAReminderIsAnswered(t *testing.T) {
	h := newHouse(t, "")
	b := h.signIn()
	b.asked("timer 1 second eggs", "eggs")
	b.shows("#transcript .note .pick button", "Done")
	b.press("#transcript .note .pick button")
	for range 2 {
		b.lacks("#transcript .note .pick")
		b.shows("#transcript .note .fate", "Done")
		b.reload()
	}
	b.axe("a reminder that is done")
	b.asked("timer 1 second soup", "soup")
	b.until(`[...document.querySelectorAll("#transcript .note .pick button")].some((one) => one.textContent === "+1 h")`)
	look[bool](b, `([...document.querySelectorAll("#transcript .note .pick button")].find((one) => one.textContent === "+1 h").click(), true)`)
	for range 2 {
		b.lacks("#transcript .note .pick")
		b.shows("#transcript .note .fate", "Again")
		b.reload()
	}
	b.clean()
}

// The list of chats is one touch away wherever somebody reads, also in a long story, whose map keeps its place below it.
func TestChatsAreAtHand(t *testing.T) {
	h := newHouse(t, "")
	b := h.signIn()
	for _, c := range []struct {
		what          string
		width, height int64
	}{{"phone", 380, 800}, {"desk", 1280, 800}} {
		b.resize(c.width, c.height, "light")
		b.open(h.url("/?chat=tale" + c.what))
		b.live()
		b.asked("/game new cosy", "Ember Supper")
		b.until(`document.querySelector("#map")?.naturalWidth > 0`)
		for range 2 {
			b.asked("look", "")
		}
		for _, at := range []string{"0", "document.documentElement.scrollHeight / 2", "1e6"} {
			b.until(`(scrollTo(0, ` + at + `), (() => {
				const r = document.querySelector("#chats-panel summary").getBoundingClientRect();
				return document.elementFromPoint(r.x + 20, r.y + r.height / 2)?.closest("#chats-panel summary");
			})())`)
			if !look[bool](b, `(() => { const chats = document.querySelector("#chats-panel").getBoundingClientRect(), story = document.querySelector("#story-side").getBoundingClientRect();
				return chats.bottom <= story.top + 1 || story.bottom <= 0; })()`) {
				t.Errorf("%s, at %s: the list of chats covers the story", c.what, at)
			}
		}
		if folder := os.Getenv("HOB_PICTURES"); folder != "" {
			b.picture(filepath.Join(folder, "tale-"+c.what+".png"))
		}
		b.press("#chats-panel summary")
		b.shows("#chats-panel[open] .chats a", "main")
		b.press(`#chats-panel .chats a[href$="main"]`)
		b.until(`document.body.dataset.chat === "main"`)
	}
	b.clean()
}
