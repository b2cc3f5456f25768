package model

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/profile"
	"hob/internal/llm/window"
)

// Settings are how a turn asks the model.
type Settings struct {
	Profile   llm.Profile
	Options   llm.Options
	Window    window.Window
	Sees      bool // pictures
	ShortList bool // its list of tools is short
}

// Settings returns how a turn asks the model now. A value that the owner changed from its default
// overrides that of the model's profile.
func (e *Model) Settings(ctx context.Context) Settings {
	if e.cfg.Script == nil {
		_, _ = e.Ready(ctx) // the first request reports the error
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	frame := e.window()
	p, options := e.options(e.profile, e.facts.Thinking)
	options.NumPredict = frame.Reserve
	return Settings{p, options, frame, e.facts.Vision, hasShortList(p, e.facts.Parameters, frame.Size)}
}

// options returns the profile of a model with what the owner has said of it, and the options of a turn that follow from it.
func (e *Model) options(p llm.Profile, canThink bool) (llm.Profile, llm.Options) {
	own, usual := e.cfg.Ollama, config.Default().Ollama
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

// CheckProfiles returns what is wrong with the profiles of models. It takes no time where there are hob's own alone, which are read
// when a model is first asked.
func (e *Model) CheckProfiles() error {
	for _, path := range e.cfg.Profiles {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			_, err := e.profiles()
			return err
		}
	}
	return nil
}

// readProfiles reads the profiles of models: hob's own and those of the files.
func (e *Model) readProfiles() (*profile.Book, error) {
	book, err := profile.Seeds()
	if err != nil {
		return nil, err
	}
	for _, path := range e.cfg.Profiles {
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
