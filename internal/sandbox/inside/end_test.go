//go:build linux

package inside_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/sandboxtest"
)

func TestHowACommandEnds(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		for name, test := range map[string]struct {
			args []string
			want inside.Ended
		}{
			"well":         {[]string{"true"}, inside.Ended{}},
			"with status":  {[]string{"sh", "-c", "exit 3"}, inside.Ended{Exit: 3}},
			"by signal":    {[]string{"sh", "-c", "kill -TERM $$"}, inside.Ended{Exit: -1, Signal: 15}},
			"not found":    {[]string{"no-such-program"}, inside.Ended{Exit: 127, Error: "no-such-program: not found"}},
			"no such path": {[]string{"./no-such"}, inside.Ended{Exit: 127, Error: "./no-such: not found"}},
			"a folder":     {[]string{"/usr"}, inside.Ended{Exit: 126, Error: "/usr: is a folder"}},
			"not runnable": {[]string{"./data"}, inside.Ended{Exit: 126, Error: "./data: permission denied"}},
			"no #! line":   {[]string{"./script"}, inside.Ended{Exit: 126, Error: "./script: not a program, and its first line does not name one (#!)"}},
			"nothing":      {nil, inside.Ended{Exit: 127, Error: "there is no command"}},
			"no name":      {[]string{""}, inside.Ended{Exit: 127, Error: "the program's name is empty"}},
			"bad #! line":  {[]string{"./lost"}, inside.Ended{Exit: 127, Error: "./lost: its interpreter was not found"}},
		} {
			s := spec(t, test.args...)
			s.Tier = tier
			write(t, s.Workspace+"/data", "x")
			write(t, s.Workspace+"/script", "echo\n")
			write(t, s.Workspace+"/lost", "#!/no/such/interpreter\n")
			os.Chmod(s.Workspace+"/script", 0o755)
			os.Chmod(s.Workspace+"/lost", 0o755)
			if r := run(t, s); r.Ended != test.want {
				t.Errorf("%s: %+v, want %+v", name, r, test.want)
			}
		}
	})
}

// What a command leaves behind is counted and killed, however it hides, before the end is told.
func TestNothingIsLeftBehind(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		mark := seconds()
		for name, test := range map[string]struct {
			script string
			left   int
		}{
			"nothing":      {"true", 0},
			"ended before": {"sh -c 'exit 1' & wait", 0},
			"a background": {"sleep " + mark + " &", 1},
			"ignoring":     {"trap '' TERM HUP INT; setsid sleep " + mark + " & :", 1},
			"daemons": {"for i in 1 2 3; do (setsid sh -c 'sleep " + mark + " & sleep " + mark + " & : > up'$i'; wait' >/dev/null 2>&1 </dev/null &) ; done; " +
				"until [ -e up1 ] && [ -e up2 ] && [ -e up3 ]; do :; done", 9},
			"a stopped child": {"sleep " + mark + " & kill -STOP $!", 1},
		} {
			s := shell(t, test.script)
			s.Tier = tier
			r := run(t, s)
			if r.Exit != 0 || r.Left != test.left {
				t.Errorf("%s: %+v, want %d left", name, r, test.left)
			}
			if alive := running(t, mark); alive != nil {
				t.Errorf("%s: still there: %q", name, alive)
			}
		}
	})
}

// seconds is how long to sleep, and like nothing else in the command lines on this machine, names of folders included.
func seconds() string { return fmt.Sprintf("8600.%09d", rand.IntN(1e9)) }

// running returns the command lines on this machine that contain text.
func running(t *testing.T, text string) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), text) {
			found = append(found, e.Name()+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// Whoever started the helper can end everything: by a word, by closing the socket, or by being killed, which is the same.
func TestTheStarterEndsEverything(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		mark := seconds()
		script := "trap '' TERM; (setsid sleep " + mark + " &); sleep " + mark + " & echo started; : > started; wait; sleep " + mark
		s := shell(t, script)
		s.Tier = tier
		started := func() bool { return os.Remove(s.Workspace+"/started") == nil }
		p := launch(t, s)
		sandboxtest.Eventually(t, "the command starts", started)
		syscall.Write(int(p.socket.Fd()), []byte("end"))
		r := p.wait(t)
		if want := (inside.Ended{Exit: -1, Signal: 9}); r.Ended != want || r.Out != "started\n" {
			t.Errorf("%+v, want %+v", r, want)
		}
		if alive := running(t, mark); alive != nil {
			t.Errorf("still there after a word: %q", alive)
		}

		p = launch(t, s)
		sandboxtest.Eventually(t, "the command starts", started)
		p.socket.Close()
		p.read.Wait()
		p.cmd.Wait()
		if alive := running(t, mark); alive != nil {
			t.Errorf("still there after the socket was closed: %q", alive)
		}
	})
}

// What was sent to a helper that is about to end does not cost its last message.
func TestTheLastMessageIsNotLost(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "exit 5")
		s.Tier = tier
		p := launch(t, s)
		syscall.Write(int(p.socket.Fd()), []byte("end"))
		for {
			err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
			if err == nil {
				break
			}
			if err != unix.EINTR {
				t.Fatal(err)
			}
		}
		if r := p.wait(t); r.Exit != 5 && r.Signal != 9 {
			t.Errorf("%+v", r)
		}
	})
}

// The helper lets go of the command's streams: their end is the end of those who had them. In T2 bwrap keeps them.
func TestTheStreamsEndWithTheirUsers(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		if tier == inside.T2 {
			t.Skip("bwrap keeps the streams itself")
		}
		s := shell(t, "echo out; exec >&- 2>&-; read forever < fifo")
		s.Tier = tier
		if err := syscall.Mkfifo(s.Workspace+"/fifo", 0o644); err != nil {
			t.Fatal(err)
		}
		p := launch(t, s)
		p.read.Wait() // while the command runs
		p.socket.Write([]byte("end"))
		if r := p.wait(t); r.Out != "out\n" || r.Signal != 9 {
			t.Errorf("%+v", r)
		}
	})
}

// Orphans are reaped while the command runs: zombies would use up its processes.
func TestOrphansAreReaped(t *testing.T) {
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, `
			i=0; while [ $i -lt 20 ]; do (true &); i=$((i+1)); done
			n=0; while [ $n -lt 100000 ]; do
				zombie=
				for f in /proc/[0-9]*/stat; do read pid name state parent rest < $f && [ "$state$parent" = Z$PPID ] && zombie=$pid; done 2>/dev/null
				[ -z "$zombie" ] && exit 0
				n=$((n+1))
			done; exit 1`)
		s.Tier = tier
		if r := run(t, s); r.Exit != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// The command begins with no signal ignored but two that belong to C libraries, and those that its starter ignores.
func TestTheCommandIgnoresNoSignal(t *testing.T) {
	const ofLibraries = 1<<31 | 1<<33 // 32 and 34
	ignored := func(status string) (mask uint64) {
		_, text, _ := strings.Cut(status, "SigIgn:")
		if _, err := fmt.Sscanf(text, "%x", &mask); err != nil {
			t.Fatal(status, err)
		}
		return mask
	}
	own, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "cat /proc/self/status")
		s.Tier = tier
		if r := run(t, s); ignored(r.Out)&^(ignored(string(own))|ofLibraries) != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// No signal from inside ends the helper, whoever sends it.
func TestTheHelperCannotBeKilledFromInside(t *testing.T) {
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "for s in HUP INT QUIT ILL ABRT BUS FPE KILL SEGV TERM STOP TSTP TTIN USR1 32 33 34 35 40 64; do kill -$s $PPID; done 2>/dev/null; sleep 0.1; exit 7")
		s.Tier = tier
		p := launch(t, s)
		if tier == inside.T3 && p.ready.Ruleset < 6 {
			t.Skip("Landlock does not keep signals back on this kernel")
		}
		if r := p.wait(t); r.Exit != 7 {
			t.Errorf("%+v", r)
		}
		s = program(t, "signal")
		s.Tier = tier
		if r := run(t, s); r.Exit != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// In T3 hob and the helper are processes like others of the same user; elsewhere they cannot be named.
func TestOthersKeepTheirShareOfTheProcessor(t *testing.T) {
	s := program(t, "slow")
	s.Tier = inside.T3
	want := "priority: 1\npriority of all: 1\nown priority: 0\ndisk priority: 1\ndisk priority of all: 1\nown disk priority: 0\n" +
		"processors: 1\nown processors: 0\nscheduler: 1\nown scheduler: 0\n"
	if diff := cmp.Diff(want, run(t, s).Out); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestTheProxysListener(t *testing.T) {
	namespaced(t, func(t *testing.T, tier inside.Tier) {
		s := program(t, "get", fmt.Sprintf("127.0.0.1:%d", inside.ProxyPort))
		s.Tier, s.Network = tier, true
		p := launch(t, s)
		if p.listener == nil {
			t.Fatal("there was no listener with Ready")
		}
		conn, err := p.listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "hello from the host")
		conn.Close()
		if r := p.wait(t); r.Out != "hello from the host <nil>\n" {
			t.Errorf("%+v", r)
		}
	})
}

// With the network on there is still nobody to be reached but the proxy.
func TestNobodyElseIsReached(t *testing.T) {
	host, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	namespaced(t, func(t *testing.T, tier inside.Tier) {
		for _, address := range []string{host.Addr().String(), "192.0.2.1:80", "[2001:db8::1]:80"} {
			s := program(t, "get", address)
			s.Tier, s.Network = tier, true
			if r := run(t, s); !strings.Contains(r.Out, "connection refused") && !strings.Contains(r.Out, "unreachable") {
				t.Errorf("%s: %+v", address, r)
			}
		}
	})
}

// A machine on which a command ran looks as it did before.
func TestTheMachineIsLeftClean(t *testing.T) {
	mounts := func() string {
		data, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	before := mounts()
	each(t, func(t *testing.T, tier inside.Tier) {
		s := shell(t, "cd ${TMPDIR:-/tmp} && mkdir -p a/b && echo x > a/b/f && chmod 0 a/b && ln -s /usr a/c && pwd; sleep 100 &")
		s.Tier = tier
		r := run(t, s)
		temp := strings.TrimSpace(r.Out)
		if _, err := os.Stat(temp); r.Exit != 0 || temp != "/tmp" && err == nil {
			t.Errorf("%+v; %s is there: %v", r, temp, err)
		}
	})
	for line := range strings.Lines(mounts()) {
		if !strings.Contains(before, line) { // others unmount what they like
			t.Error("a mount is left:", line)
		}
	}
}
