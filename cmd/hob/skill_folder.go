package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/skills/folder"
)

func newSkillCommand(a *program) *cobra.Command {
	return a.withText(&cobra.Command{
		Use: "new NAME", Short: "make the folder of a skill for you to fill in",
		Args: checkArgs(1, 1, "say what it shall be called, such as hob skill new tea-time"),
	}, func(ctx context.Context, s *app.Environment, args []string) (string, error) {
		path, err := folder.New(s.OwnSkillsDir(), args[0], s.KeepSkill(app.WithOwnersCause(ctx, "skill")))
		if err != nil {
			return "", exit.Errorf(exit.Usage, "%v", err)
		}
		if _, check, err := s.CheckSkill(ctx, args[0]); err == nil && !check.OK { // the name belongs to one of hob's own skills
			return fmt.Sprintf("%s is there, and is left out: %s\n", path, display.Clean(strings.Join(check.Problems, "; "))), nil
		}
		return fmt.Sprintf("%s is there: say in its SKILL.md what it is for and how it is done, then hob skill check %s\n", path, args[0]), nil
	})
}

// checkSkillCommand prints the problems of a skill. A skill that cannot be loaded is a failure.
func checkSkillCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{
		Use: "check DIR|NAME", Short: "say what is wrong with a SKILL.md, and what it costs",
		Args: checkArgs(1, 1, "say which skill: its folder, or its name where that is one of yours"),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		dir, check, err := s.CheckSkill(ctx, args[0])
		if err != nil {
			return result{}, err
		}
		got := result{value: check}
		for _, p := range check.Problems {
			got.text += display.Clean(p) + "\n"
		}
		if !check.OK {
			got.failure = exit.Errorf(exit.Failed, "the skill in %s is left out: mend what is said above", dir)
			return got, nil
		}
		got.text += fmt.Sprintf("%s can be used: about %d tokens in every prompt, %d more once it is open.\n", check.Name, check.ClosedTokens, check.OpenTokens)
		if check.Hint != "" {
			got.text += display.Clean(check.Hint) + "\n"
		}
		return got, nil
	})
}
