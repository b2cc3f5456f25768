package agent

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
)

// errTime is the cause of a context that ended because the turn's time was used up.
var errTime = errors.New("the turn's time is used up")

// lastWordsTime is what the model gets for its last words when the turn's time is used up.
const lastWordsTime = 30 * time.Second

const overTime = "I ran out of time for this turn. Ask me to go on, or raise [agent] max_time."

const overSpent = "I used up the budget of this turn before I was done. Ask me to go on."

// used names the budget that is used up, or "".
func (b Budget) used() string {
	switch {
	case b.Steps <= 0:
		return "steps"
	case b.Calls <= 0:
		return "tool calls"
	case b.Time <= 0:
		return "time"
	case b.Output <= 0:
		return "output"
	}
	return ""
}

// lastWords is what the model is told when a budget is used up. The tools stay in the request, so that the server's
// cache stays warm; calls are refused.
func lastWords(limit string) string {
	return fmt.Sprintf("[hob: the budget of %s for this turn is used up; tool calls are refused now. "+
		"Answer with what you have, and say what is left to do.]", limit)
}

// after is the turn once the model has replied.
func (t Turn) after(r *llm.Reply) Turn {
	t.Spent.Steps++
	t.Spent.PromptTokens = r.Usage.PromptTokens
	t.Spent.EvalTokens += r.Usage.EvalTokens
	t.Budget.Steps--
	t.Budget.Output -= r.Usage.EvalTokens
	return t
}

// reason says why a turn that ends with a reply without calls has ended.
func (t Turn) reason(r *llm.Reply) event.Reason {
	switch {
	case strings.TrimSpace(r.Message.Text) == "":
		return event.NoModel
	case t.Spent.Last:
		return event.OverSpent
	case t.Spent.Denied > 0 && t.Spent.Allowed == 0:
		return event.Denied
	}
	return event.Done
}

// finalWords are what the person reads: the model's words, or hob's own where the model has none. Silence is not an
// outcome.
func finalWords(r *llm.Reply) string {
	text := strings.TrimSpace(r.Message.Text)
	switch {
	case text == "" && r.Truncated:
		return "The model's reply was cut off before it said anything. Ask again, or raise [ollama] num_predict."
	case text == "":
		return "The model gave an empty reply. Ask again, or try another model with `hob model use NAME`."
	case r.Truncated:
		return text + "\n\n[The reply was cut off here: it reached its limit of tokens.]"
	}
	return text
}

// cut shortens text to at most limit bytes: the head and the tail, on line ends where there are any, and between them a
// line that says how much is missing.
func cut(text string, limit int) string {
	if limit <= 0 || len(text) <= limit {
		return text
	}
	head, tail := text[:limit*6/10], text[len(text)-limit*4/10:]
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	head, tail = strings.ToValidUTF8(head, ""), strings.ToValidUTF8(tail, "")
	return fmt.Sprintf("%s\n[... %d of %d bytes left out ...]\n%s", head, len(text)-len(head)-len(tail), len(text), tail)
}
