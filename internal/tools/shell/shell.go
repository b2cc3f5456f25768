// Package shell is the tools that run commands: run_command, in the sandbox and under its rules, and process for those that go
// on in the background.
package shell

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
)

// Bounds of run_command.
const (
	defaultKeep = 256 << 10 // bytes kept of each end of each stream
	defaultMost = 64 << 20  // bytes both streams may have together
	maxCommand  = 96 << 10  // bytes of a command; the kernel takes 128 KiB

	lookGrace = 200 * time.Millisecond // how long a stop waits for what a command has changed
)

// proxyAddress is where a command in the sandbox finds the network, when it has any.
const proxyAddress = "http://127.0.0.1:3128"

// Sandbox is what a [ShellTool] needs of a [*sandbox.Sandbox].
type Sandbox interface {
	Tier(context.Context) sandbox.Tier
	Report(context.Context) sandbox.Report
	Run(context.Context, sandbox.Policy, sandbox.Command) (sandbox.Outcome, error)
	Start(context.Context, sandbox.Policy, sandbox.Command) (*sandbox.Process, error)
}

// Config says how a [ShellTool] runs commands.
type Config struct {
	Sandbox     Sandbox
	Unsandboxed bool // the owner lets commands run where the machine gives no walls; so the sandbox was made, too

	Dir       string          // the workspace: the commands' working folder and HOME; made when it is missing
	ReadOnly  bool            // commands must not change it; where nothing could keep them from it, none runs
	Read      []string        // further files and folders that commands may read
	ReadNow   func() []Folder // more of these, asked before each command: what is not there is left out; may be nil
	Timeout   time.Duration   // the longest a command may run, and the default; 0 means 60 s
	Keep      int             // bytes kept of each end of each stream; 0 means 256 KiB: what is shown of it is the agent's to say
	Most      int64           // bytes that a command may write before it is killed; 0 means 64 MiB
	Memory    int64           // bytes that a command and all that it starts may have; 0 means the sandbox's default
	Processes int             // how many it may start; likewise

	// Serve is the proxy behind which is all of the network that a command can reach, see [sandbox.Rules]. Nil means
	// that there is no network and no argument for it.
	Serve      func(context.Context, net.Listener)
	Hosts      []string   // whom Serve reaches, each "host:port" in small letters: what people are told
	Background *Processes // the programs in the background; nil means that there are none
	// Taint is where what a command can read comes from, beside what it is made of itself. Nil: nothing of it is a stranger's.
	Taint func(context.Context) event.Label
	Watch Watcher // looks after what commands change, so that it can be taken back; nil means that nobody does
}

// ShellTool runs commands in the workspace, in a sandbox. A command has no terminal, reads an empty standard input, and
// gets a small environment of its own without anything of hob's. When it ends, is cancelled or runs out of time,
// whatever it started is killed too; only a process (see [Processes]) lives longer than its call.
type ShellTool struct{ cfg Config }

// New checks cfg and fills in its defaults.
func New(cfg Config) (*ShellTool, error) {
	if cfg.Dir == "" {
		return nil, errors.New("set up the shell: its working folder has no name")
	}
	if cfg.Sandbox == nil {
		return nil, errors.New("set up the shell: it has no sandbox")
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the workspace: %w", err)
	}
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the workspace: %w", err)
	}
	cfg.Dir = dir
	cfg.Timeout = cmp.Or(max(cfg.Timeout, 0), time.Minute)
	cfg.Keep = cmp.Or(max(cfg.Keep, 0), defaultKeep)
	cfg.Most = cmp.Or(max(cfg.Most, 0), defaultMost)
	return &ShellTool{cfg: cfg}, nil
}

// Prepare returns what a command may touch, and its environment, all of it. Both are for one command: what lies in the
// workspace may have changed by the next. The error is [sandbox.ErrOff] where commands are switched off, and an [*tools.Error]
// where they have no network and this one needs it.
func (s *ShellTool) Prepare(ctx context.Context, network bool) (sandbox.Policy, []string, error) {
	p, env, _, err := s.prepare(ctx, network, func(Folder) bool { return true })
	return p, env, err
}

// prepare is Prepare for a command that sees those folders, and returns where what is in them comes from.
func (s *ShellTool) prepare(ctx context.Context, network bool, sees func(Folder) bool) (_ sandbox.Policy, _ []string, from event.Label, _ error) {
	tier := s.cfg.Sandbox.Tier(ctx)
	switch {
	case s.isOff(tier):
		return sandbox.Policy{}, nil, from, sandbox.ErrOff
	case network && (s.cfg.Serve == nil || tier == sandbox.T3):
		return sandbox.Policy{}, nil, from, tools.Disabled("commands have no network on this machine").
			Suggest("do it without, or use fetch")
	}
	readable, from := s.readable(sees)
	r := sandbox.Rules{
		Workspace: s.cfg.Dir, ReadOnly: s.cfg.ReadOnly, Read: readable,
		Limits: sandbox.Limits{Output: s.cfg.Most, Keep: s.cfg.Keep, Memory: s.cfg.Memory, Processes: s.cfg.Processes},
	}
	if network = network && tier <= sandbox.T2; network { // without walls there is no proxy, and all of the network
		r.Serve = s.cfg.Serve
	}
	policy, err := sandbox.NewPolicy(r)
	return policy, s.environment(network), from, err
}

type shellArgs struct {
	Command    string `json:"command"`
	Language   string `json:"language,omitempty" enum:"sh,bash,python,node" quiet:"true"`
	Timeout    int    `json:"timeout,omitempty" jsonschema:"seconds" min:"1" quiet:"true"`
	Background bool   `json:"background,omitempty" quiet:"true"`
}

// networkArgs are those of a shell with a network.
type networkArgs struct {
	shellArgs

	Network bool `json:"network,omitempty"`
}

// Tool returns run_command.
func (s *ShellTool) Tool() tools.Tool {
	d := tools.Def{
		Name:           "run_command",
		Description:    "Run a shell command in the workspace. No network, no keyboard input.",
		Capabilities:   tools.Executes | tools.Writes | tools.Destroys,
		Level:          event.BotAdmin,
		Scopes:         tools.PrivateScopes(),
		Timeout:        -1, // its own, which also kills what was started
		CapabilitiesOf: s.capabilitiesOf,
		ResourcesOf:    s.resourcesOf,
		Bind:           s.bind,
		Check: tools.CheckArgs(func(in networkArgs) error {
			_, err := s.check(in)
			return err
		}),
		Command:  "run_command <command:string...>",
		Examples: []string{"run_command df -h"},
	}
	if s.cfg.Serve == nil {
		return tools.New(d, func(ctx context.Context, in shellArgs) (tools.Result, error) {
			return s.run(ctx, networkArgs{shellArgs: in})
		})
	}
	d.Description = "Run a shell command in the workspace. No keyboard input; network only if asked for."
	d.Capabilities |= tools.Sends
	return tools.New(d, s.run)
}

// capabilitiesOf is what one command may do: a confined one can do no harm outside the workspace, whatever it is. One that
// will not run at all may do nothing.
func (s *ShellTool) capabilitiesOf(ctx context.Context, args json.RawMessage) tools.Capabilities {
	var in networkArgs
	_ = json.Unmarshal(args, &in) // nil, for a call with nothing special
	tier := s.cfg.Sandbox.Tier(ctx)
	switch {
	case s.isOff(tier) || in.Network && tier == sandbox.T3:
		return tools.Reads
	case in.Network:
		return tools.Executes | tools.Writes | tools.Destroys | tools.Sends
	case tier <= sandbox.T2:
		return tools.Executes | tools.Writes | tools.Confined
	}
	return tools.Executes | tools.Writes | tools.Destroys
}

// isOff reports whether commands are switched off in a tier.
func (s *ShellTool) isOff(tier sandbox.Tier) bool {
	return tier == sandbox.T4 && (!s.cfg.Unsandboxed || s.cfg.ReadOnly)
}

// ExecuteCommand runs a command line and returns its exit status and output as text. A command that fails is no error;
// one that could not be run is, of type [*tools.Error].
func (s *ShellTool) ExecuteCommand(cmd string) (string, error) {
	res, err := s.run(tools.Unbounded{}, networkArgs{shellArgs: shellArgs{Command: cmd}})
	return res.Text, err
}

func (s *ShellTool) run(ctx context.Context, in networkArgs) (tools.Result, error) {
	limit, err := s.check(in)
	if err != nil {
		return tools.Result{}, err
	}
	args, stdin, err := script(in.Language, in.Command)
	if err != nil {
		return tools.Result{}, err
	}
	policy, env, from, err := s.prepare(ctx, in.Network, visibleTo(ctx, in.Command))
	if err != nil {
		return s.failedResult(ctx, err)
	}
	c := sandbox.Command{Args: args, Stdin: stdin, Env: env, Timeout: limit, Approved: s.approved(ctx, in)}
	label := s.label(ctx, in.Network).Join(from)
	if in.Background {
		return s.background(ctx, policy, c, in.Command, label)
	}
	after := s.before(ctx, in.Command, label)
	began := ctx.Err() == nil
	out, err := s.cfg.Sandbox.Run(ctx, policy, c)
	seen := s.changed(ctx, in.Command, after)
	if err != nil && began && ctx.Err() != nil { // while it started: it may have done something
		out, err = sandbox.Outcome{Stopped: true}, nil
	}
	if err != nil {
		return s.failedResult(ctx, err)
	}
	o := ending{out, limit, s.cfg}
	res := tools.Result{
		Text: o.text() + seen.Note(), Data: o.data(), Label: label.Join(s.taint(ctx)).Join(seen.Label), // what it read may be newer than it is
		Effects: []event.Effect{o.effect(in.Command, o.verdict()+seen.Detail())},
	}
	res.Effects[0].Change = seen.Change
	if out.Stopped {
		return res, tools.EndedError(ctx, "run_command", "and was killed")
	}
	return res, nil
}

// label is that of what a command writes, on its streams and in files. It holds what the household has; it is a stranger's
// where a stranger's words are in what it is made of or in what it can read, and where somebody could talk to it.
func (s *ShellTool) label(ctx context.Context, network bool) event.Label {
	l := event.Label{Private: true, Untrusted: network || s.cfg.Sandbox.Tier(ctx) == sandbox.T4, Source: "command"}
	caller := tools.CallerFrom(ctx).Label
	return l.Join(event.Label{Untrusted: caller.Untrusted, Source: caller.Source}).Join(s.taint(ctx))
}

// taint is where what a command can read comes from at the moment.
func (s *ShellTool) taint(ctx context.Context) event.Label {
	if s.cfg.Taint == nil {
		return event.Label{}
	}
	return s.cfg.Taint(context.WithoutCancel(ctx)) // a call that is stopped has its label all the same
}

// check returns how long a command may run, or what is wrong with its arguments.
func (s *ShellTool) check(in networkArgs) (time.Duration, error) {
	limit := s.cfg.Timeout
	switch {
	case strings.TrimSpace(in.Command) == "":
		return 0, tools.Invalid(event.CodeRequiredField, "command: must not be empty")
	case strings.ContainsRune(in.Command, 0):
		return 0, tools.Invalid(event.CodeInvalidValue, "command: holds a NUL")
	case len(in.Command) > maxCommand:
		return 0, tools.Invalid(event.CodeInvalidValue, "command: is longer than %d bytes", maxCommand).
			Suggest("write it to a file with write_file and run that")
	case in.Background && in.Timeout > 0:
		return 0, tools.Invalid(event.CodeInvalidValue, "timeout: a command in the background has none; stop it with process")
	case int64(in.Timeout) > int64(limit/time.Second):
		e := tools.Invalid(event.CodeInvalidValue, "timeout: must be at most %d, not %d", int(limit/time.Second), in.Timeout)
		if s.cfg.Background != nil {
			e = e.Suggest("run what takes longer with background")
		}
		return 0, e
	case in.Timeout > 0:
		limit = time.Duration(in.Timeout) * time.Second
	}
	return limit, nil
}

// background starts a process.
func (s *ShellTool) background(ctx context.Context, p sandbox.Policy, c sandbox.Command, line string, label event.Label) (
	tools.Result, error,
) {
	if s.cfg.Background == nil {
		return tools.Result{}, tools.Disabled("background: nothing can run in the background here, where no conversation is").
			Suggest("run it without")
	}
	c.Env = append(c.Env, "PYTHONUNBUFFERED=1") // or nothing of what it writes is seen before its end
	from := source{label: label, taint: s.taint, after: s.before(ctx, line, label)}
	res, err := s.cfg.Background.start(ctx, line, from, func(c2 sandbox.Command) (*sandbox.Process, error) {
		c.Live, c.Timeout = c2.Live, c2.Timeout
		return s.cfg.Sandbox.Start(context.WithoutCancel(ctx), p, c)
	})
	if err != nil && len(res.Effects) == 0 {
		return s.failedResult(ctx, err)
	}
	return res, err
}

// failedResult is the result of a command that never began.
func (s *ShellTool) failedResult(ctx context.Context, err error) (tools.Result, error) {
	own := (*tools.Error)(nil)
	switch {
	case ctx.Err() != nil, errors.As(err, &own):
		return tools.Result{}, err
	case errors.Is(err, sandbox.ErrOff):
		return tools.Result{}, s.offError(ctx)
	}
	return tools.Result{}, tools.Failed("the command could not be run: %s", display.Reason(err))
}

// offError is the error where commands are switched off. Its hint says why, and what the person may do about it.
func (s *ShellTool) offError(ctx context.Context) error {
	var hints []string
	if s.cfg.ReadOnly && s.cfg.Unsandboxed {
		hints = append(hints, "the workspace is read-only, and without a sandbox nothing keeps a command from writing")
	}
	for _, r := range s.cfg.Sandbox.Report(ctx).Refused {
		hint := fmt.Sprintf("%s: %s", r.Tier, r.Reason)
		if r.Advice != "" {
			hint += "; " + r.Advice
		}
		hints = append(hints, hint)
	}
	if !s.cfg.Unsandboxed {
		hints = append(hints, "[shell] allow_unsandboxed lets commands run without a sandbox, each after you were asked")
	}
	return &tools.HintedError{Hint: strings.Join(hints, ". "), Err: tools.Disabled("commands are switched off on this machine").
		Suggest("do it with the other tools, or say that you cannot")}
}

// environment is all a command knows of the world: nothing of hob's own environment. An editor, a pager or a password
// prompt that nobody can answer fails at once instead of waiting.
func (s *ShellTool) environment(network bool) []string {
	env := []string{
		"PATH=" + searchPath,
		"HOME=" + s.cfg.Dir,
		"LANG=C.UTF-8",
		"TERM=dumb",
		"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
		"PAGER=cat", "GIT_PAGER=cat",
		"GIT_TERMINAL_PROMPT=0", "DEBIAN_FRONTEND=noninteractive", "PIP_NO_INPUT=1", "npm_config_yes=true",
	}
	if network {
		env = append(env, ProxyEnv()...)
	}
	return env
}

// ProxyEnv are the variables by which programs in the sandbox find the network where there is one.
func ProxyEnv() (env []string) {
	for _, name := range []string{"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		env = append(env, name+"="+proxyAddress)
	}
	return env
}
