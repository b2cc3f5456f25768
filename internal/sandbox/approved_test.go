//go:build linux

package sandbox_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/sandbox"
	"hob/internal/sandbox/sandboxtest"
)

// swaps is how often a file is swapped in each place.
func swaps() int {
	if os.Getenv("HOB_TEST_FULL") != "" {
		return 100
	}
	return 5
}

// walledTiers runs a test in each tier that has walls.
func walledTiers(t *testing.T, f func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier)) {
	t.Helper()
	sandboxtest.Ordinary(t)
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3} {
		t.Run(tier.String(), func(t *testing.T) { f(t, box(t, tier), tier) })
	}
}

// talk is a command that is spoken to line by line.
type talk struct {
	*sandbox.Process

	lines *bufio.Reader
}

func startTalk(t *testing.T, s *sandbox.Sandbox, p sandbox.Policy, c sandbox.Command) talk {
	t.Helper()
	one, err := tryTalk(t, s, p, c)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

func tryTalk(t *testing.T, s *sandbox.Sandbox, p sandbox.Policy, c sandbox.Command) (talk, error) {
	out, in := io.Pipe()
	c.Open = true
	c.Live = func(_ int, p []byte) { _, _ = in.Write(p) }
	process, err := s.Start(t.Context(), p, c)
	if err != nil {
		return talk{}, err
	}
	go func() { <-process.Done(); in.Close() }()
	t.Cleanup(func() { out.Close(); process.Stop() })
	return talk{process, bufio.NewReader(out)}, nil
}

func (one talk) say(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(one.Input(), line+"\n"); err != nil {
		t.Error(err)
	}
}

func (one talk) hear(t *testing.T, want string) {
	t.Helper()
	if got, err := one.lines.ReadString('\n'); strings.TrimSpace(got) != want {
		t.Fatalf("%q, %v; want %q", got, err, want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// approve binds a command to the files as they are now, with copies of them where copied.
func approve(t *testing.T, copied bool, paths ...string) *sandbox.Approved {
	return &sandbox.Approved{Look: func(context.Context) (all []sandbox.Pinned, err error) {
		for _, path := range paths {
			one := sandbox.Pinned{Path: path, Mode: 0o755}
			if copied {
				data, err := os.ReadFile(path)
				if err != nil {
					return nil, err
				}
				hidden := filepath.Join(t.TempDir(), "copy")
				write(t, hidden, string(data))
				if one.Copy, err = os.Open(hidden); err != nil {
					return nil, err
				}
			}
			all = append(all, one)
		}
		return all, nil
	}}
}

// places are where in a command's life its file is swapped: it says "now" and then waits for a line. The script is the whole
// of x.sh, and swapped is what an attacker would have run.
var places = map[string]struct{ command, shown, swapped string }{
	"before the exec":           {"echo now; read go; exec ./x.sh", "#!/bin/sh\necho shown\n", "#!/bin/sh\necho swapped\n"},
	"between the exec and open": {"exec sh -c 'echo now; read go; . ./x.sh'", "echo shown\n", "echo swapped\n"},
	"in the middle of reading": {
		"exec sh x.sh", "echo now; read go\n" + strings.Repeat("# "+strings.Repeat("-", 60)+"\n", 4000) + "echo shown\n",
		"echo now; read go\n" + strings.Repeat("# "+strings.Repeat("-", 60)+"\n", 4000) + "echo swapped\n",
	},
}

// Whoever writes into a file that an approved command runs, on the host too, changes nothing of what runs: it is a copy that
// nobody can reach.
func TestApproved_RunsItsCopy(t *testing.T) {
	walledTiers(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T3 {
			t.Skip("not in this tier: it has no mounts of its own")
		}
		for name, place := range places {
			t.Run(name, func(t *testing.T) {
				p, dir := policy(t, nil)
				path := filepath.Join(dir, "sub", "x.sh")
				if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				for range swaps() {
					write(t, path, place.shown)
					c := sh("cd sub; " + place.command)
					c.Approved = approve(t, true, path)
					one := startTalk(t, s, p, c)
					one.hear(t, "now")
					write(t, path, place.swapped)
					one.say(t, "go")
					one.hear(t, "shown")
					one.Wait()
				}
			})
		}
		for _, how := range []string{"rename", "remove"} {
			p, dir := policy(t, nil)
			path := filepath.Join(dir, "x.sh")
			write(t, path, "echo shown\n")
			write(t, path+"2", "echo swapped\n")
			c := sh("echo now; read go; . ./x.sh")
			c.Approved = approve(t, true, path)
			one := startTalk(t, s, p, c)
			one.hear(t, "now")
			var err error
			if how == "rename" {
				err = os.Rename(path+"2", path)
			} else {
				err = os.Remove(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			if o := one.Wait(); o.Over != sandbox.OverReplaced { // before it opens what is there now
				t.Errorf("%s: %+v", how, o)
			}
		}
		p, dir := policy(t, nil)
		write(t, filepath.Join(dir, "x.sh"), "echo more >>x.sh || echo no; rm -f x.sh || echo no; mv x.sh y || echo no; chmod 777 x.sh || echo no; id -u")
		c := sh("sh x.sh 2>/dev/null")
		c.Approved = approve(t, true, filepath.Join(dir, "x.sh"))
		if o := run(t, s, p, c); o.Stdout.String() != strings.Repeat("no\n", 4)+strconv.Itoa(os.Getuid())+"\n" {
			t.Errorf("%q %q", o.Stdout.String(), o.Stderr.String())
		}
	})
}

// Nothing that runs beside an approved command can put another file, or another folder, in the place of what it runs: it is
// frozen until that has ended, and then goes on.
func TestApproved_NothingElseRuns(t *testing.T) {
	walledTiers(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		for name, place := range places {
			for _, copied := range []bool{true, false} {
				t.Run(name+", copied "+strconv.FormatBool(copied), func(t *testing.T) {
					p, dir := policy(t, nil)
					path := filepath.Join(dir, "sub", "x.sh")
					swap := map[bool]string{true: "mv -f evil sub/x.sh", false: "mv sub old; mkdir sub; mv evil sub/x.sh; rm -r old"}
					process := startTalk(t, s, p, sh("while read how; do case $how in file) "+swap[true]+";; *) "+swap[false]+";; esac; echo swapped it; done"))
					for i := range swaps() {
						if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
							t.Fatal(err)
						}
						write(t, path, place.shown)
						write(t, filepath.Join(dir, "evil"), place.swapped)
						c := sh("cd sub; " + place.command)
						c.Approved = approve(t, copied, path)
						one := startTalk(t, s, p, c)
						one.hear(t, "now")
						process.say(t, []string{"file", "folder"}[i%2])
						one.say(t, "go")
						one.hear(t, "shown")
						one.Wait()
						process.hear(t, "swapped it")
					}
				})
			}
		}
	})
}

// What does not want to be frozen is: those that fork, those that wake each other, those that wait for a child, and many.
func TestApproved_FreezesWhoDoesNotWantTo(t *testing.T) {
	walledTiers(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		for name, script := range map[string]string{
			"forks": "while :; do (:); echo x >>log; done",
			"wakes": "me=$$; (while :; do kill -CONT $me; echo x >>log; done) & while :; do kill -CONT $!; echo x >>log; done",
			"execs": "while :; do /bin/true; echo x >>log; done",
			"many":  "for i in 1 2 3 4 5 6 7 8; do (while :; do echo x >>log; done) & done; wait",
		} {
			t.Run(name, func(t *testing.T) {
				p, dir := policy(t, nil)
				log := filepath.Join(dir, "log")
				process := startTalk(t, s, p, sh("trap '' TERM; echo began; "+script))
				process.hear(t, "began")
				size := func() int64 {
					info, err := os.Stat(log)
					if err != nil {
						return 0
					}
					return info.Size()
				}
				for range swaps() {
					for before := size(); size() <= before; { // it goes on
						<-time.After(time.Millisecond)
					}
					var before int64
					c := sh("read go")
					c.Approved = &sandbox.Approved{Look: func(context.Context) ([]sandbox.Pinned, error) {
						before = size()
						return nil, nil
					}}
					one := startTalk(t, s, p, c)
					for range 50 {
						if now := size(); now != before {
							t.Fatalf("it wrote on: %d bytes, then %d", before, now)
						}
					}
					one.say(t, "go")
					one.Wait()
				}
			})
		}
	})
}

// A command that may not run holds nobody up.
func TestApproved_MayNotRun(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, nil)
		process := startTalk(t, s, p, sh("while read line; do echo \"$line\"; done"))
		no := errors.New("it has changed")
		c := sh("echo ran")
		c.Approved = &sandbox.Approved{Look: func(context.Context) ([]sandbox.Pinned, error) { return nil, no }}
		if _, err := s.Run(t.Context(), p, c); !errors.Is(err, no) {
			t.Error(err)
		}
		process.say(t, "on")
		process.hear(t, "on")
		if o := run(t, s, p, sh("echo free")); o.Stdout.String() != "free\n" {
			t.Errorf("%+v", o)
		}
	})
}

// What would write waits for an approved command, and for its turn no longer than it is wanted.
func TestApproved_OthersWait(t *testing.T) {
	everywhere(t, func(t *testing.T, s *sandbox.Sandbox, _ sandbox.Tier) {
		p, _ := policy(t, nil)
		c := sh("echo runs; read go")
		c.Approved = approve(t, false)
		one := startTalk(t, s, p, c)
		one.hear(t, "runs")
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := s.Run(ended, p, sh("echo ran")); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := s.Writing(ended); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := s.Run(ended, p, c); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		next := make(chan error, 1)
		go func() {
			done, err := s.Writing(t.Context())
			if err == nil {
				done()
			}
			next <- err
		}()
		one.say(t, "go")
		if err := <-next; err != nil {
			t.Error(err)
		}
		<-one.Done()
	})
}

// A command that was approved and lives long holds nobody up; what starts later cannot change what it runs.
func TestApproved_Lasting(t *testing.T) {
	walledTiers(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		p, dir := policy(t, nil)
		path := filepath.Join(dir, "sub", "x.sh")
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, "echo shown\n")
		lasting := func() sandbox.Command {
			c := sh("cd sub; echo now; while read go; do . ./x.sh; done")
			c.Approved = approve(t, true, path)
			c.Approved.Lasting = true
			return c
		}
		other := startTalk(t, s, p, sh("read go"))
		if _, err := tryTalk(t, s, p, lasting()); err == nil || !strings.Contains(err.Error(), "stop the processes that run") {
			t.Error(err)
		}
		other.say(t, "go")
		other.Wait()
		one := startTalk(t, s, p, lasting())
		one.hear(t, "now")
		if !s.Pinned(path) || !s.Pinned(filepath.Dir(path)) || s.Pinned(filepath.Join(dir, "y")) {
			t.Error("it is not known what it runs")
		}
		attack := sh("echo evil >y; mv -f y sub/x.sh; echo evil >sub/x.sh; mv sub old; mkdir -p sub; echo evil >sub/x.sh; rm -rf sub old; ls sub")
		o, err := s.Run(t.Context(), p, attack)
		switch {
		case tier == sandbox.T3:
			if err == nil || !strings.Contains(err.Error(), "stop the process first") {
				t.Errorf("%+v, %v", o, err)
			}
		case err != nil || !strings.Contains(o.Stdout.String(), "x.sh"):
			t.Errorf("%v %q %q", err, o.Stdout.String(), o.Stderr.String())
		}
		one.say(t, "go")
		one.hear(t, "shown")
		one.Stop()
		if o := run(t, s, p, sh("echo echo evil >sub/x.sh && . sub/x.sh")); o.Stdout.String() != "evil\n" {
			t.Errorf("%+v", o)
		}
	})
}

// Two processes take turns, by a file: what one runs and what the other was allowed to run never run together.
func TestApproved_OtherProcesses(t *testing.T) {
	p, dir := policy(t, nil)
	cfg := sandbox.Config{Only: sandbox.T4, Unsandboxed: true, Workspace: dir, Lock: filepath.Join(t.TempDir(), "lock")}
	a, b := sandbox.New(cfg), sandbox.New(cfg)
	approved := sh("echo approved; read go")
	approved.Approved = approve(t, false)
	process := startTalk(t, a, p, sh("echo process; read go"))
	process.hear(t, "process")
	began := make(chan talk)
	go func() {
		one, err := tryTalk(t, b, p, approved)
		if err != nil {
			t.Error(err)
		}
		began <- one
	}()
	process.say(t, "go")
	one := <-began
	one.hear(t, "approved")
	if process.Wait().Exit != 0 {
		t.Error("it was not waited for")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := a.Run(ended, p, sh("echo beside")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := a.Writing(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	one.say(t, "go")
	one.Wait()
	if o := run(t, a, p, sh("echo after")); o.Stdout.String() != "after\n" {
		t.Errorf("%+v", o)
	}
}
