package app

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/commands"
	"hob/internal/exit"
	"hob/internal/llm"
)

// Models returns the models on the server.
func (e *Model) Models(ctx context.Context) ([]commands.Model, error) {
	installed, err := e.baseClient.Models(ctx)
	if err != nil {
		return nil, err
	}
	used, err := e.Choose(ctx)
	if err != nil && !IsModelMissing(err) {
		return nil, err
	}
	speeds := e.readSpeeds(ctx, func(yield func(string) bool) {
		for _, m := range installed {
			if !yield(m.Name) {
				return
			}
		}
	})
	all := make([]commands.Model, 0, len(installed))
	for _, m := range installed {
		all = append(all, commands.Model{
			Name: m.Name, Size: m.Size, Family: m.Family, Parameters: m.Parameters, Quantization: m.Quantization, Remote: m.Remote, Used: sameModel(m.Name, used),
			TokensPerSecond: speeds[m.Name],
		})
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

// UseModel writes a model into the configuration file. The model must be able to call tools.
func (e *Model) UseModel(ctx context.Context, name string) error {
	facts, err := e.baseClient.For(name, 0).Preflight(ctx)
	if err != nil {
		return err
	}
	if !facts.Tools {
		return &llm.Error{Kind: llm.NoTools, Message: fmt.Sprintf("%s cannot call tools, so hob could only chat with it: choose another model", name)}
	}
	if err := e.Env.ConfigEditor(ctx, e.Env.ConfigPath).SetModel(e.Env.ConfigPath, name); err != nil {
		return exit.Errorf(exit.Failed, "%v", err)
	}
	return nil
}
