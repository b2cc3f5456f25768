package session

import (
	"context"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/receipt"
)

// deliverTime is how long the end of a turn waits for its files to be sent. The reply's text is
// sent behind the files, so it would wait anyway.
const deliverTime = 20 * time.Second

// handedFile is a file that a call gave to the person.
type handedFile struct {
	seq  int64 // of the event with the result
	n    int   // index among the files of that result
	path string
}

// handedFiles returns the files that a result gives to the person and reports as sent.
func handedFiles(seq int64, b event.Returned) (all []handedFile) {
	for n, f := range b.Files {
		isSent := func(e event.Effect) bool { return e.Kind == "sent" && e.Target == f.Path }
		if slices.ContainsFunc(b.Effects, isSent) {
			all = append(all, handedFile{seq, n, f.Path})
		}
	}
	return all
}

// confirmDelivered updates the receipt with how the files arrived, because a call reports before
// anything is sent.
func (p *player) confirmDelivered(ctx context.Context, did receipt.Turn, files []handedFile) receipt.Turn {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	states := map[string]event.SendState{}
	for _, f := range files {
		states[f.path] = p.c.cfg.Delivered(ctx, p.c.name, f.seq, f.n)
	}
	return did.Revise(func(e event.Effect) event.Effect {
		state, known := states[e.Target]
		switch {
		case e.Kind != "sent" || !known || state == event.SendSent:
		case state == event.SendRefused:
			e.Kind, e.Failed = "delivery of", true
		default:
			e.Kind = "handed over"
		}
		return e
	})
}
