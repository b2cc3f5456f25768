package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/race"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// yes is the context of a call that a person has said yes to, as it is now.
func yes(t testing.TB, ctx context.Context, tool tools.Tool, args map[string]any) context.Context {
	t.Helper()
	b, err := bind(t, tool, args)
	if err != nil {
		t.Fatal(err)
	}
	return tools.WithApproved(ctx, b)
}

func call(t testing.TB, ctx context.Context, tool tools.Tool, args map[string]any) (tools.Result, error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return tools.Call(ctx, tool, raw)
}

// lookWalls is a sandbox that runs nothing, and looks at the files of a command as one does.
type lookWalls struct {
	fakeWalls

	seen map[string]string // what would be run, by path; a copy's bytes or "itself"
}

func (l *lookWalls) Run(ctx context.Context, p sandbox.Policy, c sandbox.Command) (sandbox.Outcome, error) {
	l.seen = map[string]string{}
	if c.Approved == nil {
		return l.fakeWalls.Run(ctx, p, c)
	}
	pinned, err := c.Approved.Look(ctx)
	for _, one := range pinned {
		l.seen[one.Path] = "itself"
		if one.Copy != nil {
			data, err := io.ReadAll(one.Copy)
			if err != nil {
				return sandbox.Outcome{}, err
			}
			if _, err := one.Copy.Write([]byte("x")); err == nil {
				return sandbox.Outcome{}, errors.New("a copy can be changed")
			}
			l.seen[one.Path] = string(data)
			one.Copy.Close()
		}
	}
	if err != nil {
		return sandbox.Outcome{}, err
	}
	return l.fakeWalls.Run(ctx, p, c)
}

// What a command runs at once is a copy; what something else in the command may change first, or what is only named, is not.
func TestRunCommand_RunsCopies(t *testing.T) {
	walls := &lookWalls{fakeWalls: fakeWalls{tier: sandbox.T1}}
	tool, dir := bindWorld(t, shell.Config{Sandbox: walls})
	if err := os.Symlink("sub/x.sh", filepath.Join(dir, "link.sh")); err != nil {
		t.Fatal(err)
	}
	x := map[string]string{"x.sh": "x.sh"}
	itself := map[string]string{"x.sh": "itself"}
	none := map[string]string{}
	for command, want := range map[string]map[string]string{
		"sh x.sh":                  x,
		"./x.sh":                   x,
		". ./x.sh":                 x,
		"A=1 sh ./x.sh arg":        x,
		"env A=1 timeout 5 ./x.sh": x,
		"cd . && set -e && ./x.sh": x,
		"sh -c 'while [ ! -e go ]; do sleep 1; done; . ./x.sh'": x,
		"sh x.sh > log":                  x,
		"sh link.sh":                     {"sub/x.sh": "sub/x.sh"},
		"cd sub; ./x.sh":                 {"sub/x.sh": "sub/x.sh", "x.sh": "x.sh"},
		"sh x.sh; python3 sub/deep/y.py": {"x.sh": "x.sh", "sub/deep/y.py": "itself"},
		"make && ./x.sh":                 itself,
		"sed -i s/a/b/ x.sh && sh x.sh":  itself,
		"chmod +x x.sh && ./x.sh":        itself,
		"cat >x.sh <<E\nhi\nE\nsh x.sh":  itself,
		"echo $(rm x.sh); sh x.sh":       itself,
		"sort -o x.sh x.sh":              none,
		"echo more >>x.sh":               none,
		"mv x.sh y.sh":                   none,
		"cat x.sh":                       none,
		"make":                           none,
		"tail -f ./x.sh":                 none,
	} {
		args := map[string]any{"command": command}
		if _, err := call(t, yes(t, t.Context(), tool, args), tool, args); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		got := map[string]string{}
		for path, text := range walls.seen {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			got[rel] = text
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
}

// What has changed between the question and the run, in any way, is not run.
func TestRunCommand_RunsNothingElse(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"other bytes":           func(dir string) error { return os.WriteFile(dir+"/x.sh", []byte("X.sh"), 0o644) },
		"another file":          func(dir string) error { return os.Rename(dir+"/tool", dir+"/x.sh") },
		"none":                  func(dir string) error { return os.Remove(dir + "/x.sh") },
		"a link":                func(dir string) error { return errors.Join(os.Remove(dir+"/x.sh"), os.Symlink("tool", dir+"/x.sh")) },
		"a link that leads out": func(dir string) error { return errors.Join(os.Remove(dir+"/x.sh"), os.Symlink("/bin/ls", dir+"/x.sh")) },
		"a pipe":                func(dir string) error { return errors.Join(os.Remove(dir+"/x.sh"), syscall.Mkfifo(dir+"/x.sh", 0o644)) },
		"a folder":              func(dir string) error { return errors.Join(os.Remove(dir+"/x.sh"), os.Mkdir(dir+"/x.sh", 0o755)) },
		"the workspace":         func(dir string) error { return errors.Join(os.Rename(dir, dir+"2"), os.Mkdir(dir, 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			walls := &lookWalls{fakeWalls: fakeWalls{tier: sandbox.T1}}
			tool, dir := bindWorld(t, shell.Config{Sandbox: walls})
			args := map[string]any{"command": "sh x.sh"}
			ctx := yes(t, t.Context(), tool, args)
			if err := change(dir); err != nil {
				t.Fatal(err)
			}
			_, err := call(t, ctx, tool, args)
			if e := (*tools.Error)(nil); !errors.As(err, &e) || e.Code != event.CodePermissionDenied || !strings.HasPrefix(e.Message, "denied by rule altered: ") {
				t.Error(err)
			}
			if len(walls.got) > 0 {
				t.Error("it ran")
			}
		})
	}
}

// Who watches when a file was last read does not see that hob looks at it.
func TestBind_IsNotSeen(t *testing.T) {
	tool, dir := bindWorld(t, shell.Config{})
	path := filepath.Join(dir, "x.sh")
	long := time.Unix(1_000_000_000, 0)
	if err := os.Chtimes(path, long, time.Now()); err != nil { // what was read before it was written is marked when it is read
		t.Fatal(err)
	}
	if b, err := bind(t, tool, map[string]any{"command": "sh x.sh"}); err != nil || len(b.Files) != 1 {
		t.Fatal(b, err)
	}
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil || st.Atim.Sec != long.Unix() {
		t.Errorf("read at %d, %v", st.Atim.Sec, err)
	}
}

// realWorld is a shell in each sandbox that this machine gives, with processes, as an ordinary user.
func realWorld(t *testing.T, f func(t *testing.T, tool tools.Tool, ctx context.Context, dir string)) {
	t.Helper()
	race.Skip(t, "each command is a process")
	toolstest.TiersOfUser(t, func(t *testing.T, box *sandbox.Sandbox) {
		processes := shell.NewProcesses(shell.ProcessesConfig{KeepAll: true, Now: time.Now})
		t.Cleanup(func() { processes.Close() })
		tool, dir := bindWorld(t, shell.Config{Sandbox: box, Background: processes})
		f(t, tool, tools.WithCaller(t.Context(), tools.Caller{Chat: "x"}), dir)
	})
}

// A process that puts other bytes in the place of a script all the time, and watches when that is read, never has them run by a
// command that was approved with the right ones.
func TestRunCommand_RunsWhatWasShown(t *testing.T) {
	tries := 20
	if os.Getenv("HOB_TEST_FULL") != "" {
		tries = 100
	}
	for name, attack := range map[string]string{
		"swaps":   "while :; do cp good t; mv -f t x.sh; cp evil t; mv -f t x.sh; done",
		"writes":  "while :; do cat good >x.sh; cat evil >x.sh; done",
		"watches": "cp good t; mv -f t x.sh; a=$(stat -c %X x.sh); while :; do b=$(stat -c %X x.sh); [ \"$a\" = \"$b\" ] || { cp evil t; mv -f t x.sh; cp good t; mv -f t x.sh; a=$(stat -c %X x.sh); }; done",
	} {
		t.Run(name, func(t *testing.T) {
			realWorld(t, func(t *testing.T, tool tools.Tool, ctx context.Context, dir string) {
				good, evil := "# "+strings.Repeat("-", 1<<16)+"\necho shown\n", "# "+strings.Repeat("-", 1<<16)+"\necho swapped\n"
				for name, text := range map[string]string{"good": good, "x.sh": good, "evil": evil} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				args := map[string]any{"command": "sh -c '. ./x.sh'"}
				shown := yes(t, ctx, tool, args)
				if _, err := call(t, ctx, tool, map[string]any{"command": attack, "background": true}); err != nil {
					t.Fatal(err)
				}
				ran := 0
				for range tries {
					res, err := call(t, shown, tool, args)
					switch e := (*tools.Error)(nil); {
					case errors.As(err, &e) && e.Code == event.CodePermissionDenied:
					case err != nil:
						t.Fatal(err)
					case strings.Contains(res.Text, "shown") && !strings.Contains(res.Text, "swapped"):
						ran++
					default:
						t.Fatalf("other bytes ran: %q", res.Text)
					}
				}
				t.Logf("%d of %d ran, the others were refused", ran, tries)
			})
		})
	}
}

// Ordinary commands do what they did before, although a person was asked about them.
func TestRunCommand_WritesWhatItNames(t *testing.T) {
	realWorld(t, func(t *testing.T, tool tools.Tool, ctx context.Context, dir string) {
		for command, want := range map[string]string{
			"printf 'b\\na\\n' >d; sort -o d d; cat d":                "a\nb",
			"echo one >>log; echo two >>log; cat log":                 "one\ntwo",
			"mv tool tool2; cat tool2; rm tool2":                      "tool",
			"echo 'echo made' >made.sh; sh made.sh":                   "made",
			"echo 'echo again' >made.sh; chmod +x made.sh; ./made.sh": "again",
			"sed -i s/again/third/ made.sh && sh made.sh":             "third",
			"sh made.sh && rm made.sh && echo gone":                   "third\ngone",
		} {
			t.Run(command, func(t *testing.T) {
				if strings.HasPrefix(command, "se") || strings.HasPrefix(command, "sh") {
					text := map[bool]string{true: "echo again", false: "echo third"}[strings.HasPrefix(command, "se")]
					if err := os.WriteFile(filepath.Join(dir, "made.sh"), []byte(text), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				args := map[string]any{"command": command}
				res, err := call(t, yes(t, ctx, tool, args), tool, args)
				if err != nil || res.Text != ""+want {
					t.Errorf("%q, %v", res.Text, err)
				}
			})
		}
	})
}
