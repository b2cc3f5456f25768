package http

import (
	"encoding/json"
)

// The words of seed 002 for what a game's tool came to.
const (
	statusApplied  = "applied"
	statusRejected = "rejected"
	statusError    = "error"
)

// played is what a call of a game's tool came to, in its own words.
type played struct {
	Result json.RawMessage   `json:"result"`      // the tool's documented object
	Patch  []json.RawMessage `json:"state_patch"` // RFC 6902: what it changed; other tools may have one, too
	Text   string            `json:"text"`
	Game   verdict           `json:"game"`
}

// verdict is what the rules say to a call.
type verdict struct {
	Status string `json:"status"`     // applied, rejected or error; "" where no game's tool says so
	Reason string `json:"reason"`     // of seed 002, such as actor_state_restricted
	Detail string `json:"detail"`     // the rule, such as not_your_turn
	Code   string `json:"error_code"` // of seed 003, such as INVALID_ARGS
}

// playedIn reads the data of a result. Of data of another shape is what fits: another tool's result may have fields of the
// same names.
func playedIn(data any) played {
	var p played
	if data == nil {
		return p
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return p
	}
	_ = json.Unmarshal(raw, &p) // a field of another type is left out, and the rest read
	switch p.Game.Status {
	case statusApplied, statusRejected, statusError:
		if len(p.Result) == 0 {
			p.Result = json.RawMessage("null")
		}
	default:
		p = played{Patch: p.Patch}
	}
	return p
}

// is reports whether it was a game's tool that was called.
func (p played) is() bool { return p.Game.Status != "" }

// failed reports whether the rules themselves say why the call came to nothing.
func (p played) failed() bool { return p.Game.Status == statusRejected || p.Game.Status == statusError }
