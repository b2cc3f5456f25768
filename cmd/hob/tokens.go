package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/config"
	"hob/internal/exit"
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
