package inbound

import (
	"hash/maphash"
	"sync"

	"hob/internal/surface/telegram/client"
)

// lastTexts is what the newest messages said, by which a correction is told from a change of something else, and of which their author was
// told that corrections are not read. The zero lastTexts is ready. It is safe for concurrent use.
type lastTexts struct {
	mu    sync.Mutex
	seed  maphash.Seed
	known map[textKey]lastText
	order []textKey // in which they came
}

type textKey struct{ chat, message int64 }

type lastText struct {
	sum  uint64
	told bool
}

// maxTexts is of how many messages it is known.
const maxTexts = 500

// note notes what a message says.
func (t *lastTexts) note(m *client.Message) { t.compare(m, false) }

// corrected reports whether a message says something else than was known of it, for the first time, and notes what it says.
func (t *lastTexts) corrected(m *client.Message) bool { return t.compare(m, true) }

func (t *lastTexts) compare(m *client.Message, edited bool) (corrected bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.seed, t.known = maphash.MakeSeed(), map[textKey]lastText{}
	}
	key := textKey{m.Chat.ID, m.ID}
	words, _ := m.Words()
	was, known := t.known[key]
	if !known {
		if t.order = append(t.order, key); len(t.order) > maxTexts {
			delete(t.known, t.order[0])
			t.order = t.order[1:]
		}
	}
	sum := maphash.String(t.seed, words)
	corrected = edited && !was.told && (!known || was.sum != sum)
	t.known[key] = lastText{sum, was.told || corrected}
	return corrected
}
