// Package client speaks to a Bot API server as one bot: calls, uploads and downloads, with errors that say
// whether the same request may work later.
//
//   - The token is in no error, log or address that leaves this package. The library that builds requests,
//     go-telegram-bot-api, gets a placeholder; only the transport knows the token. No other package imports
//     that library.
//   - Each failed call is an [*Error]. Its Unknown says whether the server may have acted all the same: a
//     request that was never written to its end is known not to have arrived.
//   - [IsPermanent] is the one answer to whether to try again; [Error.RetryAfter] says when. [RateLimits] keep
//     the chats that Telegram wants no requests for.
//   - Of the server's objects only the fields that hob uses are read.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"hob/internal/display"
)

const (
	defaultBase = "https://api.telegram.org"
	// LongPoll is how long a server holds a getUpdates without updates.
	LongPoll = 50 * time.Second
	// pollLimit limits such a request, and answerLimit any other. A request with a file has no
	// limit while bytes move.
	pollLimit   = LongPoll + 15*time.Second
	answerLimit = 30 * time.Second
	moveLimit   = time.Minute
)

// API talks to one Bot API server as one bot. It is safe for concurrent use. It builds requests
// with go-telegram-bot-api, whose errors would reveal the token, so that library gets only a
// placeholder; see [transport].
type API struct {
	base *url.URL // without a slash at its end
	bot  tgbotapi.BotAPI
	id   int64 // the bot's id: the part of its token before the colon
	over *transport
}

// APIConfig names the server and the bot.
type APIConfig struct {
	Base      string            // of the server; "" is Telegram's own, https://api.telegram.org
	Token     string            // of the bot
	Transport http.RoundTripper // the only dialer. An answer may take 65 seconds.
}

// NewAPI returns an API and makes no request. Each error is a sentence that says what to configure.
func NewAPI(c APIConfig) (*API, error) {
	token := strings.TrimSpace(c.Token)
	if !isToken(token) {
		return nil, errors.New("this is no token of a Telegram bot: put the one that @BotFather gave, digits:letters, into token_file")
	}
	if c.Transport == nil {
		return nil, errors.New("make Telegram API: nothing was given to dial with")
	}
	base, err := parseServer(c.Base)
	if err != nil {
		return nil, err
	}
	if strings.Contains(base.String(), "/bot"+token) || strings.Contains(base.Path, "/bot"+placeholder) {
		return nil, errors.New("leave the bot's token out of api_base: it belongs into token_file")
	}
	a := &API{base: base, over: &transport{c.Transport, token}, bot: tgbotapi.BotAPI{Token: placeholder}}
	number, _, _ := strings.Cut(token, ":")
	a.id, _ = strconv.ParseInt(number, 10, 64)                                       // for a malformed token 0 will do
	a.bot.SetAPIEndpoint(strings.ReplaceAll(base.String(), "%", "%%") + "/bot%s/%s") // the library passes it to Sprintf
	return a, nil
}

// isToken reports whether s may be a token: nothing in it needs escaping in a URL.
func isToken(s string) bool {
	id, secret, _ := strings.Cut(s, ":")
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
	return id != "" && secret != "" && strings.Trim(id, digits) == "" && strings.Trim(secret, digits+letters) == ""
}

// parseServer parses the address of a server. The error does not quote it, because people put
// passwords into addresses.
func parseServer(base string) (*url.URL, error) {
	base = cmp.Or(base, defaultBase)
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, fmt.Errorf("api_base is no address of a Bot API server: it begins with http:// or https:// and has a host, "+
			"but neither a user nor a query, such as %s", defaultBase)
	}
	return u, nil
}

func (a *API) BotID() int64 { return a.id }

// Username asks the server for the bot's name, without the @. It shows whether the server is
// reachable and knows the token.
func (a *API) Username(ctx context.Context) (string, error) {
	var self User
	err := a.Call(ctx, "getMe", nil, &self)
	return self.Username, err
}

func (a *API) Call(ctx context.Context, method string, p Params, out any) error {
	most := answerLimit
	if method == "getUpdates" {
		most = pollLimit
	}
	ctx, _, stop := withIdleLimit(ctx, most)
	defer stop()
	d := &doer{ctx: ctx, method: method, over: a.over}
	bot := a.bot
	bot.Client = d
	resp, err := bot.MakeRequest(method, tgbotapi.Params(p))
	return a.result(d, resp, err, out)
}

// result turns the library's outcome of a request into an error, or decodes the result into out.
func (a *API) result(d *doer, resp *tgbotapi.APIResponse, err error, out any) error {
	var own *Error
	var refused *tgbotapi.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refused):
		return a.refusalError(d, refused)
	case err != nil:
		unknown := d.status < 300 || d.status >= 500
		return &Error{Method: d.method, Code: d.status, Err: fmt.Errorf("read the answer: %w", a.over.clean(err)), Unknown: unknown}
	case out == nil:
		return nil
	}
	if err := json.Unmarshal(resp.Result, out); err != nil {
		return &Error{Method: d.method, Code: d.status, Err: fmt.Errorf("read the result: %w", a.over.clean(err)), Unknown: true}
	}
	return nil
}

// refusalError is the error for an answer that refuses. The library loses the code of a refused
// upload, which equals the HTTP status.
func (a *API) refusalError(d *doer, no *tgbotapi.Error) *Error {
	e := &Error{Method: d.method, Code: cmp.Or(no.Code, d.status), Message: oneLine(a.over.redact(no.Message)),
		RetryAfter: retrySeconds(no.RetryAfter), MovedTo: no.MigrateToChatID}
	switch {
	case e.RetryAfter > 0 && e.Code < 400:
		e.Code = http.StatusTooManyRequests
	case e.Code < 400:
		e.Code = http.StatusBadRequest // it refuses without a code
	}
	e.Unknown = e.Code >= 500
	return e
}

// maxMessage limits, in bytes, the part of a server's text in an error.
const maxMessage = 300

// oneLine shortens a server's text for an error.
func oneLine(s string) string { return display.TruncateBytes(display.Visible(s), maxMessage) }
