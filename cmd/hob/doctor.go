package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/doctor"
	"hob/internal/egress"
	"hob/internal/phrases"
	"hob/internal/surface/cli"
)

func doctorCommand(a *program) *cobra.Command {
	all := false
	cmd := a.withOwnResult(&cobra.Command{
		Use: "doctor", Short: "check everything for real, and say what is enforced and what is not", Args: cobra.NoArgs,
	}, func(ctx context.Context, _ []string) (result, error) {
		canary, err := egress.RestartWithCanary(ctx) // first, before this process opens anything
		if err == nil {
			defer canary.Close()
		}
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		d := doctor.Diagnose(ctx, a.Loader, canary, err)
		return result{value: d, text: a.diagnosisText(wordsIn(""), d, all), failure: failUnless(d.OK)}, nil
	})
	cmd.Flags().BoolVarP(&all, "verbose", "v", false, "show what is in order, too")
	return cmd
}

// diagnosisText renders a diagnosis for a person: the problems, worst first, or with all every
// check.
func (a *program) diagnosisText(w phrases.Words, d doctor.Diagnosis, all bool) string {
	var b strings.Builder
	width, count, do := 0, map[doctor.State]int{}, w.Text("do")
	for _, g := range d.Groups {
		for _, c := range g.Checks {
			if all || c.State != doctor.OK {
				name := c.Name
				if !all {
					name = g.Name + ": " + name
				}
				width = max(width, cli.Width(name))
			}
			count[c.State]++
		}
	}
	line := func(c doctor.Check) {
		gap := strings.Repeat(" ", width-cli.Width(c.Name))
		fmt.Fprintf(&b, "  %s %s%s  %s\n", a.mark(c.State), c.Name, gap, a.column(9+width, display.Clean(c.Found)))
		if c.Do != "" {
			indent := 9 + width
			if a.isNarrow(indent + cli.Width(do)) {
				indent = narrowIndent
			}
			fmt.Fprintf(&b, "%s%s%s\n", strings.Repeat(" ", indent), do, a.column(indent+cli.Width(do), display.Clean(c.Do)))
		}
	}
	if all {
		for _, g := range d.Groups {
			fmt.Fprintf(&b, "%s\n", g.Name)
			for _, c := range g.Checks {
				line(c)
			}
			fmt.Fprintln(&b)
		}
	} else {
		for _, state := range []doctor.State{doctor.Broken, doctor.Weak} {
			for _, g := range d.Groups {
				for _, c := range g.Checks {
					if c.State == state {
						c.Name = g.Name + ": " + c.Name
						line(c)
					}
				}
			}
		}
	}
	b.WriteString(w.Text("counts", strconv.Itoa(count[doctor.OK]), strconv.Itoa(count[doctor.Weak]), strconv.Itoa(count[doctor.Broken])))
	if !all {
		b.WriteString("; hob doctor -v shows all")
	}
	return b.String() + "\n"
}

// narrowIndent is the indent of a text that does not fit into its column.
const narrowIndent = 6

// isNarrow reports whether a column that starts at this offset is too narrow for text.
func (a *program) isNarrow(at int) bool {
	columns, _ := a.terminal().Size()
	return cli.IsTerminal(a.stdout) && columns-at < 20
}

// column wraps text that starts at this column of the terminal.
func (a *program) column(at int, text string) string {
	if !cli.IsTerminal(a.stdout) {
		return text
	}
	columns, _ := a.terminal().Size()
	if at > narrowIndent+len("do: ") && a.isNarrow(at) { // put it on the next line, indented a little
		indent := "\n" + strings.Repeat(" ", narrowIndent)
		return indent + strings.ReplaceAll(cli.Wrap(text, columns-narrowIndent), "\n", indent)
	}
	return strings.ReplaceAll(cli.Wrap(text, columns-at), "\n", "\n"+strings.Repeat(" ", at))
}

// mark renders a state in four columns, in colour if the terminal has colours.
func (a *program) mark(s doctor.State) string {
	word, colour := "ok  ", "32"
	switch s {
	case doctor.Weak:
		word, colour = "WEAK", "33"
	case doctor.Broken:
		word, colour = "FAIL", "31"
	}
	if !a.terminal().Color() {
		return word
	}
	return "\x1b[" + colour + "m" + word + "\x1b[0m"
}
