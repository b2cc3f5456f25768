package outbound

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

// maxPictureTries is how often Telegram is asked to replace a picture.
const maxPictureTries = 3

// pictureShown is the name under which the store keeps the message that shows a picture.
func pictureShown(name string) string { return "slot/" + name }

// picture is the newest state of a picture in a message.
type picture struct {
	file  event.File
	tries int // that failed
}

// queuePicture has a picture replaced when there is time. Of several states only the newest is shown.
func (c *chatSender) queuePicture(f event.File) {
	if f.StateOf == "" || c.senders.cfg.Files == nil {
		return
	}
	if c.pictures == nil {
		c.pictures = map[string]picture{}
	}
	c.pictures[f.StateOf] = picture{file: f}
}

// nextPicture returns the name of the picture that is replaced next, and when; "" none. Items go first.
func (c *chatSender) nextPicture() (name string, at time.Time) {
	if len(c.pictures) == 0 || c.sending != nil || len(c.items) > 0 {
		return "", at
	}
	last := c.pictureAt
	if c.live.sentAt.After(last) {
		last = c.live.sentAt
	}
	return slices.Min(slices.Collect(maps.Keys(c.pictures))), last.Add(max(statusEvery, c.senders.cfg.Pace))
}

// replacePicture puts a file in the place of the picture with its name, if a message shows one.
func (c *chatSender) replacePicture(ctx context.Context, f event.File) error {
	message, err := c.senders.cfg.Shown.Shown(ctx, c.name, pictureShown(f.StateOf))
	if err != nil || message == 0 {
		return err
	}
	for _, kind := range fileKinds(isPhoto(f)) {
		file, bad := c.senders.cfg.Files.Open(ctx, f)
		if bad != nil {
			c.senders.cfg.Log.Warn("a picture in a chat stays what it was", "chat", c.name, "file", f.Path, "err", bad)
			return nil
		}
		media := map[string]string{"type": kind, "media": "attach://file"}
		if caption := markup.Shorten(f.Caption, maxCaption); caption != "" {
			media["caption"] = caption
		}
		p := client.ParamsForMessage(c.to, message, "")
		p["media"] = jsonOf(media)
		err = client.IgnoreUnchanged(c.upload(ctx, methodEditMedia, p, "file", f.Name, file, nil))
		if client.IsRefusal(err) && isMessageGone(client.Reason(err)) {
			return c.senders.cfg.Shown.ForgetShown(ctx, c.name, pictureShown(f.StateOf), message)
		}
		if !client.IsRefusal(err) {
			return err
		}
	}
	return err
}

// isMessageGone reports whether Telegram says that there is no message any more that could be changed.
func isMessageGone(why string) bool {
	return strings.Contains(why, "message to edit not found") || strings.Contains(why, "message can't be edited") ||
		strings.Contains(why, "MESSAGE_ID_INVALID")
}

// finishPicture folds in the result of a call that replaces a picture. One that Telegram may take the next time is
// tried again, unless there is a newer state.
func (c *chatSender) finishPicture(call liveCall) {
	c.pictureAt = c.senders.cfg.Now()
	if _, newer := c.pictures[call.picture.file.StateOf]; newer || call.err == nil || isPermanent(call.err) {
		return
	}
	if c.senders.limits.Left(c.to.Chat) == 0 {
		call.picture.tries++
	}
	if call.picture.tries < maxPictureTries {
		c.pictures[call.picture.file.StateOf] = call.picture
	}
}
