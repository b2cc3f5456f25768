package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// newRedirectWorld is a web of one server under many names, whose page /to leads to whatever its query says.
func newRedirectWorld(t *testing.T) *fetchWorld {
	t.Helper()
	w := newFetchWorld(t, map[string]http.HandlerFunc{
		"/end": fetchSends("text/plain", "the end"),
		"/to": func(rw http.ResponseWriter, r *http.Request) {
			to, err := url.QueryUnescape(r.URL.RawQuery)
			if err != nil {
				t.Error(err)
			}
			rw.Header().Set("Location", to)
			rw.WriteHeader(http.StatusFound)
		},
	})
	var allow []string
	for _, host := range []string{"example.org", "www.example.org", "other.example", "third.example", "127.0.0.1", "localhost", "a.localhost"} {
		allow = append(allow, net.JoinHostPort(host, w.port))
	}
	dialer, err := egress.New(egress.Config{Allow: allow, Setting: "[fetch] allow", Resolver: fetchNames{}})
	if err != nil {
		t.Fatal(err)
	}
	w.pages = fetch.New(fetch.Config{Dialer: dialer})
	w.tool = w.pages.Tools()[0]
	return w
}

// through is the address of host's page that leads through all the others, in their order, to the end of the last.
func (w *fetchWorld) through(host string, others ...string) string {
	at := "http://" + host + ":" + w.port
	if len(others) == 0 {
		return at + "/end"
	}
	return at + "/to?" + url.QueryEscape(w.through(others[0], others[1:]...))
}

// judged fetches an address in a conversation with a label, where policy lets pass what is for one of hosts. It returns what the
// policy was asked about, too.
func (w *fetchWorld) judged(label event.Label, hosts []string, address string) (res tools.Result, asked []string, err error) {
	w.t.Helper()
	ctx := tools.WithCaller(w.t.Context(), tools.Caller{Label: label})
	ctx = tools.WithJudge(ctx, func(_ context.Context, to tools.Resource) bool {
		asked = append(asked, to.URL)
		name, _, _ := strings.Cut(to.Host, ":")
		for _, h := range hosts {
			if h == name {
				return true
			}
		}
		return false
	})
	raw, err := json.Marshal(map[string]string{"url": address})
	if err != nil {
		w.t.Fatal(err)
	}
	res, err = tools.Call(ctx, w.tool, raw)
	return res, asked, err
}

func TestRedirects(t *testing.T) {
	private := event.Label{Private: true}
	both := event.Label{Private: true, Untrusted: true}
	for _, c := range []struct {
		name   string
		label  event.Label
		may    []string // hosts that policy lets pass
		way    []string // hosts, in their order
		stops  string   // the host that it is not led to
		judges []string // hosts that policy is asked about
	}{
		{name: "within a host", label: both, way: []string{"example.org", "example.org"}},
		{name: "to a name below", label: both, way: []string{"example.org", "www.example.org"}},
		{name: "to a name above, and back", label: both, way: []string{"www.example.org", "example.org", "www.example.org"}},
		{name: "elsewhere, with nothing private", way: []string{"example.org", "other.example"}},
		{name: "elsewhere, with strangers' words only", label: event.Label{Untrusted: true}, way: []string{"example.org", "other.example"}},
		{name: "elsewhere, with private data", label: private, way: []string{"example.org", "other.example"}, stops: "other.example",
			judges: []string{"other.example"}},
		{name: "elsewhere, with both", label: both, way: []string{"example.org", "other.example"}, stops: "other.example",
			judges: []string{"other.example"}},
		{name: "to where it may go", label: both, may: []string{"other.example"}, way: []string{"example.org", "other.example"},
			judges: []string{"other.example"}},
		{name: "and back again", label: both, may: []string{"other.example"}, way: []string{"example.org", "other.example", "example.org"},
			judges: []string{"other.example"}},
		{name: "and on from there", label: both, may: []string{"other.example"}, way: []string{"example.org", "other.example", "third.example"},
			stops: "third.example", judges: []string{"other.example", "third.example"}},
		{name: "through itself first", label: private, way: []string{"example.org", "www.example.org", "example.org", "other.example"},
			stops: "other.example", judges: []string{"other.example"}},
		{name: "to this machine", label: private, way: []string{"example.org", "localhost"}, stops: "localhost", judges: []string{"localhost"}},
		{name: "from a number to a name", label: private, way: []string{"127.0.0.1", "localhost"}, stops: "localhost", judges: []string{"localhost"}},
		{name: "below localhost", label: private, way: []string{"localhost", "a.localhost"}, stops: "a.localhost", judges: []string{"a.localhost"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newRedirectWorld(t)
			res, asked, err := w.judged(c.label, c.may, w.through(c.way[0], c.way[1:]...))
			var judged []string
			for _, a := range asked {
				u, err := url.Parse(a)
				if err != nil {
					t.Fatal(err)
				}
				judged = append(judged, u.Hostname())
			}
			if diff := cmp.Diff(c.judges, judged); diff != "" {
				t.Errorf("judged (-want +got):\n%s", diff)
			}
			for _, r := range w.requests() {
				if c.stops != "" && strings.Contains(r, "\r\nHost: "+c.stops+":") {
					t.Errorf("%s was asked:\n%s", c.stops, r)
				}
			}
			if c.stops == "" {
				last := c.way[len(c.way)-1] + ":" + w.port + "/end"
				if err != nil || len(res.Effects) != 1 || res.Effects[0].Target != last {
					t.Errorf("%v, receipt %+v, want one of %s", err, res.Effects, last)
				}
				return
			}
			w.stopped(res, err, c.way, c.stops)
		})
	}
}

// stopped checks the error for a redirect that was not followed: it says where that leads, and who was asked.
func (w *fetchWorld) stopped(res tools.Result, err error, way []string, stops string) {
	w.t.Helper()
	at := 0
	for i, host := range way {
		if host == stops {
			at = i
		}
	}
	address := w.through(stops, way[at+1:]...)
	want := &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied,
		Message:    "the page redirects to another host, which was not asked: " + address,
		Suggestion: "if that page is wanted, call fetch with its address"}
	var got *tools.Error
	if !errors.As(err, &got) {
		w.t.Fatalf("the redirect to %s was followed: %v, %+v", stops, err, res)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("error (-want +got):\n%s", diff)
	}
	last := way[at-1] + ":" + w.port + "/to"
	if len(res.Effects) != 1 || !strings.HasPrefix(res.Effects[0].Target, last+"?") || !res.Effects[0].Failed {
		w.t.Errorf("receipt %+v, want that %s led elsewhere", res.Effects, last)
	}
	if !res.Label.Untrusted {
		w.t.Error("the address is a stranger's words, and is not labelled")
	}
}

// Where nobody can judge, private data goes nowhere else.
func TestRedirectWithoutAJudge(t *testing.T) {
	w := newRedirectWorld(t)
	ctx := tools.WithCaller(t.Context(), tools.Caller{Label: event.Label{Private: true}})
	raw, err := json.Marshal(map[string]string{"url": w.through("example.org", "other.example")})
	if err != nil {
		t.Fatal(err)
	}
	res, err := tools.Call(ctx, w.tool, raw)
	w.stopped(res, err, []string{"example.org", "other.example"}, "other.example")
}
