package inbound

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// maxCallbacks limits the remembered buttons; the oldest are forgotten.
const maxCallbacks = 1000

// callback is a button below the answer of a command.
type callback struct {
	at    chat.Address
	line  string
	all   [][]commands.Choice // of the answer
	guard guard
}

// guard says who may use the buttons of an answer, and of the answers that replace it.
type guard struct {
	least event.Level
	whose string // the id of a person; "": for all of that level
}

// Offer returns an answer ready to be sent to an address. Everybody there may use its buttons, as
// far as the commands permit.
func (in *Handler) Offer(to chat.Address, a commands.Answer) chat.Answer {
	return in.offer(to, a, guard{})
}

// offer returns an answer ready to be sent to an address, and remembers its buttons.
func (in *Handler) offer(to chat.Address, a commands.Answer, g guard) chat.Answer {
	out := chat.Answer{Text: a.Text}
	for _, row := range a.Choices {
		var keys []chat.Key
		for _, c := range row {
			nonce := rand.Text()
			in.callbacks.Set(nonce, callback{at: to, line: c.Line, all: a.Choices, guard: g})
			label := markup.Shorten(cmp.Or(strings.TrimSpace(c.Label), "·"), chat.MaxLabel)
			keys = append(keys, chat.Key{Text: label, Data: chat.PressButton + nonce})
		}
		if len(keys) > 0 {
			out.Keys = append(out.Keys, keys)
		}
	}
	return out
}

// pressButton runs the command of a button below an answer, once, and replaces the answer by the
// command's answer. An answer without text replaces only the buttons.
func (in *Handler) pressButton(ctx context.Context, sp speaker, nonce string) (string, error) {
	b, ok := in.callbacks.Get(nonce)
	if !ok || b.at != sp.address {
		return in.say(ctx, sp, "old.button"), nil
	}
	if sp.principal.Level < b.guard.least || b.guard.whose != "" && b.guard.whose != sp.id() {
		return in.say(ctx, sp, "not.yours.error"), nil
	}
	a, err := in.give(ctx, sp, b)
	if err != nil || ctx.Err() != nil {
		return "", err
	}
	in.callbacks.Remove(nonce)
	in.cfg.Sender.Wake(sp.address.Name()) // the command may have handed in an input
	if err := in.cfg.Sender.Edit(ctx, sp.address, sp.message, in.offer(sp.address, a, b.guard)); err != nil && ctx.Err() == nil {
		in.cfg.Log.Warn("answer not replaced", "chat", sp.address.Name(), "err", err)
	}
	return "", nil
}

// give runs the command of a button. A call of a tool is handed in, and then the other buttons
// stay.
func (in *Handler) give(ctx context.Context, sp speaker, b callback) (commands.Answer, error) {
	by := in.request(ctx, sp, "")
	name, args := commands.Split(b.line)
	if _, known := in.cfg.Commands.Find(name, by.Surface); known {
		by.Args = args
		return in.cfg.Commands.Run(ctx, name, by)
	}
	input := session.Input{
		Chat: by.Chat, ID: "button/" + rand.Text(), From: by.From, Text: b.line, Principal: by.Principal, Command: true,
		AppLang: phrases.Language(by.Lang),
	}
	if !sp.address.Private() {
		input.Own, input.Label = b.line, sp.groupLabel()
	}
	if _, err := in.cfg.Sessions.Submit(ctx, input); err != nil {
		return commands.Answer{}, err
	}
	var left [][]commands.Choice
	for _, row := range b.all {
		left = append(left, slices.DeleteFunc(slices.Clone(row), func(c commands.Choice) bool { return c.Line == b.line }))
	}
	return commands.Answer{Choices: left}, nil
}
