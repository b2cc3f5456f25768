package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"hob/internal/config"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
)

// engine is the model that hob talks to. Which one that is, and whether it is there at all, is found out at the first
// request, so that a question asked while Ollama is down is journaled like any other and its turn says what is wrong.
type engine struct {
	set     *setting
	suggest string // the model for this machine's memory
	base    *ollama.Client

	mu     sync.Mutex
	numCtx int            // asked for, and lowered to what the server gave
	client *ollama.Client // nil until the first request
	read   bool           // whether the server's own number was read back
}

func newEngine(s *setting) *engine {
	memory, _ := config.ReadMemory(os.DirFS("/")) // unknown memory means the smallest model
	name, numCtx := config.ChooseModel(memory.Bytes)
	return &engine{set: s, suggest: name, base: s.ollama, numCtx: cmp.Or(s.Ollama.NumCtx, numCtx)}
}

// window is the context in tokens.
func (e *engine) window() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.numCtx
}

// Chat implements [llm.Model].
func (e *engine) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	c, err := e.ready(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := c.Chat(ctx, req, onDelta)
	if err != nil {
		return nil, err
	}
	if note := e.readBack(ctx, c); note != "" {
		onDelta(llm.Delta{Status: note})
	}
	return reply, nil
}

// readBack lowers the window to what the server really gave the model, once: a server may have less memory than the
// request asked for. It returns what there is to say about it, which is nothing where hob itself had chosen too much.
func (e *engine) readBack(ctx context.Context, c *ollama.Client) (note string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.read {
		return ""
	}
	got, err := c.Context(ctx)
	if err != nil || got == 0 {
		return "" // the reply stands; the next one asks again
	}
	e.read = true
	if got >= e.numCtx {
		return ""
	}
	if e.set.Ollama.NumCtx > 0 {
		note = fmt.Sprintf("the server runs the model with a context of %d tokens, not %d", got, e.numCtx)
	}
	e.numCtx = got
	return note
}

// ready returns a client for a model that is there and can do what hob needs.
func (e *engine) ready(ctx context.Context) (*ollama.Client, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client != nil {
		return e.client, nil
	}
	name, err := e.choose(ctx)
	if err != nil {
		return nil, err
	}
	c, facts, err := e.preflight(ctx, name, e.numCtx)
	if err != nil {
		return nil, err
	}
	if facts.TrainedContext > 0 && facts.TrainedContext < e.numCtx { // more than it was trained for is not to be had
		e.numCtx = facts.TrainedContext
		if c, _, err = e.preflight(ctx, name, e.numCtx); err != nil {
			return nil, err
		}
	}
	e.client = c
	return c, nil
}

// choose returns the configured model, else the one for this machine if it is installed, else any that can call tools.
func (e *engine) choose(ctx context.Context) (string, error) {
	if e.set.Ollama.Model != "" {
		return e.set.Ollama.Model, nil
	}
	installed, err := e.base.Models(ctx)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(installed, func(m ollama.Installed) bool { return m.Name == e.suggest }) {
		return e.suggest, nil
	}
	slices.SortStableFunc(installed, func(a, b ollama.Installed) int { return b.Modified.Compare(a.Modified) })
	for _, m := range installed {
		if _, facts, err := e.preflight(ctx, m.Name, 0); err == nil && facts.Tools {
			return m.Name, nil
		}
	}
	return "", &llm.Error{Kind: llm.ModelMissing,
		Message: fmt.Sprintf("there is no model that can call tools yet: get one with `hob model pull %s`", e.suggest)}
}

func (e *engine) preflight(ctx context.Context, name string, numCtx int) (*ollama.Client, ollama.Facts, error) {
	c := e.base.For(name, numCtx)
	facts, err := c.Preflight(ctx)
	return c, facts, err
}

// connect makes the client for the hosts of s.
func (s *setting) connect() error {
	c, err := ollama.New(ollama.Config{
		Hosts: s.hosts, KeepAlive: s.Ollama.KeepAlive, Shift: s.Ollama.Shift,
		FirstByte: s.Ollama.FirstByteTimeout, Idle: s.Ollama.IdleTimeout, AllowRemote: s.Ollama.AllowRemote,
	})
	if err != nil {
		return failed(exitUsage, "%v", err)
	}
	s.ollama = c
	return nil
}

// missing reports whether err says that there is no model, which pulling one mends.
func missing(err error) bool { return errors.Is(err, llm.ModelMissing) }
