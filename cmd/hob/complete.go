package main

import (
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/game/tales"
	"hob/internal/llm/catalog"
	"hob/internal/store"
)

// completeTimeout limits how long a Tab in the shell waits for a server.
const completeTimeout = 2 * time.Second

// completeValues has the shell complete the values of commands and flags. What cannot be known is no candidate: a Tab reports
// no error and starts no server.
func (a *program) completeValues(root *cobra.Command) {
	arg := func(most int, names completeNames, paths ...[]string) {
		for _, path := range paths {
			if c, _, err := root.Find(path); err == nil && c != root {
				c.ValidArgsFunction = names.function(most)
			}
		}
	}
	arg(1, a.chatNames, []string{"log"}, []string{"stop"})
	arg(1, a.modelNames, []string{"model", "use"}, []string{"model", "try"}, []string{"model"})
	arg(1, knownModels, []string{"model", "pull"})
	arg(1, a.toolNames, []string{"tool"}, []string{"tool", "help"})
	arg(-1, a.toolNames, []string{"tool", "enable"}, []string{"tool", "disable"})
	arg(1, a.skillNames, []string{"skill", "show"}, []string{"skill", "open"}, []string{"skill", "close"}, []string{"skill", "check"})
	arg(1, a.storyNames, []string{"game", "play"}, []string{"game", "remove"}, []string{"game", "switch"})
	arg(1, a.changeIDs, []string{"undo"})
	arg(1, configKeys, []string{"config", "set"})
	arg(0, nil, []string{"status"}, []string{"doctor"}, []string{"chat"}, []string{"serve"}, []string{"setup"}, []string{"version"})

	flags := map[string]completeNames{
		"model": a.modelNames, "chat": a.chatNames, "campaign": a.storyNames,
		"tale": func(context.Context) []string { return taleNames() },
		"lang": fixed("en", "ru", "zh"), "as": fixed("owner", "admin", "user"), "service": fixed("user", "system", "none"),
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for name, names := range flags {
			if c.LocalNonPersistentFlags().Lookup(name) != nil || c.PersistentFlags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, names.function(-1)) // it fails only for a flag that there is not
			}
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
}

func fixed(names ...string) completeNames {
	return func(context.Context) []string { return names }
}

// quietly loads the configuration for a completion.
func (a *program) quietly(ctx context.Context, f func(context.Context, *app.Environment) ([]string, error)) []string {
	a.LooksOnly, a.Stderr = true, io.Discard
	ctx, cancel := context.WithTimeout(ctx, completeTimeout)
	defer cancel()
	s, err := a.Load()
	if err != nil {
		return nil
	}
	names, err := f(ctx, s)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(n string) bool { return display.OneLine(n) != n })
}

func (a *program) chatNames(ctx context.Context) []string {
	return a.quietly(ctx, func(ctx context.Context, s *app.Environment) (names []string, _ error) {
		chats, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]store.ChatInfo, error) { return db.Chats(ctx) })
		for _, c := range chats {
			names = append(names, string(c.Chat))
		}
		return names, err
	})
}

func (a *program) modelNames(ctx context.Context) []string {
	return a.quietly(ctx, func(ctx context.Context, s *app.Environment) (names []string, _ error) {
		models, err := s.OllamaClient.Models(ctx)
		for _, m := range models {
			names = append(names, m.Name)
		}
		return names, err
	})
}

func knownModels(context.Context) (names []string) {
	for _, m := range catalog.Read() {
		names = append(names, m.Name+"\t"+display.Bytes(m.Size)+", "+m.GoodFor)
	}
	return names
}

func (a *program) toolNames(ctx context.Context) []string {
	return a.quietly(ctx, func(ctx context.Context, s *app.Environment) (names []string, _ error) {
		set, err := s.StandaloneTools(ctx, app.JournalTools(nil))
		if err != nil {
			return nil, err
		}
		defer set.Skills.Close()
		for _, t := range set.ListedTools() {
			names = append(names, t.Name())
		}
		return names, nil
	})
}

func (a *program) skillNames(ctx context.Context) []string {
	return a.quietly(ctx, func(ctx context.Context, s *app.Environment) (names []string, _ error) {
		set, err := s.StandaloneTools(ctx, app.JournalTools(nil))
		if err != nil {
			return nil, err
		}
		defer set.Skills.Close()
		for _, skill := range set.Skills.Toolset(ctx).Skills {
			names = append(names, skill.Name)
		}
		return names, nil
	})
}

func taleNames() (names []string) {
	for _, t := range tales.All() {
		names = append(names, t.ID)
	}
	return append(names, "map")
}

// storyNames are the stories that are played, and the tales that one can begin with.
func (a *program) storyNames(ctx context.Context) []string {
	names := a.quietly(ctx, func(ctx context.Context, s *app.Environment) (names []string, _ error) {
		list, err := campaigns.List(ctx, s)
		for _, c := range list {
			names = append(names, c.Campaign)
		}
		return names, err
	})
	for _, t := range tales.All() {
		if !slices.Contains(names, t.ID) {
			names = append(names, t.ID)
		}
	}
	return names
}

func (a *program) changeIDs(ctx context.Context) []string {
	return a.quietly(ctx, func(ctx context.Context, s *app.Environment) (names []string, _ error) {
		changes, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Change, error) { return db.Changes(store.Limits{}).Since(ctx, 0) })
		for _, c := range changes[:min(len(changes), 20)] {
			names = append(names, strconv.FormatInt(c.ID, 10))
		}
		return names, err
	})
}

func configKeys(context.Context) []string { return config.Keys() }
