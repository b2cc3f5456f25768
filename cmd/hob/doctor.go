package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/egress"
	"hob/internal/exit"
)

// state is how a check came out.
type state string

const (
	fine   state = "ok"   // as it should be
	weak   state = "weak" // hob works, and something is not enforced or not as good as it could be
	broken state = "fail" // hob does not work, or does not keep a promise
)

// check is one thing that was tried out.
type check struct {
	Name  string `json:"name"`
	State state  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do"` // what a person can do about it; "" where there is nothing
}

// checkGroup is the checks of one subject.
type checkGroup struct {
	Name   string  `json:"name"`
	Checks []check `json:"checks"`
}

// diagnosis is what `hob doctor --json` prints.
type diagnosis struct {
	OK     bool         `json:"ok"` // nothing failed; something may be weak
	Groups []checkGroup `json:"groups"`
}

func doctorCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "check everything for real, and say what is enforced and what is not", Args: cobra.NoArgs,
		Long: "Tries out what hob needs and what it promises: it attacks its own sandbox, reaches for files outside of a\n" +
			"workspace and for addresses that are closed, in places made for the purpose. Nothing of yours is touched.\n\n" +
			"A line is \"ok\", \"WEAK\" (hob works, and this is not enforced) or \"FAIL\", with what to do about it. The exit\n" +
			"status is 1 if something failed.",
		Example: "  hob doctor\n  hob doctor --json",
		RunE: does(func(ctx context.Context, _ []string) error {
			canary, err := egress.Baited(ctx) // before anything is open
			if err == nil {
				defer canary.Close()
			}
			ctx, stop := untilInterrupted(ctx)
			defer stop()
			d := a.diagnose(ctx, func(ctx context.Context, s *app.Environment) []check {
				if err != nil {
					return []check{bad("web", "", "nothing could be tried: %v", err)}
				}
				return checkEgress(ctx, s, canary)
			})
			if asJSON {
				if err := a.printJSON(d); err != nil {
					return err
				}
			} else {
				d.print(a)
			}
			if !d.OK {
				return exit.Silently(exit.Failed)
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// diagnose makes all checks, the subjects side by side. checkWays is [checkEgress] with its canary.
func (a *program) diagnose(ctx context.Context, checkWays func(context.Context, *app.Environment) []check) diagnosis {
	s, found := a.checkSetting()
	d := diagnosis{OK: true, Groups: []checkGroup{{"hob", found}}}
	if s != nil {
		subjects := []struct {
			name string
			look func(context.Context, *app.Environment) []check
		}{{"model", checkModel}, {"serve", checkServe}, {"sandbox", checkSandbox}, {"files", checkFiles}, {"skills", a.checkSkills}, {"egress", checkWays}}
		groups := make([]checkGroup, len(subjects))
		var all sync.WaitGroup
		for i, one := range subjects {
			all.Go(func() { groups[i] = checkGroup{one.name, one.look(ctx, s)} })
		}
		all.Wait()
		d.Groups = append(d.Groups, groups...)
	}
	for _, g := range d.Groups {
		for _, c := range g.Checks {
			d.OK = d.OK && c.State != broken
		}
	}
	return d
}

// print says it to a person.
func (d diagnosis) print(a *program) {
	width, count := 0, map[state]int{}
	for _, g := range d.Groups {
		for _, c := range g.Checks {
			width = max(width, utf8.RuneCountInString(c.Name))
			count[c.State]++
		}
	}
	for _, g := range d.Groups {
		fmt.Fprintf(a.stdout, "%s\n", g.Name)
		for _, c := range g.Checks {
			gap := strings.Repeat(" ", width-utf8.RuneCountInString(c.Name))
			fmt.Fprintf(a.stdout, "  %s %s%s  %s\n", a.mark(c.State), c.Name, gap, display.Clean(c.Found))
			if c.Do != "" {
				fmt.Fprintf(a.stdout, "  %s do: %s\n", strings.Repeat(" ", 4+1+width), display.Clean(c.Do))
			}
		}
		fmt.Fprintln(a.stdout)
	}
	fmt.Fprintf(a.stdout, "%d ok, %d weak, %d failed\n", count[fine], count[weak], count[broken])
}

// mark is a state in four columns, in colour where there are colours.
func (a *program) mark(s state) string {
	word, colour := "ok  ", "32"
	switch s {
	case weak:
		word, colour = "WEAK", "33"
	case broken:
		word, colour = "FAIL", "31"
	}
	if !a.color() {
		return word
	}
	return "\x1b[" + colour + "m" + word + "\x1b[0m"
}

// good, poor and bad make checks.
func good(name, format string, args ...any) check {
	return check{Name: name, State: fine, Found: fmt.Sprintf(format, args...)}
}

func poor(name, do, format string, args ...any) check {
	return check{Name: name, State: weak, Do: do, Found: fmt.Sprintf(format, args...)}
}

func bad(name, do, format string, args ...any) check {
	return check{Name: name, State: broken, Do: do, Found: fmt.Sprintf(format, args...)}
}
