package telegram

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// TestMain has the tests happen in one time zone, wherever they are run: people are told the time of theirs.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

const adasChat = event.Chat("telegram/77")

// after lets so much time pass.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// methods is how often each method was called.
func methods(srv *telegramtest.Server, names ...string) (n int) { return len(srv.Calls(names...)) }

// updateOf is the number of the update that an input's id was made of: behind it stands a hash of the update.
func updateOf(id string) string {
	number, _, _ := strings.Cut(id, "-")
	return number
}

func echo(name string, audience commands.Audience) commands.Command {
	return commands.Command{Name: name, Args: []commands.Arg{{Name: "n"}}, Summary: "say it", For: audience, On: commands.Telegram, Run: func(_ context.Context, r commands.Request) (commands.Answer, error) {
		return commands.Answer{Text: name + " " + string(r.Chat) + " " + r.From + " " + r.Level.String() + " " + r.Args}, nil
	}}
}

const testToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

func testAPI(t *testing.T, base string, over http.RoundTripper) *client.API {
	t.Helper()
	a, err := client.NewAPI(client.APIConfig{Base: base, Token: testToken, Transport: over})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
