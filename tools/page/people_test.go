package page

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// notShort leaves a test to make page-test.
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make page-test has it")
	}
}

// Two people are each themselves: other chats, other rights; and who is signed out is out at once.
func TestTwoPeople(t *testing.T) {
	h := newHouse(t, "", newModel().steps())
	ada := h.signIn()
	ada.asked("say something of Ada's", "something of Ada's")

	ben := h.newTab(nil)
	ben.open(link.FindString(h.hob("page", "--for", "Ben")))
	ben.shows("#sign-in", "Ben")
	ben.press("#sign-in button")
	ben.live()
	if text := look[string](ben, `document.body.innerText`); strings.Contains(text, "something") {
		t.Errorf("Ben reads\n%s", text)
	}
	ben.asked("say hello from Ben", "hello from Ben")
	ben.open(h.url("/?chat=main"))
	ben.until(`document.body.dataset.view === "problem"`)
	ben.visit("tools")
	ben.shows(`[data-tool="fetch"] .switch button`, "ENABLED")
	if n := look[int](ben, `document.querySelectorAll(".switch [value^='tools']:not([value$=' here'])").length`); n != 0 {
		t.Errorf("Ben can switch %d tools for everybody", n)
	}
	ben.visit("chat")
	if text := look[string](ada, `document.querySelector("#transcript").innerText`); strings.Contains(text, "Ben") {
		t.Errorf("Ada reads in her own chat\n%s", text)
	}

	var all []struct{ ID, Person string }
	if err := json.Unmarshal([]byte(h.hob("page", "list", "--json")), &all); err != nil || len(all) != 2 {
		t.Fatalf("the browsers are %v, %v", all, err)
	}
	ben.clean("404") // a chat that is not his
	for _, one := range all {
		if one.Person == "Ben" {
			h.hob("page", "revoke", one.ID)
		}
	}
	ben.until(`location.pathname === "/sign-in"`)
	ada.asked("say still here", "still here")
	ada.clean()
	ben.clean("404", "401") // what he asks for in the moment he is signed out
}

// A passkey is made on a device where somebody is signed in, and signs in on it from then on.
func TestAPasskey(t *testing.T) {
	notShort(t)
	h := newHouse(t, "")
	b := h.signIn()
	b.usePasskey()
	b.clean()
}

// usePasskey makes a passkey, signs out, and signs in with it.
func (b *tab) usePasskey() {
	b.h.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		if _, err = cdp.Call(ctx, target, webauthn.Enable, webauthn.EnableParams{}); err == nil {
			_, err = cdp.Call(ctx, target, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
				HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
			}})
		}
		return none, err
	})
	b.visit("devices")
	b.press("#passkey-add")
	b.until(`document.querySelectorAll(".devices")[1].querySelector("form")`)
	b.press(`form[action="/sign-in/leave"] button`)
	b.until(`location.pathname === "/sign-in"`)
	b.press("#passkey-in")
	b.live()
}

// Files come by a drop, by paste and from the list of files; they can be left out again, and go with the words.
func TestFiles(t *testing.T) {
	notShort(t)
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	add := func(kind, name string) {
		t.Helper()
		look[bool](b, fmt.Sprintf(`(() => {
			const data = new DataTransfer();
			data.items.add(new File(["what is in %[2]s"], %[3]s, { type: "text/plain" }));
			const [to, event] = %[1]s === "drop"
				? [document.body, new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })]
				: [document.querySelector("#text"), new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })];
			return !to.dispatchEvent(event);
		})()`, quote(kind), name, quote(name)))
	}
	add("drop", "dropped.txt")
	add("paste", "pasted.txt")
	add("drop", `<img src=x onerror=pwned()>.txt`)
	b.until(`document.querySelectorAll("#files li").length === 3`)
	b.press(`#files li:last-child button`)
	b.until(`document.querySelectorAll("#files li").length === 2`)
	b.asked("say thank you", "thank you")
	b.until(`document.querySelector("#files").hidden`)
	b.shows(".item.said", "dropped.txt")
	found := map[string]string{}
	err := filepath.WalkDir(filepath.Join(h.state, "workspace"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			raw, _ := os.ReadFile(path)
			found[filepath.Base(path)] = string(raw)
		}
		return err
	})
	if err != nil || found["dropped.txt"] != "what is in dropped.txt" || found["pasted.txt"] != "what is in pasted.txt" || len(found) != 2 {
		t.Errorf("the workspace has %q, %v", found, err)
	}
	b.clean()
}

// A story's map is moved and made larger by buttons, keys and a drag, and stays so when it is drawn anew.
func TestTheMapMoves(t *testing.T) {
	notShort(t)
	h := newHouse(t, "")
	b := h.signIn()
	b.resize(1280, 800, "light")
	b.asked("/game new cosy", "Ember Supper")
	b.until(`document.querySelector("#map")?.naturalWidth > 0`)
	transform := func() string { return look[string](b, `document.querySelector("#map").style.transform`) }
	b.until(`(() => { // the panel may come anew between the two halves of a press
		const isLarger = () => document.querySelector("#map").style.transform.includes("scale(1.4)");
		if (!isLarger()) document.querySelector('[data-map="in"]').click();
		return isLarger();
	})()`)
	before := transform()
	look[bool](b, `(document.querySelector(".map-frame").focus(), true)`)
	b.keys(kb.ArrowRight)
	b.until(fmt.Sprintf(`document.querySelector("#map").style.transform !== %s`, quote(before)))
	before = transform()
	x, y := b.at(".map-frame")
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+30, y+20, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x+30, y+20, chromedp.ButtonLeft))
	b.until(fmt.Sprintf(`document.querySelector("#map").style.transform !== %s`, quote(before)))
	moved, src := transform(), look[string](b, `document.querySelector("#map").src`)
	b.press(".choices button")
	b.until(fmt.Sprintf(`document.querySelector("#map").src !== %s`, quote(src)))
	b.until(fmt.Sprintf(`document.querySelector("#map").style.transform === %s`, quote(moved)))
	b.press(`[data-map="whole"]`)
	b.until(`document.querySelector("#map").style.transform === "translate(0px, 0px) scale(1)"`)
	b.clean()
}

// Everybody can do everything by the keyboard alone: send, choose a command, answer a question, take back, switch a tool.
func TestByKeyboardAlone(t *testing.T) {
	notShort(t)
	web := strangers(t)
	m := newModel()
	m.site = web.URL
	h := newHouse(t, fmt.Sprintf("[fetch]\nallow = [%q]\n", strings.TrimPrefix(web.URL, "http://")), m.steps())
	b := h.newTab(nil)
	b.open(link.FindString(h.hob("page")))
	b.until(`document.querySelector("#sign-in")`)
	b.tabTo("#sign-in button")
	b.keys(kb.Enter)
	b.live()
	b.keys(kb.Tab) // the first stop is the way past the pages
	b.until(`document.activeElement.matches(".skip")`)
	b.keys(kb.Enter)
	b.until(`location.hash === "#main"`)

	b.tabTo("#text")
	b.keys("write shopping.txt milk" + kb.Enter)
	b.until(`document.querySelector(".receipt button") && document.body.dataset.running === "false"`)
	b.keys("peruse shopping.txt" + kb.Enter)
	b.until(`document.querySelectorAll("#transcript .reply").length === 2 && document.body.dataset.running === "false"`)
	b.keys("wander /page?n=1" + kb.Enter)
	b.until(`document.querySelector(".decide button")`)
	b.tabTo(`.decide button[value="no"]`)
	b.keys(kb.Enter)
	b.until(`document.querySelector(".decided") && document.body.dataset.running === "false"`)
	b.tabTo(".receipt button")
	b.keys(" ")
	b.shows("#answer", "shopping.txt")

	b.tabTo("#text")
	b.keys("/")
	b.shows("#completions:not([hidden]) li", "/undo")
	look[bool](b, `(() => { // hob's answers wait
		const { fetch } = globalThis, gate = Promise.withResolvers();
		globalThis.release = () => gate.resolve(true);
		globalThis.fetch = async (...args) => { const answer = await fetch(...args); return gate.promise.then(() => answer); };
		return true;
	})()`)
	b.keys("sta")
	b.until(`[...document.querySelectorAll("#completions li")].every((l) => l.textContent.startsWith("/sta"))`)
	b.keys(kb.ArrowDown)
	const chosen = `document.querySelector("#" + document.querySelector("#text").getAttribute("aria-activedescendant")).textContent === "/status"`
	b.until(chosen)
	look[bool](b, `(document.querySelectorAll("#completions li").forEach((l) => l.dataset.old = "yes"), release(), true)`)
	b.until(`!document.querySelector("#completions li[data-old]") && ` + chosen) // the answer leaves what is chosen
	b.keys(kb.Enter)
	b.until(`document.querySelector("#text").value.trim() === "/status" && document.querySelector("#completions").hidden`)
	b.keys(kb.Enter)
	b.shows("#answer", "qwen3.5")

	b.tabTo(`header a[href^="/tools"]`)
	b.keys(kb.Enter)
	b.live("tools")
	b.tabTo(`[data-tool="fetch"] .switch button`)
	b.keys(" ")
	b.shows(`[data-tool="fetch"] .switch button`, "DISABLED")
	b.until(`document.activeElement.matches('[data-tool="fetch"] .switch button')`) // where they are they stay
	b.clean()
}

// In the house reminders and facts are changed where they stand, by the keyboard, too.
func TestTheHouse(t *testing.T) {
	notShort(t)
	h := newHouse(t, "")
	b := h.signIn()
	b.remember()
	b.visit("house")
	b.shows("#house-reminders", "call Ana")
	b.press(`[data-reminder="1"] .edit summary`)
	b.write(`[data-reminder="1"] [name=more]`, "in two years at 9:15")
	b.press(`[data-reminder="1"] .edit button`)
	b.shows(`[data-reminder="1"] > p`, "09:15")
	b.tabTo(`[data-reminder="2"] .row > form:first-child button`)
	b.keys(kb.Enter)
	b.shows("#answer", "bins")
	b.press(`[data-reminder="1"] .row > form:nth-child(3) button`) // cancel
	b.lacks(`[data-reminder="1"]`)
	b.shows("#house-memory", "tea without milk")
	b.press(`[data-fact] button`)
	b.lacks("[data-fact]")
	b.shows("#answer", "tea without milk")
	b.clean()
}

// tabTo presses Tab until an element has the focus, which is seen.
func (b *tab) tabTo(selector string) {
	b.h.t.Helper()
	for range 300 {
		b.keys(kb.Tab)
		if look[bool](b, fmt.Sprintf(`document.activeElement.matches(%s)`, quote(selector))) {
			if !look[bool](b, `getComputedStyle(document.activeElement).outlineStyle !== "none"`) {
				b.h.t.Errorf("nothing shows that %s has the focus", selector)
			}
			return
		}
	}
	b.fatalf("no Tab leads to %s", selector)
}

// What models, strangers, files and people write is text, whatever it looks like.
func TestScriptsInText(t *testing.T) {
	notShort(t)
	const script = `<script>globalThis.pwned=1</script><img src=x onerror="globalThis.pwned=1"><a href="javascript:globalThis.pwned=1">x</a> [y](javascript:globalThis.pwned=1) ![z](https://example.org/z.png)`
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.asked("say "+script, "onerror")
	b.asked("write <img_onerror=pwned()>.txt "+script, "done")
	b.asked("peruse <img_onerror=pwned()>.txt", "done")
	for _, view := range []string{"chat", "tools", "house", "search"} {
		b.open(h.url("/" + strings.TrimPrefix(view, "chat") + "?q=onerror"))
		b.live(view)
		if bad := b.active(); bad != "" {
			t.Errorf("%s has %s", view, bad)
		}
	}
	b.visit("chat")
	for _, link := range look[[]string](b, `[...document.querySelectorAll("#transcript a[href^=http]")].map((a) => a.outerHTML)`) {
		if !strings.Contains(link, "noopener") || !strings.Contains(link, "noreferrer") {
			t.Errorf("a link says where it comes from: %s", link)
		}
	}
	look[bool](b, `(document.querySelectorAll("#transcript a").forEach((a) => a.click()), true)`)
	if look[bool](b, `globalThis.pwned !== undefined`) {
		t.Error("a script ran")
	}
	b.clean()
}

// When hob is away, what was written stays, and the page goes on when hob is back.
func TestHobIsAway(t *testing.T) {
	notShort(t)
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.asked("say one", "one")
	h.stop()
	b.until(`document.querySelector("#lost").checkVisibility()`) // before somebody writes
	b.say("say two")
	b.shows("#toast", "hob does not answer")
	if got := look[string](b, `document.querySelector("#text").value`); got != "say two" {
		t.Errorf("the field has %q", got)
	}
	h.serve()
	b.until(`!document.querySelector("#lost").checkVisibility() && document.querySelector("#toast").textContent === ""`)
	b.until(`(document.querySelector("#composer").requestSubmit(), document.querySelector("#text").value === "")`)
	b.until(`[...document.querySelectorAll("#transcript .item.reply")].at(-1).textContent.includes("two") && document.body.dataset.running === "false"`)
	if n := look[int](b, `document.querySelectorAll("#transcript .item.said").length`); n != 2 {
		t.Errorf("what was said stands there %d times", n)
	}
}

// Without scripts people read and send as well.
func TestWithoutScripts(t *testing.T) {
	notShort(t)
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return none, err
	})
	b.open(h.url("/"))
	b.do(chromedp.SendKeys(chromedp.CSS("#text"), "say it works"), chromedp.Click(chromedp.CSS("#composer button.main")))
	b.do(chromedp.WaitVisible(chromedp.CSS("#transcript .item.said")))
	h.until("the page shows the reply", func() bool {
		b.open(h.url("/"))
		ctx, cancel := waiting(b.ctx)
		defer cancel()
		text, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("#transcript")))
		return err == nil && strings.Contains(text, "it works\n") && strings.Contains(text, "hob ")
	})
}

// The words of the page are there in each of its languages.
func TestLanguages(t *testing.T) {
	notShort(t)
	h := newHouse(t, "")
	b := h.signIn()
	folder := os.Getenv("HOB_PICTURES")
	seen := map[string]bool{}
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
			_, err = cdp.Call(ctx, target, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": lang}})
			return none, err
		})
		for _, view := range []string{"chat", "tools", "devices", "house"} {
			b.resize(360, 800, "light")
			b.visit(view)
			if got := look[string](b, `document.documentElement.lang`); got != lang {
				t.Errorf("%s is in %q, want %q", view, got, lang)
			}
			if wide := look[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
				t.Errorf("%s in %s is %d px wider than the screen", view, lang, wide)
			}
			if folder != "" {
				b.picture(filepath.Join(folder, view+"-"+lang+".png"))
			}
		}
		seen[look[string](b, `document.querySelector("header").innerText`)] = true
	}
	if len(seen) != 4 {
		t.Errorf("the pages are called %v", seen)
	}
	b.clean()
}

// While nobody looks at the page it notifies of replies, questions and reminders, once leave was given, and of nothing else.
func TestNotifications(t *testing.T) {
	notShort(t)
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	look[bool](b, `(() => {
		globalThis.told = [];
		globalThis.Notification = class { constructor(title, { body, tag }) { told.push([title, body, tag]); } addEventListener() {} };
		Notification.permission = "granted";
		return true;
	})()`)
	b.asked("say seen", "seen")
	look[bool](b, `(Object.defineProperty(document, "hidden", { get: () => true }), true)`)
	b.asked("say unseen", "unseen")
	b.asked("timer 1 second eggs", "eggs")
	b.shows("#transcript .item.note[data-loud]", "eggs")
	b.until(`globalThis.told.length >= 3`)
	got := look[[][]string](b, `globalThis.told`)
	if len(got) != 3 || got[0][0] != "hob" || got[0][1] != "unseen" || !strings.Contains(got[2][1], "eggs") {
		t.Errorf("it told %q", got)
	}
	beside := h.newTab(b)
	beside.visit("house")
	b.asked("timer 1 second soup", "soup")
	beside.shows("#toast", "soup")
}

// Words that are read from the right stand on the right, and so does the whole page where its language wants that.
func TestFromTheRight(t *testing.T) {
	notShort(t)
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.resize(360, 800, "light")
	b.asked("say مرحبا بالعالم", "مرحبا")
	if got := look[string](b, `getComputedStyle(document.querySelector(".item.reply .md")).direction`); got != "rtl" {
		t.Errorf("Arabic words run %s", got)
	}
	look[bool](b, `(document.documentElement.dir = "rtl", true)`)
	if wide := look[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("from the right the page is %d px wider than the screen", wide)
	}
	if !look[bool](b, `(() => {
		const said = document.querySelector(".item.said").getBoundingClientRect(), reply = document.querySelector(".item.reply").getBoundingClientRect();
		return said.left === reply.left && said.right < reply.right;
	})()`) {
		t.Error("what was said does not stand on the other side")
	}
	if folder := os.Getenv("HOB_PICTURES"); folder != "" {
		b.picture(filepath.Join(folder, "right.png"))
	}
}
