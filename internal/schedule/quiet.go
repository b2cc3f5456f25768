package schedule

import (
	"fmt"
	"strconv"
	"time"

	"hob/internal/lazyregexp"
	"hob/internal/recurrence"
)

// Quiet are hours of the day in which nobody is called who has not asked for it themselves, from From to To; equal: none.
type Quiet struct {
	From, To time.Duration // since midnight
}

// quietHours are such as "22:00-07:00".
var quietHours = lazyregexp.New(`^([01]?[0-9]|2[0-4]):([0-5][0-9])-([01]?[0-9]|2[0-4]):([0-5][0-9])$`)

// ParseQuiet reads hours such as "22:00-07:00"; "" are none.
func ParseQuiet(text string) (q Quiet, err error) {
	if text == "" {
		return Quiet{}, nil
	}
	found := quietHours().FindStringSubmatch(text)
	var at [4]time.Duration
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Hour, time.Minute} {
		if found != nil {
			n, _ := strconv.Atoi(found[i+1])
			at[i] = time.Duration(n) * unit
		}
	}
	q = Quiet{at[0] + at[1], at[2] + at[3]}
	if found == nil || max(q.From, q.To) > 24*time.Hour {
		return Quiet{}, fmt.Errorf(`must be hours such as "22:00-07:00", not %q`, text)
	}
	return q, nil
}

// End returns when the quiet hours end that now is in, by its clock on the wall; the zero time outside of them.
func (q Quiet) End(now time.Time) time.Time {
	shown := recurrence.Wall(now)
	day := time.Duration(shown.Hour())*time.Hour + time.Duration(shown.Minute())*time.Minute + time.Duration(shown.Second())*time.Second
	midnight := shown.Add(-day)
	switch {
	case q.From == q.To:
		return time.Time{}
	case q.From < q.To && day >= q.From && day < q.To, q.From > q.To && day < q.To:
	case q.From > q.To && day >= q.From:
		midnight = midnight.AddDate(0, 0, 1)
	default:
		return time.Time{}
	}
	end := recurrence.Instant(midnight.Add(q.To), now.Location())
	if !end.After(now) { // the clock was put back to before it
		return time.Time{}
	}
	return end
}
