package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/cmdline"
)

func gameDoCommand(a *program) *cobra.Command {
	var words cmdline.Args
	cmd := &cobra.Command{
		Use: "do TOOL [key=value ... | JSON]", Short: "play one turn: use a tool of the game",
		Args: checkArgs(1, -1, "say which tool: hob game do look, or another of those that hob game tools lists"),
		PreRunE: asRunE(func(_ context.Context, args []string) (err error) {
			if words, err = cmdline.Read(game.Rules(), args); err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			return nil
		}),
	}
	name := campaignFlag(cmd)
	return a.withResult(cmd, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		off, err := s.CheckSwitch(ctx, args[0])
		if err != nil {
			return result{}, err
		}
		if off != nil {
			return result{value: callFailure{Error: off}, failure: exit.Errorf(exit.Denied, "%s", off.Sentence())}, nil
		}
		var p campaigns.PlayResult
		err = campaigns.Edit(ctx, s, *name, func(t campaigns.Campaign) (err error) {
			p, err = campaigns.Play(ctx, t, player, words.Call(t.World().Self().Session))
			return err
		})
		if err != nil || p.OK() {
			return result{value: p, text: playedText(p) + "\n"}, err
		}
		return result{value: p, failure: exit.Errorf(exit.Failed, "%s", display.Clean(p.Text))}, nil
	})
}

// playedText renders the result of a call: a map as it is, each choice with the command that takes
// it, otherwise the text.
func playedText(p campaigns.PlayResult) string {
	if drawn := strings.TrimRight(display.Clean(p.Map()), "\n"); drawn != "" {
		return drawn
	}
	var lines []string
	for _, c := range p.Choices() {
		lines = append(lines, display.Clean(c.Label), "    hob game do "+c.Call.Tool+" "+display.ShellWord(display.Clean(string(c.Call.Args)))+" -c "+p.Campaign)
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	text := cmp.Or(strings.TrimSpace(display.Clean(p.Text)), "Done.")
	if p.Created != "" && !strings.Contains(text, p.Created) {
		text += " (" + display.Clean(p.Created) + ")"
	}
	return text
}
