package web

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"

	"hob/internal/event"
	"hob/internal/recent"
)

// maxCached is how many values a cache keeps: all who watch a chat are shown the same.
const maxCached = 64

// itemKey is all by which a message about an item of a stream differs from watcher to watcher and from event to event, except for the token
// of the forms in it.
type itemKey struct {
	chat               event.Chat
	seq                int64 // of the event that has changed the item
	id, who, lang      string
	zone               string // of its times
	mayAllow, readOnly bool
	call               call
	undo               bool
	choices            int
	open, allowed      bool
	now                string // see [item.now]
	again              bool
}

// itemCache keeps messages about items. It is safe for concurrent use.
type itemCache struct {
	kept  *recent.Map[itemKey, itemData]
	token string // stands for that of the watcher; nobody who writes in a chat knows it
}

// itemData is a message about an item, or why there is none.
type itemData struct {
	raw []byte
	err error
}

func newItemCache() *itemCache {
	return &itemCache{recent.NewMap[itemKey, itemData](maxCached), rand.Text()}
}

// itemMessage returns the data of the message that an event has changed an item; again says that no event has, but what was done elsewhere.
func (s *Server) itemMessage(v visit, chat event.Chat, e event.Event, it item, again bool) ([]byte, error) {
	page := s.newView("chat", v, chat, nil)
	key := itemKey{
		chat: chat, seq: e.Seq, id: it.ID, who: it.Who, lang: v.words.Lang, zone: s.cfg.Zone().String(), mayAllow: page.MayAllow(), readOnly: page.ReadOnly,
		call: it.Call, undo: it.Undo, choices: len(it.Choices), open: it.Question.Open, allowed: it.Question.Allowed, now: it.now(), again: again,
	}
	own := page.CSRF
	page.CSRF = s.items.token
	made := s.items.kept.Make(key, func() (d itemData) {
		var html bytes.Buffer
		if d.err = s.made().views.ExecuteTemplate(&html, "item", scope{page, it}); d.err != nil {
			return d
		}
		data := map[string]any{"chat": chat, "seq": e.Seq, "turn": e.Turn, "id": it.ID, "html": strings.TrimSpace(html.String())}
		if again {
			delete(data, "seq")
			data["again"] = true
		}
		d.raw, d.err = json.Marshal(data)
		return d
	})
	if token := []byte(s.items.token); bytes.Contains(made.raw, token) {
		return bytes.ReplaceAll(made.raw, token, []byte(own)), made.err
	}
	return made.raw, made.err
}
