package main

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

// shell is what runs commands, in the foreground and in the background.
type shell struct {
	walls *walls
	jobs  *shelltool.Jobs
	talks bool // there are conversations, which jobs belong to
	off   bool // this machine gives no sandbox: models are not even told of commands
}

// newShell returns the shell of a hob; nothing happens before its first use.
func (s *setting) newShell() *shell {
	only := sandbox.Tier(0)
	for _, t := range []sandbox.Tier{sandbox.T1, sandbox.T2, sandbox.T3, sandbox.T4} {
		if t.String() == s.Shell.Tier {
			only = t
		}
	}
	return &shell{
		walls: &walls{
			Sandbox: sandbox.New(sandbox.Config{
				Unsandboxed: s.Shell.AllowUnsandboxed, Only: only, Workspace: s.workspace, Lock: filepath.Join(s.state, "workspace.lock"),
			}),
			must: !s.Shell.AllowUnsandboxed,
		},
		jobs: shelltool.NewJobs(shelltool.JobsConfig{
			Timeout: s.Shell.JobTimeout, KeepAll: s.Shell.KeepJobs, Linger: s.prompt, Now: time.Now,
		}),
	}
}

// tools returns run_command and job, unless they are switched off. files look after what commands change.
func (sh *shell) tools(s *setting, files *files.Tool) ([]tools.Tool, error) {
	if !s.Shell.Enabled || sh.off {
		return nil, nil
	}
	run, err := sh.tool(s, len(s.Shell.Network) > 0, files)
	if err != nil {
		return nil, err
	}
	return []tools.Tool{run.Tool(), sh.jobs.Tool()}, nil
}

// tool returns what runs commands: for a model, and for hob sandbox run. With network it has an argument for that.
// files are nil for commands of a person's own, who knows what they do.
func (sh *shell) tool(s *setting, network bool, files *files.Tool) (*shelltool.Tool, error) {
	if err := s.makeState(); err != nil {
		return nil, err
	}
	cfg := shelltool.Config{
		Sandbox: sh.walls, Unsandboxed: s.Shell.AllowUnsandboxed,
		Dir: s.workspace, ReadOnly: s.Workspace.ReadOnly, Read: s.Shell.Read, ReadNow: s.skillFolders,
		Timeout: s.Shell.Timeout, Memory: s.Shell.Memory, Processes: s.Shell.Processes,
	}
	if files != nil {
		cfg.Watch, cfg.Taint = files.Watch(), files.Taint
	}
	if sh.talks {
		cfg.Jobs = sh.jobs
	}
	if network {
		dialer, err := s.exit.Commands(s.Shell.Network, "[shell] network")
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%v", err)
		}
		cfg.Serve, cfg.Hosts = egress.Proxy(dialer), s.Shell.Network
	}
	return shelltool.New(cfg)
}

// tierKey is where the sandbox of the last hob is kept.
const tierKey = "sandbox/tier"

// recall looks up which sandbox the last hob had. Where it had none, it is found out now whether that has changed: a model
// should not be told of what cannot be used. Otherwise the self-test has time until the first command.
func (sh *shell) recall(ctx context.Context, s *setting, kept keeper) error {
	before, err := kept.Setting(ctx, tierKey)
	if err != nil {
		return err
	}
	sh.talks, sh.walls.before = true, before
	if before == sandbox.T3.String() || before == sandbox.T4.String() {
		sandbox.Sweep(ctx) // in other tiers nothing outlives the hob that started it, however that ended
	}
	none := sandbox.T4.String()
	sh.off = before == none && s.Shell.Enabled && (!s.Shell.AllowUnsandboxed || s.Workspace.ReadOnly) && sh.walls.Tier(ctx) == sandbox.T4
	return nil
}

// remember keeps for the next hob which sandbox this one had, if anybody has asked.
func (sh *shell) remember(ctx context.Context, kept keeper) error {
	if now := sh.walls.found(); now != "" && now != sh.walls.before {
		return kept.SetSetting(ctx, tierKey, now)
	}
	return nil
}

// Begin implements [session.Extent].
func (sh *shell) Begin(ctx context.Context, chat event.Chat) []string {
	return sh.jobs.Begin(ctx, chat)
}

// End implements [session.Extent].
func (sh *shell) End(ctx context.Context, chat event.Chat, reason event.Reason) []string {
	return append(sh.walls.weaker(), sh.jobs.End(ctx, chat, reason)...)
}

// walls is a sandbox that knows what there was before it.
type walls struct {
	*sandbox.Sandbox
	before string // the tier of the last hob, "" unknown
	must   bool   // without a sandbox nothing runs

	mu   sync.Mutex
	now  string // likewise of this one
	told bool
}

// Tier is that of the sandbox; it is asked before every command.
func (w *walls) Tier(ctx context.Context) sandbox.Tier {
	t := w.Sandbox.Tier(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() == nil { // else it is said without having been found out
		w.now = t.String()
	}
	return t
}

func (w *walls) found() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// weaker says, once, that the sandbox is a weaker one than that of the last hob.
func (w *walls) weaker() []string {
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

// rootWarning is what there is to say of a hob that runs as root.
const rootWarning = "hob runs as root: whatever gets past its walls may do everything on this machine. Run it as an ordinary user."

func isRoot() bool { return os.Geteuid() == 0 }
