package event

import (
	"fmt"
	"time"

	"hob/internal/display"
	"hob/internal/llm"
)

// ParkedTurn is a turn that waits for the model or is parked.
type ParkedTurn struct {
	Chat    Chat       `json:"chat"`
	ID      int64      `json:"id"` // the Seq of the turn's input
	Text    string     `json:"text"`
	Since   time.Time  `json:"since"`
	Reason  ParkReason `json:"reason"`
	Kind    llm.Kind   `json:"kind,omitempty"` // of the model's failure, if that is the reason
	Begun   bool       `json:"begun,omitempty"`
	Problem string     `json:"problem,omitempty"`
}

// Waits reports whether the turn resumes by itself once the model is back.
func (p ParkedTurn) Waits() bool { return p.Reason == ParkedForModel }

// Describe describes the turn in one line, with the reason and the time in a zone.
func (p ParkedTurn) Describe(zone *time.Location) string {
	why := map[ParkReason]string{
		ParkedForModel: "waits for the model", ParkedTooLong: "parked: the model was away for a day",
		ParkedBroken: "parked: it may have ended hob, or the model's server", ParkedByPerson: "parked by its person",
	}[p.Reason]
	text := display.Truncate(display.FirstLine(p.Text), 60)
	return fmt.Sprintf("%s: %q, %s, since %s", p.Chat, text, why, p.Since.In(zone).Format("2006-01-02 15:04"))
}
