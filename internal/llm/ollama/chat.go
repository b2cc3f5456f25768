package ollama

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"hob/internal/llm"
	"hob/internal/retry"
)

const (
	maxLine   = 16 << 20 // bytes of one line of an answer
	busyTotal = time.Minute
	busyMost  = 8 * time.Second // longest pause before a full queue is asked again
)

// Chat implements [llm.Model]. Statuses in onDelta are sentences for a person; each is sent once for as long as it holds.
func (c *Client) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	if onDelta == nil {
		onDelta = func(llm.Delta) {}
	}
	if err := c.checkName(c.cfg.Model); err != nil {
		return nil, err
	}
	var reply *llm.Reply
	err := c.withHost(ctx, func(h *host) error {
		if ctx.Err() != nil {
			return cancelledError(ctx)
		}
		facts, err := c.modelOn(ctx, h)
		if err != nil {
			return err
		}
		ask := func(req llm.Request) error {
			body, err := encode(c.cfg, facts.Thinking, req)
			if err != nil {
				return unsendableError(err)
			}
			reply, err = c.askPatiently(ctx, exchange{client: c, host: h, body: body, req: req, onDelta: onDelta})
			return err
		}
		if err = ask(req); errors.Is(err, errFormat) && len(req.SimpleFormat) > 0 {
			req.Format = req.SimpleFormat
			err = ask(req)
		}
		switch llm.KindOf(err) {
		case llm.NoTools, llm.Unable, llm.ModelMissing, llm.ModelRefused:
			h.remember(nil) // what was known of the model is no longer true
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return reply, nil
}

// askPatiently makes the exchange, again and again for busyTotal while the server's queue is full.
func (c *Client) askPatiently(ctx context.Context, x exchange) (*llm.Reply, error) {
	backoff, waited := retry.Backoff{First: time.Second, Max: busyMost}, time.Duration(0)
	for {
		if reply, err := x.run(ctx); llm.KindOf(err) != llm.Busy || waited >= busyTotal {
			return reply, err
		}
		if waited == 0 {
			x.onDelta(llm.Delta{Status: fmt.Sprintf("the queue of %s is full; asking again for up to a minute", x.host.base.Host)})
		}
		pause := min(backoff.Next(), busyTotal-waited)
		if retry.Wait(ctx, pause) != nil {
			return nil, cancelledError(ctx)
		}
		waited += pause
	}
}

// exchange is one request and its answer.
type exchange struct {
	client  *Client
	host    *host
	body    []byte
	req     llm.Request
	onDelta func(llm.Delta)
}

// received is what the reader of an answer hands on: a line, or why there are no more.
type received struct {
	line *line
	err  error
}

// run sends the request, waits with both watchdogs, and collects the answer. A goroutine reads and one polls; both have
// ended when run returns.
func (x exchange) run(parent context.Context) (*llm.Reply, error) {
	x.host.startWaiting(&x)
	defer x.host.stopWaiting(&x)
	ctx, stop := context.WithCancel(parent)
	arrivals := make(chan received)
	go x.readAnswer(ctx, arrivals)
	polls, statuses := x.poll(ctx)
	defer func() {
		stop()
		for range arrivals {
		}
		polls.stop()
	}()

	wait := x.newWait()
	defer wait.timer.Stop()
	defer func() { x.host.abandoned.Store(wait.started && parent.Err() != nil) }()
	answer := newCollector(x.client.cfg.NewID, x.req.Messages)
	status := ""
	for {
		var a received
		select {
		case <-parent.Done():
			return nil, cancelledError(parent)
		case s := <-statuses:
			if s != status {
				status = s
				x.onDelta(llm.Delta{Status: s, Wait: llm.Wait{Passing: strings.HasPrefix(s, "waiting: ")}})
			}
			continue
		case a = <-arrivals:
		case <-wait.timer.C:
			select {
			case a = <-arrivals: // this process was slow, or suspended
			default:
				if err := x.handleSilence(&wait); err != nil {
					return nil, err
				}
				continue
			}
		}
		if a.line == nil && parent.Err() != nil { // an error, or the end: the reader has left
			return nil, cancelledError(parent)
		}
		if a.err != nil {
			return nil, answer.whyEnded(a.err, x.client.cfg.Model)
		}
		polls.stop()
		x.host.stopWaiting(&x)
		if done, err := x.collectLine(answer, a.line); err != nil {
			return nil, err
		} else if done {
			return answer.reply(a.line), nil
		}
		wait.next(x)
	}
}

// collectLine collects one line and shows it. It reports whether the line was the last.
func (x exchange) collectLine(answer *collector, l *line) (bool, error) {
	if l.RemoteHost != "" && !x.client.cfg.AllowRemote {
		return false, remoteError(x.client.cfg.Model, l.RemoteHost)
	}
	delta, fits := answer.add(l)
	if delta != (llm.Delta{}) {
		x.onDelta(delta)
	}
	if !fits {
		return false, &llm.Error{Kind: llm.Failed, Message: fmt.Sprintf(
			"%s writes without end: its reply was stopped at %d MiB; set a smaller num_predict", x.client.cfg.Model, maxReply>>20)}
	}
	return l.Done, nil
}

// readAnswer posts the request and sends what comes back, at last an error; then it closes arrivals. It stops when ctx ends.
func (x exchange) readAnswer(ctx context.Context, arrivals chan<- received) {
	defer close(arrivals)
	send := func(a received) bool {
		select {
		case arrivals <- a:
			return true
		case <-ctx.Done():
			return false
		}
	}
	send(received{err: x.readLines(ctx, func(l *line) bool { return send(received{line: l}) })})
}

// readLines posts the request and gives each line of the answer to take, until it has enough. It always returns an error:
// the last line is the caller's to know.
func (x exchange) readLines(ctx context.Context, take func(*line) bool) error {
	where, model := x.host.base.String(), x.client.cfg.Model
	resp, err := x.send(ctx)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	var buf []byte
	for {
		buf, err = readLine(in, buf[:0])
		if text := bytes.TrimSpace(buf); len(text) > 0 && (err == nil || err == io.EOF) {
			l, failure := decodeLine(where, model, text)
			if failure != nil && err == io.EOF && failure.Err != nil {
				return incompleteError(where, io.ErrUnexpectedEOF) // a line that was cut off
			}
			if failure != nil {
				return x.markFormat(failure, 0, failure.Message)
			}
			if !take(l) {
				return ctx.Err()
			}
		}
		switch {
		case errors.Is(err, errLongLine):
			return &llm.Error{Kind: llm.Failed, Err: err, Message: fmt.Sprintf(
				"%s sends a line of more than %d MiB: no model writes that; check [ollama] host", where, maxLine>>20)}
		case err == io.EOF:
			return incompleteError(where, io.EOF)
		case err != nil:
			return incompleteError(where, err)
		}
	}
}

// send posts the request and returns an answer whose status is 200, or the error for the caller.
func (x exchange) send(ctx context.Context) (*http.Response, error) {
	resp, err := x.post(ctx)
	if err != nil {
		return nil, x.sendError(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, x.statusError(resp)
	}
	return resp, nil
}

// post sends the request. An answer to it changes nothing on the server, so a connection that proves stale may be
// replaced: the empty Idempotency-Key says so to the transport and is not sent.
func (x exchange) post(ctx context.Context) (*http.Response, error) {
	url := x.host.base.JoinPath("/api/chat").String()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(x.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/x-ndjson")
	req.Header["Idempotency-Key"] = []string{}
	return x.client.http.Do(req)
}

// statusError is the error in an answer whose status is not 200.
func (x exchange) statusError(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && len(body) == 0 {
		return incompleteError(x.host.base.String(), err)
	}
	var object struct {
		Error  json.RawMessage `json:"error"`
		SignIn string          `json:"signin_url"`
	}
	s := serverFailure{status: resp.StatusCode, text: string(body)}
	if json.Unmarshal(body, &object) == nil {
		s.signin = object.SignIn != ""
		if s.text = errorText(object.Error); s.text == "" && len(object.Error) == 0 {
			s.text = unknownText(body)
		}
	}
	return x.markFormat(classify(x.host.base.String(), x.client.cfg.Model, s), s.status, s.text)
}

// errFormat marks the refusal of a request whose format the server cannot make a grammar of.
var errFormat = errors.New("the server cannot use the format")

// markFormat marks a failure with errFormat where it is about the request's format, or nobody knows what else a status of
// 400 would be about. status is 0 in the line of a stream.
func (x exchange) markFormat(failure *llm.Error, status int, text string) *llm.Error {
	isUnclear := status == http.StatusBadRequest && failure.Kind == llm.Failed
	if len(x.req.Format) > 0 && (isUnclear || formatWords().MatchString(strings.ToLower(text))) {
		failure.Err, failure.Retry = errFormat, false
	}
	return failure
}

func unsendableError(err error) *llm.Error {
	return &llm.Error{Kind: llm.Failed, Err: err, Message: "this request cannot be sent to a model: " + err.Error()}
}

// sendError is the error for a request that the transport brought no answer to. A connection that the server dropped
// says nothing against the request.
func (x exchange) sendError(ctx context.Context, err error) error {
	if ctx.Err() == nil && isDropped(err) {
		return &llm.Error{Kind: llm.Incomplete, Retry: true, Err: errors.Join(errDropped, err), Message: closedMessage(x.host.base.String())}
	}
	return x.client.callError(ctx, x.host, x.client.cfg.Model, err)
}

func incompleteError(where string, err error) *llm.Error {
	return &llm.Error{Kind: llm.Incomplete, Retry: true, Err: err, Message: fmt.Sprintf(
		"Ollama at %s broke off before the model was done: ask again; if it happens again, look at its log", where)}
}

func repeatsError(model string) *llm.Error {
	return &llm.Error{Kind: llm.Repeats, Retry: true, Message: fmt.Sprintf(
		"%s repeated itself and Ollama stopped it: ask in other words, or try another model with `hob model use NAME`", model)}
}

var errLongLine = errors.New("line too long")

// readLine appends the next line to buf. The error is io.EOF with the last line, or errLongLine over maxLine bytes.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > maxLine {
			return buf, errLongLine
		}
		buf = append(buf, part...)
		if err != bufio.ErrBufferFull {
			return buf, err
		}
	}
}
