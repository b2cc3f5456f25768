package shell

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/sandbox"
	"hob/internal/tools"
)

type jobArgs struct {
	ID   int  `json:"id,omitempty" min:"1"`
	Stop bool `json:"stop,omitempty"`
}

// jobData is the Data of a job.
type jobData struct {
	ID      int    `json:"id"`
	Command string `json:"command"`
	Running bool   `json:"running"`
	Exit    int    `json:"exit"` // once it has ended; -1 when a signal ended it
	Signal  string `json:"signal,omitempty"`
	Output  string `json:"output,omitempty"` // what came since it was last read
}

// jobsData is the Data of a list of jobs.
type jobsData struct {
	Jobs []jobData `json:"jobs"`
}

// Tool returns job.
func (j *Jobs) Tool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "job",
		Description:  "List background jobs, read output, or stop one.",
		Capabilities: tools.Reads | tools.Writes | tools.Polls, // what it stops was the agent's own
		Level:        event.BotAdmin,
		Scopes:       tools.PrivateScopes(),
		Check: tools.CheckArgs(func(in jobArgs) error {
			if in.ID == 0 && in.Stop {
				return tools.Invalid(event.CodeRequiredField, "id: is required to stop a job")
			}
			return nil
		}),
	}, j.run)
}

func (j *Jobs) run(ctx context.Context, in jobArgs) (tools.Result, error) {
	chat := tools.CallerFrom(ctx).Chat
	if in.ID == 0 {
		return j.list(ctx, chat), nil
	}
	one, err := j.find(chat, in.ID)
	if err != nil {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "id: %v", err).Suggest("start one with run_command and background")
	}
	if !in.Stop || one.hasEnded() {
		return j.read(ctx, one), nil
	}
	j.stop([]*job{one}, "stopped", false)
	res := j.read(ctx, one)
	res.Effects = []event.Effect{{Kind: "stopped", Target: one.command, Detail: fmt.Sprintf("job %d", one.number)}}
	return res, nil
}

// list is the result that tells of all jobs of a chat.
func (j *Jobs) list(ctx context.Context, chat event.Chat) tools.Result {
	data := jobsData{Jobs: []jobData{}}
	res := tools.Result{Text: "there are no jobs"}
	var lines []string
	for _, one := range j.jobsOf(chat) {
		lines = append(lines, fmt.Sprintf("job %d: %s: %s", one.number, j.state(one), display.Brief(one.command)))
		data.Jobs = append(data.Jobs, j.data(one, ""))
		res.Label = res.Label.Join(j.from(ctx, one))
	}
	if len(lines) > 0 {
		res.Text = strings.Join(lines, "\n")
	}
	res.Data = data
	return res
}

// read is the result that tells of one job, with what it wrote since it was last read.
func (j *Jobs) read(ctx context.Context, one *job) tools.Result {
	over := one.hasEnded() // before its output is taken: what has ended writes no more
	if over {
		<-one.settled
	}
	fresh := one.recent.take()
	text := fresh.TextWith("left out")
	res := tools.Result{Data: j.data(one, text), Label: j.from(ctx, one)}
	res.Text = fmt.Sprintf("job %d: %s", one.number, j.state(one))
	switch {
	case text != "":
		res.Text += "\n" + strings.TrimSuffix(text, "\n")
	case over:
		res.Text += "\n(no more output)"
	default:
		res.Text += "\n(no new output)"
	}
	if over {
		res.Text += one.seen.Note()
		j.mu.Lock()
		one.rights = true
		j.mu.Unlock()
	}
	return res
}

// from is where what a job says comes from: it could read all that commands could, when it began and since.
func (j *Jobs) from(ctx context.Context, one *job) event.Label {
	now := one.taint(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	one.label = one.label.Join(now)
	return one.label
}

// effect is the receipt of a job that was started.
func (j *Jobs) effect(one *job, detail string) event.Effect {
	if one.hasEnded() {
		return ending{Outcome: one.process.Wait(), limit: one.limit}.effect(one.command, detail)
	}
	return event.Effect{Kind: "ran", Target: one.command, Detail: detail}
}

// state says in a few words how a job does.
func (j *Jobs) state(one *job) string {
	if !one.hasEnded() {
		return "running for " + j.cfg.Now().Sub(one.began).Round(time.Second).String()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out := ending{Outcome: one.process.Wait(), limit: one.limit}
	return cmp.Or(one.ended, out.verdict())
}

func (j *Jobs) data(one *job, output string) jobData {
	d := jobData{ID: one.number, Command: one.command, Running: !one.hasEnded(), Output: output}
	if !d.Running {
		out := one.process.Wait()
		d.Exit, d.Signal = out.Exit, out.Signal
	}
	return d
}

// List tells a person of the jobs of a chat, a line each.
func (j *Jobs) List(chat event.Chat) []string {
	var lines []string
	for _, one := range j.jobsOf(chat) {
		j.mu.Lock()
		kept := one.kept && !one.hasEnded()
		j.mu.Unlock()
		line := fmt.Sprintf("job %d: %s: %s", one.number, j.state(one), display.Brief(one.command))
		if kept {
			line += " (kept)"
		}
		lines = append(lines, line)
	}
	return lines
}

// Output tells a person of a job and of all that it has written, as far as it is kept.
func (j *Jobs) Output(chat event.Chat, number int) (string, error) {
	one, err := j.find(chat, number)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("job %d: %s: %s\n", number, j.state(one), display.Brief(one.command)) + streams(one.process.Output()), nil
}

// Keep lets a job live on when its turn ends.
func (j *Jobs) Keep(chat event.Chat, number int) error {
	one, err := j.find(chat, number)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if one.hasEnded() {
		return fmt.Errorf("job %d has already ended", number)
	}
	one.kept = true
	return nil
}

// Stop ends a job.
func (j *Jobs) Stop(chat event.Chat, number int) error {
	one, err := j.find(chat, number)
	if err != nil {
		return err
	}
	if one.hasEnded() {
		return fmt.Errorf("job %d has already ended", number)
	}
	j.stop([]*job{one}, "stopped by the user", false)
	return nil
}

// recent is what a job wrote since somebody last looked: its beginning and its end.
type recent struct {
	mu    sync.Mutex
	head  []byte
	tail  []byte // the last jobKeep bytes of it count
	total int64
}

func (r *recent) add(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += int64(len(p))
	n := min(len(p), jobKeep-len(r.head))
	r.head, p = append(r.head, p[:n]...), p[n:]
	if r.tail = append(r.tail, p...); len(r.tail) > 2*jobKeep {
		r.tail = append(r.tail[:0], r.tail[len(r.tail)-jobKeep:]...)
	}
}

// take returns it and begins anew.
func (r *recent) take() sandbox.Output {
	r.mu.Lock()
	defer r.mu.Unlock()
	tail := r.tail[max(0, len(r.tail)-jobKeep):]
	out := sandbox.Output{Head: r.head, Tail: tail, Total: r.total}
	r.head, r.tail, r.total = nil, nil, 0
	return out
}
