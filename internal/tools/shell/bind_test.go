package shell_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/shell"
)

// bindWorld is a shell in a workspace with files, each of which holds its own name.
func bindWorld(t testing.TB, cfg shell.Config) (tools.Tool, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.sh", "my script", "tool", "sub/x.sh", "sub/deep/y.py", "pkg/__main__.py", "Makefile", "sub/Makefile", ".git/hooks/pre-commit", ".git/hooks/old.sample"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Dir = dir
	if cfg.Sandbox == nil {
		cfg.Sandbox = &fakeWalls{tier: sandbox.T1}
	}
	s, err := shell.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s.Tool(), dir
}

func bind(t testing.TB, tool tools.Tool, args map[string]any) (event.Binding, error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return tools.BindingOf(t.Context(), tool, raw)
}

const unknownNames = " · names files that cannot be told beforehand"

// What a command names is bound, however it names it; what is meant and not there is bound as missing.
func TestRunCommand_BindsTheFilesItNames(t *testing.T) {
	tool, dir := bindWorld(t, shell.Config{})
	for _, c := range []struct {
		name, command, want string // the paths, those that are missing with a question mark
		open                bool
	}{
		{"nothing", "echo hello world", "", false},
		{"a program", "./x.sh", "x.sh", false},
		{"an argument", "sh x.sh", "x.sh", false},
		{"without an end", "sh tool", "tool", false},
		{"sourced", ". ./x.sh; source sub/x.sh", "sub/x.sh x.sh", false},
		{"with options", "bash -ex x.sh -v", "x.sh", false},
		{"on its input", "sh <x.sh", "x.sh", false},
		{"through a pipe", "cat x.sh|sh", "x.sh", false},
		{"quoted", `sh 'my script' "x.sh"`, "my script,x.sh", false},
		{"put together", `sh x'.'s""h; sh sub/\x.sh`, "sub/x.sh x.sh", false},
		{"with a folded line", "sh sub/\\\ndeep/y'.'py", "sub/deep/y.py", false},
		{"the home", `sh ~/x.sh; sh "$HOME/sub/x.sh" ${HOME}/tool`, "sub/x.sh tool x.sh", false},
		{"another home", "HOME=/ ; sh $HOME/x.sh", "", true},
		{"absolute", "sh " + dir + "/x.sh", "x.sh", false},
		{"outside", "sh /usr/share/x.sh ../x.sh /dev/null", "", false},
		{"in a variable", "ENV=x.sh sh", "x.sh", false},
		{"in an option", "tar --to-command=./x.sh -fsub/x.sh", "sub/x.sh x.sh", false},
		{"in a list", "java -cp sub/x.sh:tool X", "sub/x.sh tool", false},
		{"a text for a shell", "sh -c 'cd sub; sh \"x.sh\"'", "sub/x.sh x.sh", false},
		{"a text in a text", `sh -c 'sh -c "sh x\".\"sh"'`, "x.sh", false},
		{"too deep", `eval 'eval '\''eval "eval \"eval \\\"eval a b\\\"\""'\'`, "", true},
		{"run to make a word", "echo $(sh x.sh) `sh sub/x.sh`", "sub/x.sh x.sh", true},
		{"among the variables", "echo ${X:-$(sh x'.sh')}", "x.sh", true},
		{"input in the line", "sh <<E\nsh x'.'sh\nE\nsh t'o'ol", "tool x.sh", false},
		{"input with an apostrophe", "cat <<E\n\tE\ndon't\nE\nsh n\"e\"w.sh # don't", "new.sh?", false},
		{"a comment with an apostrophe", "true # don't\nsh n\"e\"w.sh # it's", "new.sh?", false},
		{"a folder that it goes to", "cd sub && sh x.sh", "sub/x.sh x.sh", false},
		{"and further", "(cd sub; cd deep; python3 y.py)", "deep/y.py? sub/deep/y.py sub/y.py? y.py?", false},
		{"one that is not there yet", "mkdir new; cd new; ./x.sh", "new/x.sh? x.sh", false},
		{"a path that is not there", "sh ./new.sh", "new.sh?", false},
		{"a script that is not there", "sh new; node app", "app? new?", false},
		{"where output goes", "echo >log/new.txt", "", false},
		{"an address", "curl https://example.org/a/b.sh", "", false},
		{"a pattern", "cat *.sh */x.s[gh]", "sub/x.sh x.sh", false},
		{"a pattern in quotes", "find . -name '*.sh'", "", false},
		{"a variable", "sh $X", "", true},
		{"a variable in an option", "sh --rcfile=$X", "", true},
		{"one that is none", `echo '$X' a\$b $? "$$"`, "", false},
		{"a status in a name", "sh x$?.sh", "x.sh", true},
		{"a variable for a shell", "sh -c '$X'", "", true},
		{"a variable of another language", "awk '{print $1}' tool", "tool", false},
		{"escapes of bash", `sh $'\x78.sh'; echo $'plain'`, "x78.sh?", true},
		{"braces of bash", "sh {x,y}.sh", "", true},
		{"whatever find finds", `find -exec sh {} ';'`, "", true},
		{"whatever comes in", "ls | xargs sh", "", true},
		{"somebody's home", "sh ~root/x.sh", "", true},
		{"make", "nice make all", "GNUmakefile? Makefile makefile?", false},
		{"make in a folder", "make -C sub", "GNUmakefile? Makefile makefile? sub/GNUmakefile? sub/Makefile sub/makefile?", false},
		{"npm", "npm test", ".npmrc? package.json?", false},
		{"cargo", "cargo build", ".cargo/config.toml? Cargo.toml? build.rs?", false},
		{"go", "go test", "go.mod? go.work?", false},
		{"git", "git commit -m 'do a/b'", ".git/config? .git/hooks/pre-commit", false},
		{"a module", "python3 -m sub.deep.y && python3 -m pkg", "pkg/__main__.py sub/deep/y.py", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := bind(t, tool, map[string]any{"command": c.command})
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, f := range got.Files {
				sum := sha256.Sum256([]byte(f.Path))
				switch f.Sum {
				case "":
					f.Path += "?"
				case hex.EncodeToString(sum[:]):
				default:
					t.Errorf("the sum of %s is %s", f.Path, f.Sum)
				}
				paths = append(paths, f.Path)
			}
			between := " "
			if strings.Contains(c.want, ",") {
				between = ","
			}
			if diff := cmp.Diff(c.want, strings.Join(paths, between)); diff != "" || strings.HasSuffix(got.Profile, unknownNames) != c.open {
				t.Errorf("%s\n%s", diff, got.Profile)
			}
			if got.Dir != dir {
				t.Errorf("it runs in %s", got.Dir)
			}
		})
	}
}

// Programs in other languages name files in ways of their own.
func TestRunCommand_BindsTheModulesOfAProgram(t *testing.T) {
	tool, dir := bindWorld(t, shell.Config{})
	if err := os.WriteFile(filepath.Join(dir, "lib.js"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for language, c := range map[string][2]string{
		"python": {"import subprocess\nfrom sub.deep import y\nimport sub.deep.y, pkg\nsubprocess.run(['sh','x.sh'])\nf'{x}'", "pkg/__main__.py sub/deep/y.py x.sh"},
		"node":   {"const x = require('./lib'); require('child_process').execSync(`sh ${x}tool`)", "lib.js tool"},
		"bash":   {"source x'.'sh", "x.sh"},
	} {
		got, err := bind(t, tool, map[string]any{"command": c[0], "language": language})
		var paths []string
		for _, f := range got.Files {
			paths = append(paths, f.Path)
		}
		if strings.Join(paths, " ") != c[1] || err != nil || strings.HasSuffix(got.Profile, unknownNames) {
			t.Errorf("%s: %q, %v, %s", language, paths, err, got.Profile)
		}
	}
}

// Whatever becomes of a file between the question and the run, the binding is another one.
func TestRunCommand_BindingHoldsOn(t *testing.T) {
	big := strings.Repeat("x", 17<<20)
	for _, c := range []struct {
		name, command string
		before, then  func(dir string) error
	}{
		{"changed", "sh x.sh", nil, func(dir string) error { return os.WriteFile(dir+"/x.sh", []byte("x.sH"), 0o644) }},
		{"gone", "sh x.sh", nil, func(dir string) error { return os.Remove(dir + "/x.sh") }},
		{"made", "sh new.sh", nil, func(dir string) error { return os.WriteFile(dir+"/new.sh", nil, 0o644) }},
		{"made under a name that nothing tells to be a file's", "env new", nil, func(dir string) error { return os.WriteFile(dir+"/new", nil, 0o644) }},
		{"made for a pattern", "cat *.sh", nil, func(dir string) error { return os.WriteFile(dir+"/z.sh", nil, 0o644) }},
		{"preferred by make", "make", nil, func(dir string) error { return os.WriteFile(dir+"/GNUmakefile", nil, 0o644) }},
		{"a hook", "git status", nil, func(dir string) error { return os.WriteFile(dir+"/.git/hooks/post-index-change", nil, 0o755) }},
		{"behind a link", "sh link", func(dir string) error { return os.Symlink("x.sh", dir+"/link") },
			func(dir string) error { return os.WriteFile(dir+"/x.sh", []byte("x.sH"), 0o644) }},
		{"a large one, its time set back", "sh big", func(dir string) error { return os.WriteFile(dir+"/big", []byte(big), 0o644) },
			func(dir string) error {
				info, err := os.Stat(dir + "/big")
				if err != nil {
					return err
				}
				f, err := os.OpenFile(dir+"/big", os.O_WRONLY, 0)
				if err != nil {
					return err
				}
				_, err = f.WriteString("y")
				return errors.Join(err, f.Close(), os.Chtimes(dir+"/big", info.ModTime(), info.ModTime()))
			}},
		{"a large one, exchanged", "sh big", func(dir string) error {
			return errors.Join(os.WriteFile(dir+"/big", []byte(big), 0o644), os.WriteFile(dir+"/other", []byte(big), 0o644))
		}, func(dir string) error { return os.Rename(dir+"/other", dir+"/big") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, dir := bindWorld(t, shell.Config{})
			if c.before != nil {
				if err := c.before(dir); err != nil {
					t.Fatal(err)
				}
			}
			args := map[string]any{"command": c.command}
			first, err := bind(t, tool, args)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := bind(t, tool, args); err != nil || !cmp.Equal(first, again) {
				t.Fatalf("%v\n%s", err, cmp.Diff(first, again))
			}
			if err := c.then(dir); err != nil {
				t.Fatal(err)
			}
			if then, err := bind(t, tool, args); err != nil || cmp.Equal(first, then) {
				t.Errorf("%v: nothing has changed in %+v", err, then)
			}
		})
	}
}

// What cannot be looked at is not waited for, and nothing outside is read.
func TestRunCommand_BindsNothingOutside(t *testing.T) {
	tool, dir := bindWorld(t, shell.Config{})
	out := t.TempDir()
	if err := errors.Join(
		os.WriteFile(filepath.Join(out, "x.sh"), []byte("x"), 0o644), os.Symlink(out, filepath.Join(dir, "out")),
		os.Symlink(filepath.Join(out, "x.sh"), filepath.Join(dir, "away")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	for command, open := range map[string]bool{
		"sh away": true, "sh out/x.sh": true, "cat out/*": true, "sh " + filepath.Join(out, "x.sh"): false, "sh sub/../../x.sh": false,
		"cat pipe": false, "sh ..": false, "sh sub/x.sh/y": false, "sh " + strings.Repeat("x", 5000): false,
	} {
		got, err := bind(t, tool, map[string]any{"command": command})
		if err != nil || strings.HasSuffix(got.Profile, unknownNames) != open {
			t.Errorf("%.40s: %v, %s", command, err, got.Profile)
		}
		for _, f := range got.Files {
			if f.Sum != "" && f.Path != "sub/x.sh" {
				t.Errorf("%.40s: %+v", command, f)
			}
		}
	}
}

// A command can name more files than a person will look at.
func TestRunCommand_BindsNotTooMany(t *testing.T) {
	tool, dir := bindWorld(t, shell.Config{})
	var names []string
	for i := range 65 {
		names = append(names, fmt.Sprintf("f%d", i))
		if err := os.WriteFile(filepath.Join(dir, names[i]), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := bind(t, tool, map[string]any{"command": "cat " + strings.Join(names[:64], " ")}); err != nil || len(got.Files) != 64 {
		t.Errorf("%d, %v", len(got.Files), err)
	}
	const want = "the command names too many files to be approved, more than 64: name fewer of them"
	for _, command := range []string{"cat " + strings.Join(names, " "), "cat f*", "cat" + strings.Repeat(" ?", 17)} {
		if _, err := bind(t, tool, map[string]any{"command": command}); err == nil || err.Error() != want {
			t.Errorf("%.20s: %v", command, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stopped"))
	if _, err := tools.BindingOf(ctx, tool, json.RawMessage(`{"command":"cat f1"}`)); err == nil || err.Error() != "stopped" {
		t.Error(err)
	}
}

// The profile is a line that says what the sandbox allows, and another one for each other sandbox.
func TestRunCommand_Profile(t *testing.T) {
	serve := func(context.Context, net.Listener) {}
	base := func() shell.Config { return shell.Config{Memory: 2 << 30, Processes: 256} }
	for _, c := range []struct {
		name   string
		tier   sandbox.Tier
		change func(*shell.Config)
		args   map[string]any
		want   string
	}{
		{"plain", sandbox.T1, nil, nil, "sandbox T1 · no network · 2 GiB of memory · 256 processes · 1m0s · 64 MiB of output"},
		{"tier", sandbox.T3, nil, nil, "sandbox T3 · no network · 2 GiB of memory · 256 processes · 1m0s · 64 MiB of output"},
		{"no walls", sandbox.T4, func(c *shell.Config) { c.Unsandboxed = true }, nil,
			"no sandbox (T4) · all of the network · 2 GiB of memory · 256 processes · 1m0s · 64 MiB of output"},
		{"off", sandbox.T4, nil, nil, "commands are switched off"},
		{"network", sandbox.T1, func(c *shell.Config) { c.Serve, c.Hosts = serve, []string{"b.org:443", "a.org:80"} }, map[string]any{"network": true},
			"sandbox T1 · network: a.org:80, b.org:443 · 2 GiB of memory · 256 processes · 1m0s · 64 MiB of output"},
		{"a network that is not asked for", sandbox.T1, func(c *shell.Config) { c.Serve, c.Hosts = serve, []string{"b.org:443"} }, nil,
			"sandbox T1 · no network · 2 GiB of memory · 256 processes · 1m0s · 64 MiB of output"},
		{"limits", sandbox.T2, func(c *shell.Config) { c.Memory, c.Processes, c.Timeout, c.Most = 2<<30+1, 1, time.Second, 1<<10 }, nil,
			"sandbox T2 · no network · 2147483649 B of memory · 1 process · 1s · 1 KiB of output"},
		{"the sandbox's own limits", sandbox.T1, func(c *shell.Config) { c.Memory, c.Processes = 0, 0 }, map[string]any{"timeout": 7},
			"sandbox T1 · no network · the sandbox's default of memory · the sandbox's default of processes · 7s · 64 MiB of output"},
		{"what it may read", sandbox.T1, func(c *shell.Config) {
			c.ReadOnly, c.Read = true, []string{"/srv", "/opt/x"}
		}, nil,
			"sandbox T1 · no network · 2 GiB of memory · 256 processes · 1m0s · 64 MiB of output · read-only · reads /opt/x, /srv"},
		{"a process", sandbox.T1, func(c *shell.Config) { c.Background = shell.NewProcesses(shell.ProcessesConfig{}) }, map[string]any{"background": true},
			"sandbox T1 · no network · 2 GiB of memory · 256 processes · in the background for 1h0m0s · 64 MiB of output"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := base()
			if c.change != nil {
				c.change(&cfg)
			}
			cfg.Sandbox = &fakeWalls{tier: c.tier}
			tool, _ := bindWorld(t, cfg)
			args := map[string]any{"command": "true"}
			for name, value := range c.args {
				args[name] = value
			}
			if got, err := bind(t, tool, args); got.Profile != c.want || err != nil {
				t.Errorf("%v\n got %s\nwant %s", err, got.Profile, c.want)
			}
		})
	}
}

// What lies outside of a workspace without walls can be run like what lies within, and is not held on to.
func TestRunCommand_SaysWhatItReachesOutside(t *testing.T) {
	for command, open := range map[string]bool{
		"sh /tmp/x.sh": true, "sh /dev/shm/x.sh": true, "sh ../x.sh": true, "cat /tmp/*": true, "/usr/bin/env true >/dev/null": false, "sh x.sh": false,
		"curl https://example.org/x.sh": false,
	} {
		tool, _ := bindWorld(t, shell.Config{Sandbox: &fakeWalls{tier: sandbox.T4}, Unsandboxed: true})
		if got, err := bind(t, tool, map[string]any{"command": command}); err != nil || strings.HasSuffix(got.Profile, unknownNames) != open {
			t.Errorf("%s: %v, %s", command, err, got.Profile)
		}
	}
}

// Whom a command may reach are the hosts that the owner has listed, or anybody where nothing keeps it from them.
func TestRunCommand_Aims(t *testing.T) {
	cfg := shell.Config{Serve: func(context.Context, net.Listener) {}, Hosts: []string{"a.org:443", "b.org:8080", "c.org:80"}, Unsandboxed: true}
	reach := []tools.Resource{{Host: "a.org"}, {Host: "b.org:8080"}, {Host: "c.org"}}
	for _, c := range []struct {
		tier sandbox.Tier
		args string
		want []tools.Resource
	}{
		{sandbox.T1, `{"command":"x"}`, nil},
		{sandbox.T1, `{"command":"x","network":true}`, reach},
		{sandbox.T2, `{"command":"x","network":true}`, reach},
		{sandbox.T3, `{"command":"x","network":true}`, nil},
		{sandbox.T4, `{"command":"x"}`, []tools.Resource{{Host: "*"}}},
	} {
		cfg.Sandbox = &fakeWalls{tier: c.tier}
		s, _ := shellIn(t, cfg)
		if got, ok := tools.ResourcesOf(s.Tool(), json.RawMessage(c.args)); !ok || !cmp.Equal(c.want, got) {
			t.Errorf("%s %s: %+v", c.tier, c.args, got)
		}
	}
}

// No command makes the look at it break, or leave the workspace.
func FuzzRunCommand_Bind(f *testing.F) {
	for _, seed := range []string{
		"sh x.sh", "cat <<E\nx\nE", "sh -c 'sh \"$(cat ../x)\"'", "<<", "<<-", "$", "${", "$(", "`", "'", `"`, `\`, "~", "a{b", "> |", "[", "[!", "out/*", "*/../*",
		"cd ..;cd out;sh secret", "$'\\", "#", "\x00", "é<é", "[]a]/*", "-", "@", "=", "./////x.sh", "\\*", "out/../x.sh", "<\r", "away",
	} {
		f.Add(seed)
	}
	tool, dir := bindWorld(f, shell.Config{})
	out := f.TempDir()
	if err := errors.Join(
		os.WriteFile(filepath.Join(out, "secret"), []byte("secret"), 0o644), os.Symlink(out, filepath.Join(dir, "out")),
		os.Symlink(filepath.Join(out, "secret"), filepath.Join(dir, "away")),
	); err != nil {
		f.Fatal(err)
	}
	sum := sha256.Sum256([]byte("secret"))
	secret := hex.EncodeToString(sum[:])
	f.Fuzz(func(t *testing.T, command string) {
		got, err := bind(t, tool, map[string]any{"command": command})
		if err != nil {
			return
		}
		for _, file := range got.Files {
			if file.Sum == secret || filepath.IsAbs(file.Path) || !filepath.IsLocal(file.Path) {
				t.Errorf("%q: %+v", command, file)
			}
		}
	})
}
