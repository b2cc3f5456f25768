package tour

import (
	"context"
	"embed"
	"slices"
	"strings"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/phrases"
)

//go:embed words
var files embed.FS

// words are what the tour says in a language, such as "de".
type words struct {
	phrases.Words

	lang string
}

func wordsIn(lang string) words { return words{phrases.In(files, lang), lang} }

// mark begins all that the script says.
func (w words) mark() string { return w.Text("mark") }

// step is one turn of the tour.
type step struct {
	name     string // of its words
	attached []event.Attachment
	asks     bool // hob asks before it makes the call, on every machine
	call     llm.Call
}

// steps are the turns, in their order.
func (w words) steps() []step {
	return []step{
		{name: "write", call: llm.CallOf(1, "write_file", map[string]string{"path": "list.txt", "content": w.Text("write.content")})},
		{name: "read", call: llm.CallOf(2, "read_file", map[string]string{"path": "list.txt"})},
		{name: "run", call: llm.CallOf(3, "run_command", map[string]string{"command": "sort list.txt; ls /home 2>&1 | head -n 3"})},
		{
			name:     "note",
			attached: []event.Attachment{{Text: w.Text("note.letter"), Label: event.Label{Untrusted: true, Source: "letter.txt"}}},
			asks:     true,
			call:     llm.CallOf(4, "note_add", map[string]string{"text": w.Text("note.text")}),
		},
	}
}

// script is the model of the tour: in each turn it makes one call, and repeats what came of it.
func (w words) script() llm.Model {
	var all []llm.Step
	for _, s := range w.steps() {
		all = append(all, llm.Do(s.call), w.repeatResult)
	}
	return llm.NewScript(all...)
}

// resultLimit is how many characters of a result the script repeats.
const resultLimit = 300

// repeatResult is a step that says what the last tool returned, whatever that was.
func (w words) repeatResult(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	text := w.mark() + " " + w.Text("no.tool")
	for _, m := range slices.Backward(req.Messages) {
		if m.Role == llm.ToolRole {
			result := app.Translate(w.lang, m.ToolName, display.Truncate(strings.TrimSpace(m.Text), resultLimit))
			text = w.mark() + " " + w.Text("returned", m.ToolName) + "\n\n> " + strings.ReplaceAll(result, "\n", "  \n> ")
			break
		}
	}
	return llm.Say(text)(ctx, req, onDelta)
}
