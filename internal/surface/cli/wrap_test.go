package cli

import "testing"

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"one two", "one two"},
		{"one two three four five six", "one two three four\nfive six"},
		{"· one two three four five", "· one two three four\n  five"},
		{"- one two three four five", "- one two three four\n  five"},
		{"  /new  begin a new conversation", "  /new  begin a new\n        conversation"},
		{"  one two three four five", "  one two three four\n  five"},
		{"a very very long name here    and its text", "a very very long\nname here    and its\ntext"},
		{"  /stop [N] or all  stop the turn that runs", "  /stop [N] or all\n      stop the turn\n      that runs"},
		{"你好世界你好世界你好世界", "你好世界你好世界你好\n世界"},
		{"one\n\ntwo", "one\n\ntwo"},
	} {
		if got := Wrap(c.text, 20); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
	if got := Wrap("one two", 0); got != "one two" {
		t.Errorf("in a pipe: %q", got)
	}
}
