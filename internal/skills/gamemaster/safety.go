package gamemaster

import (
	"context"
	"strings"

	"hob/internal/driver"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// xcard takes back the last narration and asks for no reason. If an argument is given, the story never tells of that
// again.
func (tn turn) xcard(ctx context.Context) (driver.Plan, bool, error) {
	calls := []rules.Call{{Tool: "safety", Args: rules.NewObj().Text("action", "xcard").Bytes()}}
	if tn.args != "" {
		calls = append(calls, rules.Call{Tool: "safety", Args: rules.NewObj().Text("action", "line_add").Text("text", tn.args).Bytes()})
	}
	r := eventlog.Request{ID: prefix(tn.caller) + partVoid, Calls: calls, Table: true, Open: true} // not even the log says who it was
	if _, err := tn.Play(ctx, r); err != nil {
		return driver.Plan{}, false, err
	}
	return tn.offer(ctx, tn.say("xcard"))
}

// editSafety adds to the topics that the story avoids, or shows them.
func (tn turn) editSafety(ctx context.Context, action string) (driver.Plan, bool, error) {
	if tn.args == "" { // a look is no turn, so redo still works
		shown := rules.Call{Tool: "safety", Args: rules.NewObj().Text("action", "show").Bytes()}
		p, err := tn.Preview(ctx, eventlog.Request{User: tn.caller.User, Calls: []rules.Call{shown}})
		if err != nil {
			return driver.Plan{}, false, err
		}
		return tn.offer(ctx, tn.text(p.Outcomes[0].Say))
	}
	args := rules.NewObj().Text("action", action).Text("text", tn.args)
	return tn.playOwn(ctx, true, rules.Call{Tool: "safety", Args: args.Bytes()})
}

// playOwn plays the calls of a command and answers with the text of the first one. With table they change a setting,
// which undo passes over.
func (tn turn) playOwn(ctx context.Context, table bool, calls ...rules.Call) (driver.Plan, bool, error) {
	p, err := tn.Play(ctx, eventlog.Request{ID: prefix(tn.caller) + "/own", User: tn.caller.User, Calls: calls, Table: table, Open: true})
	if err != nil {
		return driver.Plan{}, false, err
	}
	return tn.offer(ctx, tn.text(p.Outcomes[0].Say))
}

// noTeller is the rule of a story that no model narrates.
const noTeller = "no_teller"

// narratorCommand shows or changes whether a model narrates the story.
func (tn turn) narratorCommand(ctx context.Context) (driver.Plan, bool, error) {
	self := tn.World().Self()
	off := self.Rules[noTeller] != 0
	want := strings.ToLower(tn.args)
	reply := func(off bool) (driver.Plan, bool, error) {
		key := "teller_on"
		if off {
			key = "teller_off"
		} else if m := tn.m.cfg.Model; m != nil && !m(ctx) {
			key = "teller_none"
		}
		return tn.offer(ctx, tn.say(key))
	}
	if want != "on" && want != "off" || (want == "off") == off {
		return reply(off)
	}
	if !tn.mayDecide() {
		return tn.reply("owner_only")
	}
	err := tn.editSelf(ctx, "teller", func(s *world.Self) {
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
