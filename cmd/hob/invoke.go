package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/surface/cli"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	shelltool "hob/internal/tools/shell"
)

// invocation is a call by hand.
type invocation struct {
	name    string
	words   []string        // its arguments, as they were typed
	args    json.RawMessage // in place of words
	chat    string
	request string // id of the call; "" is none
	yes     bool   // a question needs no answer
}

// ended is what came of one.
type ended struct {
	result  tools.Result
	refusal *tools.Error // nil: it was done
	rule    string       // that let it run, or not
	denied  bool         // nobody allowed it
	args    json.RawMessage
	tool    tools.Tool
	took    time.Duration
}

func (a *program) callTool(ctx context.Context, c invocation, asJSON bool) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	ctx, stop := client.UntilInterrupted(ctx)
	defer stop()
	db, err := s.Egress.OpenJournal(ctx) // once for all: opening it takes longer than most calls
	if err != nil {
		return err
	}
	err = a.callWith(ctx, s, db, c, asJSON)
	s.Egress.LeaveJournal()
	return closeAll(err, db.Close())
}

// callWith makes a call with the journal open.
func (a *program) callWith(ctx context.Context, s *app.Environment, db *store.DB, c invocation, asJSON bool) error {
	kit, err := s.StandaloneTools(ctx, app.JournalTools(db))
	if err != nil {
		return err
	}
	defer kit.Skills.Close()
	ctx = tools.WithCaller(ctx, tools.Caller{Chat: event.Chat(c.chat), User: "owner", Standing: app.LocalOwner(), RequestID: c.request})
	if c.request != "" {
		return a.callOnce(ctx, s, db, kit, c, asJSON)
	}
	end, err := a.invoke(ctx, s, db, kit, c)
	if err != nil {
		return err
	}
	return a.tellOutcome(s, end, asJSON)
}

// kept is what came of a call, to be told again.
type kept struct {
	Text    string          `json:"text"`
	Data    json.RawMessage `json:"data"`
	Effects []event.Effect  `json:"effects"`
	Error   *tools.Error    `json:"error"`
	Denied  bool            `json:"denied"`
}

// callOnce makes a call with an id: where that has a result, it is told again.
func (a *program) callOnce(ctx context.Context, s *app.Environment, db *store.DB, k app.Toolset, c invocation, asJSON bool) error {
	begun, err := db.Requests().Begin(ctx, c.chat, c.request, policy.HashArgs([]byte(c.name+" "+strings.Join(c.words, "\x00"))))
	if other := (*store.RequestConflictError)(nil); errors.As(err, &other) {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	switch {
	case err != nil:
		return err
	case begun.Done:
		var was kept
		if err := json.Unmarshal(begun.Outcome, &was); err != nil {
			return fmt.Errorf("read what came of %s: %w", c.request, err)
		}
		res := tools.Result{Text: was.Text, Data: was.Data, Effects: was.Effects}
		return a.tellOutcome(s, ended{result: res, refusal: was.Error, denied: was.Denied}, asJSON)
	case begun.Known:
		return exit.Errorf(exit.Failed, "a call with the id %s began before and has not ended: it runs, or was cut short and what came of it is unknown; "+
			"it was not made again", c.request)
	}
	end, err := a.invoke(ctx, s, db, k, c)
	if err != nil {
		return err
	}
	data, err := json.Marshal(end.result.Data)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(kept{end.result.Text, data, end.result.Effects, end.refusal, end.denied})
	if err != nil {
		return err
	}
	raw = []byte(s.Redactor.Redact(string(raw)))
	if err := db.Requests().End(context.WithoutCancel(ctx), c.chat, c.request, raw); err != nil {
		return err
	}
	return a.tellOutcome(s, end, asJSON)
}

// tellOutcome prints what came of a call, and returns the exit status that says so.
func (a *program) tellOutcome(s *app.Environment, end ended, asJSON bool) error {
	end.result.Text = s.Redactor.Redact(end.result.Text)
	if asJSON {
		raw, err := cli.JSON(outcome(end.result, end.refusal))
		if err != nil {
			return err
		}
		fmt.Fprintln(a.stdout, s.Redactor.Redact(string(raw)))
	} else if end.refusal == nil {
		text := strings.TrimSuffix(end.result.Text, "\n")
		if isTerminal(a.stdout) {
			text = display.Clean(text)
		}
		fmt.Fprintln(a.stdout, text)
	}
	if end.refusal == nil {
		return nil
	}
	code := exit.Failed
	if end.denied || end.refusal.Code == event.CodeCancelled {
		code = exit.Denied
	}
	if hint := ownersHint(end.result.Data); hint != "" { // for the owner only: the model never sees it
		fmt.Fprintf(a.Stderr, "hob: %s\n", hint)
	}
	if asJSON {
		return exit.Silently(code)
	}
	return exit.Errorf(code, "%s", withSuggestion(end.refusal))
}

// ownersHint is what a failed call tells the owner and not the model.
func ownersHint(data any) string {
	switch d := data.(type) {
	case fetch.Refusal:
		return d.Hint
	case shelltool.Refusal:
		return d.Hint
	}
	return ""
}

// invoke makes a call and records it. What is wrong with how it was typed is an error, and no call.
func (a *program) invoke(ctx context.Context, s *app.Environment, db *store.DB, k app.Toolset, c invocation) (ended, error) {
	end := ended{}
	tool, err := k.Find(ctx, c.name)
	if silent := (*app.Asleep)(nil); errors.As(err, &silent) {
		return end, exit.Errorf(exit.Failed, "%v", silent)
	}
	if err != nil {
		if c.name == "run_command" || c.name == "job" { // only the configuration takes these away
			err = &tools.Error{
				Type: event.TypeDisabled, Code: event.CodeToolDisabled,
				Message: "commands are switched off", Suggestion: "set [shell] enabled to true",
			}
		}
		errors.As(err, &end.refusal)
		return end, record(context.WithoutCancel(ctx), db, c, end)
	}
	c.name = tool.Name() // it may have been called by another
	args := c.args
	if args == nil {
		if args, err = arguments(tool, c.words); err != nil {
			return end, err
		}
	}
	end.tool, end.args = tool, args
	began := time.Now()
	end.result, end.refusal, err = a.attempt(ctx, s, db, c, &end)
	if err != nil {
		return end, err
	}
	end.took = time.Since(began)
	return end, record(context.WithoutCancel(ctx), db, c, end)
}

// attempt validates, asks and runs, in this order.
func (a *program) attempt(ctx context.Context, s *app.Environment, db *store.DB, c invocation, end *ended) (tools.Result, *tools.Error, error) {
	refusal := (*tools.Error)(nil)
	if err := tools.Validate(end.tool, end.args); errors.As(err, &refusal) {
		if line := tools.UsageLine(end.tool); line != "" && refusal.Type == event.TypeValidation {
			refusal.Suggestion = "usage: " + line
		}
		return tools.Result{}, refusal, nil
	}
	args, err := tools.Canonical(end.args)
	if err != nil {
		return tools.Result{}, nil, err
	}
	end.args = args
	inForce, err := s.PolicyNow(ctx, db)
	if err != nil {
		return tools.Result{}, nil, err
	}
	call := policy.Call{Call: llm.Call{Name: c.name, Args: args}, Tool: end.tool, Caller: tools.CallerFrom(ctx), Words: c.words}
	ruling := inForce.Judge(ctx, call)
	end.rule = string(ruling.Rule)
	by := ""
	if ruling.Verdict == policy.Ask && !c.yes {
		var shown event.Binding
		shown, by, err = a.mayRun(ctx, call, ruling)
		ctx = tools.WithApproved(ctx, shown)
		if errors.As(err, &refusal) { // it is another call by now; that is recorded, too
			end.denied, end.rule = true, string(policy.RuleAltered)
			return tools.Result{}, refusal, nil
		}
		if err != nil {
			return tools.Result{}, nil, err
		}
	}
	if ruling.Verdict == policy.Deny || by != "" {
		end.denied = true
		refusal = ruling.Refusal(c.name, by)
		switch refusal.Suggestion = ""; { // what it says is for models
		case by == "nobody":
			refusal.Suggestion = "add --yes if it shall run"
		case ruling.Rule == policy.RuleDisabled:
			refusal.Suggestion = "hob tool enable " + c.name + " switches it on"
		}
		return tools.Result{}, refusal, nil
	}
	ctx = tools.WithJudge(ctx, func(ctx context.Context, to tools.Aim) bool { return inForce.MayGoOn(ctx, call, to) })
	res, err := tools.Call(ctx, end.tool, args)
	if err != nil && !errors.As(err, &refusal) {
		return res, nil, err
	}
	return res, refusal, nil
}

// mayRun asks the person at the terminal about a call. It returns what they were shown, and who has said no, or "".
func (a *program) mayRun(ctx context.Context, call policy.Call, r policy.Ruling) (shown event.Binding, by string, err error) {
	q, err := policy.Question(ctx, call, r)
	if err != nil {
		return shown, "", err
	}
	fmt.Fprintf(a.Stderr, "%s asks to do this:\n%s\n", call.Name, display.Clean(q.Text))
	if !isTerminal(a.stdin) {
		return shown, "nobody", nil
	}
	if yes, _ := a.confirm(ctx, "Allow it?"); !yes { // whatever went wrong with the asking, nobody said yes
		return shown, "the user", nil
	}
	if bad := policy.Same(ctx, q, call); bad != nil {
		return shown, "", bad
	}
	return q.Binding, "", nil
}

// record keeps that a call was made.
func record(ctx context.Context, db *store.DB, c invocation, end ended) error {
	row := event.Audit{
		Time: time.Now(), Chat: event.Chat(c.chat), Session: "by hand", User: tools.CallerFrom(ctx).User, Platform: app.LocalOwner().Platform, Tool: c.name,
		ArgsHash: policy.HashArgs(end.args), DurationMS: end.took.Milliseconds(), Status: "ok", Rule: end.rule, CallID: c.request,
	}
	if end.tool != nil {
		row.Source = tools.SourceOf(end.tool)
	}
	if end.refusal != nil {
		row.Error = end.refusal.Code
		switch {
		case end.tool == nil:
			row.Status = "refused" // as a model's call of what there is not
		case end.denied:
			row.Status = "denied"
		default:
			row.Status = "failed"
		}
	}
	return db.AppendAudit(ctx, row)
}

// policyNow is the policy in force, for a process that has no journal open.
func policyNow(ctx context.Context, s *app.Environment) (p policy.Policy, err error) {
	p = policy.Policy{Only: s.Policy.Tools, Hosts: s.Policy.Hosts, Searches: s.Searches()}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		p, err = s.PolicyNow(ctx, db)
		return err
	})
	return p, err
}
