package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
)

// StatusSource says how hob does.
type StatusSource interface {
	// Status returns how the model does, how one chat does, what stands still, and the last errors of all chats, newest first.
	Status(ctx context.Context, chat event.Chat) (StatusReport, error)
}

// StatusFor is how long a status waits for the model's server, which may be down.
const StatusFor = 3 * time.Second

// StatusReport is what hob is doing, and how the model does: `hob status --json` prints it.
type StatusReport struct {
	Running string        `json:"running"` // who works on the state, "" is nobody
	Root    bool          `json:"root"`    // hob status runs as root
	Ollama  OllamaStatus  `json:"ollama"`
	Model   ModelStatus   `json:"model"`
	Chats   []ChatStatus  `json:"chats"` // those of the last day, and those with an open turn; newest first
	Day     DayStatus     `json:"day"`   // the last 24 hours
	Errors  []StatusError `json:"errors"`

	Waiting []ParkedTurn `json:"waiting"` // turns that wait for the model
	Parked  []ParkedTurn `json:"parked"`  // turns that are set aside until somebody tries them again

	Unreadable int `json:"unreadable,omitempty"` // events of these chats that cannot be read

	Queue     *QueueStatus `json:"queue,omitempty"`     // of the model of the hob that answers
	Questions int          `json:"questions,omitempty"` // that wait for an answer
}

// OllamaStatus is how the model's server does.
type OllamaStatus struct {
	Host    string `json:"host"`
	Version string `json:"version,omitempty"`
	Error   string `json:"error,omitempty"`
}

// ModelStatus is which model it is, and how it does.
type ModelStatus struct {
	Name    string `json:"name,omitempty"`
	Profile string `json:"profile,omitempty"`
	Mode    string `json:"mode,omitempty"`
	Context int    `json:"context"` // tokens
	Loaded  bool   `json:"loaded"`
	Tools   int    `json:"max_tools,omitempty"` // it is told of so many tools at most
	Few     bool   `json:"-"`                   // which is fewer than usual
}

// ChatStatus is how a chat does.
type ChatStatus struct {
	Chat    event.Chat `json:"chat"`
	Time    time.Time  `json:"time"` // of the last that happened
	Open    bool       `json:"open"` // a turn is not finished
	Context int        `json:"context_used"`
	Cached  float64    `json:"cached"` // share of the last prompt that the server did not read anew, -1 unknown
}

// DayStatus counts what happened in a day.
type DayStatus struct {
	Turns           int     `json:"turns"`
	Replies         int     `json:"replies"`
	Wasted          int     `json:"wasted"`    // replies of no use, asked for again
	Repaired        int     `json:"repaired"`  // calls that were mended
	Corrected       int     `json:"corrected"` // calls that did not fit
	Compacted       int     `json:"compacted"`
	PromptPerSecond float64 `json:"prompt_per_second"` // tokens
	EvalPerSecond   float64 `json:"eval_per_second"`

	Story *StoryStatus `json:"story,omitempty"` // of turns of stories that a model has told
}

// StoryStatus is what stories took, by stage.
type StoryStatus struct {
	Told      int         `json:"told"` // turns
	Plan      StageTokens `json:"plan"` // to find out what happens
	Narration StageTokens `json:"narration"`
}

// StageTokens are what was read and what was written.
type StageTokens struct {
	Prompt int `json:"prompt"`
	Eval   int `json:"eval"`
}

// Add counts what one reply took.
func (t *StageTokens) Add(u llm.Usage) {
	t.Prompt, t.Eval = t.Prompt+u.PromptTokens, t.Eval+u.EvalTokens
}

// StatusError is why a turn came to nothing.
type StatusError struct {
	Time time.Time  `json:"time"`
	Chat event.Chat `json:"chat"`
	Text string     `json:"text"`
}

// QueueStatus is what the model is doing.
type QueueStatus struct {
	Running   int   `json:"running"` // requests
	Waiting   int   `json:"waiting"`
	TypicalMS int64 `json:"typical_ms"` // how long a reply takes, 0 unknown
}

// Words says which model it is, and how it does.
func (m ModelStatus) Words() string {
	loaded, few := "not loaded", ""
	if m.Loaded {
		loaded = "loaded"
	}
	if m.Few {
		few = fmt.Sprintf(", told of %d tools at most", m.Tools)
	}
	return fmt.Sprintf("%s, %s, context %d tokens%s (profile %s, %s calls)", m.Name, loaded, m.Context, few, m.Profile, m.Mode)
}

// Words says how a chat does, its name first. window is the context of the model.
func (c ChatStatus) Words(window int, running bool) string {
	text := string(c.Chat)
	switch {
	case c.Open && running:
		text += ": a turn is open"
	case c.Open:
		text += ": a turn was cut short and goes on with the next hob"
	}
	if c.Context > 0 && window > 0 {
		text += fmt.Sprintf(": %d of %d tokens of context used (%d %%)", c.Context, window, c.Context*100/window)
	}
	if c.Cached >= 0 {
		text += fmt.Sprintf(", %.0f %% of the last prompt from the cache", c.Cached*100)
	}
	return text
}

// Words says who uses the model and who waits for it.
func (q QueueStatus) Words() string {
	text := "the model is free"
	if q.Running > 0 {
		text = "the model is at work"
		if q.Waiting > 0 {
			text += fmt.Sprintf(", %d more wait", q.Waiting)
		}
	}
	if typical := time.Duration(q.TypicalMS) * time.Millisecond; typical >= time.Second/2 {
		text += fmt.Sprintf("; a reply takes about %s", typical.Round(time.Second))
	}
	return text
}

// status says in a few lines how hob does.
func (d Deps) status(ctx context.Context, by Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, StatusFor)
	defer cancel()
	waits, err := d.questionsFor(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	st, err := d.Status.Status(ctx, by.Chat)
	if err != nil {
		return Answer{}, err
	}
	st.Questions = len(waits)
	st = st.visibleTo(by, ctx.Err() != nil)
	lines := []string{st.modelLine(), "**Queue**: " + st.Queue.Words(), st.chatLine()}
	switch {
	case len(waits) > 0 && by.Level >= event.BotAdmin:
		lines = append(lines, "**Waiting**: "+display.Count(len(waits), "question")+", see /approve")
	case len(waits) > 0:
		lines = append(lines, "**Waiting**: "+display.Count(len(waits), "question"))
	}
	for _, p := range st.still() {
		lines = append(lines, fmt.Sprintf("**Stands still**: %d in %s", p.ID, safe(brief(p.Words()))))
	}
	if len(st.Errors) > 0 {
		e, where := st.Errors[0], ""
		if e.Chat != by.Chat {
			where = " in " + safe(string(e.Chat))
		}
		lines = append(lines, fmt.Sprintf("**Last error**: %s%s: %s", at(e.Time), where, safe(brief(e.Text))))
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: st}, nil
}

// visibleTo leaves out what is not for whoever asks: of other chats only those hear who look after hob, and what hob knows
// of itself is not for groups. Where Ollama is is not everybody's business.
func (st StatusReport) visibleTo(by Request, late bool) StatusReport {
	if late && st.Ollama.Error != "" {
		st.Ollama.Error = fmt.Sprintf("it has not answered within %s", StatusFor)
	}
	if by.Level >= event.BotAdmin && by.private() {
		return st
	}
	if st.Ollama.Error != "" && !late {
		st.Ollama.Error = "it does not work now"
	}
	st.Ollama.Host = ""
	other := func(chat event.Chat) bool { return chat != by.Chat }
	st.Errors = slices.DeleteFunc(slices.Clone(st.Errors), func(e StatusError) bool { return other(e.Chat) })
	st.Waiting = slices.DeleteFunc(slices.Clone(st.Waiting), func(p ParkedTurn) bool { return other(p.Chat) })
	st.Parked = slices.DeleteFunc(slices.Clone(st.Parked), func(p ParkedTurn) bool { return other(p.Chat) })
	return st
}

// modelLine says which model it is, or what keeps it away.
func (st StatusReport) modelLine() string {
	text := "**Model**: none yet"
	if st.Model.Name != "" {
		text = "**Model**: " + safe(st.Model.Words())
	}
	if st.Ollama.Error != "" {
		text += "\n**Ollama**: " + safe(st.Ollama.Error)
	}
	return text
}

// chatLine says how the one chat of the report does.
func (st StatusReport) chatLine() string {
	for _, c := range st.Chats {
		c.Chat = "this chat"
		if words := strings.TrimPrefix(c.Words(st.Model.Context, true), "this chat: "); words != "this chat" {
			return "**This chat**: " + safe(words)
		}
	}
	return "**This chat**: nothing goes on"
}

// still returns the turns that wait for the model or are parked, oldest first.
func (st StatusReport) still() []ParkedTurn {
	all := slices.Concat(st.Waiting, st.Parked)
	slices.SortFunc(all, func(a, b ParkedTurn) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
