package campaigns

import (
	"context"
	"encoding/json"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
)

// PlayResult is a played call.
type PlayResult struct {
	Campaign string          `json:"campaign"`
	Turn     int64           `json:"turn"` // 0: no turn, because it only looked or the campaign has ended
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args"`
	Status   rules.Status    `json:"status"`
	Reason   string          `json:"reason"`
	Detail   string          `json:"detail"`
	Code     string          `json:"error_code"`
	Text     string          `json:"text"`
	Result   json.RawMessage `json:"result"`
	Created  string          `json:"created_id"`
	State    string          `json:"state_hash"`
}

// Choice is a suggestion for the next turn: a call with a label.
type Choice struct {
	Label string `json:"label"`
	Call  struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	} `json:"call"`
}

// Play plays one call as a user's turn. A call that only looks is no turn, so that a redo stays
// possible. A call that the game refuses is no error.
func Play(ctx context.Context, t Campaign, user string, call rules.Call) (PlayResult, error) {
	r := eventlog.Request{User: user, Calls: []rules.Call{call}, Looks: true}
	var p eventlog.PlayResult
	if game.Rules().Tool(call.Tool).Class == rules.Reading {
		seen, err := t.Preview(ctx, r)
		if err != nil {
			return PlayResult{}, err
		}
		p = seen.PlayResult
		p.Turn = 0
	} else {
		var err error
		if p, err = t.Play(ctx, r); err != nil {
			return PlayResult{}, err
		}
	}
	o := p.Outcomes[0]
	return PlayResult{
		Campaign: t.ID, Turn: p.Turn, Tool: o.Call.Tool, Args: orEmptyObject(o.Call.Args), Status: o.Status, Reason: o.Reason(), Detail: o.Detail(),
		Code: o.ErrorCode(), Text: game.Rules().Text(t.World().Self().Lang, o.Say), Result: orEmptyObject(o.Result), Created: o.Created, State: p.State,
	}, nil
}

// OK reports whether the game applied the call.
func (p PlayResult) OK() bool { return p.Status == rules.Applied }

// Map returns the drawn map, or "".
func (p PlayResult) Map() string {
	var result struct{ Text string }
	if p.Tool != "map_render" || json.Unmarshal(p.Result, &result) != nil {
		return ""
	}
	return result.Text
}

// Choices returns the offered choices.
func (p PlayResult) Choices() []Choice {
	var result struct{ Choices []Choice }
	if p.Tool != "choices" || json.Unmarshal(p.Result, &result) != nil {
		return nil
	}
	for i, c := range result.Choices {
		result.Choices[i].Call.Args = orEmptyObject(c.Call.Args)
	}
	return result.Choices
}

// orEmptyObject returns raw, or an empty object if raw is not valid.
func orEmptyObject(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage("{}")
	}
	return raw
}
