package inbound

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// maxGuesses limits the codes that a stranger may try within an hour. It is lower than the tries of
// an invite.
const maxGuesses = 3

// speaker is a person who writes or presses, with their chat and their rights there.
type speaker struct {
	client.User
	address   chat.Address
	principal event.Principal
	title     string // of the group
	guest     bool   // only the group was admitted, not the person
	message   int64  // the message in which they speak
}

func (sp speaker) id() string { return strconv.FormatInt(sp.ID, 10) }

// name is the name of a speaker in a group.
func (sp speaker) name() string {
	name := strings.ReplaceAll(chat.OneLine(sp.First, 32), ":", "")
	if name == "" {
		return sayFirst(sp, "somebody")
	}
	return name
}

// groupLabel is the label of messages in a group: everybody there counts as somebody else, and may
// command what their level allows.
func (sp speaker) groupLabel() event.Label {
	return event.Label{Untrusted: true, Source: "telegram group " + sp.title}
}

func (sp speaker) request(args string) commands.Request {
	return commands.Request{
		Surface: commands.Telegram, Chat: sp.address.Name(), From: sp.id(), Principal: sp.principal, Args: args, Lang: chat.OneLine(sp.Lang, 35),
	}
}

// admit identifies the speaker by facts that Telegram guarantees: the ids of the account and the
// chat. known is false for strangers, who get no answer.
func (in *Handler) admit(ctx context.Context, from *client.User, c client.Chat, as *client.Chat, at chat.Address) (sp speaker, known bool, err error) {
	if !from.IsPerson() || as != nil {
		return speaker{}, false, nil
	}
	sp = speaker{User: *from, address: at, principal: event.Principal{Platform: chat.Platform, Scope: "private"}}
	switch c.Type {
	case "private":
		if c.ID != from.ID {
			return speaker{}, false, nil
		}
	case "group", "supergroup":
		if c.ID >= 0 {
			return speaker{}, false, nil
		}
		sp.principal.Scope, sp.title = "group", chat.OneLine(c.Title, 60)
		if _, known, err = in.lookUpPerson(ctx, c.ID); !known || err != nil {
			return speaker{}, false, errors.Join(err, in.unknownGroup(ctx, from.ID, c))
		}
	default:
		return speaker{}, false, nil
	}
	p, known, err := in.lookUpPerson(ctx, from.ID)
	if err != nil {
		return speaker{}, false, err
	}
	sp.principal.Level, sp.guest = p.Level, !known
	return sp, known || sp.principal.Scope == "group", nil
}

// unknownGroup logs how to admit a group in which a known person speaks, because its id is shown
// nowhere else.
func (in *Handler) unknownGroup(ctx context.Context, from int64, group client.Chat) error {
	_, known, err := in.lookUpPerson(ctx, from)
	if known {
		in.cfg.Log.Info(fmt.Sprintf("hob is silent in a group: hob allow %d lets it in", group.ID), "group", chat.OneLine(group.Title, 60), "person", from)
	}
	return err
}

// lookUpPerson looks a person up, and repeats that until it works: a failure must not make them a
// stranger.
func (in *Handler) lookUpPerson(ctx context.Context, id int64) (p event.Person, known bool, err error) {
	err = in.retry(ctx, "look up who speaks", func() (err error) {
		p, known, err = in.cfg.People.Person(ctx, chat.Platform, id)
		return err
	})
	if !known {
		p = event.Person{}
	}
	return p, known, err
}

// pair admits a stranger who gives the code of an invite. Strangers' other messages, and wrong
// codes, get no answer.
func (in *Handler) pair(ctx context.Context, it item) error {
	m := it.up.Message
	if !m.From.IsPerson() || m.SenderChat != nil || m.Chat.Type != "private" || m.Chat.ID != m.From.ID || !m.IsOwnWords() {
		return nil
	}
	code, ok := pairingCode(m.Text)
	if !ok {
		return nil
	}
	sp := speaker{User: *m.From, address: m.Address()}
	_, err := in.redeem(ctx, sp, it, code)
	return err
}

// redeem admits a person whose code is right. right is also false for a person who has tried too
// often.
func (in *Handler) redeem(ctx context.Context, sp speaker, it item, code string) (right bool, err error) {
	if !in.pairTries.allow(sp.ID, in.cfg.Now()) {
		return false, nil
	}
	// After a crash between here and the welcome, the code must not be read as a message.
	if err := in.setState(ctx, it, event.UpdateBegun); err != nil {
		return false, err
	}
	who := event.Person{Platform: chat.Platform, ID: sp.ID, Name: chat.OneLine(sp.First+" "+sp.Last, 64)}
	err = in.retry(ctx, "redeem an invite", func() (err error) {
		who, right, err = in.cfg.People.Redeem(ctx, who, code)
		return err
	})
	if err != nil || !right {
		return false, err
	}
	in.pairTries.forget(sp.ID)
	in.cfg.Log.Info("somebody was let in", "person", who.ID, "level", who.Level.String())
	in.answer(ctx, sp, 0, chat.Answer{Text: welcomeText(sp, who.Level)})
	if in.cfg.LetIn != nil {
		in.cfg.LetIn(ctx, who)
	}
	return true, context.Cause(ctx)
}

func welcomeText(sp speaker, l event.Level) string {
	key := "welcome"
	if l >= event.BotAdmin {
		key = "welcome.admin"
	}
	return sayFirst(sp, key, sp.name(), sayFirst(sp, "where.help"))
}
