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
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return false // it is refused for that
	}
	text := func(names ...string) (s string) {
		for _, name := range names {
			if json.Unmarshal(given[name], &s) == nil && s != "" {
				return s
			}
		}
		return ""
	}
	switch t.Name {
	case "party":
		a := camp.World().Actor(text("actor_id", "actorId"))
		return a != nil && (a.Role == "pc" || a.Owner != "")
	case "create_character":
		return text("user_id", "userId") != ""
	case "set_active_actor":
		return true
	}
	return false
}
