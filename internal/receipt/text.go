package receipt

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"hob/internal/display"
)

// How many characters are shown: of a command its beginning, of any other target both ends, and of a tool's own words.
const (
	mostCommand = 40
	mostTarget  = 80
	mostWords   = 120
	mostName    = 40
)

// target is what a call was for, from its arguments, and whether that is a command; "" where they do not say.
func (c open) target() (target string, command bool) {
	if c.args == nil {
		return "", false
	}
	var args map[string]any
	if json.Unmarshal(c.args, &args) != nil {
		return "", false
	}
	for _, key := range []string{"path", "file", "url", "to", "target", "command"} {
		if s, ok := args[key].(string); ok && s != "" {
			return s, key == "command"
		}
	}
	return "", false
}

// Quote is a target as a line has it; see [Turn.Line].
func Quote(target string) string { return quoteTarget(target, false) }

// quoteTarget is a target as the line has it: a command in quotes, anything else where it could be taken for more than a target.
func quoteTarget(target string, command bool) string {
	if command {
		target = display.Truncate(target, mostCommand)
	} else if r := []rune(target); len(r) > mostTarget {
		target = string(r[:mostTarget/2-1]) + "…" + string(r[len(r)-mostTarget/2:])
	}
	if !command && target != "" && !strings.ContainsFunc(target, needsQuotes) {
		return target
	}
	return `"` + escape(target, true) + `"`
}

// Exact is a text to the letter, all of it in quotes.
func Exact(text string) string { return `"` + escape(text, true) + `"` }

// needsQuotes reports whether a character means something in the line, or is not to be seen as itself.
func needsQuotes(r rune) bool { return strings.ContainsRune(` "\·();…`, r) || isHidden(r) }

// name is a word that a tool has for itself or for what it did.
func name(word string) string {
	return strings.ReplaceAll(showWords(display.Truncate(word, mostName)), "·", `\u{b7}`)
}

// showWords is a tool's words in one line, all of whose characters can be seen.
func showWords(s string) string {
	return strings.ReplaceAll(escape(display.Truncate(s, mostWords), false), "·", `\u{b7}`)
}

// escape shows characters that cannot be seen, or move others, as escapes; within quotes also those that end them.
func escape(s string, quoted bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case isHidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		case quoted && (r == '"' || r == '\\'):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isHidden reports whether a character is not seen as itself: control and format characters, those of bidirectional text, all
// blanks but the space, and letters that are drawn as nothing.
func isHidden(r rune) bool {
	switch {
	case r == ' ':
		return false
	case !unicode.IsGraphic(r), unicode.In(r, unicode.Cf, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	}
	return r == '\u2800' || r == unicode.ReplacementChar
}
