package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/llm/chattemplate"
	"hob/internal/model"
)

// showModel returns the known facts about one model.
func showModel(ctx context.Context, s *app.Environment, name string) (result, error) {
	facts, err := app.NewModel(s).Describe(ctx, name)
	if err != nil {
		return result{}, err
	}
	return result{value: facts, text: modelText(facts)}, nil
}

// modelText renders the facts about a model for a person.
func modelText(m model.Description) string {
	var b strings.Builder
	about := slices.DeleteFunc([]string{m.Family, m.Parameters, m.Quantization}, func(s string) bool { return s == "" })
	if m.TrainedContext > 0 {
		about = append(about, "context up to "+display.Count(m.TrainedContext, "token"))
	}
	for _, can := range []struct {
		does bool
		what string
	}{{m.Tools, "calls tools"}, {m.Thinking, "thinks"}, {m.Vision, "sees pictures"}} {
		if can.does {
			about = append(about, can.what)
		}
	}
	fmt.Fprintf(&b, "%s: %s\n\n", display.OneLine(m.Name), display.OneLine(strings.Join(about, ", ")))

	b.WriteString("Its template prints\n")
	switch t := m.Template; {
	case t != nil:
		b.WriteString(templateTable(*t))
	case m.Renderer != "":
		fmt.Fprintf(&b, "  what Ollama's own code for %s prints\n", display.OneLine(m.Renderer))
	default:
		b.WriteString("  what hob cannot tell: the server shows none, or none in the language of Ollama's templates\n")
	}

	fmt.Fprintf(&b, "\nhob asks it by the profile %s\n", display.OneLine(m.Profile))
	for _, line := range askingLines(m) {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// templateTable has a line for each thing that a template prints or leaves out.
func templateTable(t chattemplate.Facts) string {
	rows := newTable()
	for _, fact := range templateFacts(t) {
		what, when, _ := strings.Cut(fact, ": ")
		rows.add("  "+what, when)
	}
	return rows.text("")
}

// templateFacts are what a template prints, each as "what: when".
func templateFacts(t chattemplate.Facts) []string {
	calls, results := "never", "never"
	switch {
	case t.Calls && t.WordsHideCalls:
		calls = "where the message has no words"
	case t.Calls:
		calls = "always"
	}
	if t.Results {
		results = "always"
	}
	thoughts := map[llm.Keep]string{llm.KeepAll: "of all turns", llm.KeepChain: "of the turn that is played", llm.KeepNone: "never"}
	return []string{
		"tools: " + presenceText(t.Tools), "system text: " + presenceText(t.System), "calls: " + calls, "results: " + results,
		"thoughts: " + thoughts[t.Thinking],
	}
}

func presenceText(p chattemplate.Presence) string {
	switch p {
	case chattemplate.Always:
		return "always"
	case chattemplate.Moves:
		return "always, in another place after each message of the user"
	case chattemplate.LastUser:
		return "only while the last message is the user's: not after a result"
	}
	return "never"
}

// askingLines says how hob asks a model, and how that follows from its template.
func askingLines(m model.Description) []string {
	var lines []string
	switch m.Mode {
	case llm.PromptMode:
		lines = append(lines, "tools stand in the system text, calls are read from its words (mode prompt)")
	case llm.SchemaMode:
		lines = append(lines, "tools stand in the system text, the server enforces the form of calls (mode schema)")
	default:
		lines = append(lines, "tools go with the request, the server reads the calls (mode native)")
	}
	if m.MaxTools > 0 {
		lines = append(lines, "at most "+display.Count(m.MaxTools, "tool"))
	}
	if m.Think != "" {
		lines = append(lines, "thinking "+string(m.Think))
	}
	sampling := lists.Map(m.Sampling, func(s model.Sampled) string { return fmt.Sprintf("%s %g", s.Name, s.Value) })
	lines = append(lines, strings.Join(sampling, ", "))
	if m.EndsWithUser {
		lines = append(lines, "a short message of the user closes each request, or the tools would be gone: "+
			"the server reads them anew each time")
	}
	if m.SystemInUser {
		lines = append(lines, "the system text stands at the head of the first message, where it stays")
	}
	if m.CallsAlone {
		lines = append(lines, "words that it wrote beside a call are left out, or the call would be")
	}
	return lines
}
