package storetest

import (
	"context"
	"testing"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
)

// Origins remembers where the content of files comes from.
type Origins interface {
	MarkOrigins(ctx context.Context, paths []string, from event.Label) error
	OriginsOf(ctx context.Context, paths []string) (map[string]event.Label, error)
	Origins(ctx context.Context) (map[string]event.Label, error)
	ForgetOrigins(ctx context.Context, paths []string) error
}

// labels are what is marked, by path.
type labels = map[string]event.Label

// RunOrigins holds what remembers where files come from to its contract. Each call of open returns a new and empty one.
func RunOrigins(t *testing.T, open func(t *testing.T) Origins) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Origins)
	}{
		{"a mark holds for all below it", markedBelow},
		{"labels join", marksJoin},
		{"a mark goes with all below it", marksForgotten},
		{"a path may be of any bytes", oddOrigins},
		{"many paths at once", manyOrigins},
		{"paths that are none", noOrigins},
		{"an ended context marks nothing", originsCancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// strangers is the label of what a page said.
func strangers() event.Label { return event.Label{Untrusted: true, Source: "web:example.org"} }

// household is the label of what a file said.
func household() event.Label { return event.Label{Private: true, Source: "file"} }

func mark(t *testing.T, o Origins, from event.Label, paths ...string) {
	t.Helper()
	if err := o.MarkOrigins(t.Context(), paths, from); err != nil {
		t.Fatal(err)
	}
}

func forget(t *testing.T, o Origins, paths ...string) {
	t.Helper()
	if err := o.ForgetOrigins(t.Context(), paths); err != nil {
		t.Fatal(err)
	}
}

// marked checks the labels of paths and the folders they lie in.
func marked(t *testing.T, o Origins, want labels, paths ...string) {
	t.Helper()
	got, err := o.OriginsOf(t.Context(), paths)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("OriginsOf(%.200q): %v (-want +got)\n%s", paths, err, diff)
	}
}

// allMarked checks everything that is marked.
func allMarked(t *testing.T, o Origins, want labels) {
	t.Helper()
	got, err := o.Origins(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Origins: %v (-want +got)\n%s", err, diff)
	}
}

func markedBelow(t *testing.T, o Origins) {
	web, private := strangers(), household()
	allMarked(t, o, labels{})
	marked(t, o, labels{}, "/w/a")
	marked(t, o, labels{})
	mark(t, o, web, "/w/a", "/w/dir/b/")
	mark(t, o, private, "/w/dir")
	mark(t, o, web)
	mark(t, o, event.Label{}, "/w/own")
	allMarked(t, o, labels{"/w/a": web, "/w/dir/b": web, "/w/dir": private})
	marked(t, o, labels{"/w/a": web}, "/w/a")
	marked(t, o, labels{"/w/a": web}, "/w/a/deep/er", "/w/ab", "/w", "/")
	marked(t, o, labels{"/w/dir": private}, "/w/dir/c")
	marked(t, o, labels{"/w/dir": private, "/w/dir/b": web, "/w/a": web}, "/w/dir/./b/x", "/w/other/../a")
	mark(t, o, private, "/")
	marked(t, o, labels{"/": private}, "/etc/passwd")
}

func marksJoin(t *testing.T, o Origins) {
	web, private := strangers(), household()
	mark(t, o, private, "/w/a", "/w/b")
	mark(t, o, web, "/w/a")
	mark(t, o, event.Label{Private: true, Source: "late"}, "/w/a")
	mark(t, o, event.Label{Untrusted: true, Source: "later"}, "/w/a", "/w/a")
	both := event.Label{Untrusted: true, Private: true, Source: web.Source}
	allMarked(t, o, labels{"/w/a": both, "/w/b": private})
}

func marksForgotten(t *testing.T, o Origins) {
	web := strangers()
	mark(t, o, web, "/w/dir", "/w/dir/a", "/w/dir/b/c", "/w/dir.txt", "/w/dir0", "/w/di", "/w/x")
	forget(t, o)
	forget(t, o, "/w/dir/", "/w/nothing")
	allMarked(t, o, labels{"/w/dir.txt": web, "/w/dir0": web, "/w/di": web, "/w/x": web})
	forget(t, o, "/w/x/y") // the folder's mark is not the file's
	allMarked(t, o, labels{"/w/dir.txt": web, "/w/dir0": web, "/w/di": web, "/w/x": web})
	forget(t, o, "/")
	allMarked(t, o, labels{})
}

func oddOrigins(t *testing.T, o Origins) {
	web := strangers()
	paths := []string{"/w/\xff\xfe", "/w/\xff\xfd", "/w/ü", "/w/u\u0308", "/w/a b\n", "/w/%", "/w/_", "/w/*", "/W/x", "/w/\x01", "/w/\xff\xff/z"}
	want := labels{}
	for _, p := range paths {
		mark(t, o, web, p)
		want[p] = web
	}
	allMarked(t, o, want)
	marked(t, o, want, paths...)
	marked(t, o, labels{}, "/w/%%", "/w/x", "/w/\xff", "/w/\xff\xfc")
	forget(t, o, "/w/\xff\xff", "/w/*")
	delete(want, "/w/\xff\xff/z")
	delete(want, "/w/*")
	allMarked(t, o, want)
}

func manyOrigins(t *testing.T, o Origins) {
	web := strangers()
	want := labels{}
	var paths []string
	for i := range 1000 {
		p := "/w/" + string(rune('a'+i%26)) + "/" + string(rune(0x4e00+i))
		paths, want[p] = append(paths, p), web
	}
	mark(t, o, web, paths...)
	marked(t, o, want, paths...)
	allMarked(t, o, want)
}

func noOrigins(t *testing.T, o Origins) {
	web := strangers()
	mark(t, o, web, "/w/a")
	for _, bad := range []string{"", "w", "./w", "/w/\x00"} {
		paths := []string{"/w/b", bad}
		if err := o.MarkOrigins(t.Context(), paths, web); err == nil {
			t.Errorf("%q was marked", bad)
		}
		if got, err := o.OriginsOf(t.Context(), paths); err == nil {
			t.Errorf("OriginsOf(%q) = %v", bad, got)
		}
		if err := o.ForgetOrigins(t.Context(), []string{"/w/a", bad}); err == nil {
			t.Errorf("%q was forgotten", bad)
		}
	}
	allMarked(t, o, labels{"/w/a": web})
}

func originsCancelled(t *testing.T, o Origins) {
	web := strangers()
	mark(t, o, web, "/w/a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := o.OriginsOf(ctx, []string{"/w/a"})
	_, err2 := o.Origins(ctx)
	for i, err := range []error{o.MarkOrigins(ctx, []string{"/w/b"}, web), o.ForgetOrigins(ctx, []string{"/w/a"}), err1, err2} {
		if err == nil {
			t.Errorf("call %d went through", i)
		}
	}
	allMarked(t, o, labels{"/w/a": web})
}
