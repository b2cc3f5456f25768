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
	Sandbox    *Sandbox
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
		Sandbox: &Sandbox{
			Sandbox: sandbox.New(sandbox.Config{
				Unsandboxed: s.Shell.AllowUnsandboxed, Only: only, Workspace: s.WorkspaceDir, Lock: filepath.Join(s.StateDir, "workspace.lock"),
			}),
			required: !s.Shell.AllowUnsandboxed,
		},
		Jobs: shelltool.NewJobs(shelltool.JobsConfig{
			Timeout: s.Shell.JobTimeout, KeepAll: s.Shell.KeepJobs, Linger: s.AtPrompt, Now: time.Now,
		}),
	}
}

// tools returns run_command and job, unless they are switched off. files look after what commands change.
func (shell *Shell) newTools(s *Environment, files *files.Workspace) ([]tools.Tool, error) {
	if !s.Shell.Enabled || shell.Disabled {
		return nil, nil
	}
	run, err := shell.NewTool(s, len(s.Shell.Network) > 0, files)
	if err != nil {
		return nil, err
	}
	return []tools.Tool{run.Tool(), shell.Jobs.Tool()}, nil
}

// NewTool returns what runs commands: for a model, and for hob sandbox run. With network it has an argument for that.
// files are nil for commands of a person's own, who knows what they do.
func (shell *Shell) NewTool(s *Environment, network bool, files *files.Workspace) (*shelltool.Tool, error) {
	if err := s.MakeState(); err != nil {
		return nil, err
	}
	cfg := shelltool.Config{
		Sandbox: shell.Sandbox, Unsandboxed: s.Shell.AllowUnsandboxed,
		Dir: s.WorkspaceDir, ReadOnly: s.Workspace.ReadOnly, Read: s.Shell.Read, ReadNow: s.skillFolders,
		Timeout: s.Shell.Timeout, Memory: s.Shell.Memory, Processes: s.Shell.Processes,
	}
	if files != nil {
		cfg.Watch, cfg.Taint = files.Watch(), files.Origins().Taint
	}
	if shell.HasChats {
		cfg.Jobs = shell.Jobs
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
func (shell *Shell) restoreTier(ctx context.Context, s *Environment, kv KV) error {
	before, err := kv.Get(ctx, TierKey)
	if err != nil {
		return err
	}
	shell.HasChats, shell.Sandbox.previousTier = true, before
	if before == sandbox.T3.String() || before == sandbox.T4.String() {
		sandbox.Sweep(ctx) // in other tiers nothing outlives the hob that started it, however that ended
	}
	none := sandbox.T4.String()
	shell.Disabled = before == none && s.Shell.Enabled && (!s.Shell.AllowUnsandboxed || s.Workspace.ReadOnly) && shell.Sandbox.Tier(ctx) == sandbox.T4
	return nil
}

// remember keeps for the next hob which sandbox this one had, if anybody has asked.
func (shell *Shell) saveTier(ctx context.Context, kv KV) error {
	if now := shell.Sandbox.testedTier(); now != "" && now != shell.Sandbox.previousTier {
		return kv.Set(ctx, TierKey, now)
	}
	return nil
}

// Begin implements [session.Extent].
func (shell *Shell) Begin(ctx context.Context, chat event.Chat) []string {
	return shell.Jobs.Begin(ctx, chat)
}

// End implements [session.Extent].
func (shell *Shell) End(ctx context.Context, chat event.Chat, reason event.Reason) []string {
	return append(shell.Sandbox.warnWeaker(), shell.Jobs.End(ctx, chat, reason)...)
}

// Walls is a sandbox that knows what there was before it.
type Sandbox struct {
	*sandbox.Sandbox
	previousTier string // the tier of the last hob, "" unknown
	required   bool   // without a sandbox nothing runs

	mu   sync.Mutex
	currentTier  string // likewise of this one
	warned bool
}

// Tier is that of the sandbox; it is asked before every command.
func (w *Sandbox) Tier(ctx context.Context) sandbox.Tier {
	t := w.Sandbox.Tier(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() == nil { // else it is said without having been found out
		w.currentTier = t.String()
	}
	return t
}

func (w *Sandbox) testedTier() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.currentTier
}

// weaker says, once, that the sandbox is a weaker one than that of the last hob.
func (w *Sandbox) warnWeaker() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.warned || w.previousTier == "" || w.currentTier <= w.previousTier {
		return nil
	}
	w.warned = true
	if w.required && w.currentTier == sandbox.T4.String() {
		return []string{fmt.Sprintf("commands are switched off: there is no sandbox any more, it was %s; see hob doctor", w.previousTier)}
	}
	return []string{fmt.Sprintf("commands run in a weaker sandbox than before: %s, it was %s; see hob doctor", w.currentTier, w.previousTier)}
}

// RootWarning is what there is to say of a hob that runs as root.
const RootWarning = "hob runs as root: whatever gets past its walls may do everything on this machine. Run it as an ordinary user."

func IsRoot() bool { return os.Geteuid() == 0 }
