package filestest

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
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/watch"
)

// Strange is where strangers' words come from.
func Strange() event.Label { return event.Label{Untrusted: true, Source: "web:page.lan"} }

// The names of the two marks that are of no file.
const (
	LooseMark = ".hob-tmp-command"
	NameMark  = ".hob-tmp-name"
)

// Origins is an [origins.Store] in memory, which minds how it is asked and can fail.
type Origins struct {
	Marks   map[string]event.Label
	Asked   int                  // how often
	Marking func(paths []string) // is called before something is marked

	t       *testing.T
	mu      sync.Mutex
	failing error
}

var _ origins.Store = (*Origins)(nil)

func (o *Origins) enter(paths []string) error {
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

// Mark implements [origins.Store].
func (o *Origins) Mark(ctx context.Context, paths []string, from event.Label) error {
	if o.Marking != nil {
		o.Marking(paths)
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
		o.Marks[p] = o.Marks[p].Join(from)
	}
	return nil
}

// Of implements [origins.Store].
func (o *Origins) Of(ctx context.Context, paths []string) (map[string]event.Label, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Asked++
	if err := errors.Join(ctx.Err(), o.enter(paths)); err != nil {
		return nil, err
	}
	found := map[string]event.Label{}
	for _, p := range paths {
		for ; ; p = filepath.Dir(p) {
			if l, ok := o.Marks[p]; ok {
				found[p] = l
			}
			if p == "/" {
				break
			}
		}
	}
	return found, nil
}

// All implements [origins.Store].
func (o *Origins) All(ctx context.Context) (map[string]event.Label, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Asked++
	return maps.Clone(o.Marks), errors.Join(ctx.Err(), o.failing)
}

// Forget implements [origins.Store].
func (o *Origins) Forget(ctx context.Context, paths []string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := errors.Join(ctx.Err(), o.enter(paths)); err != nil {
		return err
	}
	for _, p := range paths {
		maps.DeleteFunc(o.Marks, func(at string, _ event.Label) bool { return at == p || strings.HasPrefix(at, p+"/") })
	}
	return nil
}

// Fail has every call fail from now on; nil: none.
func (o *Origins) Fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failing = err
}

// Marked is a workspace in which it is remembered where files come from.
type Marked struct {
	*World

	Log     *Log
	Origins *Origins
}

// NewMarked makes a [Marked], whose changes are remembered, too.
func NewMarked(t *testing.T, adjust ...func(*files.Config)) Marked {
	t.Helper()
	o := &Origins{t: t, Marks: map[string]event.Label{}}
	w, m := NewKept(t, append(adjust, func(c *files.Config) { c.Origins = o })...)
	return Marked{w, m, o}
}

// Again is another hob in the same workspace.
func (w Marked) Again() Marked {
	w.T.Helper()
	f, err := files.New(files.Config{Dir: w.Dir, Log: w.Log, Origins: w.Origins, WatchTime: time.Hour})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { f.Close() })
	return Marked{&World{T: w.T, Base: w.Base, Dir: w.Dir, Files: f}, w.Log, w.Origins}
}

// As calls a tool from a turn with that label.
func (w Marked) As(from event.Label, tool, args string) (tools.Result, error) {
	w.T.Helper()
	ctx := tools.WithCaller(w.T.Context(), tools.Caller{Chat: "main", Turn: 1, Label: from})
	return tools.Call(ctx, w.Tool(tool), []byte(args))
}

// Must calls a tool that must succeed.
func (w Marked) Must(from event.Label, tool, args string) tools.Result {
	w.T.Helper()
	res, err := w.As(from, tool, args)
	if err != nil {
		w.T.Fatalf("%s %s: %v", tool, args, err)
	}
	return res
}

// Mark marks something in the workspace, by hand.
func (w Marked) Mark(paths ...string) {
	for _, p := range paths {
		w.Origins.Marks[filepath.Join(w.Dir, p)] = Strange()
	}
}

// Now returns what is marked, relative to the workspace.
func (w Marked) Now() []string {
	w.Origins.mu.Lock()
	defer w.Origins.mu.Unlock()
	var all []string
	for p := range w.Origins.Marks {
		rel, err := filepath.Rel(w.Dir, p)
		if err != nil {
			w.T.Fatal(err)
		}
		all = append(all, rel)
	}
	slices.Sort(all)
	return all
}

// Stranger reports whether what a tool says counts as a stranger's.
func (w Marked) Stranger(tool, args string) bool {
	w.T.Helper()
	return w.Must(event.Label{}, tool, args).Label.Untrusted
}

// Command does what a command would do in the workspace.
func (w Marked) Command(from event.Label, do func()) watch.Seen {
	w.T.Helper()
	after := w.Files.Watch().Before(w.T.Context(), "a command", from)
	do()
	return after(w.T.Context())
}
