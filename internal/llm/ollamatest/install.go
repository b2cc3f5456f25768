package ollamatest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/ollama/ollama/api"
)

// Install creates scripted models on a server, all of them when no names are given. A model of the same name is
// replaced. Writer is the path that [Build] returned.
//
// The weights are less than 5 MB and the server keeps them once, however many models share them.
func Install(ctx context.Context, client *api.Client, writer string, models ...string) error {
	for _, name := range models {
		if !slices.Contains(Models(), name) {
			return fmt.Errorf("create model %s: there is no script of that name", name)
		}
	}
	weights, err := writeWeights(ctx, writer)
	if err != nil {
		return err
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(weights))
	// A server that has the blob answers without reading it, and the upload fails for a broken connection.
	known, err := client.HeadBlob(ctx, digest)
	if err == nil && !known {
		err = client.CreateBlob(ctx, digest, bytes.NewReader(weights))
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

// writeWeights runs the writer and returns the bytes of the GGUF file.
func writeWeights(ctx context.Context, writer string) ([]byte, error) {
	a := newAutomaton()
	script(a)
	input, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("marshal automaton: %w", err)
	}
	dir, err := os.MkdirTemp("", "hob-automaton-")
	if err != nil {
		return nil, fmt.Errorf("make folder for the scripted model: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "automaton.gguf")
	cmd := exec.CommandContext(ctx, writer, file)
	cmd.Stdin = bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("write the scripted model: %w: %s", err, bytes.TrimSpace(out))
	}
	weights, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the scripted model: %w", err)
	}
	return weights, nil
}
