package app_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/tools"
)

// house is what commands need of a hob, with names that begin with X, which no language translates.
type house struct {
	questions []commands.Question
	parked    []event.ParkedTurn
	undo      commands.UndoReport
	changes   []commands.ListedChange
	skills    []commands.Skill
	switches  []commands.Switch
	facts     []commands.Fact
	models    []commands.Model
	contacts  []commands.Contact
	pages     []commands.PageSession
	clocks    []commands.OtherClock
	status    commands.StatusReport
	note      string
	fail      error
	begins    bool
	jobs      jobs
}

func (h house) Questions(context.Context) ([]commands.Question, error) { return h.questions, nil }
func (h house) Decide(context.Context, commands.Request, commands.Question, bool) error {
	return h.fail
}
func (h house) Parked(context.Context, event.Chat) ([]event.ParkedTurn, error) { return h.parked, nil }
func (h house) Retry(context.Context, event.Chat, int64) error                 { return h.fail }
func (h house) Changes(context.Context, tools.Caller, event.Chat, int) ([]commands.ListedChange, error) {
	return h.changes, nil
}
func (h house) Undo(_ context.Context, r commands.UndoRequest) (commands.UndoReport, error) {
	h.undo.DryRun = r.DryRun
	return h.undo, h.fail
}
func (h house) SkillList(context.Context, event.Chat, event.Principal) (commands.SkillList, error) {
	return commands.SkillList{Skills: h.skills}, nil
}
func (h house) OpenSkill(context.Context, commands.Request, string) error  { return h.fail }
func (h house) CloseSkill(context.Context, commands.Request, string) error { return h.fail }
func (h house) CommandTools(context.Context, event.Chat, event.Principal) (*tools.Commands, error) {
	index, _ := tools.NewCommands(nil)
	return index, nil
}
func (h house) Switches(context.Context, event.Chat) ([]commands.Switch, error) {
	return slices.Clone(h.switches), nil
}
func (h house) SetSwitch(context.Context, string, bool) error { return h.fail }
func (h house) SetSwitchIn(context.Context, event.Chat, string, event.Level, bool) error {
	return h.fail
}
func (h house) Facts(context.Context, commands.Request) ([]commands.Fact, error) { return h.facts, nil }
func (h house) Fact(_ context.Context, _ commands.Request, id int64) (commands.Fact, error) {
	for _, f := range h.facts {
		if f.ID == id {
			return f, nil
		}
	}
	return commands.Fact{}, errors.New("there is no fact 99 here: /memory lists them")
}
func (h house) Forget(context.Context, commands.Request, string) (commands.Fact, error) {
	return h.facts[0], nil
}
func (h house) Accept(context.Context, commands.Request, int64) (commands.Fact, error) {
	return h.facts[0], nil
}
func (h house) Models(context.Context) ([]commands.Model, error) { return h.models, nil }
func (h house) UseModel(context.Context, string) error           { return h.fail }
func (h house) Contacts(context.Context, time.Time) ([]commands.Contact, error) {
	return h.contacts, nil
}
func (h house) Coverage() string                                                 { return "X" }
func (h house) SubmitCommand(context.Context, commands.Request, string) error    { return h.fail }
func (h house) Log(context.Context, event.Chat, int) ([]commands.LogLine, error) { return nil, nil }
func (h house) Status(context.Context, event.Chat) (commands.StatusReport, error) {
	return h.status, nil
}
func (h house) SetZone(_ context.Context, name string) (string, error) { return name, h.fail }
func (house) TellOthers(context.Context, tools.Caller, func([]commands.OtherClock) commands.Answer) error {
	return nil
}

func (h house) MoveClocks(context.Context, tools.Caller) ([]commands.OtherClock, error) {
	return h.clocks, h.fail
}

func (h house) OtherClocks(context.Context, tools.Caller) ([]commands.OtherClock, error) {
	return h.clocks, nil
}
func (h house) InvitePage(context.Context, commands.Request, string, event.Level) (commands.PageInvite, error) {
	return commands.PageInvite{Person: "X1", URL: "X2", Link: "https://X3", Code: "X4", Expires: at(), Note: h.note}, h.fail
}
func (h house) PageSessions(context.Context, commands.Request) ([]commands.PageSession, error) {
	return h.pages, nil
}
func (h house) EndPageSession(context.Context, commands.Request, string) (bool, error) {
	return len(h.pages) > 0, nil
}
func (h house) Offers(context.Context, tools.Caller) ([]commands.Story, bool, error) {
	return []commands.Story{{ID: "X", Title: "X"}}, h.begins, nil
}
func (h house) Tales() (ready []commands.Tale, broken []string) {
	text := commands.TaleText{Title: "X1", Pitch: "X2", Trades: []commands.Trade{{ID: "x", Name: "X3", Line: "X4"}}}
	return []commands.Tale{{ID: "x", Langs: []string{"en", "ru"}, Texts: map[string]commands.TaleText{"en": text, "ru": text}}}, []string{"x9"}
}
func (h house) Language(context.Context, event.Chat, string) string { return "en" }
func (h house) Text(_, key string, args ...string) string {
	words, err := os.ReadFile("../skills/gamemaster/words/en.txt")
	if err != nil {
		panic(err)
	}
	text, _ := phrases.File(words).Find(key)
	return phrases.Fill(text, args...)
}

// jobs are processes, which have a method that questions have, too.
type jobs struct {
	list []string
	fail error
}

func (j jobs) List(event.Chat) []string               { return j.list }
func (j jobs) Output(event.Chat, int) (string, error) { return "X", j.fail }
func (j jobs) Keep(event.Chat, int) error             { return j.fail }
func (j jobs) Stop(event.Chat, int) error             { return j.fail }

// at is a time, long ago.
func at() time.Time { return time.Date(2020, 11, 27, 9, 30, 0, 0, time.UTC) }

// today is a day later.
func today() time.Time { return at().AddDate(0, 0, 1) }

func (h house) deps() commands.Deps {
	return commands.Deps{
		Status: h, Log: h, Memory: h, Processes: h.jobs, Changes: h, Questions: h, ParkedTurns: h, Tools: h, Skills: h, Contacts: h,
		Models: h, Stories: h, Inbox: h, Household: h, Pages: h, Now: today, KeepHint: "With hob serve what runs in the background ends with its turn, unless [shell] keep_jobs = true lets all of it run on",
	}
}

// times returns n times the same.
func times[T any](n int, one T) []T { return slices.Repeat([]T{one}, n) }

// full is a house with some of everything, of what is in a list more than fits.
func full() house {
	now := today()
	asked := func(id string, expires time.Time) commands.Question {
		return commands.Question{Chat: "X1", Asked: event.Asked{ID: id, Tool: "x_tool", Text: "Write X", Expires: expires}}
	}
	parked := func(why event.ParkReason) event.ParkedTurn {
		return event.ParkedTurn{Chat: "X1", ID: 7, Text: "X2", Since: at(), Reason: why}
	}
	fact := commands.Fact{ID: 12, Of: "me", Text: "X1", From: "X2", Time: at(), History: []commands.FactChange{{Change: 3, Time: at(), Tool: "x_tool", Before: "X4"}, {Change: 2, Time: at(), Tool: "x_tool"}}}
	of := func(id int64, set func(*commands.Fact)) commands.Fact {
		one := fact
		one.ID = id
		set(&one)
		return one
	}
	return house{
		begins:    true,
		questions: append([]commands.Question{asked("x23456789", at()), asked("x34567890", now.Add(time.Hour))}, times(8, asked("x45678901", at()))...),
		parked:    slices.Concat([]event.ParkedTurn{parked(event.ParkedForModel), parked(event.ParkedTooLong), parked(event.ParkedBroken)}, times(50, parked(event.ParkedByPerson))),
		facts: append([]commands.Fact{
			fact, of(13, func(f *commands.Fact) { f.Key = "X3" }), of(14, func(f *commands.Fact) { f.Of = "house" }), of(15, func(f *commands.Fact) { f.Of = "X5" }),
			of(16, func(f *commands.Fact) { f.Waiting, f.Rival = true, 12 }), of(17, func(f *commands.Fact) { f.Waiting, f.Rival, f.Key = true, 12, "X3" }),
			of(18, func(f *commands.Fact) { f.Waiting, f.Rival, f.Of = true, 12, "house" }), of(19, func(f *commands.Fact) { f.Waiting, f.Rival, f.Of = true, 12, "X5" }),
			of(20, func(f *commands.Fact) { f.Waiting, f.Stranger, f.From = true, true, "X2, after reading X6" }),
			of(21, func(f *commands.Fact) { f.Waiting, f.Stranger, f.Of, f.From = true, true, "X5", "X2, after reading X6" }),
		}, times(60, fact)...),
		models: append([]commands.Model{{Name: "x:1", Used: true}, {Name: "x:2", Used: true, Remote: "X1"}, {Name: "x:3", Remote: "X2"}}, times(50, commands.Model{Name: "x:4"})...),
		contacts: slices.Concat(
			times(50, commands.Contact{Reason: "x1", Host: "X2", Connections: 1, Last: at()}), times(2, commands.Contact{Reason: "x1", Host: "X2", Connections: 3, Refused: 1, Why: "X3", Last: at()}),
			[]commands.Contact{{Reason: "x1", Host: "X2", Refused: 2, Why: "X3", Last: at()}, {Reason: "x1", Host: "X2", Last: at()}},
		),
		pages:    times(50, commands.PageSession{ID: "x1", Person: "X2", Device: "X3", Since: at()}),
		clocks:   times(10, commands.OtherClock{ID: 7, Text: "X1", At: today().Add(2 * time.Hour).In(time.FixedZone("X/Y", 3600))}),
		skills:   append([]commands.Skill{{Name: "xa", Description: "X2", Open: true, Trusted: true}, {Name: "xb", Description: "X3"}, {Name: "xc", Description: "X3", Open: true}}, times(50, commands.Skill{Name: "xd", Trusted: true})...),
		switches: slices.Concat([]commands.Switch{{Tool: "x_left", Excluded: true}, {Tool: "x_on", On: true}, {Tool: "x_here", On: true, OffHere: true}}, times(50, commands.Switch{Tool: "x_off"}), times(30, commands.Switch{Tool: "x_story", Story: true, On: true})),
		note:     "It opens on this machine alone.",
		changes:  []commands.ListedChange{{Number: 41, Time: at(), Did: "created", What: "X1", Undo: true, Undoes: true}},
		undo: commands.UndoReport{
			Selected: []int64{12}, Remains: []string{"X1"},
			Undone: append([]commands.UndoneChange{{By: 13, Text: "X1 is gone: it was made at 09:30"}}, times(30, commands.UndoneChange{Text: "X1 is as it was: the change of 09:30 had been cut short"})...),
		},
		jobs: jobs{list: []string{"process 1: running for 3s: x1", "process 2: exit code 0: x2", "process 3: running for 3s: x3 (kept)", "process 4: killed: it was stopped: x4"}},
		status: commands.StatusReport{
			Model: commands.ModelStatus{Name: "X1"}, Parked: []event.ParkedTurn{parked(event.ParkedTooLong), parked(event.ParkedBroken), parked(event.ParkedByPerson), parked(event.ParkedForModel)},
			Queue: &commands.QueueStatus{Running: 1, Waiting: 2, TypicalMS: 3000}, Ollama: commands.OllamaStatus{Error: "X2"},
			Errors: []commands.StatusError{{Time: at(), Chat: "X1", Text: "X2"}},
		},
	}
}
