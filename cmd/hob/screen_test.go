package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tmuxScreen is hob in a terminal of tmux.
type tmuxScreen struct {
	t      *testing.T
	socket string
}

// inTmux starts a command in tmux, or skips the test where there is none.
func inTmux(t *testing.T, cmd *exec.Cmd, width, height int) *tmuxScreen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux is here")
	}
	dir, err := os.MkdirTemp("", "hob") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &tmuxScreen{t, filepath.Join(dir, "tmux")}
	args := []string{"-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height)}
	for _, v := range cmd.Env {
		args = append(args, "-e", v)
	}
	s.tmux(append(append(args, "--"), cmd.Args...)...)
	t.Cleanup(s.close)
	return s
}

// close ends the command, which writes into its folders until then, and tmux with it.
func (s *tmuxScreen) close() {
	for end := time.Now().Add(patience); ; {
		out, err := exec.Command("tmux", "-S", s.socket, "list-panes", "-a", "-F", "#{pane_pid}").Output()
		pid, bad := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil || bad != nil {
			return // tmux ends once it has seen that the command has ended
		}
		if time.Now().After(end) {
			s.t.Error("the command does not end")
			return
		}
		_ = syscall.Kill(pid, syscall.SIGHUP)
	}
}

func (s *tmuxScreen) tmux(args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "tmux", append([]string{"-S", s.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// text is what is on the screen and was scrolled away. With looks it has the sequences of colours.
func (s *tmuxScreen) text(looks bool) string {
	args := []string{"capture-pane", "-p", "-S", "-"}
	if looks {
		args = append(args, "-e")
	}
	return strings.TrimSpace(s.tmux(args...))
}

// until waits until the screen shows what is says.
func (s *tmuxScreen) until(what string, is func(text string) bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); ; {
		text := s.text(false)
		if is(text) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("waiting for %s; there is\n%s", what, text)
		}
	}
}

// enter types a line, and waits until the screen shows once more what is wanted.
func (s *tmuxScreen) enter(line, want string) {
	s.t.Helper()
	before := strings.Count(s.text(false), want)
	s.tmux("send-keys", "-l", line)
	s.tmux("send-keys", "Enter")
	s.until("what came of "+line, func(text string) bool { return strings.Count(text, want) > before })
}

// changing is what is not the same each time, and what is said to root alone.
var changing = regexp.MustCompile(`(?s)\d+ ms|record [0-9a-f]+|  │ \(working.*?workspace\)\n|hob runs as root.*?user\.\n`)

// The prompt is readable in a narrow terminal, in the usual one and in a wide one, on a light ground and on a dark one.
func TestPromptScreens(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			fake := newFakeOllama(t)
			config := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(config, []byte("[shell]\ntier = \"T4\"\nallow_unsandboxed = true\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := hobCommand(t.Context(), fake, t.TempDir(), "chat")
			cmd.Env = append(cmd.Env, "HOB_CONFIG="+config, "LANG=C.UTF-8")
			s := inTmux(t, cmd, width, 40)
			s.until("the prompt", func(text string) bool { return strings.HasSuffix(text, "›") })
			for _, c := range []struct{ line, want string }{
				{"run echo it asks first, since there is no sandbox here", "explains]"},
				{"x", "\"x\" is no answer."},
				{"?", "Ctrl-C stops the turn."},
				{"n", "not done"},
				{"/write_file notes/tea.md green tea", "■ wrote notes/tea.md (9 B) #1"},
				{"/read_file notes/nosuch-file-of-mine.md", "✗ there is no file"},
				{"/help remind", "until_done: boolean"},
				{"/skill", "/skill open files"},
				{"insist Rivers carry **dissolved salts** from rocks into the sea, and `water` that evaporates leaves them behind; 你好世界，这是一个很长的句子。 The end.", "The end."},
			} {
				s.enter(c.line, c.want)
			}
			s.until("an idle prompt", func(text string) bool {
				return strings.Count(text, "The end.") == 2 && strings.HasSuffix(text, "The end.\n\n›")
			})
			path := filepath.Join("testdata", "screens", fmt.Sprint(width, ".txt"))
			want, err := os.ReadFile(path)
			if err != nil && !*update {
				t.Fatal(err)
			}
			// What looks idle may be half a frame of a turn that still ends: it is the same only once it has.
			text := ""
			for range 10000 {
				if text = changing.ReplaceAllString(s.text(false), "") + "\n"; text == string(want) || *update {
					break
				}
			}
			golden(t, path, func(string) string { return text })
			checkColours(t, s.text(true))
		})
	}
}

// checkColours wants only those of the terminal's sixteen colours that a person's theme keeps readable on a light ground as on a
// dark one: no ground of its own, no black, no white and no grey.
func checkColours(t *testing.T, text string) {
	t.Helper()
	readable := []string{"0", "1", "2", "3", "4", "7", "9", "22", "23", "24", "27", "29", "31", "32", "33", "34", "36", "39", "49", ""}
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`\x1b\[([\d;:]*)m`).FindAllStringSubmatch(text, -1) {
		for code := range strings.SplitSeq(m[1], ";") {
			found[code] = true
			if !slices.Contains(readable, code) {
				t.Errorf("the look %q is not readable everywhere", m[1])
			}
		}
	}
	for _, want := range []string{"2", "31", "33", "36"} { // the person is dim, a failure red, a question yellow, code cyan
		if !found[want] {
			t.Errorf("nothing has the look %s", want)
		}
	}
}
