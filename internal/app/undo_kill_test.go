package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/skills/folder"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/tree"
)

// The kill tests start the test binary again, with the undo that it does in an environment variable. It kills itself in its middle.
func TestMain(m *testing.M) {
	if do := os.Getenv("HOB_APP_CHILD"); do != "" {
		if err := undoAndDie(do); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fatalContext kills its process, as kill -9 does, when it is looked at for the nth time. All that is durable in an undo looks at its
// context: before, between and after the statements of each transaction, and around each file.
type fatalContext struct {
	context.Context
	looks *atomic.Int64
	at    int64
}

func (c fatalContext) look() {
	if c.looks.Add(1) == c.at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until it is dead
	}
}

func (c fatalContext) Done() <-chan struct{} { c.look(); return c.Context.Done() }
func (c fatalContext) Err() error            { c.look(); return c.Context.Err() }
func (c fatalContext) Value(key any) any     { c.look(); return c.Context.Value(key) }

// deadlyUndo is an undo in a household of its own, in which the process dies at a look at its context; 0 is never.
type deadlyUndo struct {
	State, Config string
	Numbers       []int64
	At            int64
}

// undoAndDie does an undo, and prints how often its context was looked at.
func undoAndDie(do string) error {
	var u deadlyUndo
	if err := json.Unmarshal([]byte(do), &u); err != nil {
		return err
	}
	_, set, err := loadIn(u.State, u.Config, noOllama, os.Stderr)
	if err != nil {
		return err
	}
	ctx := fatalContext{context.Background(), &atomic.Int64{}, u.At}
	return set.EditJournal(context.Background(), func(db *store.DB) error {
		done, err := takeBack(ctx, set, db, u.Numbers)
		if err == nil && len(done.Undone) != len(u.Numbers) {
			err = fmt.Errorf("%+v", done)
		}
		fmt.Println(ctx.looks.Load())
		return err
	})
}

// takeBack takes changes back as the owner, who says yes where rights come back.
func takeBack(ctx context.Context, set *app.Environment, db *store.DB, numbers []int64) (commands.UndoReport, error) {
	u := commands.UndoRequest{Numbers: numbers, By: tools.Caller{Chat: "main", User: "owner", Principal: app.LocalOwner()}}
	done, err := set.Changes(db).Undo(ctx, u)
	if err == nil && len(done.Rights) > 0 {
		u.Approved = done.Question()
		done, err = set.Changes(db).Undo(ctx, u)
	}
	return done, err
}

// copyTree puts a copy of a folder in the place of another, with the permissions of its files.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := os.RemoveAll(to)
	if err == nil {
		err = filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
			rel, bad := filepath.Rel(from, path)
			if err != nil || bad != nil {
				return fmt.Errorf("%w %w", err, bad)
			}
			info, err := e.Info()
			if err != nil || e.Type()&fs.ModeSocket != 0 {
				return err
			}
			if e.IsDir() {
				return os.Mkdir(filepath.Join(to, rel), info.Mode().Perm())
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(to, rel), raw, info.Mode().Perm())
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// filesIn returns the files and folders below some folders, with their permissions.
func filesIn(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			text := ""
			if !e.IsDir() {
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text = string(raw)
			}
			all[path] = fmt.Sprint(info.Mode(), " ", text)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A process that is killed anywhere in an undo leaves it wholly done or not at all, once hob is opened again, and says so: of a fact, of a
// setting in config.toml, of a skill with its folder and files, of a permission, of what a command changed, and of all of them in one.
func TestUndo_Killed(t *testing.T) {
	kinds := map[string]func(ctx context.Context, set *app.Environment, db *store.DB) error{
		"fact": func(ctx context.Context, _ *app.Environment, db *store.DB) error {
			_, _, err := db.Facts().Edit(ctx, event.Cause{By: "cli/owner", Tool: "remember"},
				[]event.Fact{{Subject: "person/cli/owner", Text: "my name is Anna", State: event.FactKept}})
			return err
		},
		"setting": func(ctx context.Context, set *app.Environment, _ *store.DB) error {
			return set.ConfigEditor(ctx, set.ConfigPath).Set(set.ConfigPath, "shell.timeout", "7m")
		},
		"skill": func(ctx context.Context, set *app.Environment, _ *store.DB) error {
			_, err := folder.New(set.OwnSkillsDir(), "tea", set.KeepSkill(ctx))
			return err
		},
		"permission": func(ctx context.Context, _ *app.Environment, db *store.DB) error {
			g, err := db.Grants().Add(context.Background(), event.Grant{Tool: "fetch", Host: "a.org", By: "owner"})
			if err == nil {
				_, err = db.Grants().Revoke(ctx, g.ID)
			}
			return err
		},
		"command": func(ctx context.Context, set *app.Environment, db *store.DB) error {
			tool, err := set.OpenFiles(nil, nil, app.JournalTools(db), set.NewShell().Sandbox)
			if err != nil {
				return err
			}
			defer tool.Close()
			ctx = tools.WithCaller(ctx, tools.Caller{Chat: "main", User: "owner", Principal: app.LocalOwner()})
			after := tool.Watch().Before(ctx, "a command", event.Label{})
			err = os.Mkdir(filepath.Join(set.WorkspaceDir, "made"), 0o750)
			for _, name := range []string{"made/x", "made/y", "z"} {
				if err == nil {
					err = os.WriteFile(filepath.Join(set.WorkspaceDir, name), []byte(name), 0o640)
				}
			}
			after(ctx)
			return err
		},
	}
	whole := []string{"command", "fact", "permission", "setting", "skill"}
	for _, made := range append([][]string{whole}, [][]string{{"fact"}, {"setting"}, {"skill"}, {"permission"}, {"command"}}...) {
		t.Run(strings.Join(made, ", "), func(t *testing.T) { killUndo(t, made, kinds) })
	}
}

// killUndo changes some things, and kills the undo of all of them at many moments.
func killUndo(t *testing.T, made []string, kinds map[string]func(context.Context, *app.Environment, *store.DB) error) {
	dir := t.TempDir()
	state, config, saved := filepath.Join(dir, "hob", "state"), filepath.Join(dir, "hob", "config", "config.toml"), filepath.Join(dir, "saved")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("[shell]\ntimeout = \"5m\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	open := func(do func(h *app.App, set *app.Environment)) (said string) {
		t.Helper()
		var stderr bytes.Buffer
		l, set, err := loadIn(state, config, noOllama, &stderr)
		if err != nil {
			t.Fatal(err)
		}
		h, err := l.Open(t.Context(), set, app.NewModel(set), "a test")
		if err != nil {
			t.Fatal(err)
		}
		do(h, set)
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if err := l.Egress.End(); err != nil {
			t.Fatal(err)
		}
		return stderr.String()
	}
	look := func(h *app.App, set *app.Environment) (im image) {
		t.Helper()
		im.Files = filesIn(t, set.WorkspaceDir, filepath.Dir(config))
		maps.DeleteFunc(im.Files, func(path, _ string) bool { return strings.HasPrefix(filepath.Base(path), tree.TempPrefix) }) // the next write sweeps them
		var err error
		if im.Facts, err = h.Journal.Facts().Facts(t.Context(), event.FactKept); err != nil {
			t.Fatal(err)
		}
		if im.Grants, err = h.Journal.Grants().InForce(t.Context()); err != nil {
			t.Fatal(err)
		}
		return im
	}
	var before, after image
	var numbers []int64
	open(func(h *app.App, set *app.Environment) {
		after = look(h, set)
		if slices.Contains(made, "permission") { // which was there before it was revoked
			after.Grants = nil
		}
		for _, kind := range made {
			if err := kinds[kind](app.WithOwnersCause(t.Context(), "test"), set, h.Journal); err != nil {
				t.Fatal(kind, err)
			}
		}
		all, err := h.Journal.Changes(store.Limits{}).Since(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			if c.By != "" {
				numbers = append(numbers, c.ID)
			}
		}
		before = look(h, set)
	})
	copyTree(t, filepath.Join(dir, "hob"), saved)
	child := func(at int64) (looks int64, killed bool) {
		t.Helper()
		do, err := json.Marshal(deadlyUndo{state, config, numbers, at})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HOB_APP_CHILD="+string(do))
		out, err := cmd.Output()
		if killed = cmd.ProcessState.ExitCode() < 0; err != nil && !killed {
			t.Fatalf("the child: %v\n%s", err, out)
		}
		_, _ = fmt.Sscan(string(out), &looks)
		return looks, killed
	}
	looks, _ := child(0)
	open(func(h *app.App, set *app.Environment) {
		after = look(h, set)
		if cmp.Equal(before, after) {
			t.Fatal("the undo has done nothing")
		}
	})
	step := max(looks/int64(4+2*len(made)), 1)
	if os.Getenv("HOB_TEST_FULL") != "" {
		step = 1
	}
	outcomes := map[string]int{}
	for at := step / 2; at <= looks; at += step {
		copyTree(t, saved, filepath.Join(dir, "hob"))
		if _, killed := child(max(at, 1)); !killed {
			continue
		}
		left := 0
		said := open(func(h *app.App, set *app.Environment) {
			all, err := h.Journal.Changes(store.Limits{}).Since(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				if slices.Contains(numbers, c.ID) && c.InForce() {
					left++
				}
			}
			now := look(h, set)
			switch {
			case left == len(numbers) && cmp.Equal(before, now):
				outcomes["not at all"]++
			case left == 0 && cmp.Equal(after, now):
				outcomes["wholly"]++
			default:
				t.Fatalf("killed at look %d of %d: %d of %d changes are in force (-before +now)\n%s\n(-after +now)\n%s", at, looks, left, len(numbers),
					cmp.Diff(before, now), cmp.Diff(after, now))
			}
			if begun, err := h.Journal.Settings().List(t.Context(), "undo/"); err != nil || len(begun) > 0 {
				t.Errorf("an undo is still begun: %v, %v", begun, err)
			}
			if left == 0 {
				return
			}
			if done, err := takeBack(t.Context(), set, h.Journal, numbers); err != nil || len(done.Undone) != len(numbers) {
				t.Fatalf("again: %+v, %v", done, err)
			}
			if diff := cmp.Diff(after, look(h, set)); diff != "" {
				t.Fatalf("again (-after +now)\n%s", diff)
			}
		})
		switch {
		case strings.Contains(said, "An undo was cut short, and is finished now"):
			outcomes["finished, and said"]++
		case strings.Contains(said, "nothing was taken back"):
			outcomes["not begun, and said"]++
		}
		if wrong := strings.Contains(said, "is finished now") != (left == 0) && said != ""; wrong {
			t.Errorf("%d changes are in force, and it says %q", left, said)
		}
	}
	t.Logf("%d looks: %v", looks, outcomes)
	if outcomes["not at all"] == 0 || len(made) > 1 && outcomes["finished, and said"] == 0 {
		t.Errorf("the kills came too late or too early: %v", outcomes)
	}
}

// An undo that was cut short, and that somebody's change keeps from being finished, stays where it is, says so in the chat in which it was
// asked for, and takes back the rest when it is asked for again. What it came to is one change, which is made again as one.
func TestUndo_CutShortAndNotFinished(t *testing.T) {
	o := newTestApp(t, noOllama)
	ctx := tools.WithCaller(t.Context(), tools.Caller{Chat: "main", User: "owner", Principal: app.LocalOwner()})
	path := func(name string) string { return filepath.Join(o.set.WorkspaceDir, name) }
	after := o.Tools.FileTool.Watch().Before(ctx, "a command", event.Label{})
	for _, name := range []string{"x", "y"} {
		if err := os.WriteFile(path(name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	after(ctx)
	list := func() []event.Change {
		t.Helper()
		all, err := o.Journal.Changes(store.Limits{}).Since(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	tool, err := o.set.OpenFiles(nil, nil, app.JournalTools(o.Journal), o.set.NewShell().Sandbox)
	if err != nil {
		t.Fatal(err)
	}
	defer tool.Close()
	if _, err := tool.Changes().Undo(ctx, list(), []int64{2}, changes.Options{}); err != nil { // and there it was killed
		t.Fatal(err)
	}
	begun := `{"changes":[2,1],"by":{"by":"cli/owner","chat":"main","tool":"undo"}}`
	if err := errors.Join(o.Journal.Settings().Set(ctx, "undo/begun/2", begun), os.WriteFile(path("x"), []byte("mine"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := o.set.Changes(o.Journal).Finish(ctx); err != nil {
		t.Fatal(err)
	}
	want := "An undo was cut short, and cannot be finished: x: it was changed since by somebody else. Of its 2 changes 1 are taken back; hob undo --list shows them."
	said := ""
	for e, err := range o.Journal.Chat(ctx, "main", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if note, ok := e.Body.(event.Noted); ok {
			said += note.Text
		}
	}
	o.is(want, said)
	got := func(u commands.UndoRequest) string {
		t.Helper()
		u.By = tools.CallerFrom(ctx)
		done, err := o.set.Changes(o.Journal).Undo(ctx, u)
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, c := range done.Conflicts {
			text = append(text, c.DisplayPath+": "+c.Why)
		}
		for _, one := range done.Undone {
			text = append(text, fmt.Sprint("#", one.Change))
		}
		return strings.Join(text, " ")
	}
	o.is("x: it was changed since by somebody else", got(commands.UndoRequest{Numbers: []int64{1}}))
	o.is("#1", got(commands.UndoRequest{Numbers: []int64{2}, Force: true}))
	if len(filesIn(t, o.set.WorkspaceDir)) != 1 {
		t.Error(filesIn(t, o.set.WorkspaceDir))
	}
	again := list()
	if again[0].GroupID() != again[1].GroupID() {
		t.Errorf("%+v", again)
	}
	o.is("#4 #3", got(commands.UndoRequest{Numbers: []int64{again[0].ID}}))
	o.is("y", o.read("y"))
	o.is("mine", o.read("x"))
}
