package ollama

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"hob/internal/llm"
)

// wait is the watchdog of an exchange: first for the first line, then from each line to the next.
type wait struct {
	timer    *time.Timer
	started  bool          // a line came
	patience time.Duration // how much longer a silence may last after the timer's next ring
}

func (x exchange) newWait() wait { return wait{timer: time.NewTimer(x.firstByte())} }

// firstByte is how long the first line may take: FirstByte for each 8 KiB of the conversation, since a slow machine reads some ten
// tokens a second and may have to read all of it.
func (x exchange) firstByte() time.Duration {
	const share = 8 << 10
	size := 0
	for _, m := range x.req.Messages {
		size += len(m.Text)
	}
	return x.client.cfg.FirstByte * time.Duration(max(1, size/share))
}

// next starts the wait for another line. Where tools are offered a silence of Idle is only remarked upon, since Ollama
// sends nothing while a call is being written.
func (w *wait) next(x exchange) {
	w.started, w.patience = true, 0
	if cfg := x.client.cfg; len(x.req.Tools) > 0 {
		w.patience = max(0, cfg.FirstByte-cfg.Idle)
	}
	w.timer.Reset(x.client.cfg.Idle)
}

// handleSilence is what happens when the timer rang: an error, or a status and more patience.
func (x exchange) handleSilence(w *wait) error {
	cfg, where := x.client.cfg, x.host.base
	switch {
	case !w.started:
		return &llm.Error{Kind: llm.Silent, Message: fmt.Sprintf(
			"nothing came from %s within %s: see with `ollama ps` what it is doing, or set [ollama] first_byte_timeout higher", where, x.firstByte())}
	case w.patience > 0:
		x.onDelta(llm.Delta{Status: fmt.Sprintf(
			"nothing came from %s for %s; %s may be writing a long tool call", where.Host, cfg.Idle, cfg.Model)})
		w.timer.Reset(w.patience)
		w.patience = 0
		return nil
	}
	idle := cfg.Idle
	if len(x.req.Tools) > 0 {
		idle = max(idle, cfg.FirstByte)
	}
	return &llm.Error{Kind: llm.Silent, Message: fmt.Sprintf(
		"%s fell silent in the middle of its answer for %s: see with `ollama ps` what %s is doing, and ask again", cfg.Model, idle, where)}
}

// polling looks, until it is stopped, at what the server is doing.
type polling struct {
	cancel context.CancelFunc
	wg     *sync.WaitGroup
}

// stop ends the polling and waits for its end. It may be called more than once.
func (p polling) stop() {
	p.cancel()
	p.wg.Wait()
}

// poll sends, every Poll, a sentence on what the wait is for. It asks nothing before the first Poll has passed.
func (x exchange) poll(ctx context.Context) (polling, <-chan string) {
	ctx, cancel := context.WithCancel(ctx)
	p := polling{cancel: cancel, wg: &sync.WaitGroup{}}
	statuses := make(chan string)
	p.wg.Go(func() {
		ticker := time.NewTicker(x.client.cfg.Poll)
		defer ticker.Stop()
		began := time.Now()
		for {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
			status, loaded := x.status(ctx)
			if status == "" {
				continue
			}
			if loaded && time.Since(began) >= stuckAfter && x.host.abandoned.CompareAndSwap(true, false) {
				status = x.unloadModel(ctx)
			}
			select {
			case statuses <- status:
			case <-ctx.Done():
				return
			}
		}
	})
	return p, statuses
}

// stuckAfter is how long a model that is loaded may say nothing, after a chat with it was left in the middle, before its
// slot is taken to be lost. Reading a long conversation takes as long; then the model is loaded once more than needed.
const stuckAfter = 20 * time.Second

// unloadModel makes the server unload the model. Ollama, up to v0.34 at least, never frees the slot of a request whose client
// leaves while one chunk is being written and the next is ready: every later request then waits for ever, in silence
// (seen in 6 of 150 tries with a model of 0.3 ms a token). Unloading the model frees it; what other requests run is
// finished first.
func (x exchange) unloadModel(ctx context.Context) string {
	unload := &api.ChatRequest{Model: x.client.cfg.Model, KeepAlive: &api.Duration{}}
	if err := x.host.api.Chat(ctx, unload, func(api.ChatResponse) error { return nil }); err != nil {
		return fmt.Sprintf("%s holds a slot that nobody uses, and %s could not be unloaded: restart it", x.host.base.Host, x.client.cfg.Model)
	}
	return fmt.Sprintf("%s held a slot that nobody uses: loading %s anew", x.host.base.Host, x.client.cfg.Model)
}

// status returns a sentence on what the server is doing, or "" if it does not say, and whether the model is loaded.
func (x exchange) status(ctx context.Context) (status string, loaded bool) {
	ctx, done := context.WithTimeout(ctx, healthTimeout)
	defer done()
	ps, err := x.host.api.ListRunning(ctx)
	if err != nil {
		return "", false
	}
	for _, m := range ps.Models {
		if llm.SameModel(m.Name, x.client.cfg.Model) || llm.SameModel(m.Model, x.client.cfg.Model) {
			return fmt.Sprintf("waiting: %s reads the conversation, or is busy with another request", x.client.cfg.Model), true
		}
	}
	return "loading " + x.client.cfg.Model, false
}
