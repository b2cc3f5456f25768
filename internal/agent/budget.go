package agent

import (
	"errors"
	"time"

	"hob/internal/event"
)

// Budget is what a turn may use in all. When a limit is reached the turn ends with reason "budget";
// the model gets one more reply to say what it knows.
type Budget struct {
	Steps  int           // replies of the model
	Calls  int           // tool calls
	Time   time.Duration // of the model and of tools, without waits for a person
	Output int           // tokens generated
}

// errTime is the cause of a context that ended because the turn's time was used up.
var errTime = errors.New("the turn's time is used up")

// lastWordsTime is the time for the model's last reply once the turn's time is used up.
const lastWordsTime = 30 * time.Second

const overTime = "I ran out of time for this turn. Ask me to go on, or raise [agent] max_time."

const misfitWords = "The model could not call a tool in a form that fits, also when told what was wrong. Ask in other words, or measure it with `hob model try NAME`."

// budgetWords is the reply to the person if the model says nothing after its budget is used up.
func budgetWords(why event.Why) string {
	if why == event.ForLoop {
		return "I made the same steps again and again, and stopped. Ask in other words, or in smaller steps."
	}
	return "I used up the budget of this turn before I was done. Ask me to go on."
}

// exhaustedBudget names the budget that is used up, or "".
func (t Turn) exhaustedBudget() string {
	switch s, b := t.Progress, t.Budget; {
	case s.Steps >= b.Steps:
		return "steps"
	case s.Calls >= b.Calls:
		return "tool calls"
	case s.Time >= b.Time:
		return "time"
	case s.EvalTokens >= b.Output:
		return "output"
	}
	return ""
}
