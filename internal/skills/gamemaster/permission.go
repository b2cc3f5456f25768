package gamemaster

import (
	"encoding/json"

	"hob/internal/event"
	"hob/internal/game/rules"
	"hob/internal/tools"
)

// checkCaller returns an error for a call that its caller may not make. A tool that a person calls
// by its name is not held back by the rules of a turn, so in a group only admins may do that. Who
// plays whom is for people to say.
func (tn turn) checkCaller(t *rules.Tool, args json.RawMessage) error {
	no := func(text, instead string) error {
		return &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: text, Suggestion: instead}
	}
	switch tn.caller.Call.From {
	case tools.FromCommand:
		switch {
		case t.Class == rules.Reading || tn.may():
		case tn.actorOf(tn.caller.User) == "":
			return no(tn.say("join_first"), "")
		default:
			return no(tn.say("owner_only"), "")
		}
	case tools.FromModel:
		if tn.isAboutPlayers(t, args) {
			return no("who plays is for the people to say", "leave that to them: they have /join, /leave and /mode")
		}
	case tools.FromPlan:
	}
	return nil
}

// isAboutPlayers reports whether a call is about who plays: a player's character joins or leaves,
// gets an owner, or gets another one's turn.
func (camp *campaign) isAboutPlayers(t *rules.Tool, args json.RawMessage) bool {
	call := rules.Call{Args: args}
	switch t.Name {
	case "party":
		a := camp.World().Actor(call.Text("actor_id"))
		return a != nil && (a.Role == "pc" || a.Owner != "")
	case "create_character":
		return call.Text("user_id") != ""
	case "set_active_actor":
		return true
	}
	return false
}
