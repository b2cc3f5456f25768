package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/event"
)

// Bounds of run_command.
const (
	defaultKeep = 256 << 10 // bytes kept of each end of each stream
	defaultMost = 64 << 20  // bytes both streams may have together
	maxCommand  = 96 << 10  // bytes of a command; the kernel takes 128 KiB
)

// ShellConfig says how a [ShellTool] runs commands.
type ShellConfig struct {
	Dir     string        // the workspace: the commands' working folder and HOME; made when it is missing
	Timeout time.Duration // the longest a command may run, and the default; 0 means 60 s
	Keep    int           // bytes kept of each end of each stream; 0 means 256 KiB: what is shown of it is the agent's to say
	Most    int64         // bytes that a command may write before it is killed; 0 means 64 MiB
	Env     []string      // NAME=value; added to the few variables that every command gets, or replacing them
	// Run runs a command. Nil means [RunPlain]: without any walls.
	Run func(ctx context.Context, c Command) (Outcome, error)
}

// Command is a command line and the conditions under which it runs.
type Command struct {
	Line    string // for /bin/sh
	Dir     string // absolute
	Env     []string
	Timeout time.Duration
	Keep    int
	Most    int64
}

// Outcome is how a command ended and what it wrote. A command that was started has an Outcome and no error, whatever
// became of it.
type Outcome struct {
	Exit     int    // -1 when a signal ended it
	Signal   string // such as "killed"
	TimedOut bool   // it was killed when its time was up
	Flooded  bool   // it was killed because it wrote too much
	Left     int    // processes it left behind, which were killed
	Stdout   Output
	Stderr   Output
	Duration time.Duration
}

// Output is what a command wrote to a stream: its beginning and, when it was longer than both, its end.
type Output struct {
	Head, Tail []byte
	Total      int64 // bytes written
}

// ShellTool runs command lines with /bin/sh in the workspace. A command has no terminal, reads an empty standard
// input, and gets a small environment of its own without anything of hob's. When it ends, is cancelled or runs out of
// time, whatever it started is killed too.
type ShellTool struct {
	cfg   ShellConfig
	label event.Label
}

// NewShellTool checks cfg and fills in its defaults.
func NewShellTool(cfg ShellConfig) (*ShellTool, error) {
	if cfg.Dir == "" {
		return nil, errors.New("set up the shell: its working folder has no name")
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the workspace: %w", err)
	}
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the workspace: %w", err)
	}
	cfg.Dir = dir
	if cfg.Timeout <= 0 {
		cfg.Timeout = 60 * time.Second
	}
	if cfg.Keep <= 0 {
		cfg.Keep = defaultKeep
	}
	if cfg.Most <= 0 {
		cfg.Most = defaultMost
	}
	from := event.Label{Private: true, Source: "command"}
	if cfg.Run == nil {
		cfg.Run = RunPlain
		from.Untrusted = true // it can fetch what strangers wrote
	}
	return &ShellTool{cfg: cfg, label: from}, nil
}

type shellArgs struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty" jsonschema:"seconds" min:"1"`
}

// shellData is the Data of run_command.
type shellData struct {
	Exit       int    `json:"exit"`
	Signal     string `json:"signal,omitempty"`
	Stdout     string `json:"stdout"` // as in the text: the middle may be left out
	Stderr     string `json:"stderr"`
	Bytes      int64  `json:"bytes"` // written to both
	TimedOut   bool   `json:"timed_out"`
	DurationMS int64  `json:"duration_ms"`
}

// Tool returns run_command.
func (s *ShellTool) Tool() Tool {
	return New(Def{
		Name:        "run_command",
		Description: "Run a /bin/sh command in the workspace: no terminal, no input; what it starts ends with it.",
		Powers:      Executes | Writes | Destroys,
		Timeout:     -1, // its own, which also kills what was started
	}, s.run)
}

// ExecuteCommand runs a command line and returns its exit status and output as text. A command that fails is no error;
// one that could not be run is, of type [*Error].
func (s *ShellTool) ExecuteCommand(cmd string) (string, error) {
	res, err := s.run(unbounded{}, shellArgs{Command: cmd})
	return res.Text, err
}

func (s *ShellTool) run(ctx context.Context, in shellArgs) (Result, error) {
	limit := s.cfg.Timeout
	switch {
	case strings.TrimSpace(in.Command) == "":
		return Result{}, invalid(event.CodeRequiredField, "command: must not be empty")
	case strings.ContainsRune(in.Command, 0):
		return Result{}, invalid(event.CodeInvalidValue, "command: holds a NUL")
	case len(in.Command) > maxCommand:
		e := invalid(event.CodeInvalidValue, "command: is longer than %d bytes", maxCommand)
		e.Suggestion = "write it to a file with write_file and run that"
		return Result{}, e
	case int64(in.Timeout) > int64(limit/time.Second):
		return Result{}, invalid(event.CodeInvalidValue, "timeout: must be at most %d, not %d", int(limit/time.Second), in.Timeout)
	case in.Timeout > 0:
		limit = time.Duration(in.Timeout) * time.Second
	}
	out, err := s.cfg.Run(ctx, Command{
		Line: in.Command, Dir: s.cfg.Dir, Env: s.environment(), Timeout: limit, Keep: s.cfg.Keep, Most: s.cfg.Most,
	})
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, err // it never began
		}
		e := failed("the command could not be run: " + plainError(err))
		if own := (*Error)(nil); errors.As(err, &own) {
			e = own
		}
		return Result{}, e
	}
	res := Result{
		Text: out.text(limit), Data: out.data(),
		Effects: []event.Effect{{Kind: "ran", Target: in.Command, Detail: out.verdict(limit)}},
		Label:   s.label,
	}
	if ctx.Err() != nil && !out.TimedOut && out.Signal != "" {
		return res, ended(ctx, "run_command", "and was killed")
	}
	return res, nil
}

// environment is all a command knows of the world: nothing of hob's own environment. An editor or a password prompt
// that nobody can answer fails at once instead of waiting.
func (s *ShellTool) environment() []string {
	return append([]string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME=" + s.cfg.Dir,
		"LANG=C.UTF-8",
		"TERM=dumb",
		"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false",
		"PAGER=cat",
		"GIT_TERMINAL_PROMPT=0",
	}, s.cfg.Env...)
}

// verdict is how the command ended, in a few words.
func (o Outcome) verdict(limit time.Duration) string {
	switch {
	case o.TimedOut:
		return fmt.Sprintf("killed after %s: out of time", limit)
	case o.Flooded:
		return fmt.Sprintf("killed after it wrote %s", bytesOf(o.Stdout.Total+o.Stderr.Total))
	case o.Signal != "":
		return "ended by signal: " + o.Signal
	default:
		return fmt.Sprintf("exit status %d", o.Exit)
	}
}

func (o Outcome) text(limit time.Duration) string {
	var b strings.Builder
	b.WriteString(o.verdict(limit) + "\n")
	for _, stream := range []struct {
		name string
		Output
	}{{"stdout", o.Stdout}, {"stderr", o.Stderr}} {
		if text := stream.String(); text != "" {
			fmt.Fprintf(&b, "%s:\n%s", stream.name, text)
			if !strings.HasSuffix(text, "\n") {
				b.WriteString("\n")
			}
		}
	}
	if o.Stdout.Total+o.Stderr.Total == 0 {
		b.WriteString("(no output)\n")
	}
	if o.Left > 0 && !o.TimedOut && !o.Flooded {
		fmt.Fprintf(&b, "[killed %s that it had left running]\n", count(o.Left, "process", "processes"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (o Outcome) data() shellData {
	return shellData{
		Exit: o.Exit, Signal: o.Signal, Stdout: o.Stdout.String(), Stderr: o.Stderr.String(),
		Bytes: o.Stdout.Total + o.Stderr.Total, TimedOut: o.TimedOut, DurationMS: o.Duration.Milliseconds(),
	}
}

// String is the output as text. Where a part is left out a line says how much.
func (o Output) String() string {
	return o.told("left out; send the output to a file to see all of it")
}

// told is the output as text. Where a part is left out a line says how many bytes and what is told of them; the cuts
// are at the ends of lines where there are any near.
func (o Output) told(what string) string {
	missing := o.Total - int64(len(o.Head)+len(o.Tail))
	if missing <= 0 {
		return strings.ToValidUTF8(string(o.Head)+string(o.Tail), "\uFFFD")
	}
	head, tail := trimRune(o.Head), o.Tail
	const near = 512
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 && len(head)-i <= near {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i < near {
		tail = tail[i+1:]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	missing = o.Total - int64(len(head)+len(tail))
	after := ""
	if !bytes.HasSuffix(head, []byte("\n")) {
		after = "\n"
	}
	text := fmt.Sprintf("%s%s[... %d bytes %s ...]\n%s", head, after, missing, what, tail)
	return strings.ToValidUTF8(text, "\uFFFD")
}
