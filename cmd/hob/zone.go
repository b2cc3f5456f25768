package main

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/markdown"
	"hob/internal/surface/http/api"
)

func zoneCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "zone [NAME | move]", Short: "show the time zone of the household, or set it",
	}, func(ctx context.Context, args []string) (result, error) {
		s, err := client.LoadBeside(ctx, a.Loader)
		if err != nil {
			return result{}, err
		}
		h, err := client.Reach(ctx, a.Loader, s, app.NewModel(s), "hob zone", a.modelWait())
		if err != nil {
			return result{}, err
		}
		reply, err := h.Command(ctx, api.CommandRequest{Name: "zone", Args: strings.Join(args, " "), Chat: "main"})
		if err = cmp.Or(err, h.Close()); err != nil {
			return result{}, err
		}
		return result{value: reply.Data, text: markdown.Plain(inShell(reply.Text)) + "\n", failure: moveFailure(reply.Data)}, nil
	})
}

// inShell rewrites what is to be typed at the prompt, and the tool that a model is to call, as commands of the shell.
func inShell(text string) string {
	return strings.NewReplacer("`/zone ", "`hob zone ", "`/reminder ", "`hob reminders ", " /memory ", " hob memory ", " reminders lists", " hob reminders lists").Replace(text)
}

// moveFailure returns the error of a move that left something where it was. The printed answer says why.
func moveFailure(data json.RawMessage) error {
	var moved []commands.OtherClock
	isMove := json.Unmarshal(data, &moved) == nil
	return failUnless(!isMove || !slices.ContainsFunc(moved, func(c commands.OtherClock) bool { return c.Error != "" }))
}
