package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/model"
)

func suggestCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{
		Use: "suggest", Short: "say which models fit this machine, and how fast they would be", Args: cobra.NoArgs,
	}, func(ctx context.Context, s *app.Environment, _ []string) (result, error) {
		suggested, err := app.NewModel(s).Suggest(ctx)
		return result{value: suggested, text: suggestionText(suggested)}, err
	})
}

// suggestionText renders a suggestion for a person.
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

// machineText describes in a few lines the part of the machine that models can use.
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

// size formats a measured number of bytes.
func size(bytes uint64) string { return display.Bytes(int64(bytes)) }

// rate formats a number of tokens a second, as precisely as it matters.
func rate(tokens float64) string {
	if tokens < 9.95 {
		return fmt.Sprintf("%.1f", tokens)
	}
	return fmt.Sprintf("%.0f", tokens)
}
