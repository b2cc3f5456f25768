package outbound

import (
	"context"
	"io"
	"strings"

	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

const (
	// sentAgainUnits is the length in UTF-16 units of the line in a message that may have arrived
	// before, and cutHereUnits that of the line below a shortened text, at most.
	sentAgainUnits = 53
	cutHereUnits   = 60
	// messageUnits limits the text of one message: those two lines need room.
	messageUnits = markup.MaxText - cutHereUnits - sentAgainUnits - 4
	// maxCaption limits a caption in units, captionUnits leaves room for sentAgain, and
	// shortCaption is for servers that count bytes: no unit has more than three.
	maxCaption   = 1024
	captionUnits = maxCaption - sentAgainUnits - 2
	shortCaption = maxCaption / 4
	// A longer text, in messages or bytes, is sent as a document.
	maxMessages  = 4
	maxTextBytes = 16 << 10
)

// content is a text to send in as many messages as needed. Its keyboard is below the last.
type content struct {
	options
	text    string // Markdown, unless it is literal
	literal bool
	receipt string // the last line of text
}

// textItems returns the messages of a text as parts of an event. A long one becomes its beginning
// and a document.
func (c *chatSender) textItems(ctx context.Context, seq int64, body content) []*item {
	render, name, empty := renderMarkdown, "reply.md", "empty.reply"
	if body.literal {
		render, name, empty = renderPlain, "reply.txt", "empty.text"
	}
	messages := c.orSentence(ctx, empty, render(cutForParser(body.text)))
	if len(messages) <= maxMessages && len(body.text) <= maxTextBytes {
		return c.messageItems(seq, messages, body.options)
	}
	first := messages[0]
	first.Text += "\n\n" + c.words(ctx).Text("cut.here")
	items := c.messageItems(seq, []markup.Message{first}, options{replyTo: body.replyTo})
	return append(items, c.documentItem(seq, 1, document{
		name: name, caption: markup.Shorten(body.receipt, captionUnits), keys: body.keys, open: textFile(body.text),
	}))
}

// messageItems returns messages as parts of an event, the last one with the keyboard.
func (c *chatSender) messageItems(seq int64, messages []markup.Message, o options) []*item {
	var items []*item
	for i, m := range messages {
		own := o
		if i < len(messages)-1 {
			own.keys = ""
		}
		items = append(items, &item{seq: seq, part: i, send: func(ctx context.Context, again bool) (int64, error) {
			return c.post.sendInAnyForm(ctx, m, own, again)
		}})
	}
	return items
}

// documentItem returns a document as a part of an event.
func (c *chatSender) documentItem(seq int64, part int, d document) *item {
	return &item{seq: seq, part: part, send: func(ctx context.Context, again bool) (int64, error) {
		return c.post.sendDocument(ctx, d, again)
	}}
}

// textFile opens a text as a file.
func textFile(text string) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// cutForParser shortens a text to maxTextBytes, because parsing some markup takes quadratic time.
func cutForParser(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxTextBytes], "")
}

// renderMarkdown returns Markdown as messages, or none if nothing is visible.
func renderMarkdown(text string) []markup.Message { return markup.Messages(text, messageUnits) }

// renderPlain returns a text as messages that show it verbatim, or none if nothing is visible.
func renderPlain(text string) []markup.Message {
	return markup.Split(markup.Message{Text: text}, messageUnits)
}

// orSentence returns messages, or a sentence if there are none.
func (c *chatSender) orSentence(ctx context.Context, key string, all []markup.Message) []markup.Message {
	if len(all) > 0 {
		return all
	}
	return []markup.Message{{Text: c.words(ctx).Text(key)}}
}

// words returns the texts in the language of the chat.
func (c *chatSender) words(ctx context.Context) phrases.Words { return c.post.words(ctx) }

// keyboardJSON returns buttons as JSON, or "" if there are none.
func keyboardJSON(rows [][]chat.Key) string {
	if len(rows) == 0 {
		return ""
	}
	return jsonOf(map[string]any{"inline_keyboard": rows})
}
