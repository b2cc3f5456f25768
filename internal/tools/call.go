package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
	"time"

	"hob/internal/event"
)

// Grace is how long [Call] waits for a tool whose context has ended before it abandons the tool. It
// keeps a stop below a second, whatever runs.
const Grace = 500 * time.Millisecond

// Call runs a tool; the runtime runs tools in no other way. It validates args, limits the time as
// the tool's [Def] says, and always returns a result or an error of type [*Error]:
//
//   - arguments that do not fit: type validation;
//   - ctx was cancelled, or the time was up: code cancelled, or type timeout;
//   - a panic, or any other error of the tool: code execution_failed, with the error's text.
//
// If a tool finishes its work although ctx has ended, its result counts. A Result beside an error
// holds what the tool did before it failed. The text of a result is never empty and always valid
// UTF-8. The Label of a result has at least the marks that the Capabilities in the tool's [Def]
// imply. So has the label of an error, whose text may be somebody else's, even if the tool panicked
// or was abandoned.
//
// A tool must end soon after its context does. Otherwise it is abandoned after [Grace]: the call
// returns, the tool's goroutine runs until the tool ends by itself, and what it still does is
// unknown. A panic in a goroutine that the tool started itself cannot be caught here.
func Call(ctx context.Context, t Tool, args json.RawMessage) (Result, error) {
	if t == nil {
		return Result{}, Failed("there is no tool to call")
	}
	def, err := describe(t)
	if err != nil {
		return addLabels(Result{}, AnyCapability), err // its text may be anybody's
	}
	if ctx.Err() != nil {
		return Result{}, cutShortError(ctx, def, "before it began; nothing was changed")
	}
	limit := cmp.Or(def.Timeout, DefaultTimeout)
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s may take %s", def.Name, limit))
		defer cancel()
	}
	done := make(chan outcome, 1) // buffered, so that an abandoned tool can still send
	go attempt(ctx, t, args, done)
	select {
	case out := <-done:
		return out.finish(ctx, def)
	case <-ctx.Done():
	}
	grace := time.NewTimer(Grace)
	defer grace.Stop()
	select {
	case out := <-done:
		return out.finish(ctx, def)
	case <-grace.C:
		return addLabels(Result{}, def.Capabilities), EndedError(ctx, def.Name, "and did not stop when told to: what it did is unknown")
	}
}

// describe returns the [Def] of t. A panic in it is an error.
func describe(t Tool) (def Def, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError(p)
		}
	}()
	return DefOf(t), nil
}

// outcome is the result of running a tool.
type outcome struct {
	res    Result
	err    error
	itself bool // the tool itself ran, so the text may be its own
}

// attempt runs t and sends its outcome, even after a panic.
func attempt(ctx context.Context, t Tool, args json.RawMessage, done chan<- outcome) {
	out := outcome{err: Failed("the tool ended its goroutine without a result"), itself: true} // sent after runtime.Goexit
	defer func() {
		if p := recover(); p != nil {
			out = outcome{err: panicError(p), itself: true}
		}
		done <- out
	}()
	out = try(ctx, t, args)
}

func try(ctx context.Context, t Tool, args json.RawMessage) outcome {
	check, err := checkerOf(t)
	if err != nil {
		return outcome{err: err}
	}
	r, isRunner := t.(Runner)
	if _, own := t.(interface{ checker() *checker }); own && isRunner {
		res, err := r.Run(ctx, args) // Run checks the arguments itself
		return outcome{res: res, err: err, itself: true}
	}
	clean, bad := check.clean(args)
	if bad != nil {
		return outcome{err: bad}
	}
	if isRunner {
		res, err := r.Run(ctx, clean)
		return outcome{res: res, err: err, itself: true}
	}
	params := map[string]any{}
	if err := json.Unmarshal(clean, &params); err != nil {
		return outcome{err: misfitError(t.Name(), err)}
	}
	text, err := t.Execute(ctx, params)
	return outcome{res: Result{Text: text}, err: err, itself: true}
}

// finish turns an outcome into the result that Call promises.
func (o outcome) finish(ctx context.Context, def Def) (Result, error) {
	res := o.res
	if o.itself {
		res = addLabels(res, def.Capabilities)
	}
	if e := typedError(ctx, def, o.err); e != nil {
		if hint := HintOf(o.err); hint != nil {
			res.Data = hint
		}
		return res, e
	}
	res.Text = strings.ToValidUTF8(res.Text, "\uFFFD")
	if strings.TrimSpace(res.Text) == "" {
		res.Text = "(no output)"
	}
	return res, nil
}

// addLabels adds the label marks that capabilities imply to a result.
func addLabels(res Result, caps Capabilities) Result {
	res.Label.Untrusted = res.Label.Untrusted || caps.Has(Untrusted)
	res.Label.Private = res.Label.Private || caps.Has(Private)
	return res
}

// typedError returns err as an *Error that the caller may change, or nil. A nil *Error inside an
// error counts as nil.
func typedError(ctx context.Context, def Def, err error) *Error {
	if err == nil {
		return nil
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		if e == nil {
			return nil
		}
		own := *e
		if _, bare := err.(*Error); !bare {
			own.Message = err.Error() // include the text wrapped around it
		}
		if own.Code == "" {
			own.Type, own.Code = event.TypeExecution, event.CodeExecutionFailed
		}
		own.Message = words(own.Message)
		return &own
	}
	if ctx.Err() != nil {
		if errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)) {
			return cutShortError(ctx, def, "")
		}
		return cutShortError(ctx, def, "("+words(err.Error())+")")
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		late := TimedOut("%s", words(err.Error()))
		late.Retryable = isRetryable(def)
		return late
	}
	return Failed("%s", err)
}

// cutShortError is EndedError for a call of a tool that stopped in time.
func cutShortError(ctx context.Context, def Def, more string) *Error {
	e := EndedError(ctx, def.Name, more)
	e.Retryable = e.Code == event.CodeTimeout && isRetryable(def)
	return e
}

// EndedError returns the error for something whose context ended: type timeout if its time was up,
// otherwise code cancelled. The message begins with what and ends with more, which may be "".
func EndedError(ctx context.Context, what, more string) *Error {
	cause := context.Cause(ctx)
	e := Cancelled("%s was cancelled", what)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e = TimedOut("%s ran out of time", what).Suggest("ask for less at once")
	}
	if more != "" {
		e.Message += " " + more
	}
	if cause != nil && cause != ctx.Err() {
		e.Message += ": " + words(cause.Error())
	}
	return e
}

// isRetryable reports whether a call that failed half way may simply be repeated.
func isRetryable(def Def) bool {
	return def.Capabilities.Has(Reads) && def.Capabilities&(Writes|Executes|Sends|Destroys|Spends|Authority) == 0
}

// panicError returns the error for a panic. The function that recovered must call it directly,
// because it names the place in the source.
func panicError(p any) *Error {
	where := ""
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for inPanic := false; ; {
		frame, more := frames.Next()
		if frame.Function == "runtime.gopanic" {
			inPanic = true
		} else if inPanic && !strings.HasPrefix(frame.Function, "runtime.") {
			where = fmt.Sprintf(" (%s:%d)", path.Base(frame.File), frame.Line)
			break
		}
		if !more {
			break
		}
	}
	return Failed("the tool broke: %v%s", p, where)
}
