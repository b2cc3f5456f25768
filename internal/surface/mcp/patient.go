package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport, and the one connection that it makes, which does not let the end of the input be known for a moment
// while requests have no answer yet: a script writes what it asks, ends its output and reads. The SDK answers nothing more
// once it has seen the end.
type patient struct {
	mcp.Connection
	over  mcp.Transport
	ended func(why error) // is called when the moment has passed, and when reading fails

	mu      sync.Mutex
	pending int
	idle    chan struct{} // closed when nothing is pending; nil while nobody waits for that
}

// Connect implements [mcp.Transport].
func (p *patient) Connect(ctx context.Context) (c mcp.Connection, err error) {
	p.Connection, err = p.over.Connect(ctx)
	return p, err
}

// Read implements [mcp.Connection].
func (p *patient) Read(ctx context.Context) (jsonrpc.Message, error) {
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
func (p *patient) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := p.Connection.Write(ctx, msg)
	if _, ok := msg.(*jsonrpc.Response); ok {
		p.count(-1)
	}
	return err
}

func (p *patient) count(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending += n
	if p.pending <= 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// linger waits until everything is answered, and not for long.
func (p *patient) linger() {
	p.mu.Lock()
	if p.pending <= 0 {
		p.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	p.idle = idle
	p.mu.Unlock()
	late := time.NewTimer(parting)
	defer late.Stop()
	select {
	case <-idle:
	case <-late.C:
	}
}
