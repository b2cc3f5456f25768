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

// StatusSource reports the status of a hob.
type StatusSource interface {
	// Status reports on the model, one chat, the waiting and parked turns, and the last errors of
	// all chats, newest first.
	Status(ctx context.Context, chat event.Chat) (StatusReport, error)
}

// StatusTimeout limits how long a status waits for the model's server.
const StatusTimeout = 3 * time.Second

// StatusReport is the status of a hob: `hob status --json` prints it.
type StatusReport struct {
	Holder string        `json:"running"` // the command that holds the state, or ""
	Root   bool          `json:"root"`    // hob status runs as root
	Ollama OllamaStatus  `json:"ollama"`
	Model  ModelStatus   `json:"model"`
	Chats  []ChatStatus  `json:"chats"` // those of the last day, and those with an open turn; newest first
	Day    DayStatus     `json:"day"`   // the last 24 hours
	Errors []StatusError `json:"errors"`

	Waiting []event.ParkedTurn `json:"waiting"` // turns that wait for the model
	Parked  []event.ParkedTurn `json:"parked"`  // turns that are set aside until a person retries them

	Unreadable int `json:"unreadable,omitempty"` // events of these chats that cannot be decoded

	Queue     *QueueStatus `json:"queue,omitempty"`     // of the hob that answers
	Questions int          `json:"questions,omitempty"` // without an answer
}

// OllamaStatus is the state of the model's server.
type OllamaStatus struct {
	Host    string `json:"host"`
	Version string `json:"version,omitempty"`
	Error   string `json:"error,omitempty"`
	Program string `json:"program,omitempty"` // the path of hob's own server: it runs, or starts when it is needed
}

// Describe returns its state in lines.
func (o OllamaStatus) Describe() []string {
	switch {
	case o.Program != "" && o.Version != "":
		return []string{fmt.Sprintf("%s at %s, which hob has started: %s", o.Version, o.Host, o.Program)}
	case o.Program != "":
		return []string{"none answers at " + o.Host + "; hob starts its own when it needs one: " + o.Program}
	}
	var lines []string
	if o.Version != "" {
		lines = append(lines, o.Version+" at "+o.Host)
	}
	if o.Error != "" {
		lines = append(lines, o.Error)
	}
	return lines
}

// ModelStatus is the model in use.
type ModelStatus struct {
	Name     string `json:"name,omitempty"`
	Wanted   string `json:"wanted,omitempty"` // the one that the configuration names, if it cannot be asked now
	Profile  string `json:"profile,omitempty"`
	Mode     string `json:"mode,omitempty"`
	Context  int    `json:"context"` // tokens
	Loaded   bool   `json:"loaded"`
	Tools    int    `json:"max_tools,omitempty"` // the most that a prompt lists
	FewTools bool   `json:"-"`                   // Tools is below the usual number
}

// ChatStatus is the state of a chat.
type ChatStatus struct {
	Chat    event.Chat `json:"chat"`
	Time    time.Time  `json:"time"` // of the last event
	Open    bool       `json:"open"` // a turn is not finished
	Context int        `json:"context_used"`
	Cached  float64    `json:"cached"` // share of the last prompt that came from the server's cache; -1: unknown
}

// DayStatus counts the events of a day.
type DayStatus struct {
	Turns           int     `json:"turns"`
	Replies         int     `json:"replies"`
	Wasted          int     `json:"wasted"`    // unusable replies, requested again
	Repaired        int     `json:"repaired"`  // calls
	Corrected       int     `json:"corrected"` // calls that did not fit
	Compacted       int     `json:"compacted"`
	PromptPerSecond float64 `json:"prompt_per_second"` // tokens
	EvalPerSecond   float64 `json:"eval_per_second"`

	Story *StoryStatus `json:"story,omitempty"` // of turns of stories that a model narrated
}

// StoryStatus is the cost of stories, by stage.
type StoryStatus struct {
	Turns     int         `json:"told"` // turns
	Plan      StageTokens `json:"plan"` // before the narration
	Narration StageTokens `json:"narration"`
}

// StageTokens counts tokens that were read and written.
type StageTokens struct {
	Prompt int `json:"prompt"`
	Eval   int `json:"eval"`
}

// Add adds the usage of one reply.
func (t *StageTokens) Add(u llm.Usage) {
	t.Prompt, t.Eval = t.Prompt+u.PromptTokens, t.Eval+u.EvalTokens
}

// StatusError is the failure of a turn.
type StatusError struct {
	Time time.Time  `json:"time"`
	Chat event.Chat `json:"chat"`
	Text string     `json:"text"`
}

// QueueStatus is the requests to the model.
type QueueStatus struct {
	Running   int   `json:"running"` // requests
	Waiting   int   `json:"waiting"`
	TypicalMS int64 `json:"typical_ms"` // duration of a reply; 0: unknown
}

// Describe returns the model and its settings in a line.
func (m ModelStatus) Describe() string {
	loaded, few := "not loaded", ""
	if m.Loaded {
		loaded = "loaded"
	}
	if m.FewTools {
		few = fmt.Sprintf(", told of %d tools at most", m.Tools)
	}
	return fmt.Sprintf("%s, %s, context %d tokens%s (profile %s, %s calls)", m.Name, loaded, m.Context, few, m.Profile, m.Mode)
}

// inShort returns the model in a few words, for a phone.
func (m ModelStatus) inShort() string {
	text := m.Name + ", ready"
	if !m.Loaded {
		text = m.Name + ", not loaded: the next answer takes longer"
	}
	if m.FewTools {
		text += fmt.Sprintf("; it sees %d tools at a time", m.Tools)
	}
	return text
}

// Describe returns the chat's state in a line that begins with its name. window is the context of
// the model.
func (c ChatStatus) Describe(window int, running bool) string {
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

// Describe returns the state of the queue in a line.
func (q QueueStatus) Describe() string {
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

// status reports in a few lines.
func (d Deps) status(ctx context.Context, by Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, StatusTimeout)
	defer cancel()
	waits, err := d.visibleQuestions(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	st, err := d.Status.Status(ctx, by.Chat)
	if err != nil {
		return Answer{}, err
	}
	st.Questions = len(waits)
	st = st.limitTo(by, ctx.Err() != nil)
	lines := []string{st.modelLine(), "**Queue**: " + st.Queue.Describe(), st.chatLine()}
	switch {
	case len(waits) > 0 && by.Level >= event.BotAdmin:
		lines = append(lines, "**Waiting**: "+display.Count(len(waits), "question")+", see /approve")
	case len(waits) > 0:
		lines = append(lines, "**Waiting**: "+display.Count(len(waits), "question"))
	}
	for _, p := range st.parkedTurns() {
		lines = append(lines, fmt.Sprintf("**Stands still**: %d in %s", p.ID, escape(shorten(p.Describe(d.Now().Location())))))
	}
	if len(st.Errors) > 0 {
		e, where := st.Errors[0], ""
		if e.Chat != by.Chat {
			where = " in " + escape(string(e.Chat))
		}
		lines = append(lines, fmt.Sprintf("**Last error**: %s%s: %s", d.timeFor(by, e.Time), where, escapeText(shorten(e.Text))))
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: st}, nil
}

// limitTo removes what the person may not see. Only bot admins see other chats and the address of
// Ollama, and only in private.
func (st StatusReport) limitTo(by Request, late bool) StatusReport {
	if late && st.Ollama.Error != "" {
		st.Ollama.Error = fmt.Sprintf("it has not answered within %s", StatusTimeout)
	}
	if by.Level >= event.BotAdmin && by.isPrivate() {
		return st
	}
	if st.Ollama.Error != "" && !late {
		st.Ollama.Error = "it does not work now"
	}
	st.Ollama.Host, st.Ollama.Program = "", ""
	other := func(chat event.Chat) bool { return chat != by.Chat }
	st.Errors = slices.DeleteFunc(slices.Clone(st.Errors), func(e StatusError) bool { return other(e.Chat) })
	st.Waiting = slices.DeleteFunc(slices.Clone(st.Waiting), func(p event.ParkedTurn) bool { return other(p.Chat) })
	st.Parked = slices.DeleteFunc(slices.Clone(st.Parked), func(p event.ParkedTurn) bool { return other(p.Chat) })
	return st
}

// modelLine returns the line about the model and its server.
func (st StatusReport) modelLine() string {
	text := "**Model**: none yet"
	switch {
	case st.Model.Name != "":
		text = "**Model**: " + escape(st.Model.inShort())
	case st.Model.Wanted != "":
		text = "**Model**: " + escape(st.Model.Wanted+", which cannot be asked now")
	}
	if st.Ollama.Error != "" {
		text += "\n**Ollama**: " + escapeText(st.Ollama.Error)
	}
	return text
}

// chatLine returns the line about the report's one chat.
func (st StatusReport) chatLine() string {
	var words []string
	for _, c := range st.Chats {
		if c.Open {
			words = append(words, "hob is at work on something")
		}
		if c.Context > 0 && st.Model.Context > 0 {
			words = append(words, fmt.Sprintf("the conversation fills %d %% of what the model keeps in mind", c.Context*100/st.Model.Context))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing goes on"}
	}
	return "**This chat**: " + strings.Join(words, "; ")
}

// parkedTurns returns the waiting and parked turns, oldest first.
func (st StatusReport) parkedTurns() []event.ParkedTurn {
	all := slices.Concat(st.Waiting, st.Parked)
	slices.SortFunc(all, func(a, b event.ParkedTurn) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
