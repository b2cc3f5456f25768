package daemon

import (
	"context"
	"time"

	"hob/internal/app"
	"hob/internal/retry"
)

// retainEvery is how often the daemon removes from the journal what [journal] keeps for a while only.
const retainEvery = 24 * time.Hour

// retain removes it now, and then once a day. What was said since is indexed then, too, so that nobody waits long for a search.
func (d *daemon) retain(ctx context.Context) {
	d.prune(ctx)
	for retry.Wait(ctx, retainEvery) == nil {
		d.prune(ctx)
	}
}

// prune removes what is older than [journal] says.
func (d *daemon) prune(ctx context.Context) {
	limits := d.current().env.Journal
	records, err := d.journal.Deliveries().Prune(ctx, time.Now().AddDate(0, 0, -limits.DeliveryDays))
	if err != nil && ctx.Err() == nil {
		d.log.Warn("remove old records of messages", "err", err)
	}
	copies, err := d.journal.PruneCopies(limits.Copies)
	if err != nil {
		d.log.Warn("remove old copies of the journal", "err", err)
	}
	if err := app.PastOf(d.journal).Update(ctx); err != nil && ctx.Err() == nil {
		d.log.Warn("index what was said", "err", err)
	}
	if records > 0 || len(copies) > 0 {
		d.log.Info("removed from the journal what [journal] keeps for a while only", "records", records, "copies", copies)
	}
}
