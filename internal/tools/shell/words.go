package shell

import (
	"slices"
	"strings"
)

// A word is one of a command line, as the shell would hand it to a program.
type word struct {
	text    string // without its quotes
	pattern string // of names, where the shell would put those of files in its place; else ""
	open    bool   // what it comes to is known only when it runs
	into    bool   // it is where output goes
}

// phrases is what a command line says, read as a shell reads it but without running any of it.
type phrases struct {
	commands [][]word // each with its program and its arguments; the words of the shell's own language are among them
	run      []string // what is run to make a word: $(...) and `...`
	input    []string // the texts that stand in the line as input: <<END
}

// lexer reads a command line. Of what it does not know it errs on the side of more words and more that is open: nothing
// is decided by what it finds but what a person is shown, and what must be the same again.
type lexer struct {
	text string
	at   int
	home string // what $HOME is; "" where the line gives it another value
	now  []word
	docs []doc // the texts that begin after this line's end
	phrases
}

// doc is a text in a line that is input of a command.
type doc struct {
	last string // what its last line says
	tabs bool   // which may stand before that
}

// phrasesOf reads a command line.
func phrasesOf(text, home string) phrases {
	l := &lexer{text: text, home: home}
	for l.at < len(l.text) {
		l.step()
	}
	l.end()
	return l.phrases
}

// end ends a command.
func (l *lexer) end() {
	if len(l.now) > 0 {
		l.commands, l.now = append(l.commands, l.now), nil
	}
}

// step reads one word, or what stands between two.
func (l *lexer) step() {
	switch c := l.text[l.at]; c {
	case ' ', '\t', '\r':
		l.at++
	case '\n':
		l.at++
		l.end()
		l.readDocs()
	case ';', '|', '&', '(', ')':
		l.at++
		l.end()
	case '#':
		l.at += len(until(l.text[l.at:], "\n"))
	case '<', '>':
		l.redirect(c)
	default:
		l.now = append(l.now, l.word())
	}
}

// redirect reads < and > with what belongs to them.
func (l *lexer) redirect(c byte) {
	from := l.at
	for l.at < len(l.text) && strings.IndexByte("<>&|", l.text[l.at]) >= 0 {
		l.at++
	}
	sign := l.text[from:l.at]
	tabs := sign == "<<" && strings.HasPrefix(l.text[l.at:], "-")
	if tabs {
		l.at++
	}
	l.at += len(l.text[l.at:]) - len(strings.TrimLeft(l.text[l.at:], " \t"))
	if l.at == len(l.text) || strings.IndexByte("\r\n;()#|&<>", l.text[l.at]) >= 0 {
		return
	}
	w := l.word()
	if sign == "<<" {
		l.docs = append(l.docs, doc{w.text, tabs})
		return
	}
	w.into = c == '>'
	l.now = append(l.now, w)
}

// readDocs reads the texts that were announced in the line before.
func (l *lexer) readDocs() {
	for _, d := range l.docs {
		from := l.at
		for l.at < len(l.text) {
			line := until(l.text[l.at:], "\n")
			l.at = min(l.at+len(line)+1, len(l.text))
			if line == d.last || d.tabs && strings.TrimLeft(line, "\t") == d.last {
				break
			}
		}
		l.input = append(l.input, l.text[from:l.at])
	}
	l.docs = nil
}

// wordBuilder is a word as it is put together.
type wordBuilder struct {
	word
	made   strings.Builder
	match  strings.Builder
	globs  bool
	braces bool
	number bool // it has one in it that is known only then
}

// put adds what stands for itself.
func (w *wordBuilder) put(s string) {
	w.made.WriteString(s)
	for i := range len(s) {
		if strings.IndexByte(`*?[\`, s[i]) >= 0 {
			w.match.WriteByte('\\')
		}
		w.match.WriteByte(s[i])
	}
}

// word reads a word; there is one.
func (l *lexer) word() word {
	w := &wordBuilder{}
	from := l.at
	for l.at < len(l.text) && (strings.IndexByte(" \t\r\n;|&<>()", l.text[l.at]) < 0) {
		switch c := l.text[l.at]; c {
		case '\'':
			s := until(l.text[l.at+1:], "'")
			l.at = min(l.at+len(s)+2, len(l.text))
			w.put(s)
		case '"':
			l.at++
			l.quoted(w)
		case '\\':
			l.escaped(w)
		case '$':
			l.dollar(w)
		case '`':
			l.backquoted(w)
		case '*', '?', '[':
			l.at++
			w.globs = true
			w.made.WriteByte(c)
			w.match.WriteByte(c)
		default:
			w.braces = w.braces || c == '{'
			l.one(w)
		}
	}
	w.text = w.made.String()
	if w.globs {
		w.pattern = strings.ReplaceAll(w.match.String(), "[!", "[^")
	}
	if w.braces && strings.Contains(w.text, "}") || strings.Contains(w.text, "{}") {
		w.open = true // a{b,c} is two words for some shells, and {} is whatever find or xargs puts there
	}
	if l.text[from] == '~' && w.text != "~" && !strings.HasPrefix(w.text, "~/") {
		w.open = true // somebody else's home
	}
	w.open = w.open || w.number && w.text != ""
	return w.word
}

// escaped reads a backslash with what follows it.
func (l *lexer) escaped(w *wordBuilder) {
	l.at++
	if l.at == len(l.text) {
		return
	}
	if l.text[l.at] == '\n' {
		l.at++
		return
	}
	l.one(w)
}

// one reads a byte that stands for itself.
func (l *lexer) one(w *wordBuilder) {
	w.put(l.text[l.at : l.at+1])
	l.at++
}

// quoted reads up to the second of two double quotes.
func (l *lexer) quoted(w *wordBuilder) {
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case '"':
			l.at++
			return
		case '\\':
			if l.at+1 < len(l.text) && strings.IndexByte("$`\"\\\n", l.text[l.at+1]) < 0 {
				w.put(`\`)
			}
			l.escaped(w)
		case '$':
			l.dollar(w)
		case '`':
			l.backquoted(w)
		default:
			l.one(w)
		}
	}
}

// backquoted reads `...`.
func (l *lexer) backquoted(w *wordBuilder) {
	w.open = true
	var b strings.Builder
	for l.at++; l.at < len(l.text) && l.text[l.at] != '`'; l.at++ {
		if l.text[l.at] == '\\' && l.at+1 < len(l.text) {
			l.at++
		}
		b.WriteByte(l.text[l.at])
	}
	l.at = min(l.at+1, len(l.text))
	l.run = append(l.run, b.String())
}

// dollar reads what begins with one.
func (l *lexer) dollar(w *wordBuilder) {
	l.at++
	rest := l.text[l.at:]
	switch {
	case rest == "":
		w.put("$")
	case rest[0] == '(':
		l.at++
		w.open = true
		l.run = append(l.run, l.enclosed('(', ')'))
	case rest[0] == '{':
		l.at++
		if inner := l.enclosed('{', '}'); inner == "HOME" && l.home != "" {
			w.put(l.home)
		} else {
			w.open = true
			l.run = append(l.run, inner)
		}
	case rest[0] == '\'': // of bash: $'...' with escapes that are not worked out here
		l.at++
		s := l.enclosed('\'', '\'')
		w.open = w.open || strings.Contains(s, `\`)
		w.put(s)
	case rest[0] == '"':
		l.at++
		l.quoted(w)
	case strings.IndexByte("?$!#", rest[0]) >= 0:
		l.at++
		w.number = true
	case strings.IndexByte("@*-_", rest[0]) >= 0 || isNameByte(rest[0]):
		n := 1
		for n < len(rest) && isNameByte(rest[0]) && isNameByte(rest[n]) {
			n++
		}
		l.at += n
		if rest[:n] == "HOME" && l.home != "" {
			w.put(l.home)
			return
		}
		w.open = true
	default:
		w.put("$")
	}
}

// enclosed reads up to the sign that ends what has begun, past those within.
func (l *lexer) enclosed(begin, end byte) string {
	from, depth := l.at, 1
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at++
		case c == end:
			depth--
		case c == begin:
			depth++
		case (c == '\'' || c == '"') && end == ')':
			l.at += 1 + len(until(l.text[l.at+1:], string(rune(c))))
		}
		l.at = min(l.at+1, len(l.text))
		if depth == 0 {
			return l.text[from : l.at-1]
		}
	}
	return l.text[from:]
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// until returns what of s stands before the first end, or all of it.
func until(s, end string) string {
	before, _, _ := strings.Cut(s, end)
	return before
}

// literals returns what in a text could be a name, whatever language that is in: nothing between two names is looked at.
func literals(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool {
		return r < 0x80 && !isNameByte(byte(r)) && !strings.ContainsRune("./-+@%~", r)
	})
	slices.Sort(all)
	return slices.Compact(all)
}
