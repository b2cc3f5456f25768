package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// maxQuestion is how many messages a question has. What a longer one asks for is a document before it: whoever answers has to be
// able to read all of it.
const maxQuestion = 3

const (
	shortUnits    = 1500 // of such a question, in the message with the buttons
	decisionUnits = 600  // of a decision
)

// errNoQuestion says that there is no message of which a decision could be told.
var errNoQuestion = errors.New("the question was never sent")

// asked is a question as messages, the last with buttons. One that is asked again after a restart is there already: its
// buttons are as good as they were.
func (c *telling) asked(o *openTurn, seq int64, b event.Asked) []*sendJob {
	if o.questions[b.ID] != nil {
		return nil
	}
	o.questions[b.ID] = &question{seq: seq, asked: b, open: true}
	keys := [][]keyOf{{{"Yes", chat.PressYes + b.ID}, {"No", chat.PressNo + b.ID}}}
	if len(b.Grants) > 0 {
		keys = append(keys, []keyOf{{always(b.Grants), chat.PressAlways + b.ID}})
	}
	text := c.question(b)
	messages := plain(text)
	if len(messages) <= maxQuestion {
		return c.jobs(seq, messages, keyRows(keys), nil)
	}
	last := c.jobs(seq, []markup.Message{shortQuestion(text)}, keyRows(keys), nil)
	last[0].part = 1
	return append([]*sendJob{{seq: seq, do: func(ctx context.Context, twice bool) (int64, error) {
		return c.t.document(ctx, c.to, document{
			name: "question.txt", open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
		}, twice)
	}}}, last...)
}

// question is what a person reads before they answer: all that a yes allows.
func (c *telling) question(b event.Asked) string {
	text := printable(b.Tool) + " asks to do this:\n\n" + b.Text
	if !b.Expires.IsZero() {
		text += "\n\nWithout an answer by " + until(b.Expires, c.t.cfg.Now()) + " it is a no."
	}
	return text
}

// until is a time as somebody reads it now: with its day, if that is not today.
func until(t, now time.Time) string {
	t = t.In(now.Location())
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05 MST")
	}
	return t.Format("Monday 2006-01-02 15:04 MST")
}

// shortQuestion is the message with the buttons where the whole question is a document.
func shortQuestion(text string) markup.Message {
	return markup.Message{Text: markup.Shorten(text, shortUnits) + "\n\n(This is the beginning. Read the whole in the document above before you answer.)"}
}

// always is the button that allows once and for all.
func always(grants []event.Grant) string {
	if len(grants) == 1 {
		return "Always: " + markup.Shorten(printable(grants[0].String()), maxLabel)
	}
	return fmt.Sprintf("Always: all %d that it needs", len(grants))
}

// decided is a decision, in the message that asked.
func (c *telling) decided(o *openTurn, e event.Event, b event.Decided) []*sendJob {
	q := o.questions[b.ID]
	if q == nil || !q.open {
		return nil
	}
	q.open = false
	messages := plain(c.question(q.asked))
	last := messages[len(messages)-1]
	if len(messages) > maxQuestion {
		last = shortQuestion(c.question(q.asked))
	}
	return []*sendJob{{seq: e.Seq, harmless: true, do: func(ctx context.Context, _ bool) (int64, error) {
		s, err := c.t.questionAt(ctx, c.name, q.seq)
		if err != nil {
			return 0, err
		}
		text := markup.Shorten(last.Text, wordsLimit-decisionUnits) + "\n\n"
		if s.Tries > 1 {
			text += again + "\n\n"
		}
		text += markup.Shorten(c.decision(ctx, q.asked, e, b), decisionUnits-2)
		return s.Message, c.t.change(ctx, c.to, s.Message, markup.Message{Text: text}, "")
	}}}
}

// questionAt is the message with the buttons of the question that an event asks.
func (t *tellers) questionAt(ctx context.Context, name event.Chat, seq int64) (event.Send, error) {
	all, err := t.cfg.Outbox.Sends(ctx, name, seq)
	if err != nil {
		return event.Send{}, err
	}
	if len(all) == 0 || all[len(all)-1].State != event.SendSent {
		return event.Send{}, errNoQuestion
	}
	return all[len(all)-1], nil
}

// decision says who decided what.
func (c *telling) decision(ctx context.Context, asked event.Asked, e event.Event, b event.Decided) string {
	switch {
	case b.Allow:
		text := "Allowed by " + c.who(ctx, b.By)
		for _, g := range b.Grants {
			text += "; from now on without a question: " + printable(g.String())
		}
		return text + "."
	case b.By == "stop":
		return "Stopped: this was not done."
	case b.By == "nobody" && !asked.Expires.IsZero() && e.Time.Before(asked.Expires):
		return "Withdrawn: it would be something else by now."
	case b.By == "nobody":
		return "Expired: nobody answered, so it is a no."
	}
	return "Denied by " + c.who(ctx, b.By) + "."
}

// who is the name of a person, as far as they have one here.
func (c *telling) who(ctx context.Context, id string) string {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		if p, known, err := c.t.cfg.People.Person(ctx, chat.Platform, n); err == nil && known && printable(p.Name) != "" {
			return printable(p.Name)
		}
	}
	return printable(id)
}
