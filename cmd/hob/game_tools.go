package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/cmdline"
	"hob/internal/game/rules"
	"hob/internal/lists"
)

func gameToolsCommand(a *program) *cobra.Command {
	return a.withResult(&cobra.Command{
		Use: "tools [NAME]", Short: "list the tools of the game, or explain one",
		Args: checkArgs(0, 1, "name one tool: hob game tools move_player"),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		book := game.Rules()
		state, err := s.ToolStates(ctx)
		if err != nil {
			return result{}, err
		}
		if len(args) == 0 {
			list := lists.Map(cmdline.List(book), func(t cmdline.Tool) gameTool { return gameTool{t, state(t.Name)} })
			return result{value: list, text: toolsText(list)}, nil
		}
		tool, err := cmdline.Find(book, args[0])
		if err != nil {
			return result{}, exit.Errorf(exit.Usage, "%v", err)
		}
		return result{value: gameTool{cmdline.Describe(tool), state(tool.Name)}, text: toolText(tool, state(tool.Name))}, nil
	})
}

// gameTool is a tool of the game with its state.
type gameTool struct {
	cmdline.Tool
	State string `json:"state"`
}

// toolsText returns a line for each tool: its name, its state and the first sentence of its
// description.
func toolsText(list []gameTool) string {
	rows := newTable()
	for _, t := range list {
		first, _, more := strings.Cut(t.Doc, ". ")
		if more {
			first += "."
		}
		rows.add(t.Name, t.State, first)
	}
	return rows.text("")
}

func toolText(t *rules.Tool, state string) string {
	text := cmdline.Usage(t) + "\n" + t.Doc + "\nIt is " + state + ".\n"
	if t.Class == rules.Reading {
		text += "It changes nothing.\n"
	}
	rows := newTable()
	for i := range t.Params {
		rows.add(t.Params[i].Name, cmdline.Kind(&t.Params[i]), t.Params[i].Doc)
	}
	if len(t.Params) > 0 {
		text += "\n" + rows.text("")
	}
	return text
}
