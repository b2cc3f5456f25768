package client_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"hob/internal/surface/telegram/client"
)

// One function says whether trying again can help.
func TestIsPermanent(t *testing.T) {
	failed := func(method string, code int, says string) *client.Error {
		return &client.Error{Method: method, Code: code, Message: says}
	}
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"refused", failed("sendMessage", 400, "Bad Request: message text is empty"), true},
		{"refused, within another", fmt.Errorf("send: %w", failed("sendMessage", 400, "Bad Request")), true},
		{"refused for now", &client.Error{Method: "sendMessage", Code: 400, RetryAfter: time.Second}, false},
		{"blocked", failed("sendMessage", 403, "Forbidden: bot was blocked by the user"), true},
		{"moved", &client.Error{Method: "sendMessage", Code: 400, MovedTo: -100}, true},
		{"too many", &client.Error{Method: "sendMessage", Code: 429, RetryAfter: time.Second}, false},
		{"a method that is not known", failed("sendMessageDraft", 404, "Not Found"), true},
		{"sending is not known: it is the wrong server", failed("sendMessage", 404, "Not Found"), false},
		{"the page of a proxy", failed("answerCallbackQuery", 404, "Not Found, and the answer is none of a Bot API server"), false},
		{"the token is not known", failed("sendMessage", 401, "Unauthorized"), false},
		{"another program", failed("getUpdates", 409, "Conflict"), false},
		{"the server is broken", failed("sendMessage", 502, "Bad Gateway"), false},
		{"no answer", &client.Error{Method: "sendMessage", Err: errors.New("reset"), Unknown: true}, false},
		{"too large", &client.Error{Method: "download", Err: client.ErrTooLarge}, true},
		{"another error", errors.New("the disk is full"), false},
		{"none", nil, false},
	} {
		if got := client.IsPermanent(c.err); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// What a failure says about the next request.
func TestWhatAFailureSays(t *testing.T) {
	type answers struct{ arrived, tooLong, gone, noDrafts bool }
	bad := func(says string) error { return &client.Error{Method: "sendMessage", Code: 400, Message: says} }
	for _, c := range []struct {
		name string
		err  error
		want answers
	}{
		{"too long", bad("Bad Request: message is too long"), answers{tooLong: true, noDrafts: true}},
		{"too long, in capitals", bad("Bad Request: MEDIA_CAPTION_TOO_LONG"), answers{tooLong: true, noDrafts: true}},
		{"gone", bad("Bad Request: message to edit not found"), answers{gone: true, noDrafts: true}},
		{"too old", bad("Bad Request: message can't be edited"), answers{gone: true, noDrafts: true}},
		{"no such chat", bad("Bad Request: chat not found"), answers{}},
		{"too many", &client.Error{Code: 429, Message: "too long a queue", RetryAfter: time.Second}, answers{}},
		{"blocked", &client.Error{Code: 403, Message: "Forbidden: bot was blocked by the user"}, answers{}},
		{"no such method", &client.Error{Method: "sendMessageDraft", Code: 404, Message: "Not Found"}, answers{noDrafts: true}},
		{"no answer", &client.Error{Err: errors.New("reset"), Unknown: true}, answers{arrived: true}},
		{"another error", errors.New("the disk is full"), answers{arrived: true}},
	} {
		got := answers{client.MayHaveArrived(c.err), client.IsTooLong(c.err), client.IsMessageGone(c.err), client.RefusesDrafts(c.err)}
		if got != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
