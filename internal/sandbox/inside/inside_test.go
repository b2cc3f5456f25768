//go:build linux

package inside_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"hob/internal/race"
	"hob/internal/sandbox/inside"
	"hob/internal/sandbox/sandboxtest"
)

// TestMain lets this test program be a helper and the programs that attack it.
func TestMain(m *testing.M) {
	inside.Enter(os.Args, programs())
	race.SkipAll("each command is a process")
	os.Exit(m.Run())
}

// TestAsUser runs the tests again as an ordinary user.
func TestAsUser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than all that root tries")
	}
	sandboxtest.AsUser(t, 65532, sandboxtest.Pattern(t))
}

// spec is what most tests begin with: the strongest tier and a new workspace.
func spec(t *testing.T, args ...string) inside.Spec {
	t.Helper()
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return inside.Spec{
		Tier: inside.T1, Workspace: workspace, Dir: workspace,
		Args: args, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + workspace},
		Processes: 64, Memory: 1 << 30, FileSize: 256 << 20, OpenFiles: 256,
	}
}

// shell is spec for a script of the shell.
func shell(t *testing.T, script string) inside.Spec { return spec(t, "/bin/sh", "-c", script) }

// program is spec for one of this test program's own.
func program(t *testing.T, name string, args ...string) inside.Spec {
	s := spec(t, inside.ProgramArgs(name, args...)...)
	s.Program = self(t)
	return s
}

// each runs a test in every tier that this machine has, as an ordinary user.
func each(t *testing.T, test func(t *testing.T, tier inside.Tier)) {
	t.Helper()
	sandboxtest.Ordinary(t)
	eachAsRoot(t, test)
}

// eachAsRoot runs a test in every tier that this machine has, also as root: the walls differ.
func eachAsRoot(t *testing.T, test func(t *testing.T, tier inside.Tier)) {
	t.Helper()
	for name, tier := range map[string]inside.Tier{"T1": inside.T1, "T2": inside.T2, "T3": inside.T3} {
		t.Run(name, func(t *testing.T) { test(t, tier) })
	}
}

// namespaced runs a test in the tiers that have namespaces, as an ordinary user.
func namespaced(t *testing.T, test func(t *testing.T, tier inside.Tier)) {
	t.Helper()
	sandboxtest.Ordinary(t)
	namespacedAsRoot(t, test)
}

// namespacedAsRoot runs a test in the tiers that have namespaces, also as root: the walls differ.
func namespacedAsRoot(t *testing.T, test func(t *testing.T, tier inside.Tier)) {
	t.Helper()
	eachAsRoot(t, func(t *testing.T, tier inside.Tier) {
		if tier == inside.T3 {
			t.Skip("not in this tier: it has no namespaces")
		}
		test(t, tier)
	})
}

// process is a helper under way.
type process struct {
	cmd      *exec.Cmd
	socket   *os.File
	out, err bytes.Buffer
	read     sync.WaitGroup // done when nobody has the streams any more
	ready    inside.Message
	listener net.Listener
}

// result is how it ended.
type result struct {
	inside.Ended
	Out, Err string
}

// launch starts a helper as package sandbox does and waits until it is ready.
func launch(t *testing.T, s inside.Spec) *process {
	t.Helper()
	p := prepare(t, s)
	p.ready = p.receive(t)
	if p.ready.Error != "" {
		t.Fatalf("%s: %s", p.ready.Stage, p.ready.Error)
	}
	if !p.ready.Ready {
		t.Fatalf("the first message is not Ready: %+v", p.ready)
	}
	return p
}

// prepare starts a helper and hands it the Spec.
func prepare(t *testing.T, s inside.Spec) *process {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	p := &process{cmd: exec.Command("/proc/self/exe", inside.Name), socket: ours}
	t.Cleanup(func() { ours.Close(); p.cmd.Wait() })
	if s.Tier == inside.T2 {
		bwrap := bwrapPath(t)
		args, err := inside.BwrapArgs(s, self(t))
		if err != nil {
			t.Fatal(err)
		}
		p.cmd = exec.Command(bwrap, args...)
	}
	p.cmd.Env = inside.Environ()
	p.cmd.ExtraFiles = []*os.File{theirs}
	p.cmd.SysProcAttr = attributes(s.Tier)
	for _, stream := range []struct {
		to  *io.Writer
		buf *bytes.Buffer
	}{{&p.cmd.Stdout, &p.out}, {&p.cmd.Stderr, &p.err}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		*stream.to = w
		defer w.Close()
		p.read.Go(func() { io.Copy(stream.buf, r); r.Close() })
	}
	if err := p.cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
			t.Skip("this machine gives no user namespaces: " + err.Error())
		}
		t.Fatal(err)
	}
	theirs.Close()
	packet, err := json.Marshal(s)
	if err == nil {
		err = unix.Send(pair[0], packet, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// attributes are those that a helper is started with.
func attributes(tier inside.Tier) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if tier == inside.T1 {
		attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		attr.AmbientCaps = inside.Capabilities()
	}
	return attr
}

// receive reads a message.
func (p *process) receive(t *testing.T) inside.Message {
	t.Helper()
	packet, rights := make([]byte, 64<<10), make([]byte, 256)
	var n, rn int
	for {
		var err error
		n, rn, _, _, err = unix.Recvmsg(int(p.socket.Fd()), packet, rights, unix.MSG_CMSG_CLOEXEC)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			t.Fatal(err)
		}
	}
	if n == 0 {
		p.cmd.Wait()
		p.read.Wait()
		t.Fatalf("the helper is gone: %v\n%s%s", p.cmd.ProcessState, &p.out, &p.err)
	}
	var m inside.Message
	if err := json.Unmarshal(packet[:n], &m); err != nil {
		t.Fatalf("%s: %v", packet[:n], err)
	}
	if rn > 0 {
		p.listener = listener(t, rights[:rn])
	}
	return m
}

func listener(t *testing.T, rights []byte) net.Listener {
	t.Helper()
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		t.Fatal(messages, err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		t.Fatal(fds, err)
	}
	f := os.NewFile(uintptr(fds[0]), "listener")
	defer f.Close()
	l, err := net.FileListener(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// wait waits for the end.
func (p *process) wait(t *testing.T) result {
	t.Helper()
	m := p.receive(t)
	if m.Ended == nil {
		t.Fatalf("not an end: %+v", m)
	}
	p.read.Wait() // hangs if anything is left that has the streams
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the helper ended badly: %v", err)
	}
	return result{*m.Ended, p.out.String(), p.err.String()}
}

// run runs a command to its end.
func run(t *testing.T, s inside.Spec) result {
	t.Helper()
	return launch(t, s).wait(t)
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// bwrapPath is where bwrap is. The tests that want it need none where there is none.
func bwrapPath(t *testing.T) string {
	t.Helper()
	for _, path := range []string{os.Getenv("HOB_TEST_BWRAP"), "/usr/bin/bwrap"} {
		if _, err := os.Stat(path); path != "" && err == nil {
			return path
		}
	}
	t.Skip("there is no bwrap on this machine: set HOB_TEST_BWRAP to one")
	return ""
}
