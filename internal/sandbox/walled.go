//go:build linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/retry"
	"hob/internal/sandbox/inside"
)

// Bounds on waiting for a helper.
const (
	readyTime = 2 * time.Minute  // until the walls stand; on a busy machine it takes long, and one may stand still
	askTime   = 2 * time.Second  // until a helper has ended that has nothing left to do
	huntTime  = 20 * time.Second // until a helper without namespaces has found and killed everything; few things need it
)

// walled runs a command through a helper.
type walled struct {
	*launch
	cmd   *exec.Cmd
	link  *link
	gone  chan struct{} // closed when the process that was started here is dead and reaped
	over  chan struct{} // closed when the command has ended by itself
	serve sync.WaitGroup
	end   context.CancelFunc // ends what serves the network
	proxy net.Listener
}

func (r *walled) begin(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	theirs, err := r.connect()
	if err != nil {
		return err
	}
	if r.cmd, err = r.helper(theirs); err == nil {
		err = r.cmd.Start()
	}
	theirs.Close()
	if err != nil {
		close(r.link.closed)
		r.link.close()
		return &failure{stage: "start", err: err}
	}
	r.gone, r.over = make(chan struct{}), make(chan struct{})
	go func() { _ = r.cmd.Wait(); close(r.gone) }() // how it ended is in ProcessState
	go r.link.listen()
	err = r.link.sendSpec(r.spec())
	if err == nil {
		err = r.ready(ctx)
	}
	if err != nil {
		r.kill()
		r.link.close()
		return err
	}
	r.open(ctx)
	go r.await()
	return nil
}

// connect makes the socket between this process and the helper, and returns the helper's end.
func (r *walled) connect() (theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make a socket for the sandbox: %w", err)
	}
	theirs = os.NewFile(uintptr(fds[1]), "helper")
	ours := os.NewFile(uintptr(fds[0]), "socket")
	conn, err := net.FileConn(ours) // a copy
	ours.Close()
	if err != nil {
		theirs.Close()
		return nil, fmt.Errorf("make a socket for the sandbox: %w", err)
	}
	r.link = newLink(conn.(*net.UnixConn), r.tier == T2)
	return theirs, nil
}

// helper is the process to start: this program again, alone or within bwrap.
func (r *walled) helper(socket *os.File) (*exec.Cmd, error) {
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{"hob", inside.Name}, Env: inside.Environ(), Dir: "/",
		Stdin: r.stdin, Stdout: r.stdout, Stderr: r.stderr, ExtraFiles: []*os.File{socket},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	copies, _ := r.copies()
	cmd.ExtraFiles = append(cmd.ExtraFiles, copies...)
	attr := cmd.SysProcAttr
	switch r.tier {
	case T1:
		attr.Pdeathsig = syscall.SIGKILL
		attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		attr.AmbientCaps = inside.Capabilities()
	case T2:
		attr.Pdeathsig = syscall.SIGKILL
		args, err := inside.BwrapArgs(r.spec(), r.exe)
		if err != nil {
			return nil, err
		}
		cmd.Path, cmd.Args = r.bwrap, append([]string{"bwrap"}, args...)
	}
	r.joinLeaf(attr)
	return cmd, nil
}

// ready waits until the walls stand.
func (r *walled) ready(ctx context.Context) error {
	late := time.NewTimer(readyTime)
	defer late.Stop()
	select {
	case <-r.link.answered:
	case <-r.gone:
		select { // its message may have come before its end
		case <-r.link.answered:
		case <-r.link.closed:
		case <-late.C:
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-late.C:
		return &failure{stage: "start", err: fmt.Errorf("they did not stand after %s", readyTime)}
	}
	if !isClosed(r.link.answered) {
		return &failure{stage: "start", err: fmt.Errorf("the helper ended before they stood: %s", r.status())}
	}
	if m := r.link.answer; !m.Ready {
		return &failure{stage: m.Stage, err: errors.New(m.Error)}
	}
	return nil
}

// status returns how the helper ended, if it is known.
func (r *walled) status() string {
	if retry.Within(r.gone, time.Second) {
		return r.cmd.ProcessState.String()
	}
	return "it closed its socket"
}

// open lets the network be served that the helper has handed out.
func (r *walled) open(ctx context.Context) {
	if r.link.listener == nil {
		return
	}
	ctx, r.end = context.WithCancel(ctx)
	r.proxy, r.link.listener = r.link.listener, nil
	r.serve.Go(func() { r.rules.Serve(ctx, r.proxy) })
}

// await closes over when the command has ended and nothing of it is left.
func (r *walled) await() {
	defer close(r.over)
	select {
	case <-r.link.ended:
	case <-r.gone:
		retry.Within(r.link.closed, askTime) // what it has sent before is still read
	case <-r.link.closed:
	}
	if !isClosed(r.link.ended) { // it cannot have ended everything
		r.kill()
	}
	retry.Within(r.gone, askTime) // it has ended everything else
}

func (r *walled) ended() <-chan struct{} { return r.over }

// kill ends everything. The first process of a pid namespace takes all the others along, and is dead only when they
// are; the helper of T3 has to find them, and so does hob if it does not.
func (r *walled) kill() {
	r.link.askEnd()
	if r.tier == T3 {
		patience := huntTime
		if r.leaf != nil {
			patience = askTime // a leaf can be killed whole
		}
		retry.Within(r.gone, patience)
	}
	if r.tier == T2 {
		r.link.killPeer() // bwrap does not wait for the one within
	}
	_ = r.cmd.Process.Kill() // it may be gone
	r.killLeaf()
	retry.Within(r.gone, killTime)
	if r.tier == T2 {
		r.link.waitPeer(killTime)
	}
	if r.tier == T3 {
		r.mark.reap(0, func() {})
	}
}

func (r *walled) killEscaped() {
	if r.tier == T3 {
		r.mark.killMarked()
	}
}

func (r *walled) settle(o *Outcome) {
	if !isClosed(r.gone) { // it reported the end of all and did not end itself, or it hangs in the kernel
		r.kill()
	}
	r.shut()
	r.link.close()
	e := r.link.end
	switch {
	case o.TimedOut || o.Stopped || o.Flooded:
		o.setKilled()
	case e == nil:
		o.setKilled()
		o.Error = "the sandbox's helper ended before the command: " + r.status()
	default:
		o.Exit, o.Left, o.Over, o.Error = e.Exit, e.Left, e.Over, e.Error
		if e.Signal != 0 {
			o.Signal = syscall.Signal(e.Signal).String()
		}
	}
	r.dropLeaf(o)
	if o.Over != "" {
		o.Error = ""
	}
}

// shut ends what serves the network.
func (r *walled) shut() {
	if r.proxy == nil {
		return
	}
	r.end()
	r.proxy.Close()
	served := make(chan struct{})
	go func() { r.serve.Wait(); close(served) }()
	retry.Within(served, killTime) // a server may not listen to the end of its context
}
