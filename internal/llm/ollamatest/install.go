package ollamatest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/ollama/ollama/api"
)

// Install creates scripted models on a server, all of them when no names are given. A model of the same name is
// replaced.
//
// The weights are less than 5 MB and the server keeps them once, however many models share them.
func Install(ctx context.Context, client *api.Client, models ...string) error {
	for _, name := range models {
		if !slices.Contains(Models(), name) {
			return fmt.Errorf("create model %s: there is no script of that name", name)
		}
	}
	a := newAutomaton()
	script(a)
	var weights bytes.Buffer
	if err := writeGGUF(&weights, a.facts(), a.tensors()); err != nil {
		return fmt.Errorf("write the scripted model: %w", err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(weights.Bytes()))
	// A server that has the blob answers without reading it, and the upload fails for a broken connection.
	known, err := client.HeadBlob(ctx, digest)
	if err == nil && !known {
		err = client.CreateBlob(ctx, digest, &weights)
	}
	if err != nil {
		return fmt.Errorf("upload the scripted model: %w", err)
	}
	for _, s := range scenarios() {
		if len(models) > 0 && !slices.Contains(models, s.model) {
			continue
		}
		// One thread: there is hardly anything to compute, and threads that wait for each other on a busy machine take
		// seconds over it.
		request := &api.CreateRequest{
			Model:      s.model,
			Files:      map[string]string{"automaton.gguf": digest},
			Template:   s.template(),
			Parameters: map[string]any{"temperature": 0, "num_thread": 1},
		}
		if err := client.Create(ctx, request, func(api.ProgressResponse) error { return nil }); err != nil {
			return fmt.Errorf("create model %s: %w", s.model, err)
		}
	}
	return nil
}
