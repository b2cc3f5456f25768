package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/ollama/ollama/api"

	"hob/internal/display"
	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// serverFailure is a failure that the server reported, in the line of a stream or as the body of a status.
type serverFailure struct {
	status int    // 0 where the stream had begun and the line names none
	text   string // of any length
	signin bool   // it wants somebody to sign in
	late   bool   // the line of a chat's stream: had the stream not begun, its status would have been 500
}

// maxErrorText is how many characters of a server's words an error may carry.
const maxErrorText = 300

// The words of Ollama's failures, from its server, its runners and llama-server, v0.9 to v0.34. All are matched in
// lower case, in the order of classify.
var (
	contextWords = lazyregexp.New(`exceeds the available context|exceeds the context length|exceeds maximum context length|exceed_context_size` +
		`|prompt is too long|prompt too long|input is too long|context size has been exceeded` +
		`|larger than the context|context length exceeded`)
	incapableWords  = lazyregexp.New(`does not support (tools|thinking|chat|completion|generate|vision|images?)`)
	busyWords       = lazyregexp.New(`server busy|maximum pending requests`)
	cloudWords      = lazyregexp.New(`cloud is disabled|cloud features are disabled|remote inference is unavailable|cannot run this remote model`)
	repetitionWords = lazyregexp.New(`token repeat limit`)
	cancelledWords  = lazyregexp.New(`request cancell?ed`)
	memoryWords     = lazyregexp.New(`more system memory|out of memory|out of device memory|failed to allocate|insufficient memory`)
	runnerWords     = lazyregexp.New(`unexpectedly stopped|no longer running|has terminated|runner process|wsarecv|forcibly closed`)
	missingWords    = lazyregexp.New(`model .{0,200}not found|try pulling it first|pull model manifest: file does not exist`)
	formatWords     = lazyregexp.New(`grammar|json schema|invalid format`)
	callWords       = lazyregexp.New(`error parsing tool call|failed to parse (json|xml|function|arguments|value|input|laguna|tool)|xml syntax error|empty function name|empty .{0,20}tool call name` +
		`|empty argument name|mismatched arg_key|tool ['"].{0,200}['"] (not found|is not declared)|required argument .{0,200} is missing` +
		`|incomplete .{0,20}tool call|invalid (function call|argument) format|undeclared .{0,20}function|atem |glimmer ` +
		`|invalid character|unexpected end of json|^eof$|after top-level value|cannot unmarshal|parse .{0,40}call`)
	harmonyRaw = lazyregexp.New(`(?s)raw='(.*)'(?:, err=|$)`)
)

// classify turns what a server said about a model into the error for the caller.
func classify(where, model string, s serverFailure) *llm.Error {
	lower := strings.ToLower(s.text)
	fail := func(kind llm.Kind, format string, args ...any) *llm.Error {
		return &llm.Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
	}
	again := func(kind llm.Kind, format string, args ...any) *llm.Error {
		failure := fail(kind, format, args...)
		failure.Retry = true
		return failure
	}
	unclear := fail // a failure of no known class: the server's, unless the status blames the request
	if s.status >= http.StatusInternalServerError || s.late && s.status == 0 {
		unclear = again
	}
	switch {
	case s.status == http.StatusUnauthorized && (s.signin || strings.Contains(lower, "signin_url")):
		return fail(llm.ModelRefused, "%s runs in Ollama's cloud and wants somebody to sign in: choose a model that runs on this machine", model)
	case s.status == http.StatusUnauthorized:
		return fail(llm.Failed, "%s wants a sign-in that hob does not have: let hob reach Ollama itself, or set [ollama] host", where)
	case cloudWords().MatchString(lower):
		return fail(llm.ModelRefused, "%s runs in the cloud, which this Ollama does not allow: choose a model that runs on this machine", model)
	case busyWords().MatchString(lower) || s.status == http.StatusServiceUnavailable:
		return fail(llm.Busy, "Ollama at %s has too many requests waiting: try again in a minute", where)
	case contextWords().MatchString(lower):
		return fail(llm.ContextExceeded, "the conversation is longer than the context of %s: shorten it, or set a larger [ollama] num_ctx", model)
	case incapableWords().MatchString(lower):
		what, kind := incapableWords().FindStringSubmatch(lower)[1], llm.Unable
		if what == "tools" {
			kind = llm.NoTools
		}
		return fail(kind, "%s cannot do %s: choose another model with `hob model use NAME`", model, what)
	case missingWords().MatchString(lower):
		return fail(llm.ModelMissing, "Ollama at %s does not have %s: run `hob model pull %s`", where, model, model)
	case repetitionWords().MatchString(lower):
		return repeatsError(model)
	case cancelledWords().MatchString(lower):
		return again(llm.Incomplete, "Ollama stopped %s in the middle of its answer (%s): ask again", model, clean(s.text))
	case memoryWords().MatchString(lower):
		return fail(llm.Failed, "%s does not fit into this machine's memory (%s): choose a smaller model or a smaller [ollama] num_ctx", model, clean(s.text))
	case runnerWords().MatchString(lower):
		return again(llm.Failed, "the process that ran %s died, often for lack of memory (%s): try again, then a smaller model or [ollama] num_ctx", model, clean(s.text))
	case callWords().MatchString(lower) && (s.status == 0 || s.status >= 500):
		return malformedError(model, s.text)
	case strings.HasPrefix(strings.TrimSpace(lower), "<"):
		return unclear(llm.Failed, "%s answers with a web page (HTTP %d): something stands between hob and Ollama; check [ollama] host", where, s.status)
	case s.status == http.StatusNotFound:
		return fail(llm.Failed, "%s has no such address (HTTP 404): check that [ollama] host is an Ollama of this year", where)
	}
	text := clean(s.text)
	switch {
	case text == "" && s.status == 0:
		return unclear(llm.Failed, "Ollama at %s failed without saying why: look at its log", where)
	case text == "":
		return unclear(llm.Failed, "Ollama at %s failed with HTTP %d and no words: look at its log", where, s.status)
	case s.status == 0:
		return unclear(llm.Failed, "Ollama at %s failed: %s", where, text)
	}
	return unclear(llm.Failed, "Ollama at %s failed with HTTP %d: %s", where, s.status, text)
}

// malformedError is the error for a call that a model wrote and the server could not read. The call, if the server sends it, is
// in Raw and not in the message; the server's own words are Err.
func malformedError(model, text string) *llm.Error {
	raw := ""
	if m := harmonyRaw().FindStringSubmatchIndex(text); m != nil {
		raw = text[m[2]:m[3]]
		text = text[:m[0]] + text[m[1]:]
	}
	words := clean(text)
	return &llm.Error{Kind: llm.Malformed, Raw: raw, Err: errors.New(words), Message: fmt.Sprintf(
		"Ollama could not read a tool call that %s wrote (%s): ask again, or choose another model", model, words)}
}

// callError turns an error of the api client, or of the transport, into the error for the caller, whose context is ctx.
// model is the model that was asked about; where there was none it is empty.
func (c *Client) callError(ctx context.Context, h *host, model string, err error) error {
	var known *llm.Error
	var status api.StatusError
	var signin api.AuthorizationError
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	where := h.base.String()
	fail := func(kind llm.Kind, format string) error {
		return &llm.Error{Kind: kind, Err: err, Message: fmt.Sprintf(format, where)}
	}
	switch {
	case ctx.Err() != nil:
		return cancelledError(ctx)
	case errors.As(err, &known):
		return known
	case errors.Is(err, errRedirect):
		return fail(llm.Failed, "%s sends hob to another address, which hob does not follow: set [ollama] host to that address itself")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(llm.Silent, "Ollama at %s did not answer in time: look at its log, or restart it")
	case errors.As(err, &signin):
		return classify(where, model, serverFailure{status: http.StatusUnauthorized, signin: signin.SigninURL != ""})
	case errors.As(err, &status):
		return classify(where, model, serverFailure{status: status.StatusCode, text: status.ErrorMessage})
	case errors.As(err, &syntax), errors.As(err, &shape):
		return fail(llm.Failed, "what answers at %s does not speak as Ollama does: check [ollama] host")
	}
	return c.connectionError(h, model, err)
}

// connectionError is the error for a connection that could not be made or did not last, and for the line of a stream that reports
// a failure: the api client makes a plain error of it.
func (c *Client) connectionError(h *host, model string, err error) error {
	var request *url.Error
	where := h.base.String()
	message := unreachableMessage(where)
	retry := false
	switch {
	case neverConnected(err):
	case isDropped(err):
		message, retry = closedMessage(where), true
	case errors.As(err, &request):
		message = fmt.Sprintf("Ollama cannot be reached at %s (%s): check [ollama] host", where, clean(request.Err.Error()))
	default:
		return classify(where, model, serverFailure{text: err.Error()})
	}
	return &llm.Error{Kind: llm.Unreachable, Err: err, Message: message, Retry: retry}
}

// errDropped marks a chat to which the connection's end was the only answer. Another host may do better.
var errDropped = errors.New("connection closed without an answer")

// neverConnected reports whether there never was a connection.
func neverConnected(err error) bool {
	dial := (*net.OpError)(nil)
	return errors.As(err, &dial) && dial.Op == "dial"
}

// isDropped reports whether there was a connection, and the other side ended it.
func isDropped(err error) bool {
	return !neverConnected(err) && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE))
}

func closedMessage(where string) string {
	return fmt.Sprintf("Ollama at %s closed the connection without an answer: look at its log, or restart it", where)
}

// cancelledError is the error for a caller's context that ended.
func cancelledError(ctx context.Context) *llm.Error {
	message := "the request was cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		message = "the request ran out of the time it was given"
	}
	return &llm.Error{Kind: llm.Cancelled, Message: message, Err: context.Cause(ctx)}
}

// clean makes a server's words fit for one line of a message: nothing that is not seen, at most maxErrorText characters.
func clean(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 16*maxErrorText)], " ")
	return strings.Trim(display.Truncate(display.Visible(text), maxErrorText), " ,.:")
}

// ErrorOf returns the error that an Ollama's own words come to, as if it had sent them in the middle of an answer.
func ErrorOf(text string) *llm.Error {
	return classify("the server", "the model", serverFailure{text: text})
}
