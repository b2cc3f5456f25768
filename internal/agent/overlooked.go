package agent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

var (
	// saysNotThere matches, in lower case, an answer that something was not found.
	saysNotThere = lazyregexp.New(`\b(?:could not|couldn['’]t|did not|didn['’]t|was unable to|cannot|can['’]t|unable to) (?:find|see|locate|identify|determine)|\bno [\p{L} ]{1,30}(?:found|mentioned|listed|present|given)\b|\b(?:does not|doesn['’]t|do not|don['’]t) (?:contain|mention|include|say|have)|\bthere (?:is|are|was|were) no\b|\bnot (?:found|mentioned|listed|specified)\b` +
		`|\bnicht (?:finden|gefunden|erwähnt|enthalten)|\bkeine?n? [\p{L} ]{1,30}(?:gefunden|finden|enthalten|erwähnt)|\benth[aä]lt keine|не (?:нашел|нашёл|нашла|найден\p{L}*|удалось найти|содержит|указан\p{L}*|упомина\p{L}*)|没有找到|找不到|未找到|没有提到|不包含`)

	// everydayWords match words that say little about the object of a question.
	everydayWords = lazyregexp.New(`^(?:what|which|where|there|their|these|those|about|please|could|would|should|files?|folders?|document|contents?|anything|something|named|called|check|tell|find|search|look|read|open|with|from|that|this|have|does|datei\p{L}*|ordner|welche\p{L}*|bitte|steht|inhalt|suche|finde|такое|какой|какая|какие|файл\p{L}*|папк\p{L}*|найди|скажи)$`)

	nameOfFile = lazyregexp.New(`\S+\.\w{1,5}\b|\S*/\S*`)
)

// denials are short pieces, one of which is in every match of saysNotThere. Most answers have none,
// and then the regular expression is not compiled.
func denials() []string {
	return []string{"no", "n't", "n’t", "unable", "nicht", "kein", "не ", "没", "找不到", "未找到", "不包含"}
}

// Limits for words whose line an answer may have overlooked.
const (
	leastWord      = 4 // letters
	maxLinesOfWord = 2 // lines with the word; more say nothing about a single line
)

// findOverlooked returns a word of the question that a result contains although the answer says that
// nothing was found, and the tool with that result. Otherwise both are "". It does not return the
// line, because a stranger may have written it, and nudges are hob's own words.
func (t Turn) findOverlooked(answer string) (found, tool string) {
	answer = strings.ToLower(answer)
	if !slices.ContainsFunc(denials(), func(word string) bool { return strings.Contains(answer, word) }) || !saysNotThere().MatchString(answer) {
		return "", ""
	}
	words := map[string]bool{}
	for word := range wordsOf(nameOfFile().ReplaceAllString(llm.OwnWords(t.personWords()), " ")) {
		if utf8.RuneCountInString(word) >= leastWord && !everydayWords().MatchString(word) {
			words[word] = true
		}
	}
	succeeded := map[string]bool{}
	for _, p := range t.Progress.answered {
		succeeded[p.ref.ID] = p.ok
	}
	lines := map[string]int{} // number of lines by word
	for _, m := range t.History[t.Begin:] {
		if m.Role != llm.ToolRole || !succeeded[m.CallID] || m.Note {
			continue
		}
		for l := range strings.Lines(event.Unfence(m.Text)) {
			l = strings.TrimSpace(l)
			absent := saysNotThere().MatchString(strings.ToLower(l))
			for word := range wordsOf(l) {
				if !words[word] || absent || strings.Contains(answer, strings.ToLower(l)) {
					continue
				}
				if lines[word]++; found == "" {
					found, tool = word, m.ToolName
				}
				if lines[word] > maxLinesOfWord {
					return "", ""
				}
			}
		}
	}
	return found, tool
}

// wordsOf yields the words of a text in lower case.
func wordsOf(text string) func(yield func(string) bool) {
	return strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}
