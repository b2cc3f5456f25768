package outbound

import (
	"context"
	"errors"
	"strconv"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

const (
	// maxQuestionMessages limits the messages of a question. A longer one is preceded by a document
	// with the text, because people must be able to read all of it before they answer.
	maxQuestionMessages = 3
	questionUnits       = 1500 // of such a question, in the message with the buttons
	decisionUnits       = 600  // of a decision
)

// errNoQuestion says that the question of a decision has no message.
var errNoQuestion = errors.New("the question was never sent")

// questionItems returns a question as messages, the last one with buttons. A question that is asked
// again after a restart has its message already, and its buttons still work.
func (c *chatSender) questionItems(o *openTurn, seq int64, b event.Asked) []*item {
	if o.questions[b.ID] != nil {
		return nil
	}
	if o.questions == nil {
		o.questions = map[string]*question{}
	}
	o.questions[b.ID] = &question{seq: seq, asked: b, open: true}
	w := chat.Words(b.Lang)
	keys := [][]chat.Key{{{Text: w.Text("yes"), Data: chat.PressYes + b.ID}, {Text: w.Text("no"), Data: chat.PressNo + b.ID}}}
	if len(b.Grants) > 0 {
		keys = append(keys, []chat.Key{{Text: alwaysLabel(w, b.Grants), Data: chat.PressAlways + b.ID}})
	}
	text := c.questionText(b)
	if messages := renderPlain(text); len(messages) <= maxQuestionMessages {
		return c.messageItems(seq, messages, options{keys: keyboardJSON(keys)})
	}
	last := c.messageItems(seq, []markup.Message{shortQuestion(w, text)}, options{keys: keyboardJSON(keys)})
	last[0].part = 1 // part 0 is the document
	return append([]*item{c.documentItem(seq, 0, document{name: "question.txt", open: textFile(text)})}, last...)
}

// questionText returns everything that a yes allows.
func (c *chatSender) questionText(b event.Asked) string {
	w := chat.Words(b.Lang)
	text := w.Text("asks", display.Visible(b.Tool)) + "\n\n" + b.Text
	if !b.Expires.IsZero() {
		text += "\n\n" + w.Text("expires", untilText(w, b.Expires, c.cfg.Now().In(c.cfg.Zone())))
	}
	return text
}

// untilText writes a time, with its day if that is not today.
func untilText(w phrases.Words, t, now time.Time) string {
	t = t.In(now.Location())
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05 MST")
	}
	return t.Format(w.Text("expires.day"))
}

// shortQuestion returns the message with the buttons for a question sent as a document.
func shortQuestion(w phrases.Words, text string) markup.Message {
	return markup.Message{Text: markup.Shorten(text, questionUnits) + "\n\n" + w.Text("question.long")}
}

// alwaysLabel returns the label of the button that also gives the grants.
func alwaysLabel(w phrases.Words, grants []event.Grant) string {
	if len(grants) == 1 {
		return w.Text("always", markup.Shorten(grantText(w, grants[0]), chat.MaxLabel))
	}
	return w.Text("always.all", strconv.Itoa(len(grants)))
}

// grantText returns a grant verbatim, in one line.
func grantText(w phrases.Words, g event.Grant) string {
	return display.Visible(display.Exact(g.In(w.Text)))
}

// decisionItems returns the item that writes a decision into the message of the question.
func (c *chatSender) decisionItems(o *openTurn, e event.Event, b event.Decided) []*item {
	q := o.questions[b.ID]
	if q == nil || !q.open {
		return nil
	}
	q.open = false
	w := chat.Words(q.asked.Lang)
	messages := renderPlain(c.questionText(q.asked))
	last := messages[len(messages)-1]
	if len(messages) > maxQuestionMessages {
		last = shortQuestion(w, c.questionText(q.asked))
	}
	return []*item{{seq: e.Seq, idempotent: true, send: func(ctx context.Context, _ bool) (int64, error) {
		rec, err := c.questionRecord(ctx, q.seq)
		if err != nil {
			return 0, err
		}
		text := markup.Shorten(last.Text, messageUnits-decisionUnits) + "\n\n"
		if rec.Tries > 1 {
			text += w.Text("sent.again") + "\n\n"
		}
		text += markup.Shorten(c.decisionText(ctx, q.asked, e, b), decisionUnits-2)
		return rec.Message, c.post.editText(ctx, rec.Message, markup.Message{Text: text}, "")
	}}}
}

// questionRecord returns the record of the message with a question's buttons.
func (c *chatSender) questionRecord(ctx context.Context, seq int64) (event.Send, error) {
	all, err := c.cfg.Outbox.Sends(ctx, c.name, seq)
	if err != nil {
		return event.Send{}, err
	}
	if len(all) == 0 || all[len(all)-1].State != event.SendSent {
		return event.Send{}, errNoQuestion
	}
	return all[len(all)-1], nil
}

// decisionText returns a sentence about a decision.
func (c *chatSender) decisionText(ctx context.Context, asked event.Asked, e event.Event, b event.Decided) string {
	w := chat.Words(asked.Lang)
	switch {
	case b.Allow:
		text := w.Text("allowed.by", c.personName(ctx, b.By))
		for _, g := range b.Grants {
			text += w.Text("allowed.grant", grantText(w, g))
		}
		return text + w.Text("stop")
	case b.By == "stop":
		return w.Text("denied.stopped")
	case b.By == "nobody" && !asked.Expires.IsZero() && e.Time.Before(asked.Expires):
		return w.Text("denied.withdrawn")
	case b.By == "nobody":
		return w.Text("denied.expired")
	}
	return w.Text("denied.by", c.personName(ctx, b.By))
}

// personName returns the name of a person, or their number.
func (c *chatSender) personName(ctx context.Context, id string) string {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		p, known, err := c.cfg.People.Person(ctx, chat.Platform, n)
		if name := display.Visible(p.Name); err == nil && known && name != "" {
			return name
		}
	}
	return display.Visible(id)
}
