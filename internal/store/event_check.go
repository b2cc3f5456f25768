package store

import (
	"context"

	"hob/internal/event"
)

// EventReport is the result of [DB.CheckEvents].
type EventReport struct {
	Events     int           // number of events
	Unverified int           // without a checksum, from before hob kept them
	Damaged    int           // different from what was written
	Unknown    int           // of types unknown to this hob
	Unreadable []event.Event // the first damaged or unknown events, at most [MaxUnreadable]
}

// MaxUnreadable limits the events in an [EventReport].
const MaxUnreadable = 10

const allQuery = columns + `WHERE ?1 = '' AND seq > ?2 ORDER BY seq LIMIT ?3`

// CheckEvents decodes every event. It reads in pages: memory is bounded, and nothing is locked.
func (d *DB) CheckEvents(ctx context.Context) (EventReport, error) {
	var report EventReport
	for r, err := range d.rows(ctx, allQuery, "", -1) {
		if err != nil {
			return EventReport{}, wrap("check", d.path, err)
		}
		report.add(r)
	}
	return report, nil
}

func (p *EventReport) add(r row) {
	p.Events++
	if !r.crc.Valid {
		p.Unverified++
	}
	e := r.event()
	b, ok := e.Body.(event.Unreadable)
	switch {
	case !ok:
		return
	case b.Damaged:
		p.Damaged++
	default:
		p.Unknown++
	}
	if len(p.Unreadable) < MaxUnreadable {
		p.Unreadable = append(p.Unreadable, e)
	}
}
