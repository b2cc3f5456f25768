package telegramtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/surface/telegram/telegramtest"
)

func TestPhotosAreMeasured(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	chat := srv.Private(srv.User(77, "Ada"))
	large := append(telegramtest.PNG(8, 8, 0), make([]byte, 10<<20)...)
	for _, c := range []struct {
		name string
		data []byte
		want string // "" it is taken
	}{
		{"usual", telegramtest.PNG(40, 30, 7), ""},
		{"as long as may be", telegramtest.PNG(2000, 100, 0), ""},
		{"too long", telegramtest.PNG(2001, 100, 0), "Bad Request: PHOTO_INVALID_DIMENSIONS"},
		{"too high", telegramtest.PNG(100, 2001, 0), "Bad Request: PHOTO_INVALID_DIMENSIONS"},
		{"too wide and high", telegramtest.PNG(5001, 5000, 0), "Bad Request: PHOTO_INVALID_DIMENSIONS"},
		{"cut off", telegramtest.PNG(40, 30, 0)[:20], "Bad Request: IMAGE_PROCESS_FAILED"},
		{"too large", large, fmt.Sprintf("Bad Request: file of size %d bytes is too big for a photo; the maximum size is %d bytes", len(large), 10<<20)},
	} {
		r := upload(t, srv, "sendPhoto", "photo", "a.png", c.data, p{"chat_id": "77"})
		if r.Description != c.want || r.OK != (c.want == "") {
			t.Errorf("%s: %v %q", c.name, r.OK, r.Description)
		}
	}
	if f := chat.FromBot()[0].File; f.Width != 40 || f.Height != 30 {
		t.Errorf("%d x %d", f.Width, f.Height)
	}
}

func TestEditMessageMedia(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	ada := srv.User(77, "Ada")
	chat := srv.Private(ada)
	one, two := telegramtest.PNG(40, 30, 1), telegramtest.PNG(40, 30, 2)
	upload(t, srv, "sendPhoto", "photo", "a.png", one, p{"chat_id": "77", "caption": "one",
		"reply_markup": `{"inline_keyboard":[[{"text":"go","callback_data":"1"}]]}`})
	ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "words"})
	chat.Say(ada, "hi")
	photo, words, hi := fmt.Sprint(chat.Messages()[0].ID), fmt.Sprint(chat.Messages()[1].ID), fmt.Sprint(chat.Messages()[2].ID)
	edit := func(message, media string, data []byte) string {
		t.Helper()
		r := upload(t, srv, "editMessageMedia", "file", "map.png", data, p{"chat_id": "77", "message_id": message, "media": media})
		return r.Description
	}
	same := "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and " +
		"reply markup of the message"
	for _, c := range []struct {
		name, message, media string
		data                 []byte
		want                 string
	}{
		{"no JSON", photo, `{`, two, "Bad Request: can't parse input media JSON object"},
		{"of no kind", photo, `{"type":"map","media":"attach://file"}`, two, "Bad Request: can't parse input media: invalid type of a file specified"},
		{"of a file that is not there", photo, `{"type":"photo","media":"attach://other"}`, two, "Bad Request: there is no photo in the request"},
		{"with a long caption", photo, `{"type":"photo","media":"attach://file","caption":"` + strings.Repeat("x", 1025) + `"}`, two,
			"Bad Request: message caption is too long"},
		{"of no message", "4711", `{"type":"photo","media":"attach://file"}`, two, "Bad Request: message to edit not found"},
		{"of another's message", hi, `{"type":"photo","media":"attach://file"}`, two, "Bad Request: message can't be edited"},
		{"no picture", photo, `{"type":"photo","media":"attach://file"}`, []byte("text"), "Bad Request: IMAGE_PROCESS_FAILED"},
		{"another caption", photo, `{"type":"photo","media":"attach://file","caption":"two"}`, one, ""},
		{"nothing else", photo, `{"type":"photo","media":"attach://file","caption":"two"}`, one, same},
		{"another picture", photo, `{"type":"photo","media":"attach://file","caption":"two"}`, two, ""},
		{"in the place of words", words, `{"type":"photo","media":"attach://file"}`, two, ""},
	} {
		if got := edit(c.message, c.media, c.data); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	data, caption, edits, shown := chat.Picture(chat.Messages()[0].ID)
	if diff := cmp.Diff([]any{two, "two", 2, true}, []any{data, caption, edits, shown}); diff != "" {
		t.Error(diff)
	}
	if data, caption, edits, shown = chat.Picture(chat.Messages()[1].ID); string(data) != string(two) || caption != "" || edits != 1 || !shown {
		t.Errorf("in the place of words it shows %d bytes, %q, %d, %v", len(data), caption, edits, shown)
	}
	edit(words, `{"type":"document","media":"attach://file"}`, one)
	if _, _, _, shown = chat.Picture(chat.Messages()[1].ID); shown || chat.Messages()[1].File.Name != "map.png" {
		t.Error("a document is a photo")
	}
	if n := len(chat.Messages()[0].Buttons); n > 0 {
		t.Error("its buttons are still there")
	}
	for _, c := range srv.Calls("editMessageMedia") {
		if len(c.Ignored) > 0 {
			t.Errorf("ignored: %v", c.Ignored)
		}
	}
}

func TestKeyboards(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	ada, bob := srv.User(77, "Ada"), srv.User(78, "Bob")
	chat := srv.Private(ada)
	for keyboard, want := range map[string]string{
		`{"inline_keyboard":[]}`:     "Bad Request: reply markup has no buttons: leave it out to take them away",
		`{"inline_keyboard":[[]]}`:   "Bad Request: reply markup has a row without buttons",
		`{"inline_keyboard":[null]}`: "Bad Request: reply markup has a row without buttons",
		`{"inline_keyboard":[[{"text":"a","callback_data":"` + strings.Repeat("x", 65) + `"}]]}`: "Bad Request: BUTTON_DATA_INVALID",
		`{"inline_keyboard":[[{"text":"a","callback_data":"` + strings.Repeat("x", 64) + `"}]]}`: "",
	} {
		if r := ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "hi", "reply_markup": keyboard}); r.Description != want {
			t.Errorf("%s: %q", keyboard, r.Description)
		}
	}
	if id := chat.PressLabel(ada, "nothing"); id != "" {
		t.Error("what is not there was pressed")
	}
	first, second := chat.PressLabel(ada, "a"), chat.PressLabel(ada, "a")
	other := chat.PressLabel(bob, "a")
	for id, text := range map[string]string{first: "one", other: "theirs"} {
		if r := ask(t, srv, "answerCallbackQuery", p{"callback_query_id": id, "text": text}); !r.OK {
			t.Error(r)
		}
	}
	if got := chat.Toast(ada) + " " + chat.Toast(bob); got != "one theirs" {
		t.Error(got)
	}
	ask(t, srv, "answerCallbackQuery", p{"callback_query_id": second, "text": "two"})
	if got := chat.Toast(ada); got != "two" {
		t.Error(got)
	}
}
