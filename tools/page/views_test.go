package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
)

// resize emulates a screen of a width, and a taste for light or dark.
func (b *tab) resize(width, height int64, scheme string) {
	b.h.t.Helper()
	b.do(chromedp.EmulateViewport(width, height), func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return chromedp.Void{}, err
	})
}

// picture takes a picture of what is seen.
func (b *tab) picture(file string) {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(file, png, 0o644)
	}
	if err != nil {
		b.fatalf("take a picture: %v", err)
	}
}

// axe looks for what somebody cannot use, by the rules of WCAG 2.2 A and AA.
func (b *tab) axe(what string) {
	b.h.t.Helper()
	source, err := os.ReadFile(filepath.Join(tools, "axe-core-4.14.1", "axe.min.js"))
	if err != nil {
		b.h.t.Fatal(err)
	}
	for _, v := range look[[]string](b, string(source)+`
		axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] })
			.then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + ": " + n.target.join(" ") + ": " + n.failureSummary)))`) {
		b.h.t.Errorf("%s: %s", what, v)
	}
}

// strangers is a site of somebody else.
func strangers(t *testing.T) *httptest.Server {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "What a stranger wrote.") }))
	t.Cleanup(web.Close)
	return web
}

// furnish makes a house in which every view has something to show.
func furnish(t *testing.T) (*house, *tab) {
	t.Helper()
	web := strangers(t)
	m := newModel()
	m.site = web.URL
	h := newHouse(t, fmt.Sprintf("[fetch]\nallow = [%q]\n", strings.TrimPrefix(web.URL, "http://")), m.steps())
	b := h.signIn()
	b.asked("write shopping.txt milk, eggs and a pear loaf", "It is done.")
	b.asked("say Here is what I know of **bread**:\n\n| flour | water |\n|---|---|\n| 500 g | 350 g |\n\n1. Mix them.\n2. Wait.\n\n```\nbake 40m\n```\n\nSee [the recipe](https://example.org/bread).", "recipe")
	b.asked("peruse shopping.txt", "It is done.")
	b.say("wander /prices?list=milk")
	b.shows(".item.question", "prices")
	b.play("tale")
	b.remember()
	return h, b
}

// remember has hob know something, and remind of something, both said in another chat.
func (b *tab) remember() {
	b.h.t.Helper()
	kitchen := b.h.newTab(b)
	kitchen.open(b.h.url("/?chat=kitchen"))
	kitchen.live()
	kitchen.asked(`/remember "I like my tea without milk"`, "tea")
	kitchen.asked(`/remind "tomorrow at 8 call Ana"`, "Ana")
	kitchen.asked(`/remind "every Monday at 7 take the bins out"`, "bins")
}

// play begins a story in a chat, and makes a step in it.
func (b *tab) play(chat string) {
	b.h.t.Helper()
	tale := b.h.newTab(b)
	tale.open(b.h.url("/?chat=" + chat))
	tale.live()
	tale.say("/game new cosy")
	tale.until(`document.querySelector("#map")?.naturalWidth > 0`)
	tale.asked("go to Oda's Orchard", "Orchard")
}

// Every view is for everybody: axe finds nothing, nothing is wider than the screen, in light and in dark, at 320 px, on a phone and on a desk.
func TestViews(t *testing.T) {
	notShort(t)
	h, b := furnish(t)
	folder := os.Getenv("HOB_PICTURES")
	for _, v := range []struct{ name, path string }{
		{"chat", "/"}, {"tools", "/tools"}, {"story", "/?chat=tale"}, {"story-alone", "/story?chat=tale"}, {"house", "/house"},
		{"devices", "/devices"}, {"search", "/search?q=bread"}, {"sign-in", "/sign-in"}, {"nothing", "/?chat=new"}, {"no-story", "/story"},
	} {
		for _, width := range []int64{320, 360, 768, 1280} {
			for _, scheme := range []string{"light", "dark"} {
				what := fmt.Sprintf("%s-%d-%s", v.name, width, scheme)
				b.resize(width, 800, scheme)
				b.open(h.url(v.path))
				b.until(`document.documentElement.dataset.live && [...document.images].every((i) => i.complete || i.loading === "lazy")`)
				if wide := look[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
					t.Errorf("%s is %d px wider than the screen", what, wide)
				}
				b.axe(what)
				if folder != "" {
					b.picture(filepath.Join(folder, what+".png"))
				}
			}
		}
	}
	b.clean()
}

// The pictures of docs/page.md, of each view at two widths, in light and in dark: -update takes them anew.
func TestPictures(t *testing.T) {
	if !*update {
		t.Skip("-update takes the pictures anew")
	}
	const write, read, ask = "Put milk, eggs and pears on shopping.txt", "What is on my list?", "What do pears cost this week?"
	h := newHouse(t, "", ollamafake.Forever(ollamafake.Choose(func(r ollamafake.Request) ollamafake.Step {
		last := r.Messages[len(r.Messages)-1]
		words := strings.TrimSpace(llm.Words(last.Content))
		switch {
		case last.Role == "tool" && strings.Contains(last.Content, "pears") && last.ToolName == "read_file":
			return ollamafake.Say("Three things:\n\n- milk\n- eggs\n- pears")
		case last.Role == "tool":
			return ollamafake.Say("The list is in **shopping.txt** now.")
		case words == write:
			return ollamafake.CallTool("write_file", map[string]string{"path": "shopping.txt", "content": "milk\neggs\npears\n"})
		case words == read:
			return ollamafake.CallTool("read_file", map[string]string{"path": "shopping.txt"})
		}
		return ollamafake.CallTool("fetch", map[string]string{"url": "https://market.example.org/prices?for=pears"})
	})))
	folder := filepath.Join("..", "..", "docs", "pictures")
	b := h.signIn()
	b.asked(write, "shopping.txt")
	b.asked(read, "Three things")
	b.say(ask)
	b.shows(".item.question", "market.example.org")
	b.play("tale")
	b.remember()
	for _, p := range []struct {
		name, path    string
		width, height int64
		scheme        string
	}{
		{"page-chat", "/", 1280, 800, "light"}, {"page-chat-phone", "/", 360, 740, "dark"},
		{"page-tools", "/tools", 1280, 800, "dark"}, {"page-tools-phone", "/tools", 360, 740, "light"},
		{"page-story", "/?chat=tale", 1280, 800, "dark"}, {"page-story-phone", "/?chat=tale", 360, 740, "light"},
		{"page-house", "/house", 1280, 800, "light"}, {"page-house-phone", "/house", 360, 740, "dark"},
	} {
		b.resize(p.width, p.height, p.scheme)
		b.open(h.url(p.path))
		b.until(`document.documentElement.dataset.live && [...document.images].every((i) => i.complete || i.loading === "lazy")`)
		b.picture(filepath.Join(folder, p.name+".png"))
	}
}
