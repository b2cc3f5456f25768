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

// translate translates hob's own text about something, such as a receipt or a tool's answer, into
// the language of the turn.
func (p *player) translate(of, words string) string {
	if own, ok := p.gate.refusals[words]; ok {
		return own
	}
	return p.c.translate(p.lang, of, words)
}

// translate translates hob's own text about something into a language.
func (c *chat) translate(lang, of, words string) string {
	if c.cfg.Chores.Sentences == nil {
		return words
	}
	return c.cfg.Chores.Sentences.Translate(lang, words, of)
}

// say translates hob's own text into the language of the chat.
func (c *chat) say(words string) string { return c.translate(c.language(), intents.HobsOwn, words) }

// receiptLanguage returns the language of the turn's receipt.
func (p *player) receiptLanguage() receipt.Language {
	return receipt.Language{Name: p.lang, Translate: func(words string) string { return p.translate("receipt", words) }}
}

// translateEnd translates the reply of a turn that ended abnormally, because hob wrote it.
func (p *player) translateEnd(bodies []event.Body) []event.Body {
	bodies = slices.Clone(bodies)
	for i, b := range bodies {
		if reply, ok := b.(event.Replied); ok {
			reply.Text = p.translate(intents.HobsOwn, reply.Text)
			bodies[i] = reply
		}
	}
	return bodies
}
