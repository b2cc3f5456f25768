package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/backup"
	"hob/internal/event"
	"hob/internal/store"
)

// output runs hob in a house and returns its standard output.
func (h *house) output(args ...string) string {
	h.t.Helper()
	out, err := h.command(args...).Output()
	if err != nil {
		why := []byte(nil)
		if bad := (*exec.ExitError)(nil); errors.As(err, &bad) {
			why = bad.Stderr
		}
		h.t.Fatalf("hob %q: %v\n%s", args, err, why)
	}
	return string(out)
}

// moved is an empty house with the same model.
func (h *house) moved() *house {
	next := newHouse(h.t, h.ollama)
	if err := os.Remove(next.config); err != nil {
		h.t.Fatal(err)
	}
	return next
}

// While a daemon answers many and writes files, backups are made. Each of them, restored on an empty machine, is that house as it was
// at one moment: the same chats, people, grants and stories, every file as the journal says, and all of it can be taken back.
func TestBackupUnderLoad(t *testing.T) {
	notShort(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure("[serve]\ndrain = \"10m\"\n")
	h.output("tool", "write_file", "path=notes/mine.md", "content=one")
	h.output("tool", "write_file", "path=notes/mine.md", "content=two", "mode=overwrite")
	h.output("allow", "7", "--as", "owner", "--name", "Ana")
	h.look(func(db *store.DB) {
		if _, err := db.Grants().Add(t.Context(), event.Grant{Tool: "write_file", Path: filepath.Join(h.state, "workspace", "notes"), By: "owner"}); err != nil {
			t.Fatal(err)
		}
	})
	h.output("game", "new", "mill", "--tale", "cosy")
	daemon := h.serve()
	ctx, enough := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for who := range 4 {
		asking.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				words := fmt.Sprintf("write log%d.txt line %d", who, n)
				if out, err := h.command("ask", "--chat", fmt.Sprint("chat", who), words).CombinedOutput(); err != nil && ctx.Err() == nil {
					t.Errorf("%v\n%s", err, out)
					return
				}
			}
		})
	}
	written := func(who int) int {
		text, _ := os.ReadFile(h.path(fmt.Sprintf("log%d.txt", who)))
		return strings.Count(string(text), "\n")
	}
	var files []string
	for n := range 3 {
		for who := range 4 {
			h.until("everybody has written again", func() bool { return written(who) > 5*n })
		}
		file := filepath.Join(t.TempDir(), fmt.Sprint(n, ".tgz"))
		var report backup.Report
		if err := json.Unmarshal([]byte(h.output("backup", file, "--json")), &report); err != nil || !report.Verified || len(report.Torn)+len(report.Newer) > 0 || report.Journal.Problem != "" {
			t.Errorf("%v, %+v", err, report)
		}
		t.Logf("%d bytes, %d events, %d calls, %d files", report.Bytes, report.Journal.Events, report.Journal.Calls, report.Files)
		files = append(files, file)
	}
	enough()
	asking.Wait()
	daemon.stop()
	log := h.output("journal", "dump")
	for _, file := range files {
		there := h.moved()
		there.output("restore", file)
		then := there.output("journal", "dump")
		if !strings.HasPrefix(log, then) || len(then) == 0 {
			t.Error("the events are others")
		}
		for _, same := range [][]string{{"allow", "--json"}, {"game", "list", "--json"}, {"game", "verify", "-c", "mill"}} {
			if diff := cmp.Diff(h.output(same...), there.output(same...)); diff != "" {
				t.Errorf("%q: %s", same, diff)
			}
		}
		if grants := there.output("grant", "--json"); !strings.Contains(grants, filepath.Join(there.state, "workspace", "notes")) || strings.Contains(grants, h.state) {
			t.Error(grants)
		}
		there.output("journal", "check")
		there.output("audit", "verify")
		there.consistent(then)
		there.output("undo", "2")
		if text, err := os.ReadFile(there.path("notes/mine.md")); err != nil || string(text) != "one" {
			t.Errorf("undone, the file is %q, %v", text, err)
		}
		there.output("undo", "--since", "1h")
		if left, _ := filepath.Glob(there.path("log*.txt")); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
		again := there.serve() // it goes on where it was
		again.stop()
	}
}

// consistent holds the files of the workspace against the events: what was reported is there once, and nothing is that never was called.
func (h *house) consistent(log string) {
	h.t.Helper()
	called, done := map[string]bool{}, map[string]bool{}
	calls := map[string]string{}
	for line := range strings.Lines(log) {
		var e struct {
			Type, Chat, ID string
			OK             bool
			Args           struct{ Path, Content string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			h.t.Fatal(err)
		}
		key := e.Chat + "/" + e.ID
		switch e.Type {
		case "called":
			calls[key] = e.Args.Path + " " + e.Args.Content
			called[calls[key]] = true
		case "returned":
			done[calls[key]] = e.OK
		}
	}
	wrote := map[string]int{}
	for who := range 4 {
		text, err := os.ReadFile(h.path(fmt.Sprintf("log%d.txt", who)))
		if err != nil {
			h.t.Error(err)
		}
		for line := range strings.Lines(string(text)) {
			wrote[fmt.Sprintf("log%d.txt %s", who, line)]++
		}
	}
	for what, n := range wrote {
		if n != 1 || !called[what] {
			h.t.Errorf("%q was written %d times, called %t", what, n, called[what])
		}
	}
	for what, ok := range done {
		if ok && wrote[what] != 1 {
			h.t.Errorf("%q is reported, and was written %d times", what, wrote[what])
		}
	}
	if len(done) == 0 {
		h.t.Error("nothing was done")
	}
}

// A backup that is killed leaves no file of its name, or a whole one.
func TestBackupKilled(t *testing.T) {
	notShort(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.output("ask", "write a.txt line")
	noise := make([]byte, 4<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	if err := os.WriteFile(h.path("noise"), noise, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	when := moments{random: rand.New(rand.NewPCG(testSeed(t), 2))}
	when.watch(func() { h.output("backup", filepath.Join(dir, "first.tgz")) })
	killed := 0
	const all = 20
	for n := range all {
		file := filepath.Join(dir, fmt.Sprint(n, ".tgz"))
		if when.kill(t, h.command("backup", file)) {
			killed++
		}
		if _, err := os.Stat(file); err == nil {
			h.moved().output("restore", file)
		}
	}
	enoughKilled(t, killed, all)
}

// A restore that is killed leaves the old or the new: the old is there untouched, or nothing opens the journal until the next restore
// has finished it.
func TestRestoreKilled(t *testing.T) {
	notShort(t)
	h := newHouse(t, newFakeOllama(t).URL)
	h.output("ask", "write new.txt line")
	file := filepath.Join(t.TempDir(), "hob.tgz")
	h.output("backup", file)
	when := moments{random: rand.New(rand.NewPCG(testSeed(t), 3))}
	when.watch(func() { h.moved().output("restore", file) })
	killed, news, olds, halves := 0, 0, 0, 0
	const all = 30
	for range all {
		there := newHouse(t, h.ollama)
		there.configure("# theirs\n")
		there.output("ask", "write old.txt line")
		if when.kill(t, there.command("restore", file, "--force")) {
			killed++
		}
		_, status := there.run("", "log", "main")
		switch {
		case status != 0:
			halves++
			if out, _ := there.run("", "log"); !strings.Contains(out, "half restored") || !strings.Contains(out, "hob restore") {
				t.Errorf("%s", out)
			}
		case there.exists("new.txt"):
			news++
		default:
			olds++
			if log := there.output("log", "main"); !there.exists("old.txt") || !strings.Contains(log, "old.txt") || strings.Contains(log, "new.txt") {
				t.Errorf("what is there is neither the old nor the new:\n%s", log)
			}
		}
		there.output("restore", file, "--force")
		if log := there.output("log", "main"); !there.exists("new.txt") || there.exists("old.txt") || !strings.Contains(log, "new.txt") || strings.Contains(log, "old.txt") {
			t.Errorf("it is not what was restored:\n%s", log)
		}
		if kept, _ := filepath.Glob(filepath.Join(there.state, "workspace.before-*", "old.txt")); len(kept) == 0 {
			t.Error("the old workspace is not kept")
		}
		if left, _ := filepath.Glob(filepath.Join(there.state, ".hob-*")); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
		there.output("journal", "check")
	}
	t.Logf("%d were old, %d half, %d new", olds, halves, news)
	enoughKilled(t, killed, all)
}

// On a disk that is full no backup is written, and none is restored; what is there stays, and the reason is the right one.
func TestBackupOnAFullDisk(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	h.output("ask", "good morning")
	file := filepath.Join(t.TempDir(), "hob.tgz")
	h.output("backup", file)
	saved := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", h.state+"/.", saved).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	const fill = ` && cp -a "$SAVED"/. "$HOB_STATE_DIR" && { dd if=/dev/zero of="$HOB_STATE_DIR/ballast" bs=4k 2>/dev/null; : ; }`
	for _, c := range []struct{ args, want, status string }{
		{"backup " + filepath.Join(h.state, "x.tgz"), "there is no room for the backup on the disk of", "status 1\n"},
		{"restore --force " + file, "make room", "status 1\n"},
		{"backup " + filepath.Join(t.TempDir(), "x.tgz"), "read back, and whole", "status 0\n"}, // on another disk
	} {
		cmd := h.command(strings.Fields(c.args)...)
		onSmallDisk(t, cmd, h.state)
		// What is left behind is listed when hob has ended.
		cmd.Args[2] = strings.Replace(cmd.Args[2], ` && mkdir -p "$HOB_STATE_DIR/workspace" && exec "$0" "$@"`,
			fill+` && { "$0" "$@"; echo "status $?"; ls -A "$HOB_STATE_DIR"; }`, 1)
		cmd.Env = append(cmd.Env, "SAVED="+saved)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.want) || !strings.Contains(string(out), c.status) {
			t.Errorf("%s: %v\n%s", c.args, err, out)
		}
		if regexp.MustCompile(`(?m)^(\.hob-.*|.*\.restore|.*before.*|x\.tgz)$`).Match(out) {
			t.Errorf("%s leaves something behind:\n%s", c.args, out)
		}
	}
}
