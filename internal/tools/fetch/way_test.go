package fetch_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// Each hop is judged, not only the first and the last: good hosts in between give no leave.
func TestFetch_EveryHopIsJudged(t *testing.T) {
	var w *fetchWorld
	to := func(place string) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, strings.ReplaceAll(place, "PORT", w.port), http.StatusTemporaryRedirect)
		}
	}
	w = newFetchWorld(t, map[string]http.HandlerFunc{
		"/1": to("http://other.lan:PORT/2"), "/2": to("http://page.lan:PORT/3"), "/3": to("//other.lan:PORT/4"), "/4": to("http://innocent.example/5"),
		"/5": func(http.ResponseWriter, *http.Request) { t.Error("the page behind the bad hop was asked for") },
		"/a": to("http://innocent.example/1"), "/b": to("/c"), "/c": fetchSends("text/plain", "c"),
	})
	for _, path := range []string{"/1", "/a"} {
		if _, e := w.fails(map[string]any{"url": w.at(path)}); e.Code != event.CodePermissionDenied {
			t.Errorf("%s: %+v", path, e)
		}
	}
	if got := w.page(map[string]any{"url": w.at("/b")}); got.Content != "c" || got.URL != w.at("/c") {
		t.Errorf("a good hop: %+v", got)
	}
}

// A server that always sends a little more keeps nobody waiting: the time is for the page and not for the next byte.
func TestFetch_ASteadyDripIsCut(t *testing.T) {
	for name, head := range map[string]string{
		"in the headers":    "HTTP/1.1 200 OK\r\n",
		"in the body":       "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
		"before the answer": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": func(rw http.ResponseWriter, r *http.Request) {
				conn, _, err := http.NewResponseController(rw).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				io.WriteString(conn, head)
				tick := time.NewTicker(time.Millisecond)
				defer tick.Stop()
				for range tick.C {
					drop := "X: y\r\n"
					if head == "" {
						drop = "HTTP/1.1 102 Processing\r\n\r\n"
					}
					if _, err := io.WriteString(conn, drop); err != nil {
						return
					}
				}
			}}, func(c *fetch.Config) { c.Timeout = 60 * time.Millisecond })
			_, e := w.fails(map[string]any{"url": w.at("/")})
			if e.Code != event.CodeTimeout && !(name != "in the body" && e.Code == event.CodeExecutionFailed) { // so many headers may be too many first
				t.Errorf("%+v", e)
			}
		})
	}
}

// A bomb costs little more than the most that a page may have.
func TestFetch_ABombStaysSmall(t *testing.T) {
	const limit = 1 << 20
	first, more := fetchBomb(t, string(make([]byte, 1<<20)))
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Encoding", "gzip")
		rw.Header().Set("Content-Type", "text/html")
		io.WriteString(rw, first)
		for range 1<<10 - 1 { // a GiB
			if _, err := io.WriteString(rw, more); err != nil {
				return
			}
		}
	}}, func(c *fetch.Config) { c.MaxResponseSize = limit })
	w.fails(map[string]any{"url": w.at("/")})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w.fails(map[string]any{"url": w.at("/")})
	runtime.ReadMemStats(&after)
	got := after.TotalAlloc - before.TotalAlloc // what the server does included
	fmt.Printf("figure: allocated for a bomb of 1 GiB: %.1f MiB (aim 16 MiB)\n", float64(got)/(1<<20))
}

// fullLedger takes no line.
type fullLedger struct{}

func (fullLedger) Begin(egress.Contact) error { return errors.New("no room") }
func (fullLedger) Add([]egress.Contact) error { return errors.New("no room") }

// What cannot be recorded is not fetched. The model learns that, the person why.
func TestFetch_NothingIsFetchedOffTheRecord(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/plain", "words")})
	gate := egress.NewGate(egress.GateConfig{Ledger: fullLedger{}, Resolver: fetchNames{}})
	dialer, err := gate.Fetch([]string{"page.lan:" + w.port}, "[fetch] allow")
	if err != nil {
		t.Fatal(err)
	}
	w.tool = fetch.New(fetch.Config{Dialer: dialer}).Tools()[0]
	res, e := w.fails(map[string]any{"url": w.at("/")})
	want := event.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: "nothing can be fetched: who is contacted could not be recorded"}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	hint := tools.Hint{Hint: "refuse to dial page.lan:" + w.port + ": what cannot be recorded is not contacted: no room"}
	if diff := cmp.Diff(any(hint), res.Data); diff != "" {
		t.Errorf("hint (-want +got):\n%s", diff)
	}
	if asked := w.requests(); len(asked) > 0 {
		t.Errorf("the server was asked:\n%s", asked)
	}
}
