package main

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/game/dice"
)

func gameNewCommand(a *program) *cobra.Command {
	b := campaigns.Beginning{Name: "tale", Random: rand.Reader}
	cmd := a.withResult(&cobra.Command{
		Use: "new [NAME]", Short: "begin a campaign", Args: checkArgs(0, 1, "give it one name: hob game new mill"),
	}, func(ctx context.Context, s *app.Environment, args []string) (result, error) {
		if b.Tales = s.Tales(); len(args) > 0 {
			b.Name = args[0]
		}
		begun, err := campaigns.Begin(ctx, s, b)
		return result{value: begun, text: fmt.Sprintf("%s has begun: %s is at %s.\nThe dice are sealed: %s\nhob game play %s plays it; hob game do look looks around.\n",
			display.Clean(begun.Title), display.Clean(begun.Hero), display.Clean(begun.Place), dice.ShortSeal(begun.Commitment), begun.Campaign)}, err
	})
	cmd.Flags().StringVar(&b.Tale, "tale", "", "begin this tale instead of a map: cosy, mystery, dungeon, or one of your own")
	cmd.Flags().StringVar(&b.Start.Title, "title", "", "what it is called (its name)")
	cmd.Flags().StringVar(&b.Start.Lang, "lang", "", "language of its texts: en, ru or zh (en, or the first that a tale of your own has)")
	cmd.Flags().StringVar(&b.Start.Theme, "theme", "", "what its first places are, such as Mill (its title)")
	cmd.Flags().IntVar(&b.Start.Size, "size", 8, "how many places, 1 to 30")
	cmd.Flags().StringVar(&b.Start.Hero, "hero", "", "the name of the first character")
	cmd.Flags().BoolVar(&b.Start.Free, "free", false, "a story in which whatever is called happens, for you to build in")
	cmd.Flags().StringVar(&b.Seed, "seed", "", "a word for the dice and the map: the same word, the same story (a new one each time)")
	return cmd
}
