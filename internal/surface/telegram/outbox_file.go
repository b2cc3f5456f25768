package telegram

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

// maxPhoto is how many bytes a picture has that Telegram shows as one; a larger one is a document.
const maxPhoto = 10 << 20

// document is a file to be sent.
type document struct {
	name    string
	caption string
	photo   bool // it is shown as a picture if Telegram can
	keys    string
	open    func() (io.ReadCloser, error)
	there   func(ctx context.Context, message int64) // notes that the message shows it; may be nil
}

// besidePart is the first part of an event whose words are the parts before.
const besidePart = 100

// files are what a result, or a reply that no model gave, hands to the person: each a part of its event, from one on. What only
// renews what is shown is no message.
func (c *telling) files(seq int64, from int, all []event.File) []*sendJob {
	var jobs []*sendJob
	for i, f := range all {
		if f.Refresh {
			c.freshen(f)
			continue
		}
		delete(c.fresh, f.Slot)
		jobs = append(jobs, &sendJob{seq: seq, part: from + i, do: func(ctx context.Context, twice bool) (int64, error) {
			if c.t.cfg.Files == nil {
				return c.t.instead(ctx, c.to, f.Name, "files cannot be sent here", twice)
			}
			return c.t.document(ctx, c.to, document{
				name: f.Name, caption: markup.Shorten(f.Caption, maxCaption), photo: pictured(f), there: c.inSlot(f),
				open: func() (io.ReadCloser, error) { return c.t.cfg.Files.Open(ctx, f) },
			}, twice)
		}})
	}
	return jobs
}

// inSlot notes which message shows a slot by now. It is noted before the message is: what is sent again is there again.
func (c *telling) inSlot(f event.File) func(context.Context, int64) {
	if f.Slot == "" {
		return nil
	}
	return func(ctx context.Context, message int64) {
		_ = c.note(ctx, func(ctx context.Context) error { // else it shows an older one
			return c.t.cfg.Live.SetShown(ctx, c.name, slotShown(f.Slot), message)
		})
	}
}

// pictured reports whether Telegram can show a file as a picture.
func pictured(f event.File) bool {
	sized := 0 < f.Bytes || f.Slot != "" // what changes is drawn when it is sent, so that nobody knows its size before
	return (f.Type == "image/jpeg" || f.Type == "image/png") && sized && f.Bytes < maxPhoto
}

// kinds are the ways to send a file, each a method and what it calls the file, the best first.
func kinds(photo bool) [][2]string {
	all := [][2]string{{"sendPhoto", "photo"}, {"sendDocument", "document"}}
	if !photo {
		return all[1:]
	}
	return all
}

// document sends a file, or a sentence in its place.
func (t *tellers) document(ctx context.Context, to chat.Address, d document, twice bool) (int64, error) {
	p := client.ParamsFor(to)
	if d.keys != "" {
		p["reply_markup"] = d.keys
	}
	if twice {
		d.caption = strings.TrimSpace(markup.Shorten(d.caption, captionLimit) + "\n\n" + again)
	}
	if d.caption != "" {
		p["caption"] = d.caption
	}
	var m client.Message
	var err error
	for _, method := range kinds(d.photo) {
		file, bad := d.open()
		if bad != nil {
			return t.instead(ctx, to, d.name, bad.Error(), twice)
		}
		err = t.Upload(ctx, method, p, d.name, file, &m)
		if tooLong(err) && d.caption != "" { // some servers count its bytes
			if file, bad = d.open(); bad != nil {
				return t.instead(ctx, to, d.name, bad.Error(), twice)
			}
			p["caption"] = markup.Shorten(d.caption, maxCaption/4)
			err = t.Upload(ctx, method, p, d.name, file, &m)
		}
		if err == nil && d.there != nil {
			d.there(ctx, m.ID)
		}
		if !client.IsRefusal(err) {
			return m.ID, err
		}
	}
	return t.instead(ctx, to, d.name, "Telegram does not take it: "+client.Reason(err), twice)
}

func (t *tellers) Upload(ctx context.Context, method [2]string, p client.Params, name string, file io.ReadCloser, out any) error {
	defer file.Close()
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	return t.cfg.Client.Upload(ctx, method[0], p, method[1], name, file, out)
}

// errInstead says that a file was not sent, and that the chat was told so in its place.
var errInstead = errors.New("a sentence was sent in the place of a file")

// instead says in the place of a file why it is not there. Its error is errInstead where that was said.
func (t *tellers) instead(ctx context.Context, to chat.Address, name, reason string, twice bool) (int64, error) {
	id, err := t.text(ctx, to, markup.Message{Text: markup.Shorten("The file "+printable(name)+" was not sent: "+printable(reason), 1000)}, "", nil, twice)
	if err != nil {
		return id, err
	}
	return id, errInstead
}

// endBell rings each time that it is noted what became of a part.
type endBell struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait returns what is closed when it rings next.
func (b *endBell) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *endBell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}

// delivered waits until it is known what became of a part of an event: it was sent or refused. When ctx ends first it is "".
func (t *tellers) Delivered(ctx context.Context, name event.Chat, seq int64, part int) event.SendState {
	for {
		next := t.ends.wait()
		all, err := t.cfg.Outbox.Sends(context.WithoutCancel(ctx), name, seq)
		for _, s := range all {
			if s.Part == part && (s.State == event.SendSent || s.State == event.SendRefused) && err == nil {
				return s.State
			}
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ""
		}
	}
}
