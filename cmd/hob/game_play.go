package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/client"
	"hob/internal/client/prompt"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/session"
)

// playOptions says how a story is played in a terminal.
type playOptions struct {
	chat    string // "": the story's own chat
	noModel bool
	story   campaigns.Opening
}

func gamePlayCommand(a *program) *cobra.Command {
	var p playOptions
	cmd := &cobra.Command{
		Use: "play [NAME]", Short: "play a story in this terminal", Args: checkArgs(0, 1, "say which: hob game play cosy"),
		RunE: a.besideServer(func(ctx context.Context, s *app.Environment, args []string) error {
			if len(args) > 0 {
				p.story.Name = args[0]
			}
			return a.playStory(ctx, s, p)
		}),
	}
	cmd.Flags().StringVar(&p.chat, "chat", "", "conversation (one of the story's own)")
	cmd.Flags().StringVar(&p.story.Tale, "tale", "", "begin this tale: cosy, mystery, dungeon, one of your own, or map (the one of that name)")
	cmd.Flags().StringVar(&p.story.Lang, "lang", "", "language of a story that begins: en, ru or zh (en, or the first that a tale of your own has)")
	cmd.Flags().StringVar(&p.story.Hero, "hero", "", "your name in a story that begins")
	cmd.Flags().BoolVar(&p.noModel, "no-model", false, "without a model from now on: plain commands and choices only (/teller on has one again)")
	return cmd
}

// playStory opens a story in a chat and reads the player's messages.
func (a *program) playStory(ctx context.Context, s *app.Environment, p playOptions) error {
	line, name, err := campaigns.Open(ctx, s, s.Tales(), p.story)
	if err != nil {
		return err
	}
	p.chat = cmp.Or(p.chat, "game/"+name)
	if err := session.CheckName(event.Chat(p.chat)); err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	lines := []string{line}
	if p.noModel {
		lines = append(lines, "/teller off")
	}
	collectAt(usualCollection)
	s.AtPrompt = true
	h, err := client.Reach(ctx, a.Loader, s, app.NewModel(s), "hob game play", a.modelWait())
	if err != nil {
		return err
	}
	o := prompt.Options{Chat: event.Chat(p.chat), Opening: lines, Story: true}
	return cmp.Or(prompt.Run(ctx, a.terminal(), s, h, o), h.Close())
}
