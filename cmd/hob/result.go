package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
)

// result is what a command prints: value with --json, otherwise text. If failure is set, the
// command then fails; with --json that shows only in the exit status.
type result struct {
	value   any
	text    string
	failure error
}

// withResult makes cmd print the result of run, and adds --json.
func (a *program) withResult(cmd *cobra.Command, run func(ctx context.Context, s *app.Environment, args []string) (result, error)) *cobra.Command {
	return a.withOwnResult(cmd, func(ctx context.Context, args []string) (result, error) {
		s, err := a.Load()
		if err != nil {
			return result{}, err
		}
		return run(ctx, s, args)
	})
}

// withOwnResult is withResult for a command that loads the configuration in its own way.
func (a *program) withOwnResult(cmd *cobra.Command, run func(ctx context.Context, args []string) (result, error)) *cobra.Command {
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value")
	cmd.RunE = asRunE(func(ctx context.Context, args []string) error {
		got, err := run(ctx, args)
		if err != nil {
			return err
		}
		return a.printResult(got)
	})
	return cmd
}

// withText makes cmd print the text of run, even if run fails.
func (a *program) withText(cmd *cobra.Command, run func(ctx context.Context, s *app.Environment, args []string) (string, error)) *cobra.Command {
	cmd.RunE = a.withConfig(func(ctx context.Context, s *app.Environment, args []string) error {
		text, err := run(ctx, s, args)
		_, failure := io.WriteString(a.out, text)
		return cmp.Or(err, failure)
	})
	return cmd
}

// printResult prints a result and returns the error that the command ends with.
func (a *program) printResult(r result) error {
	if !a.json {
		_, err := io.WriteString(a.out, r.text)
		return cmp.Or(err, r.failure)
	}
	err := a.printJSON(r.value)
	if err == nil && r.failure != nil {
		return exit.Silently(exit.Failed)
	}
	return err
}

// failUnless returns a silent failure unless ok: the printed result already says what is wrong.
func failUnless(ok bool) error {
	if ok {
		return nil
	}
	return exit.Silently(exit.Failed)
}

// table holds rows of cells, printed as columns below a heading.
type table struct {
	head []string
	rows []string
	zone *time.Location // for the times in cells
}

func newTable(head ...string) *table { return &table{head: head} }

// in sets the time zone of the table. A table with times needs one.
func (t *table) in(zone *time.Location) *table {
	t.zone = zone
	return t
}

// add adds a row. A time is printed to the minute.
func (t *table) add(cells ...any) {
	words := make([]string, 0, len(cells))
	for _, c := range cells {
		if at, ok := c.(time.Time); ok {
			c = formatTime(at, t.zone)
		}
		words = append(words, display.Clean(fmt.Sprint(c)))
	}
	t.rows = append(t.rows, strings.Join(words, "\t"))
}

// text renders the table, or returns none if it has no rows.
func (t *table) text(none string) string {
	if len(t.rows) == 0 {
		return none
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if len(t.head) > 0 {
		fmt.Fprintln(w, strings.Join(t.head, "\t"))
	}
	for _, row := range t.rows {
		fmt.Fprintln(w, row)
	}
	_ = w.Flush() // writing to memory cannot fail
	return b.String()
}

// formatTime formats a time in a zone, to the minute.
func formatTime(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2006-01-02 15:04")
}
