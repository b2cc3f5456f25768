package watch_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// modeOf is the mode of a file in the workspace.
func (w watched) modeOf(rel string) fs.FileMode {
	w.T.Helper()
	info, err := os.Lstat(filepath.Join(w.Dir, rel))
	if err != nil {
		w.T.Fatal(err)
	}
	return info.Mode()
}

func (w watched) chmod(rel string, mode fs.FileMode) {
	w.T.Helper()
	if err := os.Chmod(filepath.Join(w.Dir, rel), mode); err != nil {
		w.T.Fatal(err)
	}
}

// A command in walls cannot leave a set-uid shell to the machine, neither at once nor in the background.
func TestWatch_NoSetuidShell(t *testing.T) {
	toolstest.Tiers(t, func(t *testing.T, box *sandbox.Sandbox) {
		w := newWatched(t, box)
		res := w.run("cp /bin/sh b; chmod 4755 b; chmod 755 .")
		if !strings.Contains(res.Text, "not permitted") || strings.Contains(res.Text, "[") {
			t.Errorf("it reads %q", res.Text)
		}
		if mode := w.modeOf("b"); mode != 0o755 {
			t.Errorf("b is %v", mode)
		}
	})
}

const rightsRemoved = "\n[the set-uid and set-gid bits and capabilities were removed from "

// What a command without walls leaves set-uid is not so any more when it has ended, and that is said.
func TestWatch_RemovesRights(t *testing.T) {
	for name, c := range map[string]struct {
		command, told string
		want          map[string]fs.FileMode
	}{
		"set-uid":                {"cp /bin/sh b; chmod 4755 b", "b", map[string]fs.FileMode{"b": 0o755}},
		"set-gid":                {"cp /bin/sh b; chmod 2711 b", "b", map[string]fs.FileMode{"b": 0o711}},
		"not executable":         {"echo >b; chmod 6644 b", "b", map[string]fs.FileMode{"b": 0o644}},
		"not readable":           {"cp /bin/sh b; chmod 4111 b", "b", map[string]fs.FileMode{"b": 0o111}},
		"what is there":          {"chmod u+s old", "old", map[string]fs.FileMode{"old": 0o755}},
		"another name":           {"cp /bin/sh b; chmod 4755 b; ln b c; mkdir d; mv b d/b", "c, d/b", map[string]fs.FileMode{"c": 0o755, "d/b": 0o755}},
		"an odd name":            {"cp /bin/sh '[x] y'; chmod 4755 '[x] y'", `"[x] y"`, map[string]fs.FileMode{"[x] y": 0o755}},
		"a file half written":    {"cp /bin/sh " + tree.TempPrefix + "x; chmod 4755 " + tree.TempPrefix + "x", tree.TempPrefix + "x", map[string]fs.FileMode{tree.TempPrefix + "x": 0o755}},
		"a folder":               {"mkdir -p d/e; chmod g+s d; mkdir d/f; chmod u+s,+t d/e", "d, d/e, d/f", map[string]fs.FileMode{"d": fs.ModeDir | 0o755, "d/e": fs.ModeDir | fs.ModeSticky | 0o755, "d/f": fs.ModeDir | 0o755}},
		"the workspace":          {"chmod g+s .", ".", map[string]fs.FileMode{".": fs.ModeDir | 0o755}},
		"many":                   {"for n in 1 2 3 4 5 6 7; do cp /bin/sh $n; chmod u+s $n; done", "1, 2, 3, 4, 5 and 2 more", map[string]fs.FileMode{"7": 0o755}},
		"folders of a group":     {"mkdir team/new team/old/new; mv team/old team/moved; chmod 2700 team", "", map[string]fs.FileMode{"team": fs.ModeDir | fs.ModeSetgid | 0o700, "team/new": fs.ModeDir | fs.ModeSetgid | 0o755, "team/moved": fs.ModeDir | fs.ModeSetgid | 0o755, "team/moved/new": fs.ModeDir | fs.ModeSetgid | 0o755}},
		"in a folder of a group": {"chmod u+s team; chmod g+s plain; mv plain team/plain; cp /bin/sh team/b; chmod g+s team/b", "team, team/b, team/plain", map[string]fs.FileMode{"team": fs.ModeDir | fs.ModeSetgid | 0o755, "team/plain": fs.ModeDir | 0o755, "team/b": 0o755}},
		"nothing":                {"cp /bin/sh b; chmod 1755 b; ln -s /bin/su c; ln -s b d", "", map[string]fs.FileMode{"b": 0o755 | fs.ModeSticky}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWatched(t, plain{})
			w.Put("ws/old", "#!/bin/sh\n")
			w.chmod("old", 0o755)
			w.chmod(".", 0o755)
			for _, dir := range []string{"team", "team/old", "plain"} {
				if err := os.Mkdir(filepath.Join(w.Dir, dir), 0o755); err != nil {
					t.Fatal(err)
				}
				if w.chmod(dir, 0o755); dir != "plain" {
					w.chmod(dir, 0o755|fs.ModeSetgid)
				}
			}
			res := w.run("umask 022; %s", c.command)
			for rel, want := range c.want {
				if mode := w.modeOf(rel); mode != want {
					t.Errorf("%s is %v, want %v", rel, mode, want)
				}
			}
			_, told, found := strings.Cut(res.Text, rightsRemoved)
			if told, _, _ = strings.Cut(told, ": nothing in the workspace"); found != (c.told != "") || told != c.told {
				t.Errorf("the model reads %q", res.Text)
			}
			if got := strings.Contains(res.Effects[0].Detail, "; removed set-uid from "); got != found {
				t.Errorf("the receipt says %q", res.Effects[0].Detail)
			}
			if again := w.run("true").Text; strings.Contains(again, "[") {
				t.Errorf("the next one reads %q", again)
			}
			if len(w.Log.List()) == 0 {
				return
			}
			w.undoLast() // what is taken back, and made again, is so without the rights
			w.Undo(w.Log, changes.Options{}, changes.Together(w.Log.List(), []int64{w.Log.List()[0].ID})...)
			for rel, want := range c.want {
				if mode := w.modeOf(rel); mode != want && mode.IsRegular() {
					t.Errorf("after undo and redo %s is %v, want %v", rel, mode, want)
				}
			}
		})
	}
}

// What has a name outside of the workspace is left alone: root's hob must not take the bit from a program of the machine.
func TestWatch_LeavesRightsOfOthers(t *testing.T) {
	w := newWatched(t, plain{})
	outside := filepath.Join(filepath.Dir(w.Dir), "su")
	if err := errors.Join(os.WriteFile(outside, []byte("x"), 0o755), os.Chmod(outside, 0o755|fs.ModeSetuid)); err != nil {
		t.Fatal(err)
	}
	res := w.run("ln ../su linked; ln -s ../su away")
	if info, err := os.Stat(outside); err != nil || info.Mode()&fs.ModeSetuid == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if want := "capabilities of linked could not be removed: it has another name outside of the workspace]"; !strings.Contains(res.Text, want) {
		t.Errorf("the model reads %q", res.Text)
	}
}

// planting is a sandbox in which something comes about while a command runs, as if the walls had a hole.
type planting struct {
	shell.Sandbox

	plant func()
}

func (p *planting) Run(ctx context.Context, policy sandbox.Policy, c sandbox.Command) (sandbox.Outcome, error) {
	out, err := p.Sandbox.Run(ctx, policy, c)
	p.plant()
	return out, err
}

// What is found after a command in walls is removed as well, file capabilities included, in whatever form they are.
func TestWatch_RemovesWhatWallsLetThrough(t *testing.T) {
	toolstest.Tiers(t, func(t *testing.T, box *sandbox.Sandbox) {
		p := &planting{Sandbox: box}
		w := newWatched(t, p)
		p.plant = func() {
			w.Put("ws/b", "x")
			w.chmod("b", 0o755|fs.ModeSetuid)
		}
		if res := w.run("true"); !strings.Contains(res.Text, rightsRemoved+"b: ") || w.modeOf("b") != 0o755 {
			t.Errorf("b is %v; the model reads %q", w.modeOf("b"), res.Text)
		}
		if os.Getuid() != 0 {
			return // only root can set any
		}
		value := binary.LittleEndian.AppendUint32(nil, 0x03000001)
		value = append(value, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0)
		for _, user := range []int{0, 65534} {
			p.plant = func() {
				path := filepath.Join(w.Dir, "b")
				err := errors.Join(os.Chown(path, user, user), unix.Setxattr(path, "security.capability", binary.LittleEndian.AppendUint32(value, uint32(user)), 0))
				if err != nil {
					t.Fatal(err)
				}
			}
			if res := w.run("true"); !strings.Contains(res.Text, rightsRemoved+"b: ") {
				t.Errorf("the model reads %q", res.Text)
			}
			if _, err := unix.Getxattr(filepath.Join(w.Dir, "b"), "security.capability", nil); !errors.Is(err, unix.ENODATA) {
				t.Errorf("they are there: %v", err)
			}
		}
	})
}

// A name that comes to lead elsewhere between the look at it and the change changes nothing elsewhere.
func TestWatch_RightsAreRemovedFromWhatWasSeen(t *testing.T) {
	w := newWatched(t, plain{})
	w.Put("su", "x")
	if err := os.Chmod(filepath.Join(w.Base, "su"), 0o755|fs.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		b, aside := filepath.Join(w.Dir, "b"), filepath.Join(w.Dir, "aside")
		for {
			select {
			case <-over:
				return
			default:
			}
			_ = os.WriteFile(aside, nil, 0o755)
			_ = os.Chmod(aside, 0o755|fs.ModeSetuid)
			_ = os.Rename(aside, b)
			_ = os.Symlink("../su", aside)
			_ = os.Rename(aside, b)
		}
	})
	for range 50 {
		w.run("true")
	}
	close(over)
	swapping.Wait()
	if info, err := os.Stat(filepath.Join(w.Base, "su")); err != nil || info.Mode()&fs.ModeSetuid == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Of a process it is said when it is read, or else when its turn is over, once.
func TestWatch_RemovesRightsOfProcesses(t *testing.T) {
	for _, read := range []bool{true, false} {
		w, _ := filestest.NewKept(t)
		processes := shell.NewProcesses(shell.ProcessesConfig{Now: time.Now})
		t.Cleanup(processes.Close)
		s := shellAt(t, shell.Config{
			Sandbox: sandbox.New(sandbox.Config{Only: sandbox.T4, Unsandboxed: true}), Unsandboxed: true,
			Dir: w.Dir, Watch: w.Files.Watch(), Background: processes,
		})
		ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main"})
		args := []byte(`{"command":"cp /bin/sh b; chmod 4755 b; touch up; exec sleep 600","background":true}`)
		if res, err := tools.Call(ctx, s.Tool(), args); err != nil || strings.Contains(res.Text, rightsRemoved) {
			t.Fatalf("%q, %v", res.Text, err)
		}
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			if _, err := os.Stat(filepath.Join(w.Dir, "up")); err == nil {
				break
			}
			<-tick.C
		}
		const told = "[the set-uid and set-gid bits and capabilities were removed from b: "
		if read {
			if res, err := tools.Call(ctx, processes.Tool(), []byte(`{"id":1,"stop":true}`)); err != nil || !strings.Contains(res.Text, "\n"+told) {
				t.Errorf("%q, %v", res.Text, err)
			}
		}
		lines := strings.Join(processes.End(ctx, "main", event.Done), "\n")
		if got := strings.Contains(lines, "process 1: "+told); got == read {
			t.Errorf("read %v: %q", read, lines)
		}
		if lines := processes.Begin(ctx, "main"); len(lines) > 0 {
			t.Errorf("read %v: again %q", read, lines)
		}
		if info, err := os.Stat(filepath.Join(w.Dir, "b")); err != nil || info.Mode() != 0o755 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}
