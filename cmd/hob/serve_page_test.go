package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pageBrowser is a browser without scripts.
type pageBrowser struct {
	t      *testing.T
	origin string
	csrf   string
	*http.Client
}

// freePage is where a page can listen later.
func freePage(t *testing.T) string {
	t.Helper()
	return strings.Replace(freeAddress(t), "127.0.0.1", "localhost", 1)
}

// asked returns the requests that the model had.
func (f *fakeOllama) asked() (all []string) {
	f.locked(func() { all = slices.Clone(f.requests) })
	return all
}

// browse signs in with what hob page prints.
func (h *house) browse(args ...string) *pageBrowser {
	h.t.Helper()
	var in struct{ URL, Link, Code string }
	if err := json.Unmarshal([]byte(h.hob(append([]string{"page", "--json"}, args...)...)), &in); err != nil {
		h.t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	b := &pageBrowser{h.t, in.URL, "", &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}}
	if !strings.HasPrefix(in.Link, in.URL+"/sign-in#") {
		h.t.Fatalf("the link is %s", in.Link)
	}
	b.post("/sign-in", url.Values{"code": {in.Code}})
	b.csrf = b.match("/", `name="csrf" content="([^"]+)"`)
	return b
}

func (b *pageBrowser) get(path string) string {
	b.t.Helper()
	resp, err := b.Get(b.origin + path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(body)
}

// match returns what a view has in the place of a pattern's group.
func (b *pageBrowser) match(path, pattern string) string {
	b.t.Helper()
	page := b.get(path)
	m := regexp.MustCompile(pattern).FindStringSubmatch(page)
	if m == nil {
		b.t.Fatalf("%s has no %s:\n%s", path, pattern, page)
	}
	return m[1]
}

func (b *pageBrowser) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	form.Set("csrf", b.csrf)
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.origin+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Origin", b.origin)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// say says something, and waits until the turn has ended or asks.
func (b *pageBrowser) say(chat, text string) {
	b.t.Helper()
	events, err := b.Get(b.origin + "/events?chat=" + url.QueryEscape(chat))
	if err != nil {
		b.t.Fatal(err)
	}
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	lines.Buffer(nil, 1<<20)
	running := false
	for said := false; lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "data: ") && !said { // the stream stands
			said = true
			if status, body := b.post("/say", url.Values{"chat": {chat}, "text": {text}}); status != http.StatusOK {
				b.t.Fatalf("%d %s", status, body)
			}
		}
		if running && strings.Contains(line, `"running":false`) || strings.Contains(line, `\"decide\"`) {
			return
		}
		running = running || strings.Contains(line, `"running":true`)
	}
	b.t.Fatalf("the stream ends: %v", lines.Err())
}

// A chore with its receipt is done and taken back on the page; a tool that is switched off is gone from the next request; and nothing
// that hob runs can call the page itself.
func TestServe_Page(t *testing.T) {
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	at := freePage(t)
	_, port, _ := net.SplitHostPort(at)
	h.configure(fmt.Sprintf("[page]\nlisten = %q\n[fetch]\nallow = [%q, \"127.0.0.1:%s\"]\n[policy]\nhosts = [%q]\n", at, at, port, "127.0.0.1:"+port))
	s := h.serve()
	b := h.browse()

	b.say("main", "write a.txt one")
	if !h.exists("a.txt") {
		t.Fatal("nothing was written")
	}
	turn := b.match("/", `name="line" value="undo of (\d+)"`)
	if status, body := b.post("/command", url.Values{"chat": {"main"}, "line": {"undo of " + turn}}); status != http.StatusOK || !strings.Contains(body, "Taken back") {
		t.Errorf("undo: %d %s", status, body)
	}
	if h.exists("a.txt") {
		t.Error("it was not taken back")
	}

	if status, body := b.post("/command", url.Values{"line": {"tools disable write_file"}, "back": {"/tools"}}); status != http.StatusOK ||
		!strings.Contains(body, `aria-label="write_file, everywhere: DISABLED"`) {
		t.Errorf("switch: %d", status)
	}
	before := len(fake.asked())
	b.say("main", "good evening")
	if last := fake.asked(); len(last) == before || strings.Contains(last[len(last)-1], `"name":"write_file","description"`) ||
		!strings.Contains(last[0], `"name":"write_file","description"`) {
		t.Errorf("the model is told of a tool that is switched off:\n%s", last[len(last)-1])
	}

	for _, address := range []string{"http://127.0.0.1:" + port + "/", "http://localhost:" + port + "/sign-in"} {
		b.say("attack", "fetch "+address)
	}
	got := b.get("/?chat=attack")
	if n := strings.Count(got, "hob itself listens there"); n < 2 {
		t.Errorf("hob fetches its own page:\n%s", got)
	}

	status, backup := b.post("/backup", url.Values{})
	path := filepath.Join(t.TempDir(), "hob.tgz")
	if err := os.WriteFile(path, []byte(backup), 0o600); err != nil {
		t.Fatal(err)
	}
	other := newHouse(t, fake.URL)
	if out := other.hob("restore", "--force", path); status != http.StatusOK || !strings.Contains(other.hob("log", "--chat", "main"), "good evening") {
		t.Errorf("the backup brings back nothing: %d %s", status, out)
	}

	ben := h.browse("--for", "Ben")
	if got := ben.get("/?chat=main"); strings.Contains(got, "good evening") {
		t.Error("Ben reads the owner's chat")
	}
	home := ben.match("/", `data-chat="(page/\d+)"`)
	ben.say(home, "good night")
	if got := h.hob("page", "list"); strings.Count(got, "\n") != 2 || !strings.Contains(got, "Ben") {
		t.Errorf("%s", got)
	}
	id := regexp.MustCompile(`(?m)^([0-9a-f]{8})  Ben`).FindStringSubmatch(h.hob("page", "list"))
	if id == nil {
		t.Fatal("Ben is not in the list")
	}
	h.hob("page", "revoke", id[1])
	if got := ben.get("/"); !strings.Contains(got, `data-view="sign-in"`) {
		t.Error("Ben is still signed in")
	}

	next := freePage(t)
	s.reload(fmt.Sprintf("[page]\nlisten = %q\n", next))
	if _, err := http.Get("http://" + at); err == nil {
		t.Error("the page is still where it was")
	}
	b.origin = "http://" + next
	if got := b.get("/"); !strings.Contains(got, "good evening") { // a cookie of localhost is for all its ports
		t.Errorf("the owner is signed out:\n%s", got)
	}
	s.reload("")
	if _, err := http.Get("http://" + next); err == nil {
		t.Error("the page is open that no configuration names any more")
	}
	s.stop()
	if said := s.said(); strings.Contains(said, "level=ERROR") || strings.Contains(said, "panic") {
		t.Errorf("%s", said)
	}
}

// Without a daemon there is no page; hob page says what to do.
func TestPage_WithoutServe(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	for _, args := range [][]string{{"page"}, {"page", "list"}, {"page", "revoke", "x"}} {
		out, err := h.command(args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "hob: the page is there while hob serve runs: start that first") {
			t.Errorf("%q: %v %s", args, err, out)
		}
	}
	out, err := h.command("page", "trust").CombinedOutput()
	if err == nil || !strings.Contains(string(out), `they are for [page] tls = "own"`) {
		t.Errorf("%v %s", err, out)
	}
	h.configure("[page]\nlisten = \"0.0.0.0:8780\"\ntls = \"own\"\nhost = \"hob.lan\"\n")
	first := h.hob("page", "trust")
	if !strings.Contains(first, "-----BEGIN CERTIFICATE-----") || first != h.hob("page", "trust") {
		t.Errorf("%s", first)
	}
}
