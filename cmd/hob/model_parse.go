package main

import (
	"context"

	"github.com/spf13/cobra"

	"hob/internal/eval"
	"hob/internal/exit"
	"hob/internal/llm/profile"
)

func parseCommand(a *program) *cobra.Command {
	var asLines bool
	cmd := &cobra.Command{
		Use: "parse --jsonl", Short: "read what a model wrote, and say which calls that comes to", Args: cobra.NoArgs,
		Long: "parse reads JSON Lines from standard input: {\"raw\":\"what the model wrote\",\"tools\":[Ollama tool definitions]}, and\n" +
			"optionally user, thinking, tool_calls, done_reason, error, profile, and looks, the names of the tools that only look\n" +
			"(all others act). For each it prints one line: the class of the reply, the calls with all that was mended, the text\n" +
			"that a person would see, and what is wrong. It runs nothing.",
		Example: `  echo '{"raw":"{\"name\":\"add\",\"arguments\":{\"a\":\"1\"}}","tools":[{"type":"function","function":{"name":"add",` +
			`"parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}}]}' | hob model parse --jsonl`,
		RunE: asRunE(func(ctx context.Context, _ []string) error {
			if !asLines {
				return exit.Errorf(exit.Usage, "parse reads JSON Lines: hob model parse --jsonl <replies.jsonl")
			}
			book, err := profile.Seeds()
			if err != nil {
				return err
			}
			return eval.ParseLines(ctx, a.stdin, a.stdout, book)
		}),
	}
	cmd.Flags().BoolVar(&asLines, "jsonl", false, "read and print JSON Lines")
	return cmd
}
