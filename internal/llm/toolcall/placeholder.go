package toolcall

import (
	"slices"

	"hob/internal/lazyregexp"
)

// suspect is what arguments hold that may be a placeholder, or a value that has swallowed the next name. It is looked for in the
// first mostSuspect bytes.
var suspect = lazyregexp.New(`"[<\[{]|,\s*\w+\s*[:=]`)

const mostSuspect = 2000

// namedBehind is a name with a sign behind a comma.
var namedBehind = lazyregexp.New(`[^,],\s*["']?(\w+)["']?\s*[:=]`)

// swallowsName reports whether a short text goes on with the name of another member of s, which v does not have.
func swallowsName(text string, v *value, s shape) bool {
	const longest = 120
	if len(text) > longest {
		return false
	}
	m := namedBehind().FindStringSubmatch(text)
	return m != nil && s.has(m[1]) && v.get(m[1]) == nil
}

// inBrackets is a text in brackets.
var inBrackets = lazyregexp.New(`^(?:<[^<>"':]+>|\[[^\[\]"':]+\]|\{+[^{}"':]+\}+)$`)

// placeholder reports whether a text only says in brackets what stands there: the name of the argument.
func placeholder(text, key string) bool {
	if !inBrackets().MatchString(text) {
		return false
	}
	words, name := wordsOf(text), wordsOf(key)
	return len(name) > 0 && (slices.Contains(words, name[len(name)-1]) || slices.Contains(words, "your") || slices.Contains(words, "insert"))
}
