package app

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hob/internal/config"
	"hob/internal/exit"
)

// TokenFile is a file that holds only a token.
type TokenFile struct {
	Path        string // "": no token
	key         string // the configuration key that names it
	fromSystemd bool   // systemd guards the file, and provides an empty one for no token
}

// telegramCredential is the name of systemd's credential with the bot's token.
const telegramCredential = "telegram_token"

// findTokens sets the paths of the token files.
func (s *Environment) findTokens(env func(string) string, home string) error {
	s.BotTokenFile, s.APITokenFile = TokenFile{key: "[telegram] token_file"}, TokenFile{key: "[api] token_file"}
	credentials := env("CREDENTIALS_DIRECTORY")
	for t, named := range map[*TokenFile]string{&s.BotTokenFile: s.Telegram.TokenFile, &s.APITokenFile: s.API.TokenFile} {
		if named == "" {
			continue
		}
		path, err := config.InHome(named, home)
		if err != nil {
			return exit.Errorf(exit.Usage, "%s: %v", t.key, err)
		}
		t.Path, t.fromSystemd = path, credentials != "" && filepath.Dir(path) == filepath.Clean(credentials)
	}
	if s.BotTokenFile.Path == "" && credentials != "" {
		path := filepath.Join(credentials, telegramCredential)
		if _, err := os.Stat(path); err == nil {
			s.BotTokenFile.Path, s.BotTokenFile.fromSystemd = path, true
		}
	}
	return nil
}

// readToken returns the token, or "" without one. fits validates the text; like is an example for
// the error. The error names the file and never quotes its content.
func (t TokenFile) readToken(fits func(string) bool, like string) (string, error) {
	if t.Path == "" {
		return "", nil
	}
	info, err := os.Stat(t.Path)
	switch {
	case errors.Is(err, os.ErrNotExist) && t.fromSystemd:
		return "", nil
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("%s: there is no file %s: put the token there, for you alone to read", t.key, t.Path)
	case err != nil:
		return "", fmt.Errorf("%s: let this user read %s: %w", t.key, t.Path, WithoutPath(err))
	case info.Mode().Perm()&0o077 != 0 && !t.fromSystemd:
		return "", fmt.Errorf("%s: %s is open to other users, and a token is for one alone: chmod 600 %s", t.key, t.Path, t.Path)
	}
	token, err := readSecret(t.Path)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", t.key, err)
	case token == "" && t.fromSystemd:
		return "", nil
	case !fits(token):
		return "", fmt.Errorf("%s: what is in %s is no token: it should hold one such as %s, and nothing else", t.key, t.Path, like)
	}
	return token, nil
}

// BotToken returns the bot's token, or "" without one.
func (s *Environment) BotToken() (string, error) {
	return s.BotTokenFile.readToken(func(text string) bool {
		number, key, ok := strings.Cut(text, ":")
		return ok && number != "" && strings.Trim(number, "0123456789") == "" && key != "" && !strings.ContainsFunc(key, isNoTokenRune)
	}, "123456:ABC-DEF from BotFather")
}

// APIToken returns the token of the local API. It is "" if the API listens on no port and no token
// is configured.
func (s *Environment) APIToken() (string, error) {
	token, err := s.APITokenFile.readToken(func(text string) bool {
		return len(text) >= minTokenLength && !strings.ContainsFunc(text, isNoTokenRune)
	},
		fmt.Sprintf("the words of openssl rand -hex 32, of at least %d letters and digits", minTokenLength))
	if err == nil && token == "" && s.API.Listen != "" {
		err = errors.New("[api] listen needs [api] token_file: a file for you alone to read, such as from openssl rand -hex 32")
	}
	return token, err
}

// minTokenLength is the length from which a token keeps other users of this machine out of the API.
const minTokenLength = 16

func isNoTokenRune(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
}

// SecretFile is a file that holds one secret, and the configuration key that names it.
type SecretFile struct {
	Path string
	Key  string
}

// SecretFiles returns the files with secrets that the configuration names. It excludes systemd's
// credentials, which systemd protects.
func (s *Environment) SecretFiles() (all []SecretFile) {
	for _, t := range []TokenFile{s.BotTokenFile, s.APITokenFile} {
		if t.Path != "" && !t.fromSystemd {
			all = append(all, SecretFile{t.Path, t.key})
		}
	}
	for _, path := range s.Policy.Secrets {
		all = append(all, SecretFile{path, "[policy] secrets"})
	}
	for _, srv := range s.MCP {
		for key, files := range map[string]map[string]string{"env_files": srv.EnvFiles, "header_files": srv.HeaderFiles} {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				all = append(all, SecretFile{files[name], "[mcp." + srv.Name + "] " + key + " " + name})
			}
		}
	}
	slices.SortFunc(all, func(a, b SecretFile) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key))
	})
	return slices.CompactFunc(all, func(a, b SecretFile) bool { return a.Path == b.Path })
}
