package main

import (
	"context"
	"fmt"

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
			dir, check, err := s.CheckSkill(ctx, args[0])
			if err != nil {
				return err
			}
			return a.printSkillCheck(dir, check, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// printSkillCheck prints what was found. A skill that is left out is a failure.
func (a *program) printSkillCheck(dir string, out app.SkillCheck, asJSON bool) error {
	if asJSON {
		return closeAll(a.printJSON(out), unless(out.OK))
	}
	for _, p := range out.Problems {
		fmt.Fprintln(a.stdout, display.Clean(p))
	}
	if !out.OK {
		return exit.Errorf(exit.Failed, "the skill in %s is left out: mend what is said above", dir)
	}
	fmt.Fprintf(a.stdout, "%s can be used: about %d tokens in every prompt, %d more once it is open.\n", out.Name, out.ClosedTokens, out.OpenTokens)
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
