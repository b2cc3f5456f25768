package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
)

// What somebody sends gets a name that is one, beside what is there.
func TestReceive(t *testing.T) {
	dir := t.TempDir()
	files, err := files.New(files.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want string }{
		{"invoice.pdf", "invoice.pdf"}, {"invoice.pdf", "invoice-2.pdf"}, {"invoice.pdf", "invoice-3.pdf"},
		{"../../etc/passwd", "passwd"}, {`C:\Users\ann\a b.txt`, "a_b.txt"}, {"", "file"}, {"..", "file-2"}, {".bashrc", "bashrc"},
		{".hob-tmp-1", "hob-tmp-1"}, {"Grüße 🧙.md", "Grüße__.md"}, {"a\x00b\n\u202e.md", "a_b__.md"}, {"-rf", "rf"}, {"\xff\xfe.md", "md"},
		{strings.Repeat("ж", 300) + ".docx", strings.Repeat("ж", 37) + ".docx"}, {"x." + strings.Repeat("y", 300), "x." + strings.Repeat("y", 78)},
		{"照片.jpg", "照片.jpg"}, {"/", "file-3"},
	} {
		got, err := files.Receive(t.Context(), c.name, 100, event.Label{}, strings.NewReader("hello"))
		if err != nil || got.Path != "inbox/"+c.want || got.Name != c.want {
			t.Errorf("%q: %+v, %v, want %s", c.name, got, err, c.want)
			continue
		}
		if raw, err := os.ReadFile(filepath.Join(dir, got.Path)); err != nil || string(raw) != "hello" {
			t.Errorf("%q: %q, %v", c.name, raw, err)
		}
	}
	if got, err := files.Receive(t.Context(), "long", 5, event.Label{}, strings.NewReader("123456")); err == nil {
		t.Errorf("more than most bytes: %+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "inbox/long")); err == nil {
		t.Error("a part of what was refused is there")
	}
	got, err := files.Receive(t.Context(), "photo", 100, event.Label{}, strings.NewReader("\xff\xd8\xff\xe0 jpeg"))
	if err != nil || got.Type != "image/jpeg" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := files.Receive(t.Context(), "script.jpg", 100, event.Label{}, strings.NewReader("#!/bin/sh")); err != nil || got.Type != "text/plain" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReceiveWhereNothingMayBeWritten(t *testing.T) {
	files, err := files.New(files.Config{Dir: t.TempDir(), ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := files.Receive(t.Context(), "a", 100, event.Label{}, strings.NewReader("x")); err == nil {
		t.Errorf("%+v", got)
	}
}

// What is sent is what was agreed to, or nothing.
func TestSendFile_Success(t *testing.T) {
	dir := t.TempDir()
	files, err := files.New(files.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("a,b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := tools.Call(t.Context(), files.SendTool(), []byte(`{"path":"a.csv"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []event.File{{Name: "a.csv", Type: "text/csv", Path: "a.csv", Bytes: 4, Sum: got.Files[0].Sum}}
	if diff := cmp.Diff(want, got.Files); diff != "" || len(got.Files[0].Sum) != 64 {
		t.Error(diff, got.Files[0].Sum)
	}
	if diff := cmp.Diff([]event.Effect{{Kind: "sent", Target: "a.csv", Bytes: 4}}, got.Effects); diff != "" {
		t.Error(diff)
	}
	r, err := files.Open(t.Context(), got.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := io.ReadAll(r); string(raw) != "a,b\n" || err != nil {
		t.Errorf("%q, %v", raw, err)
	}
	r.Close()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("x,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Open(t.Context(), got.Files[0]); err == nil || !strings.Contains(err.Error(), "has changed since") {
		t.Error(err)
	}
}

func TestSendFile_BadArguments(t *testing.T) {
	files, _ := sending(t)
	for args, code := range map[string]string{
		`{}`: event.CodeRequiredField, `{"path":""}`: event.CodeRequiredField, `{"path":1}`: event.CodeInvalidFormat,
		`{"path":"a.csv","to":"bob"}`: event.CodeInvalidValue, `{"path":"."}`: event.CodeInvalidValue, `{"path":"empty"}`: event.CodeInvalidValue,
	} {
		refusesToSend(t, files, args, code)
	}
}

func TestSendFile_Errors(t *testing.T) {
	files, dir := sending(t)
	for args, code := range map[string]string{
		`{"path":"nothing"}`: event.CodeFileNotFound, `{"path":"../a.csv"}`: event.CodePathTraversal,
		`{"path":"/etc/passwd"}`: event.CodePermissionDenied, `{"path":"large"}`: event.CodeInvalidValue, `{"path":"folder"}`: event.CodeInvalidValue,
	} {
		refusesToSend(t, files, args, code)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	refusesToSend(t, files, `{"path":"link"}`, event.CodePermissionDenied)
}

func TestSendFile_UnchangedState(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "x")
	files, err := files.New(files.Config{Dir: w.Dir})
	if err != nil {
		t.Fatal(err)
	}
	before := w.Tree()
	for _, path := range []string{"f", "missing", "../x", "."} {
		_, _ = tools.Call(t.Context(), files.SendTool(), []byte(`{"path":"`+path+`"}`)) // what comes of each is tested above
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Error(diff)
	}
}

// sending is a workspace with a file that can be sent, and some that cannot.
func sending(t *testing.T) (*files.FileTool, string) {
	t.Helper()
	dir := t.TempDir()
	files, err := files.New(files.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"a.csv": 4, "empty": 0, "large": 50<<20 + 1} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	return files, dir
}

func refusesToSend(t *testing.T, files *files.FileTool, args, code string) {
	t.Helper()
	send := files.SendTool()
	err := tools.Validate(send, []byte(args))
	var res tools.Result
	if err == nil {
		res, err = tools.Call(t.Context(), send, []byte(args))
	}
	if codeOf(res, err) != code || len(res.Files) > 0 || len(res.Effects) > 0 {
		t.Errorf("%s: %+v, %v (%s), want %s", args, res, err, codeOf(res, err), code)
	}
}
