package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/race"
	"hob/internal/store"
)

func TestMain(m *testing.M) {
	race.SkipAll("SQLite is slow there")
	os.Exit(m.Run())
}

func clock() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }

// home is a machine of its own.
type home struct {
	t    *testing.T
	dir  string
	warn bytes.Buffer
}

func newHome(t *testing.T) *home { return &home{t: t, dir: t.TempDir()} }

func (h *home) path(name string) string { return filepath.Join(h.dir, name) }

const (
	stateOf  = ".local/state/hob"
	configOf = ".config/hob"
)

func (h *home) loader() *app.Loader {
	h.t.Setenv("HOME", h.dir)
	env := map[string]string{"OLLAMA_HOST": "http://127.0.0.1:1"}
	return &app.Loader{Env: func(name string) string { return env[name] }, Stderr: &h.warn, Version: "v1"}
}

func (h *home) env() *app.Environment {
	h.t.Helper()
	s, err := h.loader().Load()
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// put writes a file, and the folders that it lies in.
func (h *home) put(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(h.path(name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// journal does something with the journal.
func (h *home) journal(do func(db *store.DB)) {
	h.t.Helper()
	db, err := store.Open(h.t.Context(), h.path(stateOf+"/journal.db"), time.Now)
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	do(db)
}

// write changes a file as a tool does: what it was is kept first.
func (h *home) write(db *store.DB, name, text string) {
	h.t.Helper()
	path := h.path(stateOf + "/workspace/" + name)
	old, err := os.ReadFile(path)
	before := event.FileState{}
	if err == nil {
		before = event.FileState{Kind: event.RegFile, Size: int64(len(old)), Sum: sumOf(old), Mode: 0o600, Time: clock()}
	}
	id, err := db.Changes(store.Limits{}).Keep(h.t.Context(), event.Change{Path: path, Before: before}, old)
	if err != nil {
		h.t.Fatal(err)
	}
	if text == "" {
		err = os.Remove(path)
	} else {
		h.put(stateOf+"/workspace/"+name, text)
	}
	if err := errors.Join(err, db.Changes(store.Limits{}).Settle(h.t.Context(), id, true)); err != nil {
		h.t.Fatal(err)
	}
}

// furnish makes a home in which something has happened.
func furnish(t *testing.T) *home {
	h := newHome(t)
	h.put(configOf+"/config.toml", "[telegram]\ntoken_file = \"~/.config/hob/token\"\n[policy]\nsecrets = [\""+h.path("elsewhere/secret")+"\"]\n")
	h.put(configOf+"/token", "1234567:"+strings.Repeat("Ab", 20)+"\n")
	h.put("elsewhere/secret", "hunter2hunter2\n")
	h.put(configOf+"/skills/mine/SKILL.md", "my skill")
	h.put(configOf+"/sentences.toml", "[[sentence]]\nsay = [\"lights {name:text}\"]\n")
	h.put(configOf+"/tales/mill.txt", "my tale")
	h.put(stateOf+"/history", "what I typed\n")
	h.put(stateOf+"/outputs/1", strings.Repeat("long ", 1000))
	h.put(stateOf+"/skills/kept/SKILL.md", "kept")
	h.put(stateOf+"/mcp/notes/db", "theirs")
	h.put(stateOf+"/canary", "hob-canary-abcdefgh\n")
	h.put(stateOf+"/workspace/notes/a.md", "one")
	h.put(stateOf+"/workspace/run.sh", "#!/bin/sh\n")
	h.put(stateOf+"/workspace/gone", "soon gone")
	for name, mode := range map[string]fs.FileMode{"run.sh": 0o755, "notes": 0o750} {
		if err := os.Chmod(h.path(stateOf+"/workspace/"+name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"notes/way": "../run.sh", "out": "/etc/passwd", "nowhere": "not/there"} {
		if err := os.Symlink(to, h.path(stateOf+"/workspace/"+from)); err != nil {
			t.Fatal(err)
		}
	}
	h.put(stateOf+"/workspace/\xff\n", "an odd name")
	h.put(stateOf+"/workspace/"+strings.Repeat("long", 50)+"/"+strings.Repeat("name", 50), "a long name")
	h.journal(func(db *store.DB) {
		for n := range 20 {
			if _, err := db.Append(t.Context(), store.Entry{Chat: "main", Body: event.Said{InputID: fmt.Sprint(n), Text: fmt.Sprint("words ", n)}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.Grants().Add(t.Context(), event.Grant{Tool: "write_file", Path: h.path(stateOf + "/workspace/notes")}); err != nil {
			t.Fatal(err)
		}
		if err := db.Origins().Mark(t.Context(), []string{h.path(stateOf + "/workspace/notes")}, event.Label{Private: true}); err != nil {
			t.Fatal(err)
		}
		h.write(db, "notes/a.md", "two")
	})
	return h
}

func (h *home) backup(o Options) (string, Report) {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), "hob.tgz")
	o.Now, o.Version = orElse(o.Now, clock), "v1"
	report, err := Write(h.t.Context(), h.env(), file, nil, o)
	if err != nil {
		h.t.Fatal(err)
	}
	return file, report
}

func orElse(f, otherwise func() time.Time) func() time.Time {
	if f != nil {
		return f
	}
	return otherwise
}

func (h *home) restore(file string, force bool) (RestoreReport, error) {
	h.t.Helper()
	l := h.loader()
	done, err := Restore(h.t.Context(), l, file, RestoreOptions{Force: force, Now: clock})
	if bad := l.Egress.End(); bad != nil {
		h.t.Error(bad)
	}
	return done, err
}

// tree lists what lies in a folder of a home, without the journal and what goes with a running hob.
func (h *home) tree(name string) (lines []string) {
	h.t.Helper()
	top := h.path(name)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, path)
		if slices.Contains([]string{".", "journal.db", "lock", "canary"}, rel) {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%q %v", rel, info.Mode())
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %d %x", info.ModTime().UnixNano(), sumOf(text))
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			line += " -> " + to
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return lines
}

// What was backed up is there again on an empty machine: files with their permissions and times, links as links, the journal with its
// numbers, and its paths in their new place.
func TestRoundTrip(t *testing.T) {
	h := furnish(t)
	file, report := h.backup(Options{Secrets: true})
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 || info.Size() != report.Bytes || !report.Verified || len(report.LeftOut) > 0 {
		t.Errorf("%v, %+v", err, report)
	}
	there := newHome(t)
	if err := os.MkdirAll(there.path(stateOf+"/workspace"), 0o700); err != nil { // an empty folder is nothing
		t.Fatal(err)
	}
	done, err := there.restore(file, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{stateOf, configOf} {
		want := slices.DeleteFunc(h.tree(dir), func(line string) bool { return strings.HasPrefix(line, `"config.toml"`) })
		got := slices.DeleteFunc(there.tree(dir), func(line string) bool {
			return strings.HasPrefix(line, `"config.toml"`) || strings.HasPrefix(line, `"restored-`) || strings.HasPrefix(line, `"token"`)
		})
		want = slices.DeleteFunc(want, func(line string) bool { return strings.HasPrefix(line, `"token"`) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
	}
	token, err := os.ReadFile(there.path(configOf + "/token"))
	if info, bad := os.Stat(there.path(configOf + "/token")); err != nil || bad != nil || info.Mode() != 0o600 || !strings.HasPrefix(string(token), "1234567:Ab") {
		t.Errorf("the token is %q, %v, %v", token, err, bad)
	}
	const belongs = " where it belongs: "
	at := slices.IndexFunc(done.Missing, func(line string) bool { return strings.Contains(line, belongs+h.path("elsewhere/secret")) })
	if at < 0 {
		t.Fatalf("missing is %q", done.Missing)
	}
	byHand, _, _ := strings.Cut(strings.TrimPrefix(done.Missing[at], "put "), belongs)
	if text, err := os.ReadFile(byHand); err != nil || string(text) != "hunter2hunter2\n" || !strings.HasPrefix(byHand, there.path(stateOf+"/restored-2026")) {
		t.Errorf("the other secret is %q in %s, %v", text, byHand, err)
	}
	if done.Moved != 3 || len(done.Aside) > 0 || done.Journal.Events != 20 || done.Files != report.Files {
		t.Errorf("%+v", done)
	}
	there.journal(func(db *store.DB) {
		list, err := db.Changes(store.Limits{}).Since(t.Context(), 0)
		if err != nil || len(list) != 2 || list[0].Path != there.path(stateOf+"/workspace/notes/a.md") {
			t.Errorf("%+v, %v", list, err)
		}
		if row, err := db.Changes(store.Limits{}).Row(t.Context(), list[1].Path); err != nil || !row.Same(list[1].After) {
			t.Errorf("the grant is %+v, and its change left %+v, %v", row, list[1].After, err)
		}
		grants, err := db.Grants().InForce(t.Context())
		if err != nil || len(grants) != 1 || grants[0].Path != there.path(stateOf+"/workspace/notes") {
			t.Errorf("%+v, %v", grants, err)
		}
		if last, err := db.Last(t.Context(), ""); last != 20 || err != nil {
			t.Errorf("the last event is %d, %v", last, err)
		}
	})
	there.isTidy()
}

// isTidy looks for what a restore or a backup has left behind.
func (h *home) isTidy() {
	h.t.Helper()
	for _, dir := range []string{stateOf, configOf, "."} {
		entries, _ := os.ReadDir(h.path(dir))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".hob-") || strings.Contains(e.Name(), ".restore") || strings.HasSuffix(e.Name(), ".bak") {
				h.t.Errorf("%s is left in %s", e.Name(), dir)
			}
		}
	}
}

// Without being asked for, no secret is in a backup: not its file, nor where the configuration quotes it.
func TestNoSecrets(t *testing.T) {
	h := furnish(t)
	h.put(configOf+"/config.toml", "# hunter2hunter2\n[telegram]\ntoken_file = \"~/.config/hob/token\"\ntoken = \"x\"\n[policy]\nsecrets = [\""+h.path("elsewhere/secret")+"\"]\n")
	file, report := h.backup(Options{})
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, _, err := checkSum(f)
	if err != nil {
		t.Fatal(err)
	}
	err = each(t.Context(), f, size, func(h *tar.Header, r io.Reader) error {
		text, err := io.ReadAll(r)
		for _, secret := range []string{"hunter2", "1234567:Ab", "hob-canary"} {
			if strings.Contains(string(text)+h.Name, secret) {
				t.Errorf("%s holds %s", h.Name, secret)
			}
		}
		return err
	})
	if err != nil || len(report.LeftOut) != 4 {
		t.Errorf("%v, %+v", err, report.LeftOut)
	}
	there := newHome(t)
	done, err := there.restore(file, false)
	all := strings.Join(done.Missing, "\n")
	for _, want := range []string{"there is no file " + there.path(configOf+"/token"), "a secret was left out at [telegram] token", "values of files with secrets"} {
		if err != nil || !strings.Contains(all, want) {
			t.Errorf("%v: missing lacks %q:\n%s", err, want, all)
		}
	}
}

// Whatever byte is changed, missing or too many: the backup is refused, and nothing happens.
func TestEveryByte(t *testing.T) {
	h := newHome(t)
	h.put(stateOf+"/workspace/a", "one")
	h.journal(func(*store.DB) {})
	file, _ := h.backup(Options{})
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(whole))
	spoilt, err := os.OpenFile(filepath.Join(t.TempDir(), "spoilt"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer spoilt.Close()
	refused := func(what string, text []byte) {
		t.Helper()
		if _, err := spoilt.WriteAt(text, 0); err != nil {
			t.Fatal(err)
		}
		if err := spoilt.Truncate(int64(len(text))); err != nil {
			t.Fatal(err)
		}
		if _, err := inspect(t.Context(), spoilt); err == nil || !strings.Contains(err.Error(), "nothing was restored") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for at := range whole {
		for _, bit := range []byte{1, 0x80} {
			spoilt := slices.Clone(whole)
			spoilt[at] ^= bit
			refused(fmt.Sprintf("bit %#x of byte %d", bit, at), spoilt)
		}
		refused(fmt.Sprintf("cut off at %d", at), whole[:at])
		if at%16 == 0 || at > len(whole)-2*trailerSize {
			refused(fmt.Sprintf("byte %d missing", at), slices.Delete(slices.Clone(whole), at, at+1))
			refused(fmt.Sprintf("a byte more at %d", at), slices.Insert(slices.Clone(whole), at, 0))
		}
	}
	refused("a byte more at the end", append(slices.Clone(whole), 0))
	refused("twice", append(slices.Clone(whole), whole...))
	if _, err := spoilt.WriteAt(whole, 0); err != nil {
		t.Fatal(err)
	}
	if err := spoilt.Truncate(int64(len(whole))); err != nil {
		t.Fatal(err)
	}
	if _, err := inspect(t.Context(), spoilt); err != nil {
		t.Errorf("the whole one is refused: %v", err)
	}
	there := newHome(t)
	for _, at := range []int{0, 3, len(whole) / 2, len(whole) - 1} {
		bad := slices.Clone(whole)
		bad[at] ^= 1
		path := filepath.Join(t.TempDir(), "bad.tgz")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := there.restore(path, true); err == nil {
			t.Errorf("byte %d is changed, and it is restored", at)
		}
		if left, err := os.ReadDir(there.dir); err != nil || len(left) > 0 {
			t.Errorf("it has made %v, %v", left, err)
		}
	}
}

// craft writes a backup with these members behind a journal, and a checksum that is right.
func craft(t *testing.T, journal []byte, m Manifest, members ...tar.Header) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crafted.tgz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := newWriter(f)
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	add := func(h tar.Header, content []byte) {
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		h.Size, h.Mode = int64(len(content)), 0o700
		if h.Typeflag != tar.TypeReg {
			h.Size = 0
		}
		if err := w.add(&h, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	}
	add(tar.Header{Name: "manifest.json"}, raw)
	if journal != nil {
		add(tar.Header{Name: "journal.db"}, journal)
	}
	for _, h := range members {
		add(h, []byte("evil"))
	}
	if _, _, err := w.finish(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A backup that was made to do harm writes nowhere but where things belong: most are refused, and none changes anything else.
func TestHostile(t *testing.T) {
	h := newHome(t)
	h.journal(func(*store.DB) {})
	journal, err := os.ReadFile(h.path(stateOf + "/journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := store.Schema()
	if err != nil {
		t.Fatal(err)
	}
	fine := Manifest{Format: format, Hob: "v1", Schema: schema}
	link := func(name, to string) tar.Header {
		return tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeSymlink}
	}
	file := func(name string) tar.Header { return tar.Header{Name: name} }
	dir := func(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeDir} }
	for name, members := range map[string][]tar.Header{
		"above":                    {file("../evil")},
		"above, later":             {file("workspace/../../evil")},
		"absolute":                 {file("/tmp/evil")},
		"absolute below":           {file("workspace//tmp/evil")},
		"a dot":                    {file("workspace/./evil")},
		"elsewhere":                {file("state/journal.db")},
		"the lock":                 {file("state/lock")},
		"a plan":                   {file("state/journal.db.restore")},
		"beside the configuration": {file("config/evil")},
		"a secret with a path":     {file("secrets/0/evil")},
		"a secret without a name":  {file("secrets/evil")},
		"a secret nobody names":    {file("secrets/0")},
		"twice":                    {file("workspace/evil"), file("workspace/evil")},
		"a second journal":         {file("journal.db")},
		"a second manifest":        {file("manifest.json")},
		"through a link":           {dir("workspace"), link("workspace/l", "/tmp"), file("workspace/l/evil")},
		"through a link above":     {dir("workspace"), link("workspace/l", "../../.."), file("workspace/l/evil")},
		"a link, then a folder":    {dir("workspace"), link("workspace/l", "/tmp"), dir("workspace/l"), file("workspace/l/evil")},
		"a file, then a link":      {file("workspace/l/evil"), link("workspace/l", "/tmp")},
		"the workspace is a link":  {link("workspace", "/tmp"), file("workspace/evil")},
		"the workspace is a file":  {file("workspace")},
		"skills are a link":        {link("config/skills", "/tmp"), file("config/skills/evil")},
		"the history is a link":    {link("state/history", "/etc/passwd")},
		"a hard link":              {{Name: "workspace/evil", Linkname: "/etc/passwd", Typeflag: tar.TypeLink}},
		"a device":                 {{Name: "workspace/evil", Typeflag: tar.TypeChar}},
		"a fifo":                   {{Name: "workspace/evil", Typeflag: tar.TypeFifo}},
		"a link to nothing":        {link("workspace/evil", "")},
		"a folder for the journal": {dir("journal.db")},
	} {
		t.Run(name, func(t *testing.T) {
			there := newHome(t)
			_, err := there.restore(craft(t, journal, fine, members...), false)
			if err == nil {
				t.Error("it is restored")
			}
			for _, dir := range []string{".", stateOf} {
				entries, _ := os.ReadDir(there.path(dir))
				for _, e := range entries {
					if !slices.Contains([]string{".config", ".local", "lock"}, e.Name()) {
						t.Errorf("%s is in %s", e.Name(), dir)
					}
				}
			}
			if _, err := os.Lstat("/tmp/evil"); err == nil {
				t.Fatal("it got out")
			}
		})
	}
	newer, unknown := fine, fine
	newer.Format, unknown.Schema = format+1, schema+1
	older := fine
	older.Secrets = []Secret{{Member: "secrets/0", Path: "/home/ana/.ssh/authorized_keys", Key: "[policy] secrets"}}
	for _, c := range []struct {
		m       Manifest
		journal []byte
		want    string
	}{
		{newer, journal, "made by a newer hob (v1): update this one"},
		{unknown, journal, "the journal in this backup is newer than this hob"},
		{fine, nil, "it holds no journal"},
		{fine, []byte(strings.Repeat("garbage ", 1000)), "the journal in it is damaged"},
		{older, journal, "it lacks secrets/0"},
	} {
		there := newHome(t)
		if _, err := there.restore(craft(t, c.journal, c.m), false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if isOccupied(there.path(stateOf + "/journal.db")) {
			t.Error("there is a journal")
		}
		there.isTidy()
	}
	there := newHome(t) // a secret goes only where the configuration lies, and over nothing that is hob's
	older.Config = "/home/ana/config.toml"
	for _, path := range []string{"/home/ana/../../etc/passwd", "/home/ana/config.toml", "/home/ana/skills/x/SKILL.md", "/etc/cron.d/x"} {
		older.Secrets[0].Path = path
		if done, err := there.restore(craft(t, journal, older, file("secrets/0")), true); err != nil || !strings.Contains(strings.Join(done.Missing, "\n"), "/secret-0 where it belongs: "+path) {
			t.Errorf("%s: %v, %+v", path, err, done.Missing)
		}
	}
}

// A restore that is cut short at any step leaves a journal that nobody opens, and the next restore comes to the same end as one that
// was not: with what was there kept beside it.
func TestCutShort(t *testing.T) {
	h := furnish(t)
	file, _ := h.backup(Options{Secrets: true})
	furnished := func() *home {
		there := newHome(t)
		there.put(stateOf+"/workspace/theirs", "theirs")
		there.put(configOf+"/config.toml", "# theirs\n")
		there.journal(func(*store.DB) {})
		return there
	}
	want := furnished()
	if _, err := want.restore(file, false); err == nil || !strings.Contains(err.Error(), "add --force") {
		t.Fatalf("it restores over what is there: %v", err)
	}
	before := want.tree(".")
	if _, err := want.restore(file, true); err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		there := furnished()
		steps := 0
		stop := errors.New("killed")
		err := cutRestore(t, there, file, func(from, to string) error {
			if steps++; steps > n {
				return stop
			}
			return rename(from, to)
		})
		if err == nil {
			t.Logf("%d steps", n)
			return
		}
		if _, err := store.Open(t.Context(), there.path(stateOf+"/journal.db"), time.Now); !errors.Is(err, store.ErrRestore) {
			t.Errorf("after %d steps the journal opens: %v", n, err)
		}
		done, err := there.restore(file, false)
		if err != nil || !done.Finished || len(done.Aside) != 3 {
			t.Errorf("after %d steps: %v, %+v", n, err, done)
		}
		if diff := cmp.Diff(nameless(want.tree("."), want.dir), nameless(there.tree("."), there.dir)); diff != "" {
			t.Errorf("after %d steps (-want +got)\n%s", n, diff)
		}
		there.isTidy()
		if text, err := os.ReadFile(there.path(stateOf + "/workspace.before-20261123T120000Z/theirs")); err != nil || string(text) != "theirs" {
			t.Errorf("what was there is %q, %v", text, err)
		}
	}
	t.Errorf("it never ends: %v", before)
}

// nameless drops times, and the sums of what was just made.
func nameless(lines []string, _ string) (all []string) {
	for _, line := range lines {
		fields := strings.Fields(line)
		if !strings.Contains(line, "journal.db") && !strings.Contains(line, "/lock") {
			all = append(all, strings.Join(fields[:2], " "))
		}
	}
	return all
}

// cutRestore restores with renames of another kind.
func cutRestore(t *testing.T, h *home, file string, rename func(from, to string) error) error {
	t.Helper()
	l := h.loader()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found, err := inspect(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	state, err := l.LoadStateDir()
	if err != nil {
		t.Fatal(err)
	}
	r := &restorer{loader: l, file: f, found: found, opts: RestoreOptions{Force: true, Now: clock}, state: state, rename: rename}
	_, err = r.restore(t.Context())
	return err
}

// A file that tools change after the journal was copied is backed up as it was then; one that they delete, too, and one that
// they make is not.
func TestOneMoment(t *testing.T) {
	h := furnish(t)
	meanwhile := func() time.Time {
		h.journal(func(db *store.DB) {
			h.write(db, "notes/a.md", "three")
			h.write(db, "notes/a.md", "four")
			h.write(db, "notes/new.md", "new")
			h.write(db, "gone", "")
		})
		return clock()
	}
	file, report := h.backup(Options{Now: meanwhile})
	if len(report.Newer) > 0 || len(report.Torn) > 0 {
		t.Errorf("%+v", report)
	}
	there := newHome(t)
	if _, err := there.restore(file, false); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"notes/a.md": "two", "gone": "soon gone", "notes/new.md": ""} {
		if text, _ := os.ReadFile(there.path(stateOf + "/workspace/" + name)); string(text) != want {
			t.Errorf("%s is %q, want %q", name, text, want)
		}
	}
}

// A file that is written to while it is read is whole, or it is said that it may not be.
func TestTorn(t *testing.T) {
	h := furnish(t)
	for _, size := range []int{1 << 20, inMemory + 1<<20} {
		path := h.path(stateOf + "/workspace/busy")
		pages := [][]byte{bytes.Repeat([]byte("a"), size), bytes.Repeat([]byte("b"), size)}
		if err := os.WriteFile(path, pages[0], 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var writing sync.WaitGroup
		writing.Go(func() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			for n := 0; ctx.Err() == nil; n++ {
				if _, err := f.WriteAt(pages[n%2], 0); err != nil {
					t.Error(err)
					return
				}
			}
		})
		file, report := h.backup(Options{})
		stop()
		writing.Wait()
		there := newHome(t)
		if _, err := there.restore(file, false); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(there.path(stateOf + "/workspace/busy"))
		whole := bytes.Equal(text, pages[0]) || bytes.Equal(text, pages[1])
		t.Logf("%d bytes: whole %v, %v", size, whole, report.Torn)
		if err != nil || !whole && !slices.Contains(report.Torn, "workspace/busy") {
			t.Errorf("%d bytes are torn, and nobody says so: %v", len(text), err)
		}
	}
}

// Sockets, pipes and what cannot be read are left out, and named.
func TestLeftOut(t *testing.T) {
	h := furnish(t)
	pipe := h.path(stateOf + "/workspace/pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, report := h.backup(Options{})
	if !slices.Contains(report.LeftOut, LeftOut{pipe, whyKind}) {
		t.Errorf("%+v", report.LeftOut)
	}
}

// A backup is not written where it would be a part of itself or the agent could read it, nor without a journal, nor against a no.
func TestRefusedBackups(t *testing.T) {
	h := furnish(t)
	no := errors.New("no")
	for _, c := range []struct {
		path string
		want string
	}{
		{h.path(stateOf + "/workspace/x.tgz"), "which is backed up itself"},
		{h.path(configOf + "/skills/x.tgz"), "which is backed up itself"},
		{h.path(stateOf), "is no file"},
		{h.path("nowhere/x.tgz"), "there is no folder"},
	} {
		if _, err := Write(t.Context(), h.env(), c.path, nil, Options{Now: clock}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if err := os.Truncate(h.path(stateOf+"/workspace/run.sh"), askFrom+1); err != nil {
		t.Fatal(err)
	}
	path := h.path("x.tgz")
	if _, err := Write(t.Context(), h.env(), path, nil, Options{Now: clock, Confirm: func(_ context.Context, n int64) error {
		if n <= askFrom {
			t.Error(n)
		}
		return no
	}}); !errors.Is(err, no) || isOccupied(path) {
		t.Errorf("%v", err)
	}
	if _, err := Write(t.Context(), newHome(t).env(), path, nil, Options{Now: clock}); err == nil || !strings.Contains(err.Error(), "nothing to back up") {
		t.Errorf("%v", err)
	}
	h.isTidy()
}

// Nothing is restored under a hob that works.
func TestRestoreBesideAnother(t *testing.T) {
	h := furnish(t)
	file, _ := h.backup(Options{})
	lock, err := store.Lock(h.path(stateOf+"/lock"), "hob serve")
	if err != nil {
		t.Fatal(err)
	}
	before := h.tree(stateOf)
	if _, err := h.restore(file, true); err == nil || !strings.Contains(err.Error(), "hob serve (pid ") || !strings.Contains(err.Error(), "end it first") {
		t.Error(err)
	}
	if diff := cmp.Diff(before, h.tree(stateOf)); diff != "" {
		t.Error(diff)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.restore(file, true); err != nil {
		t.Error(err)
	}
}

// Of nested folders that have moved the nearest counts, and nothing moves twice.
func TestMover(t *testing.T) {
	move := newMover(Paths{State: "/a", RealState: "/a", Workspace: "/a/ws", RealWorkspace: "/b/ws", Config: "/c/config.toml"},
		Paths{State: "/a/new", RealState: "/a/new", Workspace: "/d", RealWorkspace: "/d", Config: "/e/config.toml"})
	for from, want := range map[string]string{
		"/a": "/a/new", "/a/x": "/a/new/x", "/ab": "/ab", "/a/ws/f": "/d/f", "/a/ws2": "/a/new/ws2", "/b/ws": "/d", "/c/token": "/e/token", "/z": "/z",
	} {
		if got := move(from); got != want {
			t.Errorf("%s moves to %s, want %s", from, got, want)
		}
	}
	if got := newMover(Paths{}, Paths{RealState: "/x"})("/etc/passwd"); got != "/etc/passwd" {
		t.Error(got)
	}
}

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
