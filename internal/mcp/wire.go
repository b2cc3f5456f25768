package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds on what a server sends over its standard output.
const (
	maxMessage = 8 << 20 // bytes of one message
	maxStray   = 100     // lines that are no message, such as those of a log
	// A server may send so many messages, and so many more for each that it is sent.
	freeMessages = 5000
	perMessage   = 100
)

// wire carries messages to and from a process, one a line. It is both the SDK's transport and its connection: there is one of
// each. What the process sends is bounded, and nothing that is sent to it waits until it is read.
type wire struct {
	p      *Process
	lines  *bufio.Reader
	out    *outbox
	credit atomic.Int64
	stray  int // lines that were no message

	closed sync.Once
	mu     sync.Mutex
	why    error // what was wrong with the process
}

func newWire(p *Process) *wire {
	w := &wire{p: p, lines: bufio.NewReaderSize(p.Out, 64<<10), out: newOutbox(p.In)}
	w.credit.Store(freeMessages)
	return w
}

// Connect implements [mcp.Transport].
func (w *wire) Connect(context.Context) (mcp.Connection, error) { return w, nil }

// SessionID implements [mcp.Connection].
func (w *wire) SessionID() string { return "" }

// Read implements [mcp.Connection]. It ends when the process does, or w is closed.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		line, err := w.line()
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if w.credit.Add(-1) < 0 {
			return nil, w.blame(noticef("it sent more than %d messages that nobody had asked for", freeMessages))
		}
		if line[0] == '{' {
			if msg, err := jsonrpc.DecodeMessage(line); err == nil {
				return msg, nil
			}
		}
		if w.stray++; w.stray > maxStray {
			return nil, w.blame(noticef("it wrote more than %d lines to its standard output that are no messages of the protocol", maxStray))
		}
	}
}

// line reads a line of at most maxMessage bytes. What it returns is the caller's.
func (w *wire) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := w.lines.ReadSlice('\n')
		if len(whole)+len(part) > maxMessage {
			return nil, w.blame(noticef("it sent a message of more than %d MiB", maxMessage>>20))
		}
		whole = append(whole, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// Write implements [mcp.Connection]. It does not wait for the process to read.
func (w *wire) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if request, ok := msg.(*jsonrpc.Request); ok && request.IsCall() {
		w.credit.Store(min(w.credit.Load()+perMessage, freeMessages))
	}
	if err := w.out.put(append(data, '\n')); err != nil {
		if errors.Is(err, errFull) {
			_ = w.blame(errFull) // put returned it
		}
		return err
	}
	return nil
}

// Close implements [mcp.Connection]. The process hears that nothing more comes; it is not waited for.
func (w *wire) Close() error {
	w.closed.Do(func() {
		w.out.close()
		w.p.Out.Close()
	})
	return nil
}

// wait waits for what writes to the process, which has ended.
func (w *wire) wait() { <-w.out.done }

// blame says what is wrong with the process. The first word stays.
func (w *wire) blame(why error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.why == nil {
		w.why = why
	}
	return why
}

func (w *wire) reason() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.why
}
