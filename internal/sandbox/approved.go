//go:build linux

package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"hob/internal/sandbox/inside"
)

// freezeTime is how long it may take until everything is frozen; on a busy machine it takes long.
const freezeTime = 30 * time.Second

var errNotFrozen = errors.New("something else that hob runs could change the files of this command and cannot be held meanwhile: " +
	"stop the processes that run, and try again")

// writers are those that can change workspaces: what runs, and who is about to begin.
type writers struct {
	starting *semaphore.Weighted // one for each that is about to begin, and all of them for an approved command

	others    sharedLock // of other processes
	workspace string     // that they write to

	mu      sync.Mutex
	running []*writer
}

// writer is a command that runs and can write to its workspace.
type writer struct {
	process   *Process
	workspace string
	pinned    []string // what it runs, where it is Lasting
}

func newWriters(cfg Config) *writers {
	return &writers{
		starting: semaphore.NewWeighted(maxStarting), others: sharedLock{path: cfg.Lock}, workspace: cfg.Workspace,
	}
}

// Writing waits until no approved command runs; as long as what it returns was not called, none begins. The error is that
// of ctx. Whoever writes to the workspace by hob's own hand does it in between.
func (s *Sandbox) Writing(ctx context.Context) (done func(), err error) {
	w := s.writers
	if err := acquire(ctx, w.starting, 1); err != nil {
		return nil, err
	}
	if err := w.others.take(ctx); err != nil {
		w.starting.Release(1)
		return nil, err
	}
	return func() { w.others.drop(); w.starting.Release(1) }, nil
}

// Pinned reports whether path, absolute and without links, is what a Lasting command runs, or a folder above that.
func (s *Sandbox) Pinned(path string) bool {
	return slices.ContainsFunc(s.writers.alive(), func(w *writer) bool {
		return slices.ContainsFunc(w.pinned, func(p string) bool { return within(p, path) })
	})
}

// maxStarting is how many commands can be about to begin at once.
const maxStarting = 32

// acquire waits for n of a semaphore. The error is the cause of the context's end.
func acquire(ctx context.Context, s *semaphore.Weighted, n int64) error {
	if s.Acquire(ctx, n) != nil {
		return context.Cause(ctx)
	}
	return nil
}

// alive returns the writers that run.
func (w *writers) alive() []*writer {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = slices.DeleteFunc(w.running, func(one *writer) bool { return isClosed(one.process.done) })
	return slices.Clone(w.running)
}

// beside returns those that can change what is in a workspace.
func (w *writers) beside(workspace string) []*writer {
	return slices.DeleteFunc(w.alive(), func(one *writer) bool { return !overlap(one.workspace, workspace) })
}

func overlap(a, b string) bool { return within(a, b) || within(b, a) }

// add adds a writer. As long as it runs, other processes know of it.
func (w *writers) add(one *writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = append(w.running, one)
	if shared, err := filepath.EvalSymlinks(w.workspace); err == nil && w.others.path != "" && overlap(one.workspace, shared) {
		w.others.more()
		go func() { <-one.process.done; w.others.drop() }()
	}
}

// startFree starts a command that nobody was asked about, when it is its turn.
func (s *Sandbox) startFree(ctx context.Context, v *verdict, p Policy, c Command) (*Process, error) {
	if p.rules.ReadOnly {
		return v.start(ctx, v.report.Tier, p, c, bound{})
	}
	done, err := s.Writing(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	spared, err := s.spared(v.report.Tier, p.rules.Workspace)
	if err != nil {
		return nil, err
	}
	process, err := v.start(ctx, v.report.Tier, p, c, bound{spared: spared})
	if err == nil {
		s.writers.add(&writer{process: process, workspace: p.rules.Workspace})
	}
	return process, err
}

// spared are the files in a workspace that a command which starts now must leave as they are, because another runs them.
func (s *Sandbox) spared(tier Tier, workspace string) (all []string, err error) {
	for _, w := range s.writers.beside(workspace) {
		if len(w.pinned) > 0 && tier == T3 {
			return nil, errors.New("a process runs that was approved with the files that it runs, and this sandbox (T3) could not keep " +
				"another command from changing them: stop the process first")
		}
		for _, path := range w.pinned {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && within(path, workspace) {
				all = append(all, path)
			}
		}
	}
	return all, nil
}

// startApproved starts a command that a person has approved.
func (s *Sandbox) startApproved(ctx context.Context, v *verdict, p Policy, c Command) (_ *Process, err error) {
	if err := acquire(ctx, s.writers.starting, maxStarting); err != nil {
		return nil, err
	}
	open := func() { s.writers.starting.Release(maxStarting) }
	release, err := s.freeze(ctx, s.writers.beside(p.rules.Workspace))
	if err != nil {
		release()
		open()
		return nil, err
	}
	back, err := s.writers.others.takeAll(ctx)
	end := func() { back(); release(); open() }
	if err != nil {
		go end() // which may have to wait for the others
		return nil, err
	}
	process, err := s.startFrozen(ctx, v, p, c)
	if err != nil || c.Approved.Lasting {
		end()
		return process, err
	}
	go func() { <-process.done; end() }()
	return process, nil
}

// startFrozen starts a command when nothing else runs.
func (s *Sandbox) startFrozen(ctx context.Context, v *verdict, p Policy, c Command) (*Process, error) {
	pinned, err := c.Approved.Look(ctx)
	defer func() {
		for _, one := range pinned {
			one.Copy.Close() // nil can be closed
		}
	}()
	if err != nil {
		return nil, err
	}
	tier, workspace := v.report.Tier, p.rules.Workspace
	spared, err := s.spared(tier, workspace)
	if err != nil {
		return nil, err
	}
	one := &writer{workspace: workspace}
	if c.Approved.Lasting && tier != T4 {
		for _, file := range pinned {
			one.pinned = append(one.pinned, file.Path)
		}
		if len(pinned) > 0 && len(s.writers.beside(workspace)) > 0 {
			return nil, errors.New("it would run beside others that could change the files that it runs: stop the processes that run, " +
				"or run it without background")
		}
	}
	b := bound{spared: spared}
	if tier <= T2 { // in others it sees the files themselves
		b.pinned = pinned
	}
	one.process, err = v.start(ctx, tier, p, c, b)
	if err == nil && (!p.rules.ReadOnly || len(one.pinned) > 0) {
		s.writers.add(one)
	}
	return one.process, err
}

// freeze stops what runs; what it returns lets that go on, also after an error.
func (s *Sandbox) freeze(ctx context.Context, all []*writer) (release func(), err error) {
	held := make(chan error, len(all))
	for _, w := range all {
		go func() { held <- w.process.freeze(ctx) }()
	}
	for range all {
		err = errors.Join(err, <-held)
	}
	if err != nil {
		err = errNotFrozen
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}
	return func() {
		for _, w := range all {
			w.process.thaw()
		}
	}, err
}

// freeze stops everything of a command, so that nothing of it can go on by itself. One that has ended is as good.
func (p *Process) freeze(ctx context.Context) error {
	if p.link == nil {
		return nil // T4
	}
	order := p.link.order(inside.OrderFreeze)
	late := time.NewTimer(freezeTime)
	defer late.Stop()
	for {
		select {
		case m := <-p.link.frozen:
			if m.Order != order {
				continue // the answer to one that nobody waited for any more
			}
			if !*m.Frozen {
				return errNotFrozen
			}
			return nil
		case <-p.done:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-late.C:
			return errNotFrozen
		}
	}
}

// thaw lets a command go on. What was frozen without an answer goes on as well.
func (p *Process) thaw() {
	if p.link != nil {
		p.link.order(inside.OrderThaw)
	}
}

// bound is what binds a command to files, those that it runs itself and those that others run.
type bound struct {
	spared []string // it cannot change these
	pinned []Pinned
}

// copies are the descriptors of the copies that a helper is started with, and how its specification names them.
func (l *launch) copies() (files []*os.File, copies []inside.Copy) {
	for _, one := range l.pinned {
		if one.Copy == nil {
			continue
		}
		copies = append(copies, inside.Copy{Path: one.Path, FD: inside.SocketFD + 1 + len(files), Mode: uint32(one.Mode.Perm())})
		files = append(files, one.Copy)
	}
	return files, copies
}

// order has the helper do something, and returns the order as it was given: with a number. A helper that does not read it is
// at its end.
func (l *link) order(what string) string {
	order := what + " " + strconv.FormatInt(l.orders.Add(1), 10)
	_, _ = l.conn.Write([]byte(order))
	return order
}
