package files_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

func TestSearchFiles_Success(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/a.go", "package a\nfunc Find() {}\n")
	w.Put("ws/notes/b.md", "find it\r\nfunc (broken\r\n")
	w.Put("ws/notes/deep/c.txt", "func c")
	w.Put("ws/.git/config", "func hidden")
	w.Put("ws/photo", "func \x00")
	w.Put("ws/long", strings.Repeat("é", 500)+"func"+strings.Repeat("x", 500))
	w.Put("secret", "func secret")
	w.Link("../secret", "ws/out")
	w.Link(".", "ws/loop")

	t.Run("matches with their receipts", func(t *testing.T) {
		res, err := w.Call("search_files", `{"pattern":"^func","path":"notes"}`)
		toolstest.IsResult(t, res, err, tools.Result{
			Text:  "notes/b.md:1: func (broken\nnotes/deep/c.txt:0: func c",
			Data:  `{"matches":[{"path":"notes/b.md","line":1,"text":"func (broken"},{"path":"notes/deep/c.txt","line":0,"text":"func c"}],"files":2}`,
			Label: event.Label{Private: true, Source: "file:notes"},
		})
	})
	for _, c := range []struct{ name, args, want string }{
		{"everywhere, hidden and binary files left out", `{"pattern":"func [Fc]"}`, "a.go:1: func Find() {}\nnotes/deep/c.txt:0: func c"},
		{"case", `{"pattern":"(?i)FIND"}`, "a.go:1: func Find() {}\nnotes/b.md:0: find it"},
		{"no regular expression", `{"pattern":"func ("}`, "notes/b.md:1: func (broken\n[the pattern is no regular expression and was searched for as it stands]"},
		{"glob on names", `{"pattern":"func","glob":"*.{go,txt}"}`, "a.go:1: func Find() {}\nnotes/deep/c.txt:0: func c"},
		{"glob on paths", `{"pattern":"func","glob":"notes/**/*.txt"}`, "notes/deep/c.txt:0: func c"},
		{"glob on sets", `{"pattern":"func","glob":"[!a].?d"}`, "notes/b.md:1: func (broken"},
		{"glob on any depth", `{"pattern":"func","glob":"**/*.go"}`, "a.go:1: func Find() {}"},
		{"nothing", `{"pattern":"zzz","glob":"*.md"}`, `no match for "zzz" in 1 file`},
		{"long line, which counts as several", `{"pattern":"func","glob":"long"}`, "long:1: ..." + strings.Repeat("é", 25) + "func" + strings.Repeat("x", 146) + "..."},
		{"enough", `{"pattern":"func","max_results":1}`, "a.go:1: func Find() {}\n[there is more than 1 match; narrow the pattern, path or glob]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, w.Text("search_files", c.args)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("no more than the share", func(t *testing.T) {
		w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return 1024 } })
		for i := range 100 {
			w.Put(fmt.Sprintf("ws/f%02d", i), strings.Repeat("word ", 100))
		}
		if got := w.Text("search_files", `{"pattern":"word"}`); len(got) > 1024 || !strings.Contains(got, "there is more than 3 matches") {
			t.Errorf("%d bytes: %s", len(got), got)
		}
	})
}

func TestSearchFiles_BadArguments(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "x")
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "pattern: is required"},
		{"empty", `{"pattern":""}`, event.CodeInvalidValue, "pattern: must have 1 to 1000 bytes"},
		{"long", `{"pattern":"` + strings.Repeat("x", 1001) + `"}`, event.CodeInvalidValue, "pattern: must have 1 to 1000 bytes"},
		{"too many", `{"pattern":"x","max_results":501}`, event.CodeInvalidValue, "max_results: must be at most 500, not 501"},
		{"too few", `{"pattern":"x","max_results":-1}`, event.CodeInvalidValue, "max_results: must be at least 1, not -1"},
		{"glob", `{"pattern":"x","glob":"[a"}`, event.CodeInvalidValue, "is no file pattern"},
		{"unknown", `{"pattern":"x","folder":"."}`, event.CodeInvalidValue, "folder: unknown argument; the arguments are pattern, path, glob, max_results"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("search_files", c.args, c.code, c.words) })
	}
}

func TestSearchFiles_Errors(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "x")
	w.Link("..", "ws/up")
	for _, c := range []struct{ name, args, code, words string }{
		{"missing", `{"pattern":"x","path":"no"}`, event.CodeDirNotFound, "there is no folder no"},
		{"file", `{"pattern":"x","path":"f"}`, event.CodeInvalidValue, "f is no folder"},
		{"up", `{"pattern":"x","path":".."}`, event.CodePathTraversal, "leads out"},
		{"outside", `{"pattern":"x","path":"/etc"}`, event.CodePermissionDenied, "is outside"},
		{"link out", `{"pattern":"x","path":"up"}`, event.CodePermissionDenied, "goes through a link that leaves"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("search_files", c.args, c.code, c.words) })
	}
}

func TestSearchFiles_UnchangedState(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/a/b", "x\n")
	before := w.Tree()
	if got := w.Text("search_files", `{"pattern":"x"}`); got != "a/b:0: x" {
		t.Error(got)
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Error(diff)
	}
}
