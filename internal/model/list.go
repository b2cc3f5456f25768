package model

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/llm"
	"hob/internal/llm/ollama"
)

// Listed is a model on the server.
type Listed struct {
	ollama.Installed
	Used            bool    // hob uses it
	TokensPerSecond float64 // that it wrote of late; 0 if that was never measured
}

// List returns the models on the server.
func (e *Model) List(ctx context.Context) ([]Listed, error) {
	installed, err := e.cfg.Client.Models(ctx)
	if err != nil {
		return nil, err
	}
	used, err := e.Choose(ctx)
	if err != nil && !IsMissing(err) {
		return nil, err
	}
	speeds := e.readSpeeds(ctx, func(yield func(string) bool) {
		for _, m := range installed {
			if !yield(m.Name) {
				return
			}
		}
	})
	all := make([]Listed, 0, len(installed))
	for _, m := range installed {
		all = append(all, Listed{m, sameModel(m.Name, used), speeds[m.Name]})
	}
	return all, nil
}

// sameModel compares model names as Ollama does: a name without a tag means latest.
func sameModel(a, b string) bool { return fullName(a) == fullName(b) }

// fullName is a model's name with its tag.
func fullName(name string) string {
	if name != "" && !strings.Contains(name, ":") {
		name += ":latest"
	}
	return name
}

// CheckTools returns an error if the server does not say that a model can call tools.
func (e *Model) CheckTools(ctx context.Context, name string) error {
	facts, err := e.cfg.Client.For(name, 0).Preflight(ctx)
	if err != nil {
		return err
	}
	if !facts.Tools {
		return &llm.Error{Kind: llm.NoTools, Message: fmt.Sprintf("%s cannot call tools, so hob could only chat with it: choose another model", name)}
	}
	return nil
}
