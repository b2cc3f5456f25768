package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/surface/http/api"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// How long the daemon and Telegram may take to answer.
const (
	socketFor   = 5 * time.Second
	telegramFor = 10 * time.Second
)

// checkServe looks after the daemon and what it speaks to. While one runs, only that one asks Telegram for messages: a second
// one that did so would take them away from it.
func checkServe(ctx context.Context, s *app.Environment) []Check {
	daemon, runs := checkDaemon(ctx, s)
	found := []Check{daemon}
	token, err := s.BotToken()
	switch {
	case err != nil:
		return append(found, bad("bot token", "", "%v", err))
	case token == "":
		return append(found, good("Telegram", "off: there is no token ([telegram] token_file)"))
	}
	found = append(found, good("bot token", "in %s, for this user alone", s.BotTokenFile.Path), checkBot(ctx, s, token))
	if runs.Telegram != "" && !strings.HasPrefix(runs.Telegram, "@") {
		found = append(found, bad("messages", "", "%s", runs.Telegram))
	}
	return append(found, checkPeople(ctx, s))
}

// checkDaemon asks the socket, and returns what it answers.
func checkDaemon(ctx context.Context, s *app.Environment) (Check, api.Status) {
	const name = "daemon"
	ctx, cancel := context.WithTimeout(ctx, socketFor)
	defer cancel()
	st, err := api.NewClient(s.SocketPath()).Status(ctx)
	switch {
	case errors.Is(err, api.ErrNotRunning):
		return good(name, "none runs: hob serve, or the service, is one"), st
	case err != nil:
		return bad(name, "end that hob and start it again", "%s does not answer: %v", s.SocketPath(), err), st
	}
	if info, err := os.Lstat(s.SocketPath()); err == nil && info.Mode() != fs.ModeSocket|0o600 {
		return bad(name, "chmod 600 "+s.SocketPath(), "%s is open to other users (%#o)", s.SocketPath(), info.Mode().Perm()), st
	}
	return good(name, "%s (pid %d) answers at %s", st.Serves, st.PID, s.SocketPath()), st
}

// checkBot asks the Bot API server who the bot is.
func checkBot(ctx context.Context, s *app.Environment, token string) Check {
	const name = "Telegram"
	ctx, cancel := context.WithTimeout(ctx, telegramFor)
	defer cancel()
	way, err := s.NewTransport("telegram", s.Telegram.APIBase, "[telegram] api_base")
	if err != nil {
		return bad(name, "", "%v", err)
	}
	api, err := client.NewAPI(client.APIConfig{Base: s.Telegram.APIBase, Token: token, Transport: way})
	if err != nil {
		return bad(name, "", "%v", err)
	}
	bot, err := api.Username(ctx)
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		return bad(name, "put the token that @BotFather shows into "+s.BotTokenFile.Path, "%s does not know the bot's token", s.Telegram.APIBase)
	case ctx.Err() != nil:
		return bad(name, "look after the network, or [telegram] api_base", "%s does not answer within %s", s.Telegram.APIBase, telegramFor)
	case err != nil:
		return bad(name, "look after the network, or [telegram] api_base", "%v", err)
	}
	return good(name, "@%s at %s", bot, s.Telegram.APIBase)
}

// checkPeople counts who may talk to hob.
func checkPeople(ctx context.Context, s *app.Environment) Check {
	const name = "people"
	if _, err := os.Stat(s.JournalPath()); os.IsNotExist(err) {
		return poor(name, "hob pair lets you in", "nobody may talk to hob over Telegram")
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return bad(name, "", "%v", err)
	}
	all, err := db.People().People(ctx, chat.Platform)
	if err = errors.Join(err, db.Close()); err != nil {
		return bad(name, "", "%v", err)
	}
	if len(all) == 0 {
		return poor(name, "hob pair lets you in", "nobody may talk to hob over Telegram")
	}
	return good(name, "%s", fmt.Sprintf("%d may talk to hob over Telegram: hob allow lists them", len(all)))
}
