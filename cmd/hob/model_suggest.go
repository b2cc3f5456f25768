package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/llm/catalog"
	"hob/internal/model"
	"hob/internal/surface/cli"
)

// In the help of commands modelHere stands for the name of the model that hob proposes for this machine,
// and namesHere for the table of models. They are filled in when the help is shown: a command that starts
// reads neither.
const (
	modelHere = "MODEL"
	namesHere = "{models}"
)

func suggestCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{
		Use: "suggest", Short: "say which models fit this machine, and how fast they would be", Args: cobra.NoArgs,
		Long: "suggest looks at the free memory of this machine and of its graphics cards, measures for a third of a\n" +
			"second how fast the memory is, and says of each model that hob knows whether it fits and how many\n" +
			"tokens a second it would write at most.",
		Example: "  hob model suggest\n  hob model suggest --json",
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		suggested, err := app.NewModel(s).Suggest(ctx)
		return result{value: suggested, text: suggestionText(suggested)}, err
	})
}

// suggestionText returns a suggestion for a person.
func suggestionText(s model.Suggestion) string {
	var b strings.Builder
	b.WriteString(machineText(s.Machine))
	t := newTable("  MODEL", "DOWNLOAD", "NEEDS", "FITS", "TOKENS/S", "GOOD FOR", "LICENCE", "RELEASED")
	estimated := false
	for _, m := range s.Models {
		mark, speed, name := " ", "", m.Name
		if m.Proposed {
			mark = "*"
		}
		if m.Installed {
			name += " (is here)"
		}
		switch {
		case m.Measured:
			speed = rate(m.TokensPerSecond)
		case m.TokensPerSecond > 0:
			speed, estimated = "~"+rate(m.TokensPerSecond), true
		}
		t.add(mark+" "+name, display.Bytes(m.Size), size(m.Needs), fitText(m), speed, m.GoodFor, m.Licence, m.Released)
	}
	b.WriteString("\n" + t.text("") + "\n")
	fmt.Fprintf(&b, "* is what hob proposes for this machine: hob model pull %s\n", s.Proposed)
	if estimated {
		b.WriteString("~ is an estimate, and at most that: the speed of the memory over the size of the model.\n" +
			"When the model has answered, hob has measured it.\n")
	}
	return b.String()
}

// machineText says in lines what models can use of the machine.
func machineText(m model.MachineReport) string {
	if m.Other != "" {
		return fmt.Sprintf("Ollama runs at %s: hob knows neither memory nor disk of that machine, and proposes for this one.\n",
			display.Clean(m.Other))
	}
	var lines []string
	if m.Memory.Total > 0 {
		lines = append(lines, fmt.Sprintf("This machine: %s for models, %s free (%s)", size(m.Memory.Total), size(m.Memory.Free), m.Source))
	}
	for _, c := range m.Cards {
		lines = append(lines, fmt.Sprintf("%s: %s, %s free", display.OneLine(c.Name), size(c.Total), size(c.Free)))
	}
	if m.Bandwidth != nil {
		lines = append(lines, fmt.Sprintf("Memory is read at %s/s by %s",
			size(uint64(m.Bandwidth.BytesPerSecond)), display.Count(m.Bandwidth.Cores, "core")))
	}
	if m.Disk != nil {
		lines = append(lines, fmt.Sprintf("Disk for models: %s free (%s)", size(m.Disk.Free), display.Quote(m.Disk.Path)))
	}
	if m.Note != "" {
		lines = append(lines, "Note: "+m.Note)
	}
	return strings.Join(lines, "\n") + "\n"
}

func fitText(m model.SuggestedModel) string {
	switch m.Fit {
	case model.FitsLater:
		return "with " + size(m.Lacks) + " more free"
	case model.FitsPartly:
		return "partly on the card, slow"
	case model.FitUnknown:
		return "?"
	}
	return string(m.Fit)
}

// size is a measured number of bytes.
func size(bytes uint64) string { return display.Bytes(int64(bytes)) }

// rate is a number of tokens a second, as exactly as it matters.
func rate(tokens float64) string {
	if tokens < 9.95 {
		return fmt.Sprintf("%.1f", tokens)
	}
	return fmt.Sprintf("%.0f", tokens)
}

// fillHelp fills into the help of a command the model that hob proposes for this machine, and wraps it at words.
func (a *program) fillHelp(root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if strings.Contains(cmd.Example, modelHere) {
			name := model.ProposedHere(cmd.Context()).Name
			more := strings.Repeat(" ", max(len(name)-len(modelHere), 0)) // taken from the blanks before a comment
			cmd.Example = strings.ReplaceAll(strings.ReplaceAll(cmd.Example, modelHere+more+" ", name+" "), modelHere, name)
		}
		cmd.Long = strings.ReplaceAll(cmd.Long, namesHere, modelNames())
		if cli.IsTerminal(a.stdout) {
			cmd.Long = joinLines(cmd.Long)
		}
		var text strings.Builder
		out := cmd.OutOrStdout()
		cmd.SetOut(&text)
		show(cmd, args)
		cmd.SetOut(out)
		fmt.Fprint(out, a.terminal().Wrap(text.String()))
	})
}

// joinLines joins the lines of each paragraph, so that they can be wrapped anew. What is set in, such as a table, keeps its lines.
func joinLines(text string) string {
	lines := strings.Split(text, "\n")
	joined := lines[:1]
	for _, line := range lines[1:] {
		last := &joined[len(joined)-1]
		if *last == "" || line == "" || strings.HasPrefix(*last, " ") || strings.HasPrefix(line, " ") {
			joined = append(joined, line)
		} else {
			*last += " " + line
		}
	}
	return strings.Join(joined, "\n")
}

// modelNames lists the models that hob knows.
func modelNames() string {
	t := newTable()
	for _, m := range catalog.Read() {
		t.add("  "+m.Name, display.Bytes(m.Size), "from "+display.Limit(int64(m.Memory))+" of memory", m.GoodFor)
	}
	return strings.TrimRight(t.text(""), "\n")
}
