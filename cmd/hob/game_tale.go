package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/tales"
)

func gameTaleCommand(a *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "tale", Short: "the tales that stories begin with: list them, and write your own",
		Long: "A tale is two kinds of files in the folder tales beside the configuration: NAME.txt says what there is, and NAME.en.txt (ru, zh) has the\n" +
			"words. A story that has begun no longer needs them.",
		Example: "  hob game tale list\n  hob game tale new mill --lang en\n  hob game tale check mill\n  hob game play mill",
		Args:    wants(0, 0, "say what to do: hob game tale list, new or check"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(listTalesCommand(a), newTaleCommand(a), checkTaleCommand(a))
	return cmd
}

// listedTale is what `hob game tale list --json` prints of a tale.
type listedTale struct {
	Tale     string   `json:"tale"`
	Own      bool     `json:"own"` // of the folder; else it comes with hob
	Title    string   `json:"title"`
	Langs    []string `json:"langs"`
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
}

func listTalesCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "list the tales", Args: cobra.NoArgs,
		RunE: does(func(context.Context, []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			own, stray := s.Tales().Own()
			list := []listedTale{}
			for _, t := range append(tales.All(), own...) {
				e := listedTale{Tale: t.ID, Own: t.Own(), Title: t.Title("en"), Langs: t.Langs(), Problems: []string{}}
				if t.Own() {
					e.Problems = toldTale(s, t.Problems())
				}
				e.OK = len(e.Problems) == 0
				list = append(list, e)
			}
			if asJSON {
				return a.printJSON(map[string]any{"folder": s.TalesDir(), "tales": list, "problems": toldTale(s, stray)})
			}
			return a.printTales(list, toldTale(s, stray))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// toldTale are problems of the owner's folder as a person reads them, with the paths of their files.
func toldTale(s *app.Environment, problems []tales.Problem) []string {
	return toldIn(s.TalesDir(), problems)
}

func toldIn(dir string, problems []tales.Problem) []string {
	all := []string{}
	for _, p := range problems {
		if p.File != "" {
			p.File = filepath.Join(dir, p.File)
		}
		all = append(all, p.String())
	}
	return all
}

// printTales prints tales, a line each, and what is wrong with those that cannot be begun.
func (a *program) printTales(list []listedTale, stray []string) error {
	var b strings.Builder
	for _, t := range list {
		if t.OK {
			fmt.Fprintf(&b, "%s  %s (%s)\n", t.Tale, commands.InLine(t.Title), strings.Join(t.Langs, ", "))
			continue
		}
		fmt.Fprintf(&b, "%s  cannot be begun: %s\n", t.Tale, commands.InLine(t.Problems[0]))
		if n := len(t.Problems); n > 1 {
			fmt.Fprintf(&b, "    and %d more: hob game tale check %s\n", n-1, t.Tale)
		}
	}
	for _, p := range stray {
		fmt.Fprintf(&b, "! %s\n", commands.InLine(p))
	}
	_, err := fmt.Fprint(a.stdout, a.plain(b.String()))
	return err
}

func newTaleCommand(a *program) *cobra.Command {
	var lang string
	cmd := &cobra.Command{
		Use: "new NAME", Short: "write a small tale for you to make your own of",
		Args: wants(1, 1, "say what it shall be called, such as hob game tale new mill"),
		RunE: does(func(_ context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			files, err := tales.Example(args[0], lang)
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			if err := writeTale(s.TalesDir(), files, io.WriteString); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s and %s beside it are there, with a small tale that can be played: hob game play %s\nWrite your own in its place, "+
				"then hob game tale check %s.\n", filepath.Join(s.TalesDir(), files[0].Name), files[1].Name, args[0], args[0])
			return err
		}),
	}
	cmd.Flags().StringVar(&lang, "lang", "en", "language of its words: en, ru or zh")
	return cmd
}

// writeTale writes the files of a tale, all or none of them, into a folder, which is made where it is missing. What is there already is
// left as it is.
func writeTale(dir string, files []tales.File, write func(io.Writer, string) (int, error)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return notWritten(dir, err)
	}
	for i, f := range files {
		path, made := filepath.Join(dir, f.Name), files[:i]
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = write(file, f.Text)
			err = errors.Join(err, file.Close())
			made = files[:i+1]
		}
		if err == nil {
			continue
		}
		for _, f := range made {
			err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name)))
		}
		if errors.Is(err, fs.ErrExist) {
			return exit.Errorf(exit.Usage, "%s is there already: choose another name, or edit what is in it", path)
		}
		return notWritten(path, err)
	}
	return nil
}

func checkTaleCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check NAME|FILE", Short: "say all that is wrong with a tale",
		Long: "check reads all files of a tale, those of each language, and says what is wrong as FILE:LINE: words that are missing, ids that there\n" +
			"are not, ways that lead nowhere, places that nobody gets to, an end that nobody can come to.",
		Args: wants(1, 1, "say which tale: its name, or one of its files"),
		RunE: does(func(_ context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			t, dir, err := tale(s, args[0])
			if err != nil {
				return err
			}
			return a.tellTale(t, toldIn(dir, t.Problems()), asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// tale is a tale that was named, or one of whose files was, and the folder where it is.
func tale(s *app.Environment, named string) (t tales.Tale, dir string, err error) {
	if base, isFile := strings.CutSuffix(filepath.Base(named), ".txt"); isFile {
		id, _, _ := strings.Cut(base, ".")
		dir = filepath.Dir(named)
		return tales.Open(os.DirFS(dir), id), dir, nil
	}
	t, ok := s.Tales().ByID(named)
	if !ok {
		return t, "", exit.Errorf(exit.Usage, "there is no tale %q in %s, and none comes with hob: hob game tale list lists them", display.Clean(named), s.TalesDir())
	}
	if t.Own() {
		dir = s.TalesDir()
	}
	return t, dir, nil
}

// tellTale says what is wrong with a tale. One that cannot be begun is a failure.
func (a *program) tellTale(t tales.Tale, problems []string, asJSON bool) error {
	ok := len(problems) == 0
	if asJSON {
		out := listedTale{Tale: t.ID, Own: t.Own(), Title: t.Title("en"), Langs: t.Langs(), OK: ok, Problems: problems}
		return closeAll(a.printJSON(out), unless(ok))
	}
	for _, p := range problems {
		fmt.Fprintln(a.stdout, commands.InLine(p))
	}
	if !ok {
		return exit.Errorf(exit.Failed, "the tale %s cannot be begun: mend what is said above", display.Clean(t.ID))
	}
	_, err := fmt.Fprintf(a.stdout, "%s can be begun in %s.\n", t.ID, strings.Join(t.Langs(), ", "))
	return err
}
