package http

import "encoding/json"

// The words of seed 002 for the outcome of a game's tool.
const (
	statusApplied  = "applied"
	statusRejected = "rejected"
	statusError    = "error"
)

// gameResult is the result of a call of a game's tool, in its own words.
type gameResult struct {
	Args   json.RawMessage   `json:"args"`        // as the game understood them
	Result json.RawMessage   `json:"result"`      // the tool's documented object
	Patch  []json.RawMessage `json:"state_patch"` // RFC 6902: its changes; other tools may have one, too
	Text   string            `json:"text"`
	Game   verdict           `json:"game"`
}

// verdict is the judgement of the rules on a call.
type verdict struct {
	Status string `json:"status"`     // applied, rejected or error; "" for a tool that is no game's
	Reason string `json:"reason"`     // of seed 002, such as actor_state_restricted
	Detail string `json:"detail"`     // the rule, such as not_your_turn
	Code   string `json:"error_code"` // of seed 003, such as INVALID_ARGS
}

// readGameResult reads the data of a result. It keeps what fits: the result of another tool may
// have fields of the same names.
func readGameResult(data any) gameResult {
	var g gameResult
	if data == nil {
		return g
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return g
	}
	_ = json.Unmarshal(raw, &g) // a field of another type is left out, and the rest read
	switch g.Game.Status {
	case statusApplied, statusRejected, statusError:
		if len(g.Result) == 0 {
			g.Result = json.RawMessage("null")
		}
	default:
		g = gameResult{Patch: g.Patch}
	}
	return g
}

// isGame reports whether the tool is a game's.
func (g gameResult) isGame() bool { return g.Game.Status != "" }

// hasFailed reports whether the rules themselves say why the call failed.
func (g gameResult) hasFailed() bool {
	return g.Game.Status == statusRejected || g.Game.Status == statusError
}
