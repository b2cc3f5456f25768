package model

import (
	"cmp"
	"context"
	"slices"

	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
	"hob/internal/llm/ollama"
)

// Description is what is known of one model before anybody has asked it anything: what the server says of it, what its
// template prints, and how hob asks it.
type Description struct {
	Name           string `json:"name"`
	Family         string `json:"family,omitempty"`
	Parameters     string `json:"parameters,omitempty"`
	Quantization   string `json:"quantization,omitempty"`
	TrainedContext int    `json:"trained_context,omitempty"` // tokens; 0: the server does not say
	Tools          bool   `json:"tools"`
	Thinking       bool   `json:"thinking"`
	Vision         bool   `json:"vision"`

	Renderer string              `json:"renderer,omitempty"` // Ollama's own code for the prompt
	Parser   string              `json:"parser,omitempty"`   // and for the reply
	Template *chattemplate.Facts `json:"template,omitempty"` // what the template prints; nil: hob cannot read it

	Profile  string    `json:"profile"`
	Mode     llm.Mode  `json:"mode"`
	MaxTools int       `json:"max_tools,omitempty"` // 0: no limit
	Think    llm.Think `json:"think,omitempty"`     // "": the configuration says it
	Keep     llm.Keep  `json:"keep_thinking"`
	Sampling []Sampled `json:"sampling"` // what requests say of how tokens are chosen

	// How requests are laid out for the template.
	EndsWithUser bool `json:"ends_with_user"` // a message of the user closes each request
	SystemInUser bool `json:"system_in_user"` // the system text stands in the first message of the user
	CallsAlone   bool `json:"calls_alone"`    // words beside a call are left out

	Size   int64  `json:"size,omitempty"`   // bytes on the server's disk
	Digest string `json:"digest,omitempty"` // SHA-256 of its manifest, in hex: the same digest is the same model
}

// Sampled is a number by which tokens are chosen.
type Sampled struct {
	Name  string  `json:"name"` // as Ollama has it
	Value float64 `json:"value"`
}

// Describe returns what is known of a model that the server has, without loading it.
func (e *Model) Describe(ctx context.Context, name string) (Description, error) {
	book, err := e.profiles()
	if err != nil {
		return Description{}, err
	}
	_, f, err := e.preflight(ctx, name)
	if err != nil {
		return Description{}, err
	}
	all, err := e.cfg.Client.Models(ctx)
	if err != nil {
		return Description{}, err
	}
	installed := ollama.Installed{}
	if i := slices.IndexFunc(all, func(m ollama.Installed) bool { return llm.SameModel(m.Name, f.Model) }); i >= 0 {
		installed = all[i]
	}
	p := book.For(profileFacts(f))
	mode := cmp.Or(p.Mode, llm.NativeMode)
	_, options := e.options(p, f.Thinking)
	sampling := []Sampled{{"temperature", options.Temperature}}
	options.Sampling.Each(func(name string, value float64) { sampling = append(sampling, Sampled{name, value}) })
	return Description{
		Name: f.Model, Family: f.Family, Parameters: f.Parameters, Quantization: f.Quantization, Size: installed.Size, Digest: installed.Digest, TrainedContext: f.TrainedContext,
		Tools: f.Tools, Thinking: f.Thinking, Vision: f.Vision, Renderer: f.Renderer, Parser: f.Parser, Template: f.Prints,
		Profile: p.Name, Mode: mode, MaxTools: p.MaxTools, Think: p.Think, Keep: cmp.Or(p.Keep, llm.KeepChain), Sampling: sampling,
		EndsWithUser: p.Layout.EndsWithUser && mode == llm.NativeMode, SystemInUser: p.Layout.SystemInUser,
		CallsAlone: p.Layout.CallsAlone && mode == llm.NativeMode,
	}, nil
}
