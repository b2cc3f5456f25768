package session

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
)

// A restart reads from where a conversation was made shorter. It then knows what a process knows
// that has read all of it: messages, label, the owner's words and pictures, those of joined inputs
// included.
func TestAFoldFromTheMarkAgrees(t *testing.T) {
	home := event.Principal{Platform: "cli", Level: event.Owner}
	picture := []event.File{{Type: "image/png", Path: "a.png"}}
	events := []event.Body{
		event.Said{InputID: "1", Text: "before", Principal: home}, event.Replied{Text: "yes"},
		event.Ended{Reason: event.Done},
		event.Said{InputID: "2", Text: "begin", Principal: home},
		event.Said{InputID: "3", Text: "more", Principal: home, Files: picture},
		event.Said{InputID: "4", Text: "news", Principal: home,
			Label: event.Label{Untrusted: true, Source: "forwarded"}},
		event.Joined{Said: 5}, event.Joined{Said: 6},
		event.Compacted{Begin: 1, Session: 1, Messages: []llm.Message{
			{Role: llm.UserRole, Text: "[hob: earlier]"}, {Role: llm.UserRole, Text: "begin"},
			{Role: llm.UserRole, Text: "more\n[picture: \"a.png\"]"}, {Role: llm.UserRole, Text: "news"},
		}},
		event.Said{InputID: "5", Text: "and more", Principal: home}, event.Joined{Said: 10},
	}
	turnOf := []int64{0, 1, 1, 0, 0, 0, 4, 4, 4, 0, 4}
	fold := func(from int) (tr transcript) {
		for i, b := range events {
			e := event.Event{Seq: int64(i + 1), Chat: "main", Turn: turnOf[i], Body: b}
			if e.Turn == 0 {
				e.Turn = e.Seq
			}
			if i >= from {
				tr.fold(e)
			}
		}
		return tr
	}
	all, read := fold(0), fold(3)
	type known struct {
		Messages []llm.Message
		Begin    int
		Label    event.Label
		Words    []string
		Session  int64
		Waiting  int
		Pictures []int
	}
	of := func(tr transcript) (k known) {
		messages, begin, pictures := tr.history(llm.KeepChain)
		k = known{messages, begin, tr.current().label, tr.words, tr.session, len(tr.queued), nil}
		for _, p := range pictures {
			k.Pictures = append(k.Pictures, p.at)
		}
		return k
	}
	if diff := cmp.Diff(of(all), of(read)); diff != "" {
		t.Errorf("(-all +from the mark)\n%s", diff)
	}
	if got := of(read); !cmp.Equal(got.Words, []string{"begin", "more", "and more"}) || !got.Label.Untrusted ||
		!cmp.Equal(got.Pictures, []int{2}) || got.Waiting != 0 {
		t.Errorf("known is %+v", got)
	}
}

// A conversation beside the one that was made shorter is there again, for a restart too.
func TestAFoldFromTheMarkAgreesOnStories(t *testing.T) {
	home := event.Principal{Platform: "cli", Level: event.Owner}
	said := func(id, text string) event.Body { return event.Said{InputID: id, Text: text, Principal: home} }
	saga := event.Opened{Skill: "saga", By: "ana", Lead: true}
	events := []event.Body{
		said("1", "chore"), event.Replied{Text: "yes"}, event.Ended{Reason: event.Done},
		saga, said("2", "story"), event.Replied{Text: "told"}, event.Ended{Reason: event.Done},
		said("3", "on"),
		event.Compacted{Begin: 1, Session: 1, Lead: "saga", Skills: []event.Opened{saga},
			Messages: []llm.Message{{Role: llm.UserRole, Text: "[hob: earlier]"}, {Role: llm.UserRole, Text: "on"}},
			Beside: []event.Conversation{{Label: event.Label{Private: true}, Messages: []llm.Message{
				{Role: llm.UserRole, Text: "chore"}, {Role: llm.AssistantRole, Text: "yes"}}}}},
		event.Replied{Text: "told"}, event.Ended{Reason: event.Done},
		event.Closed{Skill: "saga"}, said("4", "another chore"),
	}
	turnOf := []int64{1, 1, 1, 0, 5, 5, 5, 8, 8, 8, 8, 0, 13}
	fold := func(from int) (tr transcript) {
		for i, b := range events[from:] {
			tr.fold(event.Event{Seq: int64(from + i + 1), Chat: "main", Turn: turnOf[from+i], Body: b})
		}
		return tr
	}
	for name, tr := range map[string]transcript{"all": fold(0), "from the mark": fold(7)} {
		messages, begin, _ := tr.history(llm.KeepChain)
		var texts []string
		for _, m := range messages {
			texts = append(texts, m.Text)
		}
		if diff := cmp.Diff([]string{"chore", "yes", "another chore"}, texts); diff != "" ||
			begin != 2 || !tr.current().label.Private {
			t.Errorf("%s: %+v, %s", name, tr.current().label, diff)
		}
	}
	tr := fold(0)
	want := []event.Conversation{{Lead: "saga",
		Messages: []llm.Message{{Role: llm.UserRole, Text: "[hob: earlier]"}, {Role: llm.UserRole, Text: "on"},
			{Role: llm.AssistantRole, Text: "told"}}}}
	if diff := cmp.Diff(want, tr.otherConversations()); diff != "" {
		t.Error(diff)
	}
}

// An Opened that only labels a driver has no text: after a conversation was made shorter the model
// still reads the driver's text.
func TestALabelIsNoText(t *testing.T) {
	stranger := event.Label{Untrusted: true, Source: "story:mill"}
	var tr transcript
	tr.reopenSkills([]event.Opened{{Skill: "game", Lead: true}})
	tr.fold(event.Event{Seq: 7, Chat: "main", Turn: 7,
		Body: event.Opened{Skill: "game", Lead: true, Label: stranger}})
	if o := tr.findOpenSkill("game"); o.inPrompt || o.Label != stranger {
		t.Errorf("%+v", o)
	}
	tr.fold(event.Event{Seq: 8, Chat: "main", Turn: 8,
		Body: event.Opened{Skill: "game", Lead: true, Text: "how it is played"}})
	if o := tr.findOpenSkill("game"); !o.inPrompt || o.Label != stranger {
		t.Errorf("%+v", o)
	}
}

// Of pages and of questions the newest are kept.
func TestAFoldKeepsTheNewest(t *testing.T) {
	var tr transcript
	tr.fold(event.Event{Seq: 1, Chat: "main", Turn: 1, Body: event.Said{InputID: "1", Text: "go", Principal: event.Principal{Platform: "cli"}}})
	for i := range 2 * maxAsks {
		id := strconv.Itoa(i)
		tr.fold(event.Event{Seq: int64(i + 2), Chat: "main", Turn: 1, Body: event.Asked{ID: id}})
		tr.fold(event.Event{Seq: int64(i + 2), Chat: "main", Turn: 1, Body: event.Returned{ID: id, OK: true, Label: event.Label{Source: "web:a"}}})
	}
	if len(tr.asks) != maxAsks || len(tr.pages) != maxPages {
		t.Errorf("%d questions and %d pages, want %d and %d", len(tr.asks), len(tr.pages), maxAsks, maxPages)
	}
}
