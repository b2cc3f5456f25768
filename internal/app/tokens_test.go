package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hob/internal/config"
	"hob/internal/secret"
)

// A token comes from a file for its owner alone or from systemd, and what is wrong with it is said without it.
func TestTokens(t *testing.T) {
	dir, credentials := t.TempDir(), t.TempDir()
	for name, file := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"good": {" 123456:ABC-def_\n", 0o600}, "short": {"1:T", 0o400}, "open": {"1:T", 0o644}, "group": {"1:T", 0o640},
		"empty": {"\n", 0o600}, "words": {"my-secret-words", 0o600}, "two": {"1:T 2:U", 0o600}, "nokey": {"123456:", 0o600},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(file.text), file.mode); err != nil {
			t.Fatal(err)
		}
	}
	handed := filepath.Join(credentials, telegramCredential)
	for _, c := range []struct {
		file, handed string // "-" is absent
		token, err   string
	}{
		{"", "-", "", ""},
		{"good", "-", "123456:ABC-def_", ""},
		{"short", "-", "1:T", ""},
		{"absent", "-", "", "[telegram] token_file: there is no file"},
		{"open", "-", "", "is open to other users, and a token is for one alone: chmod 600"},
		{"group", "-", "", "is open to other users"},
		{"empty", "-", "", "is no token"},
		{"words", "-", "", "is no token"},
		{"two", "-", "", "is no token"},
		{"nokey", "-", "", "is no token"},
		{"", "7:handed", "7:handed", ""},
		{"", "\n", "", ""}, // what hob.service hands over where there is none
		{"", "rubbish", "", "is no token"},
		{"good", "7:handed", "123456:ABC-def_", ""},
	} {
		_ = os.Remove(handed)
		if c.handed != "-" {
			if err := os.WriteFile(handed, []byte(c.handed), 0o440); err != nil { // others may not look into the folder
				t.Fatal(err)
			}
		}
		s := &Environment{Config: config.Default(), StateDir: t.TempDir()}
		if c.file != "" {
			s.Telegram.TokenFile = filepath.Join(dir, c.file)
		}
		env := func(name string) string { return map[string]string{"CREDENTIALS_DIRECTORY": credentials}[name] }
		if err := s.findTokens(env, ""); err != nil {
			t.Fatal(err)
		}
		token, err := s.BotToken()
		if token != c.token || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q, handed over %q: %q, %v; want %q, %q", c.file, c.handed, token, err, c.token, c.err)
		}
		if err != nil && strings.Contains(err.Error(), "my-secret-words") {
			t.Errorf("the error tells it: %v", err)
		}
		if c.token != "" && len(c.token) >= secret.Shortest {
			k, err := s.ReadSecrets(env)
			if err != nil || k.Redact("it is "+c.token) != "it is "+secret.Mark {
				t.Errorf("the token is not kept: %q, %v", k.Redact("it is "+c.token), err)
			}
		}
	}
}
