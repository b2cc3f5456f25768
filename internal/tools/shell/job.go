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

// Bounds of [Jobs].
const (
	jobsOfChat = 8         // that run
	jobsOfAll  = 16        // likewise
	jobsKnown  = 16        // of one chat: the oldest that have ended are forgotten
	jobKeep    = 128 << 10 // bytes kept of each end of what came since a job was last read
	defaultJob = time.Hour
	jobGrace   = 300 * time.Millisecond // a job that fails at once is told of in the call that started it
)

// JobsConfig says how long jobs live.
type JobsConfig struct {
	Timeout time.Duration // the longest a job may run, whoever keeps it; 0 means 1 h
	KeepAll bool          // a job lives on when its turn ends, as if a person had kept it
	// Linger is for a surface where a person reads the end of a turn and can answer with [Jobs.Keep]: what nobody has
	// kept lives until the chat's next turn begins. Otherwise it ends with its turn.
	Linger bool
	Now    func() time.Time
}

// Jobs are the commands that run in the background, of all chats of one hob. A command gets there by run_command alone,
// in the same sandbox and under the same rules; the tool job lists, reads and stops them.
//
// A job belongs to its chat, and is known by a number that counts up there. It lives as long as its turn: when that ends
// ([Jobs.End]) the job is ended too, unless a person has kept it. Where a person is at the prompt, they are told that it
// runs and have until their next message to keep it; nothing that the model says keeps a job. A turn that is stopped
// takes its jobs along at once. Kept or not, a job ends after Timeout, and with hob: the sandbox sees to that even when
// hob is killed.
//
// What a job writes is kept at both ends. The model reads what came since it last read; what a person looks at
// ([Jobs.Output]) is not missing from that.
//
// It is safe for concurrent use.
type Jobs struct {
	cfg      JobsConfig
	starting sync.Mutex // held while a job is started, so that the bounds hold
	settling sync.WaitGroup

	mu     sync.Mutex
	closed bool
	chats  map[event.Chat]*chatJobs
}

// chatJobs is the jobs of one chat.
type chatJobs struct {
	last int // the largest number there was
	jobs []*job
	owed []string // what is to be said of rights that were removed after a command was stopped
}

// job is one command in the background.
type job struct {
	number  int
	command string
	source
	began   time.Time
	limit   time.Duration
	process *sandbox.Process
	recent  recent        // what came since the model last read
	settled chan struct{} // closed when it is known what it has changed, after it has ended
	seen    watch.Seen    // that
	kept    bool          // guarded by Jobs.mu, as what follows
	ended   string        // why hob ended it, or ""
	rights  bool          // it has been said that rights were removed from what it left
}

// source is where what a command writes comes from, and what looks at the workspace when it has ended.
type source struct {
	label event.Label // guarded by Jobs.mu
	taint func(context.Context) event.Label
	after func(context.Context) watch.Seen
}

// NewJobs returns the jobs of a hob; there are none yet.
func NewJobs(cfg JobsConfig) *Jobs {
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultJob
	}
	return &Jobs{cfg: cfg, chats: map[event.Chat]*chatJobs{}}
}

// start makes what begin starts a job of the chat that ctx is of. It says how that went; one that ends at once is told
// of as it is read.
func (j *Jobs) start(ctx context.Context, command string, from source,
	begin func(sandbox.Command) (*sandbox.Process, error),
) (tools.Result, error) {
	chat := tools.CallerFrom(ctx).Chat
	one := &job{command: command, source: from, began: j.cfg.Now(), limit: j.cfg.Timeout, settled: make(chan struct{})}
	if err := j.begin(ctx, chat, one, begin); err != nil {
		if one.process == nil {
			one.after(context.WithoutCancel(ctx)) // nothing ran, and nothing will
		}
		return tools.Result{}, err
	}
	if ctx.Err() != nil { // its turn may have ended without knowing of it
		j.stop([]*job{one}, "stopped", true)
		ran := j.effect(one, fmt.Sprintf("job %d: %s", one.number, j.state(one)))
		return tools.Result{Label: j.from(ctx, one), Effects: []event.Effect{ran}}, tools.EndedError(ctx, "run_command", "and was killed")
	}
	wait := time.NewTimer(jobGrace)
	defer wait.Stop()
	select {
	case <-one.process.Done():
		res := j.read(ctx, one)
		res.Effects = []event.Effect{j.effect(one, "in the background: "+j.state(one)+one.seen.Detail())}
		return res, nil
	case <-wait.C:
	case <-ctx.Done():
	}
	until := "It ends with this turn, unless the user keeps it."
	if j.cfg.KeepAll {
		until = "It runs until you stop it."
	}
	return tools.Result{
		Text: fmt.Sprintf("job %d runs. Read its output with job. %s", one.number, until), Data: j.data(one, ""), Label: j.from(ctx, one),
		Effects: []event.Effect{j.effect(one, fmt.Sprintf("job %d", one.number))},
	}, nil
}

// begin starts a job and adds it to those of the chat.
func (j *Jobs) begin(ctx context.Context, chat event.Chat, one *job, begin func(sandbox.Command) (*sandbox.Process, error)) error {
	j.starting.Lock()
	defer j.starting.Unlock()
	if e := j.full(chat); e != nil {
		return e
	}
	process, err := begin(sandbox.Command{Timeout: j.cfg.Timeout, Live: func(_ int, p []byte) { one.recent.add(p) }})
	if err != nil {
		return err
	}
	one.process = process
	j.settling.Go(func() {
		defer close(one.settled)
		<-process.Done()
		one.seen = one.after(context.WithoutCancel(ctx))
	})
	if !j.add(chat, one) {
		one.stop(false)
		return tools.Cancelled("hob is shutting down")
	}
	return nil
}

// settle calls f, which [Jobs.Close] waits for. It reports false, and does not, when there are no jobs any more.
func (j *Jobs) settle(f func()) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closed {
		j.settling.Go(f)
	}
	return !j.closed
}

// full returns the error for one job too many.
func (j *Jobs) full(chat event.Chat) *tools.Error {
	j.mu.Lock()
	defer j.mu.Unlock()
	here, all := 0, 0
	for name, b := range j.chats {
		for _, one := range b.jobs {
			if !one.hasEnded() {
				all++
				if name == chat {
					here++
				}
			}
		}
	}
	if here < jobsOfChat && all < jobsOfAll {
		return nil
	}
	if here < jobsOfChat {
		return tools.RateLimited("not started: %d jobs are running in all chats together, as many as may be", all).
			Suggest("run this without background")
	}
	return tools.RateLimited("not started: %d jobs are running, as many as may be", here).
		Suggest("stop one with job, or run this without background")
}

// add gives a job its number. It reports whether there still are jobs at all.
func (j *Jobs) add(chat event.Chat, one *job) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return false
	}
	b := j.chatJobs(chat)
	b.last++
	one.number, one.kept = b.last, j.cfg.KeepAll
	b.jobs = append(b.jobs, one)
	for i := 0; len(b.jobs) > jobsKnown && i < len(b.jobs); {
		if b.jobs[i].hasEnded() {
			b.jobs = append(b.jobs[:i:i], b.jobs[i+1:]...)
			continue
		}
		i++
	}
	return true
}

// chatJobs returns the jobs of a chat, under the lock.
func (j *Jobs) chatJobs(chat event.Chat) *chatJobs {
	b := j.chats[chat]
	if b == nil {
		b = &chatJobs{}
		j.chats[chat] = b
	}
	return b
}

// hasEnded reports whether a job has ended.
func (o *job) hasEnded() bool {
	select {
	case <-o.process.Done():
		return true
	default:
		return false
	}
}

// stop ends a job, and waits until it is known what it has changed; in a hurry, only a moment for that.
func (o *job) stop(hurry bool) {
	o.process.Stop()
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

// jobsOf returns the jobs of a chat, oldest first.
func (j *Jobs) jobsOf(chat event.Chat) []*job {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b := j.chats[chat]; b != nil {
		return append([]*job(nil), b.jobs...)
	}
	return nil
}

// find returns a job of a chat.
func (j *Jobs) find(chat event.Chat, number int) (*job, error) {
	all := j.jobsOf(chat)
	for _, one := range all {
		if one.number == number {
			return one, nil
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there are no jobs")
	}
	return nil, fmt.Errorf("there is no job %d, the last is %d", number, all[len(all)-1].number)
}

// stop ends jobs and notes why.
func (j *Jobs) stop(all []*job, why string, hurry bool) {
	var wait sync.WaitGroup
	for _, one := range all {
		j.mu.Lock()
		if !one.hasEnded() {
			one.ended = why
		}
		j.mu.Unlock()
		wait.Go(func() { one.stop(hurry) })
	}
	wait.Wait()
}

// Close ends all jobs and starts no more.
func (j *Jobs) Close() {
	j.mu.Lock()
	j.closed = true
	var all []*job
	for _, b := range j.chats {
		all = append(all, b.jobs...)
	}
	j.mu.Unlock()
	j.stop(all, "hob ended it", false)
	j.starting.Lock()
	defer j.starting.Unlock()
	j.settling.Wait()
}

// Begin is told that a turn of the chat begins: what lingers of earlier ones ends. It returns what there is to say to the
// person.
func (j *Jobs) Begin(_ context.Context, chat event.Chat) []string {
	var gone []string
	loose := j.unkept(chat)
	j.stop(loose, "ended with its turn", false)
	for _, one := range loose {
		gone = append(gone, fmt.Sprintf("job %d was not kept and has ended: %s", one.number, display.Brief(one.command)))
	}
	return append(gone, j.rights(chat)...)
}

// End is told that a turn of the chat has ended. It returns what there is to say to the person.
func (j *Jobs) End(_ context.Context, chat event.Chat, reason event.Reason) []string {
	loose := j.unkept(chat)
	linger := j.cfg.Linger && reason != event.Stopped && reason != event.Broken
	if !linger {
		j.stop(loose, "ended with its turn", reason == event.Stopped)
	}
	var lines []string
	for _, one := range loose {
		if linger {
			lines = append(lines, fmt.Sprintf("job %d runs until your next message; /keep %d keeps it: %s",
				one.number, one.number, display.Brief(one.command)))
			continue
		}
		lines = append(lines, fmt.Sprintf("job %d ended with the turn: %s", one.number, display.Brief(one.command)))
	}
	return append(lines, j.rights(chat)...)
}

// reportLater has it said later what is seen after a command that was stopped and is not waited for. It returns what is known now.
func (j *Jobs) reportLater(chat event.Chat, command string, seen <-chan watch.Seen) (now watch.Seen) {
	j.settle(func() {
		if note := (<-seen).Rights.Note; note != "" {
			j.mu.Lock()
			defer j.mu.Unlock()
			b := j.chatJobs(chat)
			b.owed = append(b.owed, display.Brief(command)+":"+strings.ReplaceAll(note, "\n", " "))
		}
	})
	return now
}

// rights returns what nobody has been told yet of rights that were removed from what commands of a chat left in the workspace.
func (j *Jobs) rights(chat event.Chat) (lines []string) {
	j.mu.Lock()
	if b := j.chats[chat]; b != nil {
		lines, b.owed = b.owed, nil
	}
	j.mu.Unlock()
	for _, one := range j.jobsOf(chat) {
		select {
		case <-one.settled:
		default:
			continue
		}
		j.mu.Lock()
		if note := one.seen.Rights.Note; note != "" && !one.rights {
			one.rights = true
			lines = append(lines, fmt.Sprintf("job %d:%s", one.number, strings.ReplaceAll(note, "\n", " ")))
		}
		j.mu.Unlock()
	}
	return lines
}

// unkept returns the running jobs of a chat that nobody has kept.
func (j *Jobs) unkept(chat event.Chat) []*job {
	var loose []*job
	for _, one := range j.jobsOf(chat) {
		j.mu.Lock()
		if !one.kept && !one.hasEnded() {
			loose = append(loose, one)
		}
		j.mu.Unlock()
	}
	return loose
}
