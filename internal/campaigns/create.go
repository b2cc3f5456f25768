package campaigns

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/tales"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// Beginning says how a campaign begins.
type Beginning struct {
	Name   string
	Tale   string      // what it begins with; "" is a map
	Tales  tales.Shelf // where that is
	Start  game.Start  // but Session and Seed
	Seed   string      // a word for the dice and the map; "" is a random one
	Random io.Reader
}

// Begun is a campaign that has begun. Commitment is the seal of its dice.
type Begun struct {
	Campaign   string `json:"campaign"`
	Commitment string `json:"commitment"`
	State      string `json:"state_hash"`
	Title      string `json:"title"`
	Hero       string `json:"-"`
	Place      string `json:"-"` // where the hero is
}

// Begin makes a campaign. It is kept whole or not at all.
func Begin(ctx context.Context, j Journal, b Beginning) (Begun, error) {
	if err := CheckName(b.Name); err != nil {
		return Begun{}, err
	}
	makeWorld, own, err := b.worldMaker()
	if err != nil {
		return Begun{}, err
	}
	start := b.Start
	if err := CheckLang(start.Lang); err != nil {
		return Begun{}, err
	}
	if start.Size < 1 || start.Size > 30 {
		return Begun{}, exit.Errorf(exit.Usage, "--size %d: a map has 1 to 30 places", start.Size)
	}
	title := orUsual(start.Title, b.Name)
	if start.Theme == "" {
		start.Theme = title
	}
	start.Title, start.Session, start.Seed = title, b.Name, game.SeedOf(b.Seed)
	if b.Seed == "" {
		if _, err := io.ReadFull(b.Random, start.Seed[:]); err != nil {
			return Begun{}, err
		}
	}
	var t *saga.Saga
	err = create(ctx, j, gamemaster.Campaign{ID: b.Name, Strange: own}, func(log saga.Log, opt saga.Options) (string, error) {
		w, counts, err := makeWorld(ctx, opt.Book, start)
		if err != nil {
			return "", err
		}
		t, err = saga.Create(ctx, log, saga.Beginning{ID: b.Name, Seed: start.Seed, World: w, Counts: counts}, opt)
		return w.Self().Title, err
	})
	if err != nil {
		return Begun{}, err
	}
	w := t.World()
	hero := w.Actor(w.Self().Active)
	return Begun{
		Campaign: b.Name, Commitment: t.Commitment(), State: t.StateHash(), Title: w.Self().Title, Hero: hero.Name, Place: w.Place(hero.Place).Name,
	}, nil
}

// worldMaker returns the function that makes the world of a new campaign: that of a tale, or a map. It chooses the language where
// nobody has. own is true for a tale of the owner's folder.
func (b *Beginning) worldMaker() (
	makeWorld func(context.Context, *rules.Book, game.Start) (*world.World, rules.Counts, error), own bool, err error,
) {
	if b.Tale == "" {
		b.Start.Lang = cmp.Or(b.Start.Lang, "en")
		return game.Begin, false, nil
	}
	t, ok := b.Tales.ByID(b.Tale)
	if !ok {
		return nil, false, exit.Errorf(exit.Usage, "there is no tale %q: hob game tale list lists those that there are", display.Clean(b.Tale))
	}
	if langs := t.Langs(); b.Start.Lang == "" && len(langs) > 0 {
		b.Start.Lang = langs[0]
	}
	title := b.Start.Title
	return func(_ context.Context, book *rules.Book, s game.Start) (*world.World, rules.Counts, error) {
		return t.Begin(book, tales.Start{Session: s.Session, Lang: s.Lang, Hero: s.Hero, Title: title})
	}, t.Own(), nil
}

// CheckLang refuses a language that the game has no texts in.
func CheckLang(lang string) error {
	if !slices.Contains(rules.Langs(), lang) {
		return exit.Errorf(exit.Usage, "there are no texts in %q: use --lang en, ru or zh", lang)
	}
	return nil
}

// create makes a campaign with fill, which writes its log and returns its title, "" for its name. It is kept whole or not at all.
func create(ctx context.Context, j Journal, c gamemaster.Campaign, fill func(saga.Log, saga.Options) (title string, err error)) error {
	opt, err := Options()
	if err != nil {
		return err
	}
	log := &DraftLog{Memory: saga.NewMemory()}
	if c.Title, err = fill(log, opt); err != nil {
		return err
	}
	c.Title = cmp.Or(c.Title, c.ID)
	if err := j.MakeState(); err != nil {
		return err
	}
	db, err := j.OpenJournal(ctx)
	if err != nil {
		return err
	}
	err = New(db).Keep(ctx, c, log)
	if closing := db.Close(); err == nil {
		err = closing
	}
	return err
}

func orUsual(s, usual string) string {
	if strings.TrimSpace(s) == "" {
		return usual
	}
	return s
}

// Listed is a campaign in a list.
type Listed struct {
	Campaign string    `json:"campaign"`
	Title    string    `json:"title"`
	Changed  time.Time `json:"changed"`
	Entries  int64     `json:"entries"`
}

// List returns the campaigns, the one that was changed last first.
func List(ctx context.Context, j Journal) ([]Listed, error) {
	list := []Listed{}
	err := j.WithJournal(ctx, func(db *store.DB) error {
		all, err := db.Campaigns().List(ctx)
		for _, c := range all {
			list = append(list, Listed{Campaign: c.ID, Title: c.Title, Changed: c.Changed, Entries: c.Entries})
		}
		return err
	})
	return list, err
}

// Remove drops a campaign for good.
func Remove(ctx context.Context, j Journal, name string) error {
	known := false
	err := j.WithJournal(ctx, func(db *store.DB) error {
		known = true
		return New(db).Drop(ctx, name)
	})
	if errors.Is(err, store.ErrNoCampaign) || err == nil && !known {
		return exit.Errorf(exit.Usage, "there is no campaign %q: hob game list lists them", name)
	}
	return err
}
