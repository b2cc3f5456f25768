package gamemaster

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// editWorld makes a change that no tool can make, as a turn of its own.
func (tn turn) editWorld(ctx context.Context, what string, do func(w *world.World, counts rules.Counts) ([]world.Event, error)) error {
	_, err := tn.Play(ctx, eventlog.Request{ID: prefix(tn.caller) + "/" + what, User: tn.caller.User, Edit: do, Table: true, Open: true})
	return err
}

// editSelf changes the world's own record.
func (tn turn) editSelf(ctx context.Context, what string, change func(*world.Self)) error {
	return tn.editWorld(ctx, what, func(w *world.World, _ rules.Counts) ([]world.Event, error) {
		next := *w.Self()
		change(&next)
		return []world.Event{{Old: w.Self(), New: &next}}, nil
	})
}

// join gives a player a character: a free one, or a new one with the name that the player gave. In an imported world
// the player names one of its heroes.
func (tn turn) join(ctx context.Context) (driver.Plan, bool, error) {
	user := tn.caller.User
	w := tn.World()
	if w.Self().Ended {
		return answer(tn.describeEnd()), true, nil
	}
	name, trade, _ := strings.Cut(tn.args, ",")
	name, trade = show.Name(name), strings.TrimSpace(trade)
	if len([]rune(name)) > mostName {
		return tn.reply("name_long")
	}
	heroes := tn.party()
	if w.Self().Shape != "" { // its heroes may be outside of the party
		heroes = slices.DeleteFunc(slices.Clone(w.Actors()), func(a *world.Actor) bool { return a.Role != "pc" && !tn.inParty(a.ID) })
	}
	var free *world.Actor
	for _, a := range heroes {
		switch {
		case a.Owner == user && user != "" && tn.hasDone(ctx, "/join"):
			return tn.confirmJoin(ctx, a.ID)
		case a.Owner == user && user != "":
			return tn.reply("joined_already", tn.nameOf(a.ID))
		case a.Owner == "" && w.Self().Shape != "" && name != "":
			if sameName(a.Name, name) || sameName(a.ID, name) {
				free, name = a, ""
			}
		case a.Owner == "" && free == nil:
			free = a
		}
	}
	if free != nil {
		return tn.take(ctx, free, name)
	}
	if !tales.HasHeroes(w) {
		return tn.newcomer(ctx, name)
	}
	var hero string
	lang := tn.lang() // read before the edit, which locks the log
	err := tn.editWorld(ctx, "join", func(w *world.World, counts rules.Counts) ([]world.Event, error) {
		events, after, err := tales.Hero(w, counts, lang, trade, name, user)
		maps.Copy(counts, after)
		for _, e := range events {
			if a, ok := e.New.(*world.Actor); ok && e.Old == nil {
				hero = a.ID
			}
		}
		return events, err
	})
	if err != nil {
		return driver.Plan{}, false, err
	}
	return tn.confirmJoin(ctx, hero)
}

// confirmJoin answers that the player now has a character.
func (tn turn) confirmJoin(ctx context.Context, actor string) (driver.Plan, bool, error) {
	tn.state.actor = actor
	return tn.offer(ctx, tn.say("joined", tn.nameOf(actor)))
}

// newcomer gives a player a new character in a world without a list of heroes.
func (tn turn) newcomer(ctx context.Context, name string) (driver.Plan, bool, error) {
	args := rules.NewObj().Text("name", cmp.Or(name, tn.say("newcomer"))).Int("hp_max", 12).Raw("stats", []byte(`{"force":1,"finesse":1,"wits":1,"charm":1,"lore":1}`))
	if tn.caller.User != "" {
		args.Text("user_id", tn.caller.User)
	}
	p, err := tn.Play(ctx, eventlog.Request{
		ID: prefix(tn.caller) + "/join", User: tn.caller.User, Calls: []rules.Call{{Tool: "create_character", Args: args.Bytes()}}, Table: true, Open: true,
	})
	if err != nil {
		return driver.Plan{}, false, err
	}
	if made := p.Outcomes[0]; !made.OK() {
		return answer(tn.text(made.Say)), true, nil
	}
	return tn.confirmJoin(ctx, p.Outcomes[0].Created)
}

// mostName is the longest name, in characters.
const mostName = 40

// take gives a player a free character.
func (tn turn) take(ctx context.Context, a *world.Actor, name string) (driver.Plan, bool, error) {
	next := *a
	next.Owner, next.Name = tn.caller.User, cmp.Or(name, a.Name)
	err := tn.editWorld(ctx, "join", func(w *world.World, _ rules.Counts) ([]world.Event, error) {
		events := []world.Event{{Old: w.Actor(a.ID), New: &next}}
		if self := *w.Self(); !slices.Contains(self.Party, a.ID) {
			self.Party, self.Active = world.Append(self.Party, a.ID), cmp.Or(self.Active, a.ID)
			events = append(events, world.Event{Old: w.Self(), New: &self})
		}
		return events, nil
	})
	if err != nil {
		return driver.Plan{}, false, err
	}
	return tn.confirmJoin(ctx, a.ID)
}

// leave removes a player's character from the party, but not from the world. Players can only remove their own: if they
// name another, nobody leaves.
func (tn turn) leave(ctx context.Context) (driver.Plan, bool, error) {
	if tn.hasDone(ctx, "/own") {
		return tn.playOwn(ctx, true)
	}
	for _, a := range tn.party() {
		if a.Owner != tn.caller.User || a.Owner == "" {
			continue
		}
		if tn.args != "" && !sameName(tn.args, a.Name) {
			return tn.reply("leave_own", tn.nameOf(a.ID))
		}
		return tn.playOwn(ctx, true, rules.Call{Tool: "party", Args: rules.NewObj().Text("action", "leave").Text("actor_id", a.ID).Bytes()})
	}
	return tn.reply("join_first")
}

// mode shows or changes how the party takes turns.
func (tn turn) mode(ctx context.Context) (driver.Plan, bool, error) {
	mode, more, _ := strings.Cut(strings.ToLower(tn.args), " ")
	if mode == "" {
		return tn.rules(ctx)
	}
	minutes, fits := parseWait(strings.TrimSpace(more))
	if !slices.Contains([]string{modeFree, modeRound, modeInitiative}, mode) || !fits || minutes > 0 && mode != modeRound {
		return tn.reply("mode_how")
	}
	if !tn.mayDecide() {
		return tn.reply("owner_only")
	}
	able := tn.able() // read before the edit, which locks the world
	err := tn.editSelf(ctx, "mode", func(s *world.Self) {
		s.TurnMode, s.Rules = mode, world.Without(s.Rules, roundMinutes)
		if minutes > 0 {
			s.Rules = world.With(s.Rules, roundMinutes, minutes)
		}
		if mode == modeInitiative && len(able) > 0 {
			s.Active = able[0].ID
		}
	})
	if err != nil {
		return driver.Plan{}, false, err
	}
	return tn.offer(ctx, tn.describeMode())
}

// allow shows the tools that the story may use, or removes or adds one: "/allow -attack", "/allow
// +attack".
func (tn turn) allow(ctx context.Context) (driver.Plan, bool, error) {
	name, off := strings.CutPrefix(tn.args, "-")
	name = strings.TrimSpace(strings.TrimPrefix(name, "+"))
	switch {
	case name == "" && len(tn.allowedTools()) == len(tn.m.book.Names()):
		return tn.reply("allow_all")
	case name == "":
		return tn.reply("allow_some", strings.Join(tn.allowedTools(), ", "))
	case tn.m.book.Tool(name) == nil:
		return tn.reply("allow_unknown", name)
	case !tn.mayDecide():
		return tn.reply("owner_only")
	}
	list := slices.DeleteFunc(tn.allowedTools(), func(t string) bool { return t == name })
	if !off {
		list = append(list, name)
		slices.Sort(list)
	}
	err := tn.editSelf(ctx, "allow", func(s *world.Self) {
		s.AllowAll = len(list) == len(tn.m.book.Names())
		s.Allow = list
		if s.AllowAll {
			s.Allow = nil
		}
	})
	if err != nil {
		return driver.Plan{}, false, err
	}
	key := "allow_on"
	if off {
		key = "allow_off"
	}
	return tn.reply(key, name)
}

// allowedTools returns the tools that the story may use.
func (camp *campaign) allowedTools() []string {
	return slices.DeleteFunc(camp.m.book.Names(), func(name string) bool { return !rules.Allowed(camp.World().Self(), name) })
}
