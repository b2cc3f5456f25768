// Package sandbox runs one command under a policy that the kernel enforces. No command is judged by its text: what it
// cannot do is decided by the walls around it, and those are the same for every command.
//
// # Tiers
//
//   - T1: namespaces of its own (users, processes, mounts, network, IPC, host name), a root folder with only what
//     programs need, Landlock, and a filter of system calls.
//   - T2: the same, where bwrap makes the namespaces because hob may not.
//   - T3: Landlock and the filter alone. Commands see the names, sizes and owners of files and the command lines of
//     processes, and no more; they have no sockets. What else it does not promise is written in package inside.
//   - T4: no walls. Commands run only where the owner has allowed that.
//
// A [Sandbox] finds out by a live attack ([hob/internal/sandbox/probe]) which is the strongest that holds. It does so
// once. A tier that failed is never used, and one that stops working later makes commands fail: nothing here falls back
// by itself.
//
// # A command
//
// A helper, which is this program again ([hob/internal/sandbox/inside]), builds the walls around itself and starts the
// command. It gets its specification on a socket, in one packet, after it was put where it belongs; a second packet, or the
// end of the socket, means the end. main must therefore begin with inside.Enter, and register [Programs] there.
//
// What holds in every tier:
//
//   - The command has the environment of [Command].Env, plus a mark by which its processes are known ([Sweep]), and
//     nothing of hob's. It has no terminal. No descriptor of hob's is open in it (above T4).
//   - It makes no file set-uid or set-gid and gives none capabilities (above T4): who else is on the machine could use that.
//   - Its output is read as it comes and its two ends are kept, in memory that does not grow. Where there is too much
//     of it, it is killed.
//   - When its first process ends, all that it started is killed before [Process.Wait] returns; so it is when time is
//     up, the context ends, or [Process.Stop] is called. There is no grace: what is killed is killed at once. When hob
//     itself is killed, T1 and T2 leave nothing, and what the others leave is found by Sweep.
//   - No wait is without a bound, except that for [Command].Live, which must return soon: nothing is read meanwhile.
//   - One that was started with [Command].Open is fed through [Process.Input] for as long as it lives, which with a
//     negative Timeout is until it is stopped; [Limits].Output still counts all that it ever writes.
//   - One that was approved with the bytes of files runs these bytes ([Approved]).
//   - Where hob has a control group of its own ([hob/internal/sandbox/cgroup]), the command is born in a leaf of it.
//
// What callers must not assume:
//
//   - that a policy can be put together by hand: the zero [Policy] is refused. The caller who forgets one must not get
//     everything;
//   - that the workspace is as it was. Commands write it, so nothing in it may be believed: no configuration, no hooks,
//     no instructions. The parts of it that people's own programs believe (.git/config, .git/hooks, .hob) are
//     read-only in T1 and T2, and made where a repository lacks them; in T3 and T4 they are not protected. That stops
//     the plain ways only: a command can still lay out a repository in another folder, or have git look for its
//     settings elsewhere (.git/commondir, a bare repository around a broken .git, submodules);
//   - that the disk is bounded. The size of one file is; their number is not.
//   - that exit status 0 says anything: a command says what it likes.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"hob/internal/sandbox/inside"
)

// Tier is how a command is walled in; it prints as "T1" and so on.
type Tier int

// The tiers, strongest first; see package inside. There is no zero tier.
const (
	T1 = Tier(inside.T1)
	T2 = Tier(inside.T2)
	T3 = Tier(inside.T3)
	T4 = Tier(inside.T4)
)

func (t Tier) String() string { return fmt.Sprintf("T%d", int(t)) }

// Command is what to run.
type Command struct {
	Args     []string      // the program and its arguments; the program is looked up in the PATH of Env
	Program  string        // when set, a program of this binary's own (see [inside.Enter]) is run instead, with Args
	Stdin    []byte        // nil: empty
	Open     bool          // standard input stays open after Stdin, for [Process.Input]; without it, it ends there
	Env      []string      // all of its environment, NAME=value
	Approved *Approved     // a person was asked about it and about files that it names; nil: nobody was
	Timeout  time.Duration // after which everything is killed; 0 means 60 s, negative means none
	// Live is handed what the command writes as it comes, before any of it is left out; stream is 1 or 2. It is not
	// called from two goroutines at once, and p is its own only until it returns. May be nil.
	Live func(stream int, p []byte)
}

// Approved binds a command to the bytes of files that a person has approved. Nothing else that a [Sandbox] runs can
// write to the workspace while Look looks at them, nor for as long as the command runs: what runs is frozen, and what
// would start waits. In T4, where there are no walls, that holds for what would start alone.
//
// A command that is Lasting lives too long for that. It starts only while nothing else runs that could write to the
// workspace; what starts later gets the files that it runs protected, and is refused in T3, where nothing can be.
type Approved struct {
	// Look returns the files that the command runs, or why it must not run. It is called once.
	Look    func(context.Context) ([]Pinned, error)
	Lasting bool
}

// Pinned is a file of the workspace that a command runs.
type Pinned struct {
	Path string // absolute, without links

	// Copy has the bytes that the command sees in the file's place, in T1 and T2; nil means the file itself. It is closed when
	// the command has started, or cannot.
	Copy *os.File
	Mode os.FileMode // the permissions of the copy
}

// Outcome is how a command ended and what it wrote. A command that was started has an Outcome and no error, whatever
// became of it.
type Outcome struct {
	Exit     int    // -1 when a signal ended it; 127 when the program was not found, 126 when it could not be run
	Signal   string // such as "killed"
	Error    string // why the program could not be run, or what went wrong around it; one sentence, mostly ""
	TimedOut bool   // it was killed when its time was up
	Stopped  bool   // it was killed because its context ended or Stop was called
	Flooded  bool   // it was killed because it wrote too much
	Over     string // it was killed because of this limit: "memory" or "processes"; or because of [OverReplaced]
	Left     int    // processes it left behind, which were killed
	Stdout   Output
	Stderr   Output
	Duration time.Duration
	Tier     Tier
}

// OverReplaced says that another file was put in the place of one that an approved command ran.
const OverReplaced = inside.OverReplaced

// Report is what the self-test found.
type Report struct {
	Tier    Tier
	Refused []Refusal // the stronger tiers, and why they are not in force
	Checks  []Check   // of the tier in force, in a fixed order
	Ruleset int       // the Landlock ABI in force
	Group   string    // how memory and processes are bounded: "cgroup" or why not
	Root    bool      // hob runs as root
}

// Refusal is why a tier is not in force.
type Refusal struct {
	Tier   Tier
	Reason string // one sentence
	Advice string // what the owner could do; may be ""
}

// Check is one property that was tried out.
type Check struct {
	Name  string // such as "read secrets"
	Holds bool
	Found string // such as "blocked", or what happened instead
}

// Config is what a [Sandbox] is made of.
type Config struct {
	Unsandboxed bool   // the owner lets commands run without walls where no tier above T4 works
	Bwrap       string // "" means /usr/bin/bwrap
	Only        Tier   // consider this tier alone; 0 means the strongest that passes its self-test
	// Lock is a file by which processes that run commands in Workspace take turns, see [Approved]; "" means that there are no
	// others. Commands must not reach it.
	Lock, Workspace string
	Scratch         string // a folder for the self-test's canaries; "" means os.TempDir()
}

// Sandbox runs commands in the strongest tier that this machine gives. It finds out by a self-test when it is first
// used, once; a tier that fails it is never used, and when it stops working later commands fail rather than run in a
// weaker one. It is safe for concurrent use.
type Sandbox struct {
	cfg   Config
	turn  *semaphore.Weighted // one at a time runs the self-test, or reads its verdict
	found *verdict

	writers *writers
}

// New returns a sandbox. Nothing happens before its first use.
func New(cfg Config) *Sandbox {
	cfg.Bwrap = cmp.Or(cfg.Bwrap, "/usr/bin/bwrap")
	return &Sandbox{cfg: cfg, turn: semaphore.NewWeighted(1), writers: newWriters(cfg)}
}

// ErrOff says that no tier works and that the owner has not allowed commands without walls.
var ErrOff = errors.New("commands are switched off: this machine gives no sandbox")

// Run runs a command to its end. The error is that of a command that never began.
func (s *Sandbox) Run(ctx context.Context, p Policy, c Command) (Outcome, error) {
	process, err := s.Start(ctx, p, c)
	if err != nil {
		return Outcome{}, err
	}
	return process.Wait(), nil
}

// Start starts a command. The end of ctx kills it, as Stop does.
func (s *Sandbox) Start(ctx context.Context, p Policy, c Command) (*Process, error) {
	if !p.valid {
		return nil, errZeroPolicy
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	v, err := s.verdict(ctx)
	if err != nil {
		return nil, err
	}
	if v.report.Tier == T4 && !s.plainAllowed() {
		return nil, v.off()
	}
	if c.Approved != nil {
		return s.startApproved(ctx, v, p, c)
	}
	return s.startFree(ctx, v, p, c)
}

// off says that there are no commands, and why.
func (v *verdict) off() error {
	if len(v.report.Refused) == 0 {
		return ErrOff
	}
	first := v.report.Refused[0]
	return fmt.Errorf("%w (%s: %s)", ErrOff, first.Tier, first.Reason)
}

// plainAllowed reports whether commands may run without walls. Whoever asks for one tier alone gets no other.
func (s *Sandbox) plainAllowed() bool {
	return s.cfg.Unsandboxed && (s.cfg.Only == 0 || s.cfg.Only == T4)
}

// Tier returns the tier in force. T4 means that there are no walls: commands run only if Config.Unsandboxed. When ctx
// ends before it is known, it returns T4 and does not keep that.
func (s *Sandbox) Tier(ctx context.Context) Tier {
	v, err := s.verdict(ctx)
	if err != nil {
		return T4
	}
	return v.report.Tier
}

// Report runs the self-test if it has not run yet and returns what it found.
func (s *Sandbox) Report(ctx context.Context) Report {
	v, err := s.verdict(ctx)
	if err != nil {
		return Report{Tier: T4, Root: os.Getuid() == 0, Group: "not known", Refused: []Refusal{{Tier: T1, Reason: err.Error()}}}
	}
	r := v.report
	r.Refused, r.Checks = slices.Clone(r.Refused), slices.Clone(r.Checks)
	return r
}

// maxArgument is what the kernel takes of one argument or variable, the NUL at its end included.
const maxArgument = 128 << 10

var errTooLong = errors.New("the command or its environment is too long; write it to a file and run that")

// check refuses commands that mean nothing.
func (c *Command) check() error {
	if c.Program == "" && (len(c.Args) == 0 || c.Args[0] == "") {
		return errors.New("the command names no program")
	}
	for _, list := range [][]string{c.Args, c.Env, {c.Program}} {
		for _, s := range list {
			switch {
			case strings.ContainsRune(s, 0):
				return errors.New("the command holds a NUL, which no program can be given")
			case len(s) >= maxArgument:
				return errTooLong
			}
		}
	}
	for _, v := range c.Env {
		if i := strings.IndexByte(v, '='); i < 1 {
			return fmt.Errorf("the environment variable %q is not of the form NAME=value", v)
		}
	}
	return nil
}
