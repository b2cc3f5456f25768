package telegramtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/surface/telegram/telegramtest"
)

func number(n int) string { return strconv.Itoa(n) }

func TestPrivacyInGroups(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		opts []telegramtest.Option
		want bool
	}{
		{"talk", "hello all", nil, false},
		{"a command", "/new", nil, true},
		{"a command for us", "/new@Hob_Bot please", nil, true},
		{"a command for another", "/new@other_bot", nil, false},
		{"a mention", "what say you, @hob_bot?", nil, true},
		{"a name like ours", "what say you, @hob_bottle?", nil, false},
		{"an address", "mail@hob_bot", nil, false},
		{"a reply to the bot", "yes", []telegramtest.Option{telegramtest.ReplyTo(1)}, true},
		{"a reply to somebody", "yes", []telegramtest.Option{telegramtest.ReplyTo(2)}, false},
		{"service", "", []telegramtest.Option{telegramtest.With("new_chat_title", "x")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := telegramtest.New(telegramtest.Options{})
			ada := srv.User(77, "Ada")
			group := srv.Group(-1001000000001, "Group", telegramtest.Member{User: ada, Role: telegramtest.Creator})
			ask(t, srv, "sendMessage", p{"chat_id": "-1001000000001", "text": "I am the bot"})
			group.Say(ada, "first")
			before := srv.Pending()
			group.Say(ada, c.text, c.opts...)
			if got := srv.Pending() > before; got != c.want {
				t.Errorf("the bot got it: %v", got)
			}
			group.JoinBot(telegramtest.Administrator)
			before = srv.Pending()
			group.Say(ada, c.text, c.opts...)
			if srv.Pending() != before+1 {
				t.Error("an administrator does not get it")
			}
		})
	}
}

// As Telegram writes a message of each sort.
func TestMessagesOnTheWire(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{SeesAll: true})
	ada := srv.User(77, "Ada")
	eve := srv.User(66, "Eve")
	group := srv.Group(-1001000000001, "Group")
	group.Topic(1)
	for _, c := range []struct {
		name string
		opts []telegramtest.Option
		text string
		want map[string]string // fields, as JSON
	}{
		{"plain", nil, "😀 /a @bob", map[string]string{"text": `"😀 /a @bob"`,
			"from":     `{"id":77,"is_bot":false,"first_name":"Ada","username":"ada"}`,
			"entities": `[{"type":"bot_command","offset":3,"length":2},{"type":"mention","offset":6,"length":4}]`}},
		{"in a topic", []telegramtest.Option{telegramtest.InTopic(1)}, "x", map[string]string{"message_thread_id": "1", "is_topic_message": "true"}},
		{"forwarded", []telegramtest.Option{telegramtest.Forwarded(*eve)}, "x", map[string]string{
			"forward_origin": `{"type":"user","date":1,"sender_user":{"id":66,"is_bot":false,"first_name":"Eve","username":"eve"}}`}},
		{"forwarded from a channel", []telegramtest.Option{telegramtest.ForwardedFrom(-100200, "News")}, "x", map[string]string{
			"forward_origin": `{"type":"channel","date":1,"message_id":1,"chat":{"id":-100200,"type":"channel","title":"News"}}`}},
		{"via a bot", []telegramtest.Option{telegramtest.Via(telegramtest.User{ID: 5, Name: "G", Bot: true})}, "x", map[string]string{
			"via_bot": `{"id":5,"is_bot":true,"first_name":"G"}`}},
		{"anonymous", []telegramtest.Option{telegramtest.Anonymous(group)}, "x", map[string]string{
			"from":        `{"id":1087968824,"is_bot":true,"first_name":"Group","username":"GroupAnonymousBot"}`,
			"sender_chat": `{"id":-1001000000001,"type":"supergroup","title":"Group","is_forum":true}`}},
		{"as a channel", []telegramtest.Option{telegramtest.AsChannel(-100200, "News")}, "x", map[string]string{
			"sender_chat": `{"id":-100200,"type":"channel","title":"News"}`}},
		{"a voice", []telegramtest.Option{telegramtest.Voice(3, []byte("ogg"))}, "", map[string]string{
			"voice": `{"file_id":"BQACAgI00000001-voice","file_unique_id":"uBQACAgI00000001-voice","file_size":3,"duration":3,"mime_type":"audio/ogg"}`}},
		{"a document of an album", []telegramtest.Option{telegramtest.Document("a.txt", "text/plain", []byte("abc")), telegramtest.Album("7")}, "see /a",
			map[string]string{"media_group_id": `"7"`, "caption": `"see /a"`, "caption_entities": `[{"type":"bot_command","offset":4,"length":2}]`,
				"document": `{"file_id":"BQACAgI00000002-document","file_unique_id":"uBQACAgI00000002-document","file_size":3,"file_name":"a.txt","mime_type":"text/plain"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			group.Say(ada, c.text, c.opts...)
			var all []struct {
				Message map[string]any `json:"message"`
			}
			r := ask(t, srv, "getUpdates", p{"offset": strconv.FormatInt(srv.LastUpdate(), 10)})
			if err := json.Unmarshal(r.Result, &all); err != nil {
				t.Fatal(err)
			}
			for field, want := range c.want {
				var w any
				if err := json.Unmarshal([]byte(want), &w); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(w, all[0].Message[field]); d != "" {
					t.Errorf("%s: %s", field, d)
				}
			}
		})
	}
}

func TestPresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, ada := said(0)
		id := idOf(t, ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "?", "reply_markup": keys(1, "y:1")}))
		press := chat.Press(ada, id, "x")
		var all []struct {
			Callback struct {
				ID, Data string
				Message  struct {
					ID int64 `json:"message_id"`
				}
			} `json:"callback_query"`
		}
		r := ask(t, srv, "getUpdates", nil)
		if err := json.Unmarshal(r.Result, &all); err != nil || all[0].Callback.ID != press || all[0].Callback.Data != "y:1" || all[0].Callback.Message.ID != id {
			t.Fatal(string(r.Result), err)
		}
		if r := ask(t, srv, "answerCallbackQuery", p{"callback_query_id": press, "text": "done"}); !r.OK {
			t.Errorf("got %+v", r)
		}
		if r := ask(t, srv, "answerCallbackQuery", p{"callback_query_id": press}); r.OK {
			t.Error("it was answered twice")
		}
		if cb, _ := srv.Callback(press); !cb.Answered || cb.Text != "done" {
			t.Errorf("got %+v", cb)
		}
		forged := chat.Press(ada, 999, "y:2")
		<-time.After(31 * time.Second)
		if r := ask(t, srv, "answerCallbackQuery", p{"callback_query_id": forged}); r.OK {
			t.Error("it was answered too late")
		}
		if cb, known := srv.Callback(forged); !known || cb.Answered || cb.Data != "y:2" {
			t.Errorf("got %+v", cb)
		}
	})
}

func TestDraftsAndTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, chat, _ := said(0)
		ask(t, srv, "sendChatAction", p{"chat_id": "77", "action": "typing"})
		ask(t, srv, "sendMessageDraft", p{"chat_id": "77", "draft_id": "5", "text": ""})
		ask(t, srv, "sendMessageDraft", p{"chat_id": "77", "draft_id": "5", "text": "once upon", "can_stop": "true"})
		if d, shown := chat.Draft(); !shown || d.Text != "once upon" || !d.CanStop || !chat.Typing() || len(chat.Drafts()) != 2 {
			t.Errorf("shown %v: %+v", shown, d)
		}
		<-time.After(5 * time.Second)
		if chat.Typing() {
			t.Error("it types for longer than 5 seconds")
		}
		ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "once upon a time"})
		if d, shown := chat.Draft(); shown {
			t.Errorf("shown beside the message: %+v", d)
		}
		ask(t, srv, "sendMessageDraft", p{"chat_id": "77", "draft_id": "6", "text": "more"})
		<-time.After(30 * time.Second)
		if d, shown := chat.Draft(); shown {
			t.Errorf("shown for longer than 30 s: %+v", d)
		}
		old := telegramtest.New(telegramtest.Options{Without: []string{"sendMessageDraft"}})
		if r := ask(t, old, "sendMessageDraft", p{"chat_id": "77", "draft_id": "6"}); r.Code != 404 {
			t.Errorf("got %+v", r)
		}
	})
}

func TestFiles(t *testing.T) {
	srv, chat, ada := said(0)
	chat.Say(ada, "look", telegramtest.Photo(1280, 960, []byte("the picture")))
	chat.Say(ada, "", telegramtest.BigDocument("film.mkv", "video/x-matroska", 20<<20+1))
	photo, big := chat.Messages()[0].File, chat.Messages()[1].File
	download := func(id string) (int, string) {
		var f struct {
			Path string `json:"file_path"`
		}
		r := ask(t, srv, "getFile", p{"file_id": id})
		if !r.OK {
			return r.Code, r.Description
		}
		json.Unmarshal(r.Result, &f)
		resp, err := (&http.Client{Transport: srv.Transport()}).Get("http://x/file/bot" + srv.Token() + "/" + f.Path)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			return 0, err.Error()
		}
		return resp.StatusCode, f.Path + " " + string(data)
	}
	if code, what := download(photo.ID); code != 200 || !strings.HasPrefix(what, "photos/") || !strings.HasSuffix(what, " the picture") {
		t.Error(code, what)
	}
	if code, what := download(photo.ID + "-s"); code != 200 || !strings.HasPrefix(what, "thumbnails/") {
		t.Error(code, what)
	}
	if code, what := download(big.ID); code != 400 || what != "Bad Request: file is too big" {
		t.Error(code, what)
	}
	srv.Fail(telegramtest.Fault{Method: "file", Kind: telegramtest.DropAfter})
	if code, what := download(photo.ID); code != 0 || !contains(what, "EOF") {
		t.Error(code, what)
	}
	if r := upload(t, srv, "sendDocument", "document", "a.txt", []byte("hello"), p{"chat_id": "77", "caption": strings.Repeat("x", 1024)}); !r.OK {
		t.Errorf("got %+v", r)
	}
	if r := upload(t, srv, "sendDocument", "document", "a.txt", []byte("hello"), p{"chat_id": "77", "caption": strings.Repeat("x", 1025)}); r.Description != "Bad Request: message caption is too long" {
		t.Errorf("got %+v", r)
	}
	if r := upload(t, srv, "sendDocument", "document", "a.txt", nil, p{"chat_id": "77"}); r.Description != "Bad Request: file must be non-empty" {
		t.Errorf("got %+v", r)
	}
	if r := upload(t, srv, "sendPhoto", "photo", "a.png", []byte("no picture"), p{"chat_id": "77"}); r.Description != "Bad Request: IMAGE_PROCESS_FAILED" {
		t.Errorf("got %+v", r)
	}
	got := chat.FromBot()
	if len(got) != 1 || got[0].File.Name != "a.txt" || string(got[0].File.Data) != "hello" {
		t.Errorf("shown %+v", got)
	}
}

func TestTokens(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	for token, want := range map[string]string{
		"4321:AAsomebody-elses-token-AAAAAAAAAAAA": "401 Unauthorized",
		"nonsense":  "404 Not Found",
		srv.Token(): "0 ",
	} {
		r, err := post(t.Context(), srv, token, "getMe", "application/x-www-form-urlencoded", strings.NewReader(""))
		if got := fmt.Sprint(r.Code, " ", r.Description); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", token, got, err, want)
		}
	}
}

// Parameters that no method has are taken for mistakes.
func TestIgnoredParameters(t *testing.T) {
	srv, _, _ := said(0)
	ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "abc", "texd": "1"})
	if c := srv.Calls("sendMessage"); len(c) != 1 || fmt.Sprint(c[0].Ignored) != "[texd]" {
		t.Errorf("calls %+v", c)
	}
}

func TestRoles(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	ada, bob, eve := srv.User(77, "Ada"), srv.User(78, "Bob"), srv.User(79, "Eve")
	group := srv.Group(-5, "Group", telegramtest.Member{User: ada, Role: telegramtest.Creator}, telegramtest.Member{User: bob})
	group.Join(bob, telegramtest.Administrator)
	for _, c := range []struct {
		id   int64
		want string
	}{{ada.ID, "creator"}, {bob.ID, "administrator"}, {eve.ID, "left"}, {srv.Bot().ID, "member"}} {
		r := ask(t, srv, "getChatMember", p{"chat_id": "-5", "user_id": fmt.Sprint(c.id)})
		if !contains(string(r.Result), `"status":"`+c.want+`"`) {
			t.Errorf("%d: %s", c.id, r.Result)
		}
	}
	his := group.Say(bob, "/rm")
	del := p{"chat_id": "-5", "message_id": fmt.Sprint(his)}
	if r := ask(t, srv, "deleteMessage", del); r.Description != "Bad Request: message can't be deleted" {
		t.Errorf("got %+v", r)
	}
	group.JoinBot(telegramtest.Administrator)
	if r := ask(t, srv, "deleteMessage", del); !r.OK || fmt.Sprint(group.Deleted()) != fmt.Sprint([]int64{his}) {
		t.Errorf("got %+v", r)
	}
}

func TestItStaysSmall(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{Keep: 10})
	ada := srv.User(77, "Ada")
	chat := srv.Private(ada)
	for range 100 {
		id := chat.Say(ada, "x", telegramtest.Document("a", "text/plain", []byte("x")))
		ask(t, srv, "sendMessageDraft", p{"chat_id": "77", "draft_id": "1"})
		ask(t, srv, "sendChatAction", p{"chat_id": "77", "action": "typing"})
		chat.Press(ada, id, "x")
		chat.Delete(chat.Say(ada, "y"))
	}
	for what, n := range map[string]int{"messages": len(chat.Messages()), "calls": len(srv.Calls()), "updates": srv.Pending(),
		"drafts": len(chat.Drafts()), "actions": len(chat.Actions()), "deleted": len(chat.Deleted())} {
		if n == 0 || n > 10 {
			t.Errorf("%d %s are kept", n, what)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	ada := srv.User(77, "Ada")
	chat := srv.Private(ada)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				call(t.Context(), srv, "sendMessage", p{"chat_id": "77", "text": "x"})
				chat.Say(ada, "y")
				chat.Messages()
				srv.Calls()
			}
		})
	}
	all.Go(func() {
		if err := srv.Wait(t.Context(), func() bool { return len(chat.FromBot()) == 160 }); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	seen := map[int64]bool{}
	for _, m := range chat.Messages() {
		seen[m.ID] = true
	}
	if len(seen) != 320 {
		t.Errorf("%d messages with an id of their own", len(seen))
	}
}

func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, _, _ := said(0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := srv.Wait(ctx, func() bool { return false }); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// cutUnits returns the part of a text that an entity marks.
func cutUnits(text string, e telegramtest.Entity) string {
	return string(utf16.Decode(utf16.Encode([]rune(text))[e.Offset : e.Offset+e.Length]))
}

// Whatever is accepted is shown with entities that mark the same text as before.
func TestEntitiesStayWithTheirText(t *testing.T) {
	srv, chat, _ := said(0)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.StringMatching(`[ \n]{0,2}[a😀é]{1,3}[ \n]{0,2}`), 1, 5).Draw(t, "parts")
		var text strings.Builder
		var marked []string
		var ents []telegramtest.Entity
		at := 0
		for _, part := range parts {
			n := len([]rune(part)) + strings.Count(part, "😀")
			ents = append(ents, telegramtest.Entity{Type: "bold", Offset: at, Length: n})
			marked = append(marked, strings.Join(strings.Fields(part), " "))
			text.WriteString(part)
			at += n
		}
		b, _ := json.Marshal(ents)
		r, err := call(context.Background(), srv, "sendMessage", p{"chat_id": "77", "text": text.String(), "entities": string(b)})
		if err != nil || !r.OK {
			t.Fatal(r, err)
		}
		all := chat.FromBot()
		m := all[len(all)-1]
		var got []string
		for _, e := range m.Entities {
			got = append(got, strings.Join(strings.Fields(cutUnits(m.Text, e)), " "))
		}
		if d := cmp.Diff(marked, got); d != "" || m.Text != strings.Trim(text.String(), " \n") {
			t.Fatalf("%q\n%s", m.Text, d)
		}
	})
}
