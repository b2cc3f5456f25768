package web

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"math"
	"mime"
	"net/http"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
)

// houseView is what hob says of itself.
type houseView struct {
	Questions []houseQuestion
	MayAnswer bool // the visitor may say yes and no to questions
	Reminders []Reminder
	Facts     []commands.Fact
	HasFacts  bool // the visitor may read what is known
	Sections  []section
	Calls     []event.Audit
	Backup    bool // the visitor may have one
}

// houseQuestion is a question of some chat.
type houseQuestion struct {
	question
	Chat event.Chat
	Here bool // the visitor may read the chat, and allow once and for all
}

// rowAct is something to do with a reminder or a fact.
type rowAct struct {
	ID   int64
	Do   string // as the command has it
	Word string // the key of the button's words
	Of   string // what it is done with
}

// section is a command of the table and its answer.
type section struct {
	Key     string // of its title
	Command string
	HTML    template.HTML
	Choices [][]commands.Choice
	Error   string
	Figures []figure
}

// figure is a figure of the status.
type figure struct {
	Key  string // of what it is called
	Text string
}

// figuresOf are the figures of a status that its lines do not have.
func (s *Server) figuresOf(v visit, st commands.StatusReport) (all []figure) {
	if st.Day.EvalPerSecond > 0 {
		all = append(all, figure{"reads", fmt.Sprintf("%.0f", st.Day.PromptPerSecond)}, figure{"writes-speed", fmt.Sprintf("%.1f", st.Day.EvalPerSecond)})
	}
	if s.cfg.Free != nil && v.Level >= event.Owner {
		if free, err := s.cfg.Free(); err == nil {
			all = append(all, figure{"disk-free", display.Bytes(int64(min(free, math.MaxInt64)))})
		}
	}
	return all
}

// houseCommands are the commands that the house shows, in this order. Who may not give one does not see it.
func houseCommands() []string {
	return []string{"status", "undo list", "ps", "retry", "log", "privacy"}
}

// showHouse serves GET /house.
func (s *Server) showHouse(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat) error {
	data := houseView{Backup: s.mayBackUp(v)}
	for _, add := range []func(context.Context, visit, commands.Request, *houseView) error{
		s.addQuestions, s.addReminders, s.addFacts, s.addSections, s.addHouseCalls,
	} {
		if err := add(r.Context(), v, s.request(v, chat, ""), &data); err != nil {
			return err
		}
	}
	return s.show(w, r, s.newView("house", v, chat, data))
}

// run runs a command that a visitor may give; ok is false where they may not.
func (s *Server) run(ctx context.Context, name string, by commands.Request) (a commands.Answer, ok bool, err error) {
	table := s.cfg.Commands()
	c, known := table.Find(name, commands.Page)
	if mayRun := known && c.Permit(by) == nil; !mayRun {
		return a, false, nil
	}
	a, err = table.Run(ctx, name, by)
	return a, true, err
}

func (s *Server) addQuestions(ctx context.Context, v visit, by commands.Request, data *houseView) error {
	a, ok, err := s.run(ctx, "approve", by)
	all, _ := a.Data.([]commands.Question)
	data.MayAnswer = ok
	for _, q := range all {
		data.Questions = append(data.Questions, houseQuestion{newQuestion(v.words, q.Asked), q.Chat, checkChat(v, q.Chat) == nil})
	}
	return err
}

func (s *Server) addReminders(ctx context.Context, _ visit, by commands.Request, data *houseView) (err error) {
	if s.cfg.Reminders == nil {
		return nil
	}
	data.Reminders, err = s.cfg.Reminders(ctx, by)
	for i, one := range data.Reminders {
		data.Reminders[i].Line = display.Visible(one.Line)
	}
	return err
}

func (s *Server) addFacts(ctx context.Context, _ visit, by commands.Request, data *houseView) error {
	a, ok, err := s.run(ctx, "memory", by)
	data.HasFacts = ok
	data.Facts, _ = a.Data.([]commands.Fact)
	for i, f := range data.Facts {
		data.Facts[i].Text, data.Facts[i].From, data.Facts[i].Of = display.Visible(f.Text), display.Visible(f.From), display.Visible(f.Of)
	}
	return err
}

// addSections adds what commands answer. One that fails says why in its place.
func (s *Server) addSections(ctx context.Context, v visit, by commands.Request, data *houseView) error {
	for _, line := range houseCommands() {
		name, args := commands.Split(line)
		by.Args = args
		a, ok, err := s.run(ctx, name, by)
		if !ok {
			continue
		}
		part := section{Key: "house." + name, Command: name}
		if err != nil {
			part.Error = event.SentenceOf(err)
		} else {
			part.HTML, part.Choices = renderMarkdown(a.Text), a.Choices
		}
		if st, is := a.Data.(commands.StatusReport); is {
			part.Figures = s.figuresOf(v, st)
		}
		data.Sections = append(data.Sections, part)
	}
	return nil
}

func (s *Server) addHouseCalls(ctx context.Context, v visit, _ commands.Request, data *houseView) (err error) {
	data.Calls, err = s.callsFor(ctx, v, shownCalls)
	return err
}

// mayBackUp reports whether a visitor may have all that hob keeps.
func (s *Server) mayBackUp(v visit) bool { return s.cfg.Backup != nil && v.Level >= event.Owner }

// backup serves POST /backup: all that hob keeps, as one file. It wants a new sign-in as a change of rights does.
func (s *Server) backup(w http.ResponseWriter, r *http.Request, v visit) error {
	switch {
	case !s.mayBackUp(v):
		return refusal{http.StatusNotFound, errPart}
	case !s.isFresh(v):
		return refusal{http.StatusForbidden, errFresh}
	}
	h := w.Header()
	h.Set("Content-Security-Policy", filePolicy)
	h.Set("Content-Type", "application/gzip")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "hob-" + s.cfg.Now().Format(time.DateOnly) + ".tgz"}))
	if err := s.cfg.Backup(r.Context(), patientWriter{w, http.NewResponseController(w)}); err != nil {
		s.cfg.Log.Warn("a backup for the page broke off", "err", err)
		panic(http.ErrAbortHandler) // what has come is no backup: the browser must see that
	}
	return nil
}

// patientWriter writes to a browser as long as it goes on to read.
type patientWriter struct {
	io.Writer
	conn *http.ResponseController
}

// Write implements [io.Writer].
func (p patientWriter) Write(b []byte) (int, error) {
	_ = p.conn.SetWriteDeadline(time.Now().Add(sendTimeout))
	return p.Writer.Write(b)
}
