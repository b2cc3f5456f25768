package rules

import "encoding/json"

// Call is a request to change the world or to look at it, in the form of seed 002.
type Call struct {
	ID     string          // the caller's own, echoed
	Tool   string          // its name
	Args   json.RawMessage // an object; names in snake_case or camelCase
	Reason string          // why; logged, never checked
	Actor  string          // execution.actor_id or actor_id of the request: who acts; "" is the world's active actor
}

// Text returns an argument that is a string, else "".
func (c Call) Text(name string) string {
	args, _ := parseArgs(c.Args)
	return args.Text(name)
}

// Doers returns the arguments that say who acts.
func Doers() []string { return []string{"actor_id", "player_id", "attacker_id"} }

// Status is how a call ended (seed 002).
type Status string

// The statuses. A call that was not applied changes nothing.
const (
	Applied  Status = "applied"
	Rejected Status = "rejected" // it was not allowed, by the allowlist or by the state of who acts
	Failed   Status = "error"    // its arguments do not fit the world
)

// Code says why a call was not applied, or adds a notice to one that was. It can be any word. The codes below have
// words of their own in the vocabularies of the seeds, in which any other counts as [InvalidArgs].
type Code string

// The codes of game.md 6.2.
const (
	ToolNotAllowed    Code = "tool_not_allowed"
	InvalidArgs       Code = "invalid_args"
	EntityNotFound    Code = "entity_not_found"
	NotReachable      Code = "not_reachable"
	SamePlace         Code = "same_place"
	Cycle             Code = "cycle"
	SelfTarget        Code = "self_target"
	ReservedAttribute Code = "reserved_attribute"
	AttributeNotFound Code = "attribute_not_found"
	ActorMismatch     Code = "actor_context_mismatch"
	ActorRestricted   Code = "actor_state_restricted"
	ActorInvalid      Code = "invalid_actor_state"
	SessionMismatch   Code = "session_mismatch"
	RepeatIllegal     Code = "repeat_illegal_request"
	RateLimited       Code = "rate_limited"
	UpstreamTimeout   Code = "upstream_timeout"
	UpstreamInvalid   Code = "upstream_invalid"
	Internal          Code = "internal"
	CampaignEnded     Code = "campaign_ended"
	RequestConflict   Code = "request_conflict"

	// PlaceNotFound is [EntityNotFound] of a place, for which seed 003 has a code of its own.
	PlaceNotFound Code = "place_not_found"
	// ArgsRejected is [InvalidArgs] that was found together with the actor (Decision 11): rejected,
	// not failed.
	ArgsRejected Code = "args_rejected"
)

// translation is what a code is in the seeds' vocabularies.
type translation struct {
	status    Status
	reason    Code   // of seed 002
	errorCode string // of seed 003
	detail    Code
}

// translate returns what c is in the seeds' vocabularies.
func (c Code) translate() translation {
	known, ok := map[Code]translation{
		ToolNotAllowed:  {Rejected, c, "TOOL_NOT_ALLOWED", c},
		ActorMismatch:   {Rejected, c, "ACTOR_MISMATCH", c},
		ActorRestricted: {Rejected, c, "ACTOR_STATE_RESTRICTED", c},
		ActorInvalid:    {Rejected, c, "ACTOR_STATE_RESTRICTED", c},
		RepeatIllegal:   {Rejected, c, "RATE_LIMITED", c},
		RateLimited:     {Rejected, c, "RATE_LIMITED", c},
		ArgsRejected:    {Rejected, InvalidArgs, "INVALID_ARGS", InvalidArgs},
		SessionMismatch: {Failed, InvalidArgs, "SESSION_MISMATCH", c},
		PlaceNotFound:   {Failed, InvalidArgs, "ZONE_NOT_FOUND", EntityNotFound},
		UpstreamTimeout: {Failed, c, "AI_TIMEOUT", c},
		UpstreamInvalid: {Failed, c, "INVALID_AI_JSON", c},
		Internal:        {Failed, c, "INTERNAL_ERROR", c},
	}[c]
	if !ok {
		return translation{Failed, InvalidArgs, "INVALID_ARGS", c}
	}
	return known
}

// Outcome is the result of a call. Each seed sees it in its own form: Text (seed 000), Status and Reason (seed 002),
// Result with ErrorCode (seed 003).
type Outcome struct {
	Call      Call   // its Args as they were understood: ids trimmed, what was left out filled in
	Actor     string // who acted, of a tool that an actor uses
	Status    Status
	Code      Code            // "" for a call that was applied and has nothing to be noted
	Say       Sentence        // the sentence about it
	Result    json.RawMessage // the tool's documented object; nil where there is none
	Created   string          // the id of what was created
	Changed   bool            // it changed the world
	Automatic bool            // nobody asked for it: the turn led to it (see [Turn.Follow])
}

// OK reports whether the call was applied.
func (o Outcome) OK() bool { return o.Status == Applied }

// Reason is seed 002's word for why the call was not applied, "" for one that was.
func (o Outcome) Reason() string {
	if o.OK() {
		return ""
	}
	return string(o.Code.translate().reason)
}

// Detail is the code of game.md 6.2: why the call was not applied, or the notice.
func (o Outcome) Detail() string {
	if o.Code == "" {
		return ""
	}
	return string(o.Code.translate().detail)
}

// ErrorCode is seed 003's code, "" for a call that was applied.
func (o Outcome) ErrorCode() string {
	if o.OK() {
		return ""
	}
	return o.Code.translate().errorCode
}
