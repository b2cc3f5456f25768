// Package skills says which words and tools belong together, and which of them a message is about. A [Skill] is a name, a
// description, words and tools; [Search] finds the skills that a message is about and [Filter] those of many tools,
// [Collect] says which tools somebody may be offered at all.
//
// The scores are those of the bot whose plugins' skills and tools work here unchanged. A word counts where the message
// contains it, in small letters, without regard to where words begin: Chinese does not say where. What the scores are made
// of is at [Search] and [Rank]; blank words count for nothing, and a blank message is about nothing. All of it is pure:
// the same arguments have the same results, in the same order.
//
// Nothing here opens a skill, calls a tool or asks for a permission. That a tool was collected is no right to call it: the
// same limits are checked again when it runs.
package skills

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/tools"
)

// Skill is a group of tools, with the words that say when and how they are used.
type Skill struct {
	Name         string // unique in a [Set]
	Description  string // what it is for
	Conventions  string // how identifiers and arguments are written on its platform
	Instructions string // what the model reads once the skill is open
	Keywords     []string
	Tags         []string
	Tools        []tools.Tool
	Source       string // where it comes from; "" is hob itself

	Level     event.Level // the lowest that it is there for
	Platforms []string    // on which it is there, such as "telegram"; none means all
	Scopes    []string    // likewise "private", "group", "channel"
	// Label is where its words come from. What is done in a chat in which it is open is judged with them in mind.
	Label event.Label
	// Allowed are the only tools, beside its own, that a turn which is about it may call; none means all. It takes rights
	// away and gives none.
	Allowed []string

	Pages  Pages         // what can be read on demand; nil: nothing
	Begin  Begin         // readies it when it is opened; nil: there is nothing to do
	Driver driver.Driver // drives the chat while it is open; nil: it drives none
}

// Audience returns for whom and where the skill is there.
func (s Skill) Audience() tools.Audience {
	return tools.Audience{Level: s.Level, Platforms: s.Platforms, Scopes: s.Scopes}
}

// Pages are the texts of a skill beside its instructions.
type Pages interface {
	Names() []string // such as references/api.md, from a to z
	// Read returns the page of that name. The error is for the model to read.
	Read(ctx context.Context, name string) (string, error)
}

// Begin readies a skill that is opened and whose tools are not known yet, and returns it with them: those of a server that is
// started now, for example. It is called again, at no cost where it is ready, whenever somebody opens the skill by its name. It
// ends soon after ctx does. The error is for the model and for people to read.
type Begin func(ctx context.Context) (Skill, error)

// About is the description with the conventions after it: what a model is told of a skill.
func (s Skill) About() string {
	about, more := strings.TrimSpace(s.Description), strings.TrimSpace(s.Conventions)
	if about == "" || more == "" {
		return about + more
	}
	last, _ := utf8.DecodeLastRuneInString(about)
	switch {
	case strings.ContainsRune("。！？", last):
		return about + more
	case strings.ContainsRune(".!?:;", last):
		return about + " " + more
	case unicode.Is(unicode.Han, last):
		return about + "。" + more
	}
	return about + ". " + more
}

// Declare returns s with more tools, and with the keywords and tags of all its tools after its own. Of what is there twice,
// the first stays.
func Declare(s Skill, more ...tools.Tool) Skill {
	s.Tools, _ = tools.Merge(s.Tools, more)
	keywords, tags := slices.Clone(s.Keywords), slices.Clone(s.Tags)
	for _, t := range s.Tools {
		d := tools.DefOf(t)
		keywords, tags = append(keywords, d.Keywords...), append(tags, d.Tags...)
	}
	s.Keywords, s.Tags = distinct(keywords), distinct(tags)
	return s
}

// distinct returns words without blank ones, each once, in small and capital letters alike.
func distinct(words []string) []string {
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(words, func(w string) bool {
		key := fold(w)
		gone := seen[key]
		seen[key] = true
		return gone
	})
}

// fold is the form in which words are compared.
func fold(text string) string { return lower(strings.TrimSpace(text)) }

// lower is strings.ToLower. It is most of what matching does, and most texts are made of letters that are small or, in
// Chinese and Japanese, neither: of these it makes no copy, and it looks at their bytes alone.
func lower(text string) string {
	capital := -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z':
			capital = i
		case c < utf8.RuneSelf:
		case 0xE3 <= c && c <= 0xE9 && i+2 < len(text) && !utf8.RuneStart(text[i+1]) && !utf8.RuneStart(text[i+2]):
			i += 2 // U+3000 to U+9FFF, which have no small letters
		default:
			return strings.ToLower(text)
		}
	}
	if capital < 0 {
		return text
	}
	small := []byte(text)
	for i, c := range small[:capital+1] {
		if 'A' <= c && c <= 'Z' {
			small[i] += 'a' - 'A'
		}
	}
	return string(small)
}
