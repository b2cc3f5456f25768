package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/surface/telegram"
	"hob/internal/tools"
)

// tokenFile is a file that holds a token and nothing else.
type tokenFile struct {
	path   string // "" is none
	key    string // of the configuration, which named it
	handed bool   // by systemd, which sees to who may read it, and hands over an empty one where there is none
}

// telegramCredential is the name under which systemd hands over the token of the bot.
const telegramCredential = "telegram_token"

// findTokens finds out where the tokens are.
func (s *setting) findTokens(env func(string) string, home string) error {
	s.bot, s.key = tokenFile{key: "[telegram] token_file"}, tokenFile{key: "[api] token_file"}
	credentials := env("CREDENTIALS_DIRECTORY")
	for t, named := range map[*tokenFile]string{&s.bot: s.Telegram.TokenFile, &s.key: s.API.TokenFile} {
		if named == "" {
			continue
		}
		path, err := config.InHome(named, home)
		if err != nil {
			return exit.Errorf(exit.Usage, "%s: %v", t.key, err)
		}
		t.path, t.handed = path, credentials != "" && filepath.Dir(path) == filepath.Clean(credentials)
	}
	if s.bot.path == "" && credentials != "" {
		path := filepath.Join(credentials, telegramCredential)
		if _, err := os.Stat(path); err == nil {
			s.bot.path, s.bot.handed = path, true
		}
	}
	return nil
}

// read returns the token, "" where there is none. fits says whether a text is one; like is how one looks. The error is a
// sentence that names the file and never what is in it.
func (t tokenFile) read(fits func(string) bool, like string) (string, error) {
	if t.path == "" {
		return "", nil
	}
	info, err := os.Stat(t.path)
	switch {
	case errors.Is(err, os.ErrNotExist) && t.handed:
		return "", nil
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("%s: there is no file %s: put the token there, for you alone to read", t.key, t.path)
	case err != nil:
		return "", fmt.Errorf("%s: let this user read %s: %w", t.key, t.path, cause(err))
	case info.Mode().Perm()&0o077 != 0 && !t.handed:
		return "", fmt.Errorf("%s: %s is open to other users, and a token is for one alone: chmod 600 %s", t.key, t.path, t.path)
	}
	token, err := readSecret(t.path)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", t.key, err)
	case token == "" && t.handed:
		return "", nil
	case !fits(token):
		return "", fmt.Errorf("%s: what is in %s is no token: it should hold one such as %s, and nothing else", t.key, t.path, like)
	}
	return token, nil
}

// botToken returns the token of the bot, "" where there is none.
func (s *setting) botToken() (string, error) {
	return s.bot.read(func(text string) bool {
		number, key, ok := strings.Cut(text, ":")
		return ok && number != "" && strings.Trim(number, "0123456789") == "" && key != "" && !strings.ContainsFunc(key, notInTokens)
	}, "123456:ABC-DEF from BotFather")
}

// keyToken returns the token of the local API, "" where there is none and none is needed.
func (s *setting) keyToken() (string, error) {
	token, err := s.key.read(func(text string) bool { return len(text) >= shortestKey && !strings.ContainsFunc(text, notInTokens) },
		fmt.Sprintf("the words of openssl rand -hex 32, of at least %d letters and digits", shortestKey))
	if err == nil && token == "" && s.API.Listen != "" {
		err = errors.New("[api] listen needs [api] token_file: a file for you alone to read, such as from openssl rand -hex 32")
	}
	return token, err
}

// shortestKey is the length of the shortest token that keeps others on this machine out of the API.
const shortestKey = 16

func notInTokens(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
}

// bot is what the daemon needs of [*telegram.Bot].
type bot interface {
	// Run works until ctx ends. Any other end is an error.
	Run(ctx context.Context) error
	State() telegram.State
	// Wake has what happens in a chat told there.
	Wake(chat event.Chat)
	// Delivered waits until it is known what became of the nth file that an event hands over.
	Delivered(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState
}

// pace is how often a message changes while a reply is being written into it.
const pace = 1500 * time.Millisecond

// connect makes the bot of a configuration. alert is told what keeps it from working until somebody does something
// about it, changed is called when its problem is another one.
func (a *app) connect(s *setting, h *hob, token string, log *slog.Logger, alert func(string), changed func()) (bot, error) {
	way, err := s.transportTo("telegram", s.Telegram.APIBase, "[telegram] api_base")
	if err != nil {
		return nil, err
	}
	api, err := telegram.NewAPI(telegram.APIConfig{Base: s.Telegram.APIBase, Token: token, Transport: way})
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "[telegram] %v", err)
	}
	b, err := telegram.New(telegram.Config{
		API: api, Sessions: h.Sessions, Memory: h.journal, Files: storyFiles{h.engine.kit.files, h.master}, Story: leads{h}, Commands: a.desk(s, h),
		Now: time.Now, Log: log, Alert: alert, Changed: changed, MaxFile: s.Telegram.MaxFile, Pace: pace,
		Hear: s.hear(h.shell, h.engine.kit.files),
		Tool: h.explain, Nearest: tools.Nearest, Retry: h.Retry,
		Named: func(ctx context.Context, name string) error { return h.journal.SetSetting(ctx, botKey, name) },
	})
	if err != nil {
		return nil, err
	}
	h.skills.manages(b)
	return b, nil
}
