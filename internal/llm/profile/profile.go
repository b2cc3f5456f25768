// Package profile stores what is known about models, as data: the best way for a model to call
// tools, whether it should think first, how many tools it can distinguish. Other code asks for an
// [llm.Profile], and never compares the names of models.
//
// # On disk
//
// A file of profiles is TOML, one [[profile]] an entry. All keys but name and match may be absent; absent means that
// nothing is known.
//
//	[[profile]]
//	name = "qwen3"                        # for people
//	like = "qwen"                         # an entry above it, which it takes all missing keys from
//	match.names = ["qwen3:*"]             # models by name; * stands for any letters; no tag means :latest
//	match.parsers = ["qwen3"]             # Ollama's own parser or renderer for the model
//	match.families = ["qwen3"]            # the architecture in the model's file
//	mode = "native"                       # native, prompt or schema: how it gets its list of tools
//	think = "off"                         # off, on, low, medium or high: in turns with tools
//	keep_thinking = "chain"               # chain, all or none: which of its thoughts it is shown again
//	temperature = 0.7                     # 0 to 2; this and the next six choose its tokens, see llm.Sampling
//	top_p = 0.8                           # 0 to 1
//	top_k = 20                            # whole, 0 to 1000; 0 is all
//	min_p = 0.0                           # 0 to 1
//	repeat_penalty = 1.0                  # 0 to 2
//	presence_penalty = 0.0                # -2 to 2
//	frequency_penalty = 0.0               # -2 to 2
//	thinking = {temperature = 0.6, top_p = 0.95} # all of these where it thinks; without it, as above
//	num_ctx = 8192                        # tokens of context it works well with; 0 leaves it to the machine
//	max_tools = 12                        # more tools confuse it; 0 is no limit
//	one_call = false                      # only the first call of a reply counts
//	example = "<tool_call>...</tool_call>" # one line: a call in the model's own words
//	quirks = ["over_calls"]               # over_calls, strict_promotion, flat_arguments, loose_thinking, always_thinks
//
// The entry named "default" has no match and applies to every model that no other entry matches. An
// entry counts as a whole: missing keys are not taken from a less specific one, but from the one
// that like names. From that it takes the sampling keys (temperature to thinking) only if it sets
// none of them itself.
//
// [Seeds] are the entries that come with hob; [Book.Read] adds those of a file; [Save] writes the
// result of an evaluation.
package profile

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
)

//go:embed profiles.toml
var seeds string

// defaultName is the name of the entry for models that no other entry matches.
const defaultName = "default"

// A model with at most so many parameters is small: it can choose among a few tools only, and only
// if it cannot write anything else.
const (
	smallParameters = 1e9
	smallMaxTools   = 4
)

// fourB is a bit less than the size of models that are sold as 4B: qwen3:4b has 4.0, gemma3:4b 4.3
// billion.
const fourB = 4.5e9

// Book is a collection of profiles. Its methods, except Read, are safe for concurrent use.
type Book struct {
	entries []entry // later ones win over earlier ones of the same rank
}

// entry is one [[profile]].
type entry struct {
	profile                  llm.Profile
	families, parsers, names []string // lower case
	hasMode, hasMaxTools     bool     // the key was written, even with its default value
	own                      bool     // from a file, not a seed
}

// Facts is what a server says about a model, as package ollama reports it.
type Facts struct {
	Model            string // its name, such as "qwen3:4b"; no tag means :latest
	Family           string // the architecture, such as "qwen3"
	Parser, Renderer string // Ollama's own code for the model; empty: a template
	Parameters       string // such as "4.0B" or "751.63M"
	Tools, Thinking  bool   // abilities of its template

	Prints *chattemplate.Facts // what its template prints; nil: unknown
}

// Seeds returns the profiles that come with hob. An error is a mistake in hob itself.
func Seeds() (*Book, error) {
	entries, err := parse("the profiles that come with hob", seeds)
	if err != nil {
		return nil, err
	}
	return &Book{entries: entries}, nil
}

// For returns the profile of a model: that of the most specific matching entry. A name is more
// specific than a pattern, a longer pattern more than a shorter one, any pattern more than the
// parser, and the parser more than the family. Between equals an entry of a file wins over a seed,
// and a later one over an earlier one.
//
// Two things follow from the facts. If the model's template cannot take tools, they go into the
// prompt, unless the entry sets a mode. A model of at most a billion parameters gets at most four
// tools and writes calls by schema, unless an entry of a file says otherwise, or a seed says that
// it calls natively: the other keys of a seed are meant for the larger models of the family.
//
// A third follows from the template. If it does not print the tools, the calls and the results in
// every request of a turn, they go into the prompt, unless an entry of a file sets a mode. There
// they are in the system text, which stays in place, so that the server reads only what is new. The
// alternative, a user message at the end of each request, makes such a template print its tools
// again, but makes the server read them again at every step; it is for owners who set native. See
// [llm.Layout].
func (b *Book) For(f Facts) llm.Profile {
	best := entry{profile: llm.Profile{Name: defaultName}}
	bestRank := rank{}
	model := llm.FullName(f.Model)
	for _, e := range b.entries {
		if r := e.rank(model, f); r.matches && r.compare(bestRank) >= 0 {
			best, bestRank = e, r
		}
	}
	p := best.profile
	small := isSmall(f.Parameters) && !(best.hasMode && p.Mode == llm.NativeMode)
	switch {
	case small && !(best.own && best.hasMode):
		p.Mode = llm.SchemaMode
	case !f.Tools && !best.hasMode:
		p.Mode = llm.PromptMode
	}
	if f.Prints != nil {
		p = fitTemplate(p, *f.Prints, best.own && best.hasMode)
	}
	if small && !(best.own && best.hasMaxTools) && (p.MaxTools == 0 || p.MaxTools > smallMaxTools) {
		p.MaxTools = smallMaxTools
	}
	p.Quirks = slices.Clone(p.Quirks)
	return p
}

// fitTemplate returns p adapted to a model whose template prints these facts. It keeps a mode that
// the owner has set.
func fitTemplate(p llm.Profile, prints chattemplate.Facts, ownMode bool) llm.Profile {
	native := p.Mode == "" || p.Mode == llm.NativeMode
	if native && !ownMode && !prints.HasToolTurns() {
		p.Mode = llm.PromptMode
	}
	p.Layout = llm.Layout{
		EndsWithUser: prints.Tools == chattemplate.LastUser, SystemInUser: prints.System != chattemplate.Always,
		CallsAlone: prints.WordsHideCalls,
	}
	if p.Keep == "" && prints.Thinking == llm.KeepAll {
		p.Keep = llm.KeepAll // leaving out what was printed makes the server read the turn before again
	}
	return p
}

// The ways in which an entry can match a model, the least specific first.
const (
	byDefault = iota
	byFamily
	byParser
	byPattern
	byName
)

// rank says how specifically an entry matches.
type rank struct {
	matches bool
	by      int
	letters int // of a pattern, without its stars
	own     bool
}

func (r rank) compare(s rank) int {
	own := func(r rank) int {
		if r.own {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(r.by, s.by), cmp.Compare(r.letters, s.letters), cmp.Compare(own(r), own(s)))
}

// rank returns how e matches a model with this full name.
func (e entry) rank(model string, f Facts) rank {
	r := rank{own: e.own}
	take := func(by, letters int) {
		if next := (rank{matches: true, by: by, letters: letters, own: e.own}); !r.matches || next.compare(r) > 0 {
			r = next
		}
	}
	if e.profile.Name == defaultName && e.matchesNothing() {
		take(byDefault, 0)
	}
	if f.Family != "" && slices.Contains(e.families, strings.ToLower(f.Family)) {
		take(byFamily, 0)
	}
	for _, code := range []string{f.Parser, f.Renderer} {
		if code != "" && slices.Contains(e.parsers, strings.ToLower(code)) {
			take(byParser, 0)
		}
	}
	for _, pattern := range e.names {
		switch {
		case !strings.Contains(pattern, "*"):
			if pattern == model {
				take(byName, 0)
			}
		case matches(pattern, model):
			take(byPattern, len(pattern)-strings.Count(pattern, "*"))
		}
	}
	return r
}

func (e entry) matchesNothing() bool {
	return len(e.families)+len(e.parsers)+len(e.names) == 0
}

// matches reports whether name fits pattern, in which each star stands for any letters or none.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return pattern == name
	}
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = after
	}
	return true
}

// UpTo4B reports whether a model is a 4B or a smaller one, by its number of parameters in Ollama's
// form.
func UpTo4B(parameters string) bool {
	n, known := count(parameters)
	return known && n < fourB
}

// isSmall reports whether a model has at most a billion parameters.
func isSmall(parameters string) bool {
	n, known := count(parameters)
	return known && n <= smallParameters
}

// count parses a number of parameters in Ollama's form: "751.63M", "1B", "4.0B". ok is false for
// any other text.
func count(parameters string) (n float64, known bool) {
	s := strings.ToUpper(strings.TrimSpace(parameters))
	if s == "" {
		return 0, false
	}
	unit, known := map[byte]float64{'K': 1e3, 'M': 1e6, 'B': 1e9, 'T': 1e12}[s[len(s)-1]]
	if !known {
		return 0, false
	}
	n, err := strconv.ParseFloat(s[:len(s)-1], 64)
	return n * unit, err == nil && n > 0
}
