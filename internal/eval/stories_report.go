package eval

import (
	"slices"

	"hob/internal/event"
	"hob/internal/llm/toolcall"
)

// StoryReport is what `hob game eval --json` prints.
type StoryReport struct {
	Model string      `json:"model"`
	Lang  string      `json:"lang"`
	Turns []StoryTurn `json:"turns"`
	Total Total       `json:"total"`
}

// StoryTurn is a player's message and its outcome.
type StoryTurn struct {
	Tale       string   `json:"tale"`
	Line       string   `json:"line"`  // its name: two, try, talk ...
	Words      string   `json:"words"` // the message
	Reply      string   `json:"reply"` // for the player
	Reason     string   `json:"reason"`
	Calls      []Call   `json:"calls"`
	Changed    bool     `json:"changed"`    // a call changed the world, or rolled dice
	Right      bool     `json:"right"`      // the right tool did so, or rightly none
	Still      bool     `json:"still"`      // nothing changed though something should
	Problems   []string `json:"problems"`   // faults of the narration
	Flagged    int      `json:"flagged"`    // narrations that contradicted the outcome
	Rewrites   int      `json:"rewrites"`   // narrations written again
	Fallback   bool     `json:"fallback"`   // the engine narrated
	Unreadable int      `json:"unreadable"` // replies with neither text nor a call
	Requests   int      `json:"requests"`   // to the model
	Plan       Tokens   `json:"plan"`       // of the first stage, which calls tools
	Narrate    Tokens   `json:"tell"`       // of the second stage, which narrates
	Seconds    float64  `json:"seconds"`
}

type Call struct {
	id      string
	Tool    string `json:"tool"`
	Args    string `json:"args"` // as JSON
	Applied bool   `json:"applied"`
	Code    string `json:"code,omitempty"` // why not
}

// Tokens counts requests and tokens. Prompt includes cached tokens.
type Tokens struct {
	Requests int `json:"requests"`
	Prompt   int `json:"prompt"`
	Eval     int `json:"eval"`
}

// Total is the sum of all turns.
type Total struct {
	Turns         int     `json:"turns"`
	Right         int     `json:"right"`
	Calls         int     `json:"calls"`
	Applied       int     `json:"applied"`
	Still         int     `json:"still"`
	Flagged       int     `json:"flagged"`
	Rewrites      int     `json:"rewrites"`
	Fallbacks     int     `json:"fallbacks"`
	Unreadable    int     `json:"unreadable"`
	Plan          Tokens  `json:"plan"`
	Narrate       Tokens  `json:"tell"`
	MedianSeconds float64 `json:"median_seconds"`
	WorstSeconds  float64 `json:"worst_seconds"`
}

// addEvent counts an event of the turn.
func (t *StoryTurn) addEvent(body event.Body) {
	switch b := body.(type) {
	case event.Generated:
		t.addReply(b)
	case event.Called:
		t.Calls = append(t.Calls, Call{id: b.ID, Tool: b.Tool, Args: string(b.Args)})
	case event.Returned:
		i := slices.IndexFunc(t.Calls, func(c Call) bool { return c.id == b.ID })
		if i < 0 {
			return
		}
		if t.Calls[i].Applied = b.OK; b.Error != nil {
			t.Calls[i].Code = b.Error.Code
		}
	case event.Replied:
		t.Reply = b.Text
	case event.Ended:
		t.Reason = string(b.Reason)
	}
}

// addReply counts a reply of the model. Replies that the engine gave in its place have no model.
func (t *StoryTurn) addReply(b event.Generated) {
	if b.Usage.Model == "" {
		return
	}
	t.Requests++
	stage := &t.Plan
	if b.Narrates() {
		stage = &t.Narrate
	}
	stage.add(Tokens{1, b.Usage.PromptTokens, b.Usage.EvalTokens})
	switch b.Class {
	case event.ClassRewrite:
		t.Rewrites++
	case string(toolcall.Empty), string(toolcall.Thinking), string(toolcall.Truncated), string(toolcall.Malformed), string(toolcall.Incomplete):
		t.Unreadable++
	}
}

func (u *Tokens) add(v Tokens) {
	u.Requests, u.Prompt, u.Eval = u.Requests+v.Requests, u.Prompt+v.Prompt, u.Eval+v.Eval
}

// sumTurns adds up turns.
func sumTurns(turns []StoryTurn) (sum Total) {
	var seconds []float64
	for _, t := range turns {
		sum.Turns++
		sum.Right += countTrue(t.Right)
		sum.Still += countTrue(t.Still)
		sum.Fallbacks += countTrue(t.Fallback)
		sum.Flagged += t.Flagged
		sum.Rewrites += t.Rewrites
		sum.Unreadable += t.Unreadable
		sum.Calls += len(t.Calls)
		for _, c := range t.Calls {
			sum.Applied += countTrue(c.Applied)
		}
		sum.Plan.add(t.Plan)
		sum.Narrate.add(t.Narrate)
		seconds = append(seconds, t.Seconds)
	}
	if n := len(seconds); n > 0 {
		slices.Sort(seconds)
		sum.MedianSeconds, sum.WorstSeconds = (seconds[(n-1)/2]+seconds[n/2])/2, seconds[n-1]
	}
	return sum
}

// countTrue returns 1 for true and 0 for false.
func countTrue(is bool) int {
	if is {
		return 1
	}
	return 0
}
