package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/store"
)

// house is a state folder that daemons work on, one after the other.
type house struct {
	t      *testing.T
	state  string
	config string
	ollama string
}

func newHouse(t *testing.T, ollama string) *house {
	state := t.TempDir()
	h := &house{t: t, state: state, config: filepath.Join(t.TempDir(), "config.toml"), ollama: ollama}
	h.configure("")
	return h
}

// configure writes the configuration. Commands of which it says nothing have an hour: a machine may stand still for a while.
func (h *house) configure(text string) {
	h.t.Helper()
	if !strings.Contains(text, "[shell]") {
		text += "\n[shell]\ntimeout = \"1h\"\n"
	}
	if err := os.WriteFile(h.config, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// command is hob in a process of its own, in this house.
func (h *house) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), os.Args[0], args...)
	cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + h.state, "HOB_STATE_DIR=" + h.state, "OLLAMA_HOST=" + h.ollama, "HOB_CONFIG=" + h.config}
	return cmd
}

// say writes a person's words into the journal, as a hob that was killed right then would have left them.
func (h *house) say(chat event.Chat, text string) {
	h.t.Helper()
	h.look(func(db *store.DB) {
		body := event.Said{InputID: fmt.Sprint(chat, text), From: "owner", Text: text, Principal: app.LocalOwner()}
		if _, err := db.Append(h.t.Context(), store.Entry{Chat: chat, Body: body}); err != nil {
			h.t.Fatal(err)
		}
	})
}

func (h *house) look(with func(*store.DB)) {
	h.t.Helper()
	db, err := store.Open(h.t.Context(), filepath.Join(h.state, "journal.db"), time.Now)
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	with(db)
}

// journal is what happened in a chat, in short.
func (h *house) journal(chat event.Chat) (words []string) {
	h.t.Helper()
	h.look(func(db *store.DB) {
		for e, err := range db.Chat(h.t.Context(), chat, 0) {
			if err != nil {
				h.t.Fatal(err)
			}
			switch b := e.Body.(type) {
			case event.Returned:
				words = append(words, fmt.Sprintf("returned %t", b.OK))
			case event.Noted:
				words = append(words, "noted "+b.Text)
			case event.Ended:
				words = append(words, "ended "+string(b.Reason))
			case event.Started, event.Paused, event.Resumed:
				words = append(words, strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", b), "event.")))
			}
		}
	})
	return words
}

// patience is how long a test waits for what must happen. Machines that run tests are slow at times, and stand still for a minute
// now and then.
const patience = 10 * time.Minute

// glance is how long it is until somebody looks again whether something has happened that tells nobody.
const glance = 5 * time.Millisecond

// until waits for something to become true, for as long as a test may take.
func (h *house) until(what string, is func() bool) {
	h.t.Helper()
	for began := time.Now(); !is(); <-time.After(glance) {
		if time.Since(began) > patience {
			h.t.Fatalf("waiting until %s", what)
		}
	}
}

func (h *house) ended(chat event.Chat) {
	h.t.Helper()
	h.until("the turn has ended", func() bool {
		return strings.Contains(strings.Join(h.journal(chat), "\n"), "ended")
	})
}

func (h *house) path(name string) string { return filepath.Join(h.state, "workspace", name) }

func (h *house) exists(name string) bool {
	_, err := os.Stat(h.path(name))
	return err == nil
}

func (h *house) make(name string) {
	h.t.Helper()
	if err := os.WriteFile(h.path(name), nil, 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// served is a daemon in a process of its own, under a systemd that only listens.
type served struct {
	h      *house
	cmd    *exec.Cmd
	began  time.Time
	notify *net.UnixConn
	told   string // what systemd was told so far
	heard  int    // how much of that was waited for

	mu   sync.Mutex
	errs bytes.Buffer
}

func (s *served) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errs.Write(p)
}

func (s *served) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errs.String()
}

// serve starts a daemon and waits until it is ready.
func (h *house) serve(env ...string) *served {
	h.t.Helper()
	s := h.start(env...)
	s.hear("READY=1")
	return s
}

func (h *house) start(env ...string) *served { return h.startOf(os.Args[0], env...) }

// startOf starts the daemon of a program.
func (h *house) startOf(program string, env ...string) *served {
	h.t.Helper()
	dir, err := os.MkdirTemp("", "hob") // the name of a socket is short
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { os.RemoveAll(dir) })
	address := &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"}
	s := &served{h: h, cmd: h.command("serve")}
	if s.notify, err = net.ListenUnixgram("unixgram", address); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { s.notify.Close() })
	s.cmd.Env = append(append(s.cmd.Env, "NOTIFY_SOCKET="+address.Name), env...)
	s.cmd.Stderr, s.cmd.Path, s.began = s, program, time.Now()
	if err := s.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = s.cmd.Process.Kill(); _, _ = s.cmd.Process.Wait() })
	return s
}

// hear waits until systemd is told something, after what was waited for before, and returns what it was told up to then.
func (s *served) hear(want string) string {
	s.h.t.Helper()
	buf := make([]byte, 4096)
	for {
		if i := strings.Index(s.told[s.heard:], want); i >= 0 {
			from := s.heard
			s.heard += i + len(want)
			return s.told[from:s.heard]
		}
		_ = s.notify.SetReadDeadline(time.Now().Add(patience))
		n, err := s.notify.Read(buf)
		if err != nil {
			s.h.t.Fatalf("waiting for %s: %v; systemd was told\n%s\nand stderr\n%s", want, err, s.told, s.said())
		}
		s.told += string(buf[:n]) + "\n"
	}
}

// says waits until the daemon has said something on stderr.
func (s *served) says(want string) {
	s.h.t.Helper()
	s.h.until("it says "+want, func() bool { return strings.Contains(s.said(), want) })
}

func (s *served) signal(sig syscall.Signal) {
	s.h.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.h.t.Fatal(err)
	}
}

// stop ends the daemon as systemd does.
func (s *served) stop() {
	s.h.t.Helper()
	s.signal(syscall.SIGTERM)
	s.over()
}

// over waits for the daemon's end, which is a good one.
func (s *served) over() {
	s.h.t.Helper()
	if err := s.cmd.Wait(); err != nil {
		s.h.t.Errorf("hob serve ended badly: %v\n%s", err, s.said())
	}
}

// slow is a command that has begun when the file "begun" is there, ends when "go" is, and does its work once.
const slow = "run touch begun; until [ -e go ]; do sleep 0.02; done; echo once >> done"

// patient is a configuration of a daemon that waits for a tool for as long as a test does.
const patient = "[serve]\ndrain = \"10m\"\n"

// needsWalls skips a test that runs commands where there is no sandbox.
func needsWalls(t *testing.T) {
	if sandbox.New(sandbox.Config{}).Tier(context.Background()) == sandbox.T4 {
		t.Skip("there is no sandbox here: no command runs")
	}
}

func (h *house) doneOnce(chat event.Chat) {
	h.t.Helper()
	all := strings.Join(h.journal(chat), "\n")
	if strings.Contains(all, "unknown") || strings.Count(all, "returned true") != 1 || strings.Count(all, "ended done") != 1 {
		h.t.Errorf("what happened is\n%s", all)
	}
	if text, err := os.ReadFile(h.path("done")); err != nil || string(text) != "once\n" {
		h.t.Errorf("the tool did %q, %v", text, err)
	}
}
