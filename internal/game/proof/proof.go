// Package proof finds out whether a tale can be won, by playing it.
//
// The search is over the rules themselves: each step is a call that a player makes, run by the same executor with the same gates as
// in play, with all that follows from it, and clocks run. States are told apart by the hash of the world without what makes no
// difference to an ending (the time, where somebody was before); of two ways to the same state the shorter one is kept. Only deeds
// are tried that may lead on: those that give anything on which the ending hangs, as far as conditions, locks and gifts say.
//
// The dice are against the player. A throw of the party shows the least, and one of others the most. Where the same may be tried
// again (to win somebody over in talk, to strike a blow) it fails as often as it does for the unluckiest of a thousand who try, and
// time and clocks go on meanwhile. What can be tried once only is not counted on, and no search for what is hidden.
//
// The search is bounded by a number of states and by nothing else, so it comes to the same on every machine. It is no proof that a
// tale cannot be won: where none is found it is not proven.
package proof

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/game"
	"hob/internal/game/account"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// Bound is how many states a search tries at most.
const Bound = 5000

// Proof is a way to win a tale.
type Proof struct {
	Quest   string `json:"quest"` // which is done, and ends the story
	Trade   string `json:"trade"` // of the hero
	Lang    string `json:"lang"`
	Steps   []Step `json:"steps"`
	Minutes int64  `json:"minutes"` // of the story
	States  int    `json:"states"`  // that the search has tried
}

// Result is what was proven of a tale.
type Result struct {
	Proofs []Proof `json:"proofs"` // one for each ending
	// Missing says of the first hero who cannot win which endings were not found, and in which language.
	Missing []string `json:"missing"`
	Bound   int      `json:"bound"`
}

// NotProven says which hero was not found to win, or returns "" if every hero can win in every language, by at least
// one ending.
func (r Result) NotProven() string {
	if len(r.Missing) == 0 {
		return ""
	}
	return "not proven that it can be won: " + strings.Join(r.Missing, "; ") + ". A way must need no luck that cannot be tried again, no search " +
		"and no fight that can be lost, and be over before a clock is full"
}

// Find looks for a way to win a tale: for each quest that ends it, for each hero, in each language.
func Find(ctx context.Context, book *rules.Book, t tales.Tale) (Result, error) {
	r := Result{Bound: Bound, Proofs: []Proof{}, Missing: []string{}}
	for _, lang := range t.Langs() {
		for _, trade := range t.Trades(lang) {
			if err := r.find(ctx, book, t, lang, trade.ID); err != nil {
				return Result{}, err
			}
			if len(r.Missing) > 0 { // one hero who cannot win is enough
				return r, nil
			}
		}
	}
	return r, nil
}

// find looks for the endings of one hero in one language.
func (r *Result) find(ctx context.Context, book *rules.Book, t tales.Tale, lang, trade string) error {
	w, _, err := beginning(book, t, lang, trade)
	if err != nil {
		return err
	}
	won := false
	var missing []string
	for _, q := range w.Quests() {
		if !q.Ends {
			continue
		}
		i := slices.IndexFunc(r.Proofs, func(p Proof) bool { return p.Quest == q.ID })
		if i >= 0 {
			if ok, err := r.Proofs[i].holds(ctx, book, t, lang, trade); ok || err != nil {
				if won = true; err != nil {
					return err
				}
				continue
			}
		}
		p, err := searchFor(ctx, book, t, Proof{Quest: q.ID, Trade: trade, Lang: lang})
		if err != nil {
			return err
		}
		switch {
		case len(p.Steps) == 0:
			missing = append(missing, fmt.Sprintf("%s as %s in %s, %s", q.ID, trade, lang, searched(p.States)))
		case i < 0:
			r.Proofs = append(r.Proofs, p)
		}
		won = won || len(p.Steps) > 0
	}
	if !won {
		r.Missing = append(r.Missing, missing...)
	}
	return nil
}

// searched says how much a search has tried.
func searched(states int) string {
	if states < Bound {
		return fmt.Sprintf("whatever may lead there was tried, in %d states", states)
	}
	return fmt.Sprintf("not among the first %d states", Bound)
}

// beginning returns the world at the beginning of a tale.
func beginning(book *rules.Book, t tales.Tale, lang, trade string) (*world.World, rules.Counts, error) {
	return t.Begin(book, tales.Start{Session: "proof", Lang: lang, Trade: trade})
}

// searchFor looks for one ending. A proof without steps is no proof.
func searchFor(ctx context.Context, book *rules.Book, t tales.Tale, p Proof) (Proof, error) {
	w, counts, err := beginning(book, t, p.Lang, p.Trade)
	if err != nil {
		return p, err
	}
	e, err := newEngine(book, w, counts)
	if err != nil {
		return p, err
	}
	s := &search{engine: e, hero: w.Self().Active, quest: p.Quest, bound: Bound}
	won, err := s.run(ctx)
	if p.States = s.states; won == nil || err != nil {
		return p, err
	}
	found := won
	for n := won; n != nil; n = n.parent {
		p.Steps = append(slices.Clone(n.steps), p.Steps...)
	}
	if err := s.goTo(found); err != nil {
		return p, err
	}
	p.Minutes = w.Self().Minute - s.begin
	return p, nil
}

// holds reports whether the steps of a proof win as another hero and in another language, too, with the same dice.
func (p Proof) holds(ctx context.Context, book *rules.Book, t tales.Tale, lang, trade string) (bool, error) {
	w, counts, err := beginning(book, t, lang, trade)
	if err != nil {
		return false, err
	}
	e, err := newEngine(book, w, counts)
	if err != nil {
		return false, err
	}
	s := &search{engine: e, hero: w.Self().Active, quest: p.Quest}
	n := &node{}
	for _, step := range p.Steps {
		if ok, err := s.take(ctx, n, step); !ok || err != nil {
			return false, err
		}
	}
	return w.Self().Ended && w.Quest(p.Quest).State == world.Done, nil
}

// Line is one step of a proof that is played again: what is done, and what players read.
type Line struct {
	Label, Text string
}

// Replay plays the steps of a proof as a campaign with fair dice from seed. It returns the campaign at its end, and
// what was done. A step that depends on dice is tried as often as the proof allows; with worse luck it fails.
func (p Proof) Replay(ctx context.Context, book *rules.Book, t tales.Tale, seed string) (*eventlog.Log, []Line, error) {
	w, counts, err := beginning(book, t, p.Lang, p.Trade)
	if err != nil {
		return nil, nil, err
	}
	hero := w.Self().Active
	log, err := eventlog.Create(ctx, eventlog.NewMemoryStorage(), eventlog.Beginning{ID: "proof", Seed: game.SeedOf(seed), World: w, Counts: counts},
		game.Options(book, func() time.Time { return time.Unix(0, 0).UTC() }))
	if err != nil {
		return nil, nil, err
	}
	var lines []Line
	var told []string
	for _, step := range p.Steps {
		for n := 0; n < max(1, step.Tries) && !log.World().Self().Ended; n++ {
			call, words, ok := step.Call(log.World(), hero)
			if !ok {
				break
			}
			line := Line{Label: step.Label(book, p.Lang, log.World(), hero)}
			played, err := log.Play(ctx, eventlog.Request{Actor: hero, Input: cmp.Or(words, line.Label), Calls: []rules.Call{call}, Counts: true})
			if err != nil {
				return nil, nil, err
			}
			before, changes, err := log.BeforeAndChanges(ctx, played.Turn)
			if err != nil {
				return nil, nil, err
			}
			line.Text = account.Turn{
				Book: book, Lang: p.Lang, Before: before, After: log.World(), Actor: hero, Outcomes: played.Outcomes, Rolls: played.Rolls, Events: changes,
				Recent: told, Pick: len(lines) + 1, // tells in the words of the tale, as in play
			}.Tell()
			told = append(told, line.Text)
			if end := tales.Ending(log.World(), p.Lang); log.World().Self().Ended && end != "" {
				line.Text += "\n" + end
			}
			if lines = append(lines, line); step.isDone(log.World()) {
				break
			}
		}
	}
	return log, lines, nil
}
