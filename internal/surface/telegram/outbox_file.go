package telegram

import (
	"context"
	"io"
	"strings"

	"hob/internal/event"
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
}

// besidePart is the first part of an event whose words are the parts before.
const besidePart = 100

// files are what a result, or a reply that no model gave, hands to the person: each a part of its event, from one on.
func (c *telling) files(seq int64, from int, all []event.File) []*sendJob {
	var jobs []*sendJob
	for i, f := range all {
		jobs = append(jobs, &sendJob{seq: seq, part: from + i, do: func(ctx context.Context, twice bool) (int64, error) {
			if c.t.cfg.Files == nil {
				return c.t.instead(ctx, c.to, f.Name, "files cannot be sent here", twice)
			}
			return c.t.document(ctx, c.to, document{
				name:  f.Name,
				photo: (f.Type == "image/jpeg" || f.Type == "image/png") && 0 < f.Bytes && f.Bytes < maxPhoto,
				open:  func() (io.ReadCloser, error) { return c.t.cfg.Files.Open(ctx, f) },
			}, twice)
		}})
	}
	return jobs
}

// document sends a file, or a sentence in its place.
func (t *tellers) document(ctx context.Context, to place, d document, twice bool) (int64, error) {
	p := ofPlace(to)
	if d.keys != "" {
		p["reply_markup"] = d.keys
	}
	if twice {
		d.caption = strings.TrimSpace(d.caption + "\n\n" + again)
	}
	if d.caption != "" {
		p["caption"] = d.caption
	}
	methods := [][2]string{{"sendPhoto", "photo"}, {"sendDocument", "document"}}
	if !d.photo {
		methods = methods[1:]
	}
	var m message
	var err error
	for _, method := range methods {
		file, bad := d.open()
		if bad != nil {
			return t.instead(ctx, to, d.name, bad.Error(), twice)
		}
		err = t.upload(ctx, method, p, d.name, file, &m)
		if !refusal(err) {
			return m.ID, err
		}
	}
	return t.instead(ctx, to, d.name, "Telegram does not take it: "+why(err), twice)
}

func (t *tellers) upload(ctx context.Context, method [2]string, p params, name string, file io.ReadCloser, m *message) error {
	defer file.Close()
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	return t.api.upload(ctx, method[0], p, method[1], name, file, m)
}

// instead says in the place of a file why it is not there.
func (t *tellers) instead(ctx context.Context, to place, name, reason string, twice bool) (int64, error) {
	return t.message(ctx, to, markup.Message{Text: cut("The file "+printable(name)+" was not sent: "+printable(reason), 1000)}, "", nil, twice)
}
