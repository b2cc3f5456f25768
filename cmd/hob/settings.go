package main

import (
	"context"
	"path/filepath"
	"slices"
	"sort"

	"hob/internal/agent"
	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/session"
	"hob/internal/tools"
)

// turn is how a turn is played with this model. Of what both the owner and a profile can say the owner's word counts,
// where it is not the default.
func (e *engine) turn(ctx context.Context) session.Settings {
	_, _ = e.ready(ctx) // why it is not is the first request's to tell
	e.mu.Lock()
	defer e.mu.Unlock()
	own, usual := e.set.Ollama, config.Default().Ollama
	frame := e.frame()
	options := llm.Options{NumPredict: frame.Reserve, Think: llm.Think(own.Think), Temperature: own.Temperature}
	if own.Think == usual.Think && e.profile.Think != "" {
		options.Think = e.profile.Think
	}
	if own.Temperature == usual.Temperature && e.profile.Temperature != nil {
		options.Temperature = *e.profile.Temperature
	}
	return session.Settings{
		Profile: e.profile, Options: options, Window: frame, Budget: e.set.budget(), Sees: e.facts.Vision,
	}
}

// usualTools is how many tools of no skill every list has, where nothing keeps them out; the others can be found.
const usualTools = 8

// needed returns tools with those first that are needed most: what is left out of a list is at the end.
func needed(all []tools.Tool) []tools.Tool {
	wanted := []string{
		"read_file", "list_files", "write_file", "edit_file", "run_command", "fetch", "search_files", "send_file", "delete_file", "job",
	}
	rank := func(t tools.Tool) int {
		if i := slices.Index(wanted, t.Name()); i >= 0 {
			return i
		}
		return len(wanted)
	}
	some := slices.Clone(all)
	sort.SliceStable(some, func(i, j int) bool { return rank(some[i]) < rank(some[j]) })
	return some
}

// budget is what a turn may spend.
func (s *setting) budget() agent.Budget {
	return agent.Budget{Steps: s.Agent.MaxSteps, Calls: s.Agent.MaxCalls, Time: s.Agent.MaxTime, Output: s.Agent.MaxOutputTokens}
}

// readProfiles reads the models' profiles: those that come with hob, those that trials found, those of the owner.
func (e *engine) readProfiles() error {
	if e.book != nil {
		return nil
	}
	book, err := profile.Seeds()
	if err != nil {
		return err
	}
	for _, path := range []string{e.set.trials(), filepath.Join(filepath.Dir(e.set.path), "profiles.toml")} {
		if err := book.Read(path); err != nil {
			return exit.Errorf(exit.Usage, "%v", err)
		}
	}
	e.book = book
	return nil
}

// about is what a model's profile is found by.
func about(f ollama.Facts) profile.Facts {
	return profile.Facts{
		Model: f.Model, Family: f.Family, Parser: f.Parser, Renderer: f.Renderer, Parameters: f.Parameters,
		Tools: f.Tools, Thinking: f.Thinking,
	}
}
