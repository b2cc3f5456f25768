package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// moody is an Ollama that goes away and comes back, at one address.
type moody struct {
	t       *testing.T
	address string
	behind  string

	mu    sync.Mutex
	on    net.Listener
	conns []net.Conn
}

func newMoody(t *testing.T, fake *fakeOllama) *moody {
	m := &moody{t: t, address: freeAddress(t), behind: strings.TrimPrefix(fake.URL, "http://")}
	m.up()
	t.Cleanup(m.down)
	return m
}

func (m *moody) up() {
	m.t.Helper()
	l, err := net.Listen("tcp", m.address)
	if err != nil {
		m.t.Fatal(err)
	}
	m.mu.Lock()
	m.on = l
	m.mu.Unlock()
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", m.behind)
			if err != nil {
				near.Close()
				continue
			}
			m.mu.Lock()
			m.conns = append(m.conns, near, far)
			m.mu.Unlock()
			go func() { _, _ = io.Copy(far, near); far.Close() }()
			go func() { _, _ = io.Copy(near, far); near.Close() }()
		}
	}()
}

// down has it go, in the middle of whatever it says.
func (m *moody) down() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.on.Close()
	for _, c := range m.conns {
		c.Close()
	}
	m.conns = nil
}

// moodyHouse is a house whose model has answered once.
func moodyHouse(t *testing.T) (*house, *moody, *fakeOllama) {
	fake := newFakeOllama(t)
	m := newMoody(t, fake)
	h := newHouse(t, "http://"+m.address)
	if code, _, errs := h.ran("ask", "--chat", "first", "good morning"); code != 0 {
		t.Fatalf("the first question failed: %d %s", code, errs)
	}
	return h, m, fake
}

// ran runs a command to its end.
func (h *house) ran(args ...string) (code int, out, errs string) {
	h.t.Helper()
	cmd := h.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		h.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// lastEvent is the last of JSON Lines.
func lastEvent(text string) map[string]any {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := map[string]any{}
	_ = json.Unmarshal([]byte(lines[len(lines)-1]), &last)
	return last
}

// post asks the local API.
func (h *house) post(path, body string) (int, map[string]any) {
	h.t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(h.state, "hob.sock"))
	}, DisableKeepAlives: true}}
	resp, err := client.Post("http://hob/api/v1/"+path, "application/json", strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	got := map[string]any{}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		h.t.Fatal(err)
	}
	return resp.StatusCode, got
}

// In a process of its own a command without a terminal says at once that the server is not there, or waits as it is told to.
func TestAskWhileTheModelIsAway(t *testing.T) {
	notShort(t)
	h, m, _ := moodyHouse(t)
	m.down()
	code, out, errs := h.ran("ask", "--json", "good morning")
	if last := lastEvent(out); code != 3 || last["type"] != "ended" || last["reason"] != "model" {
		t.Errorf("exit %d, %v, %s", code, last, errs)
	}
	if code, out, _ := h.ran("ask", "/list_files ."); code != 0 {
		t.Errorf("a command needs a model: %d %s", code, out)
	}
	if code, _, errs := h.ran("ask", "--wait", "1s", "good morning"); code != 3 || !strings.Contains(errs, "I wait for it for up to 1s") {
		t.Errorf("exit %d, %s", code, errs)
	}
	cmd := h.command("ask", "--wait", "1h", "good morning")
	var stdout bytes.Buffer
	said := &served{h: h}
	cmd.Stdout, cmd.Stderr = &stdout, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said.says("I wait for it for up to 1h (")
	m.up()
	if err := cmd.Wait(); err != nil || !strings.Contains(stdout.String(), "Good evening.") {
		t.Errorf("%v %q %s", err, stdout.String(), said.said())
	}
	m.down()
	other := newHouse(t, "http://"+m.address)
	if code, _, errs := other.ran("ask", "--wait", "1h", "good morning"); code != 3 || !strings.Contains(errs, "ollama serve") {
		t.Errorf("one that never answered: exit %d, %s", code, errs)
	}
	if _, out, errs := other.ran("status", "--json"); !strings.Contains(out, `"turns":1,"replies":0,`) {
		t.Errorf("it counts as a reply: %s %s", out, errs)
	}
}

// A daemon goes on with what it was told while the model was away, in whichever way it was told, also when it is killed
// meanwhile; commands do not wait, and all of it is shown.
func TestServeWhileTheModelIsAway(t *testing.T) {
	h, m, _ := moodyHouse(t)
	s := h.serve()
	m.down()
	code, out, errs := h.ran("ask", "--json", "write log.txt one")
	if code != 3 || !strings.Contains(errs, "hob serve goes on with turn") || strings.Contains(out, `"ended"`) {
		t.Errorf("exit %d, %s %s", code, out, errs)
	}
	if code, _, errs := h.ran("ask", "write log.txt two"); code != 3 || !strings.Contains(errs, "hob serve goes on with turn") {
		t.Errorf("what joins it: exit %d, %s", code, errs)
	}
	if code, out, errs := h.ran("ask", "/list_files ."); code != 0 {
		t.Errorf("a command waits: %d %s %s", code, out, errs)
	}
	body := `{"session_id":"api","request_id":"1","messages":[{"role":"user","content":"write api.txt one"}]}`
	for range 2 {
		if status, got := h.post("chat", body); status != 503 || got["input_id"] != "api/1" {
			t.Errorf("the API says %d %v", status, got)
		}
	}
	var st statusReport
	_, out, _ = h.ran("status", "--json")
	if err := json.Unmarshal([]byte(out), &st); err != nil || len(st.Waiting) != 2 || len(st.Parked) != 0 || st.Waiting[0].Chat != "main" {
		t.Errorf("status: %v %s", err, out)
	}
	if _, out, _ = h.ran("status"); strings.Count(out, "waits for the model") != 2 {
		t.Errorf("status: %s", out)
	}
	s.signal(syscall.SIGKILL)
	_ = s.cmd.Wait()
	s = h.serve()
	m.up()
	h.until("both have ended", func() bool {
		return strings.Count(strings.Join(append(h.journal("main"), h.journal("api")...), "\n"), "ended done") == 3 // with the command
	})
	if status, got := h.post("chat", body); status != 200 || got["reply"] == "" {
		t.Errorf("the API says %d %v", status, got)
	}
	for name, want := range map[string]string{"log.txt": "two\n", "api.txt": "one\n"} { // the second joined, and the fake hears the last words
		if text, err := os.ReadFile(h.path(name)); err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
	told := 0
	for _, line := range h.journal("main") {
		if strings.Contains(line, "I go on when it is back") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	s.stop()
}

// A chore does not wait behind a turn that does: hob ask answers it, and the prompt says nothing of that turn.
func TestAChoreWhileATurnWaits(t *testing.T) {
	h, m, _ := moodyHouse(t)
	s := h.serve()
	m.down()
	if code, _, errs := h.ran("ask", "write log.txt one"); code != 3 {
		t.Fatalf("nothing waits: %d %s", code, errs)
	}
	if code, out, errs := h.ran("ask", "note buy milk"); code != 0 || !strings.HasPrefix(out, "noted: buy milk\n") || strings.Contains(errs, "goes on with") {
		t.Errorf("a chore waits: %d %s %s", code, out, errs)
	}
	cmd := h.command("chat")
	talk := startAtTerminal(t, cmd)
	talk.idle()
	talk.enter("note buy tea")
	talk.until("noted: buy tea")
	if strings.Contains(talk.seen.String(), "goes on with turn") {
		t.Errorf("the prompt says that the chore waits: %s", talk.seen.String())
	}
	talk.leave(cmd)
	s.stop()
}

// At a terminal the prompt stays free while a turn waits; Ctrl-C parks it, and hob retry goes on with it.
func TestPromptWhileTheModelIsAway(t *testing.T) {
	notShort(t)
	for _, daemon := range []bool{false, true} {
		t.Run(map[bool]string{false: "alone", true: "beside a daemon"}[daemon], func(t *testing.T) {
			h, m, _ := moodyHouse(t)
			if daemon {
				s := h.serve()
				defer s.stop()
			}
			cmd := h.command("chat")
			talk := startAtTerminal(t, cmd)
			talk.idle()
			m.down()
			talk.enter("good morning")
			talk.until("I go on when it is back")
			talk.say("/write_file path=a.txt content=one\r")
			talk.until("a.txt")
			m.up()
			talk.until("Good evening.")
			m.down()
			talk.enter("good morning once more")
			talk.until("I go on when it is back")
			talk.say("\x03")
			talk.until("is parked: hob retry")
			m.up()
			talk.enter("/retry")
			talk.until("Good evening.")
			for text, want := range map[string]int{"goes on with turn": 0, "is parked: hob retry": 1} { // the note says the first in other words
				if got := strings.Count(talk.seen.String(), text); got != want {
					t.Errorf("%q stands there %d times, want %d", text, got, want)
				}
			}
			m.down()
			talk.enter("good morning again")
			talk.until("I go on when it is back")
			talk.say("\x03")
			talk.until("is parked: hob retry")
			talk.leave(cmd)
			m.up()
			if code, out, errs := h.ran("retry"); code != 0 || !strings.Contains(out, "Good evening.") {
				t.Errorf("retry: %d %s %s", code, out, errs)
			}
			if code, out, _ := h.ran("retry"); code != 0 || !strings.Contains(out, "Nothing is parked") {
				t.Errorf("retry: %d %s", code, out)
			}
			if n := strings.Count(strings.Join(h.journal("main"), "\n"), "ended done"); n != 4 {
				t.Errorf("%d turns ended well: %v", n, h.journal("main"))
			}
		})
	}
}

// While the model's server comes and goes in the middle of answers, and the daemon is killed, every message is answered in the end
// and does what it is to do once.
func TestServeWhileTheModelDies(t *testing.T) {
	notShort(t)
	h, m, _ := moodyHouse(t)
	const chats, each = 8, 5
	s := h.serve()
	for n := range each {
		var asking []*exec.Cmd
		for i := range chats {
			text := fmt.Sprintf("write log-%d.txt line %d", i, n)
			cmd := h.command("ask", "--chat", fmt.Sprintf("c%d", i), "--id", fmt.Sprint(n), text)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			asking = append(asking, cmd)
			m.down()
			m.up()
		}
		s.signal(syscall.SIGKILL)
		_ = s.cmd.Wait()
		for _, cmd := range asking {
			_ = cmd.Wait() // whichever way: it leaves the turn to the daemon, or had none
		}
		s = h.serve()
	}
	for i := range chats {
		for n := range each {
			// Those that the daemon did not live to take are said anew, with the same id.
			h.until("it is answered", func() bool {
				code, out, _ := h.ran("ask", "--json", "--wait", "10m", "--chat", fmt.Sprintf("c%d", i), "--id", fmt.Sprint(n),
					fmt.Sprintf("write log-%d.txt line %d", i, n))
				return code == 0 && lastEvent(out)["reason"] == "done"
			})
		}
	}
	for i := range chats {
		text, err := os.ReadFile(h.path(fmt.Sprintf("log-%d.txt", i)))
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		slices.Sort(lines)
		if twice := len(lines) - len(slices.Compact(slices.Clone(lines))); err != nil || twice > 0 {
			t.Errorf("chat %d: %d lines were written twice: %q %v", i, twice, text, err)
		}
	}
	s.stop()
}
