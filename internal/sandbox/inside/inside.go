//go:build linux

// Package inside is what a sandbox's helper does: the program that hob starts anew as itself, that builds the walls
// around itself, starts the command, and waits for its end. [Spec] and [Message] are what passes between it and the one
// who started it; package sandbox is that one.
//
// # How a helper is started
//
//   - argv is [program, Name]; descriptors 0, 1 and 2 are the command's own streams; [SocketFD] is the helper's end of a
//     SOCK_SEQPACKET pair; every other descriptor is closed; the environment is [Environ] and nothing else; it leads a
//     session of its own.
//   - T1: the process is the first of new user, pid, mount, net, ipc and uts namespaces. Its own uid and gid are mapped to
//     themselves, setgroups is denied, and it has the ambient capabilities [Capabilities]. Pdeathsig is SIGKILL.
//   - T2: bwrap is started with [BwrapArgs] and makes all of that; Pdeathsig is SIGKILL.
//   - T3: nothing more, and no Pdeathsig: the helper sees the end of its starter by the end of the socket, and it needs
//     its life to end the command.
//
// Nothing is built before the Spec is here, so that the helper can be put into a cgroup first.
//
// # What it does, in this order
//
// It hides its memory from others of its uid; it makes the root (T1) or a folder for temporary files (T3); it brings
// loopback up and makes the proxy's listener (network); it sets limits, enters the working folder, gives up its
// capabilities for good, sets no_new_privs, then Landlock in one layer (two layers would refuse every rename from one
// folder to another), then the system call filter. It says Ready, marks every descriptor close-on-exec, starts the
// command in a session of its own, lets go of the command's streams, and waits.
//
// In T1 and T2 the helper is pid 1 and no signal from inside reaches it. In T3 the thread that starts the command is the
// only one within the Landlock domain, signals to it are refused by the filter, and from Landlock ABI 6 on the domain
// refuses signals to all else.
//
// When the command's first process ends, all that is left is counted and killed, and only when nothing is left is Ended
// sent. A second packet that is no order to freeze or thaw, or the end of the socket, does the same at any time.
//
// # What each tier cannot do
//
//   - T3 shows the existence, size and command lines of what it refuses to open, and does not refuse chmod, utimes and
//     extended attributes on files of the same uid anywhere. It has no place of its own for /tmp: TMPDIR is a new folder
//     in the host's /tmp, whose size nothing bounds, and which is removed at the end; the rest of /tmp, and /dev/shm,
//     cannot be written. Landlock can only allow: in a folder that may be written nothing can be kept from being
//     written, so that [Spec].Protect is not enforced in T3, and Ready says so.
//   - In T2 bwrap keeps the command's streams open until all is over, and for root the number of processes is only watched.
//   - Before Landlock ABI 6 a command in T3 can signal every process of its uid, hob included.
//   - No tier bounds how much of the workspace's disk is filled.
//   - Without a cgroup, memory is bounded by looking ten times a second.
package inside

import (
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// The statuses with which a helper itself ends.
const (
	exitWalls      = 125 // the walls could not be built
	exitNotRunable = 126
	exitNotFound   = 127
)

// A process that was started as a helper never comes as far as main, nor to most of what is initialised before it: Go
// initialises a package as soon as those are that it imports, and this one imports next to nothing. That is half of a
// helper's start, for every command; and a program that links this package cannot start itself anew for ever because it
// forgot to ask first.
var _ = early(os.Args)

func early(args []string) struct{} { //nolint:unparam // a variable has to have a value
	if len(args) > 1 && args[1] == Name {
		runtime.LockOSThread()
		os.Exit(serve())
	}
	return struct{}{}
}

// Enter turns this process into a program of programs when it was started as one, and then does not return. It must be
// the first thing that main does. A program gets the arguments after its name and returns its exit status; see
// [ProgramArgs].
func Enter(args []string, programs map[string]func(args []string) int) {
	if len(args) < 3 || args[1] != programName {
		return
	}
	run, ok := programs[args[2]]
	if !ok {
		os.Stderr.WriteString("hob: there is no inner program " + args[2] + "\n") //nolint:errcheck // it ends in any case
		os.Exit(exitNotFound)
	}
	os.Exit(run(args[3:]))
}

// serve is the helper's whole life; it returns its exit status.
func serve() int {
	resetScore := maximizeOOMScore() // before its own files in /proc are root's
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return exitWalls
	}
	s, err := receive()
	if err != nil {
		os.Stderr.WriteString("hob: " + Name + " is for hob's own use: " + err.Error() + "\n") //nolint:errcheck // it ends in any case
		return exitWalls
	}
	h := &helper{spec: s, listener: -1, mounts: -1, resetScore: resetScore}
	var ended Ended
	if err = h.build(); err == nil {
		ended, err = h.run()
	}
	h.removeTemp()
	drainSocket()
	if err != nil {
		send(Message{Error: err.Error(), Stage: stageOf(err)}, -1)
		return exitWalls
	}
	send(Message{Ended: &ended}, -1)
	return 0
}

// helper is one command's.
type helper struct {
	spec       Spec
	listener   int    // to be handed out, or -1
	mounts     int    // readable when a copy of the Spec's may have lost its place, or -1
	temp       string // T3: the folder for temporary files
	first      int    // the pid of the command's first process
	resetScore func() // makes the helper alone as hard to kill as it was

	// over is set when everything is killed before its time: the limit for which, or "" when it was asked for.
	over atomic.Pointer[string]
}

// build does everything that needs no lock on the thread: it is in force for the whole process.
func (h *helper) build() error {
	s := &h.spec
	switch s.Tier {
	case T1:
		if err := buildRoot(s); err != nil {
			return err
		}
	case T2:
		if err := finishRoot(s); err != nil {
			return err
		}
	case T3:
		if err := h.prepareAlone(); err != nil {
			return err
		}
	default:
		return atStage("spec", errNoTier)
	}
	if s.Network {
		if s.Tier == T3 {
			return atStage("network", errNoNetwork)
		}
		fd, err := openLoopback(s.Tier == T1)
		if err != nil {
			return atStage("network", err)
		}
		h.listener = fd
	}
	if err := setLimits(s); err != nil {
		return atStage("limits", err)
	}
	return atStage("folder", unix.Chdir(s.Dir))
}
