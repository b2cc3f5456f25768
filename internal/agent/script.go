package agent

import (
	"strings"
	"unicode"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

// scripts are those that are told apart, by their names for a model. Chinese and Japanese share theirs.
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

// latin is the script that names and paths of all others are in.
const latin = "Latin letters"

type script struct {
	name   string
	tables []*unicode.RangeTable
	least  int // letters that say which script a text is in
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
	// notProse is what of a text is in the script of others: code, addresses, names of files, and quotations.
	notProse = lazyregexp.New("(?s)```.*?(?:```|$)|`[^`\n]*`" + `|https?://\S+|\S*[/\\@]\S+|\S+\.[a-z]{2,4}\b|"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|「[^」\n]*」|(?m-s:^>.*$)|(?m-s:^\[.*\]$)`)

	// namesLanguage and speaksOfLanguage are in the words of somebody who may want another script, in small letters.
	namesLanguage = lazyregexp.New(`chinese|mandarin|cantonese|japanese|korean|russian|ukrainian|bulgarian|serbian|arabic|persian|farsi|urdu|greek|hebrew|hindi|thai|english|german|french|spanish|italian` +
		`|chinesisch|japanisch|koreanisch|russisch|ukrainisch|arabisch|griechisch|hebräisch|englisch|deutsch|китайск|японск|русск|английск|немецк|латин|中文|英文|英语|俄语|日语|日文|韩语|德语|法语`)
	speaksOfLanguage = lazyregexp.New(`translat|language|alphabet|letters|spell|pronounc|lyrics|poem|script|character|übersetz|sprache|buchstab|перев[её]?[дост]|язык|букв|по-|翻译|译|语言|字母|拼`)
)

// mainScript returns the script of most of a text's letters, ok if it is clear.
func mainScript(text string) (main script, ok bool) {
	text = notProse().ReplaceAllString(text, " ")
	most, all := 0, 0
	for _, s := range scripts() {
		n := s.count(text)
		weighted := n * 10 / s.least // a Chinese character is worth some letters
		if all += weighted; weighted > most {
			main, most = s, weighted
		}
	}
	return main, most >= 10 && most*10 >= all*7
}

// otherScript returns the scripts of the person's words and of an answer, by name, where the model has drifted into
// another one: nobody has used it or spoken of languages, and the answer quotes nothing. Else both are "".
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

// isQuoted reports whether a line of text stands in another text.
func isQuoted(text, other string) bool {
	const least = 12 // bytes of a line that says something
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, " \t\r\n>*-`\""); len(line) >= least && strings.Contains(other, line) {
			return true
		}
	}
	return false
}
