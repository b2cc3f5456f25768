package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/cmdline"
)

func gameDoCommand(a *program) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "do TOOL [key=value ... | JSON]", Short: "play one turn: use a tool of the game",
		Args: wants(1, -1, "say which tool: hob game do look, or another of those that hob game tools lists"),
		Long: "do uses one tool as a turn of a campaign, and prints what came of it (a tool that only looks is no turn). What follows the tool's name are its arguments: key=value,\n" +
			"where a value is text unless the tool wants something else, or one JSON object, which is taken strictly. Who acts is the active\n" +
			"actor, unless actor_id says otherwise. The exit status is 1 if the game refused.",
		Example: "  hob game do look\n  hob game do choices\n  hob game do move_player player_id=pc_001 target_location_id=area_002\n" +
			"  hob game do roll_dice expr=4d6kh3\n" + `  hob game do create_character '{"name":"Mara","stats":{"wits":2}}'`,
		RunE: does(func(ctx context.Context, args []string) error {
			book, err := game.Rules()
			if err != nil {
				return err
			}
			tool, err := cmdline.Find(book, args[0])
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			words, err := cmdline.Read(tool, args[1:])
			if err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			return a.edit(ctx, name, func(t campaigns.Campaign) error {
				p, err := campaigns.Play(ctx, t, book, player, words.Call(t.World().Self().Session))
				if err != nil {
					return err
				}
				return a.printPlayed(p, asJSON)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// printPlayed prints what came of a call. One that the game refused is a failure.
func (a *program) printPlayed(p campaigns.Played, asJSON bool) error {
	if asJSON {
		return closeAll(a.printJSON(p), unless(p.OK()))
	}
	text := display.Clean(p.Text)
	if !p.OK() {
		return exit.Errorf(exit.Failed, "%s", text)
	}
	if text = strings.TrimSpace(text); text == "" {
		text = "Done."
	}
	if p.Created != "" && !strings.Contains(text, p.Created) {
		text += " (" + display.Clean(p.Created) + ")"
	}
	if drawn := strings.TrimRight(display.Clean(p.Map()), "\n"); drawn != "" {
		text = drawn
	}
	var lines []string
	for _, c := range p.Choices() {
		lines = append(lines, display.Clean(c.Label), "    hob game do "+c.Call.Tool+" "+asWord(string(c.Call.Args))+" -c "+p.Campaign)
	}
	if len(lines) > 0 {
		text = strings.Join(lines, "\n")
	}
	_, err := fmt.Fprintln(a.stdout, text)
	return err
}

// asWord returns text as one word of a shell's command line.
func asWord(text string) string {
	return "'" + strings.ReplaceAll(display.Clean(text), "'", `'\''`) + "'"
}
