// Package reminders is the skill that tells people things later: reminders, timers, and what comes again and again.
//
// A reminder is made here and told by package schedule, without a model. Its tools are made for people first: /remind takes the
// words of a person, and /reminder 7 what is to become of the seventh. The buttons below what hob says give those commands.
//
// A person sees and changes what they have asked for and what is for them; an owner, in private, everything. Who wants somebody
// else reminded asks them: see consent.go.
package reminders

import (
	"context"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/skills"
	"hob/internal/tools"
)

const (
	maxText  = 500 // bytes
	maxOpen  = 500 // of a person
	maxShown = 50  // in a list
	shownFor = 24 * time.Hour
	onItsWay = time.Minute // how long a call may take from the words to here: what was due meanwhile is told at once
)

// Store keeps reminders. *store.Reminders is one.
type Store interface {
	Add(ctx context.Context, r event.Reminder) (event.Reminder, error)
	Change(ctx context.Context, id int64, change func(*event.Reminder) error) (event.Reminder, error)
	Get(ctx context.Context, id int64) (event.Reminder, bool, error)
	Open(ctx context.Context) ([]event.Reminder, error)
}

// Consents keeps who may remind whom. *store.Reminders is one.
type Consents interface {
	Consent(ctx context.Context, person, author event.Party) (string, error)
	// SetConsent keeps an answer, and returns the number of the change in the log of changes.
	SetConsent(ctx context.Context, person, author event.Party, answer string) (change int64, err error)
}

// Person is somebody who can be reminded.
type Person struct {
	event.Party
	Chat event.Chat // their own
}

// Config is what the skill needs.
type Config struct {
	Store    Store
	Consents Consents
	// Now is the time; its zone is that of the house.
	Now   func() time.Time
	Place schedule.Place
	// Who returns who a caller is, on the platform that knows them. Nil: by the platform that they come by.
	Who func(tools.Caller) event.Party
	// ShowsButtons reports whether a caller sees the buttons below an answer. Nil: all do.
	ShowsButtons func(tools.Caller) bool
	// AskZone reports whether a chat has to be asked for its zone: nobody has set it, the machine does not know it, and the chat was
	// not asked before. It keeps that it is asked now.
	AskZone func(ctx context.Context, chat event.Chat) bool
	// Known reports whether somebody was let in: in a group others speak, too.
	Known func(ctx context.Context, who event.Party) (bool, error)
	// People returns who was let in and can be written to.
	People func(ctx context.Context) ([]Person, error)
	// Calendar is the skill that reads calendars. Its tools are of this skill, too: a model asks both when something is.
	Calendar skills.Skill
	// Appointments returns what the caller of ctx has in calendars between two times, in the order of days, in the zone of from. An error says, in a language,
	// that there is no calendar, or none for them. Nil: there is none.
	Appointments func(ctx context.Context, from, to time.Time, lang string) (Appointments, error)
	// Tell puts a note into a chat.
	Tell func(ctx context.Context, chat event.Chat, note event.Noted) error
	// Language returns the language in which hob speaks in a chat, "" where nothing says it. Nil: it is never known.
	Language func(ctx context.Context, chat event.Chat) string
	// Delivered says how far the note of that Seq came.
	Delivered func(ctx context.Context, chat event.Chat, seq int64) Delivery
	// Changed is called after a change, so that what is due is looked for anew.
	Changed func()
}

// New returns the skill, with the tools remind, reminders and reminder.
func New(cfg Config) skills.Skill {
	k := &keeper{cfg}
	beside := cfg.Calendar
	own := skills.Own("reminders")
	own.Instructions, own.Keywords = own.Instructions+" "+beside.Instructions, slices.Concat(own.Keywords, beside.Keywords)
	own = skills.Declare(own, tools.New(tools.Def{
		Name: "remind", Description: "Remind somebody later, once or again and again.",
		Capabilities: tools.Writes, Command: "remind <text:string...>",
		Examples: []string{"remind tomorrow at 8 to call Ana", "remind every Monday at 7 take the bins out"},
	}, k.remind), tools.New(tools.Def{
		Name: "reminders", Description: "Show the reminders that are still to come.",
		Capabilities: tools.Reads | tools.Private, Examples: []string{"reminders"}, Command: "reminders",
	}, k.list), tools.New(tools.Def{
		Name: "reminder", Description: "Change a reminder: done, cancel, or another time. Without an id: the newest.",
		Capabilities: tools.Writes | tools.Private, Command: "reminder <id:integer> [change:string...]",
		Examples: []string{"reminder 7 done", "reminder 7 in 1 hour", "reminder 7 cancel"}, Bind: k.bind,
	}, k.change))
	return skills.Declare(own, beside.Tools...)
}

// keeper makes and changes reminders.
type keeper struct{ cfg Config }

// Reminder is the Data of a result about a reminder.
type Reminder struct {
	ID     int64  `json:"id"`
	Due    string `json:"due,omitempty"` // RFC 3339, in the reminder's zone
	Zone   string `json:"zone"`
	Text   string `json:"text"`
	Repeat string `json:"repeat"`
	Missed string `json:"missed,omitempty"` // "late" or "skip"; as a rule the newest of those that were missed is told
	State  string `json:"state"`
	For    string `json:"for,omitempty"`
	Line   string `json:"-"` // as people read it

	Also []Reminder `json:"also,omitempty"` // that were made with it, of the same words
}

// checkCount refuses a reminder of somebody who has too many, or too many for others. Besides are those that are made with it.
func (k *keeper) checkCount(ctx context.Context, r event.Reminder, besides int) error {
	all, err := k.cfg.Store.Open(ctx)
	if err != nil {
		return err
	}
	n, forOthers := besides, besides
	for _, o := range all {
		if !o.By.Is(r.By) || o.State == event.ReminderOpen && o.Due.IsZero() {
			continue // that one was told, and has no time to come
		}
		if n++; o.For != (event.Party{}) {
			forOthers++
		}
	}
	switch {
	case n >= maxOpen:
		return tools.Invalid(event.CodeInvalidValue, "there are %d reminders still to come, and that is the most", n).Suggest("cancel some first")
	case forOthers >= maxForOthers && r.NeedsConsent():
		return tools.Invalid(event.CodeInvalidValue, "you have %d reminders for others open, and that is the most", forOthers).Suggest("cancel one first")
	}
	return nil
}

// checkKnown refuses people who are only in a group that was let in: what they ask for would stay.
func (k *keeper) checkKnown(ctx context.Context) error {
	known, err := k.cfg.Known(ctx, k.party(tools.CallerFrom(ctx)))
	if err == nil && !known {
		err = tools.Invalid(event.CodePermissionDenied, "reminders are for people who were let in").Suggest("ask the owner to let you in: hob pair")
	}
	return err
}

// party is the person who calls.
func (k *keeper) party(c tools.Caller) event.Party {
	if k.cfg.Who != nil {
		return k.cfg.Who(c)
	}
	return event.Party{Platform: c.Platform, ID: c.User}
}

func nameOf(people []Person, p event.Party) string {
	if i := slices.IndexFunc(people, func(o Person) bool { return o.Is(p) }); i >= 0 {
		return people[i].Name
	}
	return ""
}

// sees reports whether a caller may see and change a reminder: who asked for it and whom it is for, all who read its chat where
// that is a group, and an owner in private.
func (k *keeper) sees(c tools.Caller, r event.Reminder) bool {
	me := k.party(c)
	return r.By.Is(me) || r.For.Is(me) && r.For != (event.Party{}) || r.Chat == c.Chat && r.Chat.Shared() ||
		c.Level >= event.Owner && c.Scope == "private"
}

// mine returns the open reminders that a caller may see.
func (k *keeper) mine(ctx context.Context) ([]event.Reminder, error) {
	c := tools.CallerFrom(ctx)
	all, err := k.cfg.Store.Open(ctx)
	return slices.DeleteFunc(all, func(r event.Reminder) bool {
		return !k.sees(c, r) || c.Chat.Shared() && r.Chat != c.Chat
	}), err
}
