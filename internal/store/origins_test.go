package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"hob/internal/event"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What is remembered of where files come from.
func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *Origins)
	}{
		{"a mark holds for all below it", markedBelow},
		{"labels join", marksJoin},
		{"a mark goes with all below it", marksForgotten},
		{"a path may be of any bytes", oddOrigins},
		{"many paths at once", manyOrigins},
		{"paths that are none", noOrigins},
		{"an ended context marks nothing", originsCancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, mustOpen(t, newPath(t)).Origins()) })
	}
}

// labels are what is marked, by path.
type labels = map[string]event.Label

// strangers is the label of what a page said.
func strangers() event.Label { return event.Label{Untrusted: true, Source: "web:example.org"} }

// household is the label of what a file said.
func household() event.Label { return event.Label{Private: true, Source: "file"} }

func markOrigins(t *testing.T, o *Origins, from event.Label, paths ...string) {
	t.Helper()
	if err := o.Mark(t.Context(), paths, from); err != nil {
		t.Fatal(err)
	}
}

func forgetOrigins(t *testing.T, o *Origins, paths ...string) {
	t.Helper()
	if err := o.Forget(t.Context(), paths); err != nil {
		t.Fatal(err)
	}
}

// wantOrigins checks the labels of paths and the folders they lie in.
func wantOrigins(t *testing.T, o *Origins, want labels, paths ...string) {
	t.Helper()
	got, err := o.Of(t.Context(), paths)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Of(%.200q): %v (-want +got)\n%s", paths, err, diff)
	}
}

// wantAllOrigins checks everything that is marked.
func wantAllOrigins(t *testing.T, o *Origins, want labels) {
	t.Helper()
	got, err := o.All(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("All: %v (-want +got)\n%s", err, diff)
	}
}

func markedBelow(t *testing.T, o *Origins) {
	web, private := strangers(), household()
	wantAllOrigins(t, o, labels{})
	wantOrigins(t, o, labels{}, "/w/a")
	wantOrigins(t, o, labels{})
	markOrigins(t, o, web, "/w/a", "/w/dir/b/")
	markOrigins(t, o, private, "/w/dir")
	markOrigins(t, o, web)
	markOrigins(t, o, event.Label{}, "/w/own")
	wantAllOrigins(t, o, labels{"/w/a": web, "/w/dir/b": web, "/w/dir": private})
	wantOrigins(t, o, labels{"/w/a": web}, "/w/a")
	wantOrigins(t, o, labels{"/w/a": web}, "/w/a/deep/er", "/w/ab", "/w", "/")
	wantOrigins(t, o, labels{"/w/dir": private}, "/w/dir/c")
	wantOrigins(t, o, labels{"/w/dir": private, "/w/dir/b": web, "/w/a": web}, "/w/dir/./b/x", "/w/other/../a")
	markOrigins(t, o, private, "/")
	wantOrigins(t, o, labels{"/": private}, "/etc/passwd")
}

func marksJoin(t *testing.T, o *Origins) {
	web, private := strangers(), household()
	markOrigins(t, o, private, "/w/a", "/w/b")
	markOrigins(t, o, web, "/w/a")
	markOrigins(t, o, event.Label{Private: true, Source: "late"}, "/w/a")
	markOrigins(t, o, event.Label{Untrusted: true, Source: "later"}, "/w/a", "/w/a")
	both := event.Label{Untrusted: true, Private: true, Source: web.Source}
	wantAllOrigins(t, o, labels{"/w/a": both, "/w/b": private})
}

func marksForgotten(t *testing.T, o *Origins) {
	web := strangers()
	markOrigins(t, o, web, "/w/dir", "/w/dir/a", "/w/dir/b/c", "/w/dir.txt", "/w/dir0", "/w/di", "/w/x")
	forgetOrigins(t, o)
	forgetOrigins(t, o, "/w/dir/", "/w/nothing")
	wantAllOrigins(t, o, labels{"/w/dir.txt": web, "/w/dir0": web, "/w/di": web, "/w/x": web})
	forgetOrigins(t, o, "/w/x/y") // the folder's mark is not the file's
	wantAllOrigins(t, o, labels{"/w/dir.txt": web, "/w/dir0": web, "/w/di": web, "/w/x": web})
	forgetOrigins(t, o, "/")
	wantAllOrigins(t, o, labels{})
}

func oddOrigins(t *testing.T, o *Origins) {
	web := strangers()
	paths := []string{"/w/\xff\xfe", "/w/\xff\xfd", "/w/ü", "/w/u\u0308", "/w/a b\n", "/w/%", "/w/_", "/w/*", "/W/x", "/w/\x01", "/w/\xff\xff/z"}
	want := labels{}
	for _, p := range paths {
		markOrigins(t, o, web, p)
		want[p] = web
	}
	wantAllOrigins(t, o, want)
	wantOrigins(t, o, want, paths...)
	wantOrigins(t, o, labels{}, "/w/%%", "/w/x", "/w/\xff", "/w/\xff\xfc")
	forgetOrigins(t, o, "/w/\xff\xff", "/w/*")
	delete(want, "/w/\xff\xff/z")
	delete(want, "/w/*")
	wantAllOrigins(t, o, want)
}

func manyOrigins(t *testing.T, o *Origins) {
	web := strangers()
	want := labels{}
	var paths []string
	for i := range 1000 {
		p := "/w/" + string(rune('a'+i%26)) + "/" + string(rune(0x4e00+i))
		paths, want[p] = append(paths, p), web
	}
	markOrigins(t, o, web, paths...)
	wantOrigins(t, o, want, paths...)
	wantAllOrigins(t, o, want)
}

func noOrigins(t *testing.T, o *Origins) {
	web := strangers()
	markOrigins(t, o, web, "/w/a")
	for _, bad := range []string{"", "w", "./w", "/w/\x00"} {
		paths := []string{"/w/b", bad}
		if err := o.Mark(t.Context(), paths, web); err == nil {
			t.Errorf("%q was marked", bad)
		}
		if got, err := o.Of(t.Context(), paths); err == nil {
			t.Errorf("Of(%q) = %v", bad, got)
		}
		if err := o.Forget(t.Context(), []string{"/w/a", bad}); err == nil {
			t.Errorf("%q was forgotten", bad)
		}
	}
	wantAllOrigins(t, o, labels{"/w/a": web})
}

func originsCancelled(t *testing.T, o *Origins) {
	web := strangers()
	markOrigins(t, o, web, "/w/a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := o.Of(ctx, []string{"/w/a"})
	_, err2 := o.All(ctx)
	for i, err := range []error{o.Mark(ctx, []string{"/w/b"}, web), o.Forget(ctx, []string{"/w/a"}), err1, err2} {
		if err == nil {
			t.Errorf("call %d went through", i)
		}
	}
	wantAllOrigins(t, o, labels{"/w/a": web})
}

// Where too many paths are marked a mark is widened, and none is lost.
func TestOriginsAreBounded(t *testing.T) {
	db := mustOpen(t, newPath(t))
	untrusted, private := event.Label{Untrusted: true, Source: "web:a"}, event.Label{Private: true}
	both := event.Label{Untrusted: true, Private: true, Source: "web:a"}
	for _, step := range []struct {
		path string
		from event.Label
		want map[string]event.Label
	}{
		{"/w/a/1", untrusted, map[string]event.Label{"/w/a/1": untrusted}},
		{"/w/a/2", private, map[string]event.Label{"/w/a/1": untrusted, "/w/a/2": private}},
		{"/v/3", private, map[string]event.Label{"/w/a/1": untrusted, "/w/a/2": private, "/v/3": private}},
		{"/v/3", untrusted, map[string]event.Label{"/w/a/1": untrusted, "/w/a/2": private, "/v/3": both}},
		{"/w/a/deep/4", private, map[string]event.Label{"/w/a": both, "/v/3": both}}, // the nearest folder with marks below it
		{"/w/ab/5", private, map[string]event.Label{"/w/a": both, "/v/3": both, "/w/ab/5": private}},
		{"/w/ab/5/6", untrusted, map[string]event.Label{"/w/a": both, "/v/3": both, "/w/ab/5": both}}, // a folder that is marked
		{"/v/x", untrusted, map[string]event.Label{"/w/a": both, "/v": both, "/w/ab/5": both}},        // one for one
		{"/u/7", private, map[string]event.Label{"/": both}},
		{"/u/8", private, map[string]event.Label{"/": both, "/u/8": private}},
	} {
		if err := db.Origins().mark(t.Context(), []string{step.path}, step.from, 3); err != nil {
			t.Fatal(err)
		}
		got, err := db.Origins().All(t.Context())
		if diff := cmp.Diff(step.want, got); diff != "" || err != nil {
			t.Fatalf("after %s: %v (-want +got)\n%s", step.path, err, diff)
		}
	}
}

// Whatever is marked and forgotten in whatever order, a path has at least the labels that it and its folders were given
// since they were last forgotten, and there are never more marks than there may be.
func TestNoMarkIsLost(t *testing.T) {
	db := mustOpen(t, newPath(t))
	paths := rapid.StringMatching(`(/(a|b|c|\x01)){1,4}`)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		if err := db.Origins().Forget(ctx, []string{"/"}); err != nil {
			t.Fatal(err)
		}
		most := rapid.IntRange(1, 6).Draw(t, "most")
		given := map[string]event.Label{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			some := rapid.SliceOfN(paths, 1, 3).Draw(t, "paths")
			if rapid.IntRange(0, 4).Draw(t, "forget") == 0 {
				if err := db.Origins().Forget(ctx, some); err != nil {
					t.Fatal(err)
				}
				maps.DeleteFunc(given, func(p string, _ event.Label) bool {
					return slices.ContainsFunc(some, func(gone string) bool { return p == gone || strings.HasPrefix(p, gone+"/") })
				})
				continue
			}
			from := event.Label{Untrusted: rapid.Bool().Draw(t, "untrusted"), Private: rapid.Bool().Draw(t, "private"),
				Source: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "source")}
			if err := db.Origins().mark(ctx, some, from, most); err != nil {
				t.Fatal(err)
			}
			for _, p := range some {
				given[p] = given[p].Join(from)
			}
			checkMarks(t, db, given, most)
		}
	})
}

func checkMarks(t *rapid.T, db *DB, given map[string]event.Label, most int) {
	all, err := db.Origins().All(context.Background())
	if err != nil || len(all) > most {
		t.Fatalf("%d paths are marked, %v", len(all), err)
	}
	for p, want := range given {
		labels, err := db.Origins().Of(context.Background(), []string{p})
		if err != nil {
			t.Fatal(err)
		}
		var got event.Label
		for _, l := range labels {
			got = got.Join(l)
		}
		if want.Untrusted && !got.Untrusted || want.Private && !got.Private {
			t.Fatalf("%q was given %+v, and has %+v of %v", p, want, got, all)
		}
	}
}

// A mark that is there already costs no writing: the log does not grow.
func TestMarkingAgainWritesNothing(t *testing.T) {
	db := mustOpen(t, newPath(t))
	size := func() (frames int) {
		t.Helper()
		var busy, folded int
		if err := db.write.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &folded); err != nil {
			t.Fatal(err)
		}
		return frames
	}
	label := event.Label{Untrusted: true, Source: "web:a"}
	again := func() {
		t.Helper()
		if err := errors.Join(db.Origins().Mark(t.Context(), []string{"/w/a", "/w/b"}, label), db.Origins().Forget(t.Context(), []string{"/x"})); err != nil {
			t.Fatal(err)
		}
	}
	again()
	before := size()
	again()
	if after := size(); before == 0 || after != before {
		t.Errorf("the log had %d pages, and has %d", before, after)
	}
}
