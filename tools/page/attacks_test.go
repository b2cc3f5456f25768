package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The names of a story, which a model may have chosen, are text: in the words, the sheet, the choices and the map.
func TestScriptsInAStory(t *testing.T) {
	notShort(t)
	const bad = `<img src=x onerror=globalThis.pwned=1><script>globalThis.pwned=1</script>`
	h := newHouse(t, "")
	h.hob("game", "new", "trap", "--free", "--title", bad+"title", "--hero", bad+"hero", "--theme", bad+"theme")
	h.hob("game", "do", "create_object", "-c", "trap", fmt.Sprintf(`{"name":%s,"connection_id":"pc_001"}`, quote(bad+"thing")))
	b := h.signIn()
	b.asked("/game open trap", "")
	b.until(`document.querySelector("#map")?.naturalWidth > 0`)
	for _, path := range []string{"/", "/story", "/house"} {
		b.open(h.url(path))
		b.until(`document.documentElement.dataset.live && [...document.images].every((i) => i.complete || i.loading === "lazy")`)
		if path != "/house" {
			b.shows("#story-panel", "onerror")
		}
		if bad := b.active(); bad != "" {
			t.Errorf("%s has %s", path, bad)
		}
	}
	b.open(look[string](b, `(async () => { const page = await (await fetch("/story")).text(); return page.match(/\/map\.svg[^"]*/)[0].replaceAll("&amp;", "&"); })()`+
		`.then((path) => location.origin + path)`))
	b.until(`document.documentElement.localName === "svg" || document.contentType === "image/svg+xml"`)
	if look[bool](b, `globalThis.pwned !== undefined || !!document.querySelector("script, img, foreignObject, [onerror], [onload]")`) {
		t.Error("the map has a script")
	}
}

// active returns what could do something in the page and is not hob's.
func (b *tab) active() string {
	b.h.t.Helper()
	return look[string](b, `[...document.querySelectorAll("script:not([src]), img:not(#map):not(.files img), [onerror], [onload], [href^='javascript:'], iframe, object, embed")]`+
		`.map((e) => e.outerHTML).concat(globalThis.pwned === undefined ? [] : ["a script ran"]).join("\n")`)
}

// Another page that somebody has open in the same browser, on another site or on another port of this machine, whose requests have the
// cookie, reads nothing of hob's page, does nothing in it and shows it in no frame. A link leads to it.
func TestAnotherPage(t *testing.T) {
	notShort(t)
	h := newHouse(t, "", newModel().steps())
	b := h.signIn()
	b.asked("say of the house", "of the house")
	csrf := look[string](b, `document.querySelector("meta[name=csrf]").content`) // even if it leaks
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>evil</title><a href="%[1]s/">go</a>
<iframe id="whole" src="%[1]s/"></iframe><iframe id="map" src="%[1]s/map.svg?chat=main"></iframe><iframe name="sink"></iframe>
<form method="post" action="%[1]s/say" target="sink"><input name="csrf" value="%[2]s"><input name="chat" value="main"><input name="text" value="pwned by a form"></form>
<form method="post" action="%[1]s/command" target="sink" enctype="text/plain"><input name="csrf=%[2]s&chat=main&line" value="tools disable fetch"></form>`, h.origin, csrf)
	}))
	t.Cleanup(evil.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(evil.URL, "http://"), ":")
	for _, site := range []string{evil.URL, "http://localhost:" + port} {
		e := h.newTab(b)
		e.open(site)
		e.until(`document.title === "evil" && document.readyState === "complete"`)
		got := look[[]string](e, fmt.Sprintf(`(async () => {
			const page = %s, csrf = %s, got = [];
			const body = () => new URLSearchParams({ csrf, chat: "main", text: "pwned by a request" });
			for (const [what, path, how] of [
				["reads the chat", "/", {}], ["reads a command", "/complete?line=/", {}], ["reads the stream", "/events?chat=main", {}],
				["says something", "/say", { method: "POST", body: body() }], ["stops", "/stop", { method: "POST", body: body() }],
			]) {
				try { got.push(what + ": " + (await (await fetch(page + path, { ...how, credentials: "include" })).text()).slice(0, 50)); } catch {}
				try { await fetch(page + path, { ...how, credentials: "include", mode: "no-cors", headers: {} }); } catch {}
			}
			navigator.sendBeacon(page + "/say", body());
			await new Promise((over) => {
				const s = new EventSource(page + "/events?chat=main", { withCredentials: true });
				s.onopen = () => { got.push("opens the stream"); over(); };
				s.onerror = over;
			});
			const tried = (tag, path, what) => new Promise((over) => {
				const made = document.createElement(tag);
				made.onload = () => { got.push(what); over(); };
				made.onerror = over;
				made.src = page + path;
				document.body.append(made);
			});
			await tried("script", "/complete?line=/", "runs what it reads");
			await tried("img", "/map.svg?chat=main", "shows a map");
			for (const form of document.forms) {
				await new Promise((over) => { document.querySelector("[name=sink]").onload = over; form.submit(); });
			}
			try { got.push("reads a frame: " + document.querySelector("#whole").contentDocument.body.innerText); } catch {}
			return got;
		})()`, quote(h.origin), quote(csrf)))
		if len(got) > 0 {
			t.Errorf("%s %q", site, got)
		}
		for _, frame := range e.frames() {
			if frame.UnreachableURL == "" && strings.HasPrefix(frame.URL, h.origin) {
				t.Errorf("%s has the frame %s", site, frame.URL)
			}
		}
		b.asked("say still of the house", "still of the house")
		if said := look[string](b, `document.querySelector("#transcript").innerText`); strings.Contains(said, "pwned") {
			t.Errorf("%s has said\n%s", site, said)
		}
		e.press("a")
		e.live()
		e.shows("#transcript .item.reply", "of the house")
	}
	b.visit("tools")
	b.shows(`[data-tool="fetch"] .switch button`, "ENABLED")
	if n := look[int](b, `document.querySelectorAll('[data-tool="fetch"] .switch button.off').length`); n > 0 {
		t.Error("another page has switched a tool")
	}
	b.clean()
}

// frames are the frames in the page.
func (b *tab) frames() (all []*cdp.Frame) {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	tree, err := chromedp.Run(ctx, func(ctx context.Context, target *chromedp.Target) (*cdppage.FrameTree, error) {
		r, err := cdp.Call(ctx, target, cdppage.GetFrameTree, cdp.Empty{})
		return r.FrameTree, err
	})
	if err != nil {
		b.fatalf("read the frames: %v", err)
	}
	for _, child := range tree.ChildFrames {
		all = append(all, child.Frame)
	}
	return all
}
