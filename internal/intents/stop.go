package intents

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ownStop returns the full stop at the end of a message where it is a part of the words of a slot, and not the end of the sentence: that of
// a date or an ordinal ("9.12."), and what stands in a file behind a colon.
func (m *matcher) ownStop(s slot) string {
	if s.to != len(m.norm) || !s.is(stopped) || s.name == "remind" || s.name == "time" {
		return ""
	}
	stop, _ := utf8.DecodeRuneInString(m.text[m.at[s.to]:])
	last, _ := utf8.DecodeLastRuneInString(m.norm[:s.to])
	isDate := stop == '.' && unicode.IsDigit(last) && strings.Contains(m.norm[max(s.from, strings.LastIndexByte(m.norm[:s.to], ' ')):s.to], ".")
	isBehindColon := s.is(written) && strings.HasSuffix(strings.TrimRight(m.norm[:s.from], " "), ":")
	if isDate || isBehindColon && strings.ContainsRune(".。", stop) {
		return string(stop)
	}
	return ""
}
