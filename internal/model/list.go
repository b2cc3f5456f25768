package model

import (
	"context"
	"fmt"

	"hob/internal/lists"
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
	speeds := e.readSpeeds(ctx, lists.Map(installed, func(m ollama.Installed) string { return m.Name }))
	all := lists.Map(installed, func(m ollama.Installed) Listed {
		return Listed{m, llm.SameModel(m.Name, used), speeds[m.Name]}
	})
	return all, nil
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
