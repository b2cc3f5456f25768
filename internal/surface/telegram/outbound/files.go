package outbound

import (
	"context"
	"errors"
	"io"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

// maxPhoto is how many bytes a picture has that Telegram shows as one; a larger one is a document.
const maxPhoto = 10 << 20

// document is a file to be sent.
type document struct {
	name     string
	caption  string
	photo    bool // it is shown as a picture if Telegram can
	keys     string
	open     func(ctx context.Context) (io.ReadCloser, error)
	noteSent func(ctx context.Context, message int64) // may be nil
}

// fileItems returns the files of an event as items, from a part on. A file that only replaces a picture is no item.
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

// noteShown returns the function that notes which message shows a picture. It is called before the record is
// ended: a message that is sent again is noted again. If it fails, the store still names the older message; a worse
// picture is better than no reply.
func (c *chatSender) noteShown(f event.File) func(context.Context, int64) {
	if f.StateOf == "" {
		return nil
	}
	return func(ctx context.Context, message int64) {
		_ = c.retryStore(ctx, func(ctx context.Context) error {
			return c.cfg.Shown.SetShown(ctx, c.name, pictureShown(f.StateOf), message)
		})
	}
}

// isPhoto reports whether Telegram can show a file as a picture.
func isPhoto(f event.File) bool {
	sized := 0 < f.Bytes || f.StateOf != "" // a picture that changes has no size before it is drawn to be sent
	return (f.Type == "image/jpeg" || f.Type == "image/png") && sized && f.Bytes < maxPhoto
}

// fileKinds are what a file may be sent as, the best first, in Telegram's words.
func fileKinds(photo bool) []string {
	if photo {
		return []string{"photo", "document"}
	}
	return []string{"document"}
}

// fileMethod returns the method that sends a file of a kind. The file goes into the field of that name.
func fileMethod(kind string) string {
	if kind == "photo" {
		return methodPhoto
	}
	return methodDocument
}

// sendDocument sends a file in the first form that Telegram takes: a photo, a document, or a sentence in its place.
// A caption that is too long for it is cut.
func (c *chatSender) sendDocument(ctx context.Context, d document, again bool) (int64, error) {
	p := client.ParamsFor(c.to)
	if d.keys != "" {
		p["reply_markup"] = d.keys
	}
	if again {
		d.caption = strings.TrimSpace(markup.Shorten(d.caption, captionUnits) + "\n\n" + sentAgain)
	}
	if d.caption != "" {
		p["caption"] = d.caption
	}
	kinds := fileKinds(d.photo)
	for {
		file, bad := d.open(ctx)
		if bad != nil {
			return c.sendExplanation(ctx, d.name, bad.Error(), again)
		}
		var m client.Message
		err := c.upload(ctx, fileMethod(kinds[0]), p, kinds[0], d.name, file, &m)
		if err == nil && d.noteSent != nil {
			d.noteSent(ctx, m.ID)
		}
		switch {
		case !client.IsRefusal(err):
			return m.ID, err
		case client.IsTooLong(err) && markup.Len(p["caption"]) > shortCaption:
			p["caption"] = markup.Shorten(p["caption"], shortCaption)
		case len(kinds) > 1:
			kinds = kinds[1:]
		default:
			return c.sendExplanation(ctx, d.name, "Telegram does not take it: "+client.Reason(err), again)
		}
	}
}

// upload calls a method with a file, and closes the file.
func (c *chatSender) upload(
	ctx context.Context, method string, p client.Params, field, name string, file io.ReadCloser, out any,
) error {
	defer file.Close()
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	return c.cfg.Client.Upload(ctx, method, p, field, name, file, out)
}

// errExplained says that a sentence was sent in the place of a file. The record of the file says that it was
// refused.
var errExplained = errors.New("a sentence was sent in the place of a file")

// sendExplanation sends the reason why a file is not sent. Its error is errExplained where the reason was sent.
func (c *chatSender) sendExplanation(ctx context.Context, name, reason string, again bool) (int64, error) {
	text := "The file " + display.Visible(name) + " was not sent: " + display.Visible(reason)
	id, err := c.sendText(ctx, markup.Message{Text: markup.Shorten(text, 1000)}, options{}, again)
	if err != nil {
		return id, err
	}
	return id, errExplained
}
