package telegramtest_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/surface/telegram/telegramtest"
)

// keys is an inline keyboard with so many buttons that carry data.
func keys(n int, data string) string {
	row := []map[string]string{}
	for range n {
		row = append(row, map[string]string{"text": "x", "callback_data": data})
	}
	b, _ := json.Marshal(map[string]any{"inline_keyboard": []any{row}})
	return string(b)
}

func TestWhatIsRefused(t *testing.T) {
	srv := telegramtest.New(telegramtest.Options{})
	ada := srv.User(77, "Ada")
	chat := srv.Private(ada)
	hers := strconv.FormatInt(chat.Say(ada, "hello"), 10)
	mine := strconv.FormatInt(idOf(t, ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "same", "reply_markup": keys(1, "y")})), 10)
	gone := strconv.FormatInt(idOf(t, ask(t, srv, "sendMessage", p{"chat_id": "77", "text": "gone"})), 10)
	ask(t, srv, "deleteMessage", p{"chat_id": "77", "message_id": gone})
	kicked := srv.Group(-1001000000001, "Kicked")
	kicked.Kick()
	srv.Private(srv.User(78, "Bob")).Block()
	srv.Group(-6, "Moved").Migrate(-1001000000006)
	forum := srv.Group(-1001000000007, "Forum")
	forum.Topic(3)
	ents := func(e string) p { return p{"chat_id": "77", "text": "a😀b", "entities": e} }
	before := len(chat.FromBot())

	for _, c := range []struct {
		name, method string
		args         p
		code         int
		want         string
	}{
		{"an unknown chat", "sendMessage", p{"chat_id": "5", "text": "x"}, 400, "chat not found"},
		{"white space", "sendMessage", p{"chat_id": "77", "text": " \n\t "}, 400, "text must be non-empty"},
		{"what nobody sees", "sendMessage", p{"chat_id": "77", "text": "\u200b\u2060"}, 400, "text must be non-empty"},
		{"too long", "sendMessage", p{"chat_id": "77", "text": strings.Repeat("x", 4097)}, 400, "message is too long"},
		{"too long in UTF-16", "sendMessage", p{"chat_id": "77", "text": strings.Repeat("😀", 2049)}, 400, "message is too long"},
		{"no UTF-8", "sendMessage", p{"chat_id": "77", "text": "\xff"}, 400, "strings must be encoded in UTF-8"},
		{"an entity past the end", "sendMessage", ents(`[{"type":"bold","offset":3,"length":2}]`), 400,
			"entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 5"},
		{"a negative offset", "sendMessage", ents(`[{"type":"bold","offset":-1,"length":2}]`), 400, "receive an entity with incorrect offset -1 or length 2"},
		{"a negative length", "sendMessage", ents(`[{"type":"bold","offset":1,"length":-2}]`), 400, "receive an entity with incorrect offset 1 or length -2"},
		{"one that begins in a character", "sendMessage", ents(`[{"type":"bold","offset":2,"length":2}]`), 400,
			"entity at UTF-16 offset 2 begins or ends in a middle of a UTF-16 symbol"},
		{"one that ends in a character", "sendMessage", ents(`[{"type":"bold","offset":0,"length":2}]`), 400,
			"entity at UTF-16 offset 0 begins or ends in a middle of a UTF-16 symbol"},
		{"of no known type", "sendMessage", ents(`[{"type":"shiny","offset":0,"length":1}]`), 400, "can't parse MessageEntity"},
		{"a link to nowhere", "sendMessage", ents(`[{"type":"text_link","offset":0,"length":1}]`), 400, "can't parse MessageEntity"},
		{"entities that are none", "sendMessage", ents(`[{"type":`), 400, "can't parse entities JSON object"},
		{"data of 65 bytes", "sendMessage", p{"chat_id": "77", "text": "x", "reply_markup": keys(1, strings.Repeat("d", 65))}, 400, "BUTTON_DATA_INVALID"},
		{"no data", "sendMessage", p{"chat_id": "77", "text": "x", "reply_markup": keys(1, "")}, 400, "BUTTON_DATA_INVALID"},
		{"101 buttons", "sendMessage", p{"chat_id": "77", "text": "x", "reply_markup": keys(101, "d")}, 400, "reply markup is too long"},
		{"a button without a text", "sendMessage", p{"chat_id": "77", "text": "x",
			"reply_markup": `{"inline_keyboard":[[{"text":" ","callback_data":"d"}]]}`}, 400, "inline keyboard button text must be non-empty"},
		{"markup that is none", "sendMessage", p{"chat_id": "77", "text": "x", "reply_markup": "{"}, 400, "can't parse reply keyboard markup JSON object"},
		{"a reply to nothing", "sendMessage", p{"chat_id": "77", "text": "x", "reply_parameters": `{"message_id":999}`}, 400,
			"message to be replied not found"},
		{"a topic that is not there", "sendMessage", p{"chat_id": "-1001000000007", "text": "x", "message_thread_id": "9"}, 400, "message thread not found"},
		{"a topic in no forum", "sendMessage", p{"chat_id": "77", "text": "x", "message_thread_id": "9"}, 400, "message thread not found"},
		{"blocked", "sendMessage", p{"chat_id": "78", "text": "x"}, 403, "bot was blocked by the user"},
		{"kicked", "sendMessage", p{"chat_id": "-1001000000001", "text": "x"}, 403, "bot was kicked from the supergroup chat"},
		{"moved", "sendMessage", p{"chat_id": "-6", "text": "x"}, 400, "group chat was upgraded to a supergroup chat"},
		{"an edit that changes nothing", "editMessageText", p{"chat_id": "77", "message_id": mine, "text": " same ", "reply_markup": keys(1, "y")},
			400, "message is not modified: "},
		{"buttons that are the same", "editMessageReplyMarkup", p{"chat_id": "77", "message_id": mine, "reply_markup": keys(1, "y")},
			400, "message is not modified: "},
		{"an edit of hers", "editMessageText", p{"chat_id": "77", "message_id": hers, "text": "x"}, 400, "message can't be edited"},
		{"an edit of nothing", "editMessageText", p{"chat_id": "77", "message_id": gone, "text": "x"}, 400, "message to edit not found"},
		{"an edit to nothing", "editMessageText", p{"chat_id": "77", "message_id": mine, "text": " "}, 400, "text must be non-empty"},
		{"deleting nothing", "deleteMessage", p{"chat_id": "77", "message_id": gone}, 400, "message to delete not found"},
		{"an unknown action", "sendChatAction", p{"chat_id": "77", "action": "dancing"}, 400, "wrong parameter action in request"},
		{"a draft for a group", "sendMessageDraft", p{"chat_id": "-1001000000007", "draft_id": "1", "text": "x"}, 400, "TEXTDRAFT_PEER_INVALID"},
		{"a draft without an id", "sendMessageDraft", p{"chat_id": "77", "text": "x"}, 400, "RANDOM_ID_INVALID"},
		{"a draft that is too long", "sendMessageDraft", p{"chat_id": "77", "draft_id": "1", "text": strings.Repeat("x", 4097)}, 400, "message is too long"},
		{"no file", "sendDocument", p{"chat_id": "77"}, 400, "there is no document in the request"},
		{"a press nobody made", "answerCallbackQuery", p{"callback_query_id": "1"}, 400,
			"query is too old and response timeout expired or query ID is invalid"},
		{"a file id nobody knows", "getFile", p{"file_id": "x"}, 400, "wrong file_id or the file is temporarily unavailable"},
		{"a command with a dash", "setMyCommands", p{"commands": `[{"command":"a-b","description":"x"}]`}, 400, "BOT_COMMAND_INVALID"},
		{"a command without a summary", "setMyCommands", p{"commands": `[{"command":"ab","description":" "}]`}, 400, "BOT_COMMAND_DESCRIPTION_INVALID"},
		{"101 commands", "setMyCommands", p{"commands": commands(101)}, 400, "BOT_COMMANDS_TOO_MUCH"},
		{"an unknown method", "sendTelepathy", p{"chat_id": "77"}, 404, "method not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ask(t, srv, c.method, c.args)
			prefix := map[int]string{400: "Bad Request: ", 403: "Forbidden: ", 404: "Not Found: "}[c.code]
			if r.OK || r.Code != c.code || !strings.HasPrefix(r.Description, prefix+c.want) {
				t.Errorf("got %+v, want %d %q", r, c.code, prefix+c.want)
			}
		})
	}
	if r := ask(t, srv, "sendMessage", p{"chat_id": "-6", "text": "x"}); r.Parameters.MovedTo != -1001000000006 {
		t.Errorf("got %+v", r)
	}
	if n := len(chat.FromBot()); n != before {
		t.Errorf("%d messages arrived all the same", n-before)
	}
}

func commands(n int) string {
	all := []string{}
	for i := range n {
		all = append(all, fmt.Sprintf(`{"command":"c%d","description":"x"}`, i))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func TestWhatIsShown(t *testing.T) {
	many := []string{}
	for range 102 {
		many = append(many, `{"type":"bold","offset":0,"length":1}`)
	}
	for _, c := range []struct {
		name string
		args p
		want telegramtest.Message
	}{
		{"trimmed", p{"text": "\n  a 😀\nb \n", "entities": `[{"type":"bold","offset":1,"length":6},{"type":"italic","offset":8,"length":2},{"type":"code","offset":0,"length":2}]`},
			telegramtest.Message{Text: "a 😀\nb", Entities: []telegramtest.Entity{{Type: "bold", Offset: 0, Length: 4}, {Type: "italic", Offset: 5, Length: 1}}}},
		{"too many entities", p{"text": "x", "entities": "[" + strings.Join(many, ",") + "]"},
			telegramtest.Message{Text: "x", Dropped: 2, Entities: slicesOf(telegramtest.Entity{Type: "bold", Length: 1}, 100)}},
		{"within code", p{"text": "abc", "entities": `[{"type":"pre","offset":0,"length":3,"language":"go"},{"type":"bold","offset":1,"length":1}]`},
			telegramtest.Message{Text: "abc", Dropped: 1, Entities: []telegramtest.Entity{{Type: "pre", Length: 3, Language: "go"}}}},
		{"4096", p{"text": " " + strings.Repeat("😀", 2048)}, telegramtest.Message{Text: strings.Repeat("😀", 2048)}},
		{"silent", p{"text": "x", "disable_notification": "true", "link_preview_options": `{"is_disabled":true}`},
			telegramtest.Message{Text: "x", Silent: true, NoPreview: true}},
		{"a reply", p{"text": "x", "reply_parameters": `{"message_id":1}`}, telegramtest.Message{Text: "x", ReplyTo: 1}},
		{"a reply to nothing", p{"text": "x", "reply_parameters": `{"message_id":9,"allow_sending_without_reply":true}`}, telegramtest.Message{Text: "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := telegramtest.New(telegramtest.Options{})
			ada := srv.User(77, "Ada")
			chat := srv.Private(ada)
			chat.Say(ada, "hello")
			c.args["chat_id"] = "77"
			r := ask(t, srv, "sendMessage", c.args)
			if !r.OK {
				t.Fatal(r.Description)
			}
			got := chat.FromBot()
			if d := cmp.Diff([]telegramtest.Message{c.want}, got, cmpopts.IgnoreUnexported(telegramtest.Message{}),
				cmpopts.IgnoreFields(telegramtest.Message{}, "ID", "Chat", "From", "Date"), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

func slicesOf(e telegramtest.Entity, n int) []telegramtest.Entity {
	all := make([]telegramtest.Entity, n)
	for i := range all {
		all[i] = e
	}
	return all
}
