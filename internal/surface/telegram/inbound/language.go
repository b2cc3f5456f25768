package inbound

import (
	"cmp"
	"context"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
)

// language returns the language for a known speaker: that of the chat, or else of their app.
func (in *Handler) language(ctx context.Context, sp speaker) string {
	return cmp.Or(in.cfg.Sessions.Language(ctx, sp.address.Name()), phrases.Language(sp.Lang))
}

// say returns a text in the language of a known speaker.
func (in *Handler) say(ctx context.Context, sp speaker, key string, args ...string) string {
	return chat.Words(in.language(ctx, sp)).Text(key, args...)
}

// sayFirst returns a text for a person whom hob may not know, in the language of their app.
func sayFirst(sp speaker, key string, args ...string) string {
	return chat.Words(phrases.Language(sp.Lang)).Text(key, args...)
}

// request returns a speaker's request for a command of hob's own.
func (in *Handler) request(ctx context.Context, sp speaker, args string) commands.Request {
	r := sp.request(args)
	r.Lang = cmp.Or(in.language(ctx, sp), r.Lang)
	return r
}

// sentence returns an error as a sentence for a speaker.
func (in *Handler) sentence(ctx context.Context, sp speaker, err error) string {
	return in.translate(in.language(ctx, sp), event.SentenceOf(err))
}

func (in *Handler) translate(lang, text string) string {
	if in.cfg.Translate == nil {
		return text
	}
	return in.cfg.Translate(lang, text)
}
