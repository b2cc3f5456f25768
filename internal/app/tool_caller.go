package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/jsonl"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/secret"
	"hob/internal/store"
	"hob/internal/tools"
)

// Invocation is a call of a tool without a model: a person types it, or another agent sends it.
type Invocation struct {
	Tool      string
	Words     []string        // the arguments, as typed
	Args      json.RawMessage // in place of Words
	Caller    tools.Caller
	RequestID string // the same id runs once; "": no id
	Yes       bool   // runs without a question
	// Ask asks a person. It returns who denied the call, or "" if it is allowed. nil means that
	// nobody is there.
	Ask func(ctx context.Context, tool string, q event.Asked) (deniedBy string)
}

// InvocationResult is the result of an [Invocation].
type InvocationResult struct {
	Result  tools.Result
	Refusal *tools.Error // nil: the tool ran
	Denied  bool         // denied by policy or a person
	Misused bool         // the tool does not exist, or does not take these arguments
	Hint    string       // cause of the failure, for the owner only
	Note    string       // hint on a renamed argument, for the caller; may be ""

	tool     tools.Tool // nil: no tool of that name
	args     json.RawMessage
	rule     policy.Rule
	duration time.Duration
}

// ToolCaller calls tools without a session, through the same policy and audit as a model's calls.
type ToolCaller struct {
	Toolset Toolset

	env     *Environment
	journal *store.DB
}

// OpenToolCaller opens the journal and the tools. The caller must close it.
func (s *Environment) OpenToolCaller(ctx context.Context) (*ToolCaller, error) {
	db, err := s.Egress.OpenJournal(ctx, store.OpenAlone) // once for all calls: opening it takes longer than most calls
	if err != nil {
		return nil, err
	}
	set, err := s.StandaloneTools(ctx, JournalTools(db))
	if err != nil {
		s.Egress.DetachJournal()
		return nil, errors.Join(err, db.Close())
	}
	return &ToolCaller{Toolset: set, env: s, journal: db}, nil
}

// Close closes the tools and the journal.
func (c *ToolCaller) Close() error {
	c.Toolset.Skills.Close()
	c.env.Egress.DetachJournal()
	return c.journal.Close()
}

// ListTools returns the tools that a caller may see.
func (c *ToolCaller) ListTools(ctx context.Context, by tools.Caller) ([]tools.Tool, error) {
	rules, err := c.env.CurrentPolicy(ctx, c.journal)
	return rules.ToolList(by, c.Toolset.ListedTools()), err
}

// Call makes a call and records it. The result is redacted. An error means that no tool was called,
// for example because the arguments do not parse.
func (c *ToolCaller) Call(ctx context.Context, in Invocation) (InvocationResult, error) {
	if in.RequestID != "" {
		return c.callOnce(ctx, in)
	}
	return c.call(ctx, in)
}

// outcome is the result of a call with an id, as the journal stores it.
type outcome struct {
	Text    string          `json:"text"`
	Data    json.RawMessage `json:"data"`
	Effects []event.Effect  `json:"effects"`
	Error   *tools.Error    `json:"error"`
	Denied  bool            `json:"denied"`
	Misused bool            `json:"misused,omitempty"`
}

// callOnce makes a call with an id. If the journal has its result, it returns that.
func (c *ToolCaller) callOnce(ctx context.Context, in Invocation) (InvocationResult, error) {
	requests, chat := c.journal.Requests(), string(in.Caller.Chat)
	hash := policy.HashArgs([]byte(in.Tool + " " + strings.Join(in.Words, "\x00")))
	begun, err := requests.Begin(ctx, chat, in.RequestID, hash)
	if other := (*store.RequestConflictError)(nil); errors.As(err, &other) {
		return InvocationResult{}, exit.Errorf(exit.Usage, "%v", err)
	}
	switch {
	case err != nil:
		return InvocationResult{}, err
	case begun.Done:
		var was outcome
		if err := json.Unmarshal(begun.Outcome, &was); err != nil {
			return InvocationResult{}, fmt.Errorf("read what came of %s: %w", in.RequestID, err)
		}
		return InvocationResult{Result: tools.Result{Text: was.Text, Data: was.Data, Effects: was.Effects}, Refusal: was.Error, Denied: was.Denied, Misused: was.Misused}, nil
	case begun.Known:
		return InvocationResult{}, exit.Errorf(exit.Failed, "a call with the id %s began before and has not ended: it runs, or was cut short and what came of it is unknown; "+
			"it was not made again", in.RequestID)
	}
	done, err := c.call(ctx, in)
	if err != nil {
		return done, err
	}
	data, err := json.Marshal(done.Result.Data)
	if err != nil {
		return done, err
	}
	raw, err := json.Marshal(outcome{done.Result.Text, data, done.Result.Effects, done.Refusal, done.Denied, done.Misused})
	if err != nil {
		return done, err
	}
	return done, requests.End(context.WithoutCancel(ctx), chat, in.RequestID, raw)
}

func (c *ToolCaller) call(ctx context.Context, in Invocation) (InvocationResult, error) {
	in.Caller.RequestID, in.Caller.Typed = in.RequestID, !in.Caller.Label.Untrusted
	ctx = tools.WithCaller(ctx, in.Caller)
	var done InvocationResult
	tool, err := c.Toolset.Find(ctx, in.Tool)
	if silent := (*ServerStartError)(nil); errors.As(err, &silent) {
		return done, exit.Errorf(exit.Failed, "%v", silent)
	}
	if err != nil {
		if slices.Contains([]string{"run_command", "process"}, tools.NameToday(in.Tool)) { // only the configuration disables these
			err = tools.Disabled("commands are switched off").Suggest("set [shell] enabled to true")
		}
		errors.As(err, &done.Refusal)
		done.Misused = done.Refusal != nil && done.Refusal.Code == event.CodeToolNotFound
		return done, c.record(ctx, in, done)
	}
	old := tools.OldNameHint(in.Tool, tool.Name())
	in.Tool, done.tool = tool.Name(), tool // the caller may have used another name
	if done.args, done.Note = tools.Rename(tool, in.Args); done.args == nil {
		done.Note = renamedNote(tool, in.Words)
		done.args, err = tools.ParseArguments(tool, in.Words)
		if bad := (*tools.Error)(nil); errors.As(err, &bad) {
			return done, exit.Errorf(exit.Usage, "%s", bad.Sentence())
		}
		if err != nil {
			return done, err
		}
	}
	done.Note = cmp.Or(old, done.Note)
	began := time.Now()
	if err := c.tryCall(ctx, in, &done); err != nil {
		return done, err
	}
	done.duration = time.Since(began)
	if hint, ok := done.Result.Data.(tools.Hint); ok {
		done.Hint = hint.Hint
	}
	if err := c.record(ctx, in, done); err != nil {
		return done, err
	}
	return done.redact(c.env.Redactor)
}

// renamedNote returns the note on an old name of an argument in words, which may be one JSON object.
func renamedNote(tool tools.Tool, words []string) string {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		_, hint := tools.Rename(tool, json.RawMessage(words[0]))
		return hint
	}
	return tools.RenamedHint(tool, words)
}

// tryCall validates the call, asks for approval and runs it.
func (c *ToolCaller) tryCall(ctx context.Context, in Invocation, done *InvocationResult) error {
	if err := tools.Validate(done.tool, done.args); errors.As(err, &done.Refusal) {
		forModels := done.Refusal.Suggestion == "" || done.Refusal.Suggestion == tools.CallAgain(in.Tool)
		if line := tools.UsageLine(done.tool); line != "" && done.Refusal.Type == event.TypeValidation && forModels {
			done.Refusal.Suggestion = "usage: " + line
		}
		done.Result.Data, done.Misused = tools.HintOf(err), true
		return nil
	}
	args, err := tools.Canonical(done.args)
	if err != nil {
		return err
	}
	done.args = args
	rules, err := c.env.CurrentPolicy(ctx, c.journal)
	if err != nil {
		return err
	}
	call := policy.Call{Call: llm.Call{Name: in.Tool, Args: args}, Tool: done.tool, Caller: in.Caller, Words: in.Words}
	ruling := rules.Judge(ctx, call)
	done.rule = ruling.Rule
	deniedBy := ""
	if ruling.Verdict == policy.Ask && !in.Yes {
		var approved event.Binding
		approved, deniedBy, err = ask(ctx, in, c.env.Zone(), call, ruling)
		if errors.As(err, &done.Refusal) { // the call has changed since the question; the audit records that
			done.Denied, done.rule = true, policy.RuleAltered
			return nil
		}
		if err != nil {
			return err
		}
		ctx = tools.WithApproved(ctx, approved)
	}
	if ruling.Verdict == policy.Deny || deniedBy != "" {
		done.Denied, done.Refusal = true, newDenial(ruling, in.Tool, in.Caller.Chat, deniedBy)
		return nil
	}
	ctx = tools.WithJudge(ctx, func(ctx context.Context, to tools.Resource) bool { return rules.MayFollow(ctx, call, to) })
	if done.Result, err = tools.Call(ctx, done.tool, args); !errors.As(err, &done.Refusal) {
		return err
	}
	return nil
}

// newDenial returns the error of a denied call, with advice for a person.
func newDenial(r policy.Ruling, tool string, chat event.Chat, deniedBy string) *tools.Error {
	bad := r.Refusal(tool, deniedBy)
	switch bad.Suggestion = ""; { // the usual suggestion is for models
	case deniedBy == "nobody":
		bad.Suggestion = "add --yes if it shall run"
	case r.Rule == policy.RuleDisabled:
		bad.Suggestion = "hob tool enable " + tool + " switches it on"
	case r.Rule == policy.RuleDisabledHere:
		bad.Suggestion = fmt.Sprintf("hob tool enable %s --chat %s switches it on", tool, chat)
	}
	return bad
}

// ask asks the person about a call. It returns what the person saw, and who denied it, or "".
func ask(ctx context.Context, in Invocation, zone *time.Location, call policy.Call, r policy.Ruling) (shown event.Binding, deniedBy string, err error) {
	q, err := policy.NewQuestion(ctx, "", zone, call, r)
	if err != nil {
		return shown, "", err
	}
	if in.Ask == nil {
		return shown, "nobody", nil
	}
	if deniedBy = in.Ask(ctx, call.Name, q); deniedBy != "" {
		return shown, deniedBy, nil
	}
	if bad := policy.CheckApproved(ctx, q, call); bad != nil {
		return shown, "", bad
	}
	return q.Binding, "", nil
}

// record appends a call to the audit.
func (c *ToolCaller) record(ctx context.Context, in Invocation, done InvocationResult) error {
	row := event.Audit{
		Time: time.Now(), Chat: in.Caller.Chat, Session: "by hand", User: in.Caller.User, Platform: LocalOwner().Platform, Tool: in.Tool,
		ArgsHash: policy.HashArgs(done.args), DurationMS: done.duration.Milliseconds(), Status: "ok", Rule: string(done.rule), CallID: in.RequestID,
	}
	if done.tool != nil {
		row.Source = tools.SourceOf(done.tool)
	}
	if done.Refusal != nil {
		row.Error = done.Refusal.Code
		switch {
		case done.tool == nil:
			row.Status = "refused" // as for a model's call of a missing tool
		case done.Denied:
			row.Status = "denied"
		default:
			row.Status = "failed"
		}
	}
	return c.journal.AppendAudit(context.WithoutCancel(ctx), row)
}

// redact returns the result without secrets.
func (i InvocationResult) redact(k *secret.Redactor) (InvocationResult, error) {
	res := i.Result
	res.Text = k.Redact(res.Text)
	if res.Data != nil {
		raw, err := jsonl.Marshal(res.Data)
		if err != nil {
			return i, err
		}
		if res.Data = json.RawMessage(k.Redact(string(raw))); !json.Valid(res.Data.(json.RawMessage)) {
			res.Data = nil
		}
	}
	res.Effects = slices.Clone(res.Effects)
	for n, e := range res.Effects {
		res.Effects[n].Target, res.Effects[n].From, res.Effects[n].Detail = k.Redact(e.Target), k.Redact(e.From), k.Redact(e.Detail)
	}
	i.Result = res
	if i.Refusal != nil {
		bad := *i.Refusal
		bad.Message, bad.Suggestion = k.Redact(bad.Message), k.Redact(bad.Suggestion)
		i.Refusal = &bad
	}
	return i, nil
}
