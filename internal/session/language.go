package session

import (
	"cmp"
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/receipt"
)

// mostLooked limits how many turns are checked for the language of a chat.
const mostLooked = 8

// language returns the language in which hob speaks in the chat: that of the newest message that
// shows one, else that of the person's app, else "". It survives a new conversation.
func (c *chat) language() string {
	if c.cfg.Chores.Sentences == nil {
		return ""
	}
	looked := c.langSeq
	for _, t := range slices.Backward(c.tr.turns[max(0, len(c.tr.turns)-mostLooked):]) {
		if t.seq <= looked {
			break
		}
		c.langSeq = max(c.langSeq, t.seq)
		if lang := c.cfg.Chores.Sentences.LanguageOf(TypedWords(t.input)); lang != "" {
			c.lang = lang
			break
		}
	}
	return cmp.Or(c.lang, c.appLang)
}

// Language returns the language in which hob speaks in a chat, such as "de", or "" if nothing there
// shows it.
func (s *Sessions) Language(ctx context.Context, name event.Chat) string {
	lang, _ := readChat(ctx, s, name, func(c *chat) string { return c.language() }) // "" if the chat cannot be read
	return lang
}

// translate translates hob's own text, such as a tool's answer, into a language, with the words of
// the first speaker that has a translation; see [intents.Sentences.Translate].
func (c *chat) translate(lang, words string, speakers ...string) string {
	if c.cfg.Chores.Sentences == nil {
		return words
	}
	return c.cfg.Chores.Sentences.Translate(lang, words, speakers...)
}

// translate is [chat.translate] for the turn, whose refusals the gate has translated already.
func (p *player) translate(lang, words string, speakers ...string) string {
	if own, ok := p.gate.refusals[words]; ok {
		return own
	}
	return p.c.translate(lang, words, speakers...)
}

// say translates hob's own text into the language of the chat.
func (c *chat) say(words string) string { return c.translate(c.language(), words, intents.HobsOwn) }

// say translates hob's own text into the language of the turn.
func (p *player) say(words string) string { return p.translate(p.lang, words, intents.HobsOwn) }

// receiptLanguage returns the language of the turn's receipt.
func (p *player) receiptLanguage() receipt.Language {
	return receipt.Language{Name: p.lang, Translate: func(words string) string { return p.translate(p.lang, words, "receipt") }}
}

// translateEnd translates the reply of a turn that ended abnormally, because hob wrote it.
func (p *player) translateEnd(bodies []event.Body) []event.Body {
	bodies = slices.Clone(bodies)
	for i, b := range bodies {
		if reply, ok := b.(event.Replied); ok {
			reply.Text = p.say(reply.Text)
			bodies[i] = reply
		}
	}
	return bodies
}

// translateNotes translates what hob notes while it works on a turn, and for what the turn waits.
func (p *player) translateNotes(bodies []event.Body) []event.Body {
	bodies = slices.Clone(bodies)
	for i, b := range bodies {
		switch b := b.(type) {
		case event.Noted:
			b.Text = p.say(b.Text)
			bodies[i] = b
		case event.Waiting:
			b.Text = p.say(b.Text)
			bodies[i] = b
		}
	}
	return bodies
}
