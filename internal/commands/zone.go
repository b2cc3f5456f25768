package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

// Household is where the household lives, as its clocks say.
type Household interface {
	// SetZone writes the time zone of that name into the configuration, and has it in force from now on. It returns its IANA name.
	SetZone(ctx context.Context, name string) (string, error)
	// OtherClocks returns the reminders to come that a person may change, and that keep the clocks of another zone, which show another time.
	OtherClocks(ctx context.Context, by tools.Caller) ([]OtherClock, error)
	// TellOthers tells everybody else with such reminders, where these are told, what answer says of them.
	TellOthers(ctx context.Context, by tools.Caller, answer func([]OtherClock) Answer) error
	// MoveClocks has such reminders of a person keep the clocks of the household, at the same hour, and returns them as they are then. What
	// would be over there stays. One that cannot be moved has an Error, and the others are moved all the same.
	MoveClocks(ctx context.Context, by tools.Caller) ([]OtherClock, error)
}

// OtherClock is a reminder to come that keeps the clocks of another zone than the household's.
type OtherClock struct {
	ID   int64     `json:"id"`
	Text string    `json:"text"`
	At   time.Time `json:"at"` // on its own clocks

	Change int64  `json:"change,omitempty"` // by which it was moved
	Error  string `json:"error,omitempty"`  // why it could not be moved

	Repeats bool        `json:"-"` // where today's hour is over here, it comes at the next
	Label   event.Label `json:"-"` // of the text
}

// ZoneReport is the value of /zone, where nothing is moved.
type ZoneReport struct {
	Zone        string       `json:"zone"`
	Time        time.Time    `json:"time"`                   // on its clocks
	OtherClocks []OtherClock `json:"other_clocks,omitempty"` // where it was set: what keeps others, and can be moved
}

// The arguments of /zone that are no name.
const (
	argSet  = "set"  // a name follows, which a sentence has set
	argMove = "move" // what keeps other clocks
)

// moveLine moves all that keeps other clocks.
const moveLine = "/zone " + argMove

// maxClocks is how many reminders of another zone an answer names.
const maxClocks = 8

// zone shows the time zone of the household, or sets it. What is to come keeps its own clocks, and has a button that moves it.
func (d Deps) zone(ctx context.Context, by Request) (Answer, error) {
	name := by.Args
	if first, rest, _ := strings.Cut(name, " "); strings.EqualFold(first, argSet) {
		name = strings.TrimSpace(rest)
	}
	if strings.EqualFold(name, argMove) {
		return d.moveClocks(ctx, by)
	}
	if name == "" {
		now := d.Now()
		name := now.Location().String()
		return Answer{Text: fmt.Sprintf("The time zone is %s: it is %s.", escape(name), now.Format("15:04")), Data: ZoneReport{Zone: name, Time: now.Truncate(time.Second)}}, nil
	}
	if by.Level < event.Owner {
		return Answer{}, errors.New("the owner sets the time zone")
	}
	name, err := d.Household.SetZone(ctx, name)
	if err != nil {
		return Answer{}, err
	}
	answer := func(clocks []OtherClock) Answer { return zoneSet(name, d.Now(), clocks) }
	clocks, err := d.Household.OtherClocks(ctx, by.caller())
	if err == nil {
		err = d.Household.TellOthers(ctx, by.caller(), answer)
	}
	return answer(clocks), err
}

// moveClocks moves all that a person has asked for to the clocks of the household, with a choice to take that back.
func (d Deps) moveClocks(ctx context.Context, by Request) (Answer, error) {
	clocks, err := d.Household.MoveClocks(ctx, by.caller())
	if err != nil {
		return Answer{}, err
	}
	if len(clocks) == 0 {
		return Answer{Text: "Nothing that is to come keeps other clocks.", Data: []OtherClock{}}, nil
	}
	back := UndoRequest{Chat: by.Chat}
	var moved, left []string
	for _, c := range clocks {
		line, of := fmt.Sprintf("- #%d ", c.ID), display.OneLine(c.Text)
		if c.Error != "" {
			left = append(left, line+escape(of+": "+display.OneLine(c.Error)))
			continue
		}
		back.Numbers = append(back.Numbers, c.Change)
		moved = append(moved, line+escape(fmt.Sprintf("%s: %s in %s", of, c.At.Format("2006-01-02 15:04"), c.At.Location())))
	}
	a := Answer{Data: clocks}
	var parts []string
	if len(moved) > 0 {
		parts = append(parts, "**Moved**\n"+truncateLines(moved, maxClocks, ""))
		a.Choices = [][]Choice{{{Label: "Take it back", Line: "/undo " + back.Args()}}}
	}
	if len(left) > 0 {
		parts = append(parts, "**Not moved**\n"+truncateLines(left, maxClocks, ""))
	}
	a.Text = strings.Join(parts, "\n\n")
	return a, nil
}

// zoneSet is said when a zone was set, to who has reminders that keep other clocks.
func zoneSet(name string, now time.Time, clocks []OtherClock) Answer {
	a := Answer{Text: fmt.Sprintf("The time zone is %s now: it is %s.", escape(name), now.Format("15:04"))}
	clocks = slices.DeleteFunc(clocks, func(c OtherClock) bool { return !c.Repeats && !onClock(c.At, now.Location()).After(now) }) // on the clocks here it would be over
	a.Data = ZoneReport{Zone: name, Time: now.Truncate(time.Second), OtherClocks: clocks}
	if len(clocks) == 0 {
		return a
	}
	a.Text += "\n\nWhat was set before keeps its own clocks, and this moves it:"
	if len(clocks) > 1 {
		a.Text += "\n- all of it (`" + moveLine + "`)"
		a.Choices = append(a.Choices, []Choice{{Label: "All of it", Line: moveLine}})
	}
	for i, c := range clocks {
		if i == maxClocks {
			a.Text += fmt.Sprintf("\n- and %d more", len(clocks)-i)
			break
		}
		at, there := c.At.Format("2006-01-02 15:04"), c.At.In(now.Location()).Format("15:04")
		line := fmt.Sprintf("/reminder %d zone=%s", c.ID, name)
		a.Text += fmt.Sprintf("\n- #%d ", c.ID) + escape(display.OneLine(c.Text)+": "+fmt.Sprintf("%s in %s, which is %s here", at, c.At.Location(), there)) + " (`" + line + "`)"
		a.Choices = append(a.Choices, []Choice{{Label: fmt.Sprintf("#%d at %s here", c.ID, c.At.Format("15:04")), Line: line}})
	}
	return a
}

// onClock returns when clocks of another zone show the same day and time.
func onClock(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
}
