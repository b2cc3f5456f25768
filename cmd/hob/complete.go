package main

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/game/tales"
	"hob/internal/lists"
	"hob/internal/llm/catalog"
	"hob/internal/llm/ollama"
	"hob/internal/skills"
	"hob/internal/store"
	"hob/internal/tools"
)

// completeTimeout limits how long a Tab in the shell waits for the model's server.
const completeTimeout = 2 * time.Second

// completeValues registers completions for the values of arguments and flags. A value that cannot
// be loaded is left out: a Tab prints no error and starts no server.
func (a *program) completeValues(root *cobra.Command) {
	chats := quietly(a, func(ctx context.Context, s *app.Environment) ([]store.ChatInfo, error) {
		return app.ReadJournal(ctx, s, func(db *store.DB) ([]store.ChatInfo, error) { return db.Chats(ctx) })
	}, func(c store.ChatInfo) string { return string(c.Chat) })
	models := quietly(a, func(ctx context.Context, s *app.Environment) ([]ollama.Installed, error) {
		return s.OllamaClient.Models(ctx)
	},
		func(m ollama.Installed) string { return m.Name })
	tool := quietly(a, func(ctx context.Context, s *app.Environment) ([]tools.Tool, error) {
		set, err := s.StandaloneTools(ctx, app.JournalTools(nil))
		if err != nil {
			return nil, err
		}
		defer set.Skills.Close()
		return set.ListedTools(), nil
	}, tools.Tool.Name)
	skill := quietly(a, func(ctx context.Context, s *app.Environment) ([]skills.Skill, error) {
		set, err := s.StandaloneTools(ctx, app.JournalTools(nil))
		if err != nil {
			return nil, err
		}
		defer set.Skills.Close()
		return set.Skills.Toolset(ctx).Skills, nil
	}, func(s skills.Skill) string { return s.Name })
	stories := quietly(a, func(ctx context.Context, s *app.Environment) ([]campaigns.ListEntry, error) {
		return campaigns.List(ctx, s)
	},
		func(c campaigns.ListEntry) string { return c.Campaign })
	changes := quietly(a, func(ctx context.Context, s *app.Environment) ([]event.Change, error) {
		all, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Change, error) { return db.Changes(store.Limits{}).Since(ctx, 0) })
		return all[:min(len(all), 20)], err
	}, func(c event.Change) string { return strconv.FormatInt(c.ID, 10) })
	taleNames := lists.Map(tales.All(), func(t tales.Tale) string { return t.ID })
	playable := func(ctx context.Context) []string { // campaigns, and tales that a new one can begin with
		played := stories(ctx)
		return append(played, slices.DeleteFunc(slices.Clone(taleNames), func(id string) bool { return slices.Contains(played, id) })...)
	}
	known := lists.Map(catalog.Read(), func(m catalog.Model) string { return m.Name + "\t" + display.Bytes(m.Size) + ", " + m.GoodFor })

	arg := func(most int, names completeNames, paths ...string) {
		for _, path := range paths {
			if c, _, err := root.Find(strings.Fields(path)); err == nil && c != root {
				c.ValidArgsFunction = names.function(most)
			}
		}
	}
	arg(1, chats, "log", "stop")
	arg(1, models, "model use", "model try", "model")
	arg(1, fixed(known...), "model pull")
	arg(1, tool, "tool", "tool help")
	arg(-1, tool, "tool enable", "tool disable")
	arg(1, skill, "skill show", "skill open", "skill close", "skill check")
	arg(1, playable, "game play", "game remove", "game switch")
	arg(1, changes, "undo")
	arg(1, fixed(config.Keys()...), "config set")
	arg(0, fixed(), "status", "doctor", "chat", "serve", "setup", "version")

	flags := map[string]completeNames{
		"model": models, "chat": chats, "campaign": playable, "tale": fixed(append(taleNames, "map")...),
		"lang": fixed("en", "ru", "zh"), "as": fixed("owner", "admin", "user"), "service": fixed("user", "system", "none"),
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for name, names := range flags {
			if c.LocalNonPersistentFlags().Lookup(name) != nil || c.PersistentFlags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, names.function(-1)) // fails only for an unknown flag
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

// quietly completes with the names of what load returns, and with nothing if load fails.
func quietly[T any](a *program, load func(context.Context, *app.Environment) ([]T, error), name func(T) string) completeNames {
	return func(ctx context.Context) []string {
		a.LooksOnly, a.Stderr = true, io.Discard
		ctx, cancel := context.WithTimeout(ctx, completeTimeout)
		defer cancel()
		s, err := a.Load()
		if err != nil {
			return nil
		}
		all, err := load(ctx, s)
		if err != nil {
			return nil
		}
		return slices.DeleteFunc(lists.Map(all, name), func(n string) bool { return display.OneLine(n) != n })
	}
}
