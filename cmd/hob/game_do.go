package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/cmdline"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
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
			return a.withTale(ctx, name, func(t campaigns.Campaign) error {
				return a.playTale(ctx, t, book, words.Call(t.World().Self().Session), asJSON)
			})
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// playTale plays one call as a turn. One that only looks is none: whoever looks around after an undo can still redo.
func (a *program) playTale(ctx context.Context, t campaigns.Campaign, book *rules.Book, call rules.Call, asJSON bool) error {
	r := saga.Request{User: "terminal", Calls: []rules.Call{call}}
	var p saga.Played
	var err error
	if book.Tool(call.Tool).Class == rules.Reading {
		var seen *saga.Pending
		if seen, err = t.Preview(ctx, r); err == nil {
			p = seen.Played
			p.Turn = 0
		}
	} else {
		p, err = t.Play(ctx, r)
	}
	if err != nil {
		return err
	}
	o := p.Outcomes[0]
	text := book.Text(t.World().Self().Lang, o.Say)
	if asJSON {
		err := a.printJSON(playedTurn{
			Campaign: t.ID, Turn: p.Turn, Tool: o.Call.Tool, Args: orEmpty(o.Call.Args), Status: string(o.Status), Reason: o.Reason(),
			Detail: o.Detail(), Code: o.ErrorCode(), Text: text, Result: orEmpty(o.Result), Created: o.Created, State: p.State,
		})
		if err != nil || o.OK() {
			return err
		}
		return exit.Errorf(exit.Failed, "") // the value says why
	}
	if !o.OK() {
		return exit.Errorf(exit.Failed, "%s", display.Clean(text))
	}
	if text = strings.TrimSpace(display.Clean(text)); text == "" {
		text = "Done."
	}
	if o.Created != "" && !strings.Contains(text, o.Created) {
		text += " (" + display.Clean(o.Created) + ")"
	}
	if shown := shownIn(o, t.ID); shown != "" {
		text = shown
	}
	_, err = fmt.Fprintln(a.stdout, text)
	return err
}

// shownIn returns what a person wants to see of a result instead of its text: each choice with the command that takes it, a map itself.
// It is "" for all others.
func shownIn(o rules.Outcome, campaign string) string {
	var result struct {
		Text    string `json:"text"`
		Choices []struct {
			Label string `json:"label"`
			Call  struct {
				Tool string          `json:"tool"`
				Args json.RawMessage `json:"args"`
			} `json:"call"`
		} `json:"choices"`
	}
	if json.Unmarshal(o.Result, &result) != nil {
		return ""
	}
	switch o.Call.Tool {
	case "map_render":
		return strings.TrimRight(display.Clean(result.Text), "\n")
	case "choices":
		lines := make([]string, 0, len(result.Choices))
		for _, c := range result.Choices {
			lines = append(lines, display.Clean(c.Label)+"\n    hob game do "+c.Call.Tool+" "+asWord(string(orEmpty(c.Call.Args)))+" -c "+campaign)
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// asWord returns text as one word of a shell's command line.
func asWord(text string) string {
	return "'" + strings.ReplaceAll(display.Clean(text), "'", `'\''`) + "'"
}

// playedTurn is what `hob game do --json` prints.
type playedTurn struct {
	Campaign string          `json:"campaign"`
	Turn     int64           `json:"turn"` // 0 for none: it only looked, or the campaign has ended
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args"`
	Status   string          `json:"status"`
	Reason   string          `json:"reason"`
	Detail   string          `json:"detail"`
	Code     string          `json:"error_code"`
	Text     string          `json:"text"`
	Result   json.RawMessage `json:"result"`
	Created  string          `json:"created_id"`
	State    string          `json:"state_hash"`
}

// orEmpty returns an object, or one without members.
func orEmpty(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage("{}")
	}
	return raw
}
