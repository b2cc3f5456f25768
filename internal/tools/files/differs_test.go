package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files"
	"hob/internal/tools/files/filestest"
	"hob/internal/tools/files/tree"
)

// What a call said that it did is held against the disk.
func TestDiffers(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		then             func(t *testing.T, path string) error
		want             string
	}{
		{"as it was left", "write_file", `{"path":"d/new","content":"x"}`, nil, ""},
		{"edited", "edit_file", `{"path":"d/f","old_string":"fore","new_string":"x"}`, nil, ""},
		{"deleted", "delete_file", `{"path":"d/f"}`, nil, ""},
		{"through a link", "write_file", `{"path":"way","content":"x","mode":"overwrite"}`, nil, ""},
		{"gone", "write_file", `{"path":"d/new","content":"x"}`, func(_ *testing.T, p string) error { return os.Remove(p) }, "is not there any more"},
		{"gone with its folder", "write_file", `{"path":"d/new","content":"x"}`,
			func(_ *testing.T, p string) error { return os.RemoveAll(filepath.Dir(p)) }, "is not there any more"},
		{"longer", "write_file", `{"path":"d/new","content":"x"}`,
			func(_ *testing.T, p string) error { return os.WriteFile(p, []byte("xx"), 0o600) }, "was changed since"},
		{"as long", "write_file", `{"path":"d/new","content":"x"}`,
			func(_ *testing.T, p string) error { return os.WriteFile(p, []byte("y"), 0o600) }, "was changed since"},
		{"a folder", "write_file", `{"path":"d/new","content":"x"}`,
			func(_ *testing.T, p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) }, "was changed since"},
		{"a link to the same", "write_file", `{"path":"d/new","content":"x"}`, func(_ *testing.T, p string) error {
			return errors.Join(os.Rename(p, p+"2"), os.Symlink("new2", p))
		}, "was changed since"},
		{"in a folder that is a link now", "write_file", `{"path":"d/new","content":"x"}`, func(_ *testing.T, p string) error {
			return errors.Join(os.Rename(filepath.Dir(p), filepath.Dir(p)+"2"), os.Symlink("d2", filepath.Dir(p)))
		}, "is not there any more"},
		{"in a folder that leads out", "write_file", `{"path":"d/new","content":"x"}`, func(t *testing.T, p string) error {
			out := t.TempDir()
			return errors.Join(os.WriteFile(filepath.Join(out, "new"), []byte("x"), 0o600), os.RemoveAll(filepath.Dir(p)), os.Symlink(out, filepath.Dir(p)))
		}, "is not there any more"},
		{"there again", "delete_file", `{"path":"d/f"}`,
			func(_ *testing.T, p string) error { return os.WriteFile(p, nil, 0o600) }, "is there again"},
		{"a dangling link there again", "delete_file", `{"path":"d/f"}`,
			func(_ *testing.T, p string) error { return os.Symlink("nowhere", p) }, "is there again"},
		{"deleted with its folder", "delete_file", `{"path":"d/f"}`,
			func(_ *testing.T, p string) error { return os.RemoveAll(filepath.Dir(p)) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, _ := filestest.NewKept(t)
			w.Put("ws/d/f", "before")
			w.Link("d/f", "ws/way")
			res, err := w.Call(c.tool, c.args)
			if err != nil {
				t.Fatal(err)
			}
			e := res.Effects[0]
			if c.then != nil {
				if err := c.then(t, e.Path); err != nil {
					t.Fatal(err)
				}
			}
			if got := w.Files.CompareEffect(t.Context(), e); got != c.want {
				t.Errorf("%+v: %q, want %q", e, got, c.want)
			}
		})
	}
}

// What is said of no file is not looked for, and no file that is not open.
func TestDiffers_Elsewhere(t *testing.T) {
	w := filestest.New(t)
	w.Put("outside", "x")
	w.Put("ws/large", strings.Repeat("x", 16<<20+1))
	w.Put("ws/small", "x")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	at := func(name string) string { return filepath.Join(w.Base, name) }
	for _, c := range []struct {
		ctx  context.Context
		e    event.Effect
		want string
	}{
		{t.Context(), event.Effect{Kind: "ran", Target: "true"}, ""},
		{t.Context(), event.Effect{Kind: "wrote", Target: "x"}, ""},
		{t.Context(), event.Effect{Kind: "fetched", Path: at("ws/none")}, ""},
		{t.Context(), event.Effect{Kind: "wrote", Path: at("outside"), Bytes: 1}, "is in no folder that is open now"},
		{t.Context(), event.Effect{Kind: "deleted", Path: at("outside")}, "is in no folder that is open now"},
		{t.Context(), event.Effect{Kind: "wrote", Path: at("ws/large"), Bytes: 16<<20 + 1}, "is too large to be looked at"},
		{stopped, event.Effect{Kind: "wrote", Path: at("ws/small"), Bytes: 1}, "could not be looked at in time"},
	} {
		if got := w.Files.CompareEffect(c.ctx, c.e); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}

// A call in a folder that a person opened is not one in the workspace, and says where it goes.
func TestGrantedFolders_PowersAndAims(t *testing.T) {
	w, _ := filestest.NewKept(t, func(c *files.Config) {
		c.Grants = []tree.Grant{{Dir: filepath.Join(filepath.Dir(c.Dir), "open"), Write: true}, {Dir: filepath.Join(filepath.Dir(c.Dir), "seen")}}
		for _, g := range c.Grants {
			if err := os.MkdirAll(filepath.Join(g.Dir, "d"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	})
	w.Put("ws/d/f", "x")
	w.Link("d", "ws/way")
	w.Link("d/f", "ws/link")
	w.Put("open/f", "x")
	w.Link("d", "open/way")
	for _, c := range []struct {
		path    string
		outside bool
		aim     string // of what is written; "" is none
		link    string // of what is deleted, where that differs
	}{
		{"d/f", false, "ws/d/f", ""},
		{"~/new/er/f", false, "ws/new/er/f", ""},
		{"way/f", false, "ws/d/f", ""},
		{"link", false, "ws/d/f", "ws/link"},
		{"{}/ws/d/../f", false, "ws/f", ""},
		{"{}/open/f", true, "open/f", ""},
		{"{}/open/way/new/f", true, "open/d/new/f", ""},
		{"{}/ws/../open/f", true, "open/f", ""},
		{"{}/seen/f", true, "seen/f", ""},
		{"../open/f", false, "", ""},
		{"{}/elsewhere/f", false, "", ""},
		{"d/", false, "", ""},
	} {
		for tool, more := range map[string]string{"write_file": `"content":""`, "edit_file": `"old_string":"x","new_string":"y"`, "delete_file": `"":""`} {
			args := json.RawMessage(`{"path":"` + strings.ReplaceAll(c.path, "{}", w.Base) + `",` + more + `}`)
			want, aim := tools.Writes, c.aim
			if c.outside {
				want |= tools.Outside
			}
			if tool == "delete_file" && c.link != "" {
				aim = c.link
			}
			tl := w.Tool(tool)
			if got := tools.CapabilitiesOf(t.Context(), tl, args); got != want || !tools.DefOf(tl).Capabilities.Has(got) {
				t.Errorf("%s %s: powers %b, want %b", tool, c.path, got, want)
			}
			var aims []tools.Resource
			if aim != "" {
				aims = []tools.Resource{{Path: filepath.Join(w.Base, aim)}}
			}
			got, said := tools.ResourcesOf(tl, args)
			if diff := cmp.Diff(aims, got); diff != "" || !said {
				t.Errorf("%s %s: (-want +got)\n%s", tool, c.path, diff)
			}
		}
	}
	if p := tools.DefOf(filestest.New(t).Tool("write_file")).Capabilities; p != tools.Writes {
		t.Errorf("where nothing else is open the powers are %b", p)
	}
}
