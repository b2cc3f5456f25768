package event_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// What was attached is found by its words, and is still somebody else's then.
func TestAttachments(t *testing.T) {
	said := event.Said{Text: "sum it up", Attachments: []event.Attachment{
		{Text: "the oak table", Label: event.Label{Untrusted: true, Source: "pipe"}, Fence: "word"},
		{Text: "mine", Label: event.Label{Private: true, Source: "a.md"}},
	}}
	raw, err := event.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	back, err := event.Unmarshal(said.Type(), raw)
	if diff := cmp.Diff(event.Body(said), back); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if text, ok := event.Readable(said); !ok || text != "sum it up\nthe oak table\nmine" {
		t.Errorf("%q", text)
	}
	if want := (event.Label{Untrusted: true, Private: true, Source: "pipe"}); said.Origin() != want {
		t.Errorf("%+v", said.Origin())
	}
	named := event.Said{Text: "see a.jpg", Aside: []string{"a.jpg"}}
	if named.Origin() != event.BesideLabel() || (event.Said{Text: "see"}).Origin() != (event.Label{}) {
		t.Errorf("%+v", named.Origin())
	}
	plain, err := event.Marshal(event.Said{Text: "x"})
	if err != nil || bytes.Contains(plain, []byte("attachments")) {
		t.Errorf("%s, %v", plain, err)
	}
}
