package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/llm"
)

// ParkedTurns is the turns that wait for the model or are parked.
type ParkedTurns interface {
	// Parked returns those of a chat, oldest first.
	Parked(ctx context.Context, chat event.Chat) ([]ParkedTurn, error)
	// Retry resumes one.
	Retry(ctx context.Context, chat event.Chat, id int64) error
}

// ParkedTurn is a turn that waits for the model or is parked.
type ParkedTurn struct {
	Chat    event.Chat       `json:"chat"`
	ID      int64            `json:"id"` // the Seq of its input
	Text    string           `json:"text"`
	Since   time.Time        `json:"since"`
	Reason  event.ParkReason `json:"reason"`
	Kind    llm.Kind         `json:"kind,omitempty"` // of the model's failure, if that is the reason
	Begun   bool             `json:"begun,omitempty"`
	Problem string           `json:"problem,omitempty"`
}

// Waits reports whether the turn resumes by itself once the model is back.
func (p ParkedTurn) Waits() bool { return p.Reason == event.ParkedForModel }

// Describe returns a line with the turn, the reason and the time.
func (p ParkedTurn) Describe() string {
	why := map[event.ParkReason]string{
		event.ParkedForModel: "waits for the model", event.ParkedTooLong: "parked: the model was away for a day",
		event.ParkedBroken: "parked: it may have ended hob, or the model's server", event.ParkedByPerson: "parked by its person",
	}[p.Reason]
	text := []rune(display.FirstLine(p.Text))
	if len(text) > 60 {
		text = append(text[:59], '…')
	}
	return fmt.Sprintf("%s: %q, %s, since %s", p.Chat, string(text), why, p.Since.Local().Format("2006-01-02 15:04"))
}

// OnlyParked returns the parked turn if there is exactly one. Waiting turns do not count.
func OnlyParked(all []ParkedTurn) (p ParkedTurn, ok bool) {
	n := 0
	for _, one := range all {
		if !one.Waits() {
			p = one
			n++
		}
	}
	return p, n == 1
}

// retry resumes a parked turn of this chat, or lists them.
func (d Deps) retry(ctx context.Context, by Request) (Answer, error) {
	all, err := d.ParkedTurns.Parked(ctx, by.Chat)
	if err != nil {
		return Answer{}, err
	}
	id := int64(0)
	if by.Args != "" {
		if id, err = strconv.ParseInt(by.Args, 10, 64); err != nil {
			return Answer{}, errors.New("say the number of a turn, or none: /retry lists them")
		}
	} else if one, ok := OnlyParked(all); ok {
		id = one.ID
	}
	if id > 0 {
		if err := d.ParkedTurns.Retry(ctx, by.Chat, id); err != nil {
			return Answer{}, fmt.Errorf("turn %d is not parked here: /retry lists those that are", id)
		}
		return Answer{Text: "I try it again."}, nil
	}
	a := Answer{Text: "Nothing is parked here.", Data: append([]ParkedTurn{}, all...)}
	var lines []string
	for _, p := range all {
		lines = append(lines, fmt.Sprintf("- /retry %d: %s", p.ID, escape(p.Describe())))
	}
	if len(lines) > 0 {
		a.Text = truncateLines(lines, maxLines, ", which hob retry lists")
	}
	return a, nil
}
