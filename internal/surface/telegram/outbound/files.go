package outbound

import (
	"context"
	"errors"
	"io"

	"hob/internal/event"
	"hob/internal/surface/telegram/markup"
)

// maxPhoto limits, in bytes, a picture that Telegram shows as one; a larger one is sent as a
// document.
const maxPhoto = 10 << 20

// fileItems returns the files of an event as items, numbered from part. A file that only updates a
// picture is no item.
func (c *chatSender) fileItems(seq int64, from int, all []event.File) []*item {
	var items []*item
	for i, f := range all {
		if f.Refresh {
			c.queuePicture(f)
			continue
		}
		c.dropPicture(f.StateOf)
		items = append(items, c.documentItem(seq, from+i, document{
			name: f.Name, caption: markup.Shorten(f.Caption, maxCaption), photo: isPhoto(f), noteSent: c.noteShown(f),
			open: func(ctx context.Context) (io.ReadCloser, error) { return c.openFile(ctx, f) },
		}))
	}
	return items
}

func (c *chatSender) openFile(ctx context.Context, f event.File) (io.ReadCloser, error) {
	if c.cfg.Files == nil {
		return nil, errors.New("files cannot be sent here")
	}
	return c.cfg.Files.Open(ctx, f)
}

// noteShown returns the function that records which message shows a picture. It is called before
// the record of the send is ended, so that a repeated message is recorded again. If it fails, the
// store still names the older message; an outdated picture is better than no reply.
func (c *chatSender) noteShown(f event.File) func(context.Context, int64) {
	if f.StateOf == "" {
		return nil
	}
	return func(ctx context.Context, message int64) {
		_ = c.ledger.retry(ctx, func(ctx context.Context) error {
			return c.cfg.Shown.SetShown(ctx, c.name, pictureShown(f.StateOf), message)
		})
	}
}

// isPhoto reports whether Telegram can show a file as a picture.
func isPhoto(f event.File) bool {
	sized := 0 < f.Bytes || f.StateOf != "" // a picture that changes has no size before it is drawn
	return (f.Type == "image/jpeg" || f.Type == "image/png") && sized && f.Bytes < maxPhoto
}
