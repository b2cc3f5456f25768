package toolcall

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"hob/internal/editdistance"
	"hob/internal/lazyregexp"
	"hob/internal/schema"
)

// farthest is how many letters a name may be off, and shortest how long it has to be for that to mean anything.
const (
	farthest = 2
	shortest = 5
)

// longestName bounds what is taken for a name at all, in bytes.
const longestName = 200

// mostNames is how many names of tools an answer to an unknown one holds.
const mostNames = 10

var (
	// afterName is what models append to a name: Kimi's running number, Python's call, the key it stood under.
	afterName = lazyregexp.New(`(?:\(\)|:\d+|\.call|-name|<\|.*)$`)
	// beforeName is the namespace that models put before a name: functions., tools., repo_browser., default_api:.
	beforeName = lazyregexp.New(`^[\pL\pN_-]+[.:/]`)
)

// resolve returns the tool that name means, or nil. A tool with side effects is meant only by its own name: written with
// other capitals or separators, or between a namespace and a suffix, but not by a name that merely resembles it.
func (o *Offer) resolve(name string) *offered {
	if tool := o.named(name); tool != nil {
		return tool
	}
	if len(name) > longestName {
		return nil
	}
	name = strings.TrimSpace(name)
	for candidate, more := name, true; more; {
		if tool := o.named(candidate); tool != nil {
			return tool
		}
		if tool := o.spelled(candidate); tool != nil {
			return tool
		}
		whole := candidate
		candidate, more = shorter(whole)
		if space, is := strings.CutSuffix(whole, candidate); is && o.named(strings.TrimRight(space, ".:/")) != nil {
			return nil // light/set_blinds names two tools
		}
	}
	return o.resembling(stripped(name))
}

// shorter takes off one of the things that models put around a name.
func shorter(name string) (string, bool) {
	if !strings.ContainsAny(name, ".:/(<") && !strings.HasSuffix(name, "-name") {
		return name, false // most words are no more than this
	}
	bare := afterName().ReplaceAllString(name, "")
	if bare == name {
		bare = strings.TrimPrefix(bare, beforeName().FindString(bare))
	}
	return bare, bare != name && bare != ""
}

// stripped takes off all that models put around a name.
func stripped(name string) string {
	for bare, more := shorter(name); more; bare, more = shorter(name) {
		name = bare
	}
	return name
}

// letters returns what of a name is not a matter of style: no separators, no capitals, no markup.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// spelled returns the only tool whose name has the letters of name.
func (o *Offer) spelled(name string) *offered {
	want, found := []rune(letters(name)), (*offered)(nil)
	if len(want) == 0 {
		return nil
	}
	for i := range o.tools {
		if !slices.Equal(o.tools[i].letters, want) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &o.tools[i]
	}
	return found
}

// resembling returns the tool that is nearer to name than all others and has no side effects.
func (o *Offer) resembling(name string) *offered {
	want := []rune(letters(name))
	if len(want) < shortest {
		return nil
	}
	nearest, best, tie := (*offered)(nil), farthest+1, false
	for i := range o.tools {
		own := o.tools[i].letters
		if len(own) < shortest || max(len(own), len(want))-min(len(own), len(want)) > farthest {
			continue
		}
		switch d := editdistance.Of(want, own); {
		case d < best:
			nearest, best, tie = &o.tools[i], d, false
		case d == best:
			tie = true
		}
	}
	if nearest == nil || tie || nearest.careful {
		return nil
	}
	return nearest
}

// unknown is the problem of a call whose tool there is not.
func (o *Offer) unknown(name string) schema.Problem {
	text := fmt.Sprintf("there is no tool %s", quote(schema.Shorten(name)))
	if strings.TrimSpace(name) == "" {
		text = "the call names no tool"
	}
	if len(o.tools) == 0 {
		return schema.Problem{Kind: schema.Value, Text: text + "; there are no tools"}
	}
	names := o.nearest(name)
	text += "; the tools are " + strings.Join(names, ", ")
	if more := len(o.tools) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return schema.Problem{Kind: schema.Value, Text: text}
}

// nearest returns the names of at most ten tools, the most similar first, and equally similar ones in their order.
func (o *Offer) nearest(name string) []string {
	if len(name) > longestName {
		name = ""
	}
	want := []rune(letters(stripped(name)))
	var names []string
	far := map[string]int{}
	for i := range o.tools {
		own := o.tools[i].def.Name
		names = append(names, own)
		if len(want) > 0 {
			far[own] = editdistance.Of(want, o.tools[i].letters)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return far[a] - far[b] })
	return names[:min(len(names), mostNames)]
}
