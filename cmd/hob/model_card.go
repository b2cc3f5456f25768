package main

import (
	"cmp"
	"fmt"
	"strings"

	"hob/internal/display"
	"hob/internal/eval"
	"hob/internal/llm"
	"hob/internal/model"
)

// digestShown is how many characters of a digest a card shows, as `ollama list` does.
const digestShown = 12

// cardMarkdown renders the results for a model as a card to share. It holds nothing personal: no
// address, no path, no text of a replayed turn.
func cardMarkdown(r eval.TryReport) string {
	var b strings.Builder
	cell := strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`) // escape inline Markdown
	fmt.Fprintf(&b, "### %s\n\n%s\n\n| | |\n|---|---|\n", cell.Replace(display.OneLine(r.Model)), cell.Replace(r.Verdict))
	for _, row := range cardFacts(r) {
		if row[1] != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", row[0], cell.Replace(row[1]))
		}
	}
	b.WriteString("\n| check | passed | requests | calls | what went wrong, or was measured |\n|---|---|---|---|---|\n")
	for _, c := range r.Checks {
		passed, counts := "no", " | "
		switch {
		case c.Skipped:
			passed = "skipped"
		case c.Runs > 0:
			passed, counts = fmt.Sprintf("%d of %d", c.Passed, c.Runs), fmt.Sprintf("%d | %d", c.Requests, c.Calls)
		case c.Pass:
			passed = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.Name, passed, counts, cell.Replace(display.OneLine(c.Note)))
	}
	return b.String()
}

// cardFacts are the rows of a card about the model and the measurement. An empty value is unknown.
func cardFacts(r eval.TryReport) [][2]string {
	f := r.Facts
	context, speed, called := "", "", "in no way that hob knows"
	if r.Context > 0 {
		context = display.Count(r.Context, "token")
		if f.TrainedContext > 0 {
			context = fmt.Sprintf("%d of %s", r.Context, display.Count(f.TrainedContext, "token"))
		}
	}
	if r.EvalPerSecond > 0 {
		speed = fmt.Sprintf("reads %.0f and writes %.1f tokens a second", r.PromptPerSecond, r.EvalPerSecond)
	}
	switch r.Mode {
	case llm.NativeMode:
		called = "natively"
	case llm.PromptMode:
		called = "with tools told in the prompt"
	case llm.SchemaMode:
		called = "bound by a schema"
	}
	size := ""
	if f.Size > 0 {
		size = display.Bytes(f.Size)
	}
	return [][2]string{
		{"model", joinKnown(f.Family, f.Parameters, f.Quantization, size)},
		{"digest", f.Digest[:min(len(f.Digest), digestShown)]},
		{"context", context},
		{"its template prints", templateLine(f)},
		{"calls tools", called},
		{"speed", speed},
		{"measured by", joinKnown("hob "+cmp.Or(r.Hob, "unknown"), known("Ollama ", r.Ollama), display.Count(r.Runs, "run")+" of each check",
			display.Count(r.Requests, "request"), display.Count(r.Calls, "call"))},
	}
}

// templateLine summarizes in one line what the model's template prints.
func templateLine(f model.Description) string {
	switch t := f.Template; {
	case t != nil:
		return strings.Join(templateFacts(*t), "; ")
	case f.Renderer != "":
		return "what Ollama's own code for " + f.Renderer + " prints"
	}
	return "what hob cannot tell"
}

// known returns text behind a label, or "" if text is empty.
func known(what, text string) string {
	if text == "" {
		return ""
	}
	return what + text
}

// joinKnown joins the texts that are not empty.
func joinKnown(all ...string) string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, display.OneLine(s))
		}
	}
	return strings.Join(some, ", ")
}
