package blobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/blobs"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/toolstest"
)

// blobsWorld is a workspace whose tools know stored results, which lie beside it in "out".
type blobsWorld struct {
	*filestest.World
	out *blobs.Store
}

func newBlobsWorld(t *testing.T, adjust ...func(*blobs.Config)) *blobsWorld {
	t.Helper()
	w := &blobsWorld{}
	w.World = filestest.New(t, func(c *files.Config) {
		w.out = openBlobs(t, filepath.Join(filepath.Dir(c.Dir), "out"), adjust...)
		c.Blobs, c.Share = w.out, func() int { return 1024 }
	})
	return w
}

func openBlobs(t *testing.T, dir string, adjust ...func(*blobs.Config)) *blobs.Store {
	t.Helper()
	c := blobs.Config{Dir: dir}
	for _, f := range adjust {
		f(&c)
	}
	o, err := blobs.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func inChat(t *testing.T, chat event.Chat) context.Context {
	return tools.WithCaller(t.Context(), tools.Caller{Chat: chat})
}

// keep stores a text that must be stored.
func keep(t *testing.T, o *blobs.Store, chat event.Chat, text string) string {
	t.Helper()
	handle, err := o.Put(inChat(t, chat), text, event.Label{Untrusted: true, Source: "web:page.lan"})
	if err != nil {
		t.Fatalf("Put in %q: %v", chat, err)
	}
	return handle
}

// in calls a tool from a chat.
func (w *blobsWorld) in(chat event.Chat, tool string, args any) (tools.Result, error) {
	w.T.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		w.T.Fatal(err)
	}
	return tools.Call(inChat(w.T, chat), w.Tool(tool), raw)
}

type object = map[string]any

// read reads a stored result that must be there.
func (w *blobsWorld) read(chat event.Chat, handle string) string {
	w.T.Helper()
	res, err := w.in(chat, "read_file", object{"path": handle})
	if err != nil {
		w.T.Errorf("read %s in %q: %v", handle, chat, err)
	}
	return res.Text
}

// gone checks that a handle is of nothing in a chat.
func (w *blobsWorld) gone(chat event.Chat, handle string) {
	w.T.Helper()
	for tool, args := range map[string]object{"read_file": {"path": handle}, "search_files": {"pattern": ".", "path": handle}} {
		res, err := w.in(chat, tool, args)
		toolstest.IsError(w.T, err, event.CodeFileNotFound, handle+" is no longer kept: call the tool again")
		if res.Text != "" {
			w.T.Errorf("%s of %s in %q: %q", tool, handle, chat, res.Text)
		}
	}
}

func TestBlobsAreReadAsFilesAre(t *testing.T) {
	w := newBlobsWorld(t)
	text := strings.Repeat("line of a file\n", 100) + strings.Repeat("wide ", 1000) + "\nthe end"
	w.Put("ws/f", text)
	if got := keep(t, w.out, "main", text); got != "out:1" {
		t.Errorf("the first handle is %s", got)
	}
	for _, args := range []object{{}, {"offset": 30}, {"limit": 2}, {"offset": 109, "limit": 5}, {"offset": 110}, {"offset": 5000}} {
		args["path"] = "f"
		want, wantErr := w.in("main", "read_file", args)
		args["path"] = "out:1"
		got, err := w.in("main", "read_file", args)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != strings.Replace(wantErr.Error(), "f has", "out:1 has", 1) {
			t.Errorf("%v: %v, want %v", args, err, wantErr)
		}
		if diff := cmp.Diff(want.Text, got.Text); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
	}
	res, err := w.in("main", "read_file", object{"path": "out:1", "offset": 1, "limit": 1})
	toolstest.IsResult(t, res, err, tools.Result{
		Text:  "line of a file\n[lines 1-1 of 111; continue with offset=2; a line longer than 512 bytes counts as several]",
		Data:  `{"path":"out:1","bytes":6508,"lines":111,"offset":1,"shown":1,"next":2}`,
		Label: event.Label{Private: true, Untrusted: true, Source: "web:page.lan"},
	})
}

func TestBlobsAreSearched(t *testing.T) {
	w := newBlobsWorld(t)
	keep(t, w.out, "main", "one\r\ntwo needles\n{"+strings.Repeat(`"x":"filler",`, 100)+`"y":"needle"}`+"\nlast needle\x00")
	w.Put("ws/f", "needle")
	for _, c := range []struct {
		name string
		args object
		want string
	}{
		{"lines are those of read_file", object{"pattern": "needle"},
			"out:1:1: two needles\nout:1:4: ...ler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\"," +
				"\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"x\":\"filler\",\"y\":\"needle\"}\n" +
				"out:1:5: last needle\x00"},
		{"ends of lines", object{"pattern": "e$"}, "out:1:0: one"},
		{"enough", object{"pattern": "needle", "max_results": 1},
			"out:1:1: two needles\n[there is more than 1 match; narrow the pattern, path or glob]"},
		{"it has no name for a glob", object{"pattern": "^one", "glob": "*.txt"}, "out:1:0: one"},
		{"nothing", object{"pattern": "zzz"}, `no match for "zzz" in out:1`},
		{"no regular expression", object{"pattern": "(one"},
			"no match for \"(one\" in out:1\n[the pattern is no regular expression and was searched for as it stands]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.args["path"] = "out:1"
			res, err := w.in("main", "search_files", c.args)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, res.Text); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(event.Label{Private: true, Untrusted: true, Source: "web:page.lan"}, res.Label); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("the line that is named is where read_file goes on", func(t *testing.T) {
		res, err := w.in("main", "read_file", object{"path": "out:1", "offset": 4, "limit": 1})
		if err != nil || !strings.Contains(res.Text, `"y":"needle"}`) {
			t.Errorf("%q, %v", res.Text, err)
		}
	})
	t.Run("a match that begins where a piece does", func(t *testing.T) {
		handle := keep(t, w.out, "edge", strings.Repeat("x", 512)+"needle")
		res, err := w.in("edge", "search_files", object{"pattern": "needle", "path": handle})
		if err != nil || !strings.HasPrefix(res.Text, "out:1:1: ...") {
			t.Errorf("%q, %v", res.Text, err)
		}
	})
	t.Run("one match for each piece of a long line, and no more than the share", func(t *testing.T) {
		keep(t, w.out, "main", strings.Repeat("needle ", 2000)+"\nneedle")
		res, err := w.in("main", "search_files", object{"pattern": "needle", "path": "out:2"})
		if err != nil || len(res.Text) > 1024 || !strings.Contains(res.Text, "\nout:2:2: ...") || !strings.Contains(res.Text, "there is more than 3 matches") {
			t.Errorf("%d bytes, %v: %s", len(res.Text), err, res.Text)
		}
	})
}

// A number that was told stays right when the model's context, and with it the share, turns out to be another.
func TestShareMayChange(t *testing.T) {
	share := 1 << 20
	w := filestest.New(t, func(c *files.Config) { c.Share = func() int { return share } })
	w.Put("ws/f", strings.Repeat(strings.Repeat("x", 1999)+"\n", 4)+"needle\n")
	const want = "f:16: needle"
	for _, share = range []int{1 << 20, 10_000, 1024, 0, -5} {
		if got := w.Text("search_files", `{"pattern":"needle"}`); got != want {
			t.Errorf("with a share of %d: %s, want %s", share, got, want)
		}
		if got := w.Text("read_file", `{"path":"f","offset":16}`); got != "needle\n[lines 16-16 of 17; this is the end; a line longer than 512 bytes counts as several]" {
			t.Errorf("with a share of %d: %s", share, got)
		}
		most := share
		if share <= 0 {
			most = 256 << 10
		}
		if got := w.Text("read_file", `{"path":"f"}`); len(got) > most {
			t.Errorf("with a share of %d: %d bytes", share, len(got))
		}
	}
}

func TestBlobsOnDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "out")
	o := openBlobs(t, dir)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("there is a folder before there is a result: %v", err)
	}
	keep(t, o, "Telegram/4711", "one")
	keep(t, o, "Telegram/4711", "two")
	got := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		raw, _ := os.ReadFile(path) // of a folder: nothing
		got[rel] = info.Mode().String() + " " + string(raw)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	const sumOne = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed" // echo -n one | sha256sum
	const sumTwo = "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"
	const folder = "telegram-4711-a957fd3ae4746102d0aa0ca1eaa1ef1cfa3e0b8403a849acb03acda932fe0bc3" // echo -n Telegram/4711 | sha256sum
	want := map[string]string{
		".": "drwx------ ", folder: "drwx------ ", folder + "/1.txt": "-rw------- one", folder + "/2.txt": "-rw------- two",
		folder + "/1.from": `-rw------- {"label":{"untrusted":true,"source":"web:page.lan"},"sha256":"` + sumOne + `"}`,
		folder + "/2.from": `-rw------- {"label":{"untrusted":true,"source":"web:page.lan"},"sha256":"` + sumTwo + `"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBlobsConfig(t *testing.T) {
	for _, c := range []blobs.Config{{}, {Dir: "x", MaxBlob: -1}, {Dir: "x", MaxChat: -1}} {
		if _, err := blobs.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	w := newBlobsWorld(t)
	if handle, err := w.out.Put(t.Context(), "text", event.Label{}); err == nil || handle != "" {
		t.Errorf("a result of no chat: %q, %v", handle, err)
	}
	if handle, err := w.out.Put(inChat(t, "main"), "", event.Label{}); err == nil || handle != "" {
		t.Errorf("a result that says nothing: %q, %v", handle, err)
	}
	if got := keep(t, w.out, "main", "x"); got != "out:1" {
		t.Errorf("what was refused took a number: %s", got)
	}
}

// Whatever the chats are called, none sees what is another's, and each name is good for a folder.
func TestBlobsOfOneChatAreNotAnothers(t *testing.T) {
	w := newBlobsWorld(t)
	chats := []event.Chat{
		"main", "Main", "MAIN", "main2", "mai", "../main", "..", ".", "/", "main/", "a/b", "a-b", "a:b", "main\x00", "~", "-",
		"con", "mäin", "ma\u0308in", event.Chat(strings.Repeat("🧙", 32)), event.Chat(strings.Repeat("🧙", 33)),
		event.Chat(strings.Repeat("x", 5000)), event.Chat(strings.Repeat("x", 5001)), "\xff", "\xfe", "$(reboot)",
	}
	for i, chat := range chats {
		for n := range i + 1 {
			if got, want := keep(t, w.out, chat, fmt.Sprintf("%d.%d", i, n)), fmt.Sprintf("out:%d", n+1); got != want {
				t.Errorf("%q has %s, want %s", chat, got, want)
			}
		}
	}
	for i, chat := range chats {
		for n := range i + 1 {
			if got, want := w.read(chat, fmt.Sprintf("out:%d", n+1)), fmt.Sprintf("%d.%d", i, n); got != want {
				t.Errorf("out:%d of %q is %q, want %q", n+1, chat, got, want)
			}
		}
		w.gone(chat, fmt.Sprintf("out:%d", i+2))
	}
	w.gone("", "out:1")
	w.gone("never heard of", "out:1")
	folders, err := os.ReadDir(filepath.Join(w.Base, "out"))
	if err != nil || len(folders) != len(chats) {
		t.Errorf("%d chats have %d folders, %v", len(chats), len(folders), err)
	}
	lower := map[string]bool{}
	for _, f := range folders {
		if lower[strings.ToLower(f.Name())] || len(f.Name()) > 255 || strings.Trim(f.Name(), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("a folder has the name %q", f.Name())
		}
		lower[strings.ToLower(f.Name())] = true
	}
	if entries, err := os.ReadDir(w.Base); err != nil || len(entries) != 2 {
		t.Errorf("beside the workspace and the results there are %v, %v", entries, err)
	}
}

func TestHostileHandles(t *testing.T) {
	w := newBlobsWorld(t)
	keep(t, w.out, "main", "kept")
	keep(t, w.out, "main", "secret")
	w.Put("secret", "s3cret")
	w.Put("ws/7", "a file")
	before := w.Tree()
	hostile := []string{
		"out:", "out:0", "out:00", "out:01", "out:007", "out:-1", "out:+1", "out: 1", " out:1", "out:1 ", "out:1\n", "\nout:1",
		"OUT:1", "Out:1", "oUT:1", "out:1.txt", "out:1/", "out:./1", "out:../../etc/passwd", "out:../../secret", "out:7/../8", "out:2/../1",
		"out:1/../../../secret", "out:99999999999999999999", "out:1000000000000000", "out:0x1", "out:1e0", "out:1,2", "out:1:2", "out:out:1",
		"out:١", "out:１", "out:*", "out:$(id)", "out:1\x00", "out:\x00", "out:" + strings.Repeat("1", 5000), "out:1\u202e", "out:.hob-tmp-x",
	}
	for _, handle := range hostile {
		t.Run(shown(handle), func(t *testing.T) {
			for tool, args := range map[string]object{
				"read_file": {"path": handle}, "search_files": {"pattern": ".", "path": handle}, "list_files": {"path": handle},
				"write_file": {"path": handle, "content": "x", "mode": "overwrite"}, "edit_file": {"path": handle, "old_string": "kept", "new_string": "x"},
			} {
				res, err := w.in("main", tool, args)
				toolstest.IsError(t, err, event.CodeInvalidValue, "")
				if res.Text != "" || len(res.Effects) > 0 {
					t.Errorf("%s: %+v", tool, res)
				}
			}
			if _, err := w.Files.ReadFile(handle); err == nil {
				t.Error("ReadFile reads it")
			}
			if err := w.Files.WriteFile(handle, "x"); err == nil {
				t.Error("WriteFile writes it")
			}
			if diff := cmp.Diff(before, w.Tree()); diff != "" {
				t.Errorf("something changed (-before +after)\n%s", diff)
			}
		})
	}
	for _, handle := range []string{"out:3", "out:999999999999999"} {
		w.gone("main", handle)
	}
	_, err := w.in("main", "read_file", object{"path": "out:007"})
	toolstest.IsError(t, err, event.CodeInvalidValue, "out:007 is no stored result: those are named like out:7; a file of that name is read as ./NAME")
	if got := w.read("main", "out:1"); got != "kept" {
		t.Errorf("a good handle reads %q", got)
	}
}

// shown is a name for a subtest.
func shown(s string) string { return fmt.Sprintf("%.40q", s) }

// A stored result is for reading and searching. Every other tool says so, and no file can take such a name.
func TestHandlesAreNoFiles(t *testing.T) {
	w := newBlobsWorld(t)
	keep(t, w.out, "main", "kept")
	w.Put("ws/out:1", "a file of somebody else")
	before := w.Tree()
	for tool, args := range map[string]object{
		"write_file": {"path": "out:1", "content": "x"},
		"edit_file":  {"path": "out:1", "old_string": "kept", "new_string": "x"},
		"list_files": {"path": "out:1"},
	} {
		_, err := w.in("main", tool, args)
		toolstest.IsError(t, err, event.CodeInvalidValue,
			"out:1 names a stored result, not a file: it can only be read and searched; use read_file or search_files")
	}
	for _, path := range []string{"./out:2", "x/../out:2", w.Dir + "/out:2", "~/out:2", "./OUT:2/deep/f", "./out:1"} {
		for _, mode := range []string{"create", "append", "overwrite"} {
			_, err := w.in("main", "write_file", object{"path": path, "content": "x", "mode": mode})
			toolstest.IsError(t, err, event.CodeInvalidValue, "names a stored result, not a file")
		}
	}
	if diff := cmp.Diff(before, w.Tree()); diff != "" {
		t.Errorf("something changed (-before +after)\n%s", diff)
	}
	if got := w.read("main", "out:1"); got != "kept" {
		t.Errorf("the handle reads %q", got)
	}
	if got := w.read("main", "./out:1"); got != "a file of somebody else" {
		t.Errorf("the file reads %q", got)
	}
	res, err := w.in("main", "search_files", object{"pattern": "file|kept"})
	if want := "./out:1:0: a file of somebody else"; err != nil || res.Text != want {
		t.Errorf("a search of the workspace finds %q, %v, want %q", res.Text, err, want)
	}
	for _, path := range []string{"about:1", "out", "outs:1", "d/out:1", "ｏｕｔ:1"} {
		if _, err := w.in("main", "write_file", object{"path": path, "content": "x"}); err != nil {
			t.Errorf("%s is a good name: %v", path, err)
		}
	}
}

// Without a store handles are unknown, and still no names of files.
func TestHandlesWithoutBlobs(t *testing.T) {
	w := filestest.New(t)
	w.Fails("read_file", `{"path":"out:7"}`, event.CodeFileNotFound, "there is no out:7: results are not stored here")
	w.Fails("search_files", `{"pattern":"x","path":"out:7"}`, event.CodeFileNotFound, "there is no out:7: results are not stored here")
	w.Fails("read_file", `{"path":"OUT:7"}`, event.CodeInvalidValue, "OUT:7 is no stored result")
	w.Fails("write_file", `{"path":"out:7","content":"x"}`, event.CodeInvalidValue, "can only be read and searched")
}

// The folder of the results is hob's own, also where the workspace is around it: by path another chat's could be read.
func TestBlobsAreNotReachedByPath(t *testing.T) {
	dir := t.TempDir()
	o := openBlobs(t, filepath.Join(dir, "state", "out"))
	f, err := files.New(files.Config{Dir: dir, Blobs: o, Deny: []string{filepath.Join(dir, "other")}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keep(t, o, "main", "secret")
	names, err := filepath.Glob(filepath.Join(dir, "state", "out", "*", "1.txt"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	rel, err := filepath.Rel(dir, names[0])
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.ReadFile(rel)
	toolstest.IsError(t, err, event.CodePermissionDenied, "belongs to hob itself")
	toolstest.IsError(t, f.WriteFile(filepath.Join(filepath.Dir(rel), "2.txt"), "x"), event.CodePermissionDenied, "belongs to hob itself")
}

// Numbers are given to one result each, whoever asks at the same time, and what they name is that result.
func TestBlobsAtTheSameTime(t *testing.T) {
	w := newBlobsWorld(t)
	const chats, writers, each = 3, 8, 10
	var mu sync.Mutex
	said := map[event.Chat]map[string]string{} // what each handle is of
	for c := range chats {
		said[event.Chat(fmt.Sprintf("chat%d", c))] = map[string]string{}
	}
	var group sync.WaitGroup
	for chat := range said {
		for k := range writers {
			group.Go(func() {
				last := 0
				for i := range each {
					text := fmt.Sprintf("%s of %d, %d", chat, k, i)
					handle, err := w.out.Put(inChat(t, chat), text, event.Label{})
					var n int
					if _, scanErr := fmt.Sscanf(handle, "out:%d", &n); err != nil || scanErr != nil || n <= last {
						t.Errorf("%s after out:%d: %v, %v", handle, last, err, scanErr)
					}
					last = n
					mu.Lock()
					if other := said[chat][handle]; other != "" {
						t.Errorf("%s is of %q and of %q", handle, other, text)
					}
					said[chat][handle] = text
					mu.Unlock()
					if got := w.read(chat, handle); got != text {
						t.Errorf("%s is %q, want %q", handle, got, text)
					}
				}
			})
		}
	}
	group.Wait()
	for chat, handles := range said {
		if len(handles) != writers*each || handles[fmt.Sprintf("out:%d", writers*each)] == "" {
			t.Errorf("%s has %d handles", chat, len(handles))
		}
	}
}

// A new process goes on behind what is there, and removes what a killed one had not finished.
func TestBlobsAfterARestart(t *testing.T) {
	w := newBlobsWorld(t)
	keep(t, w.out, "main", "one")
	keep(t, w.out, "main", "two")
	folder := w.chatFolder()
	for name, content := range map[string]string{
		".hob-tmp-OLD": "half", "07.txt": "x", "9": "x", "8.txt.bak": "x", "x.txt": "x", "-3.txt": "x",
		"99999999999999999999.txt": "x", "1000000000000000.txt": "x",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := openBlobs(t, filepath.Join(w.Base, "out"))
	if got := keep(t, o, "main", "three"); got != "out:3" {
		t.Errorf("after a restart comes %s", got)
	}
	if _, err := os.Stat(filepath.Join(folder, ".hob-tmp-OLD")); !os.IsNotExist(err) {
		t.Errorf("what was not finished is still there: %v", err)
	}
	for handle, want := range map[string]string{"out:1": "one", "out:2": "two", "out:3": "three"} {
		if got := w.read("main", handle); got != want {
			t.Errorf("%s is %q, want %q", handle, got, want)
		}
	}
	if got := keep(t, openBlobs(t, filepath.Join(w.Base, "out")), "main", "four"); got != "out:4" {
		t.Errorf("after another restart comes %s", got)
	}
}

// chatFolder is the folder of the only chat.
func (w *blobsWorld) chatFolder() string {
	w.T.Helper()
	folders, err := filepath.Glob(filepath.Join(w.Base, "out", "*"))
	if err != nil || len(folders) != 1 {
		w.T.Fatal(folders, err)
	}
	return folders[0]
}

func TestBlobsTheOldestGo(t *testing.T) {
	bound := func(c *blobs.Config) { c.MaxChat = 100 }
	w := newBlobsWorld(t, bound)
	for i := range 6 {
		keep(t, w.out, "main", fmt.Sprintf("%d%s", i, strings.Repeat("x", 29)))
	}
	keep(t, w.out, "other", strings.Repeat("y", 90))
	for _, handle := range []string{"out:1", "out:2", "out:3"} {
		w.gone("main", handle)
	}
	for i := 4; i <= 6; i++ {
		if got := w.read("main", fmt.Sprintf("out:%d", i)); !strings.HasPrefix(got, fmt.Sprint(i-1)) {
			t.Errorf("out:%d is %q", i, got)
		}
	}
	if got := keep(t, w.out, "main", strings.Repeat("z", 500)); got != "out:7" || w.read("main", got) != strings.Repeat("z", 500) {
		t.Error("the newest does not stay, though it is larger than the bound")
	}
	w.gone("main", "out:6")
	w.out = openBlobs(t, filepath.Join(w.Base, "out"), bound)
	if got := keep(t, w.out, "main", "small"); got != "out:8" {
		t.Errorf("after a restart comes %s", got)
	}
	w.gone("main", "out:7")
	for range 11 {
		keep(t, w.out, "main", "12345")
	}
	w.out = openBlobs(t, filepath.Join(w.Base, "out"), bound)
	keep(t, w.out, "main", strings.Repeat("x", 65)) // with 12 of 5 bytes, of which 5 have to go
	for n := 9; n <= 20; n++ {
		if handle := fmt.Sprintf("out:%d", n); n <= 12 {
			w.gone("main", handle)
		} else if w.read("main", handle) == "" {
			t.Errorf("%s went, and an older one stayed", handle)
		}
	}
	if keep(t, w.out, "main", "small") != "out:21" || w.read("main", "out:21") != "small" || w.read("other", "out:1") != strings.Repeat("y", 90) {
		t.Error("more went than had to")
	}
}

// Of a result that is too long both ends are kept, cut at the ends of lines, and what is missing is said.
func TestBlobsTooLong(t *testing.T) {
	w := newBlobsWorld(t, func(c *blobs.Config) { c.MaxBlob = 4096 })
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	exact := strings.Repeat("é", 2048)
	for _, c := range []struct{ text, begin, between, end string }{
		{long.String(), "line 0\nline 1\n", "\n[... ", "\nline 1998\nline 1999\n"},
		{strings.Repeat("жду ", 5000), "жду жду ", "\n[... ", " жду "},
		{exact, exact, "é", "é"},
		{"\xff" + strings.Repeat("a\x00", 3000), "\uFFFDa\x00", "\n[... ", "a\x00"},
	} {
		handle := keep(t, w.out, "main", c.text)
		raw, err := os.ReadFile(filepath.Join(w.chatFolder(), strings.TrimPrefix(handle, "out:")+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		got := string(raw)
		if len(got) > 4096 || len(got) < 3500 || !strings.HasPrefix(got, c.begin) || !strings.HasSuffix(got, c.end) || !strings.Contains(got, c.between) {
			t.Errorf("%d bytes: %.100q ... %q", len(got), got, got[len(got)-100:])
		}
		if c.text == exact {
			continue
		}
		head, rest, _ := strings.Cut(got, "[... ")
		var missing int
		note, tail, _ := strings.Cut(rest, "...]\n")
		if _, err := fmt.Sscanf(note, "%d bytes are missing here: it was longer than what is stored of a result ", &missing); err != nil {
			t.Errorf("%q: %v", note, err)
		}
		whole := strings.ToValidUTF8(c.text, "\uFFFD")
		if have := len(strings.TrimSuffix(head, "\n")) + len(tail); missing < len(whole)-have-1 || missing > len(whole)-have {
			t.Errorf("%d bytes are said to be missing of %d, and %d are there", missing, len(whole), have)
		}
		if !strings.HasPrefix(whole, strings.TrimSuffix(head, "\n")) || !strings.HasSuffix(whole, tail) {
			t.Error("the ends are not those of the result")
		}
	}
	if c := newBlobsWorld(t, func(c *blobs.Config) { c.MaxBlob = 1 }); keep(t, c.out, "main", exact) == "" || len(c.read("main", "out:1")) > 1024 {
		t.Error("a bound that is too small is not 1 KiB")
	}
}

// Somebody clears the folder while hob runs: what was there is gone, numbers are not used again, and things go on.
func TestBlobsFolderRemoved(t *testing.T) {
	w := newBlobsWorld(t, func(c *blobs.Config) { c.MaxChat = 10 })
	keep(t, w.out, "main", "one")
	keep(t, w.out, "main", "two")
	for _, path := range []string{w.chatFolder(), filepath.Join(w.Base, "out")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		w.gone("main", "out:1")
		handle := keep(t, w.out, "main", "more than the bound")
		if got := w.read("main", handle); got != "more than the bound" {
			t.Errorf("%s is %q", handle, got)
		}
	}
	if got := keep(t, w.out, "main", "x"); got != "out:5" {
		t.Errorf("%s comes fifth", got)
	}
	w.gone("main", "out:2")
}

// Links and the like in the folder lead nowhere: nothing outside is read, written or removed through them.
func TestBlobsAndLinks(t *testing.T) {
	t.Run("in the place of results", func(t *testing.T) {
		w := newBlobsWorld(t)
		keep(t, w.out, "other", "of another chat")
		other := w.chatFolder()
		keep(t, w.out, "main", "one")
		folders, err := filepath.Glob(filepath.Join(w.Base, "out", "main-*"))
		if err != nil || len(folders) != 1 {
			t.Fatal(folders, err)
		}
		w.Put("secret", "s3cret")
		place := func(name, target string) {
			t.Helper()
			if err := os.Symlink(target, filepath.Join(folders[0], name)); err != nil {
				t.Fatal(err)
			}
		}
		place("2.txt", filepath.Join(w.Base, "secret"))
		place("3.txt", "../../secret")
		place("4.txt", filepath.Join("..", filepath.Base(other), "1.txt"))
		place("5.txt", "1.txt")
		place("6.txt", "6.txt")
		place("7.txt", "nowhere")
		w.Special(rel(t, w.Base, folders[0])+"/8.txt", func(p string) error { return unix.Mkfifo(p, 0o600) })
		if err := os.Mkdir(filepath.Join(folders[0], "9.txt"), 0o700); err != nil {
			t.Fatal(err)
		}
		place("10.txt", "nowhere") // where the next result would go
		for n := 2; n <= 10; n++ {
			for tool, args := range map[string]object{
				"read_file":    {"path": fmt.Sprintf("out:%d", n)},
				"search_files": {"pattern": ".", "path": fmt.Sprintf("out:%d", n)},
			} {
				res, err := w.in("main", tool, args)
				toolstest.IsError(t, err, event.CodeExecutionFailed, fmt.Sprintf("out:%d: it is ", n))
				if res.Text != "" {
					t.Errorf("out:%d reads %q", n, res.Text)
				}
			}
		}
		if got := keep(t, w.out, "main", "eleven"); got != "out:11" {
			t.Errorf("a name that is taken is given away: %s", got)
		}
		bound := openBlobs(t, filepath.Join(w.Base, "out"), func(c *blobs.Config) { c.MaxChat = 1 })
		if got := keep(t, bound, "main", "twelve"); got != "out:12" {
			t.Errorf("%s comes twelfth", got)
		}
		if got := w.Content("secret"); got != "s3cret" {
			t.Errorf("the file outside holds %q", got)
		}
		w.gone("main", "out:11")
		if got := w.read("other", "out:1"); got != "of another chat" {
			t.Errorf("the other chat's holds %q", got)
		}
	})
	t.Run("in the place of a chat", func(t *testing.T) {
		w := newBlobsWorld(t)
		keep(t, w.out, "main", "one")
		folder := w.chatFolder()
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		w.Put("outside/1.txt", "s3cret")
		for _, target := range []string{filepath.Join(w.Base, "outside"), "../outside", "nowhere", filepath.Join(w.Base, "outside", "1.txt")} {
			if err := os.Symlink(target, folder); err != nil {
				t.Fatal(err)
			}
			before := w.Tree()
			if res, err := w.in("main", "read_file", object{"path": "out:1"}); err == nil {
				t.Errorf("through a link to %s it reads %q", target, res.Text)
			}
			for _, o := range []*blobs.Store{w.out, openBlobs(t, filepath.Join(w.Base, "out"), func(c *blobs.Config) { c.MaxChat = 1 })} {
				if handle, err := o.Put(inChat(t, "main"), "two", event.Label{}); err == nil {
					t.Errorf("through a link to %s it stores %s", target, handle)
				}
			}
			if diff := cmp.Diff(before, w.Tree()); diff != "" {
				t.Errorf("something changed (-before +after)\n%s", diff)
			}
			if err := os.Remove(folder); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(folder, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if handle, err := w.out.Put(inChat(t, "main"), "two", event.Label{}); err == nil {
			t.Errorf("in the place of a file it stores %s", handle)
		}
	})
	t.Run("above the chats the owner may link", func(t *testing.T) {
		w := newBlobsWorld(t)
		if err := os.Mkdir(filepath.Join(w.Base, "disk2"), 0o700); err != nil {
			t.Fatal(err)
		}
		w.Link("disk2", "out")
		if got := w.read("main", keep(t, w.out, "main", "one")); got != "one" {
			t.Errorf("it reads %q", got)
		}
	})
}

func rel(t *testing.T, base, path string) string {
	t.Helper()
	r, err := filepath.Rel(base, path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
