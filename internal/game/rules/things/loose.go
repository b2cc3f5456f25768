package things

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// parseLoose reads an object that is nearly JSON: its opening or closing brace is missing, its
// quotes are single or curved or stand unescaped within a text, commas are missing or one too many,
// names have no quotes, or values have none. Without an opening brace the first name must have
// quotes, and a value without quotes needs the closing brace: anything else may be prose. It is not
// ok where something cannot be read so.
func parseLoose(text string) (attrs map[string]string, ok bool) {
	m := looseParser{attrs: map[string]string{}}
	rest, opened := strings.CutPrefix(text, "{")
	m.braces = opened || strings.HasSuffix(text, "}")
	for {
		rest = strings.TrimLeft(rest, " \t\r\n,;")
		if rest == "" || rest == "}" {
			return m.attrs, len(m.attrs) > 0 || opened
		}
		if rest, ok = m.member(rest, opened); !ok {
			return nil, false
		}
	}
}

type looseParser struct {
	attrs  map[string]string
	braces bool // there is one, at least
}

// member reads a name and its value, and returns the rest.
func (m *looseParser) member(text string, bare bool) (rest string, ok bool) {
	var name string
	if n := quoteLength(text); n > 0 {
		end := closingQuote(text, n, true)
		if end < 0 {
			return "", false
		}
		name, rest = unquote(text[n:end]), text[end+quoteLength(text[end:]):]
	} else {
		end := strings.IndexAny(text, ":,{}[]\n\"")
		if !bare || end <= 0 || text[end] != ':' {
			return "", false
		}
		name, rest = text[:end], text[end:]
	}
	if rest, ok = afterColon(rest); !ok {
		return "", false
	}
	return m.value(strings.TrimSpace(name), rest)
}

// value reads the value after a colon, and returns the rest.
func (m *looseParser) value(name, text string) (rest string, ok bool) {
	n := quoteLength(text)
	switch {
	case n > 0:
		end := closingQuote(text, n, false)
		if end < 0 { // the text was cut off
			addText(m.attrs, name, unquote(text[n:]))
			return "", true
		}
		addText(m.attrs, name, unquote(text[n:end]))
		return text[end+quoteLength(text[end:]):], true
	case !m.braces || text == "":
		return "", false
	case text[0] == '{' || text[0] == '[':
		d := json.NewDecoder(strings.NewReader(text))
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return "", false
		}
		addValue(m.attrs, name, raw)
		return text[d.InputOffset():], true
	}
	end := strings.IndexAny(text, ",}\n")
	if end < 0 {
		end = len(text)
	}
	switch word := strings.TrimSpace(text[:end]); word {
	case "null", "None", "undefined":
	case "True", "False":
		addText(m.attrs, name, strings.ToLower(word))
	default:
		addText(m.attrs, name, word)
	}
	return text[end:], true
}

// quoteLength returns how many bytes long the quote is with which text begins, 0 where it does not
// begin with one.
func quoteLength(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	switch r {
	case '"', '\'', '`', '“', '”', '„', '‘', '’', '«', '»':
		return n
	}
	return 0
}

// closingQuote returns where the quote stands that ends what began with the quote of n bytes, or -1. It is of the same make and
// followed by what can follow: a colon after a name; the end, a comma, a brace or another name after a value. A quote that is
// not is a part of the text.
func closingQuote(text string, n int, name bool) int {
	last := closingQuotes(text[:n])
	for i := n; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '\\' && i+1 < len(text) {
			_, next := utf8.DecodeRuneInString(text[i+1:])
			i += 1 + next
			continue
		}
		if strings.ContainsRune(last, r) && canFollow(text[i+size:], name) {
			return i
		}
		i += size
	}
	return -1
}

// closingQuotes returns the quotes that can end what begins with quote.
func closingQuotes(quote string) string {
	switch quote {
	case `"`, "'", "`":
		return quote
	case "‘", "’":
		return "’‘"
	case "«":
		return "»"
	}
	return "”“"
}

// canFollow reports whether text may stand behind the quote that ends a name, or a value.
func canFollow(text string, name bool) bool {
	text = strings.TrimSpace(text)
	if _, colon := afterColon(text); name || colon {
		return name && colon
	}
	if text == "" || text[0] == ',' || text[0] == ';' || text[0] == '}' {
		return true
	}
	n := quoteLength(text) // of the next name, where a comma is missing
	if n == 0 {
		return false
	}
	end := strings.IndexAny(text[n:], ",:}\"'“”«»")
	if end < 0 {
		return false
	}
	end += n
	if q := quoteLength(text[end:]); q > 0 {
		_, ok := afterColon(strings.TrimSpace(text[end+q:]))
		return ok
	}
	return false
}

// afterColon returns the text behind a colon at its beginning.
func afterColon(text string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, colon := range []string{":", "："} {
		if rest, ok := strings.CutPrefix(text, colon); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return text, false
}
