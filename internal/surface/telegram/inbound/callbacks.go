package inbound

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/recent"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
)

// maxCallbacks is how many buttons are remembered; the oldest are forgotten.
const maxCallbacks = 1000

// Callbacks are the buttons below answers, and their functions. They are safe for concurrent use.
type Callbacks struct {
	byNonce *recent.Map[string, callback]
}

type callback struct {
	at    chat.Address
	press func(ctx context.Context, by chat.Request) (chat.Answer, error)
}

func NewCallbacks() *Callbacks { return &Callbacks{recent.NewMap[string, callback](maxCallbacks)} }

// Keep remembers what a button of the message that is about to be sent to an address does, and returns the data
// of its press.
func (h *Callbacks) Keep(to chat.Address, b chat.Button) string {
	nonce := rand.Text()
	h.byNonce.Set(nonce, callback{to, b.Press})
	return chat.PressButton + nonce
}

// find returns the function of a button that was sent to an address.
func (h *Callbacks) find(at chat.Address, nonce string) (press func(context.Context, chat.Request) (chat.Answer, error), ok bool) {
	b, ok := h.byNonce.Get(nonce)
	return b.press, ok && b.at == at && b.press != nil
}

// drop forgets a button that was pressed.
func (h *Callbacks) drop(nonce string) { h.byNonce.Remove(nonce) }

// errNotForYou refuses the press of somebody else's button.
var errNotForYou = errors.New("this button is not for you")

// guardButtons returns an answer whose buttons, and those of the answers that replace it, work only for people
// of at least that level and, where whose is an id, only for that person.
func guardButtons(a chat.Answer, least event.Level, whose string) chat.Answer {
	rows := make([][]chat.Button, len(a.Buttons))
	for i, row := range a.Buttons {
		for _, b := range row {
			press := b.Press
			if press == nil {
				continue
			}
			b.Press = func(ctx context.Context, by chat.Request) (chat.Answer, error) {
				if by.Level < least || whose != "" && by.From != whose {
					return chat.Answer{}, errNotForYou
				}
				next, err := press(ctx, by)
				return guardButtons(next, least, whose), err
			}
			rows[i] = append(rows[i], b)
		}
	}
	a.Buttons = rows
	return a
}

// withLines returns an answer whose buttons that call a tool have a press that hands in the call. The other buttons stay.
func (in *Handler) withLines(sp speaker, a chat.Answer) chat.Answer {
	given, rows := a.Buttons, slices.Clone(a.Buttons)
	for i, row := range given {
		rows[i] = slices.Clone(row)
		for j, b := range row {
			if press := b.Press; b.Line == "" && press != nil {
				rows[i][j].Press = func(ctx context.Context, by chat.Request) (chat.Answer, error) {
					next, err := press(ctx, by)
					return in.withLines(sp, next), err
				}
			}
			if b.Line == "" {
				continue
			}
			rows[i][j].Line, rows[i][j].Press = "", func(ctx context.Context, by chat.Request) (chat.Answer, error) {
				input := session.Input{
					Chat: by.Chat, ID: "button/" + rand.Text(), From: by.From, Text: b.Line, Principal: by.Principal, Command: true,
					AppLang: phrases.Language(by.Lang),
				}
				if !sp.address.Private() {
					input.Own, input.Label = b.Line, sp.groupLabel()
				}
				if _, err := in.cfg.Sessions.Submit(ctx, input); err != nil {
					return chat.Answer{}, err
				}
				left := slices.Clone(given)
				left[i] = slices.Delete(slices.Clone(row), j, j+1)
				return in.withLines(sp, chat.Answer{Buttons: slices.DeleteFunc(left, func(row []chat.Button) bool { return len(row) == 0 })}), nil
			}
		}
	}
	a.Buttons = rows
	return a
}
