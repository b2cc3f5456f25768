package app

import (
	"strings"

	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/markdown"
	"hob/internal/phrases"
)

// Translate returns in a language, or that of a tag such as "de-AT", what was answered in English: by a tool or a row of the table of
// commands of that name, or by hob itself. What there are no words for stays.
func Translate(lang, of, text string) string {
	return intents.Default().Translate(intents.Reading{Lang: phrases.Language(lang), Call: llm.Call{Name: of}, Command: true}, text)
}

// TranslateMarkdown is [Translate] for the lines of a text in Markdown. What stands in one that is translated is text; its first words stay bold.
func TranslateMarkdown(lang, of, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		plain := markdown.Plain(line)
		own := Translate(lang, of, plain)
		if own == plain {
			continue
		}
		lines[i] = markdown.Escape(own)
		if at := headEnd(own); at > 0 && strings.HasPrefix(line, "**") {
			lines[i] = "**" + markdown.Escape(own[:at]) + "**" + markdown.Escape(own[at:])
		}
	}
	return strings.Join(lines, "\n")
}

// headEnd returns where the colon behind the first words of a line is, also a Chinese one; 0 where there is none.
func headEnd(line string) int {
	for _, colon := range []string{": ", "："} {
		if i := strings.Index(line, colon); i > 0 && !strings.Contains(line[:i], "：") {
			return i
		}
	}
	return 0
}
