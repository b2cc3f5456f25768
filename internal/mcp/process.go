package mcp

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"hob/internal/sandbox"
)

// Command is a server to start.
type Command struct {
	Args []string // the program and its arguments
	Dir  string   // absolute: the folder in which it runs, and which it may change
	Env  []string // all of its environment, NAME=value; see [Environ]
}

// Start starts a server. ctx bounds the start alone: what was started lives until it ends, or is stopped.
type Start func(ctx context.Context, c Command) (*Process, error)

// Process is a server that was started.
type Process struct {
	In   io.WriteCloser // its standard input; Close ends a Write
	Out  io.ReadCloser  // its standard output; Close ends a Read, and what comes later is dropped
	Done <-chan struct{}
	Stop func()        // kills it with all that it started, and waits until they are gone
	Tail func() string // the last line that it wrote to standard error, or how it ended; may be nil
	Sees string        // what alone it sees of the machine, "" for all
	Left func() string // a note on what it left behind, "" for none; called once it is done; may be nil
}

// IsSealed reports whether rules in that sandbox keep a server off the network.
func IsSealed(box *sandbox.Sandbox, rules sandbox.Rules) func(context.Context) bool {
	return func(ctx context.Context) bool { return rules.Serve == nil && box.Tier(ctx) != sandbox.T4 }
}

// InSandbox starts servers in a sandbox. Of rules the workspace is the command's folder, and the output has no limit of its
// own: a server may live for weeks.
func InSandbox(box *sandbox.Sandbox, rules sandbox.Rules) Start {
	return func(ctx context.Context, c Command) (*Process, error) {
		rules.Workspace, rules.Limits.Output = c.Dir, math.MaxInt64
		policy, err := sandbox.NewPolicy(rules)
		if err != nil {
			return nil, err
		}
		life, end := context.WithCancel(context.WithoutCancel(ctx))
		started := context.AfterFunc(ctx, end)
		out := newSpool(maxSpool, patience)
		p, err := box.Start(life, policy, sandbox.Command{
			Args: c.Args, Env: c.Env, Open: true, Timeout: -1,
			Live: func(stream int, p []byte) {
				if stream == 1 && errors.Is(out.put(p), errFull) {
					end() // it has written more than is read: it is at an end
				}
			},
		})
		if err != nil {
			end()
			return nil, err
		}
		go func() { <-p.Done(); end(); out.finish() }()
		if !started() {
			p.Stop()
			return nil, context.Cause(ctx)
		}
		made := &Process{In: p.Input(), Out: out, Done: p.Done(), Stop: p.Stop, Tail: func() string { return tail(p) }}
		if box.Tier(ctx) != sandbox.T4 {
			made.Sees = "the programs of the system, its own folder and what read names"
		}
		return made, nil
	}
}

// WithoutSandbox starts servers without walls, in a session of their own, and kills them with all that they started: what the owner has
// chosen for a server that no sandbox lets work. The limits are those of rules.
func WithoutSandbox(limits sandbox.Limits) Start {
	box := sandbox.New(sandbox.Config{Only: sandbox.T4, Unsandboxed: true})
	return InSandbox(box, sandbox.Rules{Limits: limits})
}

// tail is the last line of what a process wrote to standard error, or how it ended.
func tail(p *sandbox.Process) string {
	_, stderr := p.Output()
	said := strings.TrimSpace(stderr.String())
	if i := strings.LastIndexByte(said, '\n'); i >= 0 {
		said = said[i+1:]
	}
	if said != "" {
		return said
	}
	select {
	case <-p.Done():
		return p.Wait().Error
	default:
		return ""
	}
}

// Environ is a clean environment for a server: PATH and LANG of hob's own, HOME, and what the owner names, which wins.
func Environ(hob []string, home string, named []string) []string {
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=" + home}
	for _, list := range [][]string{pick(hob, "PATH", "LANG"), named} {
		for _, v := range list {
			name, _, _ := strings.Cut(v, "=")
			i := 0
			for i < len(env) && !strings.HasPrefix(env[i], name+"=") {
				i++
			}
			if i == len(env) {
				env = append(env, "")
			}
			env[i] = v
		}
	}
	return env
}

func pick(env []string, names ...string) (picked []string) {
	for _, v := range env {
		for _, n := range names {
			if strings.HasPrefix(v, n+"=") && v != n+"=" {
				picked = append(picked, v)
			}
		}
	}
	return picked
}
