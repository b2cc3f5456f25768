package gamemaster

import (
	"encoding/json"

	"hob/internal/event"
	"hob/internal/game/rules"
	"hob/internal/tools"
)

// checkCaller returns an error for a call that its caller may not make. The order of turns does not hold back a person
// who calls a tool by name, so only those who may decide for everybody can, unless the tool only reads. A model may not
// decide who plays which character.
func (tn turn) checkCaller(t *rules.Tool, args json.RawMessage) error {
	no := func(text, instead string) error {
		return &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied, Message: text, Suggestion: instead}
	}
	switch tn.caller.Call.From {
	case tools.FromCommand:
		switch {
		case t.Class == rules.Reading || tn.mayDecide():
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

// isAboutPlayers reports whether a call changes who plays: a player's character joins or leaves, gets an owner, or gets
// the turn.
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
