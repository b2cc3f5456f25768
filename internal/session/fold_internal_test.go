package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
)

// What a restart knows that reads from where a conversation was made shorter is what a process knows that has read all of it:
// messages, label, the owner's words and pictures, those of what has joined the turn included.
func TestAFoldFromTheMarkAgrees(t *testing.T) {
	home := event.Standing{Platform: "cli", Level: event.Owner}
	picture := []event.File{{Type: "image/png", Path: "a.png"}}
	events := []event.Body{
		event.Said{InputID: "1", Text: "before", Standing: home}, event.Replied{Text: "yes"}, event.Ended{Reason: event.Done},
		event.Said{InputID: "2", Text: "begin", Standing: home},
		event.Said{InputID: "3", Text: "more", Standing: home, Files: picture},
		event.Said{InputID: "4", Text: "news", Standing: home, Label: event.Label{Untrusted: true, Source: "forwarded"}},
		event.Joined{Said: 5}, event.Joined{Said: 6},
		event.Compacted{Begin: 1, Session: 1, Messages: []llm.Message{
			{Role: llm.UserRole, Text: "[hob: earlier]"}, {Role: llm.UserRole, Text: "begin"},
			{Role: llm.UserRole, Text: "more\n[picture: \"a.png\"]"}, {Role: llm.UserRole, Text: "news"},
		}},
		event.Said{InputID: "5", Text: "and more", Standing: home}, event.Joined{Said: 10},
	}
	turnOf := []int64{0, 1, 1, 0, 0, 0, 4, 4, 4, 0, 4}
	fold := func(from int) (tr transcript) {
		for i, b := range events {
			e := event.Event{Seq: int64(i + 1), Chat: "main", Turn: turnOf[i], Body: b}
			if e.Turn == 0 {
				e.Turn = e.Seq
			}
			if i >= from {
				tr.apply(e)
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
		k = known{messages, begin, tr.current().label, tr.words, tr.session, len(tr.waiting), nil}
		for _, p := range pictures {
			k.Pictures = append(k.Pictures, p.at)
		}
		return k
	}
	if diff := cmp.Diff(of(all), of(read)); diff != "" {
		t.Errorf("(-all +from the mark)\n%s", diff)
	}
	if got := of(read); !cmp.Equal(got.Words, []string{"begin", "more", "and more"}) || !got.Label.Untrusted || !cmp.Equal(got.Pictures, []int{2}) || got.Waiting != 0 {
		t.Errorf("known is %+v", got)
	}
}
