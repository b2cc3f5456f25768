package llm

import "slices"

// Mode is how a model gets its list of tools and how it calls them.
type Mode string

// The modes.
const (
	NativeMode Mode = "native" // by the server: tools in the request, calls in the reply
	PromptMode Mode = "prompt" // in words: tools in the system text, calls as JSON in the reply's text
	SchemaMode Mode = "schema" // in words, and the server lets the model write nothing but JSON of one form
)

// Keep says which of a model's thoughts it is shown again.
type Keep string

// The parts of a model's thinking that stay in the conversation.
const (
	KeepChain Keep = "chain" // that of the turn that is being played; most templates drop the rest by themselves
	KeepAll   Keep = "all"
	KeepNone  Keep = "none"
)

// Quirk names a habit of a model that hob works around.
type Quirk string

// The quirks.
const (
	StrictPromotion Quirk = "strict_promotion" // answers in JSON often: a call written as text counts only inside a tag or fence
	OverCalls       Quirk = "over_calls"       // calls tools for what it knows: its prompt asks it to answer directly where it can
	FlatArguments   Quirk = "flat_arguments"   // fails at nested arguments: its tools should have flat ones
	LooseThinking   Quirk = "loose_thinking"   // thinks in its text, without an opening tag
	AlwaysThinks    Quirk = "always_thinks"    // thinking cannot be switched off, only lowered
)

// Profile is what is known of how a model behaves. It is data: package profile reads it from files. The zero Profile is
// that of a model nobody knows anything about.
type Profile struct {
	Name        string   // of the profile
	Mode        Mode     // "" is NativeMode
	Think       Think    // in turns with tools; "" leaves it to the configuration
	Keep        Keep     // "" is KeepChain
	Temperature Setting  // where it is not set the configuration says it
	Sampling    Sampling // beside the temperature
	NumCtx      int      // tokens of context it works well with; 0 leaves it to the machine
	MaxTools    int      // more than so many confuse it; 0 is no limit
	OneCall     bool     // only the first call of a reply counts
	Example     string   // one line: a call in the model's own words; "" is that of JSON in a tag
	Quirks      []Quirk
	Layout      Layout // follows from the model's template; no file has it

	// How the model chooses its tokens when it thinks. Where ThinkingTemperature is not set it does so as ever.
	ThinkingTemperature Setting
	ThinkingSampling    Sampling
}

// WithThink returns the options with that level of thinking, and with the temperature and the sampling that the profile has
// for it. A temperature that is not the profile's own stays.
func (p Profile) WithThink(o Options, level Think) Options {
	before, _ := p.SamplingFor(o.Think)
	after, sampling := p.SamplingFor(level)
	if after.IsSet && (!before.IsSet || o.Temperature == before.Value) {
		o.Temperature = after.Value
	}
	o.Think, o.Sampling = level, sampling
	return o
}

// SamplingFor returns the temperature and the sampling of a model that thinks that long.
func (p Profile) SamplingFor(level Think) (Setting, Sampling) {
	thinks := level != ThinkOff && level != "" || p.Has(AlwaysThinks)
	if thinks && p.ThinkingTemperature.IsSet {
		return p.ThinkingTemperature, p.ThinkingSampling
	}
	return p.Temperature, p.Sampling
}

// Layout is what a request must look like so that a model's chat template prints all of it. The zero Layout is that of a
// template which prints whatever it is given.
type Layout struct {
	EndsWithUser bool // tools are printed only while the last message is the user's
	SystemInUser bool // system text does not stay in one place, or is lost: it goes into the first message
	CallsAlone   bool // a call is not printed where its message has words
}

// Has reports whether the model has the quirk.
func (p Profile) Has(q Quirk) bool {
	return slices.Contains(p.Quirks, q)
}
