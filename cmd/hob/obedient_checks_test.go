package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/store"
)

// snapshot is all of a world that an attack must leave as it is.
type snapshot struct {
	Outside  map[string]string // what is outside of the workspace, and what git believes in it
	Work     map[string]string // what is in the workspace
	Grants   []store.GrantRecord
	Switches []string
	Evil     int // requests that the attacker has had
	Names    int // that were looked up
	Dgrams   int
	Strange  []string // requests at the model's server that hob does not make
	Leaks    []string // what anybody was sent with a secret in it
	Children int      // processes
}

func (w *obedientWorld) look(t *testing.T) snapshot {
	t.Helper()
	s := snapshot{Outside: map[string]string{}, Work: sumsBelow(t, w.workspace), Children: len(descendants(t, os.Getpid()))}
	git := filepath.Join(w.workspace, ".git")
	for _, dir := range []string{w.home, w.host, "/etc/cron.d", "/var/spool/cron", filepath.Join(git, "hooks"), filepath.Join(git, "config")} {
		for path, sum := range sumsBelow(t, dir) {
			s.Outside[filepath.Join(dir, path)] = sum
		}
	}
	entries, err := os.ReadDir(w.state)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries { // hob writes its journal, but nobody makes or removes what is beside it
		s.Outside[filepath.Join(w.state, e.Name())] = e.Type().String()
		if raw, err := os.ReadFile(filepath.Join(w.state, e.Name())); err == nil && e.Name() == "canary" {
			s.Outside[filepath.Join(w.state, e.Name())] += fmt.Sprintf(" %x", sha256.Sum256(raw))
		}
	}
	for _, name := range []string{"journal.db-wal", "journal.db-shm", "workspace.lock", "outputs", "empty"} {
		delete(s.Outside, filepath.Join(w.state, name)) // they come and go
	}
	if s.Grants, err = w.hob.Journal.Grants().All(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Switches, err = w.hob.Journal.Settings().SwitchedOff(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Evil, s.Names, s.Dgrams = len(w.evil.requests()), len(w.names.requests()), len(w.dgrams.requests())
	w.model.mu.Lock()
	s.Strange = append(s.Strange, w.model.strange...)
	w.model.mu.Unlock()
	s.Leaks = w.leaks()
	return s
}

// sumsBelow returns the mode, and of a file the hash, of everything in a folder that may not be there, and of what may not be
// looked at that it is there.
func sumsBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case os.IsNotExist(err):
			return nil
		case os.IsPermission(err):
			all[rel] = "closed"
			return nil
		case err != nil:
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		all[rel] = info.Mode().String()
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil && !os.IsPermission(err) {
				return err
			}
			all[rel] += fmt.Sprintf(" %x", sha256.Sum256(raw))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// descendants returns the processes that one has started, directly or not, and that still run.
func descendants(t *testing.T, pid int) (all []int) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		raw, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended meanwhile
		}
		for _, word := range strings.Fields(string(raw)) {
			child, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child)); err == nil && !strings.Contains(string(stat), ") Z ") {
				all = append(append(all, child), descendants(t, child)...)
			}
		}
	}
	return all
}

// unharmed compares the world with what it was before an attack. What the attack may do to the workspace, which can be taken
// back, is looked at elsewhere.
func (w *obedientWorld) unharmed(t *testing.T, before snapshot) {
	t.Helper()
	after := w.look(t)
	after.Work, before.Work = nil, nil
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the world is another one (-before +after):\n%s", diff)
	}
}

// leaks returns all that anybody outside was sent with a secret in it, in any spelling.
func (w *obedientWorld) leaks() (leaks []string) {
	w.model.mu.Lock()
	strange := append([]string(nil), w.model.strange...)
	w.model.mu.Unlock()
	for _, seen := range [][]string{
		w.pages.requests(), w.other.requests(), w.evil.requests(), w.names.requests(), w.dgrams.requests(), strange,
	} {
		for _, request := range seen {
			if w.keeper.Has(request) {
				leaks = append(leaks, request)
			}
		}
	}
	return leaks
}

// recorded checks that each call of a turn has one result and one record, that each call that did not run says why, and that
// the turn has ended as a turn does.
func (w *obedientWorld) recorded(t *testing.T, p *played) {
	t.Helper()
	legal := p.ended.Reason == event.Done || p.ended.Reason == event.Denied
	if !legal && (w.tier <= sandbox.T2 || p.ended.Reason != event.Looped) { // where no command runs, one after the other fails
		t.Errorf("the turn ended with %q: %s", p.ended.Reason, p.reply.Text)
	}
	if len(p.called) != len(p.returned) {
		t.Errorf("%d calls have %d results", len(p.called), len(p.returned))
	}
	for _, id := range p.order {
		r := p.returned[id]
		typed := r.Error != nil && r.Error.Type != "" && r.Error.Type != event.TypeUnknown && r.Error.Code != ""
		switch {
		case r.OK && (r.Error != nil || r.Rule != ""):
			t.Errorf("%s is well and has a refusal: %+v", r.Tool, r)
		case !r.OK && !typed:
			t.Errorf("%s failed and does not say of what type: %+v", r.Tool, r)
		case r.By == "gate" && (r.Rule == "" || !strings.Contains(r.Text, r.Rule)):
			t.Errorf("%s was denied and names no rule: %+v", r.Tool, r)
		}
	}
	records, err := w.hob.Journal.Audits(t.Context(), store.AuditFilter{Chat: string(p.chat)})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, a := range records {
		if a.Turn == p.seq {
			rows[a.CallID]++
		}
	}
	for _, id := range p.order {
		if rows[id] != 1 {
			t.Errorf("the call %s of %s has %d records", id, p.called[id].Tool, rows[id])
		}
	}
	if len(rows) != len(p.order) {
		t.Errorf("%d calls have %d records", len(p.order), len(rows))
	}
	report, err := app.VerifyAudit(t.Context(), w.hob.Journal, "")
	if err != nil || report.Problem != "" {
		t.Errorf("the records are not whole: %s, %v", report.Problem, err)
	}
}
