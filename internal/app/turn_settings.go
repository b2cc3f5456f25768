package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
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

// TurnSettings returns the settings of a turn with this model. A value that the owner changed from
// its default overrides that of the model's profile.
func (e *Model) TurnSettings(ctx context.Context) session.Settings {
	if e.script == nil {
		_, _ = e.Ready(ctx) // the first request reports the error
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	frame := e.Window()
	p, options := e.options(e.Profile, e.Facts.Thinking)
	options.NumPredict = frame.Reserve
	return session.Settings{
		Profile: p, Options: options, Window: frame, Budget: e.Env.Budget(), Sees: e.Facts.Vision,
		ShortList: hasShortList(p, e.Facts.Parameters, frame.Size),
	}
}

// options returns the profile of a model with what the owner has said of it, and the options of a turn that follow from it.
func (e *Model) options(p llm.Profile, canThink bool) (llm.Profile, llm.Options) {
	own, usual := e.Env.Ollama, config.Default().Ollama
	options := llm.Options{Think: llm.Think(own.Think), Temperature: own.Temperature}
	if own.Think == usual.Think && p.Think != "" {
		options.Think = p.Think
	}
	if own.Temperature != usual.Temperature { // it counts whether the model thinks or not
		p.Temperature = llm.Set(own.Temperature)
		if p.ThinkingTemperature.IsSet {
			p.ThinkingTemperature = p.Temperature
		}
	}
	level := options.Think
	if !canThink {
		level = llm.ThinkOff
	}
	temperature, sampling := p.SamplingFor(level)
	options.Sampling = sampling
	if temperature.IsSet {
		options.Temperature = temperature.Value
	}
	return p, options
}

// shortListContext is the context, in tokens, up to which every model's list of tools is short.
const shortListContext = 4096

// hasShortList reports whether the list of tools is short: for a small context, and for a small model unless its profile
// says that no number of tools is too many for it.
func hasShortList(p llm.Profile, parameters string, numCtx int) bool {
	return 0 < numCtx && numCtx <= shortListContext || p.MaxTools != 0 && profile.UpTo4B(parameters)
}

// UsualTools is how many tools without a skill a list has, beside the three that find others and open skills. The model
// finds the others with a search.
const UsualTools = 8

// shortList returns the tools of a short list, in its order; use_skill comes after them.
func shortList() []string {
	return []string{"read_file", "write_file", "edit_file", "list_files", "run_command", "fetch"}
}

// sortByNeed sorts tools by how often they are needed. A list that is too long is cut at its end.
func sortByNeed(all []tools.Tool) []tools.Tool {
	wanted := []string{
		"read_file", "write_file", "run_command", "fetch", "edit_file", "list_files", "search_files", "send_file", "delete_file", "process",
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

// Budget returns the limits of a turn.
func (s *Environment) Budget() agent.Budget {
	return agent.Budget{Steps: s.Agent.MaxSteps, Calls: s.Agent.MaxCalls, Time: s.Agent.MaxTime, Output: s.Agent.MaxOutputTokens}
}

// CheckProfiles returns what is wrong with the profiles of models. It takes no time where there are hob's own alone, which are read
// when a model is first asked.
func (e *Model) CheckProfiles() error {
	for _, path := range e.Env.profilePaths() {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			_, err := e.profiles()
			return err
		}
	}
	return nil
}

// profilePaths are the files with profiles beside hob's own: the measured ones and the owner's.
func (s *Environment) profilePaths() []string {
	return []string{s.MeasuredProfilesPath(), filepath.Join(filepath.Dir(s.ConfigPath), "profiles.toml")}
}

// readProfiles reads the profiles of models: hob's own, the measured ones and the owner's.
func (s *Environment) readProfiles() (*profile.Book, error) {
	book, err := profile.Seeds()
	if err != nil {
		return nil, err
	}
	for _, path := range s.profilePaths() {
		if err := book.Read(path); err != nil {
			return nil, exit.Errorf(exit.Usage, "%v", err)
		}
	}
	return book, nil
}

// profileFacts returns the facts by which a model's profile is found.
func profileFacts(f ollama.Facts) profile.Facts {
	return profile.Facts{
		Model: f.Model, Family: f.Family, Parser: f.Parser, Renderer: f.Renderer, Parameters: f.Parameters,
		Tools: f.Tools, Thinking: f.Thinking, Prints: f.Prints,
	}
}
