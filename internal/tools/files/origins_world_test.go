package files_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/watch"
)

// strange is where strangers' words come from.
func strange() event.Label { return event.Label{Untrusted: true, Source: "web:page.lan"} }

// origins remembers where files come from, and minds how it is asked.
type origins struct {
	t  *testing.T
	mu sync.Mutex

	marks   map[string]event.Label
	failing error
	asked   int                  // how often
	marking func(paths []string) // is called before something is marked
}

func (o *origins) enter(paths []string) error {
	for _, p := range paths {
		if !filepath.IsAbs(p) || filepath.Clean(p) != p {
			o.t.Errorf("the path %q is not absolute and clean", p)
		}
	}
	if once := slices.Compact(slices.Sorted(slices.Values(paths))); len(once) != len(paths) {
		o.t.Errorf("of %q some come twice", paths)
	}
	return o.failing
}

func (o *origins) MarkOrigins(ctx context.Context, paths []string, from event.Label) error {
	if o.marking != nil {
		o.marking(paths)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := errors.Join(ctx.Err(), o.enter(paths)); err != nil {
		return err
	}
	if !from.Untrusted || len(paths) == 0 {
		o.t.Errorf("%q is marked with %+v", paths, from)
	}
	for _, p := range paths {
		o.marks[p] = o.marks[p].Join(from)
	}
	return nil
}

func (o *origins) OriginsOf(ctx context.Context, paths []string) (map[string]event.Label, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked++
	if err := errors.Join(ctx.Err(), o.enter(paths)); err != nil {
		return nil, err
	}
	found := map[string]event.Label{}
	for _, p := range paths {
		for ; ; p = filepath.Dir(p) {
			if l, ok := o.marks[p]; ok {
				found[p] = l
			}
			if p == "/" {
				break
			}
		}
	}
	return found, nil
}

func (o *origins) Origins(ctx context.Context) (map[string]event.Label, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked++
	return maps.Clone(o.marks), errors.Join(ctx.Err(), o.failing)
}

func (o *origins) ForgetOrigins(ctx context.Context, paths []string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := errors.Join(ctx.Err(), o.enter(paths)); err != nil {
		return err
	}
	for _, p := range paths {
		maps.DeleteFunc(o.marks, func(at string, _ event.Label) bool { return at == p || strings.HasPrefix(at, p+"/") })
	}
	return nil
}

func (o *origins) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failing = err
}

// marked is a workspace in which it is remembered where files come from.
type marked struct {
	*fileWorld

	m *memory
	o *origins
}

func newMarked(t *testing.T, adjust ...func(*files.Config)) marked {
	t.Helper()
	o := &origins{t: t, marks: map[string]event.Label{}}
	w, m := newKeptWorld(t, append(adjust, func(c *files.Config) { c.Origins = o })...)
	return marked{w, m, o}
}

// again is another hob in the same workspace.
func (w marked) again() marked {
	w.t.Helper()
	f, err := files.New(files.Config{Dir: w.dir, Log: w.m, Origins: w.o, WatchTime: time.Hour})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { f.Close() })
	return marked{&fileWorld{t: w.t, base: w.base, dir: w.dir, file: f}, w.m, w.o}
}

// as calls a tool from a turn with that label.
func (w marked) as(from event.Label, tool, args string) (tools.Result, error) {
	w.t.Helper()
	ctx := tools.WithCaller(w.t.Context(), tools.Caller{Chat: "main", Turn: 1, Label: from})
	return tools.Call(ctx, w.tool(tool), []byte(args))
}

// did calls a tool that must succeed.
func (w marked) must(from event.Label, tool, args string) tools.Result {
	w.t.Helper()
	res, err := w.as(from, tool, args)
	if err != nil {
		w.t.Fatalf("%s %s: %v", tool, args, err)
	}
	return res
}

// mark marks something in the workspace, by hand.
func (w marked) mark(paths ...string) {
	for _, p := range paths {
		w.o.marks[filepath.Join(w.dir, p)] = strange()
	}
}

// now returns what is marked, relative to the workspace.
func (w marked) now() []string {
	w.o.mu.Lock()
	defer w.o.mu.Unlock()
	var all []string
	for p := range w.o.marks {
		rel, err := filepath.Rel(w.dir, p)
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, rel)
	}
	return sorted(all)
}

// stranger reports whether what a tool says counts as a stranger's.
func (w marked) stranger(tool, args string) bool {
	w.t.Helper()
	return w.must(event.Label{}, tool, args).Label.Untrusted
}

// command does what a command would do in the workspace.
func (w marked) command(from event.Label, do func()) watch.Seen {
	w.t.Helper()
	after := w.file.Watch().Before(w.t.Context(), "a command", from)
	do()
	return after(w.t.Context())
}
