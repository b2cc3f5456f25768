//go:build linux

package http_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// What is confined more than this process, such as a command in the sandbox, is of the same user
// and is not heard.
func TestAConfinedPeerIsNotHeard(t *testing.T) {
	const socket, confine = "HOB_TEST_SOCKET", "HOB_TEST_CONFINE"
	if path := os.Getenv(socket); path != "" {
		if os.Getenv(confine) != "" {
			becomeConfined(t, confine)
		}
		got, err := api.NewClient(path).Stop(t.Context(), api.StopRequest{Chat: "b"})
		fmt.Printf("stopped %v, unheard %v, %v\n", got.Stopped, errors.Is(err, api.ErrNoAnswer), err)
		return
	}
	if on, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err != nil || on != 0 {
		t.Skip("this process can gain no rights itself: nobody is confined more than it in that way")
	}
	for _, c := range []struct{ env, want string }{
		{"", "stopped [b], unheard false, <nil>"},
		{confine + "=1", "stopped [], unheard true, the running hob does not listen to this process: "},
	} {
		sessions := &chats{running: []event.Chat{"b"}}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAConfinedPeerIsNotHeard$")
		cmd.Env = append(os.Environ(), socket+"="+serve(t, sessions), c.env)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%q: %v, %s", c.env, err, out)
		}
		if heard := len(sessions.halted) > 0; heard != (c.env == "") {
			t.Errorf("%q: heard: %v", c.env, heard)
		}
	}
}

// becomeConfined runs this process anew, unable to gain rights: what is set for a thread holds for
// all after an exec.
func becomeConfined(t *testing.T, done string) {
	t.Helper()
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Unsetenv(done); err != nil {
		t.Fatal(err)
	}
	t.Fatal(syscall.Exec("/proc/self/exe", os.Args, os.Environ()))
}
