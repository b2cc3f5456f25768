package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot work of the configuration is off, named, and back when hob starts after it was mended. The rest works. An API without a
// token that is for one alone listens nowhere.
func TestServe_StartsWithWhatWorks(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0") // another program
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	taken, free := other.Addr().String(), freeAddress(t)
	key := filepath.Join(t.TempDir(), "key")
	api := func(at string) string { return fmt.Sprintf("[api]\nlisten = %q\ntoken_file = %q\n", at, key) }
	writeKey := func(mode os.FileMode) func(*house) {
		return func(h *house) {
			if err := os.WriteFile(key, []byte("0123456789abcdef-of-this-test\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(key, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	sentence := func(args string) func(*house) {
		return func(h *house) {
			text := "[[sentence]]\nsay = [\"bins\"]\ntool = \"note_add\"\nargs = { text = \"" + args + "\" }\n"
			if err := os.WriteFile(filepath.Join(filepath.Dir(h.config), "sentences.toml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	nothing := func(*house) {}
	for name, c := range map[string]struct {
		config      string
		spoil, mend func(*house)
		mended      string // the configuration then
		problem     string
	}{
		"a sentence":            {"", sentence("{x}"), sentence("the bins are out"), "", "sentences.toml: sentence \"bins\": text is {x}, and no way to say it has that slot"},
		"no token is named":     {"[api]\nlisten = \"" + free + "\"\n", nothing, writeKey(0o600), api(free), "[api] listen needs [api] token_file"},
		"no file with a token":  {api(free), func(*house) { _ = os.Remove(key) }, writeKey(0o600), api(free), "there is no file " + key},
		"a token for others":    {api(free), writeKey(0o644), writeKey(0o600), api(free), "chmod 600 " + key},
		"the port of the API":   {api(taken), writeKey(0o600), nothing, api(free), "[api] listen: another program has " + taken + ": end that, or choose another port"},
		"the port of the page":  {"[page]\nlisten = \"" + taken + "\"\n", nothing, nothing, "[page]\nlisten = \"" + free + "\"\n", "[page] listen: another program has " + taken},
		"a mistake in the page": {"[page]\nlisten = \"" + taken + "\"\n", nothing, nothing, "", "The page: it stays closed"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, newFakeOllama(t).URL)
			h.configure(c.config)
			c.spoil(h)
			s := h.serve()
			s.says("does not work")
			if out := h.hob("ask", "good morning"); !strings.Contains(out, "Good evening.") {
				t.Errorf("it answers %q", out)
			}
			if _, err := net.Dial("tcp", free); err == nil {
				t.Error("it listens")
			}
			if out := h.hob("status"); !strings.Contains(out, "\nproblem   ") || !strings.Contains(out, c.problem) {
				t.Errorf("status says\n%s", out)
			}
			out, err := h.command("doctor").CombinedOutput()
			if err == nil || !strings.Contains(string(out), "FAIL serve: hob serve") || !strings.Contains(string(out), c.problem) {
				t.Errorf("doctor says %v\n%s", err, out)
			}
			s.stop()
			h.configure(c.mended)
			c.mend(h)
			s = h.serve()
			if out := h.hob("status"); strings.Contains(out, "\nproblem ") || strings.Contains(s.said(), "does not work") {
				t.Errorf("mended, status says\n%s\nand the log\n%s", out, s.said())
			}
			s.stop()
		})
	}
}

// Where the page of the configuration could not open, hob page opens that one, and no other.
func TestServe_OpensThePageLater(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := other.Addr().String()
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure("[page]\nlisten = \"" + at + "\"\n")
	s := h.serve()
	if out, err := h.command("page").CombinedOutput(); err == nil || !strings.Contains(string(out), "another program has "+at) {
		t.Errorf("while the port is taken: %v\n%s", err, out)
	}
	other.Close()
	if out := h.hob("page"); !strings.Contains(out, ":"+strings.TrimPrefix(at, "127.0.0.1:")+"/sign-in#") {
		t.Errorf("hob page says\n%s", out)
	}
	if out := h.hob("status"); strings.Contains(out, "problem") {
		t.Errorf("status says\n%s", out)
	}
	s.stop()
}
