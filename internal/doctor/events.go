package doctor

import (
	"context"
	"fmt"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
)

// checkEvents decodes every event of the journal.
func checkEvents(ctx context.Context, db *store.DB) Check {
	const name = "events"
	found, err := db.CheckEvents(ctx)
	if err != nil {
		return journalFailure(name, ctx, err)
	}
	text := display.Count(found.Events, "event")
	if found.Unverified > 0 {
		text += fmt.Sprintf(", %d of them unverified: they are from before there were checksums", found.Unverified)
	}
	if found.Damaged+found.Unknown == 0 {
		return pass(name, "%s", text)
	}
	var which []string
	for _, e := range found.Unreadable {
		b, _ := e.Body.(event.Unreadable)
		which = append(which, fmt.Sprintf("%d of %s (%s: %s)", e.Seq, e.Chat, b.Of, b.Reason))
	}
	if more := found.Damaged + found.Unknown - len(which); more > 0 {
		which = append(which, fmt.Sprintf("and %d more", more))
	}
	text += "; cannot be read: " + strings.Join(which, ", ")
	if found.Damaged > 0 {
		return fail(name, "they stay on disk, and each chat goes on with a new conversation behind them; look after the disk, and compare "+
			"with a copy of the journal if you have one", "%s", text)
	}
	return warn(name, "update hob: a newer one wrote them, this one skips them", "%s", text)
}
