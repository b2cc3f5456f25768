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

// Shell runs commands, in the foreground and in the background.
type Shell struct {
	Sandbox    *Sandbox
	Background *shelltool.Processes
	HasChats   bool // chats exist, to which processes belong
	Disabled   bool // this machine has no sandbox: prompts list no command tool
}

// NewShell returns a Shell. It starts nothing before its first use.
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
		Background: shelltool.NewProcesses(shelltool.ProcessesConfig{
			Timeout: s.Shell.ProcessTimeout, KeepAll: s.Shell.KeepProcesses, Linger: s.AtPrompt, Now: time.Now,
		}),
	}
}

// newTools returns run_command and process, or nothing if they are disabled. files tracks the changes
// that commands make.
func (shell *Shell) newTools(s *Environment, files *files.FileTool) ([]tools.Tool, error) {
	if !s.Shell.Enabled || shell.Disabled {
		return nil, nil
	}
	run, err := shell.NewTool(s, len(s.Shell.Network) > 0, files)
	if err != nil {
		return nil, err
	}
	return []tools.Tool{run.Tool(), shell.Background.Tool()}, nil
}

// NewTool returns the tool that runs commands, for a model or for `hob sandbox run`. network adds
// its argument for network access. A person's own commands need no files: nobody tracks their
// changes.
func (shell *Shell) NewTool(s *Environment, network bool, files *files.FileTool) (*shelltool.ShellTool, error) {
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
		cfg.Background = shell.Background
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

// TierKey is the setting that stores the sandbox tier of the previous hob.
const TierKey = "sandbox/tier"

// restoreTier loads the sandbox tier of the previous hob. If that had no sandbox, restoreTier tests
// for one now and disables commands if there is still none. Otherwise the self-test waits for the
// first command.
func (shell *Shell) restoreTier(ctx context.Context, s *Environment, kv KV) error {
	before, err := kv.Get(ctx, TierKey)
	if err != nil {
		return err
	}
	shell.HasChats, shell.Sandbox.previousTier = true, before
	if before == sandbox.T3.String() || before == sandbox.T4.String() {
		sandbox.Sweep(ctx) // in other tiers no process outlives its hob
	}
	none := sandbox.T4.String()
	shell.Disabled = before == none && s.Shell.Enabled && (!s.Shell.AllowUnsandboxed || s.Workspace.ReadOnly) && shell.Sandbox.Tier(ctx) == sandbox.T4
	return nil
}

// saveTier stores the sandbox tier for the next process, if it was tested.
func (shell *Shell) saveTier(ctx context.Context, kv KV) error {
	if now := shell.Sandbox.testedTier(); now != "" && now != shell.Sandbox.previousTier {
		return kv.Set(ctx, TierKey, now)
	}
	return nil
}

// Begin implements [session.TurnHook].
func (shell *Shell) Begin(ctx context.Context, chat event.Chat) []string {
	return shell.Background.Begin(ctx, chat)
}

// End implements [session.TurnHook].
func (shell *Shell) End(ctx context.Context, chat event.Chat, reason event.Reason) []string {
	return append(shell.Sandbox.warnWeaker(), shell.Background.End(ctx, chat, reason)...)
}

// Sandbox is a sandbox that compares its tier with that of the previous hob.
type Sandbox struct {
	*sandbox.Sandbox
	previousTier string // "": unknown
	required     bool   // commands do not run without a sandbox

	mu          sync.Mutex
	currentTier string // "": not tested yet
	warned      bool
}

// Tier returns the sandbox's tier. Every command asks for it.
func (w *Sandbox) Tier(ctx context.Context) sandbox.Tier {
	t := w.Sandbox.Tier(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() == nil { // a cancelled test proves nothing
		w.currentTier = t.String()
	}
	return t
}

func (w *Sandbox) testedTier() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.currentTier
}

// warnWeaker returns a warning, once, if the sandbox is weaker than that of the previous hob.
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

// RootWarning is the warning for a hob that runs as root.
const RootWarning = "hob runs as root: whatever gets past its walls may do everything on this machine. Run it as an ordinary user."

func IsRoot() bool { return os.Geteuid() == 0 }
