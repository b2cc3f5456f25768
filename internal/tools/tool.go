// Package tools is what an agent can do: the contract of a tool, the registry, and tools as commands. The tools themselves
// are in the packages below it, one for each family.
//
// Anybody can implement [Tool]; its four methods are the whole contract. A tool that knows more about itself also
// implements [Runner] (typed results) and [Describer] (what it may do, how long it may take); [New] builds one that
// implements all three from a typed function. A tool that does not describe itself counts as able to do anything.
//
// Arguments are strict here: coercion and repair happen at the model's door, before a call gets here. An unknown
// argument is an error that names it.
package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"hob/internal/event"
)

// Tool is something an agent can do.
type Tool interface {
	Name() string               // unique in a registry; snake_case
	Description() string        // for the model
	Parameters() map[string]any // JSON Schema of the params object
	// Execute runs the tool. An error is for the model to read.
	Execute(ctx context.Context, params map[string]any) (string, error)
}

// Runner is what the runtime uses in place of Execute when a tool has it.
type Runner interface {
	Run(ctx context.Context, args json.RawMessage) (Result, error)
}

// Describer is a tool that says what the runtime must know beyond the four methods.
type Describer interface {
	Def() Def
}

// Result is what a tool has to say.
type Result struct {
	Text    string         // for the model
	Data    any            // for programs; marshals to JSON
	Effects []event.Effect // what was done, as receipts
	Files   []event.File
	Choices []event.Choice
	Label   event.Label // where Text came from
}

// Error is a tool's typed failure.
type Error = event.Error

// Capabilities is a set of things a tool may do, and of what that means.
type Capabilities uint16

// What a tool may do, and the flags that qualify it.
const (
	Reads     Capabilities = 1 << iota // looks at something and leaves it as it is; may be repeated after a crash
	Writes                             // changes the workspace
	Executes                           // runs programs
	Sends                              // makes something leave the machine
	Private                            // its results are the household's own
	Untrusted                          // its results were written by strangers
	Destroys                           // what it does cannot be taken back
	Spends                             // it costs money
	Authority                          // it changes what others may do
	Polls                              // asking again is its use: repeating it is no loop
	Confined                           // the kernel keeps what it runs to the workspace, and away from everybody
	Outside                            // what it changes lies outside the workspace, in a folder that a person opened
	Persists                           // later conversations are told what it keeps: memory, plans
	Plays                              // it changes nothing but the world of a story, where people can take it back
	Replays                            // a call that is made again with its [CallRef] answers what came of it, and is not done twice
)

// Has reports whether p holds all of q.
func (p Capabilities) Has(q Capabilities) bool { return p&q == q }

// Repeatable reports whether a call of such a tool may be repeated after a crash and run beside others: it only looks.
func (p Capabilities) Repeatable() bool {
	return p.Has(Reads) && p&(Writes|Executes|Destroys|Spends|Authority) == 0
}

// AnyCapability is what a tool that does not describe itself is taken to do.
const AnyCapability = Writes | Executes | Sends | Untrusted | Destroys

// Def is what a tool says about itself.
type Def struct {
	Name         string
	Description  string
	Capabilities Capabilities
	Timeout      time.Duration // 0 means DefaultTimeout; negative means the tool keeps its own

	Level     Level    // the lowest that may call it
	Platforms []string // on which it works, such as "telegram"; none means all
	Scopes    []string // likewise "private", "group", "channel"
	Hidden    bool     // models are not told of it; people can call it

	Tags     []string // what it is about
	Keywords []string // words of a message that it may be needed for
	Command  string   // its pattern as a command, such as "weather <city:string> [unit:string]"; "" is made from the schema
	Order    []string // of the arguments of a pattern that is made from the schema, those that are left out by their names
	Aliases  []string // further names of the command
	Examples []string // lines as people write them, such as "weather Berlin unit=F"
	// Renamed has the arguments whose names have changed: old to new. For one release people and programs may give the
	// old name, see [Rename]. No schema has it.
	Renamed map[string]string
	Source  string // where it comes from; "" is hob itself

	// Check says what is wrong with arguments that fit the schema and can never work, whatever the machine holds: an [*Error], a
	// [*HintedError], or nil. Nobody is asked about a call that it refuses. It is quick, and asks nobody itself. Nil takes what fits
	// the schema. [CheckArgs] makes one of a typed function.
	Check func(args json.RawMessage) error
	// CapabilitiesOf says what one call may do, where that depends on its arguments or on what this machine can enforce; see
	// the function of that name. Nil means Capabilities. It may take a while the first time.
	CapabilitiesOf func(ctx context.Context, args json.RawMessage) Capabilities
	// ResourcesOf says what one call is about to touch. Nil means that it cannot be said: no grant covers it.
	ResourcesOf func(args json.RawMessage) []Resource
	// Bind says what a call will run in and on, for approvals to hold on to. Nil means nothing beside its arguments.
	Bind func(ctx context.Context, args json.RawMessage) (event.Binding, error)
}

// Resource is one thing that a call is about to touch: what grants are given for and labels are held against.
type Resource struct {
	Host string // it sends to: in small letters, with the port where that is not the scheme's own
	URL  string // exactly as it will be asked for
	Path string // of a file: absolute

	ToAsker bool // it sends to the person who asks and to nobody else
	// InGroup is who or what it is done to in the group that the call is made in, as people name that: "4711", "@cem". What is
	// done must be small, be seen by all there, and be theirs to take back.
	InGroup string
}

// PrivateScopes are the Scopes of a [Def] in which the household's own files and programs may be used: not where
// others read along.
func PrivateScopes() []string { return []string{"private"} }

// BuiltIn is the source of hob's own tools.
const BuiltIn = "built-in"

// DefaultTimeout bounds a tool that names no other.
const DefaultTimeout = 60 * time.Second

// DefOf returns what t says about itself, or the most careful guess.
func DefOf(t Tool) Def {
	if d, ok := t.(Describer); ok {
		return d.Def()
	}
	return Def{Name: t.Name(), Description: t.Description(), Capabilities: AnyCapability}
}

// CapabilitiesOf returns what a call of t with args may do, args being valid. It is never less than what may come of the call;
// the Capabilities of t's [Def] are those of all its calls together.
func CapabilitiesOf(ctx context.Context, t Tool, args json.RawMessage) Capabilities {
	d := DefOf(t)
	if d.CapabilitiesOf != nil {
		return d.CapabilitiesOf(ctx, args)
	}
	return d.Capabilities
}

// ResourcesOf returns what a call of t with args is about to touch, args being valid, and whether t says so.
func ResourcesOf(t Tool, args json.RawMessage) ([]Resource, bool) {
	if d := DefOf(t); d.ResourcesOf != nil {
		return d.ResourcesOf(args), true
	}
	return nil, false
}

// BindingOf returns what a call of t with args will run in and on now, args being valid.
func BindingOf(ctx context.Context, t Tool, args json.RawMessage) (event.Binding, error) {
	if d := DefOf(t); d.Bind != nil {
		return d.Bind(ctx, args)
	}
	return event.Binding{}, nil
}

// SourceOf says where t comes from.
func SourceOf(t Tool) string { return cmp.Or(DefOf(t).Source, BuiltIn) }

// Level is a caller's permission level. Higher includes lower.
type Level = event.Level

// The levels, lowest first. The zero Level is the lowest: a missing level never gives rights.
const (
	User       = event.User
	GroupAdmin = event.GroupAdmin
	GroupOwner = event.GroupOwner
	BotAdmin   = event.BotAdmin
	Owner      = event.Owner
)

// Caller says on whose behalf a tool runs.
type Caller struct {
	Chat event.Chat
	User string
	event.Principal
	RequestID string
	Turn      int64       // the Seq of the Said that it is about; 0: of no turn
	Call      CallRef     // which call of its turn it is; zero outside of a call
	Pick      string      // of the choice that was picked, where the turn began with one
	Label     event.Label // of all that the call was made from: what it writes has at least that
	// Typed says that a person has made the call themselves, to the last letter; else a model has. Words are what whoever asks has said
	// themselves, the newest last: nothing that was forwarded, attached or that somebody else wrote.
	Typed bool
	Words []string
}

// Person is who calls, as PLATFORM/ID; "" where nobody knows.
func (c Caller) Person() string {
	if c.Platform == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s", c.Platform, c.User)
}

// Cause says that the caller changes something with a tool, so that it can be taken back.
func (c Caller) Cause(tool string) event.Cause {
	return event.Cause{By: c.Person(), Chat: c.Chat, Turn: c.Turn, Tool: tool}
}

type callerKey struct{}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the caller that ctx carries, or the zero Caller, which has the lowest level.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

type approvedKey struct{}

// WithApproved returns a context for a call that a person has said yes to: b is what they were shown that it runs in and on.
func WithApproved(ctx context.Context, b event.Binding) context.Context {
	return context.WithValue(ctx, approvedKey{}, b)
}

// ApprovedFrom returns what a person was shown before they said yes to the call that ctx is for. It reports false if nobody
// was asked.
func ApprovedFrom(ctx context.Context) (event.Binding, bool) {
	b, ok := ctx.Value(approvedKey{}).(event.Binding)
	return b, ok
}

type judgeKey struct{}

// WithJudge returns a context in which a call is asked about what it is led to, beyond the resources that it was allowed: judge
// reports whether it may send there without a question.
func WithJudge(ctx context.Context, judge func(ctx context.Context, to Resource) bool) context.Context {
	return context.WithValue(ctx, judgeKey{}, judge)
}

// MayFollow reports whether the call of ctx may send to a resource that it was not allowed. A call of nothing private may go on
// anywhere: it has nothing to tell. Of others policy decides, and where it cannot be asked they may not.
func MayFollow(ctx context.Context, to Resource) bool {
	if !CallerFrom(ctx).Label.Private {
		return true
	}
	judge, ok := ctx.Value(judgeKey{}).(func(context.Context, Resource) bool)
	return ok && judge(ctx, to)
}

// Unbounded is the context of a caller that could bring none, because the signature of the contract has no room for
// one. Such calls end by their own bounds.
type Unbounded struct{}

// Deadline reports that there is none.
func (Unbounded) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done returns nil: it never ends.
func (Unbounded) Done() <-chan struct{} { return nil }

// Err returns nil: it has not ended.
func (Unbounded) Err() error { return nil }

// Value returns nil: it carries nothing, so [CallerFrom] returns the caller of the lowest level.
func (Unbounded) Value(any) any { return nil }
