package rules

import "encoding/json"

// Result holds those members of the results of tools that are told or shown. Each tool has some of them.
type Result struct {
	DC                                   *int64 // nil where nothing was checked
	ToHit                                *int64 `json:"to_hit"` // nil where nobody was attacked
	Roll, Total, Defence, Damage         int64
	Outcome, Skill, Winner, Answer, Find string
	Found                                []string // what came to light
	Hit                                  bool
	Minutes, Earlier, Round              int64
	Actor, Target                        json.RawMessage // of an opposed check: see [Side]
	Twist                                []string
	Check                                *Result // of a tool that has a check within
	Order                                []struct{ Actor string }
}

// Side is one of two in an opposed check.
type Side struct {
	ID    string
	Total int64
}

// Read returns the result of a call that was applied. It is empty if the tool means something else by members of these
// names.
func (o Outcome) Read() (r Result) {
	if !o.OK() || json.Unmarshal(o.Result, &r) != nil {
		return Result{}
	}
	return r
}

// Sides returns the two sides of an opposed check, or false for any other result.
func (r Result) Sides() (one, two Side, ok bool) {
	ok = json.Unmarshal(r.Actor, &one) == nil && json.Unmarshal(r.Target, &two) == nil
	return one, two, ok
}

// Failed reports whether a check failed.
func (r Result) Failed() bool { return r.Outcome == Fail || r.Outcome == Fumble }
