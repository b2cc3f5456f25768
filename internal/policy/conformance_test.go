package policy_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// The rows of the conformance list that are policy's, by their ids.

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
		tool := toolOf(tools.Def{Capabilities: tools.Reads, Level: level})
		for has, caller := range levels {
			passes := policy.Policy{}.CheckOffered(tools.Caller{Principal: event.Principal{Level: caller}}, tool) == nil
			if passes != (has >= need) {
				t.Errorf("tool-permission-01: a tool for %s passes for %s: %v", level, caller, passes)
			}
		}
		if passes := (policy.Policy{}).CheckOffered(tools.Caller{}, tool) == nil; passes != (level == event.User) {
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
		caller := tools.Caller{Principal: event.Principal{Platform: c.platform, Scope: c.scope, Level: event.Owner}}
		if got := len(policy.Policy{}.ToolList(caller, []tools.Tool{toolOf(c.def)})) == 1; got != c.want {
			t.Errorf("%s: platform %q, scope %q: offered: %v", c.id, c.platform, c.scope, got)
		}
	}
}

// tool-permission-07: what was not offered is refused again when it is called by its name.
func TestConformanceCalledBelowItsLevel(t *testing.T) {
	call := callOf(toolOf(tools.Def{Capabilities: tools.Reads, Level: event.BotAdmin}))
	call.Caller.Level = event.GroupOwner
	if menu := (policy.Policy{}).ToolList(call.Caller, []tools.Tool{call.Tool}); len(menu) != 0 {
		t.Error("tool-permission-07: it is offered")
	}
	if got := said(policy.Policy{}.Judge(t.Context(), call)); got != "deny level" {
		t.Errorf("tool-permission-07: %s", got)
	}
}

// turn-engine-28: of one person's inputs twenty are taken in any minute. The next is refused and says when the first of them
// is a minute ago; what others say does not count.
func TestConformanceRateLimit(t *testing.T) {
	t.Run("turn-engine-28", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := policy.NewLimiter(policy.Limits{TurnsPerMinute: config.Default().Policy.TurnsPerMinute}, time.Now)
			type refusal struct {
				Type, Code, Text string
				Wait             time.Duration
			}
			say := func(user string) (r refusal) {
				many, told := (*policy.TooManyError)(nil), (*tools.Error)(nil)
				if err := l.Allow("http", user, "go north"); errors.As(err, &many) && errors.As(err, &told) {
					r = refusal{told.Type, told.Code, err.Error(), many.RetryAfter()}
				} else if err != nil {
					t.Error(err)
				}
				return r
			}
			many := func(text string, wait time.Duration) refusal {
				return refusal{event.TypeRateLimit, event.CodeRateLimitExceeded, text, wait}
			}
			pass := func(d time.Duration) { <-time.After(d) }
			var got []refusal
			got = append(got, say("ada"))
			pass(45 * time.Second)
			for range 19 {
				got = append(got, say("ada"))
			}
			pass(5 * time.Second)
			got = append(got, say("ada"), say("bob"))
			pass(9500 * time.Millisecond)
			got = append(got, say("ada"))
			pass(500 * time.Millisecond)
			got = append(got, say("ada"), say("ada"))
			want := make([]refusal, 20, 25)
			want = append(want, many("at most 20 messages a minute: try again in 10 s", 10*time.Second), refusal{},
				many("at most 20 messages a minute: try again in 1 s", time.Second/2),
				refusal{}, many("at most 20 messages a minute: try again in 45 s", 45*time.Second)) // it slides: nineteen are still counted
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	})
}
