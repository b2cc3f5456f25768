//go:build linux

package sandbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/sandbox"
)

func TestNewPolicy(t *testing.T) {
	base := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(base, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(to, name string) string {
		path := filepath.Join(base, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name  string
		rules sandbox.Rules
		want  string // part of the error
	}{
		{"nothing", sandbox.Rules{}, `check the workspace "": it must be an absolute path`},
		{"relative", sandbox.Rules{Workspace: "work"}, `check the workspace "work": it must be an absolute path`},
		{"missing", sandbox.Rules{Workspace: base + "/none"}, "no such file or directory; make the folder, or name another one"},
		{"a file", sandbox.Rules{Workspace: write("file")}, "file is not a folder"},
		{"the root", sandbox.Rules{Workspace: "/"}, "/ holds what belongs to the system"},
		{"a link to the root", sandbox.Rules{Workspace: link("/", "all")}, "/ holds what belongs to the system"},
		{"a parent of the system's", sandbox.Rules{Workspace: "/usr"}, "/usr holds what belongs to the system"},
		{"the system's", sandbox.Rules{Workspace: "/etc/../etc"}, "/etc holds what belongs to the system"},
		{"below the system's", sandbox.Rules{Workspace: "/proc/self"}, "belongs to the system"},
		{"that for temporary files", sandbox.Rules{Workspace: "/tmp"}, "/tmp holds what belongs to the system"},
		{"reads relative", sandbox.Rules{Workspace: base, Read: []string{"x"}}, `check the path "x" that commands may read: it must be absolute, and without . and .. in it`},
		{"reads by a detour", sandbox.Rules{Workspace: base, Read: []string{"/usr/../etc"}}, "it must be absolute, and without . and .. in it"},
		{"reads everything", sandbox.Rules{Workspace: base, Read: []string{"/"}}, "/ would show them everything"},
		{"reads what is missing", sandbox.Rules{Workspace: base, Read: []string{base + "/none"}}, "no such file or directory"},
		{"a limit below zero", sandbox.Rules{Workspace: base, Limits: sandbox.Limits{Memory: -1}}, "check the limits: that of memory is -1; it must be 0 for the default, or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := sandbox.NewPolicy(c.rules); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %s", err, c.want)
			}
		})
	}
	t.Run("good", func(t *testing.T) {
		if _, err := sandbox.NewPolicy(sandbox.Rules{Workspace: link(t.TempDir(), "work"), Read: []string{"/etc/hostname"}}); err != nil {
			t.Error(err)
		}
	})
}

// What people's own programs believe of a repository is made where it is missing, and cannot be changed; nor can it be
// moved out of the way.
func TestProtected(t *testing.T) {
	attacks := "echo evil > .git/hooks/post-checkout; echo evil >> .git/config; ln -sf /evil .git/config; rm -rf .git/hooks .git/config .hob; " +
		"mv .git/config .git/c; mv .git/hooks .git/h; mv .git moved; mv .hob h; chmod 777 .git/hooks .git/config; echo evil > .hob/config; rm -rf .git; " +
		"mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit; true"
	for _, tier := range []sandbox.Tier{sandbox.T1, sandbox.T2} {
		t.Run(tier.String(), func(t *testing.T) {
			s := box(t, tier)
			p, dir := policy(t, nil)
			for _, d := range []string{".git/objects", ".hob"} {
				if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			o := run(t, s, p, sh("echo fine > .git/index && echo fine > .git/objects/x; echo $?; "+attacks))
			if o.Stdout.String() != "0\n" {
				t.Errorf("a repository cannot be used: %s %s", o.Stdout, o.Stderr)
			}
			hooks, err := os.ReadDir(filepath.Join(dir, ".git/hooks"))
			if err != nil || len(hooks) != 0 {
				t.Errorf("hooks: %v, %v", hooks, err)
			}
			config, err := os.ReadFile(filepath.Join(dir, ".git/config"))
			if err != nil || len(config) != 0 {
				t.Errorf("configuration: %q, %v", config, err)
			}
			own, err := os.ReadDir(filepath.Join(dir, ".hob"))
			if err != nil || len(own) != 0 {
				t.Errorf(".hob: %v, %v", own, err)
			}
		})
	}
}

// A repository that a command has put together is protected from the next one on, and what is no repository's is not
// followed anywhere.
func TestProtected_Traps(t *testing.T) {
	s := box(t, sandbox.T4) // what is made and refused does not depend on the tier
	outside := t.TempDir()
	for _, c := range []struct {
		name string
		make func(dir string) error
		want string // the error's end, "" for none
	}{
		{"a link", func(dir string) error { return os.Symlink(outside, dir+"/.git") }, "/.git: it is a symbolic link, which cannot be; remove it to run commands in this workspace"},
		{"a linked .hob", func(dir string) error { return os.Symlink(outside, dir+"/.hob") }, "/.hob: it is a symbolic link, which cannot be; remove it to run commands in this workspace"},
		{"linked hooks", func(dir string) error {
			os.Mkdir(dir+"/.git", 0o755)
			return os.Symlink(outside, dir+"/.git/hooks")
		}, "/.git/hooks: it is a symbolic link, which cannot be; remove it to run commands in this workspace"},
		{"a configuration that hangs", func(dir string) error {
			os.Mkdir(dir+"/.git", 0o755)
			return os.Mkdir(dir+"/.git/config", 0o755)
		}, "/.git/config: it is not what git puts there; remove it to run commands in this workspace"},
		{"a link in the place of one that is missing", func(dir string) error {
			os.Mkdir(dir+"/.git", 0o755)
			return os.Symlink(outside+"/made", dir+"/.git/config")
		}, "/.git/config: it is a symbolic link, which cannot be; remove it to run commands in this workspace"},
		{"a worktree", func(dir string) error { return os.WriteFile(dir+"/.git", []byte("gitdir: x"), 0o644) }, ""},
		{"no repository", func(string) error { return nil }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, dir := policy(t, nil)
			if err := c.make(dir); err != nil {
				t.Fatal(err)
			}
			_, err := s.Run(t.Context(), p, sh("touch ran"))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
				t.Errorf("%v; want %s", err, c.want)
			}
			_, ran := os.Stat(dir + "/ran")
			if (ran == nil) != (c.want == "") {
				t.Error(ran)
			}
		})
	}
	if made, err := os.ReadDir(outside); err != nil || len(made) > 0 {
		t.Errorf("outside: %v, %v", made, err)
	}
}

// A workspace that may not be written is not, not even by hob.
func TestReadOnly(t *testing.T) {
	everywhereAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T4 {
			t.Skip("has no walls")
		}
		p, dir := policy(t, func(r *sandbox.Rules) {
			r.ReadOnly = true
			if err := os.Mkdir(filepath.Join(r.Workspace, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
		})
		o := run(t, s, p, sh("ls -A; echo x > file; mkdir .git/hooks; true"))
		if o.Stdout.String() != ".git\n" {
			t.Errorf("%s %s", o.Stdout, o.Stderr)
		}
		if left, err := os.ReadDir(filepath.Join(dir, ".git")); err != nil || len(left) > 0 {
			t.Errorf("%v %v", left, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%v %v", left, err)
		}
	})
}

// Further places can be read where they are named, and not else.
func TestRead(t *testing.T) {
	everywhereAsRoot(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if tier == sandbox.T4 {
			t.Skip("has no walls")
		}
		shown, hidden := t.TempDir(), t.TempDir()
		for _, d := range []string{shown, hidden} {
			if err := os.WriteFile(filepath.Join(d, "f"), []byte("text"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := policy(t, func(r *sandbox.Rules) { r.Read = []string{shown} })
		o := run(t, s, p, sh("cat "+shown+"/f; cat "+hidden+"/f; echo x > "+shown+"/f; true"))
		if o.Stdout.String() != "text" {
			t.Errorf("%s %s", o.Stdout, o.Stderr)
		}
		if text, err := os.ReadFile(shown + "/f"); err != nil || string(text) != "text" {
			t.Errorf("%q %v", text, err)
		}
	})
}
