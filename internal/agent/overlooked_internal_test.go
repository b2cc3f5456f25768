package agent

import (
	"strings"
	"testing"

	"hob/internal/llm"
)

// An answer that has not found what stands in a result is told apart from one that is right.
func TestOverlooked(t *testing.T) {
	const note = "Shopping\nThe number is 4711.\nMilk"
	for _, c := range []struct{ name, asked, result, answer, word string }{
		{"en", "What is the number in note.txt?", note, "I could not find any number in the file.", "number"},
		{"en, passive", "Which number is in it?", note, "No number was mentioned.", "number"},
		{"de", "Welche Nummer steht in der Datei?", "Die Nummer ist 4711.", "Ich konnte keine Nummer finden.", "nummer"},
		{"ru", "Какой пароль в файле?", "пароль: 4711", "Я не нашёл его.", "пароль"},
		{"found", "What is the number in note.txt?", note, "The number is 4711.", ""},
		{"another word", "What is the address in note.txt?", note, "I could not find any address.", ""},
		{"only the file's name", "What is in number.txt about cats?", note, "It does not mention cats.", ""},
		{"many lines", "Is there a number for the plumber?", strings.Repeat("a number 1\n", 9), "There is no such thing.", ""},
		{"quoted", "What is the number?", note, "It says: The number is 4711. There is no other.", ""},
		{"not there either", "Count the words with wordcounter", "/bin/sh: 1: wordcounter: not found", "There is no program wordcounter.", ""},
		{"everyday words", "Please check which files are there", "files: 3", "I could not find any.", ""},
	} {
		turn := Turn{
			History: []llm.Message{{Role: llm.UserRole, Text: c.asked}, {Role: llm.ToolRole, CallID: "1", ToolName: "look", Text: c.result}},
		}
		turn.Progress.answered = []callRecord{{ok: true}}
		turn.Progress.answered[0].ref.ID = "1"
		if word, tool := turn.findOverlooked(c.answer); word != c.word || (tool == "look") != (c.word != "") {
			t.Errorf("%s: %q of %q, want %q", c.name, word, tool, c.word)
		}
		turn.Progress.answered[0].ok = false
		if word, _ := turn.findOverlooked(c.answer); word != "" {
			t.Errorf("%s: a failure holds %q", c.name, word)
		}
	}
}
