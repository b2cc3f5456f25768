package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/llm"
	"hob/internal/tools"
)

// Chores reads chores out of what a person types, so that no model is asked for them. The zero Chores reads none.
//
// A chore is a command of that person, as /name is: their level, platform and scope hold, and the call passes policy,
// journal and audit. Only what they have typed themselves, to hob, is read: see [Input.Typed].
type Chores struct {
	Sentences Sentences
	Always    bool // also what is not certain is read, where there is a model
	// HasModel reports whether a model can be asked now.
	HasModel func(context.Context) bool
	// Exists reports whether all that a reading names is there, for somebody in a chat.
	Exists func(context.Context, event.Chat, intents.Reading) bool
	// Resolve returns a reading with what its words leave open, or with a question about what they name, for the caller of ctx. Nil: as it
	// is.
	Resolve func(context.Context, intents.Reading) intents.Reading
	// Run runs a row of the table of commands for the caller of ctx and returns its answer.
	Run func(context.Context, intents.Reading) (string, error)
}

// Sentences are the sentences that are understood. [*intents.Sentences] is one.
type Sentences interface {
	Read(text string) intents.Reading
	Loosely(text string) intents.Reading
	// LanguageOf returns the language of a text, "" where it does not say.
	LanguageOf(text string) string
	// Translate returns in the language of a chore what was answered to it.
	Translate(r intents.Reading, answer string) string
}

// The commands that the chat runs itself.
const (
	choreStop = "stop"
	choreNew  = "new"
	choreUndo = "undo" // a row of the table of commands
)

// choreUndoChange is the kind of the chore that takes back a change by its number.
const choreUndoChange = "undo_change"

// typed returns the words of an input that may be a chore, or "".
func typed(s event.Said) string {
	isChore := s.Typed || s.Command && !tools.IsCommand(s.Text)
	if !isChore || len(s.Attachments)+len(s.Files)+len(s.Aside) > 0 || s.Pick != "" {
		return ""
	}
	return cmp.Or(s.Own, s.Text)
}

// recent is how long "never mind" takes back what the turn before it has made.
const recent = time.Hour

// retraction returns what "never mind", said at a time, takes back: the reminders that the turn before it has made. stopped reports that
// it has stopped that turn instead.
func (t *turn) retraction(seq int64, at time.Time) (changes []int64, stopped bool) {
	if t.stoppedAt > seq {
		return nil, true
	}
	if at.Sub(t.saidAt) > recent {
		return nil, false
	}
	return t.reminders, false
}

// undoReading is the command that takes back changes.
func undoReading(r intents.Reading, changes []int64) intents.Reading {
	var numbers []string
	for _, n := range changes {
		numbers = append(numbers, strconv.FormatInt(n, 10))
	}
	args, _ := json.Marshal(map[string]string{"change": strings.Join(numbers, " ")}) // it has no value that fails
	return intents.Reading{
		Kind: choreUndo, Call: llm.Call{Name: choreUndo, Args: args}, Command: true, Acts: true, Score: r.Score, Lang: r.Lang, Retracts: true,
	}
}

// past is what a message is read by besides its words.
type past struct {
	at        time.Time // when it was said
	reminders []int64   // the changes that "never mind" takes back
	stopped   bool      // it has stopped the turn before it
}

// lookBack returns what the open turn's message is read by.
func (c *chat) lookBack() past {
	cur := c.tr.current()
	p := past{at: cur.saidAt}
	if n := len(c.tr.turns); n > 1 {
		p.reminders, p.stopped = c.tr.turns[n-2].retraction(cur.seq, cur.saidAt)
	}
	return p
}

// mostLooked is how many turns are looked at for the language of a chat.
const mostLooked = 50

// resolve returns a reading as it is meant at a time: in the language of the chat, where the words are of several, and with what they
// leave open.
func (c *chat) resolve(ctx context.Context, caller tools.Caller, r intents.Reading, at time.Time) intents.Reading {
	r = c.inLanguage(ctx, r).At(at)
	if c.cfg.Chores.Resolve != nil && r.Kind != "" {
		r = c.cfg.Chores.Resolve(tools.WithCaller(ctx, caller), r)
	}
	return r
}

// inLanguage returns a reading in the language of the chat, where the words are of several.
func (c *chat) inLanguage(ctx context.Context, r intents.Reading) intents.Reading {
	if r.IsOfSeveral() {
		lang := ""
		_ = c.access(ctx, func() { lang = c.lastLanguage() }) // a chat that is over reads nothing more
		return r.In(lang)
	}
	return r
}

// lastLanguage returns the language of the newest words of a person in the chat that say one, "" where none do.
func (c *chat) lastLanguage() string {
	turns := c.tr.turns[max(0, len(c.tr.turns)-mostLooked):]
	for _, t := range slices.Backward(turns) {
		if lang := c.cfg.Chores.Sentences.LanguageOf(typed(t.input)); lang != "" {
			return lang
		}
	}
	return ""
}

// readChore returns what a person has typed as a chore. The zero Reading means that it is none, and for the model. In a chat with
// a driver it is the driver's to read, but for one: "undo #41" is that change of hob's list everywhere. Words of time mean what they meant
// at that time. Words of several languages are of that of the chat, and "never mind" is about the turn before.
func (c *chat) readChore(ctx context.Context, said event.Said, past past, ch chooser) intents.Reading {
	words, chores := typed(said), c.cfg.Chores
	if words == "" || chores.Sentences == nil {
		return intents.Reading{}
	}
	at := past.at.In(c.cfg.Now().Location())
	r := c.resolve(ctx, ch.caller, chores.Sentences.Read(words), at)
	driven := slices.ContainsFunc(ch.openSkills, func(o event.Opened) bool { return o.Lead })
	switch {
	case driven && (r.Kind != choreUndoChange || r.Asks || r.Ask != ""):
		return intents.Reading{}
	case r.Retracts && past.stopped:
		return intents.Reading{Kind: choreStop, Call: llm.Call{Name: choreStop}, Command: true, Score: 1, Lang: r.Lang}
	case r.Retracts && len(past.reminders) > 0:
		return undoReading(r, past.reminders)
	case r.Retracts && r.Near:
		return intents.Reading{} // "forget it" is said of many things
	}
	exists := r.Call.Name != "" && chores.Exists(ctx, c.name, r)
	if r.Near && !exists {
		return intents.Reading{} // "done" is said of many things
	}
	if exists && r.Ask == "" && !r.Asks || r.Ask != "" && r.Call.Name != "" || said.Command && r.Kind != "" {
		return r
	}
	if !chores.Always && chores.HasModel(ctx) {
		return intents.Reading{}
	}
	r = c.resolve(ctx, ch.caller, chores.Sentences.Loosely(words), at)
	if r.Near && (r.Retracts || !chores.Exists(ctx, c.name, r)) {
		return intents.Reading{}
	}
	return r
}

// choreID is the ID of the call that a chore of a turn becomes.
func choreID(turn int64) string { return "chore-" + strconv.FormatInt(turn, 10) }

// choreCall returns the call of the turn that a chore has become, if it is one, and whether anything has answered the turn.
// A call of a model is no person's, whatever ID its server gives it.
func (t *turn) choreCall() (call llm.Call, answered bool) {
	for _, m := range t.messages {
		answered = answered || m.Role == llm.AssistantRole
		for _, call := range m.Calls {
			if call.ID == choreID(t.seq) && t.usage.Steps == 0 {
				return call, true
			}
		}
	}
	return llm.Call{}, answered
}

// isCommand reports whether the turn is a person's own call, by its name or as a chore.
func (t *turn) isCommand() bool {
	call, _ := t.choreCall()
	return t.input.Command || call.ID != ""
}

// prepareChore makes t a turn that is the call of a chore, or returns the answer in its place, in the language of the words. isChore is
// false where these are none. What the turn has called before a crash is what it goes on with, whatever the words would mean now.
func (c *chat) prepareChore(ctx context.Context, seq int64, said event.Said, ch chooser, t *agent.Turn, g *gate) (answer string, isChore bool, err error) {
	if typed(said) == "" || c.cfg.Chores.Sentences == nil {
		return "", false, nil
	}
	if ch, err = c.refresh(ctx, ch); err != nil {
		return "", false, err
	}
	call, begun, answered, before := llm.Call{}, false, false, past{}
	err = c.access(ctx, func() {
		cur := c.tr.current()
		before = c.lookBack()
		call, answered = cur.choreCall()
		begun = cur.started[choreID(seq)]
	})
	if err != nil || answered && call.ID == "" {
		return "", false, err // the model has it already
	}
	r := c.readChore(ctx, said, before, ch)
	translate := func(answer string) string { return c.cfg.Chores.Sentences.Translate(r, answer) }
	switch {
	case call.ID != "" && (r.Call.Name != call.Name || string(r.Call.Args) != string(call.Args)):
		r = intents.Reading{Call: call, Acts: true, Lang: r.Lang} // nobody knows any more how sure it was: it asks
	case begun && r.Kind == "":
		return translate("hob was cut short while doing that: look at what it did before you repeat it."), true, nil
	case r.Kind == "":
		return "", false, nil
	}
	tool := tools.Find(ch.existingTools(), r.Call.Name)
	mayKnow := r.Call.Name == "" || has(ch.callableTools(), r.Call.Name) // a question about a call may name what only its caller may know
	switch {
	case r.Ask != "" && mayKnow:
		return translate(r.Ask), true, nil
	case r.Ask != "" && tool == nil:
		return "", false, nil
	case r.Call.Name == "":
		return r.Answer, r.Answer != "", nil
	case r.Command && r.Acts && r.Many:
		var args struct{ Last int }
		_ = json.Unmarshal(r.Call.Args, &args) // it is hob's own
		return translate(fmt.Sprintf("That takes back %d changes. To do it say: /%s", args.Last, commandLine(r))), true, nil
	case r.Command && r.Acts && r.Score < 1:
		return translate("Do you mean /" + commandLine(r) + "? Then say that."), true, nil
	case r.Command:
		answer, err = c.runCommandChore(ctx, seq, begun, r)
		return translate(answer), true, err
	}
	t.Budget = c.cfg.Budget
	if _, err := c.fillHistory(ctx, t, llm.KeepNone); err != nil {
		return "", false, err
	}
	if tool == nil {
		return "", false, nil
	}
	r.Call.ID = choreID(seq)
	t.Command, t.Tools, t.Translate = &r.Call, []tools.Tool{tool}, translate
	g.command, g.unsure = true, r.Acts && (r.Score < 1 || r.Many)
	return "", true, nil
}

// commandLine is a chore as a line of the table of commands, such as "tools disable fetch".
func commandLine(r intents.Reading) string {
	return strings.TrimSpace(r.Call.Name + " " + strings.NewReplacer(`{`, "", `}`, "", `"`, "", `:`, " ", `,`, " ").Replace(string(r.Call.Args)))
}

// runCommandChore runs a row of the table of commands, or what the chat itself does. One that acts and was cut short by a crash is
// reported, and not run again.
func (c *chat) runCommandChore(ctx context.Context, seq int64, begun bool, r intents.Reading) (string, error) {
	if begun {
		return "hob was cut short while doing /" + commandLine(r) + ": look at what it did before you repeat it.", nil
	}
	switch r.Call.Name {
	case choreStop:
		return "Stopped.", nil // submit has stopped what ran
	case choreNew:
		return "A new conversation begins.", c.doInTurn(ctx, func(ctx context.Context) error { return c.forget(ctx, seq) })
	}
	if r.Acts {
		if err := c.emit(context.WithoutCancel(ctx), seq, []event.Body{event.Started{CallID: choreID(seq)}}); err != nil {
			return "", err
		}
	}
	answer, err := c.cfg.Chores.Run(ctx, r)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if bad := (*event.Error)(nil); errors.As(err, &bad) && bad.Suggestion != "" {
		return bad.Message + ": " + bad.Suggestion, nil
	}
	if err != nil {
		return err.Error(), nil //nolint:nilerr // the person reads it
	}
	return cmp.Or(answer, "Done."), nil
}

// needsNoModel reports whether an input is certainly a chore, which need not wait for a model.
func (c *chat) needsNoModel(ctx context.Context, said event.Said) bool {
	words, chores := typed(said), c.cfg.Chores
	if words == "" || chores.Sentences == nil || c.tr.drivingSkill() != "" {
		return false
	}
	r := chores.Sentences.Read(words).At(c.cfg.Now())
	if n := len(c.tr.turns); r.Retracts && r.Near {
		return n > 0 && len(c.tr.turns[n-1].reminders) > 0
	}
	return r.Call.Name != "" && r.Ask == "" && chores.Exists(ctx, c.name, r)
}

// isStop reports whether an input is the plain word that stops a turn, as /stop does. What takes back stops first, where that turn is
// the newest.
func (c *chat) isStop(said event.Said) bool {
	words, t := typed(said), c.tr.stoppable()
	if words == "" || c.cfg.Chores.Sentences == nil || c.tr.drivingSkill() != "" || t == nil {
		return false
	}
	r, n := c.cfg.Chores.Sentences.Read(words), len(c.tr.turns)
	if r.Retracts {
		return n == 0 || c.tr.turns[n-1].seq <= t.seq
	}
	return r.Call.Name == choreStop
}
