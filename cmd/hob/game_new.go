package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/tales"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
)

func gameNewCommand(a *program) *cobra.Command {
	var start game.Start
	var seed, tale string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "new [NAME]", Short: "begin a campaign", Args: wants(0, 1, "give it one name: hob game new mill"),
		Long: "new makes a world: places with a locked door whose key can be found, a hero, and a clock. The hash of the dice's seed is shown\n" +
			"now, and the seed at the end by hob game fair: so that anybody can see that nobody chose what fell.",
		Example: "  hob game new mill --theme Mill\n  hob game new --lang ru --hero Анна --size 12\n  hob game new inn --tale mystery",
		RunE: does(func(ctx context.Context, args []string) error {
			id := "tale"
			if len(args) > 0 {
				id = args[0]
			}
			return a.newTale(ctx, id, tale, start, seed, asJSON)
		}),
	}
	cmd.Flags().StringVar(&tale, "tale", "", "begin this tale instead of a map: cosy, mystery, dungeon, or one of your own")
	cmd.Flags().StringVar(&start.Title, "title", "", "what it is called (its name)")
	cmd.Flags().StringVar(&start.Lang, "lang", "", "language of its texts: en, ru or zh (en, or the first that a tale of your own has)")
	cmd.Flags().StringVar(&start.Theme, "theme", "", "what its first places are, such as Mill (its title)")
	cmd.Flags().IntVar(&start.Size, "size", 8, "how many places, 1 to 30")
	cmd.Flags().StringVar(&start.Hero, "hero", "", "the name of the first character")
	cmd.Flags().StringVar(&seed, "seed", "", "a word for the dice and the map: the same word, the same story (a new one each time)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

func orUsual(s, usual string) string {
	if strings.TrimSpace(s) == "" {
		return usual
	}
	return s
}

func (a *program) newTale(ctx context.Context, id, tale string, start game.Start, seed string, asJSON bool) error {
	if err := campaigns.CheckName(id); err != nil {
		return err
	}
	begin, own, err := a.beginner(tale, &start)
	if err != nil {
		return err
	}
	if !slices.Contains(rules.Langs(), start.Lang) {
		return exit.Errorf(exit.Usage, "there are no texts in %q: use --lang en, ru or zh", start.Lang)
	}
	if start.Size < 1 || start.Size > 30 {
		return exit.Errorf(exit.Usage, "--size %d: a map has 1 to 30 places", start.Size)
	}
	if start.Theme == "" {
		start.Theme = orUsual(start.Title, id)
	}
	start.Title = orUsual(start.Title, id)
	start.Session = id
	if seed != "" {
		start.Seed = game.SeedOf(seed)
	} else if _, err := io.ReadFull(rand.Reader, start.Seed[:]); err != nil {
		return err
	}
	var t *saga.Saga
	err = a.addTale(ctx, gamemaster.Campaign{ID: id, Strange: own}, func(log saga.Log, opt saga.Options) (string, error) {
		w, counts, err := begin(ctx, opt.Book, start)
		if err != nil {
			return "", err
		}
		start.Title = w.Self().Title
		t, err = saga.Create(ctx, log, saga.Beginning{ID: id, Seed: start.Seed, World: w, Counts: counts}, opt)
		return start.Title, err
	})
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(map[string]any{"campaign": id, "title": start.Title, "commitment": t.Commitment(), "state_hash": t.StateHash()})
	}
	hero := t.World().Actor(t.World().Self().Active)
	place := t.World().Place(hero.Place)
	fmt.Fprintf(a.stdout, "%s has begun: %s is at %s.\n", display.Clean(start.Title), display.Clean(hero.Name), display.Clean(place.Name))
	_, err = fmt.Fprintf(a.stdout, "The dice are sealed: %s\nhob game play %s plays it; hob game do look looks around.\n", t.Commitment(), id)
	return err
}

// beginner is what makes the world of a new campaign: that of a tale, or a map for "". It says in which language, where nobody has, and
// whether the tale is one of the owner's folder.
func (a *program) beginner(tale string, start *game.Start) (
	begin func(context.Context, *rules.Book, game.Start) (*world.World, rules.Counts, error), own bool, err error,
) {
	if tale == "" {
		start.Lang = cmp.Or(start.Lang, "en")
		return game.Begin, false, nil
	}
	s, err := a.Load()
	if err != nil {
		return nil, false, err
	}
	t, ok := s.Tales().ByID(tale)
	if !ok {
		return nil, false, exit.Errorf(exit.Usage, "there is no tale %q: hob game tale list lists those that there are", display.Clean(tale))
	}
	if langs := t.Langs(); start.Lang == "" && len(langs) > 0 {
		start.Lang = langs[0]
	}
	title := start.Title
	return func(_ context.Context, book *rules.Book, s game.Start) (*world.World, rules.Counts, error) {
		return t.Begin(book, tales.Start{Session: s.Session, Lang: s.Lang, Hero: s.Hero, Title: title})
	}, t.Own(), nil
}
