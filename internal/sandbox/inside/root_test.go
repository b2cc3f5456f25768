//go:build linux

package inside_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/sandbox/inside"
)

// write makes a file with the folders above it.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsBelowTheRoot(t *testing.T) {
	namespacedAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "ls /; echo; ls /dev; echo; ls /run /var; echo; echo $PPID; hostname")
		s.Tier = tier
		r := run(t, s)
		var top []string
		for _, name := range []string{"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "nix", "opt", "proc", "run", "sbin", "tmp", "usr", "var"} {
			_, err := os.Lstat("/" + name)
			if name == "nix" {
				_, err = os.Lstat("/nix/store")
			}
			if err == nil {
				top = append(top, name)
			}
		}
		own := "" // in T2 the helper's own program has to be there
		if tier == inside.T2 {
			own = "hob\n"
		}
		want := strings.Join(top, "\n") + "\n\nfd\nfull\nnull\nrandom\nshm\nstderr\nstdin\nstdout\nurandom\nzero\n\n" +
			"/run:\n" + own + "\n/var:\ntmp\n\n1\nhob\n"
		if diff := cmp.Diff(want, r.Out+r.Err); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestWhatOfEtcIsThere(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `for f in shadow shadow- gshadow sudoers sudoers.d ssh ssl/private ppp machine-id gitconfig apt crontab environment NetworkManager; do
			cat /etc/$f >/dev/null 2>&1 && echo "$f can be read"; ls /etc/$f/ 2>/dev/null; done
			cat /etc/hosts`)
		s.Tier = tier
		r := run(t, s)
		want := "127.0.0.1 localhost hob\n::1 localhost\n"
		if tier == inside.T3 { // there it is the host's
			hosts, _ := os.ReadFile("/etc/hosts") // not every machine has one
			want = string(hosts)
		}
		if diff := cmp.Diff(want, r.Out); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Whoever asks for a user gets the caller's own, whose home is the workspace.
func TestWhoIsAUser(t *testing.T) {
	namespacedAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `grep ":$(id -u):" /etc/passwd | cut -d: -f6; wc -l < /etc/passwd; test -e /etc/resolv.conf && echo resolv.conf`)
		s.Tier = tier
		if r := run(t, s); r.Out != s.Workspace+"\n2\n" && r.Out != s.Workspace+"\n3\n" {
			t.Errorf("%q", r.Out+r.Err)
		}
	})
}

func TestOnlyTheWorkspaceAndTmpCanBeWritten(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `
			for f in ./f "${TMPDIR:-/tmp}/f" /dev/shm/f /f /etc/f /usr/f /dev/f /run/f /var/f /opt/f /proc/f; do
				( : > $f ) 2>/dev/null && echo "$f"; done
			( chmod 600 /etc/services; touch /usr/bin/env; ln /bin/sh sh; echo 1 > /proc/sys/kernel/randomize_va_space; echo 1 > /proc/self/oom_score_adj; mkdir /usr/x ) 2>/dev/null && echo changed
			echo hello > /dev/null && head -c 3 /dev/zero | wc -c`)
		s.Tier = tier
		r := run(t, s)
		want := "./f\n/tmp/f\n/dev/shm/f\n3\n"
		if tier == inside.T3 {
			temp := strings.Split(r.Out, "\n")[1]
			if !strings.HasPrefix(temp, "/tmp/hob-") {
				t.Errorf("%q is no folder for temporary files", temp)
			}
			if _, err := os.Stat(filepath.Dir(temp)); err == nil {
				t.Errorf("%s was left behind", filepath.Dir(temp))
			}
			want = "./f\n" + temp + "\n3\n"
		}
		if diff := cmp.Diff(want, r.Out); diff != "" {
			t.Errorf("(-want +got):\n%s%s", diff, r.Err)
		}
		if _, err := os.Stat(s.Workspace + "/f"); err != nil {
			t.Error(err)
		}
	})
}

func TestAWorkspaceThatIsOnlyRead(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "cat f; echo more >> f; echo new > g; rm f; chmod 777 f")
		s.Tier, s.ReadOnly = tier, true
		write(t, s.Workspace+"/f", "once\n")
		r := run(t, s)
		data, err := os.ReadFile(s.Workspace + "/f")
		if r.Out != "once\n" || err != nil || string(data) != "once\n" {
			t.Errorf("%+v; f is %q, %v", r, data, err)
		}
		info, err := os.Stat(s.Workspace + "/f")
		if err != nil || tier != inside.T3 && info.Mode().Perm() != 0o644 {
			t.Error(info.Mode(), err)
		}
	})
}

// What is protected cannot be changed, removed or replaced, nor can what lies above it.
func TestProtectedPaths(t *testing.T) {
	namespacedAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `
			echo x > .git/hooks/pre-commit; echo x >> .git/config; rm .git/config; mv .git/hooks .git/h; rm -r .git/hooks
			mv .git .g && mkdir -p .git/hooks; chmod 777 .git/config; ln -sf /x .git/config; mv f .git/config; rmdir .hob; mv .hob .h
			echo fine > .git/HEAD && echo fine > .git/refs/x && mv .git/HEAD .git/refs/y && cat .git/refs/y`)
		s.Tier = tier
		for _, path := range []string{".git/hooks/sample", ".git/config", ".git/refs/y", "f", ".hob/x"} {
			write(t, s.Workspace+"/"+path, "once")
		}
		s.Protect = []string{s.Workspace + "/.git/hooks", s.Workspace + "/.git/config", s.Workspace + "/.hob"}
		before := tree(t, s.Workspace)
		r := run(t, s)
		if r.Out != "fine\n" {
			t.Errorf("what is beside the protected cannot be used: %+v", r)
		}
		after := tree(t, s.Workspace)
		before[".git/refs/x"], before[".git/refs/y"] = "-rw-r--r-- fine\n", "-rw-r--r-- fine\n"
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("(-before +after):\n%s%s", diff, r.Err)
		}
	})
}

// An earlier command may have put a link where a folder was.
func TestAProtectedPathThatIsALinkIsNotFollowed(t *testing.T) {
	s := shell(t, "cat .git/hooks/secret")
	outside := t.TempDir()
	write(t, outside+"/hooks/secret", "the secret")
	write(t, s.Workspace+"/inside/hooks/f", "")
	s.Protect = []string{s.Workspace + "/.git/hooks"}
	for _, target := range []string{outside, "inside"} {
		os.Remove(s.Workspace + "/.git")
		if err := os.Symlink(target, s.Workspace+"/.git"); err != nil {
			t.Fatal(err)
		}
		if m := prepare(t, s).receive(t); m.Stage != "protect" || m.Ready {
			t.Errorf("a link to %s: %+v", target, m)
		}
	}
}

// In T2 bwrap would follow it, so that the helper looks at what was mounted in the end.
func TestALinkThatBwrapFollowed(t *testing.T) {
	s := shell(t, "ls .git/hooks")
	s.Tier = inside.T2
	write(t, s.Workspace+"/inside/hooks/f", "")
	s.Protect = []string{s.Workspace + "/.git/hooks"}
	if err := os.Symlink("inside", s.Workspace+"/.git"); err != nil {
		t.Fatal(err)
	}
	p := prepare(t, s)
	packet := make([]byte, 4096)
	n, err := p.socket.Read(packet)
	if strings.Contains(string(packet[:n]), "ready") {
		t.Errorf("%s, %v", packet[:n], err)
	}
}

func TestT3SaysThatItProtectsNothing(t *testing.T) {
	s := shell(t, "true")
	s.Tier = inside.T3
	write(t, s.Workspace+"/f", "")
	s.Protect = []string{s.Workspace + "/f"}
	if p := launch(t, s); !p.ready.Unprotected {
		t.Errorf("%+v", p.ready)
	}
}

// tree returns the files below a folder by their paths.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(folder, path)
		files[rel] = info.Mode().String() + " " + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestFurtherPathsThatAreRead(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		outside := t.TempDir()
		s := shell(t, "cat "+outside+"/a/f "+outside+"/g; cat "+outside+"/secret; echo x > "+outside+"/a/f; echo x > "+outside+"/g; rm "+outside+"/a/f")
		s.Tier = tier
		write(t, outside+"/a/f", "a folder\n")
		write(t, outside+"/g", "a file\n")
		write(t, outside+"/secret", "the secret")
		s.Read = []string{outside + "/g", outside + "/a", "/usr/share", s.Workspace + "/sub"}
		r := run(t, s)
		want := map[string]string{"a/f": "-rw-r--r-- a folder\n", "g": "-rw-r--r-- a file\n", "secret": "-rw-r--r-- the secret"}
		if diff := cmp.Diff(want, tree(t, outside)); r.Out != "a folder\na file\n" || diff != "" {
			t.Errorf("%+v\n%s", r, diff)
		}
	})
}

// The workspace may lie in a folder that is read, and the other way round.
func TestAWorkspaceInAFolderThatIsRead(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "cat ../f; echo x > g; echo x > ../f; ls sub")
		s.Tier = tier
		outside := t.TempDir()
		s.Workspace = outside + "/w"
		s.Dir = s.Workspace
		write(t, outside+"/f", "beside\n")
		write(t, s.Workspace+"/sub/h", "")
		s.Read = []string{outside, s.Workspace + "/sub"}
		r := run(t, s)
		want := map[string]string{"f": "-rw-r--r-- beside\n", "w/g": "-rw-r--r-- x\n", "w/sub/h": "-rw-r--r-- "}
		if diff := cmp.Diff(want, tree(t, outside)); r.Out != "beside\nh\n" || diff != "" {
			t.Errorf("%+v\n%s", r, diff)
		}
	})
}

func TestPlacesThatAreNotOpened(t *testing.T) {
	for _, path := range []string{"/", "/proc", "/proc/self", "/dev", "/tmp", "/run", "/etc", "relative", "/usr/../etc", "/home//x", "/does/not/exist"} {
		s := shell(t, "true")
		s.Read = []string{path}
		if m := prepare(t, s).receive(t); m.Stage != "read" || m.Error == "" {
			t.Errorf("read %s: %+v", path, m)
		}
	}
}

// /tmp inside is nobody else's.
func TestTmpIsPrivate(t *testing.T) {
	namespacedAsRoot(t, func(t *testing.T, tier inside.Tier) {
		outside, err := os.MkdirTemp("/tmp", "hob-outside-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(outside)
		s := shell(t, "ls -d /tmp/hob-outside-*; echo x > /tmp/hob-left-behind; ls /var/tmp/hob-left-behind; df -B1 --output=size /tmp /dev/shm | tail -n 2")
		s.Tier = tier
		r := run(t, s)
		if got := strings.Fields(r.Out); !slices.Equal(got, []string{"/var/tmp/hob-left-behind", "268435456", "67108864"}) {
			t.Errorf("%q", got)
		}
		if _, err := os.Stat("/tmp/hob-left-behind"); err == nil {
			t.Error("a file of the command is in the host's /tmp")
		}
	})
}

func TestAWorkspaceInVarTmp(t *testing.T) {
	namespaced(t, func(t *testing.T, tier inside.Tier) {
		folder, err := os.MkdirTemp("/var/tmp", "hob-inside-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		s := shell(t, "pwd -P; echo x > f; ls /var/tmp; echo x > /var/tmp/other")
		s.Tier, s.Workspace, s.Dir = tier, folder, folder
		r := run(t, s)
		if r.Out != folder+"\n"+filepath.Base(folder)+"\n" || r.Err != "" {
			t.Errorf("%+v", r)
		}
		if _, err := os.Stat(folder + "/f"); err != nil {
			t.Error(err)
		}
	})
}

// Two Landlock layers would refuse this with EXDEV.
func TestRenameFromFolderToFolder(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `mkdir a b; echo x > a/f; perl -e 'rename("a/f", "b/f") or die $!; link("b/f", "a/g") or die $!'; ls b a`)
		s.Tier = tier
		if r := run(t, s); r.Out != "a:\ng\n\nb:\nf\n" || r.Exit != 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestTheEnvironmentIsWhatWasGiven(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := spec(t, "env")
		s.Tier = tier
		s.Env = []string{"PATH=/usr/bin:/bin", "A=b c", "EMPTY="}
		r := run(t, s)
		var lines []string
		for line := range strings.Lines(r.Out) {
			if tier != inside.T3 || !strings.HasPrefix(line, "TMPDIR=") {
				lines = append(lines, line)
			}
		}
		if diff := cmp.Diff("PATH=/usr/bin:/bin\nA=b c\nEMPTY=\n", strings.Join(lines, "")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestAProgramOfItsOwn(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "exit", "42")
		s.Tier = tier
		if r := run(t, s); r.Exit != 42 {
			t.Errorf("%+v", r)
		}
		s = program(t, "there is no such program")
		s.Tier = tier
		if r := run(t, s); r.Exit != 127 || !strings.Contains(r.Err, "there is no such program") {
			t.Errorf("%+v", r)
		}
	})
}

// A helper that is started by hand, or without a Spec, does nothing.
func TestWithoutASpecNothingIsBuilt(t *testing.T) {
	s := shell(t, "true")
	s.Tier = 0
	if m := prepare(t, s).receive(t); m.Stage != "spec" {
		t.Errorf("%+v", m)
	}
	s.Tier, s.Dir = inside.T1, "/does/not/exist"
	if m := prepare(t, s).receive(t); m.Stage != "folder" {
		t.Errorf("%+v", m)
	}
}
