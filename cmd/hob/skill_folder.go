package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/skills/folder"
)

func newSkillCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "new NAME", Short: "make the folder of a skill for you to fill in",
		Args: wants(1, 1, "say what it shall be called, such as hob skill new tea-time"),
		RunE: does(func(_ context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			path, err := folder.New(s.OwnSkillsDir(), args[0])
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			_, err = fmt.Fprintf(a.stdout, "%s is there: say in its SKILL.md what it is for and how it is done, then hob skill check %s\n", path, args[0])
			return err
		}),
	}
}

// checkedSkill is what `hob skill check --json` prints.
type checkedSkill struct {
	Name     string   `json:"name"` // "" where it is left out
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	Closed   int      `json:"tokens_closed"` // estimated, in every prompt
	Open     int      `json:"tokens_open"`   // likewise, once it is open
	Hint     string   `json:"hint,omitempty"`
}

func checkSkillCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check DIR|NAME", Short: "say what is wrong with a SKILL.md, and what it costs",
		Args: wants(1, 1, "say which skill: its folder, or its name where that is one of yours"),
		RunE: does(func(ctx context.Context, args []string) error {
			s, err := a.Load()
			if err != nil {
				return err
			}
			dir, err := skillDir(s, args[0])
			if err != nil {
				return err
			}
			kit, err := s.StandaloneTools(ctx, app.JournalTools(nil))
			if err != nil {
				return err
			}
			defer kit.Skills.Close()
			return a.tellChecked(dir, folder.Check(dir, folder.Options{
				Trusted: func(name string) bool { return slices.Contains(s.Skills.Trust, name) },
				HasTool: func(name string) bool { _, bad := kit.ByName(name); return bad == nil }, Commands: s.Shell.Enabled,
			}), asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// skillDir is the folder of a skill that was given by its path, or by its name.
func skillDir(s *app.Environment, named string) (string, error) {
	roots := []string{s.OwnSkillsDir(), s.KeptSkillsDir()}
	if !strings.ContainsRune(named, filepath.Separator) {
		for _, root := range roots {
			if dir := filepath.Join(root, named); isFolder(dir) {
				return dir, nil
			}
		}
	}
	dir, err := filepath.Abs(strings.TrimSuffix(named, string(filepath.Separator)+"SKILL.md"))
	if err != nil || !isFolder(dir) {
		return "", exit.Errorf(exit.Usage, "there is no folder %s, and no skill of that name in %s", named, strings.Join(roots, " or "))
	}
	return dir, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// tellChecked prints a report. One of a skill that is left out is a failure.
func (a *program) tellChecked(dir string, r folder.Report, asJSON bool) error {
	out := checkedSkill{Name: r.Skill.Name, OK: r.OK, Problems: []string{}, Closed: r.Line.Tokens, Open: r.Body.Tokens, Hint: r.Hint}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, p.String())
	}
	if asJSON {
		return closeAll(a.printJSON(out), unless(r.OK))
	}
	for _, p := range out.Problems {
		fmt.Fprintln(a.stdout, display.Clean(p))
	}
	if !r.OK {
		return exit.Errorf(exit.Failed, "the skill in %s is left out: mend what is said above", dir)
	}
	fmt.Fprintf(a.stdout, "%s can be used: about %d tokens in every prompt, %d more once it is open.\n", out.Name, out.Closed, out.Open)
	if out.Hint != "" {
		fmt.Fprintln(a.stdout, display.Clean(out.Hint))
	}
	return nil
}

// unless is the exit status of something that is not as it should be and was told.
func unless(ok bool) error {
	if ok {
		return nil
	}
	return exit.Silently(exit.Failed)
}
