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

type processArgs struct {
	ID   int  `json:"id,omitempty" min:"1"`
	Stop bool `json:"stop,omitempty"`
}

// processData is the Data of a process.
type processData struct {
	ID      int    `json:"id"`
	Command string `json:"command"`
	Running bool   `json:"running"`
	Exit    int    `json:"exit"` // once it has ended; -1 when a signal ended it
	Signal  string `json:"signal,omitempty"`
	Output  string `json:"output,omitempty"` // what came since it was last read
}

// processesData is the Data of a list of processes.
type processesData struct {
	Processes []processData `json:"processes"`
}

// Tool returns process.
func (p *Processes) Tool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "process",
		Description:  "List background processes, read output, or stop one.",
		Capabilities: tools.Reads | tools.Writes | tools.Polls, // what it stops was the agent's own
		Level:        event.BotAdmin,
		Scopes:       tools.PrivateScopes(),
		Check: tools.CheckArgs(func(in processArgs) error {
			if in.ID == 0 && in.Stop {
				return tools.Invalid(event.CodeRequiredField, "id: is required to stop a process")
			}
			return nil
		}),
	}, p.run)
}

func (p *Processes) run(ctx context.Context, in processArgs) (tools.Result, error) {
	chat := tools.CallerFrom(ctx).Chat
	if in.ID == 0 {
		return p.list(ctx, chat), nil
	}
	one, err := p.find(chat, in.ID)
	if err != nil {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "id: %v", err).Suggest("start one with run_command and background")
	}
	if !in.Stop || one.hasEnded() {
		return p.read(ctx, one), nil
	}
	p.stop([]*process{one}, "stopped", false)
	res := p.read(ctx, one)
	res.Effects = []event.Effect{{Kind: "stopped", Target: one.command, Detail: fmt.Sprintf("process %d", one.number)}}
	return res, nil
}

// list is the result that tells of all processes of a chat.
func (p *Processes) list(ctx context.Context, chat event.Chat) tools.Result {
	data := processesData{Processes: []processData{}}
	res := tools.Result{Text: "there are no processes"}
	var lines []string
	for _, one := range p.processesOf(chat) {
		lines = append(lines, fmt.Sprintf("process %d: %s: %s", one.number, p.state(one), display.Brief(one.command)))
		data.Processes = append(data.Processes, p.data(one, ""))
		res.Label = res.Label.Join(p.from(ctx, one))
	}
	if len(lines) > 0 {
		res.Text = strings.Join(lines, "\n")
	}
	res.Data = data
	return res
}

// read is the result that tells of one process, with what it wrote since it was last read.
func (p *Processes) read(ctx context.Context, one *process) tools.Result {
	over := one.hasEnded() // before its output is taken: what has ended writes no more
	if over {
		<-one.settled
	}
	fresh := one.recent.take()
	text := fresh.TextWith("left out")
	res := tools.Result{Data: p.data(one, text), Label: p.from(ctx, one)}
	res.Text = fmt.Sprintf("process %d: %s", one.number, p.state(one))
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
		p.mu.Lock()
		one.rights = true
		p.mu.Unlock()
	}
	return res
}

// from is where what a process says comes from: it could read all that commands could, when it began and since.
func (p *Processes) from(ctx context.Context, one *process) event.Label {
	now := one.taint(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	one.label = one.label.Join(now)
	return one.label
}

// effect is the receipt of a process that was started.
func (p *Processes) effect(one *process, detail string) event.Effect {
	if one.hasEnded() {
		return ending{Outcome: one.child.Wait(), limit: one.limit}.effect(one.command, detail)
	}
	return event.Effect{Kind: "ran", Target: one.command, Detail: detail}
}

// state says in a few words how a process does.
func (p *Processes) state(one *process) string {
	if !one.hasEnded() {
		return "running for " + p.cfg.Now().Sub(one.began).Round(time.Second).String()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	out := ending{Outcome: one.child.Wait(), limit: one.limit}
	return cmp.Or(one.ended, out.verdict())
}

func (p *Processes) data(one *process, output string) processData {
	d := processData{ID: one.number, Command: one.command, Running: !one.hasEnded(), Output: output}
	if !d.Running {
		out := one.child.Wait()
		d.Exit, d.Signal = out.Exit, out.Signal
	}
	return d
}

// List tells a person of the processes of a chat, a line each.
func (p *Processes) List(chat event.Chat) []string {
	var lines []string
	for _, one := range p.processesOf(chat) {
		p.mu.Lock()
		kept := one.kept && !one.hasEnded()
		p.mu.Unlock()
		line := fmt.Sprintf("process %d: %s: %s", one.number, p.state(one), display.Brief(one.command))
		if kept {
			line += " (kept)"
		}
		lines = append(lines, line)
	}
	return lines
}

// Output tells a person of a process and of all that it has written, as far as it is kept.
func (p *Processes) Output(chat event.Chat, number int) (string, error) {
	one, err := p.find(chat, number)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("process %d: %s: %s\n", number, p.state(one), display.Brief(one.command)) + streams(one.child.Output()), nil
}

// Keep lets a process live on when its turn ends.
func (p *Processes) Keep(chat event.Chat, number int) error {
	one, err := p.find(chat, number)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if one.hasEnded() {
		return fmt.Errorf("process %d has already ended", number)
	}
	one.kept = true
	return nil
}

// Stop ends a process.
func (p *Processes) Stop(chat event.Chat, number int) error {
	one, err := p.find(chat, number)
	if err != nil {
		return err
	}
	if one.hasEnded() {
		return fmt.Errorf("process %d has already ended", number)
	}
	p.stop([]*process{one}, "stopped by the user", false)
	return nil
}

// recent is what a process wrote since somebody last looked: its beginning and its end.
type recent struct {
	mu    sync.Mutex
	head  []byte
	tail  []byte // the last keptOutput bytes of it count
	total int64
}

func (r *recent) add(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += int64(len(p))
	n := min(len(p), keptOutput-len(r.head))
	r.head, p = append(r.head, p[:n]...), p[n:]
	if r.tail = append(r.tail, p...); len(r.tail) > 2*keptOutput {
		r.tail = append(r.tail[:0], r.tail[len(r.tail)-keptOutput:]...)
	}
}

// take returns it and begins anew.
func (r *recent) take() sandbox.Output {
	r.mu.Lock()
	defer r.mu.Unlock()
	tail := r.tail[max(0, len(r.tail)-keptOutput):]
	out := sandbox.Output{Head: r.head, Tail: tail, Total: r.total}
	r.head, r.tail, r.total = nil, nil, 0
	return out
}
