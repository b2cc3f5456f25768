package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/llm"
	"hob/internal/llm/queue"
)

// Whatever a crowd asks, cancels and fails in whatever order: the device is at one call at a time, each
// request has exactly one outcome which is its own, and no job begins while a person waits.
func TestCrowd(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { crowd(t, seed) })
		})
	}
}

func crowd(t *testing.T, seed uint64) {
	const callers = 200
	d := &busyDevice{T: t}
	d.queue = queue.New(d)
	random := rand.New(rand.NewPCG(seed, 1))
	outcomes := make(chan string, 2*callers)
	var all sync.WaitGroup
	for range callers {
		d.plan = append(d.plan, plan{takes: time.Duration(random.IntN(200)) * time.Millisecond, fails: random.IntN(20) == 0})
	}
	for i := range callers {
		place := llm.Position{Priority: llm.Priority(random.IntN(2)), Turn: random.Int64N(50)}
		comes, patience := time.Duration(random.IntN(3000))*time.Millisecond, time.Duration(random.IntN(8000))*time.Millisecond
		impatient := random.IntN(4) == 0
		all.Go(func() {
			<-time.After(comes)
			ctx, cancel := context.WithCancel(llm.WithPosition(t.Context(), place))
			defer cancel()
			if impatient {
				defer time.AfterFunc(patience, cancel).Stop()
			}
			outcomes <- d.outcome(ctx, i)
		})
	}
	all.Wait()
	close(outcomes)
	count := map[string]int{}
	for o := range outcomes {
		count[o]++
	}
	if n := count["reply"] + count["failed"] + count["cancelled"]; n != callers || count["reply"] < callers/2 || count["cancelled"] == 0 || d.aside == 0 {
		t.Errorf("%d callers, %d calls set aside, outcomes %v", callers, d.aside, count)
	}
	if s := d.queue.State(); len(s.Running)+len(s.Waiting) > 0 {
		t.Errorf("left in the queue: %+v", s)
	}
}

type plan struct {
	takes time.Duration
	fails bool
}

// busyDevice answers each request as planned, and checks the queue's promises at each call.
type busyDevice struct {
	*testing.T
	queue *queue.Queue
	plan  []plan

	mu    sync.Mutex
	at    int
	aside int
}

// outcome asks and names what came of it; anything that is not the request's own is an error of the test.
func (d *busyDevice) outcome(ctx context.Context, i int) string {
	shown := ""
	reply, err := d.queue.Chat(ctx, llm.Request{System: fmt.Sprint(i)}, func(delta llm.Delta) {
		if delta.Restart {
			shown = ""
		}
		shown += delta.Text
	})
	switch {
	case err == nil && reply.Message.Text == fmt.Sprintf("%d begun, %d done", i, i) && shown == reply.Message.Text:
		return "reply"
	case errors.Is(err, llm.Failed) && d.plan[i].fails:
		return "failed"
	case errors.Is(err, llm.Cancelled) && ctx.Err() != nil && errors.Is(err, context.Canceled):
		return "cancelled"
	}
	d.Errorf("%d got %+v, %v; it was shown %q", i, reply, err, shown)
	return "wrong"
}

func (d *busyDevice) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	d.mu.Lock()
	d.at++
	if d.at > 1 {
		d.Errorf("%d calls at once", d.at)
	}
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.at--
		if ctx.Err() != nil {
			d.aside++ // or its caller left
		}
	}()
	// In this order: a person who came after the call began, but before this line, has set it aside by now.
	waiting := d.queue.State().Waiting
	if llm.PositionFrom(ctx).Priority == llm.ForJob && len(waiting) > 0 &&
		waiting[0].Priority == llm.ForPerson && ctx.Err() == nil {
		d.Errorf("a job begins while a person waits")
	}
	var i int
	if _, err := fmt.Sscan(req.System, &i); err != nil {
		d.Error(err)
	}
	text := ""
	for _, part := range []string{fmt.Sprint(i, " begun, "), fmt.Sprint(i, " done")} {
		select {
		case <-time.After(d.plan[i].takes / 2):
		case <-ctx.Done():
			return nil, &llm.Error{Kind: llm.Cancelled, Message: "stopped", Err: context.Cause(ctx)}
		}
		text += part
		onDelta(llm.Delta{Text: part})
	}
	if d.plan[i].fails {
		return nil, &llm.Error{Kind: llm.Failed, Message: "failed as planned"}
	}
	return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
}
