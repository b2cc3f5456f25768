package inbound

import (
	"hash/maphash"

	"hob/internal/recent"
	"hob/internal/surface/telegram/client"
)

// lastTexts remembers the texts of the newest messages. It tells a correction from another change,
// and makes sure that an author is told only once that corrections are not read. It is safe for
// concurrent use.
type lastTexts struct {
	seed  maphash.Seed
	texts *recent.Map[textKey, lastText]
}

type textKey struct{ chat, message int64 }

type lastText struct {
	sum       uint64
	corrected bool
}

// maxTexts limits the remembered messages.
const maxTexts = 500

func newLastTexts() lastTexts {
	return lastTexts{maphash.MakeSeed(), recent.NewMap[textKey, lastText](maxTexts)}
}

// note records the text of a message.
func (t lastTexts) note(m *client.Message) { t.compare(m, false) }

// corrected reports whether the text of a message changed for the first time, and records the new
// text.
func (t lastTexts) corrected(m *client.Message) bool { return t.compare(m, true) }

func (t lastTexts) compare(m *client.Message, edited bool) (corrected bool) {
	words, _ := m.Words()
	sum := maphash.String(t.seed, words)
	t.texts.Update(textKey{m.Chat.ID, m.ID}, func(was lastText, known bool) lastText {
		corrected = edited && !was.corrected && (!known || was.sum != sum)
		return lastText{sum, was.corrected || corrected}
	})
	return corrected
}
