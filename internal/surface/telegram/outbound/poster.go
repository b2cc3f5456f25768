package outbound

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"

	"hob/internal/display"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

// Methods of the Bot API.
const (
	methodSend       = "sendMessage"
	methodEdit       = "editMessageText"
	methodEditMarkup = "editMessageReplyMarkup" // without a keyboard it removes the buttons
	methodEditMedia  = "editMessageMedia"       // replaces a picture
	methodDelete     = "deleteMessage"
	methodTyping     = "sendChatAction"
	methodDraft      = "sendMessageDraft"
	methodPhoto      = "sendPhoto"
	methodDocument   = "sendDocument"
)

// options are the parameters of a message besides its text.
type options struct {
	keys    string // a keyboard as JSON, or ""
	replyTo int64  // the message that it answers, or 0
	silent  bool   // without sound
}

func (o options) params(to chat.Address) client.Params {
	p := client.ParamsFor(to)
	p["link_preview_options"] = `{"is_disabled":true}`
	if o.keys != "" {
		p["reply_markup"] = o.keys
	}
	if o.replyTo != 0 {
		p["reply_parameters"] = jsonOf(map[string]any{"message_id": o.replyTo, "allow_sending_without_reply": true})
	}
	if o.silent {
		p["disable_notification"] = "true"
	}
	return p
}

// poster sends messages to one chat, in one try each. It has no state, so several goroutines may
// use it.
type poster struct {
	api   caller
	to    chat.Address
	words func(context.Context) phrases.Words // in the language of the chat
}

// sendInAnyForm sends a message in the first form that Telegram accepts: as it is, without
// entities, as a document if it is too long, or as a sentence that says that Telegram accepts none
// of these.
func (p poster) sendInAnyForm(ctx context.Context, m markup.Message, o options, again bool) (int64, error) {
	id, err := p.sendText(ctx, m, o, again)
	if client.IsTooLong(err) {
		return p.sendDocument(ctx, document{name: "message.txt", keys: o.keys, open: textFile(markup.Plain(m))}, again)
	}
	if client.IsRefusal(err) { // the sentence has the buttons, so the record says that the message was sent
		sorry := markup.Message{Text: p.words(ctx).Text("refused.message", markup.Shorten(client.Reason(err), 200))}
		if n, second := p.sendText(ctx, sorry, o, false); second == nil {
			return n, nil
		}
	}
	return id, err
}

// sendText sends a message and returns its id.
func (p poster) sendText(ctx context.Context, m markup.Message, o options, again bool) (int64, error) {
	params := o.params(p.to)
	if again {
		m.Text += "\n\n" + p.words(ctx).Text("sent.again")
	}
	var sent client.Message
	err := p.callWithText(ctx, methodSend, params, m, &sent)
	return sent.ID, err
}

// editText replaces a sent message.
func (p poster) editText(ctx context.Context, message int64, m markup.Message, keys string) error {
	params := client.ParamsForMessage(p.to, message, keys)
	params["link_preview_options"] = `{"is_disabled":true}`
	return client.IgnoreUnchanged(p.callWithText(ctx, methodEdit, params, m, nil))
}

// callWithText calls a method with a text, without entities if Telegram does not accept them.
func (p poster) callWithText(ctx context.Context, method string, params client.Params, m markup.Message, out any) error {
	err := p.call(ctx, method, withText(params, m), out)
	if len(m.Entities) > 0 && client.IsRefusal(client.IgnoreUnchanged(err)) && !client.IsUnknownMethod(err) {
		err = p.call(ctx, method, withText(params, markup.Message{Text: markup.Shorten(markup.Plain(m), markup.MaxText)}), out)
	}
	return err
}

// call calls a method with a time limit.
func (p poster) call(ctx context.Context, method string, params client.Params, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return p.api.Call(ctx, method, params, out)
}

// withText returns the arguments with a text and its entities.
func withText(params client.Params, m markup.Message) client.Params {
	all := client.Params{"text": m.Text}
	maps.Copy(all, params)
	if len(m.Entities) > 0 {
		all["entities"] = jsonOf(m.Entities)
	}
	return all
}

// document is a file to be sent.
type document struct {
	name     string
	caption  string
	photo    bool // it is shown as a picture if Telegram can
	keys     string
	open     func(ctx context.Context) (io.ReadCloser, error)
	noteSent func(ctx context.Context, message int64) // may be nil
}

// fileKind is a way to send a file: Telegram's name for it, which is also the field of the file,
// and the method.
type fileKind struct{ name, method string }

// fileKinds are the ways to send a file, best first.
func fileKinds(photo bool) []fileKind {
	all := []fileKind{{"photo", methodPhoto}, {"document", methodDocument}}
	if !photo {
		return all[1:]
	}
	return all
}

// sendDocument sends a file in the first form that Telegram accepts: a photo, a document, or a
// sentence instead. It shortens a caption that is too long.
func (p poster) sendDocument(ctx context.Context, d document, again bool) (int64, error) {
	params := client.ParamsFor(p.to)
	if d.keys != "" {
		params["reply_markup"] = d.keys
	}
	if again {
		d.caption = strings.TrimSpace(markup.Shorten(d.caption, captionUnits) + "\n\n" + p.words(ctx).Text("sent.again"))
	}
	if d.caption != "" {
		params["caption"] = d.caption
	}
	kinds := fileKinds(d.photo)
	for {
		file, bad := d.open(ctx)
		if bad != nil {
			return p.sendExplanation(ctx, d.name, bad.Error(), again)
		}
		var m client.Message
		err := p.upload(ctx, kinds[0].method, params, kinds[0].name, d.name, file, &m)
		if err == nil && d.noteSent != nil {
			d.noteSent(ctx, m.ID)
		}
		switch {
		case !client.IsRefusal(err):
			return m.ID, err
		case client.IsTooLong(err) && markup.Len(params["caption"]) > shortCaption:
			params["caption"] = markup.Shorten(params["caption"], shortCaption)
		case len(kinds) > 1:
			kinds = kinds[1:]
		default:
			return p.sendExplanation(ctx, d.name, "Telegram does not take it: "+client.Reason(err), again)
		}
	}
}

// upload calls a method with a file, and closes the file.
func (p poster) upload(
	ctx context.Context, method string, params client.Params, field, name string, file io.ReadCloser, out any,
) error {
	defer file.Close()
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	return p.api.Upload(ctx, method, params, field, name, file, out)
}

// errExplained says that a sentence was sent instead of a file. The record of the file says that it
// was refused, because a receipt must not count it as sent.
var errExplained = errors.New("a sentence was sent in the place of a file")

// sendExplanation sends the reason why a file is not sent. If the reason was sent, its error is
// errExplained.
func (p poster) sendExplanation(ctx context.Context, name, reason string, again bool) (int64, error) {
	text := p.words(ctx).Text("refused.file", display.Visible(name), display.Visible(reason))
	id, err := p.sendText(ctx, markup.Message{Text: markup.Shorten(text, 1000)}, options{}, again)
	if err != nil {
		return id, err
	}
	return id, errExplained
}

// jsonOf returns texts and numbers as JSON, in slices, maps and structs, which always have a JSON
// form.
func jsonOf(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}
