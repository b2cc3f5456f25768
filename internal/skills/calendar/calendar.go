// Package calendar is the skill that tells what is in the calendars of a household: .ics files in the workspace, or in folders
// that are open to hob. It only reads them. Who asks what is on is told their reminders of those days, too.
//
//	calendar.go  the tool: which files, and which days
//	text.go      what people read
//
// A calendar's words are strangers', whoever put the file there: an invitation says what its sender likes. So all that the tool
// prints is untrusted: its capabilities say so.
package calendar

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/ical"
	"hob/internal/skills"
	"hob/internal/tools"
)

const (
	maxFiles = 50         // that are read
	maxBytes = 20_000_000 // of all of them
	maxDays  = 366        // of one call
	maxShown = 50         // lines of an answer
)

// Files are the files of the workspace and of folders that are open. *files.FileTool is one.
type Files interface {
	// ListFiles returns the names in a folder; an error of code dir_not_found says that there is none.
	ListFiles(dir string) ([]string, error)
	// Load returns the text of a file and where it comes from.
	Load(ctx context.Context, path string) (text string, from event.Label, err error)
}

// Config is what the skill needs.
type Config struct {
	Files    Files
	Patterns []string         // of calendar files, such as calendar/*.ics; * is in the last part only
	Now      func() time.Time // in the zone of the household
	// Reminders returns what the caller of ctx is reminded of between two times, from included and to not. Nil: there are none.
	Reminders func(ctx context.Context, from, to time.Time, lang string) ([]Reminder, event.Label, error)
}

// Reminder is something that somebody is reminded of, as an appointment at a time.
type Reminder struct {
	At    time.Time
	Title string
}

// New returns the skill, with the tool calendar.
func New(c Config) skills.Skill {
	return skills.Declare(skills.Own("calendar"), tools.New(tools.Def{
		Name: "calendar", Description: "Show what is on, from the household's calendars.",
		Capabilities: tools.Reads | tools.Private | tools.Untrusted, Scopes: tools.PrivateScopes(),
		Command:  "calendar [from:string] [days:integer]",
		Examples: []string{"calendar", "calendar tomorrow", "calendar friday", "calendar week", "calendar 2026-12-24 3"},
	}, c.show))
}

type showIn struct {
	From string `json:"from,omitempty" jsonschema:"today, tomorrow, a weekday, week, weekend, next week, or a date such as 2026-12-24"`
	Days int    `json:"days,omitempty" min:"1" max:"366"`
	Lang string `json:"lang,omitempty" jsonschema:"en, de, ru or zh" quiet:"true"`
}

// data is the Data of the tool.
type data struct {
	From   string  `json:"from"` // the first day
	To     string  `json:"to"`   // the last
	Events []entry `json:"events"`
	More   int     `json:"more,omitempty"` // that are not shown
}

// entry is an occurrence.
type entry struct {
	Start    string `json:"start"` // RFC 3339, or a date
	End      string `json:"end"`   // a date is the last day
	AllDay   bool   `json:"all_day,omitempty"`
	Summary  string `json:"summary"`
	Location string `json:"location,omitempty"`
}

func (c Config) show(ctx context.Context, in showIn) (tools.Result, error) {
	w := wordsOf(in.Lang)
	from, to, err := period(in, c.Now())
	if err != nil {
		return tools.Result{}, err
	}
	found, label, notes, err := c.find(ctx, w, from, to)
	if err != nil {
		return tools.Result{Label: label}, err
	}
	due, err := c.due(ctx, from, to, in.Lang, &label)
	if err != nil {
		return tools.Result{Label: label}, err
	}
	if found == nil && len(due) == 0 {
		return tools.Result{Text: w.Text("no calendar"), Data: data{Events: []entry{}}, Label: label}, nil
	}
	d := data{From: from.Format(time.DateOnly), To: to.AddDate(0, 0, -1).Format(time.DateOnly), Events: []entry{}}
	var lines []string
	for _, o := range inOrder(append(found, due...), from) {
		if len(lines) == maxShown {
			d.More++
			continue
		}
		lines = append(lines, w.line(o, from))
		d.Events = append(d.Events, entryOf(o, from.Location()))
	}
	if len(lines) == 0 {
		lines = []string{w.Text("nothing", w.period(from, to))}
	}
	if d.More > 0 {
		lines = append(lines, w.Text("more", strconv.Itoa(d.More)))
	}
	return tools.Result{Text: strings.Join(append(lines, notes...), "\n"), Data: d, Label: label}, nil
}

// period is the time that is asked for, from a midnight to another.
func period(in showIn, now time.Time) (from, to time.Time, err error) {
	from = time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	length, word := 1, strings.ToLower(strings.Join(strings.Fields(in.From), " "))
	untilMonday := (int(time.Monday)-int(from.Weekday())+6)%7 + 1
	switch word {
	case "", "today":
	case "tomorrow":
		from = from.AddDate(0, 0, 1)
	case "day after tomorrow":
		from = from.AddDate(0, 0, 2)
	case "week", "this week": // what is left of it
		length = untilMonday
	case "next week":
		from, length = from.AddDate(0, 0, untilMonday), 7
	case "weekend":
		if length = untilMonday; untilMonday > 2 {
			from, length = from.AddDate(0, 0, untilMonday-2), 2
		}
	default:
		if day := weekday(word); day >= 0 { // the next one, never today
			from = from.AddDate(0, 0, (int(day)-int(from.Weekday())+6)%7+1)
			break
		}
		if from, err = time.ParseInLocation(time.DateOnly, word, now.Location()); err != nil {
			return from, to, tools.Invalid(event.CodeInvalidValue, "from: %q is no day", display.Truncate(in.From, 40)).
				Suggest("use today, tomorrow, a weekday, week, weekend, next week, or a date such as 2026-12-24")
		}
	}
	if in.Days > 0 {
		length = in.Days
	}
	return from, from.AddDate(0, 0, min(length, maxDays)), nil
}

func weekday(word string) time.Weekday {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if name := strings.ToLower(day.String()); word == name || word == name[:3] {
			return day
		}
	}
	return -1
}

// find returns what is between two times in all calendars, nil where there is no calendar. Notes say what could not be read.
func (c Config) find(ctx context.Context, w words, from, to time.Time) (found []ical.Occurrence, label event.Label, notes []string, err error) {
	label = event.Label{Private: true}
	names, err := c.names()
	if err != nil {
		return nil, label, nil, err
	}
	if len(names) == 0 {
		return nil, label, nil, nil
	}
	found = []ical.Occurrence{}
	total := 0
	for i, name := range names {
		if ctx.Err() != nil {
			return nil, label, nil, tools.EndedError(ctx, "the look through the calendars", "")
		}
		if i == maxFiles || total > maxBytes {
			notes = append(notes, w.Text("too many", w.count(len(names)-i, "calendars"), strconv.Itoa(maxFiles), display.Bytes(maxBytes)))
			break
		}
		text, source, err := c.Files.Load(ctx, name)
		label = label.Join(source)
		if e := (*tools.Error)(nil); errors.As(err, &e) {
			notes = append(notes, w.Text("not read", display.Quote(name), e.Message))
			continue
		}
		if err != nil {
			return nil, label, nil, err
		}
		total += len(text)
		cal, problems, err := ical.Parse(strings.NewReader(text), from.Location())
		if err != nil {
			notes = append(notes, w.Text("not read", display.Quote(name), err.Error()))
			continue
		}
		if len(problems) > 0 {
			notes = append(notes, w.Text("faults", display.Quote(name), w.count(len(problems), "problems"), strconv.Itoa(problems[0].Line), display.OneLine(problems[0].Text)))
		}
		some, cut := cal.Between(from, to)
		if cut {
			notes = append(notes, w.Text("cut", display.Quote(name)))
		}
		found = append(found, some...)
	}
	return found, label, notes, nil
}

// due returns what the caller is reminded of between two times as occurrences, and joins where it comes from.
func (c Config) due(ctx context.Context, from, to time.Time, lang string, label *event.Label) (all []ical.Occurrence, err error) {
	if c.Reminders == nil {
		return nil, nil
	}
	some, of, err := c.Reminders(ctx, from, to, lang)
	*label = label.Join(of)
	for _, r := range some {
		all = append(all, ical.Occurrence{Event: ical.Event{Summary: r.Title}, Start: r.At, End: r.At})
	}
	return all, err
}

// names returns the calendar files, each once.
func (c Config) names() (all []string, err error) {
	for _, p := range c.Patterns {
		dir, pattern := path.Split(p)
		names, err := c.Files.ListFiles(path.Clean(dir))
		if e := (*tools.Error)(nil); errors.As(err, &e) && (e.Code == event.CodeDirNotFound || e.Code == event.CodeFileNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			full := path.Join(dir, name)
			if fits, err := path.Match(pattern, name); err == nil && fits && !strings.HasSuffix(name, "/") && !slices.Contains(all, full) {
				all = append(all, full)
			}
		}
	}
	return all, nil
}
