package outbound

import (
	"context"
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

// maxPictureTries limits the tries to update a picture.
const maxPictureTries = 3

// pictureShown is the name under which the store records the message that shows a slot.
func pictureShown(slot string) string { return "slot/" + slot }

// picture is the newest state of a slot, such as the map of a story, for the message that shows the
// slot.
type picture struct {
	file  event.File // its StateOf is the slot
	tries int        // failed tries
}

// queuePicture queues an update of a picture. Only the newest state of a slot is kept, at the place
// of the oldest in the queue, so that a slot that changes all the time does not delay another.
func (c *chatSender) queuePicture(f event.File) {
	switch i := c.findPicture(f.StateOf); {
	case f.StateOf == "" || c.cfg.Files == nil:
	case i >= 0:
		c.pictures[i] = picture{file: f}
	default:
		c.pictures = append(c.pictures, picture{file: f})
	}
}

// findPicture returns the index of the queued picture of a slot, or -1.
func (c *chatSender) findPicture(slot string) int {
	return slices.IndexFunc(c.pictures, func(p picture) bool { return p.file.StateOf == slot })
}

// dropPicture drops the queued picture of a slot.
func (c *chatSender) dropPicture(slot string) {
	c.pictures = slices.DeleteFunc(c.pictures, func(p picture) bool { return p.file.StateOf == slot })
}

// nextPicture returns when the next picture may be updated. Items go first.
func (c *chatSender) nextPicture() (due time.Time, ok bool) {
	if len(c.pictures) == 0 || c.sending != nil || len(c.items) > 0 {
		return due, false
	}
	last := c.pictureAt
	if c.live.lastCallAt.After(last) {
		last = c.live.lastCallAt
	}
	return last.Add(max(statusEvery, c.cfg.Pace)), true
}

// replacePicture replaces the picture of a slot by a file, if a message shows the slot.
func (c *chatSender) replacePicture(ctx context.Context, f event.File) error {
	message, err := c.cfg.Shown.Shown(ctx, c.name, pictureShown(f.StateOf))
	if err != nil || message == 0 {
		return err
	}
	for _, kind := range fileKinds(isPhoto(f)) {
		file, bad := c.cfg.Files.Open(ctx, f)
		if bad != nil {
			c.cfg.Log.Warn("a picture in a chat stays what it was", "chat", c.name, "file", f.Path, "err", bad)
			return nil
		}
		media := map[string]string{"type": kind.name, "media": "attach://file"}
		if caption := markup.Shorten(f.Caption, maxCaption); caption != "" {
			media["caption"] = caption
		}
		p := client.ParamsForMessage(c.to, message, "")
		p["media"] = jsonOf(media)
		err = client.IgnoreUnchanged(c.post.upload(ctx, methodEditMedia, p, "file", f.Name, file, nil))
		if client.IsMessageGone(err) {
			return c.cfg.Shown.ForgetShown(ctx, c.name, pictureShown(f.StateOf), message)
		}
		if !client.IsRefusal(err) {
			return err
		}
	}
	return err
}

// finishPicture folds in the result of a call that updates a picture. A failure that may pass is
// tried again, unless there is a newer state.
func (c *chatSender) finishPicture(call liveCall) {
	c.pictureAt = c.cfg.Now()
	newer := c.findPicture(call.picture.file.StateOf) >= 0
	if newer || call.err == nil || isFinal(call.err) {
		return
	}
	if c.senders.limits.Left(c.to.Chat) == 0 { // a rate limit does not count as a failed try
		call.picture.tries++
	}
	if call.picture.tries < maxPictureTries {
		c.pictures = append(c.pictures, call.picture)
	}
}
