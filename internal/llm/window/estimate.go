package window

import (
	"strings"

	"hob/internal/llm"
)

// The cost of a character, in fractions of a token: 420ths, which all of these divide evenly.
const (
	token     = 420
	costProse = token / 4 * 1 // 4 characters a token: English
	costJSON  = token / 7 * 2 // 3.5
	costWide  = token / 3 * 2 // 1.5: Chinese, Japanese, Korean, and characters beyond the basic plane, such as emoji
	costOther = token / 5 * 2 // 2.5: Cyrillic, Greek, Arabic, accents
)

// The overhead of things in tokens.
const (
	perMessage = 8    // the template's marks and the role
	perCall    = 12   // the braces and keys of a call, or of a tool
	perImage   = 1280 // the most that models for home use take; others take 256 to 640
)

// Estimate returns the tokens, at a Rate of 1, of a whole request: system text, tools as JSON, and
// messages. The format of the reply is not part of the prompt.
func Estimate(req llm.Request) int {
	n := Tokens(req.Messages...)
	if req.System != "" {
		n += perMessage + whole(cost(req.System, costProse))
	}
	for _, t := range req.Tools {
		n += perCall + whole(cost(t.Name, costJSON)+cost(t.Description, costJSON)+cost(string(t.Parameters), costJSON))
	}
	return n
}

// Tokens returns the tokens of messages at a Rate of 1, including thinking and calls. It is
// additive: two messages together cost the sum of both.
func Tokens(ms ...llm.Message) int {
	n := 0
	for i := range ms {
		n += tokens(&ms[i])
	}
	return n
}

func tokens(m *llm.Message) int {
	ascii := costProse
	if m.Role == llm.ToolRole && looksLikeJSON(m.Text) {
		ascii = costJSON
	}
	parts := cost(m.Text, ascii) + cost(m.Thinking, costProse) + cost(m.ToolName, costProse)
	for _, c := range m.Calls {
		parts += perCall*token + cost(c.Name, costJSON) + cost(string(c.Args), costJSON)
	}
	return perMessage + perImage*len(m.Images) + whole(parts)
}

// whole rounds fractions of a token up to tokens.
func whole(parts int) int { return (parts + token - 1) / token }

// cost returns the cost of a text in fractions of a token, where an ASCII character costs ascii.
func cost(s string, ascii int) int {
	plain, far, wide := 0, 0, 0
	for _, r := range s {
		switch {
		case r < 0x80:
			plain++
		case r >= 0x1100 && isWide(r):
			wide++
		default:
			far++
		}
	}
	return plain*ascii + far*costOther + wide*costWide
}

// isWide reports whether the characters of r's script are syllables or words, or r is beyond the
// basic plane.
func isWide(r rune) bool {
	return r <= 0x11FF || // Hangul Jamo
		r >= 0x2E80 && r <= 0xA4CF || // radicals, kana, ideographs, Yi
		r >= 0xAC00 && r <= 0xD7FF || // Hangul
		r >= 0xF900 && r <= 0xFAFF || // more ideographs
		r >= 0xFE30 && r <= 0xFE4F || r >= 0xFF00 && r <= 0xFFEF || // forms of the above
		r >= 0x10000
}

// looksLikeJSON reports whether a result is an object or an array, by its first and last character.
func looksLikeJSON(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) < 2 {
		return false
	}
	return s[0] == '{' && s[len(s)-1] == '}' || s[0] == '[' && s[len(s)-1] == ']'
}
