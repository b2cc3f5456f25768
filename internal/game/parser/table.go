package parser

import (
	_ "embed"
	"slices"
	"strings"
)

// The tables of commands. The first part of a table has the commands, the second one the vocabulary. A line is
// "key: pattern ; pattern"; # begins a comment. A pattern has words, (one|of several), (an optional one)?, and the slots
// {1} {2} {3} for names. If any pattern of a line begins with {1} or with an optional word, the first pattern of the line
// must. A key with ~ at its end has words with many other meanings: it is a command only if its names mean something. So
// is a key with +, which counts only in games without a model: see [Options].
var (
	//go:embed commands/en.txt
	commandsEN string
	//go:embed commands/ru.txt
	commandsRU string
	//go:embed commands/zh.txt
	commandsZH string
)

// table holds the commands and the vocabulary of a language.
type table struct{ commands, vocabulary string }

// tables returns the tables of the languages whose letters the tokens have, that of lang first. Each command has letters
// of its own language.
func tables(lang string, tokens []token) []table {
	var latin, cyrillic, chinese bool
	for i := range tokens {
		for _, c := range []byte(tokens[i].text) {
			latin = latin || c >= 'a' && c <= 'z'
			cyrillic = cyrillic || c == 0xD0 || c == 0xD1
			chinese = chinese || c >= 0xE3
		}
	}
	list := make([]table, 0, 3)
	add := func(is bool, name, text string) {
		switch {
		case is && name == lang:
			list = slices.Insert(list, 0, cutTable(text))
		case is:
			list = append(list, cutTable(text))
		}
	}
	add(latin, "en", commandsEN)
	add(cyrillic, "ru", commandsRU)
	add(chinese, "zh", commandsZH)
	return list
}

func cutTable(text string) table {
	commands, vocabulary, _ := strings.Cut(text, "\n[words]")
	return table{commands: commands, vocabulary: vocabulary}
}

// word returns the patterns of a key of the vocabulary.
func (t table) word(key string) string {
	_, rest, _ := strings.Cut(t.vocabulary, "\n"+key+":")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// span is a range of tokens: from is the first, to the one behind the last.
type span struct{ from, to int }

// matching matches tokens with a pattern.
type matching struct {
	tokens []token
	end    int
	slots  [4]span
	// fits is called for every match of the pattern; the search goes on until it returns true.
	fits func() bool
}

// begin is a cheap test that rules most lines out.
func (m *matching) begin(list string) bool {
	list = strings.TrimLeft(list, " ")
	if strings.Contains(list, m.tokens[0].text) || strings.HasPrefix(list, "{") {
		return true
	}
	end := strings.IndexByte(list, ')')
	return end >= 0 && strings.HasPrefix(list[end:], ")?")
}

// patterns tries the patterns of a list. Semicolons part them.
func (m *matching) patterns(list string) bool {
	for list != "" {
		var pattern string
		pattern, list, _ = strings.Cut(list, ";")
		if m.pattern(pattern, 0) {
			return true
		}
	}
	return false
}

// pattern tries the rest of a pattern on the tokens from at on.
func (m *matching) pattern(p string, at int) bool {
	for p != "" && p[0] == ' ' {
		p = p[1:]
	}
	if p == "" {
		return at == m.end && m.fits()
	}
	switch p[0] {
	case '(':
		group, rest, _ := strings.Cut(p[1:], ")")
		after, optional := strings.CutPrefix(rest, "?")
		if at >= m.end || !strings.Contains(group, m.tokens[at].text) {
			group = "" // most patterns fail here, and at once
		}
		for group != "" {
			var word string
			word, group, _ = strings.Cut(group, "|")
			if next, ok := m.word(word, at); ok && m.pattern(after, next) {
				return true
			}
		}
		return optional && m.pattern(after, at)
	case '{':
		return m.slot(int(p[1]-'0'), p[3:], at)
	}
	word := p
	if i := strings.IndexAny(p, "({"); i >= 0 {
		word = p[:i]
	}
	next, ok := m.word(word, at)
	return ok && m.pattern(p[len(word):], next)
}

// slot tries every length of a slot, the shortest first.
func (m *matching) slot(n int, after string, at int) bool {
	last := strings.TrimSpace(after) == ""
	for to := at + 1; to <= m.end; to++ {
		if last {
			to = m.end
		}
		m.slots[n] = span{from: at, to: to}
		if m.pattern(after, to) {
			return true
		}
	}
	m.slots[n] = span{}
	return false
}

// word reports whether the next tokens are words, and returns the index behind them.
func (m *matching) word(words string, at int) (next int, ok bool) {
	for {
		for words != "" && words[0] == ' ' {
			words = words[1:]
		}
		if words == "" {
			return at, true
		}
		if at >= m.end {
			return 0, false
		}
		text := m.tokens[at].text
		if len(words) < len(text) || words[:len(text)] != text {
			return 0, false
		}
		words = words[len(text):]
		if words != "" && words[0] != ' ' && words[0] < 0xE3 && !isHan(text) {
			return 0, false
		}
		at++
	}
}

// is reports whether tokens match a key of the vocabulary.
func (t table) is(key string, tokens []token) bool {
	m := matching{tokens: tokens, end: len(tokens), fits: func() bool { return true }}
	return len(tokens) > 0 && m.patterns(t.word(key))
}

// leading returns how many leading tokens are a word of a key of the vocabulary. The longest word counts.
func (t table) leading(key string, tokens []token) (n int) {
	m := matching{tokens: tokens, end: len(tokens)}
	for word := range strings.SplitSeq(t.word(key), "|") {
		if next, ok := m.word(word, 0); ok {
			n = max(n, next)
		}
	}
	return n
}

// The longest words at the end of a sentence, in tokens.
const mostTail = 5

// trailing is leading for the end of tokens.
func (t table) trailing(key string, tokens []token) (n int) {
	m := matching{tokens: tokens, end: len(tokens)}
	for word := range strings.SplitSeq(t.word(key), "|") {
		for from := max(0, len(tokens)-mostTail); from < len(tokens); from++ {
			if next, ok := m.word(word, from); ok && next == len(tokens) {
				n = max(n, next-from)
			}
		}
	}
	return n
}

// which returns the rest of the first key with this prefix that tokens match, or "".
func (t table) which(prefix string, tokens []token) string {
	m := matching{tokens: tokens, end: len(tokens), fits: func() bool { return true }}
	rest := t.vocabulary
	for len(tokens) > 0 {
		_, after, ok := strings.Cut(rest, "\n"+prefix)
		if !ok {
			return ""
		}
		line, _, _ := strings.Cut(after, "\n")
		if name, list, _ := strings.Cut(line, ":"); m.patterns(list) {
			return name
		}
		rest = after
	}
	return ""
}
