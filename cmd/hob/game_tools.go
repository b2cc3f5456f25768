package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/cmdline"
	"hob/internal/game/rules"
)

func gameToolsCommand(a *program) *cobra.Command {
	return a.answers(&cobra.Command{
		Use: "tools [NAME]", Short: "list the tools of the game, or explain one",
		Args:    wants(0, 1, "name one tool: hob game tools move_player"),
		Example: "  hob game tools\n  hob game tools move_player",
	}, func(ctx context.Context, args []string) (answer, error) {
		book, err := game.Rules()
		if err != nil {
			return answer{}, err
		}
		s, err := a.Load()
		if err != nil {
			return answer{}, err
		}
		state, err := s.ToolStates(ctx)
		if err != nil {
			return answer{}, err
		}
		if len(args) == 0 {
			list := []gameTool{}
			for _, t := range cmdline.List(book) {
				list = append(list, gameTool{t, state(t.Name)})
			}
			return answer{value: list, text: toolsText(list)}, nil
		}
		tool, err := cmdline.Find(book, args[0])
		if err != nil {
			return answer{}, exit.Errorf(exit.Usage, "%v", err)
		}
		return answer{value: gameTool{cmdline.Describe(tool), state(tool.Name)}, text: toolText(tool, state(tool.Name))}, nil
	})
}

// gameTool is a tool of the game and its state.
type gameTool struct {
	cmdline.Tool
	State string `json:"state"`
}

// toolsText returns a line for each tool, with its state and the first sentence about it.
func toolsText(list []gameTool) string {
	var lines []string
	for _, t := range list {
		first, _, more := strings.Cut(t.Doc, ". ")
		if more {
			first += "."
		}
		lines = append(lines, t.Name+"\t"+t.State+"\t"+first)
	}
	return columns(lines)
}

func toolText(t *rules.Tool, state string) string {
	text := cmdline.Usage(t) + "\n" + t.Doc + "\nIt is " + state + ".\n"
	if t.Class == rules.Reading {
		text += "It changes nothing.\n"
	}
	var lines []string
	for i := range t.Params {
		lines = append(lines, t.Params[i].Name+"\t"+cmdline.Kind(&t.Params[i])+"\t"+t.Params[i].Doc)
	}
	if len(lines) > 0 {
		text += "\n" + columns(lines)
	}
	return text
}
