package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/llm/ollamatest"
	"hob/internal/surface/telegram/telegramtest"
)

// The whole way on real parts but for Telegram: words come in, a real server calls a real tool, and what it makes of the result
// goes out. The second message is read on from where the first ended.
func TestServe_AnswersOnTelegramWithARealModel(t *testing.T) {
	model := ollamatest.RunDebugging(t)
	api := telegramtest.New(telegramtest.Options{})
	base := httptest.NewServer(api)
	defer base.Close()
	h := newHouse(t, model.URL())
	token := filepath.Join(h.state, "token")
	if err := os.WriteFile(token, []byte(api.Token()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.configure(fmt.Sprintf("[telegram]\napi_base = %q\ntoken_file = %q\n[ollama]\nmodel = %q\n", base.URL, token, ollamatest.OneTool))
	for _, args := range [][]string{{"allow", "7", "--as", "owner"}, {"tool", "write_file", "path=notes.md", "content=buy milk"}} {
		if out, err := h.command(args...).CombinedOutput(); err != nil {
			t.Fatalf("hob %q: %v\n%s", args, err, out)
		}
	}
	s := h.serve()
	ada := api.User(7, "Ada")
	chat := api.Private(ada)
	for n, words := range []string{"what do my notes amount to?", "and what else?"} {
		chat.Say(ada, words)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		if err := api.Wait(ctx, func() bool { return len(chat.FromBot()) > n }); err != nil {
			t.Fatalf("%q is not answered: %v\n%s", words, err, s.said())
		}
		cancel()
		h.until("the turn has ended", func() bool { return strings.Count(strings.Join(h.journal("telegram/7"), "\n"), "ended done") > n })
	}
	s.stop()
	if got, want := strings.Join(h.journal("telegram/7"), ", "), "returned true, ended done, returned true, ended done"; got != want {
		t.Errorf("what happened is %s, want %s", got, want)
	}
	replies := chat.FromBot()
	if len(replies) != 2 || replies[0].Text == "" || replies[1].Text == "" {
		t.Errorf("the replies are %+v", replies)
	}
	prefills, err := model.Prefills(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	if len(prefills) != 4 {
		t.Fatalf("%d requests, want two for each message", len(prefills))
	}
	for i, p := range prefills[1:] {
		if p.Remaining*4 > p.Prompt {
			t.Errorf("request %d evaluates %d of %d tokens anew: something at the front of the prompt has changed", i+2, p.Remaining, p.Prompt)
		}
	}
	second := prefills[2]
	figure(t, "second Telegram message evaluates", "%d of %d prompt tokens", second.Remaining, second.Prompt)
}
