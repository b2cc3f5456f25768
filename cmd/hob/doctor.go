package main

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/doctor"
	"hob/internal/egress"
)

func doctorCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "doctor", Short: "check everything for real, and say what is enforced and what is not", Args: cobra.NoArgs,
		Long: "Tries out what hob needs and what it promises: it attacks its own sandbox, reaches for files outside of a\n" +
			"workspace and for addresses that are closed, in places made for the purpose. Nothing of yours is touched.\n\n" +
			"A line is \"ok\", \"WEAK\" (hob works, and this is not enforced) or \"FAIL\", with what to do about it. The exit\n" +
			"status is 1 if something failed.",
		Example: "  hob doctor\n  hob doctor --json",
	}, func(ctx context.Context, _ []string) (result, error) {
		canary, err := egress.RestartWithCanary(ctx) // before anything is open
		if err == nil {
			defer canary.Close()
		}
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		d := doctor.Diagnose(ctx, a.Loader, canary, err)
		return result{value: d, text: a.diagnosisText(d), failure: failUnless(d.OK)}, nil
	})
}

// diagnosisText returns a diagnosis for a person.
func (a *program) diagnosisText(d doctor.Diagnosis) string {
	var b strings.Builder
	width, count := 0, map[doctor.State]int{}
	for _, g := range d.Groups {
		for _, c := range g.Checks {
			width = max(width, utf8.RuneCountInString(c.Name))
			count[c.State]++
		}
	}
	for _, g := range d.Groups {
		fmt.Fprintf(&b, "%s\n", g.Name)
		for _, c := range g.Checks {
			gap := strings.Repeat(" ", width-utf8.RuneCountInString(c.Name))
			fmt.Fprintf(&b, "  %s %s%s  %s\n", a.mark(c.State), c.Name, gap, display.Clean(c.Found))
			if c.Do != "" {
				fmt.Fprintf(&b, "  %s do: %s\n", strings.Repeat(" ", 4+1+width), display.Clean(c.Do))
			}
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "%d ok, %d weak, %d failed\n", count[doctor.OK], count[doctor.Weak], count[doctor.Broken])
	return b.String()
}

// mark is a state in four columns, in colour where there are colours.
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
