//go:build linux

package sandbox_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hob/internal/sandbox"
)

// script makes a program for the shell.
func script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Everybody who asks at once gets the same answer, and one who does not wait for it takes nothing from the others.
func TestTier_Once(t *testing.T) {
	box(t, sandbox.T1) // the machine has it
	dir := t.TempDir()
	s := sandbox.New(sandbox.Config{Only: sandbox.T1, Scratch: dir})
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user went away"))
	if tier := s.Tier(gone); tier != sandbox.T4 {
		t.Errorf("it is %s", tier)
	}
	if r := s.Report(gone); r.Tier != sandbox.T4 || len(r.Refused) != 1 || r.Refused[0].Reason != "the user went away" {
		t.Errorf("%+v", r)
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if tier := s.Tier(t.Context()); tier != sandbox.T1 {
				t.Errorf("it is %s", tier)
			}
		})
	}
	all.Wait()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the self-test left %v, %v", left, err)
	}
	r := s.Report(t.Context())
	r.Checks[0].Name = "changed"
	if s.Report(t.Context()).Checks[0].Name == "changed" {
		t.Error("a report is not the caller's own")
	}
}

// Root's processes are held by a control group or by what T1 sets for its namespace. Where there is neither, a fork bomb
// is faster than whoever looks for it.
func TestTier_Root(t *testing.T) {
	r := sandbox.New(sandbox.Config{Only: sandbox.T3, Scratch: t.TempDir()}).Report(t.Context())
	if os.Getuid() != 0 || r.Group == "cgroup" {
		t.Skip("an ordinary user's processes are counted, and so are those of a control group")
	}
	if r.Tier != sandbox.T4 || len(r.Refused) != 1 || !strings.Contains(r.Refused[0].Reason, "fork bomb") || r.Refused[0].Advice == "" {
		t.Errorf("%+v", r)
	}
}

// A tier that does not stop the self-test's attacks is not used, however well it starts. This one shows a folder too
// many.
func TestTier_Leaky(t *testing.T) {
	box(t, sandbox.T2)
	scratch := t.TempDir()
	leaky := script(t, "bwrap", `for a; do shift; [ "$a" = -- ] && set -- "$@" --ro-bind `+scratch+" "+scratch+"\n"+`set -- "$@" "$a"; done; exec `+bwrap()+` "$@"`)
	s := sandbox.New(sandbox.Config{Only: sandbox.T2, Bwrap: leaky, Scratch: scratch, Unsandboxed: true})
	r := s.Report(t.Context())
	if r.Tier != sandbox.T4 || len(r.Refused) != 1 || !strings.HasPrefix(r.Refused[0].Reason, "it did not stop an attack of the self-test: read secrets: ") {
		t.Fatalf("%+v", r)
	}
	p, dir := policy(t, nil)
	_, err := s.Run(t.Context(), p, sh("touch ran"))
	if !errors.Is(err, sandbox.ErrOff) || !strings.HasPrefix(err.Error(), "commands are switched off: this machine gives no sandbox (T2: it did not stop") {
		t.Error(err) // although Unsandboxed: who asks for T2 gets no less
	}
	if _, err := os.Stat(dir + "/ran"); err == nil {
		t.Error("it ran")
	}
}

// A tier that stops working is not left for a weaker one.
func TestTier_StopsWorking(t *testing.T) {
	box(t, sandbox.T2)
	broken := filepath.Join(t.TempDir(), "broken")
	wrapper := script(t, "bwrap", "[ -e "+broken+" ] && { echo no more namespaces >&2; exit 1; }\nexec "+bwrap()+` "$@"`)
	s := sandbox.New(sandbox.Config{Bwrap: wrapper, Scratch: t.TempDir(), Only: sandbox.T2, Unsandboxed: true})
	p, dir := policy(t, nil)
	if o := run(t, s, p, sh("exit 3")); o.Exit != 3 || o.Tier != sandbox.T2 {
		t.Fatalf("%+v", o)
	}
	if err := os.WriteFile(broken, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := s.Run(t.Context(), p, sh("touch ran"))
	want := "build the sandbox's walls (start): the helper ended before they stood: exit status 1; it said: no more namespaces"
	if err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	if _, err := os.Stat(dir + "/ran"); err == nil {
		t.Error("it ran")
	}
}

// Without walls commands run only where the owner allows it.
func TestTier_Off(t *testing.T) {
	p, _ := policy(t, nil)
	for _, c := range []struct {
		allowed bool
		want    error
	}{{true, nil}, {false, sandbox.ErrOff}} {
		s := sandbox.New(sandbox.Config{Only: sandbox.T4, Unsandboxed: c.allowed})
		if tier := s.Tier(t.Context()); tier != sandbox.T4 {
			t.Errorf("it is %s", tier)
		}
		if _, err := s.Run(t.Context(), p, sh("true")); !errors.Is(err, c.want) {
			t.Errorf("allowed %v: %v", c.allowed, err)
		}
	}
	s := sandbox.New(sandbox.Config{Only: sandbox.T2, Bwrap: "/nowhere/bwrap"})
	want := sandbox.Refusal{Tier: sandbox.T2, Reason: "bubblewrap is not installed", Advice: "install bubblewrap"}
	if r := s.Report(t.Context()); len(r.Refused) != 1 || r.Refused[0] != want {
		t.Errorf("%+v", r.Refused)
	}
}

// The strongest tier is taken when nothing else is asked for.
func TestTier_Strongest(t *testing.T) {
	box(t, sandbox.T1)
	s := sandbox.New(sandbox.Config{Scratch: t.TempDir()})
	r := s.Report(t.Context())
	if r.Tier != sandbox.T1 || len(r.Refused) != 0 || len(r.Checks) < 8 || r.Ruleset < 1 || r.Root != (os.Getuid() == 0) {
		t.Errorf("%+v", r)
	}
	for _, c := range r.Checks {
		if !c.Holds || c.Found != "blocked" {
			t.Errorf("%+v", c)
		}
	}
}

// Where something is not promised the report says so, and the tier is in force all the same.
func TestReport_Weakness(t *testing.T) {
	s := box(t, sandbox.T3)
	weak := map[string]string{}
	for _, c := range s.Report(t.Context()).Checks {
		if !c.Holds {
			weak[c.Name] = c.Found
		}
	}
	for name, words := range map[string]string{
		"look at secrets (stat)": "Landlock", "write git hooks and settings": "possible, Landlock protects nothing in a folder that can be written",
	} {
		if !strings.Contains(weak[name], words) {
			t.Errorf("%s: %q", name, weak[name])
		}
	}
}

// With bombs, too.
func TestExamine(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := box(t, sandbox.T1)
	quick := s.Report(t.Context())
	r, err := s.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Checks) <= len(quick.Checks) {
		t.Errorf("%d properties, and %d in the self-test", len(r.Checks), len(quick.Checks))
	}
	for _, c := range r.Checks {
		if !c.Holds {
			t.Errorf("%+v", c)
		}
	}
}
