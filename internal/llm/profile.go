package llm

import "slices"

// Mode is how a model gets its tools and calls them.
type Mode string

// The modes.
const (
	NativeMode Mode = "native" // by the server: tools in the request, calls in the reply
	PromptMode Mode = "prompt" // by text: tools in the system text, calls as JSON in the reply's text
	SchemaMode Mode = "schema" // by text, and the server restricts the model to JSON of one form
)

// Keep says which parts of its earlier thinking a model is shown again.
type Keep string

// The values of Keep.
const (
	KeepChain Keep = "chain" // the thinking of the open turn; most templates drop older thinking themselves
	KeepAll   Keep = "all"
	KeepNone  Keep = "none"
)

// Quirk is a habit of a model that hob works around.
type Quirk string

// The quirks.
const (
	StrictPromotion Quirk = "strict_promotion" // often answers in JSON: a call in text counts only inside a tag or fence
	OverCalls       Quirk = "over_calls"       // calls tools for things it knows: its prompt asks it to answer directly if it can
	FlatArguments   Quirk = "flat_arguments"   // fails at nested arguments: its tools should have flat ones
	LooseThinking   Quirk = "loose_thinking"   // thinks in its text, without an opening tag
	AlwaysThinks    Quirk = "always_thinks"    // thinking cannot be switched off, only lowered
)

// Profile describes how a model behaves. It is data, which package profile reads from files. The
// zero Profile is that of an unknown model.
type Profile struct {
	Name        string   // of the profile
	Mode        Mode     // "" is NativeMode
	Think       Think    // in turns with tools; "" leaves it to the configuration
	Keep        Keep     // "" is KeepChain
	Temperature Setting  // if unset, the configuration decides
	Sampling    Sampling // beside the temperature
	NumCtx      int      // tokens of context that it handles well; 0: the machine decides
	MaxTools    int      // limit for tools in its list; 0: none
	OneCall     bool     // only the first call of a reply counts
	Example     string   // one line: a call in the model's own format; "": JSON in a tag
	Quirks      []Quirk
	Layout      Layout // derived from the model's template, not from a file

	// How the model samples while it thinks. Without ThinkingTemperature it samples as always.
	ThinkingTemperature Setting
	ThinkingSampling    Sampling
}

// WithThink returns the options with this level of thinking, and with the temperature and sampling
// that the profile has for it. A temperature that is not from the profile stays.
func (p Profile) WithThink(o Options, level Think) Options {
	before, _ := p.SamplingFor(o.Think)
	after, sampling := p.SamplingFor(level)
	if after.IsSet && (!before.IsSet || o.Temperature == before.Value) {
		o.Temperature = after.Value
	}
	o.Think, o.Sampling = level, sampling
	return o
}

// SamplingFor returns the temperature and the sampling for a level of thinking.
func (p Profile) SamplingFor(level Think) (Setting, Sampling) {
	thinks := level != ThinkOff && level != "" || p.Has(AlwaysThinks)
	if thinks && p.ThinkingTemperature.IsSet {
		return p.ThinkingTemperature, p.ThinkingSampling
	}
	return p.Temperature, p.Sampling
}

// Layout is the form that a request needs so that the model's chat template prints all of it. The
// zero Layout is for a template that prints everything.
type Layout struct {
	EndsWithUser bool // tools are printed only if the last message is the user's
	SystemInUser bool // the template moves or drops system text: it goes into the first message
	CallsAlone   bool // the template drops a call if its message has words, too
}

// Has reports whether the model has the quirk.
func (p Profile) Has(q Quirk) bool {
	return slices.Contains(p.Quirks, q)
}
