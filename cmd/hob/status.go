package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	local "hob/internal/surface/http"
)

// statusFor is how long status waits for Ollama, which may be down.
const statusFor = 3 * time.Second

func statusCommand(a *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: "say what hob is doing, and how the model does", Args: cobra.NoArgs,
		RunE: does(func(ctx context.Context, _ []string) error {
			s, err := a.beside(ctx)
			if err != nil {
				return err
			}
			st, err := a.status(ctx, s)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(st)
			}
			return st.print(a)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// standing is what `hob status --json` prints.
type standing struct {
	Running string       `json:"running"` // who works on the state, "" is nobody
	Root    bool         `json:"root"`    // hob status runs as root
	Ollama  ollamaStatus `json:"ollama"`
	Model   modelStatus  `json:"model"`
	Chats   []chatStatus `json:"chats"` // those of the last day, and those with an open turn; newest first
	Day     dayStatus    `json:"day"`   // the last 24 hours
	Errors  []oneError   `json:"errors"`

	Waiting []session.Parked `json:"waiting"` // turns that wait for the model
	Parked  []session.Parked `json:"parked"`  // turns that are set aside until somebody tries them again

	Unreadable int `json:"unreadable,omitempty"` // events of these chats that cannot be read

	Now *local.Status `json:"now,omitempty"` // what the hob that runs says of itself

	reads, writes speed // of the day
}

type ollamaStatus struct {
	Host    string `json:"host"`
	Version string `json:"version,omitempty"`
	Error   string `json:"error,omitempty"`
}

type modelStatus struct {
	Name    string `json:"name,omitempty"`
	Profile string `json:"profile,omitempty"`
	Mode    string `json:"mode,omitempty"`
	Context int    `json:"context"` // tokens
	Loaded  bool   `json:"loaded"`
	Tools   int    `json:"max_tools,omitempty"` // it is told of so many tools at most
}

type chatStatus struct {
	Chat    event.Chat `json:"chat"`
	Time    time.Time  `json:"time"` // of the last that happened
	Open    bool       `json:"open"` // a turn is not finished
	Context int        `json:"context_used"`
	Cached  float64    `json:"cached"` // share of the last prompt that the server did not read anew, -1 unknown
}

type dayStatus struct {
	Turns           int     `json:"turns"`
	Replies         int     `json:"replies"`
	Wasted          int     `json:"wasted"`    // replies of no use, asked for again
	Repaired        int     `json:"repaired"`  // calls that were mended
	Corrected       int     `json:"corrected"` // calls that did not fit
	Compacted       int     `json:"compacted"`
	PromptPerSecond float64 `json:"prompt_per_second"` // tokens
	EvalPerSecond   float64 `json:"eval_per_second"`

	Story *storyStatus `json:"story,omitempty"` // of turns of stories that a model has told
}

// storyStatus is what stories took, by stage.
type storyStatus struct {
	Told      int         `json:"told"` // turns
	Plan      stageTokens `json:"plan"` // to find out what happens
	Narration stageTokens `json:"narration"`
}

// stageTokens are what was read and what was written.
type stageTokens struct {
	Prompt int `json:"prompt"`
	Eval   int `json:"eval"`
}

type oneError struct {
	Time time.Time  `json:"time"`
	Chat event.Chat `json:"chat"`
	Text string     `json:"text"`
}

// status looks at the state, the journal and the server.
func (a *program) status(ctx context.Context, s *app.Environment) (standing, error) {
	st := standing{Root: app.IsRoot(), Ollama: ollamaStatus{Host: strings.Join(s.Hosts, ", ")}, Chats: []chatStatus{}, Errors: []oneError{},
		Waiting: []session.Parked{}, Parked: []session.Parked{}}
	if bad := store.CheckFolder(s.StateDir); bad != nil {
		return st, exit.Errorf(exit.Usage, "%v", bad)
	}
	if _, err := os.Stat(s.JournalPath()); err == nil { // else nothing has happened yet, and looking must not make it look so
		if err := st.look(ctx, s); err != nil {
			return st, err
		}
	}
	st.listen(ctx, s)
	st.ask(ctx, s, app.NewModel(s))
	return st, nil
}

// look finds out who works on the state, and reads the journal.
func (st *standing) look(ctx context.Context, s *app.Environment) error {
	var err error
	if st.Running, err = store.Holder(s.LockPath()); err != nil {
		return s.ExplainUnwritable(err)
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return st.read(ctx, db, time.Now().Add(-24*time.Hour))
}

// listen asks the hob that runs. One that does not answer is told of by what it holds and has written.
func (st *standing) listen(ctx context.Context, s *app.Environment) {
	if st.Running == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, statusFor)
	defer cancel()
	if now, err := local.NewClient(s.SocketPath()).Status(ctx); err == nil {
		st.Now = &now
	}
}

// printNow says what the hob that runs says of itself.
func (st standing) printNow(line func(name, format string, args ...any)) {
	if st.Now == nil {
		return
	}
	line("since", "%s", st.Now.Since.Local().Format("2006-01-02 15:04"))
	if st.Now.Telegram != "" {
		line("telegram", "%s", st.Now.Telegram)
	}
	if q := st.Now.Queue; q.Running+q.Waiting > 0 {
		line("queue", "the model answers %s, and %d more wait", display.Count(q.Running, "request"), q.Waiting)
	}
	for _, c := range st.Now.Held {
		line("held", "%s stands still: hob log %s tells why", c, c)
	}
}

// ask asks the server; that it does not answer is part of the status.
func (st *standing) ask(ctx context.Context, s *app.Environment, e *app.Model) {
	ctx, cancel := context.WithTimeout(ctx, statusFor)
	defer cancel()
	if err := e.ReadProfiles(); err != nil {
		st.Errors = append(st.Errors, oneError{time.Now(), "profiles", err.Error()})
	}
	c, err := e.Ready(ctx)
	e.Mu.Lock()
	numCtx, facts, profile := e.NumCtx, e.Facts, e.Profile
	e.Mu.Unlock()
	st.Model.Context = numCtx
	v, down := s.OllamaClient.Version(ctx)
	if err = cmp.Or(err, down); err != nil {
		st.Ollama.Error = err.Error()
	}
	st.Ollama.Version = v
	if c == nil {
		return
	}
	st.Model.Name, st.Model.Profile, st.Model.Mode = facts.Model, profile.Name, string(profile.Mode)
	st.Model.Tools = profile.MaxTools
	if st.Model.Mode == "" {
		st.Model.Mode = string(llm.NativeMode)
	}
	if loaded, err := c.Context(ctx); err == nil && loaded > 0 {
		st.Model.Loaded, st.Model.Context = true, min(loaded, numCtx)
	}
}

// read counts what the journal says since a time.
func (st *standing) read(ctx context.Context, db *store.DB, since time.Time) error {
	chats, err := db.Chats(ctx)
	if err != nil {
		return err
	}
	parked, err := parkedIn(ctx, db)
	if err != nil {
		return err
	}
	st.set(parked)
	for _, info := range chats {
		if info.Time.Before(since) && len(info.Open) == 0 {
			continue
		}
		open := len(atWork(info, parked)) > 0
		c := tally{chatStatus: chatStatus{Chat: info.Chat, Time: info.Time, Open: open, Cached: -1}}
		for e, err := range db.Chat(ctx, info.Chat, 0) {
			if err != nil {
				return err
			}
			if _, unreadable := e.Body.(event.Unreadable); unreadable {
				st.Unreadable++
			}
			c.add(e, st, !e.Time.Before(since))
		}
		st.Chats = append(st.Chats, c.chatStatus)
	}
	st.Day.PromptPerSecond, st.Day.EvalPerSecond = st.reads.perSecond(), st.writes.perSecond()
	st.sort()
	return nil
}

// set keeps which turns stand still.
func (st *standing) set(parked []session.Parked) {
	for _, p := range parked {
		if p.Waits() {
			st.Waiting = append(st.Waiting, p)
		} else {
			st.Parked = append(st.Parked, p)
		}
	}
}

// print says it to a person.
func (st standing) print(a *program) error {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.stdout, "%-9s %s\n", name, display.Clean(fmt.Sprintf(format, args...)))
	}
	if st.Running == "" {
		line("hob", "nothing is running on this state")
	} else {
		line("hob", "%s is running", st.Running)
	}
	st.printNow(line)
	if st.Root {
		line("warning", "%s", app.RootWarning)
	}
	if st.Ollama.Version != "" {
		line("ollama", "%s at %s", st.Ollama.Version, st.Ollama.Host)
	}
	if st.Ollama.Error != "" {
		line("ollama", "%s", st.Ollama.Error)
	}
	if st.Model.Name != "" {
		line("model", "%s", st.Model.words())
	}
	for _, c := range st.Chats {
		line("chat", "%s", c.words(st.Model.Context, st.Running != ""))
	}
	for _, p := range st.Waiting {
		line("waiting", "%s", parkedWords(p))
	}
	for _, p := range st.Parked {
		line("parked", "%s; hob retry %d tries it again", parkedWords(p), p.ID)
	}
	if st.Unreadable > 0 {
		line("journal", "%s cannot be read: `hob doctor` says which", display.Count(st.Unreadable, "event"))
	}
	d := st.Day
	if d.Turns+d.Replies == 0 {
		line("today", "nothing has happened yet")
	} else {
		line("today", "%s, %s of the model (%d of no use), %s mended and %d sent back to it; conversations made shorter: %d",
			display.Count(d.Turns, "turn"), display.Count(d.Replies, "reply"), d.Wasted, display.Count(d.Repaired, "call"), d.Corrected, d.Compacted)
	}
	switch {
	case d.PromptPerSecond > 0:
		line("speed", "the model reads %.0f and writes %.1f tokens a second", d.PromptPerSecond, d.EvalPerSecond)
	case d.EvalPerSecond > 0:
		line("speed", "the model writes %.1f tokens a second", d.EvalPerSecond)
	}
	if s := d.Story; s != nil {
		line("stories", "%s told: to find out what happens %d tokens were read and %d written, to tell it %d and %d", display.Count(s.Told, "turn"),
			s.Plan.Prompt, s.Plan.Eval, s.Narration.Prompt, s.Narration.Eval)
	}
	for _, e := range st.Errors {
		line("error", "%s %s: %s", e.Time.Local().Format("15:04"), e.Chat, e.Text)
	}
	return nil
}

// words says which model it is, and how it stands.
func (m modelStatus) words() string {
	loaded := "not loaded"
	if m.Loaded {
		loaded = "loaded"
	}
	few := ""
	if m.Tools > 0 && m.Tools < app.UsualTools {
		few = fmt.Sprintf(", told of %d tools at most", m.Tools)
	}
	return fmt.Sprintf("%s, %s, context %d tokens%s (profile %s, %s calls)", m.Name, loaded, m.Context, few, m.Profile, m.Mode)
}

// words says how a chat stands.
func (c chatStatus) words(window int, running bool) string {
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
