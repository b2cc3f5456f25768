package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The table of game.md 6.2.
func TestCode_Projections(t *testing.T) {
	rejected, failed := rules.Rejected, rules.Failed
	for code, want := range map[rules.Code]verdict{
		rules.ToolNotAllowed:    {rejected, "tool_not_allowed", "TOOL_NOT_ALLOWED", "tool_not_allowed"},
		rules.InvalidArgs:       {failed, "invalid_args", "INVALID_ARGS", "invalid_args"},
		rules.ArgsRejected:      {rejected, "invalid_args", "INVALID_ARGS", "invalid_args"},
		rules.EntityNotFound:    {failed, "invalid_args", "INVALID_ARGS", "entity_not_found"},
		rules.PlaceNotFound:     {failed, "invalid_args", "ZONE_NOT_FOUND", "entity_not_found"},
		rules.NotReachable:      {failed, "invalid_args", "INVALID_ARGS", "not_reachable"},
		rules.SamePlace:         {failed, "invalid_args", "INVALID_ARGS", "same_place"},
		rules.Cycle:             {failed, "invalid_args", "INVALID_ARGS", "cycle"},
		rules.SelfTarget:        {failed, "invalid_args", "INVALID_ARGS", "self_target"},
		rules.ReservedAttribute: {failed, "invalid_args", "INVALID_ARGS", "reserved_attribute"},
		rules.AttributeNotFound: {failed, "invalid_args", "INVALID_ARGS", "attribute_not_found"},
		rules.ActorMismatch:     {rejected, "actor_context_mismatch", "ACTOR_MISMATCH", "actor_context_mismatch"},
		rules.ActorRestricted:   {rejected, "actor_state_restricted", "ACTOR_STATE_RESTRICTED", "actor_state_restricted"},
		rules.ActorInvalid:      {rejected, "invalid_actor_state", "ACTOR_STATE_RESTRICTED", "invalid_actor_state"},
		rules.SessionMismatch:   {failed, "invalid_args", "SESSION_MISMATCH", "session_mismatch"},
		rules.RepeatIllegal:     {rejected, "repeat_illegal_request", "RATE_LIMITED", "repeat_illegal_request"},
		rules.RateLimited:       {rejected, "rate_limited", "RATE_LIMITED", "rate_limited"},
		rules.UpstreamTimeout:   {failed, "upstream_timeout", "AI_TIMEOUT", "upstream_timeout"},
		rules.UpstreamInvalid:   {failed, "upstream_invalid", "INVALID_AI_JSON", "upstream_invalid"},
		rules.Internal:          {failed, "internal", "INTERNAL_ERROR", "internal"},
		rules.CampaignEnded:     {failed, "invalid_args", "INVALID_ARGS", "campaign_ended"},
		"door_closed":           {failed, "invalid_args", "INVALID_ARGS", "door_closed"},
	} {
		o := rules.Outcome{Status: want.Status, Code: code}
		if diff := cmp.Diff(want, judged(o)); diff != "" {
			t.Errorf("%s:\n%s", code, diff)
		}
		// The status of a refusal follows from its code.
		turn := turn(t, house(t, active()))
		if got := refusedWith(t, turn, code); got.Status != want.Status || got.Code != code {
			t.Errorf("%s is %s", code, got.Status)
		}
	}
	o := rules.Outcome{Status: rules.Applied, Code: rules.SamePlace}
	if diff := cmp.Diff(verdict{Status: rules.Applied, Detail: "same_place"}, judged(o)); diff != "" {
		t.Errorf("a notice:\n%s", diff)
	}
	if diff := cmp.Diff(verdict{Status: rules.Applied}, judged(rules.Outcome{Status: rules.Applied})); diff != "" {
		t.Errorf("what was applied:\n%s", diff)
	}
}

func TestOutcome_OfANotice(t *testing.T) {
	w := house(t, world.Self{Active: "ann"})
	turn, hash := turn(t, w), w.Hash()
	o := call(turn, "same", `{}`)
	if diff := cmp.Diff(verdict{Status: rules.Applied, Detail: "same_place"}, judged(o)); diff != "" || o.Changed || w.Hash() != hash {
		t.Errorf("changed %v\n%s", o.Changed, diff)
	}
}
