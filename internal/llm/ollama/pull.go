package ollama

import (
	"context"
	"fmt"
	"strings"

	"github.com/ollama/ollama/api"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// Progress is how far a download is.
type Progress struct {
	Status           string // Ollama's word for what it is doing
	Completed, Total int64  // bytes, summed over the layers that were announced so far; Total grows as they are
}

// Pull makes the server in use download a model, and returns when the model is there. It takes as long as it takes: end
// ctx to give up; what was downloaded is kept by the server and the next Pull goes on from there. onProgress is called
// one at a time.
func (c *Client) Pull(ctx context.Context, name string, onProgress func(Progress)) error {
	if onProgress == nil {
		onProgress = func(Progress) {}
	}
	name = strings.TrimSpace(name)
	if err := c.checkName(name); err != nil {
		return err
	}
	return c.withHost(ctx, func(h *host) error {
		var layers layers
		done := false
		err := h.api.Pull(ctx, &api.PullRequest{Model: name}, func(p api.ProgressResponse) error {
			done = done || p.Status == "success"
			onProgress(layers.add(p))
			return nil
		})
		switch {
		case ctx.Err() != nil && !done:
			return cancelledError(ctx)
		case err != nil:
			return pullError(c.callError(ctx, h, name, err), h, name, layers.begun)
		case !done:
			return incompletePullError(h, name, nil)
		}
		h.remember(nil)
		return nil
	})
}

// pullError says what a failure means while a model is being fetched.
func pullError(err error, h *host, name string, begun bool) error {
	switch kind := llm.KindOf(err); {
	case kind == llm.ModelMissing:
		return &llm.Error{Kind: llm.ModelMissing, Err: err, Message: fmt.Sprintf(
			"there is no model %s to pull: look for its name at https://ollama.com/library", name)}
	case kind == llm.Failed && offlineWords().MatchString(strings.ToLower(err.Error())):
		return &llm.Error{Kind: llm.Failed, Err: err, Message: fmt.Sprintf(
			"Ollama at %s cannot reach the place that models come from: is that machine online? Then run `hob model pull %s` again", h.base, name)}
	case kind == llm.Unreachable && begun:
		return incompletePullError(h, name, err)
	}
	return err
}

// offlineWords are the words of a server that has no network.
var offlineWords = lazyregexp.New(`dial tcp|no such host|network is unreachable|i/o timeout|connection refused|temporary failure in name`)

func incompletePullError(h *host, name string, err error) error {
	return &llm.Error{Kind: llm.Incomplete, Retry: true, Err: err, Message: fmt.Sprintf(
		"Ollama at %s broke off before %s was there: run `hob model pull %s` again, it goes on where it stopped", h.base, name, name)}
}

// layers sums the progress of a model's files.
type layers struct {
	of    map[string]Progress
	sum   Progress
	begun bool
}

func (l *layers) add(p api.ProgressResponse) Progress {
	l.begun = true
	if l.of == nil {
		l.of = map[string]Progress{}
	}
	if p.Digest != "" && p.Total > 0 {
		was := l.of[p.Digest]
		now := Progress{Completed: min(max(p.Completed, was.Completed), p.Total), Total: p.Total}
		l.sum.Completed += now.Completed - was.Completed
		l.sum.Total += now.Total - was.Total
		l.of[p.Digest] = now
	}
	l.sum.Status = clean(p.Status)
	return l.sum
}
