package page

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var (
	update = flag.Bool("update", false, "accept what the tests find")
	// Machines that run tests stand still for a minute now and then.
	patience = flag.Duration("patience", 3*time.Minute, "how long a test waits for what must happen")
)

var (
	program string          // hob, as this tree has it
	tools   string          // the folder of the tools
	browser context.Context // one browser for all tests; each person has a profile of their own
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	out, err := exec.Command("./get", "-dir").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the folder of the tools:", err)
		return 1
	}
	tools = strings.TrimSpace(string(out))
	chromium := filepath.Join(tools, "chromium", "run")
	if _, err := os.Stat(chromium); err != nil {
		return m.Run() // which skips them all: see needsBrowser
	}
	bin, err := os.MkdirTemp("", "page")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	program = filepath.Join(bin, "hob")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/hob")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build hob: %v\n%s", err, out)
		return 1
	}
	var stop context.CancelFunc
	if browser, stop, err = startBrowser(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	return m.Run()
}

// startBrowser starts Chromium. It cannot wall itself in as root, nor in some containers, and sees nothing here but hob's page.
func startBrowser(more ...chromedp.ExecAllocatorOption) (context.Context, context.CancelFunc, error) {
	allocator, end := chromedp.NewExecAllocator(context.Background(), append(append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(filepath.Join(tools, "chromium", "run")), chromedp.NoSandbox, chromedp.Flag("lang", "en")), more...)...)
	ctx, stop := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, fmt.Errorf("start Chromium: %w", err)
	}
	return ctx, func() { stop(); end() }, nil
}

// needsBrowser skips a test where there is no Chromium. In CI nobody would see that, so there it fails, but for make test.
func needsBrowser(t *testing.T) {
	t.Helper()
	if browser != nil {
		return
	}
	const why = "SKIPPED: there is no Chromium to test the page with: make test-tools fetches it"
	if os.Getenv("CI") != "" && !testing.Short() {
		t.Fatal(why)
	}
	t.Skip(why)
}

// tab is an open page.
type tab struct {
	h   *house
	ctx context.Context

	mu       sync.Mutex
	problems []string                   // what the console and the walls complained of
	streams  map[network.RequestID]bool // the open ones
}

// newTab opens an empty tab in a browser of somebody new, or of whom it is.
func (h *house) newTab(of *tab) *tab {
	h.t.Helper()
	if of != nil {
		return h.newTabIn(of.ctx)
	}
	return h.newTabIn(browser, chromedp.WithNewBrowserContext())
}

func (h *house) newTabIn(parent context.Context, opts ...chromedp.ContextOption) *tab {
	h.t.Helper()
	ctx, cancel := chromedp.NewContext(parent, opts...)
	h.t.Cleanup(cancel)
	b := &tab{h: h, ctx: ctx, streams: map[network.RequestID]bool{}}
	err := chromedp.Do(ctx)
	if err == nil {
		err = chromedp.Listen(ctx, b.listen)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// listen collects what the console and the walls complain of, and counts streams.
func (b *tab) listen(ev any) {
	var problem string
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		if strings.Contains(e.Request.URL, "/events?") {
			b.setStream(e.RequestID, true)
		}
	case *cdppage.EventFrameNavigated:
		b.mu.Lock()
		clear(b.streams) // they end with their document
		b.mu.Unlock()
	case *network.EventLoadingFinished:
		b.setStream(e.RequestID, false)
	case *network.EventLoadingFailed:
		b.setStream(e.RequestID, false)
	case *runtime.EventExceptionThrown:
		problem = e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			problem += " " + x.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			for _, a := range e.Args {
				problem += " " + string(a.Value) + a.Description
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			problem = e.Entry.Text + " " + e.Entry.URL
		}
	}
	if problem != "" {
		b.mu.Lock()
		b.problems = append(b.problems, problem)
		b.mu.Unlock()
	}
}

func (b *tab) setStream(id network.RequestID, open bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if open {
		b.streams[id] = true
	} else {
		delete(b.streams, id)
	}
}

// openStreams is how many streams of events the tab has.
func (b *tab) openStreams() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.streams)
}

// clean fails the test if the page complained of something that none of the words allows.
func (b *tab) clean(allowed ...string) {
	b.h.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		if !slices.ContainsFunc(allowed, func(a string) bool { return strings.Contains(p, a) }) {
			b.h.t.Errorf("the page complains: %s", p)
		}
	}
}

// do runs steps in the browser.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.fatalf("%v", err)
	}
}

// open goes to an address, again where the page before it was on its way to another one.
func (b *tab) open(url string) {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	for {
		err := chromedp.Do(ctx, chromedp.Navigate(url))
		if err == nil {
			return
		}
		if ctx.Err() != nil || !strings.Contains(err.Error(), "net::ERR_ABORTED") {
			b.fatalf("%s: %v", url, err)
		}
	}
}

// look evaluates JavaScript in the page, which may be a promise, into what it returns.
func look[T any](b *tab, js string) T {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.fatalf("%s: %v", js, err)
	}
	return v
}

// until waits for a condition in JavaScript to hold, whatever page is there by then.
func (b *tab) until(condition string) {
	b.h.t.Helper()
	ctx, cancel := waiting(b.ctx)
	defer cancel()
	js := fmt.Sprintf(`new Promise((yes) => {
		const look = () => { let ok = false; try { ok = (%s); } catch {} if (ok) yes(true); else setTimeout(look, 5); };
		look();
	})`, condition)
	for {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](js, chromedp.EvalAwaitPromise))
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			b.fatalf("waiting until %s", condition)
		}
		if !isNavigation(err) { // else the condition is asked of the page that came
			b.fatalf("waiting until %s: %v", condition, err)
		}
	}
}

// isNavigation reports whether an error says that another page came meanwhile.
func isNavigation(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "navigated") || strings.Contains(err.Error(), "context") ||
		strings.Contains(err.Error(), "Promise was collected"))
}

// fatalf ends the test and shows the page as it is.
func (b *tab) fatalf(format string, args ...any) {
	b.h.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), 10*time.Second)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body?.innerText`))
	b.mu.Lock()
	problems := strings.Join(b.problems, "\n")
	b.mu.Unlock()
	b.h.t.Fatalf(format+"\nthe page is\n%s\nand complains\n%s", append(args, text, problems)...)
}

// quote makes a string of JavaScript.
func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// shows waits until an element that the selector finds has the text.
func (b *tab) shows(selector, text string) {
	b.h.t.Helper()
	b.until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some((e) => e.textContent.includes(%s))`, quote(selector), quote(text)))
}

// lacks waits until no element that the selector finds is there.
func (b *tab) lacks(selector string) {
	b.h.t.Helper()
	b.until(fmt.Sprintf(`!document.querySelector(%s)`, quote(selector)))
}

// at waits until an element that the selector finds can be pressed, and returns its middle. Nothing covers it there.
func (b *tab) at(selector string) (x, y float64) {
	b.h.t.Helper()
	b.until(fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll(%s)].find((e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length);
		if (!found || found.disabled) return false;
		found.scrollIntoView({ block: "center", behavior: "instant" });
		const r = found.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		const top = document.elementFromPoint(x, y);
		globalThis.testMiddle = [x, y];
		globalThis.testPressed = false;
		found.addEventListener("click", () => globalThis.testPressed = true, { once: true, capture: true });
		return top && (found === top || found.contains(top) || top.contains(found));
	})()`, quote(selector)))
	middle := look[[]float64](b, `globalThis.testMiddle`)
	return middle[0], middle[1]
}

// press presses the first visible element that the selector finds, as a mouse does. What moves away meanwhile is pressed again.
func (b *tab) press(selector string) {
	b.h.t.Helper()
	for {
		x, y := b.at(selector)
		b.do(chromedp.MouseClickXY(x, y))
		ctx, cancel := waiting(b.ctx)
		pressed, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`!globalThis.testMiddle || globalThis.testPressed`)) // another page has no middle
		cancel()
		if pressed || isNavigation(err) {
			return
		}
		if err != nil {
			b.fatalf("press %s: %v", selector, err)
		}
	}
}

// write writes into a field, as a keyboard of a phone does.
func (b *tab) write(selector, text string) {
	b.h.t.Helper()
	b.until(fmt.Sprintf(`(document.querySelector(%s).focus(), document.activeElement === document.querySelector(%[1]s))`, quote(selector)))
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, input.InsertText, input.InsertTextParams{Text: text})
		return chromedp.Void{}, err
	})
}

// keys presses keys, one after the other, wherever the focus is. A page that takes a key for itself gets no letter of it.
func (b *tab) keys(keys string) {
	b.h.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		for _, r := range keys {
			k := kb.Keys[r]
			press := input.DispatchKeyEventParams{
				Type: input.DispatchKeyEventTypeKeyDown, Key: k.Key, Code: k.Code, Text: k.Text, UnmodifiedText: k.Unmodified, WindowsVirtualKeyCode: k.Windows,
			}
			release := press
			release.Type, release.Text, release.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
			for _, e := range []input.DispatchKeyEventParams{press, release} {
				if _, err = cdp.Call(ctx, target, input.DispatchKeyEvent, e); err != nil {
					return none, err
				}
			}
		}
		return none, nil
	})
}
