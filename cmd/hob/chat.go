package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/client/prompt"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/model"
	"hob/internal/phrases"
	"hob/internal/session"
)

func chatCommand(a *program) *cobra.Command {
	var chat string
	var o prompt.Options
	cmd := &cobra.Command{
		Use: "chat", Short: "open the prompt", Args: cobra.NoArgs,
		RunE: a.besideServer(func(ctx context.Context, s *app.Environment, _ []string) error {
			o.Chat = event.Chat(chat)
			if err := session.CheckName(o.Chat); err != nil {
				return exit.Errorf(exit.Usage, "%v", err)
			}
			return a.chat(ctx, s, app.NewModel(s), o, "")
		}),
	}
	cmd.Flags().StringVar(&chat, "chat", "main", "conversation")
	cmd.Flags().BoolVar(&o.Fresh, "new", false, "begin a new conversation: the model forgets the old one, the journal does not")
	a.waitFlag(cmd)
	return cmd
}

// chat opens the prompt. source is the folder to build Ollama from, or "".
func (a *program) chat(ctx context.Context, s *app.Environment, e *model.Model, o prompt.Options, source string) error {
	collectAt(usualCollection)
	s.AtPrompt = true
	h, err := client.Reach(ctx, a.Loader, s, e, "hob chat", a.modelWait())
	if err != nil {
		return err
	}
	words := wordsIn(a.terminal().Language())
	if app.IsRoot() && s.FirstTime(ctx, "root") {
		fmt.Fprintln(a.Stderr, a.terminal().Wrap(app.RootWarning))
	}
	if h.Here != nil {
		o.Notes = append(o.Notes, noModel(ctx, s, e, words, a.terminal().IsInteractive())...)
		o.Unanswered = func(ctx context.Context) (prompt.Offer, error) { return a.offerModel(ctx, s, e, source) }
	}
	if a.terminal().IsInteractive() {
		told, shows := s.ToldReminders(ctx, o.Chat)
		o.Notes, o.Shows = append(o.Notes, told...), shows
	}
	if a.terminal().IsInteractive() && s.FirstTime(ctx, "tour") {
		o.Notes = append(o.Notes, words.Text("greet.tour"))
	}
	o.Tour = a.tour
	return cmp.Or(prompt.Run(ctx, a.terminal(), s, h, o), h.Close())
}

// noModelTimeout limits how long the prompt waits to learn whether there is a model.
const noModelTimeout = 2 * time.Second

// noModel returns a note that no model answers, with the commands that work without one. Input from
// a pipe may be a stranger's text, so there only slash commands are offered. It returns nil if a
// model answers, or if that is not known in time.
func noModel(ctx context.Context, s *app.Environment, e *model.Model, words phrases.Words, typed bool) []string {
	within, cancel := context.WithTimeout(ctx, noModelTimeout)
	defer cancel()
	_, err := e.Ready(within)
	if err == nil || within.Err() != nil {
		return nil
	}
	works := words.Text("greet.chores")
	if !typed {
		works = words.Text("greet.commands")
	}
	get := "`hob model pull " + e.WantedName() + "`"
	switch {
	case model.IsMissing(err):
		return []string{words.Text("greet.none", works, get)}
	case errors.Is(err, llm.Unreachable) && s.LocalOllama != nil && s.Ollama.Model == "":
		return []string{words.Text("greet.ollama", works, get)}
	}
	return []string{words.Text("greet.away", works, err.Error())}
}
