package app

import (
	"bufio"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"hob/internal/event"
)

// notifications is a desktop that keeps what it is to show.
type notifications chan string

// Notify is the method of the specification.
func (n notifications) Notify(app string, _ uint32, _, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n <- app + ": " + summary + ": " + body
	return 1, nil
}

// A reminder is shown on a desktop, over a real bus.
func TestDesktop(t *testing.T) {
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("there is no dbus-daemon here")
	}
	runtime := t.TempDir()
	address := "unix:path=" + filepath.Join(runtime, "bus")
	daemon := exec.CommandContext(t.Context(), program, "--session", "--nofork", "--nopidfile", "--print-address", "--address="+address)
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Skipf("dbus-daemon does not start here: %v", err)
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Skipf("dbus-daemon does not run here: %q, %v", line, err)
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	shown := make(notifications, 1)
	if err := bus.Export(shown, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if reply, err := bus.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("%v, %v", reply, err)
	}
	d := &desktop{address, runtime, slog.New(slog.DiscardHandler)}
	d.show(t.Context(), event.Noted{Text: "⏰ call <Ana>", Loud: true})
	if got := <-shown; got != "hob: hob: ⏰ call &lt;Ana&gt;" {
		t.Errorf("it shows %q", got)
	}
	for address, want := range map[string]string{
		"unix:path=/tmp/other": "is not below", "tcp:host=example.org": "no desktop", "": "no desktop",
	} {
		err := (&desktop{address: address, runtime: runtime}).notify(t.Context(), "x")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
}
