package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// How much systemd says that each unit is exposed, of 10, may be at most.
const (
	exposedSystem = 3.0
	exposedUser   = 3.4
)

// The units are what systemd takes, without a word, and keep hob in as much as they are meant to.
func TestUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed: the units are not checked")
	}
	overall := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`)
	for name, most := range map[string]float64{"hob.service": exposedSystem, "hob-user.service": exposedUser} {
		dir := t.TempDir()
		text, err := os.ReadFile(filepath.Join("..", "..", "systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		if load := strings.Contains(string(text), "\nLoadCredential=telegram_token:"); load != strings.Contains(string(text), "\nSetCredential=telegram_token:\\n\n") {
			t.Errorf("%s does not start without a token", name)
		}
		program := filepath.Join(dir, "hob")
		unit := filepath.Join(dir, name)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "ExecStart=/usr/bin/hob serve\n") {
			t.Fatalf("%s does not start hob serve", name)
		}
		if err := os.WriteFile(unit, []byte(strings.ReplaceAll(string(text), "/usr/bin/hob", program)), 0o644); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) string {
			cmd := exec.CommandContext(t.Context(), analyze, args...)
			cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "SYSTEMD_COLORS=0")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("systemd-analyze %s: %v\n%s", strings.Join(args, " "), err, out)
			}
			return string(out)
		}
		manager := "--system"
		if name == "hob-user.service" {
			manager = "--user"
		}
		if said := run(manager, "verify", unit); said != "" {
			t.Errorf("systemd says of %s:\n%s", name, said)
		}
		found := overall.FindStringSubmatch(run("security", "--offline=true", unit))
		if found == nil {
			t.Fatalf("systemd does not say how exposed %s is", name)
		}
		level, err := strconv.ParseFloat(found[1], 64)
		if err != nil || level > most {
			t.Errorf("%s is exposed %s, more than %.1f, %v", name, found[1], most, err)
		}
		figure(t, "systemd's exposure of "+name, "%s (aim %.1f)", found[1], most)
	}
}

// Who uninstalls what they had for themselves reads where their own things are, and not where the machine's would be.
func TestUninstallSaysWhatIsLeft(t *testing.T) {
	home := t.TempDir()
	for _, c := range []struct{ into, prefix, want string }{{"", home + "/.local", "~/.config/hob"}, {t.TempDir(), "/opt/hob", "/etc/hob"}} {
		out, err := exec.CommandContext(t.Context(), "make", "-s", "-C", filepath.Join("..", ".."), "uninstall",
			"DESTDIR="+c.into, "PREFIX="+c.prefix, "HOME="+home).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "its configuration in "+c.want) {
			t.Errorf("%s: %v\n%s", c.prefix, err, out)
		}
	}
}

// Below the home folder of who installs it nothing is put that systemd needs root for.
func TestInstall_ForOnePerson(t *testing.T) {
	home, built := t.TempDir(), filepath.Join(t.TempDir(), "hob")
	if err := os.WriteFile(built, []byte("#!/bin/sh\n"), 0o755); err != nil { // its completions are empty
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "make", "-s", "-C", filepath.Join("..", ".."), "install",
		"DESTDIR=", "PREFIX="+home+"/.local", "HOME="+home, "OUT="+built).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "for you alone") {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]bool{
		"lib/systemd/user/hob-user.service": true, "lib/systemd/system": false, "lib/sysusers.d": false, "lib/tmpfiles.d": false,
	} {
		if _, err := os.Stat(filepath.Join(home, ".local", name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who stages a package in a folder of their own home builds it for a machine: it has all.
func TestInstall_StagedBelowHome(t *testing.T) {
	built := filepath.Join(t.TempDir(), "hob")
	if err := os.WriteFile(built, []byte("#!/bin/sh\n"), 0o755); err != nil { // its completions are empty
		t.Fatal(err)
	}
	folder := t.TempDir()
	for i, home := range []string{folder, ""} { // nor does it matter that nobody's home is known
		stage := filepath.Join(folder, strconv.Itoa(i))
		out, err := exec.CommandContext(t.Context(), "make", "-s", "-C", filepath.Join("..", ".."), "install",
			"DESTDIR="+stage, "PREFIX=/usr", "HOME="+home, "OUT="+built).CombinedOutput()
		if err != nil || strings.Contains(string(out), "for you alone") {
			t.Errorf("%v\n%s", err, out)
		}
		for _, name := range []string{"systemd/system/hob.service", "sysusers.d/hob.conf", "tmpfiles.d/hob.conf"} {
			if _, err := os.Stat(filepath.Join(stage, "usr/lib", name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// What make install puts below a folder is all there, names the program where it will be, and goes with make uninstall.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds hob")
	}
	into, built := t.TempDir(), filepath.Join(t.TempDir(), "hob")
	var said string
	run := func(target string) error {
		out, err := exec.CommandContext(t.Context(), "make", "-s", "-C", filepath.Join("..", ".."), target,
			"DESTDIR="+into, "PREFIX=/opt/hob", "OUT="+built).CombinedOutput()
		said = string(out)
		return err
	}
	do := func(target string) {
		if err := run(target); err != nil {
			t.Fatalf("make %s: %v\n%s", target, err, said)
		}
	}
	if err := run("install"); err == nil || !strings.Contains(said, "run make build first") { // it does not build as root
		t.Errorf("without a program make install says: %v\n%s", err, said)
	}
	do("man")
	do("install")
	if n := strings.Count(said, "\n  "); n != 4 {
		t.Errorf("make install names %d commands that come next:\n%s", n, said)
	}
	got, pages := map[string]fs.FileMode{}, map[string]bool{}
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if page := strings.TrimPrefix(path, into+"/opt/hob/share/man/man1/"); page != path {
			pages[page] = true
			return err
		}
		got[strings.TrimPrefix(path, into)] = info.Mode().Perm()
		return err
	}
	if err := filepath.WalkDir(into, walk); err != nil {
		t.Fatal(err)
	}
	want := map[string]fs.FileMode{
		"/opt/hob/bin/hob":                                  0o755,
		"/opt/hob/lib/systemd/system/hob.service":           0o644,
		"/opt/hob/lib/systemd/user/hob-user.service":        0o644,
		"/opt/hob/lib/sysusers.d/hob.conf":                  0o644,
		"/opt/hob/lib/tmpfiles.d/hob.conf":                  0o644,
		"/opt/hob/share/doc/hob/config.toml.example":        0o644,
		"/opt/hob/share/bash-completion/completions/hob":    0o644,
		"/opt/hob/share/zsh/site-functions/_hob":            0o644,
		"/opt/hob/share/fish/vendor_completions.d/hob.fish": 0o644,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is installed (-want +got):\n%s", diff)
	}
	for _, page := range []string{"hob.1", "hob-ask.1", "hob-game-play.1", "hob-setup.1"} {
		if !pages[page] {
			t.Errorf("there is no manual page %s", page)
		}
	}
	for _, unit := range []string{"system/hob.service", "user/hob-user.service"} {
		text, err := os.ReadFile(filepath.Join(into, "opt/hob/lib/systemd", unit))
		if err != nil || !strings.Contains(string(text), "ExecStart=/opt/hob/bin/hob serve") || strings.Contains(string(text), "/usr/bin/hob") {
			t.Errorf("%s starts something else: %v\n%s", unit, err, text)
		}
	}
	do("uninstall")
	clear(got)
	clear(pages)
	if err := filepath.WalkDir(into, walk); err != nil || len(got)+len(pages) > 0 {
		t.Errorf("make uninstall leaves %v, %v, %v", got, pages, err)
	}
}
