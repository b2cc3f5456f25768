package ollamatest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/lazyregexp"
)

// Prefill is what became of one prompt, in tokens. Used and Remaining add up to Prompt.
type Prefill struct {
	Prompt    int
	Used      int // found in the cache, because the prompt before began with them
	Remaining int // evaluated; at least one, since the last token of a prompt always is
}

// loadingSlot is the line that both of v0.24's runners (runner/llamarunner/cache.go, runner/ollamarunner/cache.go) write at
// debug level for each prompt, before they evaluate it. From v0.30 on there are no such runners.
var loadingSlot = lazyregexp.New(`msg="loading cache slot" .*\bprompt=(\d+) used=(\d+) remaining=(\d+)`)

// How long [Server.Prefills] waits for the log, as long as a start may take, and how often it looks.
const (
	logTimeout = 3 * time.Minute
	logPoll    = 20 * time.Millisecond
)

// loadingModel is the line that the server (llm/server.go) writes when it starts a runner.
const loadingModel = `msg="loading model"`

// Prefills returns what became of all prompts so far, the first one first, as soon as there are n of them, or an error
// after as long as a start may take: the log comes through a pipe, and a reply may be there before the line about its prompt is. The
// server must have been started with [ollamaserver.Options].Debug.
func (s *Server) Prefills(ctx context.Context, n int) ([]Prefill, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, logTimeout, fmt.Errorf("the log of ollama does not tell of %d prompts", n))
	defer cancel()
	tick := time.NewTicker(logPoll)
	defer tick.Stop()
	for {
		if all := prefills(s.Log()); len(all) >= n {
			return all, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("count evaluated tokens: %w", context.Cause(ctx))
		}
	}
}

func prefills(log string) []Prefill {
	var all []Prefill
	for _, found := range loadingSlot().FindAllStringSubmatch(log, -1) {
		var p Prefill
		for i, field := range []*int{&p.Prompt, &p.Used, &p.Remaining} {
			*field, _ = strconv.Atoi(found[i+1]) // digits; too many of them would be the runner's mistake, and show
		}
		all = append(all, p)
	}
	return all
}

// Loads is how often a model was loaded until the last prompt that [Server.Prefills] returned.
func (s *Server) Loads() int { return strings.Count(s.Log(), loadingModel) }
