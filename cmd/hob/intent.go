package main

import (
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"hob/internal/exit"
	"hob/internal/intents"
	"hob/internal/jsonl"
	"hob/internal/surface/cli"
)

func intentCommand(a *program) *cobra.Command {
	var asLines bool
	cmd := &cobra.Command{
		Use: "intent --jsonl", Short: "say which chores are understood without a model", Args: cobra.NoArgs,
		Long: "intent reads JSON Lines from standard input: {\"text\":\"add milk to the shopping list\"}, and optionally lang: en, de, ru\n" +
			"or zh. For each it prints one line: the kind of chore, \"\" where the words are none for certain, the calls of tools, and\n" +
			"what is asked where one thing is missing. It runs nothing.",
		Example: `  echo '{"text":"add milk to the shopping list"}' | hob intent --jsonl`,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			if !asLines {
				return exit.Errorf(exit.Usage, "intent reads JSON Lines: hob intent --jsonl <sentences.jsonl")
			}
			sentences := intents.Default()
			return jsonl.Answer(ctx, a.stdin, a.stdout, func(out io.Writer, n int, line []byte) error {
				var in struct {
					Text string `json:"text"`
					Lang string `json:"lang"`
				}
				if err := json.Unmarshal(line, &in); err != nil {
					return exit.Errorf(exit.Usage, "line %d: %v", n, err)
				}
				return cli.WriteJSON(out, sentences.ReadIn(in.Lang, in.Text))
			})
		}),
	}
	cmd.Flags().BoolVar(&asLines, "jsonl", false, "read and print JSON Lines")
	return cmd
}
