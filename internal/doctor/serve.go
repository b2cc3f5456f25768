package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/surface/http/api"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// Limits for an answer of the daemon and of Telegram.
const (
	socketTimeout   = 5 * time.Second
	telegramTimeout = 10 * time.Second
)

// checkServe checks the daemon, Telegram and the people. It never polls Telegram for messages: that
// would take them away from a running daemon.
func checkServe(ctx context.Context, s *app.Environment) []Check {
	daemon, runs := checkDaemon(ctx, s)
	found := []Check{daemon}
	for _, p := range runs.Problems {
		found = append(found, fail("hob serve", "mend it, and start hob again", "%s", p))
	}
	token, err := s.BotToken()
	switch {
	case err != nil:
		return append(found, fail("bot token", "", "%v", err))
	case token == "":
		return append(found, pass("Telegram", "off: there is no token ([telegram] token_file)"))
	}
	found = append(found, pass("bot token", "in %s, for this user alone", s.BotTokenFile.Path), CheckBot(ctx, s, token))
	if runs.Telegram != "" && !strings.HasPrefix(runs.Telegram, "@") {
		found = append(found, fail("messages", "", "%s", runs.Telegram))
	}
	return append(found, checkPeople(ctx, s))
}

// checkDaemon asks the daemon for its status.
func checkDaemon(ctx context.Context, s *app.Environment) (Check, api.Status) {
	const name = "daemon"
	ctx, cancel := context.WithTimeout(ctx, socketTimeout)
	defer cancel()
	st, err := api.NewClient(s.SocketPath()).Status(ctx)
	switch {
	case errors.Is(err, api.ErrNotRunning):
		return pass(name, "none runs: hob serve, or the service, is one"), st
	case err != nil:
		return fail(name, "end that hob and start it again", "%s does not answer: %v", s.SocketPath(), err), st
	}
	if info, err := os.Lstat(s.SocketPath()); err == nil && info.Mode() != fs.ModeSocket|0o600 {
		return fail(name, "chmod 600 "+s.SocketPath(), "%s is open to other users (%#o)", s.SocketPath(), info.Mode().Perm()), st
	}
	return pass(name, "%s (pid %d) answers at %s", st.Serves, st.PID, s.SocketPath()), st
}

// CheckBot asks the Bot API server for the name of the bot with a token.
func CheckBot(ctx context.Context, s *app.Environment, token string) Check {
	const name = "Telegram"
	ctx, cancel := context.WithTimeout(ctx, telegramTimeout)
	defer cancel()
	way, err := s.NewTransport("telegram", s.Telegram.APIBase, "[telegram] api_base")
	if err != nil {
		return fail(name, "", "%v", err)
	}
	api, err := client.NewAPI(client.APIConfig{Base: s.Telegram.APIBase, Token: token, Transport: way})
	if err != nil {
		return fail(name, "", "%v", err)
	}
	bot, err := api.Username(ctx)
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		return fail(name, "put the token that @BotFather shows into "+s.BotTokenFile.Path, "%s does not know the bot's token", s.Telegram.APIBase)
	case ctx.Err() != nil:
		return fail(name, "look after the network, or [telegram] api_base", "%s does not answer within %s", s.Telegram.APIBase, telegramTimeout)
	case err != nil:
		return fail(name, "look after the network, or [telegram] api_base", "%v", err)
	}
	return pass(name, "@%s at %s", bot, s.Telegram.APIBase)
}

// checkPeople counts the people who may talk to hob.
func checkPeople(ctx context.Context, s *app.Environment) Check {
	const name = "people"
	all, err := app.ReadJournal(ctx, s, func(db *store.DB) ([]event.Person, error) { return db.People().People(ctx, chat.Platform) })
	if err != nil {
		return fail(name, "", "%v", err)
	}
	if len(all) == 0 {
		return warn(name, "hob pair lets you in", "nobody may talk to hob over Telegram")
	}
	return pass(name, "%d may talk to hob over Telegram: hob allow lists them", len(all))
}
