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
func (o order) xcard(ctx context.Context) (driver.Plan, error) {
	calls := []rules.Call{{Tool: "safety", Args: rules.NewObj().Text("action", "xcard").Bytes()}}
	if o.args != "" {
		calls = append(calls, rules.Call{Tool: "safety", Args: rules.NewObj().Text("action", "line_add").Text("text", o.args).Bytes()})
	}
	r := saga.Request{ID: prefix(o.caller) + partVoid, Calls: calls, Table: true, Open: true} // nobody's: not even the log says who
	if _, err := o.tb.Play(ctx, r); err != nil {
		return driver.Plan{}, err
	}
	return o.tb.offer(ctx, o.caller, answer(o.tb.say("xcard"))), nil
}

func (o order) lines(ctx context.Context) (driver.Plan, error) { return o.safe(ctx, "line_add") }
func (o order) veils(ctx context.Context) (driver.Plan, error) { return o.safe(ctx, "veil_add") }

// safe adds to what must not be in the story, or shows it.
func (o order) safe(ctx context.Context, action string) (driver.Plan, error) {
	if o.args == "" { // who only looks can still redo
		shown := rules.Call{Tool: "safety", Args: rules.NewObj().Text("action", "show").Bytes()}
		p, err := o.tb.Preview(ctx, saga.Request{User: o.caller.User, Calls: []rules.Call{shown}})
		if err != nil {
			return driver.Plan{}, err
		}
		return o.tb.offer(ctx, o.caller, answer(o.tb.text(p.Outcomes[0].Say))), nil
	}
	args := rules.NewObj().Text("action", action).Text("text", o.args)
	return o.set(ctx, rules.Call{Tool: "safety", Args: args.Bytes()})
}

// once plays a call of the person's own as a turn of the story, and answers with what it says.
func (o order) once(ctx context.Context, calls ...rules.Call) (driver.Plan, error) {
	return o.own(ctx, false, calls)
}

// set is once for what is no turn of the story: the table sets something, and undo leaves it.
func (o order) set(ctx context.Context, calls ...rules.Call) (driver.Plan, error) {
	return o.own(ctx, true, calls)
}

func (o order) own(ctx context.Context, table bool, calls []rules.Call) (driver.Plan, error) {
	p, err := o.tb.Play(ctx, saga.Request{ID: prefix(o.caller) + "/own", User: o.caller.User, Calls: calls, Table: table, Open: true})
	if err != nil {
		return driver.Plan{}, err
	}
	return o.tb.offer(ctx, o.caller, answer(o.tb.text(p.Outcomes[0].Say))), nil
}

// noTeller is the rule of a story that no model tells.
const noTeller = "no_teller"

// teller says whether a model tells the story, or has it so.
func (o order) teller(ctx context.Context) (driver.Plan, error) {
	self := o.tb.World().Self()
	off := self.Rules[noTeller] != 0
	want := strings.ToLower(o.args)
	says := func(off bool) driver.Plan {
		key := "teller_on"
		if off {
			key = "teller_off"
		} else if m := o.tb.m.cfg.Model; m != nil && !m(ctx) {
			key = "teller_none"
		}
		return o.tb.offer(ctx, o.caller, answer(o.tb.say(key)))
	}
	if want != "on" && want != "off" || (want == "off") == off {
		return says(off), nil
	}
	if !o.may() {
		return answer(o.tb.say("owner_only")), nil
	}
	err := o.self(ctx, "teller", func(s *world.Self) {
		s.Rules = world.Without(s.Rules, noTeller)
		if want == "off" {
			s.Rules = world.With(s.Rules, noTeller, 1)
		}
	})
	if err != nil {
		return driver.Plan{}, err
	}
	return says(want == "off"), nil
}
