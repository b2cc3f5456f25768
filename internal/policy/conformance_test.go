package policy_test

import (
	"testing"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// The rows tool-permission of the conformance list that are policy's, by their ids.

// tool-permission-01: user0 < group_admin1 < group_owner2 < bot_admin3 < owner4; equal or higher passes.
// tool-permission-02: a caller is the highest that the platform vouches for; one that it says nothing of is a user.
func TestConformanceLevels(t *testing.T) {
	levels := []event.Level{event.User, event.GroupAdmin, event.GroupOwner, event.BotAdmin, event.Owner}
	names := []string{"user", "group_admin", "group_owner", "bot_admin", "owner"}
	for need, level := range levels {
		if int(level) != need || level.String() != names[need] {
			t.Errorf("tool-permission-01: %s is %d, want %s and %d", level, level, names[need], need)
		}
		if parsed, err := event.ParseLevel(names[need]); parsed != level || err != nil {
			t.Errorf("tool-permission-02: %s is read as %s, %v", names[need], parsed, err)
		}
		tool := toolOf(tools.Def{Powers: tools.Reads, Level: level})
		for has, caller := range levels {
			passes := policy.Policy{}.Offered(tools.Caller{Standing: event.Standing{Level: caller}}, tool) == nil
			if passes != (has >= need) {
				t.Errorf("tool-permission-01: a tool for %s passes for %s: %v", level, caller, passes)
			}
		}
		if passes := (policy.Policy{}).Offered(tools.Caller{}, tool) == nil; passes != (level == event.User) {
			t.Errorf("tool-permission-02: a tool for %s passes for a caller without a level: %v", level, passes)
		}
	}
}

// tool-permission-04: a tool for some platforms is offered there, not elsewhere, and not where the platform is unknown.
// tool-permission-05: likewise its scopes. Without any it is offered everywhere.
func TestConformancePlacesOfATool(t *testing.T) {
	for _, c := range []struct {
		id, platform, scope string
		def                 tools.Def
		want                bool
	}{
		{"tool-permission-04", "tg", "", tools.Def{Platforms: []string{"qq", "tg"}}, true},
		{"tool-permission-04", "discord", "", tools.Def{Platforms: []string{"qq", "tg"}}, false},
		{"tool-permission-04", "", "", tools.Def{Platforms: []string{"qq", "tg"}}, false},
		{"tool-permission-04", "discord", "", tools.Def{}, true},
		{"tool-permission-05", "", "group", tools.Def{Scopes: []string{"group"}}, true},
		{"tool-permission-05", "", "private", tools.Def{Scopes: []string{"group"}}, false},
		{"tool-permission-05", "", "", tools.Def{Scopes: []string{"group"}}, false},
		{"tool-permission-05", "", "private", tools.Def{}, true},
	} {
		caller := tools.Caller{Standing: event.Standing{Platform: c.platform, Scope: c.scope, Level: event.Owner}}
		if got := len(policy.Policy{}.Menu(caller, []tools.Tool{toolOf(c.def)})) == 1; got != c.want {
			t.Errorf("%s: platform %q, scope %q: offered: %v", c.id, c.platform, c.scope, got)
		}
	}
}

// tool-permission-07: what was not offered is refused again when it is called by its name.
func TestConformanceCalledBelowItsLevel(t *testing.T) {
	call := callOf(toolOf(tools.Def{Powers: tools.Reads, Level: event.BotAdmin}))
	call.Caller.Level = event.GroupOwner
	if menu := (policy.Policy{}).Menu(call.Caller, []tools.Tool{call.Tool}); len(menu) != 0 {
		t.Error("tool-permission-07: it is offered")
	}
	if got := said(policy.Policy{}.Judge(t.Context(), call)); got != "deny level" {
		t.Errorf("tool-permission-07: %s", got)
	}
}
