package gamemaster

import (
	"context"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/game/world"
)

// xcard takes back how the last turn was told, without asking why. What stands after it is never told again.
func (o order) xcard(ctx context.Context) (driver.Plan, bool, error) {
	calls := []rules.Call{{Tool: "safety", Args: rules.NewObj().Text("action", "xcard").Bytes()}}
	if o.args != "" {
		calls = append(calls, rules.Call{Tool: "safety", Args: rules.NewObj().Text("action", "line_add").Text("text", o.args).Bytes()})
	}
	r := saga.Request{ID: prefix(o.caller) + partVoid, Calls: calls, Table: true, Open: true} // nobody's: not even the log says who
	if _, err := o.camp.Play(ctx, r); err != nil {
		return driver.Plan{}, false, err
	}
	return o.offer(ctx, o.camp.say("xcard"))
}

func (o order) lines(ctx context.Context) (driver.Plan, bool, error) {
	return o.editSafety(ctx, "line_add")
}
func (o order) veils(ctx context.Context) (driver.Plan, bool, error) {
	return o.editSafety(ctx, "veil_add")
}

// editSafety adds to what must not be in the story, or shows it.
func (o order) editSafety(ctx context.Context, action string) (driver.Plan, bool, error) {
	if o.args == "" { // who only looks can still redo
		shown := rules.Call{Tool: "safety", Args: rules.NewObj().Text("action", "show").Bytes()}
		p, err := o.camp.Preview(ctx, saga.Request{User: o.caller.User, Calls: []rules.Call{shown}})
		if err != nil {
			return driver.Plan{}, false, err
		}
		return o.offer(ctx, o.camp.text(p.Outcomes[0].Say))
	}
	args := rules.NewObj().Text("action", action).Text("text", o.args)
	return o.playOwn(ctx, true, rules.Call{Tool: "safety", Args: args.Bytes()})
}

// playOwn plays calls of the person's own and answers with what the first one says. With table they are no turn of the story: the table
// sets something, and undo leaves it.
func (o order) playOwn(ctx context.Context, table bool, calls ...rules.Call) (driver.Plan, bool, error) {
	p, err := o.camp.Play(ctx, saga.Request{ID: prefix(o.caller) + "/own", User: o.caller.User, Calls: calls, Table: table, Open: true})
	if err != nil {
		return driver.Plan{}, false, err
	}
	return o.offer(ctx, o.camp.text(p.Outcomes[0].Say))
}

// noTeller is the rule of a story that no model tells.
const noTeller = "no_teller"

// teller says whether a model tells the story, or has it so.
func (o order) teller(ctx context.Context) (driver.Plan, bool, error) {
	self := o.camp.World().Self()
	off := self.Rules[noTeller] != 0
	want := strings.ToLower(o.args)
	reply := func(off bool) (driver.Plan, bool, error) {
		key := "teller_on"
		if off {
			key = "teller_off"
		} else if m := o.camp.m.cfg.Model; m != nil && !m(ctx) {
			key = "teller_none"
		}
		return o.offer(ctx, o.camp.say(key))
	}
	if want != "on" && want != "off" || (want == "off") == off {
		return reply(off)
	}
	if !o.may() {
		return o.reply("owner_only")
	}
	err := o.editSelf(ctx, "teller", func(s *world.Self) {
		s.Rules = world.Without(s.Rules, noTeller)
		if want == "off" {
			s.Rules = world.With(s.Rules, noTeller, 1)
		}
	})
	if err != nil {
		return driver.Plan{}, false, err
	}
	return reply(want == "off")
}
