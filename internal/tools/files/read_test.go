package files_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/excerpt"
	"hob/internal/race"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/toolstest"
)

func TestReadFile_Success(t *testing.T) {
	w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return 4096 } })
	w.Put("ws/notes/shop.md", "milk\r\neggs\nbread")
	w.Put("ws/..foo", "a legal name")
	w.Put("ws/empty", "")
	w.Put("ws/bom", "\xEF\xBB\xBFtext")
	w.Put("ws/utf16le", "\xFF\xFEh\x00i\x00\x3d\xd8\x00\xde")
	w.Put("ws/utf16be", "\xFE\xFF\x00h\x00i")
	w.Put("ws/latin", "caf\xE9")
	w.Link("notes/shop.md", "ws/link")
	w.Link("../ws/notes", "ws/notes/round") // leaves the workspace and comes back

	t.Run("whole file, verbatim, with its receipts", func(t *testing.T) {
		res, err := w.Call("read_file", `{"path":"notes/shop.md"}`)
		toolstest.IsResult(t, res, err, tools.Result{
			Text:  "milk\r\neggs\nbread",
			Data:  `{"path":"notes/shop.md","bytes":16,"lines":3,"offset":0,"shown":3}`,
			Label: event.Label{Private: true, Source: "file:notes/shop.md"},
		})
	})
	for _, c := range []struct{ name, args, want string }{
		{"read_file-02/offset 1", `{"path":"notes/shop.md","offset":1}`, "eggs\nbread\n[lines 1-2 of 3; this is the end]"},
		{"read_file-02/limit 1", `{"path":"notes/shop.md","limit":1}`, "milk\r\n[lines 0-0 of 3; continue with offset=1]"},
		{"at the end", `{"path":"notes/shop.md","offset":3}`, "[nothing from line 3 on: there are 3 lines]"}, // whoever reads on in steps asks for it
		{"past the end", `{"path":"notes/shop.md","offset":200,"limit":100}`, "[nothing from line 200 on: there are 3 lines]"},
		{"past the end of nothing", `{"path":"empty","offset":1}`, "[nothing from line 1 on: there are 0 lines; the file is empty]"},
		{"read_file-11", `{"path":"..foo"}`, "a legal name"},
		{"unclean path", `{"path":"./notes//../notes/shop.md"}`, "milk\r\neggs\nbread"},
		{"absolute path inside", `{"path":"` + w.Dir + `/x/../notes/shop.md"}`, "milk\r\neggs\nbread"},
		{"home is the workspace", `{"path":"~/notes/shop.md"}`, "milk\r\neggs\nbread"},
		{"link inside", `{"path":"link"}`, "milk\r\neggs\nbread"},
		{"encoding of the contract", `{"path":"..foo","encoding":"utf-8"}`, "a legal name"},
		{"empty", `{"path":"empty"}`, "[the file is empty]"},
		{"byte order mark", `{"path":"bom"}`, "text"},
		{"UTF-16 little endian", `{"path":"utf16le"}`, "hi\U0001F600\n[converted from UTF-16]"},
		{"UTF-16 big endian", `{"path":"utf16be"}`, "hi\n[converted from UTF-16]"},
		{"not UTF-8", `{"path":"latin"}`, "café\n[not valid UTF-8, shown as Latin-1]"},
		{"whole number with a point", `{"path":"notes/shop.md","offset":2.0}`, "bread\n[lines 2-2 of 3; this is the end]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, w.Text("read_file", c.args)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("read_file-02/default limit", func(t *testing.T) {
		w.Put("ws/long", strings.Repeat("\n", 2500))
		if got, want := w.Text("read_file", `{"path":"long"}`), strings.Repeat("\n", 2000)+"[lines 0-1999 of 2500; continue with offset=2000]"; got != want {
			t.Errorf("got %q", got[2000:])
		}
	})
}

// The page of a file that does not fit has the lines further on that the task is about, with their numbers, and says how many
// lines there are and how to find more.
func TestReadFile_WhatTheTaskIsAbout(t *testing.T) {
	w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return 1024 } })
	lines := make([]string, 120)
	for i := range lines {
		lines[i] = fmt.Sprintf("row %d: a valve was tested and is in order", i)
	}
	lines[60] = "the code of part 5 is K535"
	w.Put("ws/part", strings.Join(lines, "\n"))
	read := func(args string, task tools.Task) string {
		res, err := tools.Call(tools.WithTask(t.Context(), task), w.Tool("read_file"), json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		return res.Text
	}
	asked := tools.Task{Words: excerpt.For("What is the code?"), List: []string{"read_file", "search_files"}}
	for _, c := range []struct {
		name, args string
		task       tools.Task
		want       string
	}{
		{"with a search", `{"path":"part"}`, asked, lines[13] + "\n[further on:]\n60: the code of part 5 is K535\n" +
			"[lines 0-13 of 120, and those further on that have words of the task; use search_files to find something in it, or continue with offset=14]"},
		{"without", `{"path":"part"}`, tools.Task{Words: asked.Words, List: []string{"read_file"}}, lines[13] + "\n[further on:]\n60: the code of part 5 is K535\n" +
			"[lines 0-13 of 120, and those further on that have words of the task; continue with offset=14]"},
		{"a page that was asked for", `{"path":"part","offset":10}`, asked, lines[25] + "\n[lines 10-25 of 120; use search_files to find something in it, or continue with offset=26]"},
		{"so many lines that were asked for", `{"path":"part","limit":2}`, asked, lines[1] + "\n[lines 0-1 of 120; use search_files to find something in it, or continue with offset=2]"},
		{"nothing of the kind", `{"path":"part"}`, tools.Task{Words: excerpt.For("Is there a treasure?")}, lines[16] + "\n[lines 0-16 of 120; continue with offset=17]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := read(c.args, c.task); !strings.HasSuffix(got, "\n"+c.want) || len(got) > 1024 {
				t.Errorf("%d bytes:\n%s\nshould end with\n%s", len(got), got, c.want)
			}
		})
	}
}

// A file of any shape can be read to its end by doing what the last line says, and never more than the share at once.
func TestReadFile_GoesOn(t *testing.T) {
	race.Skip(t, "one goroutine reads a lot")
	long := &strings.Builder{}
	for i := range 3000 {
		fmt.Fprintf(long, "line %d\n", i)
	}
	for name, text := range map[string]string{
		"many lines":       long.String(),
		"one giant line":   strings.Repeat("жду €5. ", 9000),
		"lines and giants": "a\n" + strings.Repeat("x", 20_000) + "\nb\n" + strings.Repeat("é", 700) + "\n",
	} {
		for _, share := range []int{1024, 5000, 1 << 20} {
			t.Run(fmt.Sprintf("%s, share %d", name, share), func(t *testing.T) {
				w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return share } })
				w.Put("ws/f", text)
				var all strings.Builder
				offset := 0
				for range 2000 {
					res, err := w.Call("read_file", fmt.Sprintf(`{"path":"f","offset":%d}`, offset))
					if err != nil {
						t.Fatal(err)
					}
					if len(res.Text) > min(share, 256<<10) || !utf8.ValidString(res.Text) {
						t.Fatalf("%d bytes at offset %d", len(res.Text), offset)
					}
					body, note := res.Text, ""
					if i := strings.LastIndex(res.Text, "["); i >= 0 {
						body, note = res.Text[:i], res.Text[i:]
					}
					_, next, more := strings.Cut(note, "continue with offset=")
					if more && !strings.HasSuffix(body, "\n") || note != "" && !strings.HasPrefix(text[all.Len():], body) {
						body = strings.TrimSuffix(body, "\n") // of the note, not of the file
					}
					all.WriteString(body)
					if !more {
						break
					}
					if n, err := fmt.Sscanf(next, "%d", &offset); n != 1 {
						t.Fatal(err)
					}
				}
				if all.String() != text {
					t.Errorf("%d bytes came together of %d", all.Len(), len(text))
				}
			})
		}
	}
}

func TestReadFile_BadArguments(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "one\ntwo\n")
	for _, c := range []struct{ name, args, code, words string }{
		{"read_file-04/empty path", `{"path":""}`, event.CodeRequiredField, "the path is empty"},
		{"read_file-04/no path", `{}`, event.CodeRequiredField, "path: is required"},
		{"read_file-04/bad JSON", `{"path":`, event.CodeInvalidFormat, "ends too early"},
		{"read_file-04/unknown field", `{"path":"f","lines":3}`, event.CodeInvalidValue, "lines: unknown argument; the arguments are path, offset, limit, encoding"},
		{"read_file-05", `{"path":"f","encoding":"latin1"}`, event.CodeInvalidValue, `encoding: must be one of "utf-8", not "latin1"`},
		{"text for a number", `{"path":"f","limit":"5"}`, event.CodeInvalidFormat, `limit: must be an integer, not "5"`},
		{"null", `{"path":"f","limit":null}`, event.CodeInvalidFormat, "limit: must be an integer, not null"},
		{"negative", `{"path":"f","offset":-1}`, event.CodeInvalidValue, "offset: must be at least 0, not -1"},
		{"too large for Go", `{"path":"f","offset":99999999999999999999}`, event.CodeInvalidValue, "offset: is out of range"},
		{"NUL", `{"path":"f\u0000.md"}`, event.CodeInvalidValue, "holds a NUL"},
		{"blank", `{"path":" "}`, event.CodeRequiredField, "the path is empty"},
		{"long path", `{"path":"` + strings.Repeat("x", 5000) + `"}`, event.CodeInvalidValue, "longer than 4096 bytes"},
		{"long name", `{"path":"` + strings.Repeat("x", 300) + `"}`, event.CodeInvalidValue, "name too long"},
		{"all at once", `{"offset":"x","limit":0,"a/b":1}`, event.CodeRequiredField,
			`path: is required; a~1b: unknown argument; the arguments are path, offset, limit, encoding; limit: must be at least 1, not 0; offset: must be an integer, not "x"`},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("read_file", c.args, c.code, c.words) })
	}
}

func TestReadFile_Errors(t *testing.T) {
	w := filestest.New(t)
	w.Put("secret", "s3cret")
	w.Put("ws/notes.md", "x")
	w.Put("ws/photo.png", "\x89PNG\r\n\x1a\n\x00\x00")
	w.Put("ws/d/f", "x")
	w.Link("../secret", "ws/out")
	w.Link(filepath.Join(w.Base, "secret"), "ws/absolute")
	w.Link(filepath.Join(w.Dir, "notes.md"), "ws/absolute-inside")
	w.Link("..", "ws/up")
	w.Link("loop", "ws/loop")
	w.Link("nowhere", "ws/dangling")
	w.Special("ws/fifo", func(p string) error { return unix.Mkfifo(p, 0o644) })
	w.Special("ws/socket", func(p string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p})
		if err == nil {
			l.SetUnlinkOnClose(false)
			l.Close()
		}
		return err
	})
	w.Special("ws/sparse", func(p string) error {
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			return err
		}
		return os.Truncate(p, 1<<40)
	})
	for _, c := range []struct{ name, path, code, words string }{
		{"read_file-07/one up", "../x", event.CodePathTraversal, "../x leads out of the workspace"},
		{"read_file-07/down and up", "a/../../x", event.CodePathTraversal, "leads out of the workspace"},
		{"the folder above", "..", event.CodePathTraversal, "leads out of the workspace"},
		{"home and up", "~/../secret", event.CodePathTraversal, "leads out of the workspace"},
		{"read_file-08", "/etc/passwd", event.CodePermissionDenied, "/etc/passwd is outside of the workspace"},
		{"read_file-10", w.Dir + "/../secret", event.CodePermissionDenied, "is outside of the workspace"},
		{"a sibling with the same beginning", w.Dir + "2/x", event.CodePermissionDenied, "is outside of the workspace"},
		{"read_file-13/relative link", "out", event.CodePermissionDenied, "out goes through a link that leaves the workspace"},
		{"read_file-13/absolute link", "absolute", event.CodePermissionDenied, "goes through a link that leaves"},
		{"read_file-13/folder link", "up/secret", event.CodePermissionDenied, "goes through a link that leaves"},
		{"absolute link inside", "absolute-inside", event.CodePermissionDenied, "goes through a link that leaves"},
		{"link to itself", "loop", event.CodeInvalidValue, "too many levels"},
		{"link to nothing", "dangling", event.CodeFileNotFound, "there is no file dangling"},
		{"missing", "note.md", event.CodeFileNotFound, "there is no file note.md; did you mean notes.md?"},
		{"in a folder beside it", "f", event.CodeFileNotFound, "there is no file f; did you mean d/f?"},
		{"outside, by a link beside it", "secret", event.CodeFileNotFound, "there is no file secret; use list_files"},
		{"missing folder", "no/such/file", event.CodeFileNotFound, "there is no file no/such/file; use list_files"},
		{"a file as a folder", "notes.md/x", event.CodeFileNotFound, "there is no file notes.md/x"},
		{"folder", "d", event.CodeInvalidValue, "d is a folder; use list_files"},
		{"the workspace", ".", event.CodeInvalidValue, ". is a folder"},
		{"picture", "photo.png", event.CodeInvalidFormat, "photo.png is no text but image/png of 10 bytes"},
		{"named pipe", "fifo", event.CodeInvalidValue, "fifo is a named pipe, not a file"},
		{"socket", "socket", event.CodeInvalidValue, "socket is a socket, not a file"},
		{"1 TiB of nothing", "sparse", event.CodeInvalidFormat, "is no text"},
		{"confusing name", "a\nb", event.CodeFileNotFound, `there is no file "a\nb"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			args, err := json.Marshal(map[string]string{"path": c.path})
			if err != nil {
				t.Fatal(err)
			}
			w.Fails("read_file", string(args), c.code, c.words)
			if _, err := w.Files.ReadFile(c.path); err == nil {
				t.Error("ReadFile reads it")
			}
		})
	}
}

// What a person opened beside the workspace is read by its absolute path; what is hob's own stays closed, by whatever
// name; and a mount that somebody placed inside is not entered.
func TestReadFile_Grants(t *testing.T) {
	var w *filestest.World
	w = filestest.New(t, func(c *files.Config) {
		base := filepath.Dir(c.Dir)
		granted, state := filepath.Join(base, "docs"), filepath.Join(base, "docs", "state")
		for _, dir := range []string{granted, state} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		c.Grants = []tree.Grant{{Dir: granted}}
		c.Deny = []string{state, filepath.Join(base, "token"), filepath.Join(base, "not-there")}
	})
	docs := filepath.Join(w.Base, "docs")
	w.Put("docs/letter", "dear")
	w.Put("docs/state/hob.db", "journal")
	w.Put("token", "t0ken")
	w.Link("state", "docs/way")
	if err := os.Link(filepath.Join(w.Base, "token"), filepath.Join(w.Dir, "hard")); err != nil {
		t.Fatal(err)
	}
	if got := w.Text("read_file", `{"path":"`+docs+`/letter"}`); got != "dear" {
		t.Errorf("a granted file reads as %q", got)
	}
	w.Fails("read_file", `{"path":"`+docs+`/state/hob.db"}`, event.CodePermissionDenied, "belongs to hob itself")
	w.Fails("read_file", `{"path":"`+docs+`/way/hob.db"}`, event.CodePermissionDenied, "belongs to hob itself")
	w.Fails("read_file", `{"path":"hard"}`, event.CodePermissionDenied, "belongs to hob itself")
	w.Fails("list_files", `{"path":"`+docs+`/state"}`, event.CodePermissionDenied, "belongs to hob itself")
	w.Fails("write_file", `{"path":"`+docs+`/letter","content":"x","mode":"overwrite"}`, event.CodeReadOnly, "open for reading only")

	all, err := files.New(files.Config{Dir: "/", ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	_, err = all.ReadFile("proc/self/status")
	toolstest.IsError(t, err, event.CodePermissionDenied, "is on another mount")
	open, err := files.New(files.Config{Dir: "/", ReadOnly: true, Mounts: true})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if text, err := open.ReadFile("proc/self/status"); err != nil || !strings.Contains(text, "Pid:") {
		t.Errorf("with Mounts: %q, %v", text, err)
	}
	_, err = open.ReadFile("dev/null")
	toolstest.IsError(t, err, event.CodeInvalidValue, "is a device, not a file")
}

func TestReadFile_UnchangedState(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "x")
	before := w.Tree()
	for range 100 { // no file stays open: a leak would show in the count below
		w.Text("read_file", `{"path":"f"}`)
		for _, path := range []string{"../x", "/etc/passwd", "missing", ".", "f/x"} {
			w.Fails("read_file", `{"path":"`+path+`"}`, codeOf(w.Call("read_file", `{"path":"`+path+`"}`)), "")
		}
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Error(diff)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	if len(open) > 100 {
		t.Errorf("%d files are open after 600 reads", len(open))
	}
}

func codeOf(_ tools.Result, err error) string {
	if e, ok := err.(*tools.Error); ok {
		return e.Code
	}
	return ""
}
