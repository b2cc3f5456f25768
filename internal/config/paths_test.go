package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestWhereTheConfigurationIs(t *testing.T) {
	for _, c := range []struct {
		flag  string
		env   func(string) string
		home  string
		paths []string
		named bool
	}{
		{"f.toml", env("HOB_CONFIG", "e.toml"), "/h", []string{"f.toml"}, true},
		{"", env("HOB_CONFIG", "e.toml"), "/h", []string{"e.toml"}, true},
		{"", env("XDG_CONFIG_HOME", "/x"), "/h", []string{"/x/hob/config.toml", "/etc/hob/config.toml"}, false},
		{"", env("XDG_CONFIG_HOME", "relative"), "/h", []string{"/h/.config/hob/config.toml", "/etc/hob/config.toml"}, false},
		{"", env(), "/h", []string{"/h/.config/hob/config.toml", "/etc/hob/config.toml"}, false},
		{"", env(), "", []string{"/etc/hob/config.toml"}, false},
	} {
		paths, named := Files(c.flag, c.env, c.home)
		if diff := cmp.Diff(c.paths, paths); diff != "" || named != c.named {
			t.Errorf("Files(%q, %q) named %v (-want +got):\n%s", c.flag, c.home, named, diff)
		}
	}
}

func TestTheConfigurationThatCounts(t *testing.T) {
	missing, there := filepath.Join(t.TempDir(), "no.toml"), file(t, "")
	if got, err := Find(missing, env(), ""); got != missing || err != nil {
		t.Errorf("Find of a missing file = %q, %v", got, err)
	}
	if got, err := Find("", env("HOB_CONFIG", there), ""); got != there || err != nil {
		t.Errorf("Find = %q, %v", got, err)
	}
	home := t.TempDir()
	if got, err := Find("", env(), home); err != nil || got != filepath.Join(home, ".config/hob/config.toml") && got != systemFile {
		t.Errorf("Find without a file = %q, %v", got, err)
	}
}

// The daemon of the machine keeps its configuration from others, who have hob for themselves.
func TestTheConfigurationOfTheMachine(t *testing.T) {
	own := "/home/me/.config/hob/config.toml"
	for _, c := range []struct {
		name    string
		paths   []string
		service bool
		hidden  string // path at which this user may not look
		want    string // "" is an error
	}{
		{"of somebody else", []string{own, systemFile}, false, systemFile, own},
		{"of this service", []string{own, systemFile}, true, systemFile, ""},
		{"of who has no home", []string{systemFile}, false, systemFile, ""},
		{"one's own", []string{own, systemFile}, false, own, ""},
		{"nobody's", []string{own, systemFile}, false, "", own},
	} {
		got, err := findFirst(c.paths, c.service, func(path string) (fs.FileInfo, error) {
			if path == c.hidden {
				return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrPermission}
			}
			return nil, fs.ErrNotExist
		})
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestWhereTheStateIs(t *testing.T) {
	for _, c := range []struct {
		env        func(string) string
		home, want string
	}{
		{env("HOB_STATE_DIR", "/a", "STATE_DIRECTORY", "/b"), "/h", "/a"},
		{env("STATE_DIRECTORY", "/b:/c", "XDG_STATE_HOME", "/d"), "/h", "/b"},
		{env("XDG_STATE_HOME", "/d"), "/h", "/d/hob"},
		{env(), "/h", "/h/.local/state/hob"},
		{env(), "/var/lib/hob", "/var/lib/hob"}, // the service's user
		{env("HOB_STATE_DIR", "/a"), "/var/lib/hob", "/a"},
	} {
		if got, err := StateDir(c.env, c.home); got != c.want || err != nil {
			t.Errorf("StateDir = %q, %v; want %q", got, err, c.want)
		}
	}
	if _, err := StateDir(env(), ""); err == nil || !strings.Contains(err.Error(), "set HOB_STATE_DIR") {
		t.Errorf("StateDir without anything = %v", err)
	}
}

func TestWhereTheWorkspaceIs(t *testing.T) {
	for _, c := range []struct{ dir, want string }{
		{"", "/state/workspace"}, {"~", "/home/me"}, {"~/a", "/home/me/a"}, {"/a/../b/", "/b"},
	} {
		if got, err := (Workspace{Dir: c.dir}).WorkspaceDir("/state", "/home/me"); got != c.want || err != nil {
			t.Errorf("%q = %q, %v; want %q", c.dir, got, err, c.want)
		}
	}
	if got, err := (Workspace{Dir: "~/a"}).WorkspaceDir("/state", ""); err == nil {
		t.Errorf("~ without a home = %q", got)
	}
}

func TestWhichFoldersAreOpen(t *testing.T) {
	home := t.TempDir()
	notes, plain := filepath.Join(home, "notes"), filepath.Join(home, "plain")
	if err := errors.Join(os.Mkdir(notes, 0o700), os.WriteFile(plain, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	got, err := Folders{Read: []string{home, "~/notes", "~"}, Write: []string{notes, notes}}.Open(home)
	want := []Folder{{notes, true, "[files] write"}, {home, false, "[files] read"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	calendars, err := Folders{Calendars: []string{"*.ics", "~/cal/a*.ics", "/srv/b.ics"}}.CalendarFiles("/home/ann")
	if diff := cmp.Diff([]string{"*.ics", "/home/ann/cal/a*.ics", "/srv/b.ics"}, calendars); diff != "" || err != nil {
		t.Errorf("the calendars, %v (-want +got):\n%s", err, diff)
	}
	if _, err := (Folders{Calendars: []string{"~/a.ics"}}).CalendarFiles(""); err == nil {
		t.Error("without a home, ~/a.ics was taken")
	}
	if got, err := (Folders{}).Open(""); got != nil || err != nil {
		t.Errorf("none are %v, %v", got, err)
	}
	for _, c := range []struct {
		files Folders
		home  string
		want  string
	}{
		{Folders{Read: []string{"~/x"}}, "", `[files] read: "~/x" is in the home folder, and there is none; write an absolute path`},
		{Folders{Read: []string{"~/x"}}, home, `[files] read: "` + home + `/x" does not exist: make that folder, or take it off the list`},
		{Folders{Write: []string{plain}}, home, `[files] write: "` + plain + `" is no folder: make that folder, or take it off the list`},
		{Folders{Write: []string{plain + "/x"}}, home,
			`[files] write: "` + plain + `/x" cannot be looked at (not a directory): make that folder, or take it off the list`},
	} {
		if got, err := c.files.Open(c.home); err == nil || err.Error() != c.want || got != nil {
			t.Errorf("%+v = %v, %v; want %s", c.files, got, err, c.want)
		}
	}
}

func TestHosts(t *testing.T) {
	for _, c := range []struct {
		host []string
		env  string
		want []string
	}{
		{nil, "", []string{"http://127.0.0.1:11434"}},
		{nil, "  ", []string{"http://127.0.0.1:11434"}},
		{nil, "0.0.0.0", []string{"http://127.0.0.1:11434"}},
		{nil, " 192.168.1.5 ", []string{"http://192.168.1.5:11434"}},
		{nil, "box:8080", []string{"http://box:8080"}},
		{nil, ":1234", []string{"http://127.0.0.1:1234"}},
		{nil, "'gpu:1'", []string{"http://gpu:1"}},
		{nil, "http://gpu", []string{"http://gpu:80"}},
		{nil, "https://gpu.example/ollama/", []string{"https://gpu.example:443/ollama"}},
		{nil, "[::]:5", []string{"http://[::1]:5"}},
		{nil, "fe80::1", []string{"http://[fe80::1]:11434"}},
		{[]string{"a", "B:2"}, "c", []string{"http://a:11434", "http://B:2"}},
	} {
		got, err := Ollama{Host: c.host}.Hosts(c.env)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%v %q: %v (-want +got):\n%s", c.host, c.env, err, diff)
		}
	}
	for _, bad := range []string{
		"ftp://a", "unix:///run/ollama", "http://me:secret@gpu", "me:secret@gpu", "gpu:0", "gpu:99999", "gpu:x", "a b", "http://gpu/?x=1", "http://gpu/#x", "http://1.2.3.256",
		"http://", "gpu\x1b[2J", "http://[::1",
	} {
		got, err := HostURL(bad)
		if bad == "http://" { // no host is this machine
			continue
		}
		if err == nil {
			t.Errorf("%q is taken for %q", bad, got)
		} else if strings.Contains(err.Error(), "secret") && strings.Contains(err.Error(), "me:") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: the error tells too much: %v", bad, err)
		}
	}
}
