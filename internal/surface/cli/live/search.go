package live

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/surface/cli/lineedit"
)

// search is a search of the history, newest first.
type search struct {
	words string
	skip  int    // matches that were passed by
	from  string // the line before it
}

// searchKey does what a key means in a search. Other keys than its own end it and mean what they mean.
func (m model) searchKey(name, text string) (model, bool) {
	s := *m.search
	switch {
	case name == "ctrl+r":
		s.skip++
	case name == "backspace" || name == "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(s.words)
		s.words, s.skip = s.words[:len(s.words)-n], 0
	case name == "esc" || name == "ctrl+c" || name == "ctrl+g":
		m.search = nil
		m.line.Set(s.from)
		return m, true
	case text != "":
		s.words, s.skip = s.words+text, 0
	default:
		return m, false
	}
	found, ok := m.find(s)
	if !ok && s.skip > 0 {
		s.skip-- // that was the oldest
		found, ok = m.find(s)
	}
	if ok {
		m.line = &lineedit.Line{}
		m.line.Set(found)
	}
	m.search = &s
	return m, true
}

// find returns the entry that a search has come to.
func (m model) find(s search) (string, bool) {
	if s.words == "" {
		return s.from, true
	}
	skip := s.skip
	for _, entry := range slices.Backward(m.entries()) {
		if !strings.Contains(strings.ToLower(entry), strings.ToLower(s.words)) {
			continue
		}
		if skip == 0 {
			return entry, true
		}
		skip--
	}
	return "", false
}

// menu is what a word can become, below the line.
type menu struct {
	candidates []string
	at         int // the one in the line; -1: none is
	bytes      int // of the line that the candidate in it takes
}

// complete completes the word before the cursor: by what all candidates begin with, then by one after the other.
func (m model) complete(forward bool) model {
	if m.options.Complete == nil || m.isAsked() {
		return m
	}
	if m.menu != nil {
		next := *m.menu
		if forward {
			next.at = (next.at + 1) % len(next.candidates)
		} else {
			next.at = (max(next.at, 0) + len(next.candidates) - 1) % len(next.candidates)
		}
		m.line.ReplaceBefore(next.bytes, next.candidates[next.at])
		next.bytes = len(next.candidates[next.at])
		m.menu = &next
		return m
	}
	n, candidates := m.options.Complete(m.line.BeforeCursor())
	if len(candidates) == 0 {
		return m
	}
	common := candidates[0]
	for _, c := range candidates[1:] {
		for !strings.HasPrefix(c, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	if len(candidates) == 1 {
		if !strings.HasSuffix(common, "/") {
			common += " "
		}
		m.line.ReplaceBefore(n, common)
		return m
	}
	if len(common) > n {
		m.line.ReplaceBefore(n, common)
		n = len(common)
	}
	m.menu = &menu{candidates: candidates, at: -1, bytes: n}
	return m
}
