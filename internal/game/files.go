package game

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/saves"
	"hob/internal/game/world"
)

// Import is the way in which a file becomes a campaign.
type Import struct {
	ID   string // of the campaign; "" is what the save says, else "campaign"
	Seed string // a word for the dice (see [SeedOf]); "" follows from the file, so that the same file plays the same
	Lang string // en, ru, zh; "" is what the save says
	// Party says that the heroes of a save which names no party are its party: it is to be played, and not only judged.
	Party bool
	Opt   eventlog.Options
}

// Read makes a campaign of a file, in an empty log: of hob's own export (its whole log, which it checks), of hob's own state, or of an
// older save. Faults of a save that allow to play it are warnings.
func Read(ctx context.Context, data []byte, log eventlog.Storage, im Import) (s *eventlog.Log, warnings []string, err error) {
	if saves.IsLog(data) {
		if im.Seed != "" {
			return nil, nil, fmt.Errorf("read campaign: its dice have a seed already: leave out the seed, or begin from a state")
		}
		s, err := eventlog.Import(ctx, bytes.NewReader(data), log, im.Opt)
		return s, nil, err
	}
	w, info, err := saves.Read(data)
	if err != nil {
		return nil, nil, err
	}
	b := eventlog.Beginning{ID: im.ID, World: w, Counts: info.Counts, Seed: sha256.Sum256(data)}
	if b.ID == "" {
		b.ID = cmp.Or(strings.TrimSpace(w.Self().Session), "campaign")
	}
	if raw, err := hex.DecodeString(info.Seed); err == nil && len(raw) == len(b.Seed) {
		copy(b.Seed[:], raw)
	}
	if im.Seed != "" {
		b.Seed = SeedOf(im.Seed)
	}
	self := *w.Self()
	self.Lang = cmp.Or(strings.TrimSpace(im.Lang), self.Lang)
	if im.Party && len(self.Party) == 0 && self.Active == "" {
		for _, a := range w.Actors() {
			if a.Role == "pc" {
				self.Party = append(self.Party, a.ID)
			}
		}
		self.Active = append(self.Party, "")[0]
	}
	if err := w.Apply(world.Event{Old: w.Self(), New: &self}); err != nil {
		return nil, nil, err
	}
	s, err = eventlog.Create(ctx, log, b, im.Opt)
	return s, info.Warnings, err
}

// Shapes returns the shapes in which a state can be written: hob's own, and those of the older saves.
func Shapes() []string {
	return []string{saves.Own, saves.GameState, saves.CampaignFile, saves.Session}
}

// State writes the state at the head of a campaign in one of the [Shapes]: one line of JSON.
func State(ctx context.Context, s *eventlog.Log, shape string) ([]byte, error) {
	if !slices.Contains(Shapes(), shape) {
		return nil, fmt.Errorf("%q is none of hob, 000, 002 and 003", shape)
	}
	opt := saves.Options{}
	switch shape {
	case saves.Own:
		opt.Seed, opt.Counts = s.Reveal(), s.Counts()
	default:
		if err := addHistory(ctx, s, &opt); err != nil {
			return nil, err
		}
	}
	var out []byte
	err := s.View(func(w *world.World) (err error) {
		out, err = saves.Write(w, shape, opt)
		return err
	})
	return out, err
}

// addHistory adds the parts of a save that come from the turns: the notes, which a session calls game logs, and the end.
func addHistory(ctx context.Context, s *eventlog.Log, opt *saves.Options) error {
	ended := s.World().Self().EndedTurn
	for _, turn := range s.Path() {
		parts, err := s.Parts(ctx, turn)
		if err != nil {
			return err
		}
		for _, p := range parts {
			if slices.ContainsFunc(p.Outcomes, func(o rules.Outcome) bool { return o.Changed }) {
				opt.UpdatedAt = p.Time // what was refused, or only looked, leaves the save as it was
			}
			if turn == ended {
				opt.EndedAt = p.Time
			}
			for _, n := range p.Notes {
				opt.Logs = append(opt.Logs, saves.Log{ID: n.ID, Kind: n.Kind, Text: n.Text, Time: p.Time, Data: n.Data})
			}
		}
	}
	return nil
}
