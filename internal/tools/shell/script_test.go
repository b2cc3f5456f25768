package shell_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

func runScript(t *testing.T, s *shell.ShellTool, language, text string) (tools.Result, error) {
	t.Helper()
	args, err := json.Marshal(map[string]string{"command": text, "language": language})
	if err != nil {
		t.Fatal(err)
	}
	return tools.Call(t.Context(), s.Tool(), args)
}

// A script reaches its interpreter as it stands, whatever is in it; what goes wrong names the right line; nothing of it is
// left on the standard input.
func TestRunCommand_ScriptsByLanguage(t *testing.T) {
	hostile := "'\"$HOME `id` \\n %s"
	for _, c := range []struct{ language, program, text, want string }{
		{"sh", "sh", "cat <<'E'\n" + hostile + "\nE\ncat", hostile},
		{"bash", "bash", "a=(1 2 3)\necho ${#a[@]}\ncat", "3"},
		{"bash", "bash", "true\ntrue\nno_such_program", "line 3: no_such_program: command not found"},
		{"python", "python3", "import sys\nprint('\\'\"$HOME `id` \\\\n %s')\nprint(repr(sys.stdin.read()))", hostile + "\n''"},
		{"python", "python3", "x = 1\n\nx.nothing", "line 3, in <module>"},
		{"python", "python3", "input()", "EOFError"},
		{"node", "node", "console.log('\\'\"$HOME `id` \\\\n %s')", hostile},
		{"node", "node", "let a = 1\n\na.b.c", "[stdin]:3"},
	} {
		t.Run(c.language, func(t *testing.T) {
			if _, err := exec.LookPath("/usr/bin/" + c.program); err != nil {
				t.Skipf("there is no %s", c.program)
			}
			s, _ := shellIn(t, shell.Config{})
			res, err := runScript(t, s, c.language, c.text)
			if err != nil || !strings.Contains(res.Text, c.want) || strings.HasPrefix(c.want, "exit") && res.Text != c.want {
				t.Errorf("%q, %v; want %q", res.Text, err, c.want)
			}
		})
	}
}

// A language that is not installed is one clear sentence, and names those that are.
func TestRunCommand_MissingLanguage(t *testing.T) {
	s, _ := shellIn(t, shell.Config{})
	for _, language := range []string{"sh", "bash", "python", "node"} {
		_, err := runScript(t, s, language, "")
		toolstest.IsError(t, err, event.CodeRequiredField, "command: must not be empty")
		_, err = runScript(t, s, language, "#")
		if e := (*tools.Error)(nil); errors.As(err, &e) {
			if e.Message != "language: "+language+" is not installed here" || !strings.HasPrefix(e.Suggestion, "use one of: sh") || strings.Contains(e.Suggestion, language) {
				t.Errorf("%+v", e)
			}
		}
	}
}

// Programs that want a person end by themselves: they find no terminal, no input and no editor. None of them is known by
// name anywhere.
func TestRunCommand_NobodyIsThere(t *testing.T) {
	for _, c := range []struct{ program, command string }{
		{"sh", "read answer"},
		{"sh", "sh -i"},
		{"cat", "cat"},
		{"nano", "nano notes.txt"},
		{"less", "seq 1000 > long; less long"},
		{"more", "seq 1000 > long; more long"},
		{"top", "top"},
		{"python3", "python3 -i"},
		{"node", "node -i"},
		{"su", "su -c true nobody"},
		{"passwd", "passwd"},
		{"ssh", "ssh -o ConnectTimeout=5 nobody@127.0.0.1"},
		{"git", "git init -q . && git -c user.name=x -c user.email=x@x commit --allow-empty"},
		{"git", "git clone https://127.0.0.1:1/x.git"},
		{"man", "man ls"},
		{"mysql", "mysql"},
		{"gpg", "gpg --gen-key"},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath("/usr/bin/" + c.program); err != nil {
				if _, err := exec.LookPath("/bin/" + c.program); err != nil {
					t.Skipf("there is no %s", c.program)
				}
			}
			s, _ := shellIn(t, shell.Config{Timeout: 3 * time.Minute}) // none of them takes a second, unless the machine stands still
			res, err := shellRun(t, t.Context(), s, c.command)
			if err != nil || shellData(t, res).TimedOut {
				t.Errorf("it waits for somebody: %v\n%s", err, res.Text)
			}
		})
	}
}

// What all the same waits for somebody is killed when its time is up, and the result says what it may have been.
func TestRunCommand_SomebodyIsWaitedFor(t *testing.T) {
	s, dir := shellIn(t, shell.Config{Timeout: time.Second, Background: shell.NewProcesses(shell.ProcessesConfig{})})
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"cat fifo", "vi notes.txt"} { // where vi is not there, or ends, so much the better
		res, err := shellRun(t, t.Context(), s, command)
		if err != nil {
			t.Fatal(err)
		}
		const hint = "[it may have waited for input: commands have no terminal and no input. What takes long runs with background]"
		if timedOut := shellData(t, res).TimedOut; timedOut != strings.HasSuffix(res.Text, hint) || command == "cat fifo" && !timedOut {
			t.Errorf("%s: %s", command, res.Text)
		}
	}
}

// A small shell tool for people who build on the package.
func TestNew_NeedsAllOfIt(t *testing.T) {
	for want, cfg := range map[string]shell.Config{
		"set up the shell: its working folder has no name": {Sandbox: walls()},
		"set up the shell: it has no sandbox":              {Dir: t.TempDir()},
	} {
		if _, err := shell.New(cfg); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
