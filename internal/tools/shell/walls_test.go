package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/shell"
	"hob/internal/tools/toolstest"
)

// fakeWalls is a sandbox that runs nothing and says what it is told to.
type fakeWalls struct {
	tier    sandbox.Tier
	out     sandbox.Outcome
	err     error
	refused []sandbox.Refusal
	got     []sandbox.Command
}

func (f *fakeWalls) Tier(context.Context) sandbox.Tier { return f.tier }
func (f *fakeWalls) Report(context.Context) sandbox.Report {
	return sandbox.Report{Tier: f.tier, Refused: f.refused}
}

func (f *fakeWalls) Run(_ context.Context, _ sandbox.Policy, c sandbox.Command) (sandbox.Outcome, error) {
	f.got = append(f.got, c)
	f.out.Tier = f.tier
	return f.out, f.err
}

func (f *fakeWalls) Start(_ context.Context, _ sandbox.Policy, c sandbox.Command) (*sandbox.Process, error) {
	f.got = append(f.got, c)
	return nil, errors.New("it starts nothing")
}

// A limit that was reached is named in words.
func TestRunCommand_SaysWhyItWasKilled(t *testing.T) {
	for want, out := range map[string]sandbox.Outcome{
		"exit status 0":                               {},
		"exit status 127":                             {Exit: 127},
		"ended by signal: segmentation fault":         {Exit: -1, Signal: "segmentation fault"},
		"killed: it used more than 512 MiB of memory": {Exit: -1, Signal: "killed", Over: "memory"},
		"killed: it had more than 40 processes":       {Exit: -1, Signal: "killed", Over: "processes"},
		"killed after it wrote 3 B":                   {Exit: -1, Signal: "killed", Flooded: true, Stdout: sandbox.Output{Total: 3, Head: []byte("abc")}},
		"killed after 7s: out of time":                {Exit: -1, Signal: "killed", TimedOut: true},
	} {
		s, _ := shellIn(t, shell.Config{Sandbox: &fakeWalls{tier: sandbox.T1, out: out}, Memory: 512 << 20, Processes: 40, Timeout: 7 * time.Second})
		res, err := shellRun(t, t.Context(), s, "x")
		if first, _, _ := strings.Cut(res.Text, "\n"); first != want || err != nil {
			t.Errorf("%q, %v; want %q", first, err, want)
		}
	}
}

// The sandbox gets the command as it stands, the time and the environment; the result says where it ran.
func TestRunCommand_HandsOver(t *testing.T) {
	f := &fakeWalls{tier: sandbox.T2, out: sandbox.Outcome{Stdout: sandbox.Output{Head: []byte("hi"), Total: 2}}}
	s, _ := shellIn(t, shell.Config{Sandbox: f, Timeout: 9 * time.Second})
	res, err := tools.Call(t.Context(), s.Tool(), json.RawMessage(`{"command":"echo \"$HOME\" 'x'","timeout":3}`))
	if err != nil || res.Text != "hi" || shellData(t, res).Tier != "T2" {
		t.Errorf("%q, %v, %+v", res.Text, err, res.Data)
	}
	if len(f.got) != 1 || len(f.got[0].Env) < 10 {
		t.Fatalf("the sandbox got %+v", f.got)
	}
	f.got[0].Env = nil
	want := sandbox.Command{Args: []string{f.got[0].Args[0], "-c", "--", `echo "$HOME" 'x'`}, Timeout: 3 * time.Second}
	if diff := cmp.Diff(want, f.got[0]); diff != "" || !strings.HasSuffix(f.got[0].Args[0], "/sh") {
		t.Error(diff, f.got[0].Args[0])
	}
}

// What a command may do is what its walls let it: policy judges by that.
func TestRunCommand_PowersAreThoseOfItsWalls(t *testing.T) {
	const risky = tools.Executes | tools.Writes | tools.Destroys
	serve := func(context.Context, net.Listener) {}
	for _, c := range []struct {
		name string
		tier sandbox.Tier
		cfg  shell.Config
		args string
		want tools.Capabilities
	}{
		{"T1", sandbox.T1, shell.Config{}, `{"command":"x"}`, tools.Executes | tools.Writes | tools.Confined},
		{"T2", sandbox.T2, shell.Config{}, `{"command":"x"}`, tools.Executes | tools.Writes | tools.Confined},
		{"in the background", sandbox.T1, shell.Config{}, `{"command":"x","background":true}`, tools.Executes | tools.Writes | tools.Confined},
		{"T3 lets see what is there", sandbox.T3, shell.Config{}, `{"command":"x"}`, risky},
		{"no walls", sandbox.T4, shell.Config{Unsandboxed: true}, `{"command":"x"}`, risky},
		{"nothing runs", sandbox.T4, shell.Config{}, `{"command":"x"}`, tools.Reads},
		{"nothing runs where it could write", sandbox.T4, shell.Config{Unsandboxed: true, ReadOnly: true}, `{"command":"x"}`, tools.Reads},
		{"the network", sandbox.T1, shell.Config{Serve: serve}, `{"command":"x","network":true}`, risky | tools.Sends},
		{"a network that is not there", sandbox.T3, shell.Config{Serve: serve}, `{"command":"x","network":true}`, tools.Reads},
		{"not the network", sandbox.T1, shell.Config{Serve: serve}, `{"command":"x","network":false}`, tools.Executes | tools.Writes | tools.Confined},
	} {
		c.cfg.Sandbox = &fakeWalls{tier: c.tier}
		s, _ := shellIn(t, c.cfg)
		if got := tools.CapabilitiesOf(t.Context(), s.Tool(), json.RawMessage(c.args)); got != c.want {
			t.Errorf("%s: %b, want %b", c.name, got, c.want)
		}
	}
}

// Where there are no walls the model is told that commands are off, and only the owner what to do about it.
func TestRunCommand_WithoutWalls(t *testing.T) {
	refused := []sandbox.Refusal{{Tier: sandbox.T1, Reason: "user namespaces are switched off", Advice: "set kernel.x to 1"}, {Tier: sandbox.T3, Reason: "no Landlock"}}
	for name, f := range map[string]*fakeWalls{
		"known before": {tier: sandbox.T4, refused: refused},
		"found out":    {tier: sandbox.T1, refused: refused, err: sandbox.ErrOff},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := shellIn(t, shell.Config{Sandbox: f})
			res, err := shellRun(t, t.Context(), s, "ls")
			toolstest.IsError(t, err, event.CodeToolDisabled, "commands are switched off on this machine")
			if e := (*tools.Error)(nil); !errors.As(err, &e) || e.Type != event.TypeDisabled || strings.Contains(e.Message+e.Suggestion, "kernel") || strings.Contains(e.Message+e.Suggestion, "allow") {
				t.Errorf("the model reads %+v", err)
			}
			want := tools.Hint{Hint: "T1: user namespaces are switched off; set kernel.x to 1. T3: no Landlock. " +
				"[shell] allow_unsandboxed lets commands run without a sandbox, each after you were asked"}
			if diff := cmp.Diff(any(want), res.Data); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("walls that break", func(t *testing.T) {
		s, _ := shellIn(t, shell.Config{Sandbox: &fakeWalls{tier: sandbox.T1, err: errors.New("mount /proc: no")}})
		_, err := shellRun(t, t.Context(), s, "true")
		toolstest.IsError(t, err, event.CodeExecutionFailed, "the command could not be run: mount /proc: no")
	})
	t.Run("a network that these walls have not", func(t *testing.T) {
		s, _ := shellIn(t, shell.Config{Sandbox: &fakeWalls{tier: sandbox.T3}, Serve: func(context.Context, net.Listener) {}})
		_, err := tools.Call(t.Context(), s.Tool(), json.RawMessage(`{"command":"curl x","network":true}`))
		toolstest.IsError(t, err, event.CodeToolDisabled, "commands have no network on this machine")
	})
}

// The network is an argument only where the owner listed hosts; the proxy is in the environment of those commands alone
// that ask for it, and what they say is a stranger's.
func TestRunCommand_Network(t *testing.T) {
	f := &fakeWalls{tier: sandbox.T1}
	s, _ := shellIn(t, shell.Config{Sandbox: f, Serve: func(context.Context, net.Listener) {}})
	for args, want := range map[string]bool{`{"command":"x"}`: false, `{"command":"x","network":true}`: true} {
		f.got = nil
		res, err := tools.Call(t.Context(), s.Tool(), json.RawMessage(args))
		if err != nil || res.Label != (event.Label{Private: true, Untrusted: want, Source: "command"}) {
			t.Errorf("%s: %v, %+v", args, err, res.Label)
		}
		for _, name := range []string{"http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
			if got := slices.Contains(f.got[0].Env, name+"=http://127.0.0.1:3128"); got != want {
				t.Errorf("%s: %s in the environment: %v", args, name, got)
			}
		}
	}
	plain, _ := shellIn(t, shell.Config{Sandbox: f})
	for has, tool := range map[bool]tools.Tool{true: s.Tool(), false: plain.Tool()} {
		if got := strings.Contains(string(tools.Schema([]tools.Tool{tool})[0].Parameters), "network"); got != has {
			t.Errorf("the schema has a network: %v, want %v", got, has)
		}
	}
}
