// Package tools holds the contract of a tool, the registry, and tools as commands. The tools
// themselves are in the packages below it, one for each family.
//
// Anybody can implement [Tool]; its four methods are the whole contract. A tool can also implement
// [Runner] (typed results) and [Describer] (what it may do, how long it may take); [New] builds one
// that implements all three from a typed function. A tool that does not describe itself counts as
// able to do anything.
//
// Arguments are checked strictly here. Coercion and repair of a model's calls happen before, in
// package toolcall. An unknown argument is an error that names it.
package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"hob/internal/event"
)

// Tool is something that an agent can do.
type Tool interface {
	Name() string               // unique in a registry; snake_case
	Description() string        // for the model
	Parameters() map[string]any // JSON Schema of the params object
	// Execute runs the tool. Its error is for the model.
	Execute(ctx context.Context, params map[string]any) (string, error)
}

// Runner is an optional interface: the runtime calls Run instead of Execute.
type Runner interface {
	Run(ctx context.Context, args json.RawMessage) (Result, error)
}

// Describer is an optional interface: it tells the runtime more than the four methods do.
type Describer interface {
	Def() Def
}

// Result is the result of a tool.
type Result struct {
	Text    string         // for the model
	Data    any            // for programs; marshals to JSON
	Effects []event.Effect // receipts for what was done
	Files   []event.File
	Choices []event.Choice
	Label   event.Label // the origin of Text
}

// Error is a tool's typed failure.
type Error = event.Error

// Capabilities is a set of things that a tool may do, and of flags that qualify them.
type Capabilities uint16

// The capabilities, and the flags that qualify them.
const (
	Reads     Capabilities = 1 << iota // reads something and changes nothing; may be repeated after a crash
	Writes                             // changes the workspace
	Executes                           // runs programs
	Sends                              // sends something off the machine
	Private                            // its results are private to the household
	Untrusted                          // its results were written by strangers
	Destroys                           // what it does cannot be undone
	Spends                             // it costs money
	Authority                          // it changes what others may do
	Polls                              // made to be called again and again: repeats are no loop
	Confined                           // the kernel confines what it runs to the workspace
	Outside                            // changes files outside the workspace, in a folder that a person opened
	Persists                           // keeps something for later conversations: memory, plans
	Plays                              // changes only the world of a story, which people can undo
	Replays                            // a repeated call with the same [CallRef] is done once, and returns the first result
)

// Has reports whether p holds all of q.
func (p Capabilities) Has(q Capabilities) bool { return p&q == q }

// Repeatable reports whether a call may be repeated after a crash, and run in parallel with others,
// because it only reads.
func (p Capabilities) Repeatable() bool {
	return p.Has(Reads) && p&(Writes|Executes|Destroys|Spends|Authority) == 0
}

// AnyCapability is the assumption for a tool that does not describe itself.
const AnyCapability = Writes | Executes | Sends | Untrusted | Destroys

// Def describes a tool.
type Def struct {
	Name         string
	Description  string
	Capabilities Capabilities
	Timeout      time.Duration // 0 means DefaultTimeout; negative means that the tool limits itself

	Level     Level    // the lowest level that may call it
	Platforms []string // where it works, such as "telegram"; none means all
	Scopes    []string // "private", "group", "channel"; none means all
	Hidden    bool     // not in any model's list; people can call it

	Tags     []string // topics of the tool
	Keywords []string // words of messages that may need it
	Command  string   // its pattern as a command, such as "weather <city:string> [unit:string]"; "": made from the schema
	Order    []string // of the arguments in a pattern made from the schema; others have names only
	Aliases  []string // further names of the command
	Examples []string // example lines, such as "weather Berlin unit=F"
	// Renamed maps old names of arguments to new ones. For one release people and programs may use
	// the old name, see [Rename]. No schema has it.
	Renamed map[string]string
	Source  string // where the tool comes from; "": hob itself

	// Check refuses arguments that fit the schema but can never work on any machine, with an
	// [*Error] or a [*HintedError]. No person is asked about a call that it refuses. It must be
	// quick and must not ask anybody itself. Nil: the schema is enough. [CheckArgs] makes a Check
	// from a typed function.
	Check func(args json.RawMessage) error
	// CapabilitiesOf returns what one call may do, if that depends on its arguments or on what this
	// machine can enforce; see the function of that name. Nil means Capabilities. The first call
	// may be slow.
	CapabilitiesOf func(ctx context.Context, args json.RawMessage) Capabilities
	// ResourcesOf returns what one call is about to touch. Nil means that this is unknown, so no
	// grant covers the tool.
	ResourcesOf func(args json.RawMessage) []Resource
	// Bind returns what a call will run in and on, so that an approval holds only for that. Nil
	// means nothing beside its arguments.
	Bind func(ctx context.Context, args json.RawMessage) (event.Binding, error)
}

// Resource is one thing that a call is about to touch. Grants are given for it, and labels are
// checked against it.
type Resource struct {
	Host string // it sends to this host: in lower case, with the port unless that is the scheme's default
	URL  string // exactly as it will be requested
	Path string // absolute path of a file

	ToAsker bool // it sends only to the person who asks
	// InGroup names what it acts on in the group of the call, as people write it: "4711", "@cem".
	// Such an action must be small, visible to everybody there, and reversible by them.
	InGroup string
}

// PrivateScopes are the Scopes of a [Def] for the household's own files and programs: only where
// nobody else reads along.
func PrivateScopes() []string { return []string{"private"} }

// BuiltIn is the source of hob's own tools.
const BuiltIn = "built-in"

// DefaultTimeout limits a tool that sets no timeout.
const DefaultTimeout = 60 * time.Second

// DefOf returns the description of t, or the most careful assumption.
func DefOf(t Tool) Def {
	if d, ok := t.(Describer); ok {
		return d.Def()
	}
	return Def{Name: t.Name(), Description: t.Description(), Capabilities: AnyCapability}
}

// CapabilitiesOf returns what a call of t with valid args may do. It is never less than the call
// really does; the Capabilities of t's [Def] cover all its calls together.
func CapabilitiesOf(ctx context.Context, t Tool, args json.RawMessage) Capabilities {
	d := DefOf(t)
	if d.CapabilitiesOf != nil {
		return d.CapabilitiesOf(ctx, args)
	}
	return d.Capabilities
}

// ResourcesOf returns what a call of t with valid args is about to touch, and whether t says so.
func ResourcesOf(t Tool, args json.RawMessage) ([]Resource, bool) {
	if d := DefOf(t); d.ResourcesOf != nil {
		return d.ResourcesOf(args), true
	}
	return nil, false
}

// BindingOf returns what a call of t with valid args would run in and on now.
func BindingOf(ctx context.Context, t Tool, args json.RawMessage) (event.Binding, error) {
	if d := DefOf(t); d.Bind != nil {
		return d.Bind(ctx, args)
	}
	return event.Binding{}, nil
}

// SourceOf returns where t comes from.
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

// Caller says for whom a tool runs.
type Caller struct {
	Chat event.Chat
	User string
	event.Principal
	RequestID string
	Turn      int64       // the Seq of the Said that began the turn; 0: no turn
	Call      CallRef     // identifies the call in its turn; zero outside of a call
	Pick      string      // of the picked choice, if the turn began with one
	Label     event.Label // of everything that the call is based on: what it writes gets at least this label
	// Typed says that a person made the call themselves, to the letter, and no model. Words are the
	// asking person's own words, newest last, without anything forwarded, attached or written by
	// others.
	Typed bool
	Words []string
}

// Person returns the caller as PLATFORM/ID, or "" if unknown.
func (c Caller) Person() string {
	if c.Platform == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s", c.Platform, c.User)
}

// Cause returns the cause to record with a change that the caller makes with a tool, so that it can
// be undone.
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

// WithApproved returns a context for a call that a person approved. b is what they were shown that
// it runs in and on.
func WithApproved(ctx context.Context, b event.Binding) context.Context {
	return context.WithValue(ctx, approvedKey{}, b)
}

// ApprovedFrom returns what a person was shown before they approved the call of ctx. It reports
// false if nobody was asked.
func ApprovedFrom(ctx context.Context) (event.Binding, bool) {
	b, ok := ctx.Value(approvedKey{}).(event.Binding)
	return b, ok
}

type judgeKey struct{}

// WithJudge returns a context for a call that may be redirected beyond its permitted resources.
// judge reports whether it may send to such a resource without a question.
func WithJudge(ctx context.Context, judge func(ctx context.Context, to Resource) bool) context.Context {
	return context.WithValue(ctx, judgeKey{}, judge)
}

// MayFollow reports whether the call of ctx may send to a resource beyond its permitted ones. A
// call without private data may, because it has nothing to leak. For others policy decides; without
// policy they may not.
func MayFollow(ctx context.Context, to Resource) bool {
	if !CallerFrom(ctx).Label.Private {
		return true
	}
	judge, ok := ctx.Value(judgeKey{}).(func(context.Context, Resource) bool)
	return ok && judge(ctx, to)
}

// Unbounded is the context of a caller that has none, because the signature of the contract takes
// none. Such calls end by their own limits.
type Unbounded struct{}

// Deadline reports that there is none.
func (Unbounded) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done returns nil: it never ends.
func (Unbounded) Done() <-chan struct{} { return nil }

// Err returns nil: it has not ended.
func (Unbounded) Err() error { return nil }

// Value returns nil, so [CallerFrom] returns the caller of the lowest level.
func (Unbounded) Value(any) any { return nil }
