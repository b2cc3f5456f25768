package gamemaster

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/tales"
	"hob/internal/game/world"
	"hob/internal/lists"
	"hob/internal/tools"
)

// Beginning describes a new story.
type Beginning struct {
	ID    string // its name; "" is made of the tale's
	Tale  string // cosy, mystery, dungeon, one of [Config.Tales], or "map": a map that nobody wrote
	Lang  string // en, ru, zh; "" is en, or the first that the tale has words in
	Hero  string // the name of the first character; "" is the usual one
	Trade string // one of the tale's heroes; "" is the first
	Owner string // the user who plays it, or ""
	Mode  string // free, round or initiative; "" is free
	Dice  string // locked or burn; "" is locked
}

// BeginResult describes a story that has begun.
type BeginResult struct {
	ID, Title, Opening string
	Lang               string
	Commitment         string // a hash of the seed of the dice, with which anybody can check the seed at the end
}

// Begin begins a story.
func (m *Master) Begin(ctx context.Context, b Beginning) (BeginResult, error) {
	own := !isStranger(tools.CallerFrom(ctx)) // hob wrote the texts, and the owner the words
	if t, ok := m.cfg.Tales.ByID(b.Tale); ok {
		b.Lang, own = cmp.Or(b.Lang, t.LangFor("")), own && !t.Own()
	}
	if b.Lang = cmp.Or(b.Lang, "en"); !slices.Contains(rules.Langs(), b.Lang) {
		return BeginResult{}, fmt.Errorf("there are no texts in %q: use en, ru or zh", b.Lang)
	}
	b.Hero = show.Name(b.Hero)
	var seed [32]byte
	if _, err := io.ReadFull(m.cfg.Random, seed[:]); err != nil {
		return BeginResult{}, fmt.Errorf("begin story: %w", err)
	}
	id, err := m.freeName(ctx, b)
	if err != nil {
		return BeginResult{}, err
	}
	w, counts, opening, err := m.world(ctx, b, id, seed)
	if err != nil {
		return BeginResult{}, err
	}
	if err := applyWishes(w, b); err != nil {
		return BeginResult{}, err
	}
	out := BeginResult{ID: id, Title: w.Self().Title, Opening: opening, Lang: b.Lang}
	err = m.cfg.Campaigns.Add(ctx, Campaign{ID: id, Title: out.Title, Strange: !own}, func(log eventlog.Storage) error {
		s, err := eventlog.Create(ctx, log, eventlog.Beginning{ID: id, Seed: seed, World: w, Counts: counts}, m.options())
		if err == nil {
			out.Commitment = s.Commitment()
		}
		return err
	})
	return out, err
}

// world makes the world of a new story.
func (m *Master) world(ctx context.Context, b Beginning, id string, seed [32]byte) (*world.World, rules.Counts, string, error) {
	if b.Tale == "map" {
		w, counts, err := game.Begin(ctx, m.book, game.Start{Session: id, Title: id, Lang: b.Lang, Theme: id, Hero: b.Hero, Seed: seed})
		return w, counts, "", err
	}
	t, ok := m.cfg.Tales.ByID(b.Tale)
	if !ok {
		return nil, nil, "", fmt.Errorf("there is no tale %q: there are %s, and map", b.Tale, strings.Join(m.taleNames(), ", "))
	}
	w, counts, err := t.Begin(m.book, tales.Start{Session: id, Lang: b.Lang, Hero: b.Hero, Trade: b.Trade, Seed: seed})
	return w, counts, t.Opening(b.Lang, seed), err
}

// applyWishes writes the players' settings into a new world.
func applyWishes(w *world.World, b Beginning) error {
	self := *w.Self()
	self.TurnMode, self.DicePolicy = b.Mode, b.Dice
	if err := w.Apply(world.Event{Old: w.Self(), New: &self}); err != nil {
		return err
	}
	hero := w.Actor(self.Active)
	if b.Owner == "" || hero == nil {
		return nil
	}
	owned := *hero
	owned.Owner = b.Owner
	return w.Apply(world.Event{Old: hero, New: &owned})
}

// freeName returns the name of a new story: the one that was asked for, or that of its tale, with a number if a story
// has that name already.
func (m *Master) freeName(ctx context.Context, b Beginning) (string, error) {
	if b.ID != "" {
		return b.ID, nil
	}
	list, err := m.cfg.Campaigns.List(ctx)
	if err != nil {
		return "", err
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(list, func(c Campaign) bool { return c.ID == name })
	}
	name := b.Tale
	for n := 2; taken(name); n++ {
		name = b.Tale + "-" + strconv.Itoa(n)
	}
	return name, nil
}

func (m *Master) taleNames() []string {
	return lists.Map(m.cfg.Tales.All(), func(t tales.Tale) string { return t.ID })
}

// Bind connects a chat to a story and opens the skill there. It returns a look at the place where the caller's
// character is.
func (m *Master) Bind(ctx context.Context, by tools.Caller, id string) (look string, err error) {
	err = m.open(ctx, id, func(camp *campaign) error {
		if isStranger(by) {
			if err := m.cfg.Campaigns.Distrust(ctx, id); err != nil {
				return err
			}
		}
		if err := m.cfg.Campaigns.Bind(ctx, by.Chat, id); err != nil {
			return err
		}
		tn := camp.turnOf(by)
		if err := tn.restartTimer(ctx); err != nil { // players had no chance to act while the story was paused
			return err
		}
		*tn.state = turnState{} // what this knew was about another story
		look = camp.look(camp.actorOf(by.User))
		return nil
	})
	if err != nil || m.cfg.Open == nil {
		return look, err
	}
	return look, m.cfg.Open(ctx, by)
}

// Choices returns the choices that a chat's story offers now.
func (m *Master) Choices(ctx context.Context, by tools.Caller) (all []event.Choice, err error) {
	err = m.at(ctx, by.Chat, func(camp *campaign) error {
		all = camp.turnOf(by).choices(ctx, camp.nextActor(camp.actorOf(by.User)))
		return nil
	})
	return all, err
}

// PickResult is what a person is told who presses a choice.
type PickResult struct {
	Say     string // only for the person who pressed it; "" is nothing
	No      bool   // they cannot choose it now
	Remains bool   // the buttons stay, for others
}

// AnswerPick returns what a person is told who presses a choice now.
func (m *Master) AnswerPick(ctx context.Context, by tools.Caller, c event.Choice) (p PickResult) {
	_ = m.at(ctx, by.Chat, func(camp *campaign) error { // a failure here comes up again when the choice is played
		p = camp.turnOf(by).answerPick(ctx, c)
		return nil
	})
	return p
}

func (tn turn) answerPick(ctx context.Context, c event.Choice) PickResult {
	actor := tn.actorOf(tn.caller.User)
	part := strings.SplitN(c.Pick, ".", 3)
	switch {
	case c.Pick != "" && !tn.isNow(ctx, part[0]):
		return PickResult{Say: tn.say("moment_passed"), No: true}
	case len(part) == 3 && actor == "" && len(tn.party()) > 0:
		return PickResult{Say: tn.say("join_first"), No: true}
	case len(part) == 3 && part[2] != actor && tn.onTurn() != "":
		return PickResult{Say: tn.say("not_your_turn", tn.nameOf(tn.onTurn())), No: true}
	case tn.inRound() && len(part) == 1 && c.Pick != "" && tn.isOutsider(): // they would act in a story of others
		return PickResult{Say: tn.say("join_first"), No: true}
	case tn.inRound():
		return tn.judgePick(ctx, actor, c)
	}
	return PickResult{}
}
