package claims_test

import (
	"testing"

	"hob/internal/agent/claims"
)

// A reply that says of all that was asked for that it is done claims something, with no word of what it was.
func TestFind_AllDone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"好的，我已经处理了", "好，搞定了", "Sure, I handled it.", "OK, fertig.", "Хорошо, я это сделал.", "好的，我已经处理了。", "已经处理好了。", "I've taken care of it.", "Okay, I've done it.", "Ich habe mich darum gekümmert.", "Я всё сделал.",
	} {
		if len(claims.Find(text, false)) == 0 {
			t.Errorf("%q claims nothing", text)
		}
	}
	for _, text := range []string{"你处理了吗？", "I could not take care of it.", "Haben Sie sich darum gekümmert?", "Я не всё сделал."} {
		if all := claims.Find(text, false); len(all) > 0 {
			t.Errorf("%q claims %+v", text, all)
		}
	}
}
