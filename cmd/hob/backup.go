package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/backup"
	"hob/internal/client"
	"hob/internal/display"
	"hob/internal/exit"
)

func backupCommand(a *program) *cobra.Command {
	var without, secrets, yes bool
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "write all that hob keeps into one file, also while it runs",
		Args: checkArgs(1, 1, "say which file to write: hob backup FILE"),
		RunE: a.withConfig(func(ctx context.Context, s *app.Environment, args []string) error {
			toOutput := args[0] == "-"
			if toOutput && a.json {
				return exit.Errorf(exit.Usage, "--json and the backup cannot both go to standard output: name a file")
			}
			o := backup.Options{WithoutWorkspace: without, Secrets: secrets, Version: a.Version, Now: time.Now}
			if !yes {
				o.Confirm = a.confirmBackup
			}
			return a.backup(ctx, s, args[0], toOutput, o)
		}),
	}
	cmd.Flags().BoolVar(&without, "no-workspace", false, "leave the workspace out")
	cmd.Flags().BoolVar(&secrets, "with-secrets", false, "put the files with tokens and keys into it, too")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask, however much it is")
	cmd.Flags().BoolVar(&a.json, "json", false, "print one JSON value")
	return cmd
}

// confirmBackup asks before it writes a large backup.
func (a *program) confirmBackup(ctx context.Context, bytes int64) error {
	t := a.terminal()
	w := wordsIn(t.Language())
	yes, err := t.Confirm(ctx, w.Text("backup.ask", display.Bytes(bytes)))
	if err == nil && !yes {
		err = exit.Errorf(exit.Denied, "%s", w.Text("backup.none", display.Bytes(bytes)))
	}
	return err
}

func (a *program) backup(ctx context.Context, s *app.Environment, path string, toOutput bool, o backup.Options) error {
	ctx, stop := client.UntilInterrupted(ctx)
	defer stop()
	out, summary := io.Writer(nil), a.stdout
	if toOutput {
		out, summary = a.stdout, a.Stderr
	}
	report, err := backup.Write(ctx, s, path, out, o)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(report)
	}
	for _, l := range report.LeftOut {
		fmt.Fprintf(a.Stderr, "hob: left out: %s (%s)\n", display.OneLine(l.Path), display.OneLine(l.Why))
	}
	for _, name := range report.Torn {
		fmt.Fprintf(a.Stderr, "hob: %s was being written to whenever it was read: the copy may be half old, half new\n", display.OneLine(name))
	}
	for _, name := range report.Newer {
		fmt.Fprintf(a.Stderr, "hob: %s was changed meanwhile: the copy is newer than the journal\n", display.OneLine(name))
	}
	for _, w := range report.Journal.Warnings() {
		fmt.Fprintf(a.Stderr, "hob: %s\n", display.OneLine(w))
	}
	_, err = fmt.Fprintln(summary, report.Summary())
	return err
}

func restoreCommand(a *program) *cobra.Command {
	o := backup.RestoreOptions{Now: time.Now}
	cmd := a.withOwnResult(&cobra.Command{
		Use: "restore FILE", Short: "put a backup back, here or on another machine",
		Args: checkArgs(1, 1, "say which backup to restore: hob restore FILE"),
	}, func(ctx context.Context, args []string) (result, error) {
		ctx, stop := client.UntilInterrupted(ctx)
		defer stop()
		done, err := backup.Restore(ctx, a.Loader, args[0], o)
		if err != nil {
			return result{}, err
		}
		return result{value: done, text: restoredText(done, a.zone())}, nil
	})
	cmd.Flags().BoolVar(&o.Force, "force", false, "put the backup in the place of what is there, which is kept beside it")
	return cmd
}

// restoredText describes for a person what was restored.
func restoredText(done backup.RestoreReport, zone *time.Location) string {
	var b strings.Builder
	if done.Finished {
		b.WriteString("The restore that was cut short is finished.\n")
	}
	fmt.Fprintf(&b, "Restored: %s; %s, as of %s.\n", done.Journal.Summary(), display.Count(done.Files, "file"), done.Time.In(zone).Format(time.DateTime))
	fmt.Fprintf(&b, "state      %s\nworkspace  %s\nconfig     %s\n", done.State, done.Workspace, done.Config)
	for _, old := range done.Aside {
		fmt.Fprintf(&b, "kept       %s, which was %s\n", old.Now, old.Was)
	}
	for _, w := range done.Journal.Warnings() {
		fmt.Fprintf(&b, "damaged    %s\n", display.OneLine(w))
	}
	for _, m := range done.Missing {
		fmt.Fprintf(&b, "missing    %s\n", display.OneLine(m))
	}
	return b.String() + "hob doctor checks the rest.\n"
}
