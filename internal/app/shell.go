package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files"
	shelltool "hob/internal/tools/shell"
)

// Shell is what runs commands, in the foreground and in the background.
type Shell struct {
	Walls    *Walls
	Jobs     *shelltool.Jobs
	HasChats bool // there are conversations, which jobs belong to
	Disabled bool // this machine gives no sandbox: models are not even told of commands
}

// NewShell returns the shell of a hob; nothing happens before its first use.
func (s *Environment) NewShell() *Shell {
	only := sandbox.Tier(0)
	for _, t := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3, sandbox.T4} {
		if t.String() == s.Shell.Tier {
			only = t
		}
	}
	return &Shell{
		Walls: &Walls{
			Sandbox: sandbox.New(sandbox.Config{
				Unsandboxed: s.Shell.AllowUnsandboxed, Only: only, Workspace: s.WorkspaceDir, Lock: filepath.Join(s.StateDir, "workspace.lock"),
			}),
			must: !s.Shell.AllowUnsandboxed,
		},
		Jobs: shelltool.NewJobs(shelltool.JobsConfig{
			Timeout: s.Shell.JobTimeout, KeepAll: s.Shell.KeepJobs, Linger: s.AtPrompt, Now: time.Now,
		}),
	}
}

// tools returns run_command and job, unless they are switched off. files look after what commands change.
func (sh *Shell) tools(s *Environment, files *files.Workspace) ([]tools.Tool, error) {
	if !s.Shell.Enabled || sh.Disabled {
		return nil, nil
	}
	run, err := sh.NewTool(s, len(s.Shell.Network) > 0, files)
	if err != nil {
		return nil, err
	}
	return []tools.Tool{run.Tool(), sh.Jobs.Tool()}, nil
}

// NewTool returns what runs commands: for a model, and for hob sandbox run. With network it has an argument for that.
// files are nil for commands of a person's own, who knows what they do.
func (sh *Shell) NewTool(s *Environment, network bool, files *files.Workspace) (*shelltool.Tool, error) {
	if err := s.MakeState(); err != nil {
		return nil, err
	}
	cfg := shelltool.Config{
		Sandbox: sh.Walls, Unsandboxed: s.Shell.AllowUnsandboxed,
		Dir: s.WorkspaceDir, ReadOnly: s.Workspace.ReadOnly, Read: s.Shell.Read, ReadNow: s.skillFolders,
		Timeout: s.Shell.Timeout, Memory: s.Shell.Memory, Processes: s.Shell.Processes,
	}
	if files != nil {
		cfg.Watch, cfg.Taint = files.Watch(), files.Origins().Taint
	}
	if sh.HasChats {
		cfg.Jobs = sh.Jobs
	}
	if network {
		dialer, err := s.Egress.Commands(s.Shell.Network, "[shell] network")
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%v", err)
		}
		cfg.Serve, cfg.Hosts = egress.Proxy(dialer), s.Shell.Network
	}
	return shelltool.New(cfg)
}

// TierKey is where the sandbox of the last hob is kept.
const TierKey = "sandbox/tier"

// recall looks up which sandbox the last hob had. Where it had none, it is found out now whether that has changed: a model
// should not be told of what cannot be used. Otherwise the self-test has time until the first command.
func (sh *Shell) recall(ctx context.Context, s *Environment, kept KV) error {
	before, err := kept.Get(ctx, TierKey)
	if err != nil {
		return err
	}
	sh.HasChats, sh.Walls.before = true, before
	if before == sandbox.T3.String() || before == sandbox.T4.String() {
		sandbox.Sweep(ctx) // in other tiers nothing outlives the hob that started it, however that ended
	}
	none := sandbox.T4.String()
	sh.Disabled = before == none && s.Shell.Enabled && (!s.Shell.AllowUnsandboxed || s.Workspace.ReadOnly) && sh.Walls.Tier(ctx) == sandbox.T4
	return nil
}

// remember keeps for the next hob which sandbox this one had, if anybody has asked.
func (sh *Shell) remember(ctx context.Context, kept KV) error {
	if now := sh.Walls.found(); now != "" && now != sh.Walls.before {
		return kept.Set(ctx, TierKey, now)
	}
	return nil
}

// Begin implements [session.Extent].
func (sh *Shell) Begin(ctx context.Context, chat event.Chat) []string {
	return sh.Jobs.Begin(ctx, chat)
}

// End implements [session.Extent].
func (sh *Shell) End(ctx context.Context, chat event.Chat, reason event.Reason) []string {
	return append(sh.Walls.weaker(), sh.Jobs.End(ctx, chat, reason)...)
}

// Walls is a sandbox that knows what there was before it.
type Walls struct {
	*sandbox.Sandbox
	before string // the tier of the last hob, "" unknown
	must   bool   // without a sandbox nothing runs

	mu   sync.Mutex
	now  string // likewise of this one
	told bool
}

// Tier is that of the sandbox; it is asked before every command.
func (w *Walls) Tier(ctx context.Context) sandbox.Tier {
	t := w.Sandbox.Tier(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() == nil { // else it is said without having been found out
		w.now = t.String()
	}
	return t
}

func (w *Walls) found() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// weaker says, once, that the sandbox is a weaker one than that of the last hob.
func (w *Walls) weaker() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.told || w.before == "" || w.now <= w.before {
		return nil
	}
	w.told = true
	if w.must && w.now == sandbox.T4.String() {
		return []string{fmt.Sprintf("commands are switched off: there is no sandbox any more, it was %s; see hob doctor", w.before)}
	}
	return []string{fmt.Sprintf("commands run in a weaker sandbox than before: %s, it was %s; see hob doctor", w.now, w.before)}
}

// RootWarning is what there is to say of a hob that runs as root.
const RootWarning = "hob runs as root: whatever gets past its walls may do everything on this machine. Run it as an ordinary user."

func IsRoot() bool { return os.Geteuid() == 0 }
