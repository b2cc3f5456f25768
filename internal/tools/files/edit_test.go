package files_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

func TestEditFile_Success(t *testing.T) {
	for _, c := range []struct{ name, before, args, after, text string }{
		{"once", "a\nb\nc\n", `{"path":"f","old_string":"b\n","new_string":"B\n"}`, "a\nB\nc\n", "edited f in 1 place, 6 bytes"},
		{"delete", "a\nb\nc", `{"path":"f","old_string":"b\n","new_string":""}`, "a\nc", "edited f in 1 place, 3 bytes"},
		{"every place", "xx x", `{"path":"f","old_string":"x","new_string":"yy","replace_all":true}`, "yyyy yy", "edited f in 3 places, 7 bytes"},
		{"CRLF stays", "a\r\nb\r\nc\r\n", `{"path":"f","old_string":"a\nb","new_string":"1\n2\n3"}`, "1\r\n2\r\n3\r\nc\r\n", "edited f in 1 place, 12 bytes"},
		{"byte order mark stays", "\xEF\xBB\xBFa", `{"path":"f","old_string":"a","new_string":"b"}`, "\xEF\xBB\xBFb", "edited f in 1 place, 4 bytes"},
		{"tokens that a model is shown otherwise", "a <|im_start|>user [INST] b", `{"path":"f","old_string":"< |im_start|>user [ INST] b","new_string":"< |im_end|> c"}`,
			"a <|im_end|> c", "edited f in 1 place, 14 bytes"},
		{"no pattern", "a.c abc", `{"path":"f","old_string":"a.c","new_string":"$1"}`, "$1 abc", "edited f in 1 place, 6 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := filestest.New(t)
			w.Put("ws/f", c.before)
			if got := w.Text("edit_file", c.args); got != c.text {
				t.Errorf("text is %q, want %q", got, c.text)
			}
			if got := w.Content("ws/f"); got != c.after {
				t.Errorf("the file holds %q, want %q", got, c.after)
			}
		})
	}
	t.Run("receipts", func(t *testing.T) {
		w := filestest.New(t)
		w.Put("ws/f", "ab")
		res, err := w.Call("edit_file", `{"path":"f","old_string":"a","new_string":"xyz"}`)
		toolstest.IsResult(t, res, err, tools.Result{
			Text: "edited f in 1 place, 4 bytes", Data: `{"path":"f","bytes":4,"places":1}`,
			Effects: []event.Effect{w.Did("edited", "f", "xyzb", "4 bytes")},
		})
	})
}

func TestEditFile_BadArguments(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "a")
	for _, c := range []struct{ name, args, code, words string }{
		{"nothing", `{}`, event.CodeRequiredField, "new_string: is required; old_string: is required; path: is required"},
		{"empty path", `{"path":"","old_string":"a","new_string":"b"}`, event.CodeRequiredField, "the path is empty"},
		{"nothing to look for", `{"path":"f","old_string":"","new_string":"b"}`, event.CodeRequiredField, "old_string: must not be empty"},
		{"nothing to change", `{"path":"f","old_string":"a","new_string":"a"}`, event.CodeInvalidValue, "nothing would change"},
		{"flag as text", `{"path":"f","old_string":"a","new_string":"b","replace_all":"true"}`, event.CodeInvalidFormat, `replace_all: must be a boolean, not "true"`},
		{"unknown", `{"path":"f","old_string":"a","new_string":"b","regex":true}`, event.CodeInvalidValue, "regex: unknown argument"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("edit_file", c.args, c.code, c.words) })
	}
}

func TestEditFile_Errors(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "alpha beta\n\tgamma delta\nalpha\n")
	w.Put("ws/latin", "caf\xE9")
	w.Put("ws/photo", "\x00\x01")
	w.Put("secret", "alpha")
	w.Link("../secret", "ws/out")
	edit := func(path, old string) string {
		raw, _ := json.Marshal(map[string]string{"path": path, "old_string": old, "new_string": "new"})
		return string(raw)
	}
	for _, c := range []struct{ name, args, code, words string }{
		{"twice", edit("f", "alpha"), event.CodeInvalidValue, "old_string: stands in f 2 times, in lines 0, 2 (counted from 0); take in more"},
		{"other blanks", edit("f", "  gamma delta"), event.CodeInvalidValue, `the nearest is line 1 (counted from 0): "\tgamma delta"`},
		{"nearly", edit("f", "alfa beta"), event.CodeInvalidValue, `the nearest is line 0 (counted from 0): "alpha beta"`},
		{"nothing like it", edit("f", "zzz"), event.CodeInvalidValue, "old_string: does not stand in f; read the file and copy"},
		{"missing", edit("g", "a"), event.CodeFileNotFound, "there is no file g"},
		{"missing folder", edit("no/f", "a"), event.CodeFileNotFound, "there is no file no/f"},
		{"folder", edit(".", "a"), event.CodeInvalidValue, ". is the name of a folder"},
		{"up", edit("../secret", "alpha"), event.CodePathTraversal, "leads out of the workspace"},
		{"outside", edit("/etc/passwd", "root"), event.CodePermissionDenied, "is outside"},
		{"link out", edit("out", "alpha"), event.CodePermissionDenied, "goes through a link that leaves"},
		{"Latin-1", edit("latin", "caf"), event.CodeInvalidFormat, "is not UTF-8"},
		{"no text", edit("photo", "a"), event.CodeInvalidFormat, "is no text"},
	} {
		t.Run(c.name, func(t *testing.T) { w.Fails("edit_file", c.args, c.code, c.words) })
	}
}

func TestEditFile_UnchangedState(t *testing.T) {
	w := filestest.New(t)
	w.Put("ws/f", "one\ntwo\n")
	before := w.Tree()
	w.Fails("edit_file", `{"path":"f","old_string":"three","new_string":"3"}`, event.CodeInvalidValue, "does not stand")
	w.Text("edit_file", `{"path":"f","old_string":"two","new_string":"2"}`)
	w.Text("edit_file", `{"path":"f","old_string":"2","new_string":"two"}`)
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("there and back is not the same: %s", diff)
	}
}
