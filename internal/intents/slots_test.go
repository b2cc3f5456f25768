package intents_test

import (
	"encoding/json"
	"testing"

	"hob/internal/intents"
)

// The full stop of a date stays, and so does that of what is written into a file behind a colon. The end of a sentence is none of it.
func TestRead_OwnStop(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"häng an notes.md an: Zahnarzt am 9.12.": "Zahnarzt am 9.12.\n", "add to notes.md: dentist 9.12.": "dentist 9.12.\n", "допиши в notes.md: врач 9.12.": "врач 9.12.\n",
		"append to notes.md: Call Bob.": "Call Bob.\n", "append Call Bob to notes.md.": "Call Bob\n", "notiere: Zahnarzt am 9.12.": "Zahnarzt am 9.12.", "note: the door is open.": "the door is open",
		"note: the code is 4711.": "the code is 4711",
	} {
		var args struct{ Content, Text string }
		r := intents.Default().Read(text)
		if err := json.Unmarshal(r.Call.Args, &args); err != nil || args.Content+args.Text != want {
			t.Errorf("%q is read as %s, want %q", text, r.Call.Args, want)
		}
	}
}

// An ordinal is the number of a note, of a process or of a change, where an order has it.
func TestRead_Ordinal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"сотри пятую заметку": `note_remove {"note":"5"}`, "третью заметку удали": `note_remove {"note":"3"}`, "останови второй процесс": `process {"id":2,"stop":true}`,
		"что вывел третий фоновый процесс?": `process {"id":3}`, "откати шестое изменение": `undo {"change":6}`,
		"сотри последнюю заметку": " ", "пятую заметку я стёр": " ", "не удаляй третью заметку": " ",
	} {
		if r := intents.Default().Read(text); r.Call.Name+" "+string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
}
