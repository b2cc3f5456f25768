package agent

import (
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// scripts are the scripts that can be told apart. The names are for the model. Chinese and Japanese
// share one.
func scripts() []script {
	return []script{
		{latin, []*unicode.RangeTable{unicode.Latin}, 10},
		{"Cyrillic letters", []*unicode.RangeTable{unicode.Cyrillic}, 10},
		{"Chinese or Japanese characters", []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}, 4},
		{"Korean letters", []*unicode.RangeTable{unicode.Hangul}, 4},
		{"Arabic letters", []*unicode.RangeTable{unicode.Arabic}, 10},
		{"Greek letters", []*unicode.RangeTable{unicode.Greek}, 10},
		{"Hebrew letters", []*unicode.RangeTable{unicode.Hebrew}, 10},
		{"Thai letters", []*unicode.RangeTable{unicode.Thai}, 10},
		{"Devanagari letters", []*unicode.RangeTable{unicode.Devanagari}, 10},
	}
}

// latin is the script of names and paths in every language.
const latin = "Latin letters"

type script struct {
	name   string
	tables []*unicode.RangeTable
	least  int // letters that decide the script of a text
}

func (s script) count(text string) int {
	n := 0
	for _, r := range text {
		if unicode.In(r, s.tables...) {
			n++
		}
	}
	return n
}

var (
	// notProse matches parts of a text whose script says nothing: code, addresses, file names and
	// quotations.
	notProse = lazyregexp.New("(?s)```.*?(?:```|$)|`[^`\n]*`" + `|https?://\S+|\S*[/\\@]\S+|\S+\.[a-z]{2,4}\b|"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|「[^」\n]*」|(?m-s:^>.*$)|(?m-s:^\[.*\]$)`)

	// namesLanguage and speaksOfLanguage match, in lower case, a request that may want another
	// script.
	namesLanguage = lazyregexp.New(`chinese|mandarin|cantonese|japanese|korean|russian|ukrainian|bulgarian|serbian|arabic|persian|farsi|urdu|greek|hebrew|hindi|thai|english|german|french|spanish|italian` +
		`|chinesisch|japanisch|koreanisch|russisch|ukrainisch|arabisch|griechisch|hebräisch|englisch|deutsch|китайск|японск|русск|английск|немецк|латин|中文|英文|英语|俄语|日语|日文|韩语|德语|法语`)
	speaksOfLanguage = lazyregexp.New(`translat|language|alphabet|letters|spell|pronounc|lyrics|poem|script|character|übersetz|sprache|buchstab|перев[её]?[дост]|язык|букв|по-|翻译|译|语言|字母|拼`)
)

// mainScript returns the script of most letters of a text, with ok if it is clear.
func mainScript(text string) (main script, ok bool) {
	text = notProse().ReplaceAllString(text, " ")
	most, all := 0, 0
	for _, s := range scripts() {
		n := s.count(text)
		weighted := n * 10 / s.least // a Chinese character counts as several letters
		if all += weighted; weighted > most {
			main, most = s, weighted
		}
	}
	return main, most >= 10 && most*10 >= all*7
}

// otherScript returns the names of the scripts of the person's words and of the answer, if the
// model drifted into another script. Otherwise both are "": the script was used or languages were
// mentioned before, or the answer quotes something.
func (t Turn) otherScript(text string) (asked, answered string) {
	question, ok := mainScript(llm.OwnWords(t.personWords()))
	answer, clear := mainScript(text)
	if !ok || !clear || question.name == answer.name || t.Stage != nil || namesLanguage().MatchString(strings.ToLower(t.System)) {
		return "", ""
	}
	for _, m := range t.History {
		if m.Role == llm.AssistantRole || m.Note {
			continue
		}
		if isQuoted(text, m.Text) {
			return "", ""
		}
		own := strings.ToLower(llm.OwnWords(m.Text))
		isUsed := answer.name != latin && answer.count(own) >= answer.least
		if m.Role == llm.UserRole && (isUsed || namesLanguage().MatchString(own) || speaksOfLanguage().MatchString(own)) {
			return "", ""
		}
	}
	return question.name, answer.name
}

// isQuoted reports whether other contains a line of text.
func isQuoted(text, other string) bool {
	const least = 12 // bytes of a line long enough to count
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, " \t\r\n>*-`\""); len(line) >= least && strings.Contains(other, line) {
			return true
		}
	}
	return false
}
