package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

// atTerminal starts hob at a terminal.
func atTerminal(t *testing.T, fake *fakeOllama, state string, env []string, args ...string) (*exec.Cmd, *dialogue) {
	t.Helper()
	cmd := hobCommand(t.Context(), fake, state, args...)
	cmd.Env = append(cmd.Env, env...)
	return cmd, startAtTerminal(t, cmd)
}

// startAtTerminal starts a command at a new terminal, in a session of its own.
func startAtTerminal(t *testing.T, cmd *exec.Cmd) *dialogue {
	t.Helper()
	terminal, device := openTerminal(t)
	cmd.Env = append([]string{"TERM=xterm", "LANG=C.UTF-8"}, cmd.Env...) // which may have others
	cmd.Stdin, cmd.Stdout, cmd.Stderr = device, device, device
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	device.Close()
	d := &dialogue{t: t, terminal: terminal, screen: vt.NewEmulator(terminalWidth, terminalHeight)}
	replies := make(chan struct{})
	go func() { // the terminal answers what it is asked
		defer close(replies)
		_, _ = io.Copy(terminal, d.screen)
	}()
	t.Cleanup(func() {
		_, _ = io.Closer.Close(d.screen), <-replies
	})
	return d
}

// dialogue is a person at a terminal.
type dialogue struct {
	t        *testing.T
	terminal *os.File
	seen     bytes.Buffer
	read     int          // how much of seen was waited for
	screen   *vt.Emulator // what the terminal shows
}

func (d *dialogue) say(keys string) {
	d.t.Helper()
	if _, err := d.terminal.WriteString(keys); err != nil {
		d.t.Fatal(err)
	}
}

// enter types a line at the idle prompt: what is typed during a turn may join it. What has been shown by then is no answer to it.
func (d *dialogue) enter(line string) {
	d.t.Helper()
	d.idle()
	d.read = d.seen.Len()
	d.say(line + "\r")
}

// leave leaves the idle prompt of a command.
func (d *dialogue) leave(cmd *exec.Cmd) {
	d.t.Helper()
	d.idle()
	d.say("\x04")
	if err := cmd.Wait(); err != nil {
		d.t.Errorf("%v\n%s", err, d.seen.String())
	}
}

// until reads what the terminal shows until text has come, after what was waited for before. Any of its lines may be wrapped.
func (d *dialogue) until(text string) {
	d.t.Helper()
	like := regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(text), " ", `\s+`))
	d.readUntil(fmt.Sprintf("%q", text), func() bool {
		at := like.FindStringIndex(d.seen.String()[d.read:])
		if at != nil {
			d.read += at[1]
		}
		return at != nil
	})
}

// statusLine is what the prompt shows above itself while a turn runs.
var statusLine = regexp.MustCompile(`^· .* · \d+ s$`)

// idle reads until the screen ends in an empty prompt, and no turn runs.
func (d *dialogue) idle() {
	d.t.Helper()
	d.readUntil("an idle prompt", func() bool {
		lines := strings.Split(strings.TrimRight(d.screen.String(), " \n"), "\n")
		last := len(lines) - 1
		return strings.TrimSpace(lines[last]) == "›" && !(last > 0 && statusLine.MatchString(strings.TrimSpace(lines[last-1])))
	})
}

// readUntil reads what the terminal shows until is says that what was waited for has come.
func (d *dialogue) readUntil(what string, is func() bool) {
	d.t.Helper()
	if err := d.terminal.SetReadDeadline(time.Now().Add(patience)); err != nil { // the test names what does not come
		d.t.Fatal(err)
	}
	buf := make([]byte, 4096)
	for !is() {
		n, err := d.terminal.Read(buf)
		if err != nil {
			d.t.Fatalf("waiting for %s: %v\n%s\non the screen:\n%s", what, err, d.seen.String(), d.screen)
		}
		d.seen.Write(buf[:n])
		if _, err := d.screen.Write(buf[:n]); err != nil {
			d.t.Fatal(err)
		}
	}
}

// The size of a terminal that a test opens.
const terminalWidth, terminalHeight = 80, 24

// openTerminal returns both ends of a new pseudo-terminal.
func openTerminal(t *testing.T) (terminal, device *os.File) {
	t.Helper()
	terminal, device, err := newTerminal()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return terminal, device
}
