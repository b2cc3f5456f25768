package web

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
	"sync"

	"hob/internal/event"
)

// maxCached is how many values a [cache] keeps.
const maxCached = 64

// cache keeps the values that were made last: all who watch a chat are shown the same. The zero cache is empty. It is safe for
// concurrent use.
type cache[K comparable, V any] struct {
	mu    sync.Mutex
	all   map[K]V
	order []K // the oldest first
}

// get returns the value of a key, and makes it where it is not known. Others wait for it meanwhile.
func (c *cache[K, V]) get(key K, make func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, known := c.all[key]; known {
		return v
	}
	v := make()
	if c.all == nil {
		c.all = map[K]V{}
	}
	if len(c.order) == maxCached {
		delete(c.all, c.order[0])
		c.order = c.order[1:]
	}
	c.all[key], c.order = v, append(c.order, key)
	return v
}

// itemKey is all by which a message about an item of a stream differs from watcher to watcher and from event to event, but for the token
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
}

// itemCache keeps messages about items. It is safe for concurrent use.
type itemCache struct {
	kept  cache[itemKey, itemData]
	token string // stands for that of the watcher; nobody who writes in a chat knows it
}

// itemData is a message about an item, or why there is none.
type itemData struct {
	raw []byte
	err error
}

func newItemCache() *itemCache { return &itemCache{token: rand.Text()} }

// itemMessage returns the data of the message that an event has changed an item.
func (s *Server) itemMessage(v visit, chat event.Chat, e event.Event, it item) ([]byte, error) {
	page := s.newView("chat", v, chat, nil)
	key := itemKey{
		chat: chat, seq: e.Seq, id: it.ID, who: it.Who, lang: v.words.Lang, zone: s.cfg.Zone().String(), mayAllow: page.MayAllow(), readOnly: page.ReadOnly,
		call: it.Call, undo: it.Undo, choices: len(it.Choices), open: it.Question.Open, allowed: it.Question.Allowed,
	}
	own := page.CSRF
	page.CSRF = s.items.token
	made := s.items.kept.get(key, func() (d itemData) {
		var html bytes.Buffer
		if d.err = s.made().views.ExecuteTemplate(&html, "item", scope{page, it}); d.err != nil {
			return d
		}
		d.raw, d.err = json.Marshal(map[string]any{"chat": chat, "seq": e.Seq, "turn": e.Turn, "id": it.ID, "html": strings.TrimSpace(html.String())})
		return d
	})
	if token := []byte(s.items.token); bytes.Contains(made.raw, token) {
		return bytes.ReplaceAll(made.raw, token, []byte(own)), made.err
	}
	return made.raw, made.err
}
