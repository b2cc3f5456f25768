package inbound

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// message is the content of a message, or of an album.
type message struct {
	addressed bool
	named     bool     // it named the bot; the name is removed
	ownWords  bool     // the speaker's own words: not forwarded, and not from another bot
	typed     bool     // they typed all of text: no caption, and no quote
	text      string   // the speaker's text
	before    string   // a line about the answered message, to go above the text
	toBot     bool     // it answers a message of this bot
	aside     []string // parts of before that others may have chosen
	label     event.Label
}

// waitForSelf waits until Telegram has reported the bot's account. Before that hob cannot tell
// which messages are for it.
func (in *Handler) waitForSelf(ctx context.Context) (client.User, error) {
	var me client.User
	err := retry.Policy{Backoff: retry.Backoff{First: firstWait, Max: lastWait / 6}}.Do(ctx, func() error {
		if me = in.cfg.Me(); me.ID == 0 {
			return errNoName
		}
		return nil
	})
	return me, err
}

// errNoName says that the bot's account is not known yet.
var errNoName = errors.New("the bot's name is not known yet: Telegram has not sent it")

// readMessages reads the content of a message, or an album.
func (in *Handler) readMessages(ctx context.Context, sp speaker, all []item) (message, error) {
	first := all[0].up.Message
	h := message{ownWords: first.IsOwnWords(), addressed: sp.address.Private()}
	var me client.User
	if !h.addressed {
		var err error
		if me, err = in.waitForSelf(ctx); err != nil {
			return h, err
		}
	}
	var texts []string
	for _, it := range all {
		m := it.up.Message
		text, entities := m.Words()
		if !sp.address.Private() {
			own, named := withoutMention(text, entities, me)
			r := m.RepliesTo()
			text = own
			h.named = h.named || named
			h.addressed = h.addressed || named || r != nil && r.From != nil && r.From.ID == me.ID
		}
		texts = append(texts, nonEmpty(text)...)
	}
	h.text = strings.Join(texts, "\n")
	h.typed = h.ownWords && len(all) == 1 && h.text != "" && isTyped(first)
	if c, ok := parseCommand(h.text); ok && !sp.address.Private() && h.ownWords {
		h.addressed = c.bot == "" || strings.EqualFold(c.bot, me.Username)
	}
	h.label, h.before, h.aside = originOf(sp, first)
	if r := first.RepliesTo(); r != nil && r.From != nil { // in a private chat there is no other bot
		h.toBot = r.From.ID == me.ID || sp.address.Private() && r.From.IsBot
	}
	return h, nil
}

// isTyped reports whether a message is only typed words: no caption of any kind, and nothing that
// Telegram shows as a quote or as code, as it does with copied text.
func isTyped(m *client.Message) bool {
	return m.Text != "" && !slices.ContainsFunc(m.Entities, func(e client.Entity) bool {
		return slices.Contains([]string{"blockquote", "expandable_blockquote", "pre", "code"}, e.Type)
	})
}

// withoutMention removes the bot's name from a text and reports whether it was there. It finds the
// name by Telegram's offsets, in UTF-16 units, not by its letters.
func withoutMention(text string, entities []client.Entity, me client.User) (string, bool) {
	units := utf16.Encode([]rune(text))
	named := false
	for _, e := range slices.Backward(entities) {
		if e.Offset < 0 || e.Length <= 0 || e.Offset > len(units) || e.Length > len(units)-e.Offset {
			continue
		}
		end := e.Offset + e.Length
		name := string(utf16.Decode(units[e.Offset:end]))
		switch {
		case e.Type == "mention" && me.Username != "" && strings.EqualFold(name, "@"+me.Username):
		case e.Type == "text_mention" && e.User != nil && e.User.ID == me.ID:
		default:
			continue
		}
		named = true
		if end < len(units) && units[end] == ' ' && (e.Offset == 0 || units[e.Offset-1] == ' ') {
			end++
		}
		units = slices.Delete(units, e.Offset, end)
	}
	if !named {
		return text, false
	}
	return strings.TrimLeft(strings.TrimSpace(string(utf16.Decode(units))), ",: "), true
}

// How many characters of an answered message are handed in.
const (
	maxQuoted   = 500
	maxRepeated = 200 // of the bot's own message, which the model has already
)

// originOf returns the label of a message, and the line about the message that it answers. Somebody
// else's words make all of it untrusted, because there is only one label.
func originOf(sp speaker, m *client.Message) (l event.Label, before string, aside []string) {
	mark := func(source string) {
		if !l.Untrusted {
			l = event.Label{Untrusted: true, Source: source}
		}
	}
	if !sp.address.Private() {
		l = sp.groupLabel()
	}
	if m.ViaBot != nil {
		mark("telegram bot @" + chat.OneLine(m.ViaBot.Username, 32))
	}
	if m.Forwarded {
		mark("telegram message that was forwarded")
	}
	r := m.RepliesTo()
	quoted := ""
	if r != nil {
		quoted, _ = r.Words()
		if s, ok := attachmentOf(r); ok && quoted == "" {
			quoted = s.name
			aside = []string{chat.OneLine(quoted, maxQuoted)}
		}
	}
	if m.Quote != nil {
		quoted, aside = m.Quote.Text, nil
	}
	switch {
	case quoted == "":
		return l, "", nil
	case r != nil && r.From != nil && r.From.IsBot && (sp.address.Private() || r.SenderChat == nil):
		// In a group no bot is trusted, not even this one: its text may repeat a page, and an
		// address in it must not count as one that the owner named.
		if text := plainWords(quoted, maxRepeated); text != "" && r.ID != m.ID-1 {
			before = "[in reply to your words: " + text + "]\n"
		}
		return l, before, nil
	case r != nil && r.From != nil && r.From.ID == sp.ID && r.SenderChat == nil && r.IsOwnWords():
		return l, "[in reply to their own words: " + chat.OneLine(quoted, maxQuoted) + "]\n", aside
	}
	who := "somebody"
	if r != nil && r.From != nil && r.From.ID != sp.ID {
		who = speaker{User: *r.From}.name()
	}
	mark("telegram message of somebody else")
	return l, "[in reply to " + who + ": " + chat.OneLine(quoted, maxQuoted) + "]\n", nil // all of it is somebody else's
}

// plainWords returns the beginning of a text, without addresses and paths.
func plainWords(text string, most int) string {
	var kept []string
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		odd := func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’-", r)
		}
		if word != "" && !strings.ContainsFunc(word, odd) {
			kept = append(kept, word)
		}
	}
	return chat.OneLine(strings.Join(kept, " "), most)
}

// member is a person in a group.
type member struct{ group, person int64 }

// role is the rights of a member of a group.
type role struct {
	level event.Level
	until time.Time // after this Telegram is asked again
}

const (
	roleAge    = 10 * time.Minute
	noRoleAge  = 30 * time.Second // Telegram gave no answer
	roleTime   = 5 * time.Second  // limit for asking
	maxMembers = 1000
)

// levelOf returns the level of a speaker: their own, or that of their role in the group if it is
// higher.
func (in *Handler) levelOf(ctx context.Context, sp speaker) (event.Level, error) {
	own := sp.principal.Level
	if sp.address.Private() || own >= event.GroupOwner {
		return own, nil
	}
	who := member{sp.address.Chat, sp.ID}
	now := in.cfg.Now()
	if r, known := in.roles.Get(who); known && now.Before(r.until) {
		return max(own, r.level), nil
	}
	asking, cancel := context.WithTimeout(ctx, roleTime)
	defer cancel()
	var is struct {
		Status string `json:"status"`
	}
	p := client.Params{"chat_id": strconv.FormatInt(who.group, 10), "user_id": strconv.FormatInt(who.person, 10)}
	r := role{until: now.Add(roleAge)}
	if err := in.cfg.Client.Call(asking, "getChatMember", p, &is); err != nil {
		if ctx.Err() != nil {
			return event.User, context.Cause(ctx)
		}
		in.cfg.Log.Warn("role not known: the lowest is taken", "chat", sp.address.Name(), "person", who.person, "err", err)
		r.until = now.Add(noRoleAge)
	}
	switch is.Status {
	case "creator":
		r.level = event.GroupOwner
	case "administrator":
		r.level = event.GroupAdmin
	}
	in.roles.Set(who, r)
	return max(own, r.level), nil
}

// handleMigration alerts the owner that a group has a new id, which is not admitted by itself.
func (in *Handler) handleMigration(ctx context.Context, m *client.Message) error {
	if _, known, err := in.lookUpPerson(ctx, m.Chat.ID); err != nil || !known {
		in.strangers.Add(1)
		return err
	}
	in.cfg.Log.Warn("group has become another chat", "from", m.Chat.ID, "to", m.MigrateTo)
	if in.cfg.Alert != nil {
		in.cfg.Alert(fmt.Sprintf("the Telegram group %q has become another chat, with the number %d: hob does not listen there until you let it in",
			chat.OneLine(m.Chat.Title, 60), m.MigrateTo))
	}
	return nil
}
