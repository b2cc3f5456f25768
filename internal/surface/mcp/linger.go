package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/retry"
)

// lingeringTransport is a transport and its one connection. At the end of the input it waits a moment while requests have no
// answer yet: a script writes its requests, closes its output and reads. The SDK answers nothing once it has seen the end.
type lingeringTransport struct {
	mcp.Connection
	next  mcp.Transport
	ended func(why error) // called when the moment has passed, and when reading fails

	mu      sync.Mutex
	pending int
	idle    chan struct{} // closed when nothing is pending; nil while nobody waits for that
}

// Connect implements [mcp.Transport].
func (p *lingeringTransport) Connect(ctx context.Context) (c mcp.Connection, err error) {
	p.Connection, err = p.next.Connect(ctx)
	return p, err
}

// Read implements [mcp.Connection].
func (p *lingeringTransport) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := p.Connection.Read(ctx)
	if err != nil {
		p.linger()
		p.ended(err)
		return nil, err
	}
	if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() {
		p.count(1)
	}
	return msg, nil
}

// Write implements [mcp.Connection].
func (p *lingeringTransport) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := p.Connection.Write(ctx, msg)
	if _, ok := msg.(*jsonrpc.Response); ok {
		p.count(-1)
	}
	return err
}

func (p *lingeringTransport) count(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending += n
	if p.pending <= 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// linger waits until every request is answered, but not for long.
func (p *lingeringTransport) linger() {
	p.mu.Lock()
	if p.pending <= 0 {
		p.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	p.idle = idle
	p.mu.Unlock()
	retry.Within(idle, lingerTime)
}
