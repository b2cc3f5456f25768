package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/files/watch"
)

// Bounds of [Processes].
const (
	maxOfChat   = 8         // that run
	maxOfAll    = 16        // likewise
	maxKnown    = 16        // of one chat: the oldest that have ended are forgotten
	keptOutput  = 128 << 10 // bytes kept of each end of what came since a process was last read
	defaultLife = time.Hour
	startGrace  = 300 * time.Millisecond // a process that fails at once is told of in the call that started it
)

// ProcessesConfig says how long processes live.
type ProcessesConfig struct {
	Timeout time.Duration // the longest a process may run, whoever keeps it; 0 means 1 h
	KeepAll bool          // a process lives on when its turn ends, as if a person had kept it
	// Linger is for a surface where a person reads the end of a turn and can answer with [Processes.Keep]: what nobody has
	// kept lives until the chat's next turn begins. Otherwise it ends with its turn.
	Linger bool
	Now    func() time.Time
}

// Processes are the commands that run in the background, of all chats of one hob. A command gets there by run_command alone,
// in the same sandbox and under the same rules; the tool process lists, reads and stops them.
//
// A process belongs to its chat, and is known by a number that counts up there. It lives as long as its turn: when that ends
// ([Processes.End]) the process is ended too, unless a person has kept it. Where a person is at the prompt, they are told that it
// runs and have until their next message to keep it; nothing that the model says keeps a process. A turn that is stopped
// takes its processes along at once. Kept or not, a process ends after Timeout, and with hob: the sandbox sees to that even when
// hob is killed.
//
// What a process writes is kept at both ends. The model reads what came since it last read; what a person looks at
// ([Processes.Output]) is not missing from that.
//
// It is safe for concurrent use.
type Processes struct {
	cfg      ProcessesConfig
	starting sync.Mutex // held while a process is started, so that the bounds hold
	settling sync.WaitGroup

	mu     sync.Mutex
	closed bool
	chats  map[event.Chat]*chatProcesses
}

// chatProcesses is the processes of one chat.
type chatProcesses struct {
	last int // the largest number there was
	all  []*process
	owed []string // what is to be said of rights that were removed after a command was stopped
}

// process is one command in the background.
type process struct {
	number  int
	command string
	source
	began   time.Time
	limit   time.Duration
	child   *sandbox.Process
	recent  recent        // what came since the model last read
	settled chan struct{} // closed when it is known what it has changed, after it has ended
	seen    watch.Seen    // that
	kept    bool          // guarded by Processes.mu, as what follows
	ended   string        // why hob ended it, or ""
	rights  bool          // it has been said that rights were removed from what it left
}

// source is where what a command writes comes from, and what looks at the workspace when it has ended.
type source struct {
	label event.Label // guarded by Processes.mu
	taint func(context.Context) event.Label
	after func(context.Context) watch.Seen
}

// NewProcesses returns the processes of a hob; there are none yet.
func NewProcesses(cfg ProcessesConfig) *Processes {
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultLife
	}
	return &Processes{cfg: cfg, chats: map[event.Chat]*chatProcesses{}}
}

// start makes what begin starts a process of the chat that ctx is of. It says how that went; one that ends at once is told
// of as it is read.
func (p *Processes) start(ctx context.Context, command string, from source,
	begin func(sandbox.Command) (*sandbox.Process, error),
) (tools.Result, error) {
	chat := tools.CallerFrom(ctx).Chat
	one := &process{command: command, source: from, began: p.cfg.Now(), limit: p.cfg.Timeout, settled: make(chan struct{})}
	if err := p.begin(ctx, chat, one, begin); err != nil {
		if one.child == nil {
			one.after(context.WithoutCancel(ctx)) // nothing ran, and nothing will
		}
		return tools.Result{}, err
	}
	if ctx.Err() != nil { // its turn may have ended without knowing of it
		p.stop([]*process{one}, "stopped", true)
		ran := p.effect(one, fmt.Sprintf("process %d: %s", one.number, p.state(one)))
		return tools.Result{Label: p.from(ctx, one), Effects: []event.Effect{ran}}, tools.EndedError(ctx, "run_command", "and was killed")
	}
	wait := time.NewTimer(startGrace)
	defer wait.Stop()
	select {
	case <-one.child.Done():
		res := p.read(ctx, one)
		res.Effects = []event.Effect{p.effect(one, "in the background: "+p.state(one)+one.seen.Detail())}
		res.Effects[0].Change = one.seen.Change
		return res, nil
	case <-wait.C:
	case <-ctx.Done():
	}
	until := "It ends with this turn, unless the user keeps it."
	if p.cfg.KeepAll {
		until = "It runs until you stop it."
	}
	return tools.Result{
		Text: fmt.Sprintf("process %d runs. Read its output with process. %s", one.number, until), Data: p.data(one, ""), Label: p.from(ctx, one),
		Effects: []event.Effect{p.effect(one, fmt.Sprintf("process %d", one.number))},
	}, nil
}

// begin starts a process and adds it to those of the chat.
func (p *Processes) begin(ctx context.Context, chat event.Chat, one *process, begin func(sandbox.Command) (*sandbox.Process, error)) error {
	p.starting.Lock()
	defer p.starting.Unlock()
	if e := p.full(chat); e != nil {
		return e
	}
	child, err := begin(sandbox.Command{Timeout: p.cfg.Timeout, Live: func(_ int, p []byte) { one.recent.add(p) }})
	if err != nil {
		return err
	}
	one.child = child
	p.settling.Go(func() {
		defer close(one.settled)
		<-child.Done()
		one.seen = one.after(context.WithoutCancel(ctx))
	})
	if !p.add(chat, one) {
		one.stop(false)
		return tools.Cancelled("hob is shutting down")
	}
	return nil
}

// settle calls f, which [Processes.Close] waits for. It reports false, and does not, when there are no processes any more.
func (p *Processes) settle(f func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.settling.Go(f)
	}
	return !p.closed
}

// full returns the error for one process too many.
func (p *Processes) full(chat event.Chat) *tools.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	here, all := 0, 0
	for name, b := range p.chats {
		for _, one := range b.all {
			if !one.hasEnded() {
				all++
				if name == chat {
					here++
				}
			}
		}
	}
	if here < maxOfChat && all < maxOfAll {
		return nil
	}
	if here < maxOfChat {
		return tools.RateLimited("not started: %d processes are running in all chats together, as many as may be", all).
			Suggest("run this without background")
	}
	return tools.RateLimited("not started: %d processes are running, as many as may be", here).
		Suggest("stop one with process, or run this without background")
}

// add gives a process its number. It reports whether there still are processes at all.
func (p *Processes) add(chat event.Chat, one *process) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	b := p.chatProcesses(chat)
	b.last++
	one.number, one.kept = b.last, p.cfg.KeepAll
	b.all = append(b.all, one)
	for i := 0; len(b.all) > maxKnown && i < len(b.all); {
		if b.all[i].hasEnded() {
			b.all = append(b.all[:i:i], b.all[i+1:]...)
			continue
		}
		i++
	}
	return true
}

// chatProcesses returns the processes of a chat, under the lock.
func (p *Processes) chatProcesses(chat event.Chat) *chatProcesses {
	b := p.chats[chat]
	if b == nil {
		b = &chatProcesses{}
		p.chats[chat] = b
	}
	return b
}

// hasEnded reports whether a process has ended.
func (o *process) hasEnded() bool {
	select {
	case <-o.child.Done():
		return true
	default:
		return false
	}
}

// stop ends a process, and waits until it is known what it has changed; in a hurry, only a moment for that.
func (o *process) stop(hurry bool) {
	o.child.Stop()
	var late <-chan time.Time
	if hurry {
		timer := time.NewTimer(lookGrace)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-o.settled:
	case <-late:
	}
}

// processesOf returns the processes of a chat, oldest first.
func (p *Processes) processesOf(chat event.Chat) []*process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.chats[chat]; b != nil {
		return append([]*process(nil), b.all...)
	}
	return nil
}

// find returns a process of a chat.
func (p *Processes) find(chat event.Chat, number int) (*process, error) {
	all := p.processesOf(chat)
	for _, one := range all {
		if one.number == number {
			return one, nil
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there are no processes")
	}
	return nil, fmt.Errorf("there is no process %d, the last is %d", number, all[len(all)-1].number)
}

// stop ends processes and notes why.
func (p *Processes) stop(all []*process, why string, hurry bool) {
	var wait sync.WaitGroup
	for _, one := range all {
		p.mu.Lock()
		if !one.hasEnded() {
			one.ended = why
		}
		p.mu.Unlock()
		wait.Go(func() { one.stop(hurry) })
	}
	wait.Wait()
}

// Close ends all processes and starts no more.
func (p *Processes) Close() {
	p.mu.Lock()
	p.closed = true
	var all []*process
	for _, b := range p.chats {
		all = append(all, b.all...)
	}
	p.mu.Unlock()
	p.stop(all, "hob ended it", false)
	p.starting.Lock()
	defer p.starting.Unlock()
	p.settling.Wait()
}

// Begin is told that a turn of the chat begins: what lingers of earlier ones ends. It returns what there is to say to the
// person.
func (p *Processes) Begin(_ context.Context, chat event.Chat) []string {
	var gone []string
	loose := p.unkept(chat)
	p.stop(loose, "ended with its turn", false)
	for _, one := range loose {
		gone = append(gone, fmt.Sprintf("process %d was not kept and has ended: %s", one.number, display.Brief(one.command)))
	}
	return append(gone, p.rights(chat)...)
}

// End is told that a turn of the chat has ended. It returns what there is to say to the person.
func (p *Processes) End(_ context.Context, chat event.Chat, reason event.Reason) []string {
	loose := p.unkept(chat)
	linger := p.cfg.Linger && reason != event.Stopped && reason != event.Broken
	if !linger {
		p.stop(loose, "ended with its turn", reason == event.Stopped)
	}
	var lines []string
	for _, one := range loose {
		if linger {
			lines = append(lines, fmt.Sprintf("process %d runs until your next message; /background %d keeps it: %s",
				one.number, one.number, display.Brief(one.command)))
			continue
		}
		lines = append(lines, fmt.Sprintf("process %d ended with the turn: %s", one.number, display.Brief(one.command)))
	}
	return append(lines, p.rights(chat)...)
}

// reportLater has it said later what is seen after a command that was stopped and is not waited for. It returns what is known now.
func (p *Processes) reportLater(chat event.Chat, command string, seen <-chan watch.Seen) (now watch.Seen) {
	p.settle(func() {
		if note := (<-seen).Rights.Note; note != "" {
			p.mu.Lock()
			defer p.mu.Unlock()
			b := p.chatProcesses(chat)
			b.owed = append(b.owed, display.Brief(command)+":"+strings.ReplaceAll(note, "\n", " "))
		}
	})
	return now
}

// rights returns what nobody has been told yet of rights that were removed from what commands of a chat left in the workspace.
func (p *Processes) rights(chat event.Chat) (lines []string) {
	p.mu.Lock()
	if b := p.chats[chat]; b != nil {
		lines, b.owed = b.owed, nil
	}
	p.mu.Unlock()
	for _, one := range p.processesOf(chat) {
		select {
		case <-one.settled:
		default:
			continue
		}
		p.mu.Lock()
		if note := one.seen.Rights.Note; note != "" && !one.rights {
			one.rights = true
			lines = append(lines, fmt.Sprintf("process %d:%s", one.number, strings.ReplaceAll(note, "\n", " ")))
		}
		p.mu.Unlock()
	}
	return lines
}

// unkept returns the running processes of a chat that nobody has kept.
func (p *Processes) unkept(chat event.Chat) []*process {
	var loose []*process
	for _, one := range p.processesOf(chat) {
		p.mu.Lock()
		if !one.kept && !one.hasEnded() {
			loose = append(loose, one)
		}
		p.mu.Unlock()
	}
	return loose
}
