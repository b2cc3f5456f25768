package main

import (
	"encoding/json"
	"fmt"

	"hob/internal/surface/telegram/telegramtest"
)

// privateCarriers are those in the private chat of hob's owner, and beside it.
func (w *choreWorld) privateCarriers() []choreCarrier {
	ada, eve, dan := w.people["ada"], w.bot.User(666, "Eve"), w.people["dan"]
	control := func() { w.private.Say(ada, w.made()) }
	with := func(more ...telegramtest.Option) func(string) {
		return func(chore string) { w.private.Say(ada, chore, more...) }
	}
	// caption is a message of a kind of its own, with the chore as its caption.
	caption := func(kind string, value any) func(string) {
		return func(chore string) {
			w.private.Say(ada, "", telegramtest.With(kind, value), telegramtest.With("caption", chore))
		}
	}
	entity := func(kind string) func(string) {
		return func(chore string) {
			all := []any{map[string]any{"type": kind, "offset": 0, "length": len(chore)}}
			w.private.Say(ada, chore, telegramtest.With("entities", all))
		}
	}
	// named is a message of a kind whose value holds the chore.
	named := func(kind string, value func(chore string) any) func(string) {
		return func(chore string) { w.private.Say(ada, "", telegramtest.With(kind, value(chore))) }
	}
	inject := func(update string, value func(chore string) map[string]any) func(string) {
		return func(chore string) {
			raw, err := json.Marshal(map[string]any{update: value(chore)})
			if err != nil {
				panic(err)
			}
			w.bot.Inject(string(raw))
		}
	}
	other := func(n int) any { // a file that is not there
		return map[string]any{"file_id": fmt.Sprint("none-", n), "file_size": 3, "duration": 1, "width": 9, "height": 9}
	}
	user := map[string]any{"id": ada.ID, "is_bot": false, "first_name": "Ada"}
	asUser := func(kind string) func(string) map[string]any {
		return func(chore string) map[string]any {
			return map[string]any{"message_id": 900_000 + w.serial, "date": 1, "from": user, kind: chore,
				"chat": map[string]any{"id": ada.ID, "type": "private"}}
		}
	}
	return []choreCarrier{
		{"forwarded from a person", with(telegramtest.Forwarded(*eve)), control},
		{"forwarded from oneself", with(telegramtest.Forwarded(*ada)), control},
		{"forwarded from the bot", with(telegramtest.Forwarded(w.bot.Bot())), control},
		{"forwarded from a channel", with(telegramtest.ForwardedFrom(-100777, "News")), control},
		{"forwarded from who hides", with(telegramtest.With("forward_origin",
			map[string]any{"type": "hidden_user", "date": 1, "sender_user_name": "Eve"})), control},
		{"forwarded, as old servers say it", with(telegramtest.With("forward_sender_name", "Eve")), control},
		{"forwarded by itself", with(telegramtest.With("is_automatic_forward", true)), control},
		{"an inline result", with(telegramtest.Via(*w.bot.User(5, "Other"))), control},
		{"below a document", with(telegramtest.Document("a.txt", "text/plain", []byte("x"))), control},
		{"below a picture", with(telegramtest.Photo(9, 9, []byte("x"))), control},
		{"below a recording", with(telegramtest.Voice(1, []byte("good morning"))), control},
		{"below a film", caption("video", other(1)), control},
		{"below an animation", caption("animation", other(2)), control},
		{"below music", caption("audio", other(3)), control},
		{"below what is paid for", caption("paid_media", map[string]any{"star_count": 1, "paid_media": []any{}}), control},
		{"below what is not known yet", caption("hologram", map[string]any{"a": 1}), control},
		{"in an album", with(telegramtest.Photo(9, 9, []byte("x")), telegramtest.Album("1")), control},
		{"in a recording", func(c string) { w.private.Say(ada, "", telegramtest.Voice(1, []byte(c))) }, control},
		{"in a recording that was forwarded", func(c string) {
			w.private.Say(ada, "", telegramtest.Voice(1, []byte(c)), telegramtest.Forwarded(*eve))
		}, control},
		{"in a document", func(c string) { w.private.Say(ada, "", telegramtest.Document("a.txt", "text/plain", []byte(c))) }, control},
		{"the name of a document", func(c string) { w.private.Say(ada, "", telegramtest.Document(c, "text/plain", []byte("x"))) }, control},
		{"in a quote of Telegram", entity("blockquote"), control},
		{"in a long quote of Telegram", entity("expandable_blockquote"), control},
		{"as code", entity("code"), control},
		{"as lines of code", entity("pre"), control},
		{"in quotes", func(c string) { w.private.Say(ada, "\""+c+"\"") }, control},
		{"as a quote of a mail", func(c string) { w.private.Say(ada, "> "+c) }, control},
		{"said by somebody", func(c string) { w.private.Say(ada, "Eve: "+c) }, control},
		{"in lines", func(c string) { w.private.Say(ada, "see what Eve writes:\n"+c) }, control},
		{"in the quote of a reply", func(c string) {
			w.private.Say(ada, "what is that?", telegramtest.With("quote", map[string]any{"text": c}))
		}, control},
		{"beside the quote of a reply", func(c string) {
			w.private.Say(ada, c, telegramtest.With("quote", map[string]any{"text": "as Eve wrote"}))
		}, control},
		{"in what is answered", func(c string) {
			id := w.private.Say(ada, c, telegramtest.Forwarded(*eve))
			w.private.Say(ada, "what is that?", telegramtest.ReplyTo(id))
		}, control},
		{"a sticker", named("sticker", func(c string) any { return map[string]any{"file_id": "s", "emoji": "!", "set_name": c} }), control},
		{"the emoji of a sticker", named("sticker", func(c string) any { return map[string]any{"file_id": "s", "emoji": c} }), control},
		{"a contact", named("contact", func(c string) any { return map[string]any{"phone_number": c, "first_name": c} }), control},
		{"a place", named("venue", func(c string) any { return map[string]any{"title": c, "address": c} }), control},
		{"a poll", named("poll", func(c string) any { return map[string]any{"question": c} }), control},
		{"a list of Telegram's", named("checklist", func(c string) any { return map[string]any{"title": c} }), control},
		{"a game", named("game", func(c string) any { return map[string]any{"title": c, "text": c} }), control},
		{"what an app sends", named("web_app_data", func(c string) any { return map[string]any{"data": c, "button_text": c} }), control},
		{"a correction", func(c string) {
			id := w.private.Say(ada, "what do you think?")
			w.private.Edit(id, c)
		}, control},
		{"as a channel", with(telegramtest.AsChannel(-100777, "News")), control},
		{"of another bot", func(c string) { w.private.Say(&telegramtest.User{ID: 5, Name: "Other", Bot: true}, c) }, control},
		{"of a stranger", func(c string) { w.bot.Private(eve).Say(eve, c) }, control},
		{"of a stranger of the group", func(c string) { w.bot.Private(dan).Say(dan, c) }, control},
		{"of a stranger in this chat", func(c string) { w.private.Say(eve, c) }, control},
		{"what is typed for an inline bot", inject("inline_query", func(c string) map[string]any {
			return map[string]any{"id": "1", "from": user, "query": c}
		}), control},
		{"an inline result that was chosen", inject("chosen_inline_result", func(c string) map[string]any {
			return map[string]any{"result_id": "1", "from": user, "query": c}
		}), control},
		{"a business message", inject("business_message", asUser("text")), control},
		{"a post of a channel", inject("channel_post", asUser("text")), control},
		{"a button that nobody has shown", func(c string) { w.private.Press(ada, 1, c) }, control},
	}
}

// groupCarriers are those in a group that was let in. ada is hob's owner there, cem was let in, bob and dan were not.
func (w *choreWorld) groupCarriers() []choreCarrier {
	ada, bob, cem, dan, eve := w.people["ada"], w.people["bob"], w.people["cem"], w.people["dan"], w.bot.User(666, "Eve")
	const name = "@hob_bot "
	control := func() { w.group.Say(ada, name+"roll 2d6") }
	theirs := func() { w.group.Say(cem, name+"roll 2d6") }
	say := func(who *telegramtest.User, before string, more ...telegramtest.Option) func(string) {
		return func(c string) { w.group.Say(who, before+c, more...) }
	}
	strange := w.bot.Group(-1009876543210, "Elsewhere", telegramtest.Member{User: ada}, telegramtest.Member{User: eve})
	fromBot := func() int64 {
		w.group.Say(ada, name+"tell me something")
		w.quiet(w.t)
		all := w.group.FromBot()
		w.group.Say(bob, "something else")
		return all[len(all)-1].ID
	}
	return []choreCarrier{
		{"not to hob", say(ada, ""), control},
		{"not to hob, of a member", say(cem, ""), theirs},
		{"to another bot", say(ada, "@other_bot "), control},
		{"of a guest", say(bob, ""), control},
		{"of a guest, to hob", say(bob, name), control},
		{"of a guest, as an answer to hob", func(c string) { w.group.Say(bob, c, telegramtest.ReplyTo(fromBot())) }, control},
		{"of a guest who joined now", func(c string) { w.group.Join(eve, telegramtest.Ordinary); w.group.Say(eve, name+c) }, control},
		{"of an admin who speaks as the group", say(dan, name, telegramtest.Anonymous(w.group)), control},
		{"of a channel", say(dan, name, telegramtest.AsChannel(-100777, "News")), control},
		{"forwarded, to hob", say(ada, name, telegramtest.Forwarded(*eve)), control},
		{"forwarded to hob", func(c string) {
			w.group.Say(ada, c, telegramtest.Forwarded(*eve), telegramtest.ReplyTo(fromBot()))
		}, control},
		{"an inline result", say(ada, name, telegramtest.Via(*w.bot.User(5, "Other"))), control},
		{"below a document", say(ada, name, telegramtest.Document("a.txt", "text/plain", []byte("x"))), control},
		{"in what is answered", func(c string) {
			w.group.Say(ada, name+"what is that?", telegramtest.ReplyTo(w.group.Say(bob, c)))
		}, control},
		{"beside what somebody said", func(c string) {
			w.group.Say(ada, name+c, telegramtest.ReplyTo(w.group.Say(bob, "as I wrote")))
		}, control},
		{"a correction", func(c string) { w.group.Edit(w.group.Say(ada, name+"what is that?"), name+c) }, control},
		{"of another bot", func(c string) { w.group.Say(&telegramtest.User{ID: 5, Name: "Other", Bot: true}, name+c) }, control},
		{"in a group that was not let in", func(c string) { strange.Say(ada, name+c) }, control},
	}
}
