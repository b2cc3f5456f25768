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

func TestFindFiles_Success(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/bills/May rent.txt", "x")
	w.Put("ws/bills/may-power.PDF", "xy")
	w.Put("ws/notes/Über Mai.md", "")
	w.Put("ws/may/june.txt", "")
	w.Put("ws/.hidden/may", "")
	w.Put("outside/may", "")
	w.Link("../outside", "ws/up")
	w.Link("bills/may-power.PDF", "ws/may link")
	res, err := w.Call("find_files", `{"name":"rent MAY"}`)
	toolstest.IsResult(t, res, err, tools.Result{
		Text:  `"bills/May rent.txt" (1 B)`,
		Data:  `{"found":[{"path":"bills/May rent.txt","bytes":1}],"files":6}`,
		Label: event.Label{Private: true, Source: "file:."},
	})
	for _, c := range []struct{ args, want string }{
		{`{"name":"may"}`, "\"bills/May rent.txt\" (1 B)\nbills/may-power.PDF (2 B)\n\"may link\" (0 B)"},
		{`{"name":"ÜBER"}`, `"notes/Über Mai.md" (0 B)`},
		{`{"name":"*.pdf"}`, "bills/may-power.PDF (2 B)"},
		{`{"name":"may*"}`, "\"bills/May rent.txt\" (1 B)\nbills/may-power.PDF (2 B)\n\"may link\" (0 B)"},
		{`{"name":"bills/**"}`, "\"bills/May rent.txt\" (1 B)\nbills/may-power.PDF (2 B)"},
		{`{"name":"*.{md,txt}","path":"may"}`, "may/june.txt (0 B)"},
		{`{"name":"may/ june"}`, "may/june.txt (0 B)"},
		{`{"name":"rent power"}`, `no name fits "rent power", of 6 files`},
	} {
		if got := w.Text("find_files", c.args); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

func TestFindFiles_BadArguments(t *testing.T) {
	w := filestest.New(t)
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "name: is required"},
		{"blank", `{"name":" "}`, event.CodeInvalidValue, "name: must have 1 to 1000 bytes"},
		{"long", `{"name":"` + strings.Repeat("x", 1001) + `"}`, event.CodeInvalidValue, "name: must have 1 to 1000 bytes"},
		{"no glob", `{"name":"[a"}`, event.CodeInvalidValue, `name: "[a" is no file pattern`},
		{"unknown", `{"name":"a","depth":1}`, event.CodeInvalidValue, "depth: unknown argument"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("find_files", c.args, c.code, c.words) })
	}
}

func TestFindFiles_Errors(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/notes/a", "")
	w.Link("..", "ws/up")
	for _, c := range []struct{ name, dir, code, words string }{
		{"missing", "note", event.CodeDirNotFound, "there is no folder note; did you mean notes?"},
		{"a file", "notes/a", event.CodeInvalidValue, "notes/a is no folder"},
		{"out", "..", event.CodePathTraversal, "leads out of the workspace"},
		{"out by a link", "up", event.CodePermissionDenied, "goes through a link that leaves"},
		{"a result", "out:1", event.CodeInvalidValue, "out:1"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("find_files", `{"name":"a","path":"`+c.dir+`"}`, c.code, c.words) })
	}
}

func TestFindFiles_UnchangedState(t *testing.T) {
	w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return 2000 } })
	for i := range 120 {
		w.Put(fmt.Sprintf("ws/d/%03d", i), "")
	}
	before := w.Tree()
	got := w.Text("find_files", `{"name":"*"}`)
	if n := strings.Count(got, "\n"); n != 100 || !strings.HasSuffix(got, "d/099 (0 B)\n[there are more than 100 files; narrow name or path]") {
		t.Errorf("%d lines: %s", n, got)
	}
	w.Put("ws/"+strings.Repeat("x", 200)+"/"+strings.Repeat("y", 200), "")
	for i := range 10 {
		w.Put(fmt.Sprintf("ws/%s/%s%d", strings.Repeat("x", 200), strings.Repeat("y", 200), i), "")
	}
	if got := w.Text("find_files", `{"name":"yy"}`); len(got) > 2000 || !strings.HasSuffix(got, "[there are more than 8 files; narrow name or path]") {
		t.Errorf("what has no room: %d bytes, %s", len(got), got[max(0, len(got)-100):])
	}
	for at, n := range before {
		if diff := cmp.Diff(n, w.Tree()[at]); diff != "" {
			t.Errorf("%s: %s", at, diff)
		}
	}
}
