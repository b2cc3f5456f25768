package telegram

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

// maxFreshTries is how often a picture is put in the place of an older one that Telegram could not be asked to change.
const maxFreshTries = 3

// slotShown is the name under which the memory keeps which message of a chat shows a slot.
func slotShown(slot string) string { return "slot/" + slot }

// fresh is the newest state of what a message shows, which nobody would miss: the next is as good.
type fresh struct {
	file  event.File
	tries int // that failed
}

// freshen has the message that shows a file's slot changed when there is time. Of several states only the newest is shown.
func (c *telling) freshen(f event.File) {
	if f.Slot == "" || c.t.cfg.Files == nil {
		return
	}
	if c.fresh == nil {
		c.fresh = map[string]fresh{}
	}
	c.fresh[f.Slot] = fresh{file: f}
}

// nextFresh says which slot is to be changed next, and when; "" none. What is told goes first.
func (c *telling) nextFresh() (slot string, at time.Time) {
	if len(c.fresh) == 0 || c.busy != nil || len(c.queue) > 0 {
		return "", at
	}
	last := c.freshAt
	if c.show.sentAt.After(last) {
		last = c.show.sentAt
	}
	return slices.Min(slices.Collect(maps.Keys(c.fresh))), last.Add(max(statusEvery, c.pace()))
}

// refresh puts a file in the place of the one that is shown of its slot, if there is one.
func (c *telling) refresh(ctx context.Context, f event.File) error {
	message, err := c.t.cfg.Live.Shown(ctx, c.name, slotShown(f.Slot))
	if err != nil || message == 0 {
		return err
	}
	for _, method := range kinds(pictured(f)) {
		file, bad := c.t.cfg.Files.Open(ctx, f)
		if bad != nil {
			c.t.cfg.Log.Warn("a picture in a chat stays what it was", "chat", c.name, "file", f.Path, "err", bad)
			return nil
		}
		media := map[string]string{"type": method[1], "media": "attach://file"}
		if caption := markup.Shorten(f.Caption, maxCaption); caption != "" {
			media["caption"] = caption
		}
		p := client.ParamsForMessage(c.to, message, "")
		p["media"] = jsonOf(media)
		err = client.IgnoreUnchanged(c.t.Upload(ctx, [2]string{exchanging, "file"}, p, f.Name, file, nil))
		if client.IsRefusal(err) && gone(client.Reason(err)) {
			return c.t.cfg.Live.ForgetShown(ctx, c.name, slotShown(f.Slot), message)
		}
		if !client.IsRefusal(err) {
			return err
		}
	}
	return err
}

// gone reports whether Telegram says that there is no message any more that could be changed.
func gone(why string) bool {
	return strings.Contains(why, "message to edit not found") || strings.Contains(why, "message can't be edited") ||
		strings.Contains(why, "MESSAGE_ID_INVALID")
}

// refreshed takes in what came of it. What may work the next time is tried again, unless there is a newer state.
func (c *telling) refreshed(r liveResult) {
	c.freshAt = c.t.cfg.Now()
	if _, newer := c.fresh[r.fresh.file.Slot]; newer || r.err == nil || final(r.err) {
		return
	}
	if c.t.pauses.Left(c.to.Chat) == 0 {
		r.fresh.tries++
	}
	if r.fresh.tries < maxFreshTries {
		c.fresh[r.fresh.file.Slot] = r.fresh
	}
}
