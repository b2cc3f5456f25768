package app

import (
	"reflect"
	"testing"

	"hob/internal/commands"
	"hob/internal/markdown"
)

// The first words of a line stay bold in another language: up to its colon, which is another one in Chinese.
func TestHeadEnd(t *testing.T) {
	for line, want := range map[string]string{
		"模型：还没有": "模型", "Очередь: ждёт: 2": "Очередь", "错误：Ollama: 坏了": "错误", "Es läuft nichts.": "",
	} {
		if got := line[:headEnd(line)]; got != want {
			t.Errorf("the head of %q is %q, want %q", line, got, want)
		}
	}
}

// The list of changes is in the language of the chat, also of what another day changed. A name that looks like its words stays one.
func TestTranslateMarkdown_Changes(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"de", "- 14:02 made notes/tea.md; undo with /undo #41", "- 14:02 notes/tea.md angelegt; rückgängig mit /undo #41"},
		{"de", "- 2026-03-01 14:02 changed reminder 7 (call Ana, again); undo with /undo #41", "- 2026-03-01 14:02 Erinnerung 7 (call Ana, again) geändert; rückgängig mit /undo #41"},
		{"de", "- 14:02 deleted 3 paths: tidy.sh; #41, taken back by 42", "- 14:02 3 Dateien und Ordner gelöscht: tidy.sh; #41, zurückgenommen von #42"},
		{"ru", "- 14:02 deleted made it.md; takes back 41; undo with /undo #42", "- 14:02 удалено: made it.md; отменяет #41; отменить: /undo #42"},
		{"zh", "- 14:02 made fact 3 (喝茶); undo with /undo #41", "- 14:02 记住了第 3 条：喝茶；撤销：/undo #41"},
		{"de", "- 14:02 made \"a; undo with /undo #3\"; undo with /undo #41", "- 14:02 \"a; undo with /undo #3\"; undo with /undo #41 angelegt"},
	} {
		if got := markdown.Plain(TranslateMarkdown(c.lang, "undo", markdown.Escape(c.text))); got != markdown.Plain(markdown.Escape(c.want)) {
			t.Errorf("in %s %q is %q, want %q", c.lang, c.text, got, c.want)
		}
	}
}

// What is bold, an item or code stays so in another language, and what stands in a fence is not hob's.
func TestTranslateMarkdown(t *testing.T) {
	for _, row := range []struct{ name, given, want string }{
		{"model", "**Models**", "**Modelle**"},
		{"skill", "**x\\_y** is open\\.", "**x\\_y** ist offen\\."},
		{"status", "**Model**: none yet", "**Modell**\\: noch keines"},
		{"tools", "- `/x [y]` ENABLED", "- `/x [y]` AN"},
		{"model", "```\nModels\n```\nModels", "```\nModels\n```\nModelle"},
	} {
		if got := TranslateMarkdown("de", row.name, row.given); got != row.want {
			t.Errorf("%q is %q, want %q", row.given, got, row.want)
		}
	}
}

// The help is Markdown in every language, and its value is text.
func TestTranslateAnswer_Help(t *testing.T) {
	table := commands.NewTable(commands.Command{Name: "undo", Summary: "take back the last change here, the last n, or change #N"}).Translated(TranslateAnswer)
	const text = "die letzte Änderung hier zurücknehmen, die letzten n, oder Nummer #N"
	help := table.Help(commands.Request{Surface: commands.Terminal, Principal: LocalOwner(), Lang: "de"})
	want := commands.Answer{Text: "- `/undo`: " + markdown.EscapeInline(text) + "\n", Data: []commands.Help{{Name: "undo", Summary: text}}}
	if !reflect.DeepEqual(help, want) {
		t.Errorf("the help is\n%+v, want\n%+v", help, want)
	}
}
