package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What hob cannot do without is in its units, also where no systemd is there to try them: a sandbox for its commands, the
// watchdog, a reload, and a start without a token.
func TestUnits_LetHobWork(t *testing.T) {
	both := map[string]string{
		"SystemCallFilter": "@system-service @mount landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp sethostname",
		"Type":             "notify", "NotifyAccess": "main", "ExecReload": "/bin/kill -HUP $MAINPID", "KillMode": "control-group", "Delegate": "memory pids",
		"RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6 AF_NETLINK", "RestrictNamespaces": "user mnt pid net ipc uts", "UMask": "0077",
	}
	system := map[string]string{
		"LoadCredential": "telegram_token:/etc/hob/telegram_token", "SetCredential": `telegram_token:\n`, "StateDirectory": "hob",
		"StateDirectoryMode": "0700",
	}
	for name, needs := range map[string][]map[string]string{"hob.service": {both, system}, "hob-user.service": {both}} {
		text, err := os.ReadFile(filepath.Join("..", "..", "systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		has := map[string][]string{}
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
				has[key] = append(has[key], strings.Fields(value)...)
			}
		}
		for _, some := range needs {
			for key, words := range some {
				for word := range strings.FieldsSeq(words) {
					if !slices.Contains(has[key], word) {
						t.Errorf("%s: %s lacks %s", name, key, word)
					}
				}
			}
		}
		if !slices.Contains(has["WatchdogSec"], "60") || slices.Contains(has["ExecStart"], "--config") {
			t.Errorf("%s: %q, %q", name, has["WatchdogSec"], has["ExecStart"])
		}
	}
}
