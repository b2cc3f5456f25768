package schedule

import (
	"flag"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/golden"
	"hob/internal/phrases"
)

var update = flag.Bool("update", false, "accept what people read")

// What people read in each language, of all kinds of reminders.
func TestWords(t *testing.T) {
	due := time.Date(2026, 11, 25, 17, 0, 0, 0, time.UTC)
	ann, ben := event.Party{Platform: "telegram", ID: "1", Name: "Ann"}, event.Party{Platform: "telegram", ID: "2", Name: "Ben"}
	say := func(change func(*reminded)) reminded {
		n := reminded{Reminder: event.Reminder{ID: 7, Chat: "telegram/1", When: event.When{Zone: "Europe/Berlin"}, Text: "X", By: ann, Due: due}, due: due}
		change(&n)
		return n
	}
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
	var got strings.Builder
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		all := []reminded{
			say(func(*reminded) {}),
			say(func(n *reminded) { n.late = true }),
			say(func(n *reminded) { n.late, n.missed = true, 3 }),
			say(func(n *reminded) { n.missed = 1 }),
			say(func(n *reminded) { n.Timer = true }),
			say(func(n *reminded) { n.Timer, n.Text, n.late = true, "", true }),
			say(func(n *reminded) { n.again, n.Unseen = true, 2 }),
			say(func(n *reminded) { n.again, n.Unseen, n.late, n.Planned = true, 13, true, due.Add(-time.Hour) }),
			say(func(n *reminded) { n.For = ben }),
			say(func(n *reminded) { n.For, n.Chat = ben, "telegram/-5" }),
			say(func(n *reminded) { n.Chat, n.Label = "telegram/-5", event.Label{Untrusted: true} }),
			say(func(n *reminded) { n.Label = event.Label{Untrusted: true, Source: "web:example.org"} }),
			say(func(n *reminded) {
				n.For, n.late, n.missed, n.Label = ben, true, 2, event.Label{Untrusted: true, Source: "mail"}
			}),
		}
		got.WriteString("# " + lang + "\n")
		for i := range all {
			all[i].Lang = lang
			got.WriteString(all[i].line() + "\n")
		}
		all[0].Digest = "digest/7/1/0"
		note, one := digestNote(all[1:3]), all[0].note()
		got.WriteString(note.Text + "\n")
		for _, c := range one.Choices {
			got.WriteString("[" + c.Label + "] " + c.Text + "\n")
		}
		if !one.Loud || one.Reminder != 7 || one.ID != "reminder/7/1/1795626000000" || note.Reminder != 0 || !note.Loud {
			t.Errorf("notes: %+v %+v", one, note)
		}
	}
	golden.Check(t, *update, "testdata/words.golden", got.String())
}

// A note of several has the label of the most doubtful.
func TestDigestLabel(t *testing.T) {
	plain, strange := reminded{}, reminded{}
	strange.Label = event.Label{Untrusted: true, Source: "mail"}
	if got := digestNote([]reminded{plain, strange, plain}).Label; got != strange.Label {
		t.Errorf("the label is %+v", got)
	}
}
