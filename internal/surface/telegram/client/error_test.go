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
