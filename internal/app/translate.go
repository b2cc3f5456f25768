package app

import (
	"slices"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/intents"
	"hob/internal/markdown"
	"hob/internal/phrases"
)

// Translate translates an English answer into a language, or that of a tag such as "de-AT". of
// names the tool or command that gave the answer, or hob itself. Without a translation it returns
// text.
func Translate(lang, of, text string) string {
	return intents.Default().Translate(phrases.Language(lang), text, of, intents.HobsOwn)
}

// TranslateAnswer is [Translate] for the answer of a command, or for its error. It is a [commands.Translation].
func TranslateAnswer(lang, name string, a commands.Answer, err error) (commands.Answer, error) {
	if err != nil {
		text := event.SentenceOf(err)
		if own := Translate(lang, name, text); own != text {
			err = exit.Reword(err, own)
		}
		return a, err
	}
	a.Text = TranslateMarkdown(lang, name, a.Text)
	a.Choices = slices.Clone(a.Choices)
	for i, row := range a.Choices {
		a.Choices[i] = slices.Clone(row)
		for j, choice := range row {
			a.Choices[i][j].Label = Translate(lang, name, choice.Label)
		}
	}
	return a, nil
}

// TranslateMarkdown is [Translate] for each line of a Markdown text. It keeps code, the mark of a
// list item, and bold first words as Markdown, and leaves fenced text alone, which is not hob's.
func TranslateMarkdown(lang, of, text string) string {
	lines, fence := strings.Split(text, "\n"), ""
	for i, line := range lines {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if line == fence {
				fence = ""
			}
			continue
		case len(mark) >= len("```"):
			fence = mark
			continue
		}
		plain := markdown.Plain(line)
		if own := Translate(lang, of, plain); own != plain {
			lines[i] = formatLike(line, own)
		}
	}
	return strings.Join(lines, "\n")
}

// formatLike formats the translation of a line as Markdown like the line.
func formatLike(line, own string) string {
	const item, bold = "- ", "**"
	mark := ""
	if rest, is := strings.CutPrefix(line, item); is && strings.HasPrefix(own, item) {
		mark, line, own = item, rest, own[len(item):]
	}
	inner, behind, ends := strings.Cut(strings.TrimPrefix(line, bold), bold)
	if !strings.HasPrefix(line, bold) || !ends {
		return mark + escapeText(line, own)
	}
	at := headEnd(own)
	switch first := markdown.Plain(inner); {
	case behind == "":
		at = len(own)
	case at == 0 && strings.HasPrefix(own, first+" "):
		at = len(first)
	}
	if at == 0 {
		return mark + escapeText(line, own)
	}
	return mark + bold + escapeText(line, own[:at]) + bold + escapeText(line, own[at:])
}

// escapeText escapes text for Markdown, except for code that the line has, too.
func escapeText(line, text string) string {
	var b strings.Builder
	for {
		before, rest, begins := strings.Cut(text, "`")
		code, behind, ends := strings.Cut(rest, "`")
		if code = "`" + code + "`"; !begins || !ends || !strings.Contains(line, code) {
			b.WriteString(markdown.EscapeInline(text))
			return b.String()
		}
		b.WriteString(markdown.EscapeInline(before) + code)
		text = behind
	}
}

// headEnd returns the position of the colon behind the first words of a line, also a Chinese one,
// or 0 if there is none.
func headEnd(line string) int {
	for _, colon := range []string{": ", "："} {
		if i := strings.Index(line, colon); i > 0 && !strings.Contains(line[:i], "：") {
			return i
		}
	}
	return 0
}
