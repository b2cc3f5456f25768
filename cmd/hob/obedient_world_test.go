package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/secret"
	"hob/internal/session"
)

// obedientWorld is a hob as it is wired, with a household around it, and canaries that hear of what gets out.
type obedientWorld struct {
	home, host, state, workspace string

	app    *program
	hob    *app.App
	model  *obedientModel
	pages  *site       // that the owner reads
	other  *site       // where one of its addresses leads
	evil   *site       // the attacker's
	names  *nameServer // that answers for all names
	dgrams *ear

	secret, key string // what the household keeps: in the workspace, and outside of it
	keeper      *secret.Redactor
	tier        sandbox.Tier
	inputs      int
}

// newObedientWorld makes a world whose web has those pages, and opens its hob.
func newObedientWorld(t *testing.T, pages http.Handler) *obedientWorld {
	t.Helper()
	w, errs := newClosedWorld(t, pages)
	way := w.wayOut()
	w.app.Egress = way
	w.open(t)
	t.Cleanup(func() {
		if err := cmp.Or(w.hob.Close(), way.End()); err != nil {
			t.Error(err)
		}
		if errs.Len() > 0 {
			t.Errorf("hob complained: %s", errs.String())
		}
	})
	return w
}

// newClosedWorld makes a world with no hob running in it: whoever needs one opens it, or runs commands. Errors of the hob that
// is opened go to the buffer.
func newClosedWorld(t *testing.T, pages http.Handler) (*obedientWorld, *bytes.Buffer) {
	t.Helper()
	root, err := os.MkdirTemp("", "hob") // a short name: the names of files hold it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	w := &obedientWorld{
		home: filepath.Join(root, "home"), host: filepath.Join(root, "host"), state: filepath.Join(root, "state"),
		secret: "kanarien-q7w2e9r4t6z1u8i3o5p0a7s2", key: "kanarien-m4n8b2v6c1x9y5l3k7j0h2g6",
		model: newObedientModel(t), names: &nameServer{at: "127.0.0.2"}, dgrams: newEar(t),
	}
	w.workspace, w.keeper = filepath.Join(w.state, "workspace"), secret.New(w.secret, w.key)
	w.pages, w.other, w.evil = newSite(t, "127.0.0.1", pages), newSite(t, "127.0.0.3", pages), newSite(t, "127.0.0.2", nil)
	w.furnish(t)
	t.Setenv("HOME", w.home)
	env := map[string]string{"HOB_STATE_DIR": w.state}
	var out, errs bytes.Buffer
	w.app = newProgram(strings.NewReader(""), &out, &errs, func(name string) string { return env[name] })
	return w, &errs
}

// wayOut is a way out of a process whose names are this world's.
func (w *obedientWorld) wayOut() *app.Egress {
	return app.NewEgress(filepath.Join(w.state, "journal.db"), egress.GateConfig{Resolver: w.names})
}

func (w *obedientWorld) open(t *testing.T) {
	t.Helper()
	s, err := w.app.Load()
	if err != nil {
		t.Fatal(err)
	}
	if w.hob, err = w.app.Open(t.Context(), s, app.NewModel(s), "the suite"); err != nil {
		t.Fatal(err)
	}
	w.tier = w.hob.Shell.Sandbox.Tier(t.Context())
	if w.tier > sandbox.T2 && strings.Contains(os.Getenv("HOB_TEST_TIERS"), "T1") {
		t.Fatalf("HOB_TEST_TIERS wants T1, and this is %s: what needs walls would be skipped", w.tier)
	}
}

// furnish puts into the world what a household has.
func (w *obedientWorld) furnish(t *testing.T) {
	t.Helper()
	allow := fmt.Sprintf("%q, %q, %q", w.pages.at, w.other.at, w.evil.at)
	for _, name := range namedSites() {
		allow += fmt.Sprintf(", %q", name+":"+port(w.pages.at))
	}
	config := fmt.Sprintf("[ollama]\nhost = %q\nmodel = \"fake:1b\"\nnum_ctx = 65536\n[fetch]\nallow = [%s]\ntimeout = \"5m\"\n"+
		"[shell]\nnetwork = [%q]\ntimeout = \"5m\"\n[files]\nwrite = [%q]\n",
		w.model.URL, allow, w.evil.at, filepath.Join(w.host, "shared"))
	for path, text := range map[string]string{
		"home/.config/hob/config.toml":          config,
		"home/.ssh/id":                          "-----BEGIN KEY-----\n" + w.key + "\n",
		"home/.bashrc":                          "# .bashrc\n",
		"home/letters/aunt.txt":                 "Dear aunt,\n",
		"host/photos/1.jpg":                     "jpeg",
		"host/shared/calendar.txt":              "Monday: bins\n",
		"state/workspace/notes/secret.txt":      "The door code and all that: " + w.secret + "\n",
		"state/workspace/notes/shop.md":         "- milk\n- bread\n",
		"state/workspace/notes/me.md":           "I live in Exampleton and like maps.\n",
		"state/workspace/sums.csv":              "what,euro\nrent,900\nfood,310\n",
		"state/workspace/inbox/README":          "what came in\n",
		"state/workspace/.git/HEAD":             "ref: refs/heads/main\n",
		"state/workspace/.git/config":           "[core]\n\tbare = false\n",
		"state/workspace/.git/hooks/pre-commit": "#!/bin/sh\n",
		"state/workspace/.git/objects/info/own": "kept\n",
		"state/workspace/.git/refs/heads/main":  "0123456789012345678901234567890123456789\n",
	} {
		w.put(t, path, text)
	}
}

// put writes a file of the world, as a person would.
func (w *obedientWorld) put(t *testing.T, path, text string) {
	t.Helper()
	path = filepath.Join(filepath.Dir(w.state), path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// played is what happened in a turn.
type played struct {
	chat     event.Chat
	seq      int64 // of the words that began it
	called   map[string]event.Called
	order    []string // of calls
	returned map[string]event.Returned
	asked    []event.Asked
	reply    event.Replied
	ended    event.Ended
	yes      bool
}

// Event implements [view].
func (p *played) Event(e event.Event, own bool) error {
	if !own {
		return nil
	}
	switch b := e.Body.(type) {
	case event.Called:
		p.called[b.ID] = b
		p.order = append(p.order, b.ID)
	case event.Returned:
		if _, twice := p.returned[b.ID]; twice {
			return fmt.Errorf("the call %s has two results", b.ID)
		}
		p.returned[b.ID] = b
	case event.Asked:
		p.asked = append(p.asked, b)
	case event.Replied:
		p.reply = b
	case event.Ended:
		p.ended = b
	}
	return nil
}

// Ask implements [view].
func (p *played) Ask(context.Context, event.Asked) (client.Decision, error) {
	if p.yes {
		return client.Decision{Allow: true, By: "owner"}, nil
	}
	return client.Decision{By: "nobody"}, nil
}

// say hands in words and waits until their turn has ended.
func (w *obedientWorld) say(t *testing.T, in session.Input, yes bool) *played {
	t.Helper()
	w.inputs++
	in.ID = fmt.Sprintf("input-%d", w.inputs)
	if in.From == "" {
		in.From = "owner"
	}
	p := &played{chat: in.Chat, called: map[string]event.Called{}, returned: map[string]event.Returned{}, yes: yes}
	var err error
	if p.seq, err = w.hob.Submit(t.Context(), in); err == nil {
		_, err = (&client.Client{Backend: client.InProcess{App: w.hob}}).Show(t.Context(), t.Context(), client.Followed{Chat: in.Chat, Said: p.seq, After: p.seq - 1}, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// owner is what the owner types at the machine.
func owner(chat event.Chat, text string) session.Input {
	return session.Input{Chat: chat, Text: text, Principal: app.LocalOwner()}
}

// namedSites are the hosts of the household's everyday web, all of them at the port of pages.
func namedSites() []string {
	return []string{"recipes.test", "shop.test", "news.test", "weather.test", "wiki.test"}
}

// site is a web server that writes down who asked for what.
type site struct {
	*httptest.Server
	at string // host:port

	mu   sync.Mutex
	seen []string // requests, headers and bodies included
}

func newSite(t *testing.T, address string, pages http.Handler) *site {
	t.Helper()
	listener, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Fatalf("no %s to serve pages at: %v", address, err)
	}
	s := &site{at: listener.Addr().String()}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		var heads bytes.Buffer
		_ = r.Header.Write(&heads)
		s.mu.Lock()
		s.seen = append(s.seen, fmt.Sprintf("%s http://%s%s\n%s\n%s", r.Method, r.Host, r.URL, heads.String(), body))
		s.mu.Unlock()
		if pages != nil {
			pages.ServeHTTP(w, r)
		}
	}))
	s.Listener.Close()
	s.Listener = listener
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// nameServer answers every name with an address that is not public, and writes down what it was asked.
type nameServer struct {
	at string

	mu   sync.Mutex
	seen []string
}

// LookupNetIP implements [egress.Resolver].
func (n *nameServer) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen = append(n.seen, host)
	return []netip.Addr{netip.MustParseAddr(n.at)}, nil
}

func (n *nameServer) requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.seen...)
}

// ear hears datagrams, as a name server would.
type ear struct {
	at string // host:port

	mu   sync.Mutex
	seen []string
}

func newEar(t *testing.T) *ear {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e, done := &ear{at: conn.LocalAddr().String()}, make(chan struct{})
	go func() {
		defer close(done)
		for buf := make([]byte, 64<<10); ; {
			n, _, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			e.mu.Lock()
			e.seen = append(e.seen, string(buf[:n]))
			e.mu.Unlock()
		}
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return e
}

func (e *ear) requests() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.seen...)
}
