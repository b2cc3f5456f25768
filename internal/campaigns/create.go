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
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
)

// Beginning is the input of [Begin].
type Beginning struct {
	Name   string
	Tale   string        // "": a map
	Tales  tales.Library // which has the tale
	Start  game.Start    // without Session and Seed
	Seed   string        // a word for the dice and the map; "": random
	Random io.Reader
}

// BeginResult describes a new campaign. Commitment seals its dice.
type BeginResult struct {
	Campaign   string `json:"campaign"`
	Commitment string `json:"commitment"`
	State      string `json:"state_hash"`
	Title      string `json:"title"`
	Hero       string `json:"-"`
	Place      string `json:"-"` // of the hero
}

// Begin makes a campaign. It keeps all of it or nothing.
func Begin(ctx context.Context, j Journal, b Beginning) (BeginResult, error) {
	if err := CheckName(b.Name); err != nil {
		return BeginResult{}, err
	}
	makeWorld, own, err := b.worldMaker()
	if err != nil {
		return BeginResult{}, err
	}
	start := b.Start
	if err := CheckLang(start.Lang); err != nil {
		return BeginResult{}, err
	}
	if b.Tale != "" && start.Free {
		return BeginResult{}, exit.Errorf(exit.Usage, "--free: a tale is always bound; leave out --free or --tale")
	}
	if start.Size < 1 || start.Size > 30 {
		return BeginResult{}, exit.Errorf(exit.Usage, "--size %d: a map has 1 to 30 places", start.Size)
	}
	title := cmp.Or(strings.TrimSpace(start.Title), b.Name)
	start.Theme = cmp.Or(start.Theme, title)
	start.Title, start.Session, start.Seed = title, b.Name, game.SeedOf(b.Seed)
	if b.Seed == "" {
		if _, err := io.ReadFull(b.Random, start.Seed[:]); err != nil {
			return BeginResult{}, err
		}
	}
	var t *eventlog.Log
	err = createCampaign(ctx, j, gamemaster.Campaign{ID: b.Name, Strange: own}, func(log eventlog.Storage, opt eventlog.Options) (string, error) {
		w, counts, err := makeWorld(ctx, opt.Book, start)
		if err != nil {
			return "", err
		}
		t, err = eventlog.Create(ctx, log, eventlog.Beginning{ID: b.Name, Seed: start.Seed, World: w, Counts: counts}, opt)
		return w.Self().Title, err
	})
	if err != nil {
		return BeginResult{}, err
	}
	w := t.World()
	hero := w.Actor(w.Self().Active)
	return BeginResult{
		Campaign: b.Name, Commitment: t.Commitment(), State: t.StateHash(), Title: w.Self().Title, Hero: hero.Name, Place: w.Place(hero.Place).Name,
	}, nil
}

// worldMaker returns the function that makes the world: from a tale, or a map. It sets the language
// if none is given. own is true for a tale of the owner's folder.
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

// CheckLang returns an error for a language without texts; "" is for none that was asked for.
func CheckLang(lang string) error {
	if lang != "" && !slices.Contains(rules.Langs(), lang) {
		return exit.Errorf(exit.Usage, "there are no texts in %q: use --lang en, ru or zh", lang)
	}
	return nil
}

// createCampaign makes a campaign. fill writes its log and returns its title, or "" for the id. All
// of it is kept, or nothing.
func createCampaign(ctx context.Context, j Journal, c gamemaster.Campaign, fill func(eventlog.Storage, eventlog.Options) (title string, err error)) error {
	log := eventlog.NewMemoryStorage()
	var err error
	if c.Title, err = fill(log, Options()); err != nil {
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
	return cmp.Or(New(db).Keep(ctx, c, log), db.Close())
}

// ListEntry is a campaign in a list.
type ListEntry struct {
	Campaign string    `json:"campaign"`
	Title    string    `json:"title"`
	Changed  time.Time `json:"changed"`
	Entries  int64     `json:"entries"`
}

// List returns the campaigns, the last changed one first.
func List(ctx context.Context, j Journal) ([]ListEntry, error) {
	list := []ListEntry{}
	err := j.WithJournal(ctx, func(db *store.DB) error {
		all, err := db.Campaigns().List(ctx)
		for _, c := range all {
			list = append(list, ListEntry{Campaign: c.ID, Title: c.Title, Changed: c.Changed, Entries: c.Entries})
		}
		return err
	})
	return list, err
}

// Remove deletes a campaign.
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
