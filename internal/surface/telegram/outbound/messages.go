package outbound

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strings"

	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/markup"
)

const (
	// sentAgain stands in a message that may have arrived before.
	sentAgain = "(sent again: hob could not know whether this arrived)"
	// cutHere is the last line of a message that has only the beginning of a text.
	cutHere = "(This is the beginning. The whole is in the document below.)"
	// messageUnits is how many units of UTF-16 of a text go into one message: those two lines need room.
	messageUnits = markup.MaxText - len(cutHere) - len(sentAgain) - 4
	// maxCaption is how many units a caption has, captionUnits how many with room for sentAgain, and shortCaption how
	// many where a server counts bytes: no unit has more than three.
	maxCaption   = 1024
	captionUnits = maxCaption - len(sentAgain) - 2
	shortCaption = maxCaption / 4
	// A text of more messages, or of more bytes, than this is sent as a document.
	maxMessages  = 4
	maxTextBytes = 16 << 10
	// maxLabel is how many units of UTF-16 a button shows.
	maxLabel = 40
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

// options are what goes with a message beside its text.
type options struct {
	keys    string // a keyboard as JSON, "" none
	replyTo int64  // the message that it answers, 0 none
	silent  bool   // no phone rings for it
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

// content is a text to send in as many messages as it takes. Its keyboard stands below the last.
type content struct {
	options
	text    string // Markdown, unless it is literal
	literal bool
	receipt string // the last line of text
}

// textItems returns the messages of a text, which are the parts of an event. Of a long one there is the
// beginning, and a document.
func (c *chatSender) textItems(seq int64, body content) []*item {
	render, name := renderMarkdown, "reply.md"
	if body.literal {
		render, name = renderPlain, "reply.txt"
	}
	messages := render(cutForParser(body.text))
	if len(messages) <= maxMessages && len(body.text) <= maxTextBytes {
		return c.messageItems(seq, messages, body.options)
	}
	first := messages[0]
	first.Text += "\n\n" + cutHere
	items := c.messageItems(seq, []markup.Message{first}, options{replyTo: body.replyTo})
	return append(items, c.documentItem(seq, 1, document{
		name: name, caption: markup.Shorten(body.receipt, captionUnits), keys: body.keys, open: textFile(body.text),
	}))
}

// messageItems returns messages as the parts of an event, the last one with the keyboard.
func (c *chatSender) messageItems(seq int64, messages []markup.Message, o options) []*item {
	var items []*item
	for i, m := range messages {
		own := o
		if i < len(messages)-1 {
			own.keys = ""
		}
		items = append(items, &item{seq: seq, part: i, send: func(ctx context.Context, again bool) (int64, error) {
			return c.sendInAnyForm(ctx, m, own, again)
		}})
	}
	return items
}

// documentItem returns a document as a part of an event.
func (c *chatSender) documentItem(seq int64, part int, d document) *item {
	return &item{seq: seq, part: part, send: func(ctx context.Context, again bool) (int64, error) {
		return c.sendDocument(ctx, d, again)
	}}
}

// textFile opens a text as a file.
func textFile(text string) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// sendInAnyForm sends a message in the first form that Telegram takes: as it is, without entities, as a document
// where it is too long, or as a sentence that says that Telegram takes none of these.
func (c *chatSender) sendInAnyForm(ctx context.Context, m markup.Message, o options, again bool) (int64, error) {
	id, err := c.sendText(ctx, m, o, again)
	if client.IsTooLong(err) {
		return c.sendDocument(ctx, document{name: "message.txt", keys: o.keys, open: textFile(markup.Plain(m))}, again)
	}
	if client.IsRefusal(err) { // the sentence has the buttons, so the record of the message says that it was sent
		sorry := markup.Message{Text: "Telegram does not take this message: " + markup.Shorten(client.Reason(err), 200)}
		if n, second := c.sendText(ctx, sorry, o, false); second == nil {
			return n, nil
		}
	}
	return id, err
}

// sendText sends a message and returns its id.
func (c *chatSender) sendText(ctx context.Context, m markup.Message, o options, again bool) (int64, error) {
	p := o.params(c.to)
	if again {
		m.Text += "\n\n" + sentAgain
	}
	var sent client.Message
	err := c.senders.callWithText(ctx, methodSend, p, m, &sent)
	return sent.ID, err
}

// editText puts a message in the place of one that was sent.
func (s *Senders) editText(ctx context.Context, to chat.Address, message int64, m markup.Message, keys string) error {
	p := client.ParamsForMessage(to, message, keys)
	p["link_preview_options"] = `{"is_disabled":true}`
	return client.IgnoreUnchanged(s.callWithText(ctx, methodEdit, p, m, nil))
}

// callWithText calls a method with a text as it is, or without entities where Telegram does not take it so.
func (s *Senders) callWithText(ctx context.Context, method string, p client.Params, m markup.Message, out any) error {
	err := s.call(ctx, method, withText(p, m), out)
	if len(m.Entities) > 0 && client.IsRefusal(client.IgnoreUnchanged(err)) && !client.IsUnknownMethod(err) {
		err = s.call(ctx, method, withText(p, withoutEntities(m)), out)
	}
	return err
}

// call calls a method with a time limit.
func (s *Senders) call(ctx context.Context, method string, p client.Params, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return s.cfg.Client.Call(ctx, method, p, out)
}

// withText returns the arguments with a text and its entities.
func withText(p client.Params, m markup.Message) client.Params {
	all := client.Params{"text": m.Text}
	for name, value := range p {
		all[name] = value
	}
	if len(m.Entities) > 0 {
		all["entities"] = jsonOf(m.Entities)
	}
	return all
}

// withoutEntities is a message without entities.
func withoutEntities(m markup.Message) markup.Message {
	return markup.Message{Text: markup.Shorten(markup.Plain(m), markup.MaxText)}
}

// cutForParser cuts a text to maxTextBytes: to parse the markup of some texts takes the square of their length.
func cutForParser(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxTextBytes], "")
}

// renderMarkdown returns Markdown as messages, at least one.
func renderMarkdown(text string) []markup.Message {
	if all := markup.Messages(text, messageUnits); len(all) > 0 {
		return all
	}
	return []markup.Message{{Text: "(There are no words in this answer.)"}}
}

// renderPlain returns a text as messages that show it to the letter, at least one.
func renderPlain(text string) []markup.Message {
	if all := markup.Split(markup.Message{Text: text}, messageUnits); len(all) > 0 {
		return all
	}
	return []markup.Message{{Text: "(There is nothing in it that can be seen.)"}}
}

// keyboard returns buttons as JSON, "" without any, and remembers what they do.
func (s *Senders) keyboard(to chat.Address, rows [][]chat.Button) string {
	var keys [][]keyboardButton
	for _, row := range rows {
		var line []keyboardButton
		for _, b := range row {
			label := markup.Shorten(cmp.Or(strings.TrimSpace(b.Text), "·"), maxLabel)
			line = append(line, keyboardButton{label, s.cfg.Callbacks.Keep(to, b)})
		}
		if len(line) > 0 {
			keys = append(keys, line)
		}
	}
	return keyboardJSON(keys)
}

// keyboardButton is a button as Telegram has it.
type keyboardButton struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
}

func keyboardJSON(rows [][]keyboardButton) string {
	if len(rows) == 0 {
		return ""
	}
	return jsonOf(map[string]any{"inline_keyboard": rows})
}

// jsonOf writes texts and numbers as JSON, in slices, maps and structs. They all can be written.
func jsonOf(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}
