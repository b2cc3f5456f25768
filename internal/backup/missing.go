package backup

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hob/internal/app"
)

// modelTimeout is how long a restore waits for Ollama to say whether it has the model.
const modelTimeout = 5 * time.Second

// findMissing lists, a sentence each, what this machine lacks for hob to work as it did where the backup was made, and what a
// person has to do.
func findMissing(ctx context.Context, l *app.Loader, s *app.Environment, m Manifest, j Journal, byHand []Secret) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, h := range byHand {
		what := "mode 600"
		if h.Key != "" {
			what = h.Key + ", mode 600"
		}
		say("put %s where it belongs: %s (%s)", h.Member, h.Path, what)
	}
	for _, out := range m.LeftOut {
		if after, ok := strings.CutPrefix(out.Path, m.Config+": "); ok {
			say("%s: %s was left out at %s", s.ConfigPath, out.Why, after)
		}
	}
	for _, f := range s.SecretFiles() {
		if _, err := os.Stat(f.Path); err != nil && !slices.ContainsFunc(byHand, func(h Secret) bool { return h.Path == f.Path }) {
			say("%s: there is no file %s: make it again, mode 600", f.Key, f.Path)
		}
	}
	if j.Telegram && s.BotTokenFile.Path == "" && l.Env("CREDENTIALS_DIRECTORY") == "" {
		say("the token of the bot: [telegram] token_file names no file that holds it (a service has it in /etc/hob/telegram_token)")
	}
	for _, p := range programsOf(s) {
		if _, err := exec.LookPath(p.name); err != nil {
			say("%s: there is no program %s", p.key, p.name)
		}
	}
	for _, f := range foldersOf(s) {
		if _, err := os.Stat(f.name); err != nil {
			say("%s: there is no %s", f.key, f.name)
		}
	}
	if hosts := hostsOf(s); len(hosts) > 0 {
		say("not tried: %s", strings.Join(hosts, ", "))
	}
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	if _, err := app.NewModel(s).Ready(ctx); err != nil {
		say("the model: %v", err)
	}
	return all
}

// setting is something that a key of the configuration names.
type setting struct{ key, name string }

func programsOf(s *app.Environment) (all []setting) {
	if len(s.Voice.Command) > 0 {
		all = append(all, setting{"[voice] command", s.Voice.Command[0]})
	}
	for _, srv := range s.MCP {
		if len(srv.Command) > 0 {
			all = append(all, setting{"[mcp." + srv.Name + "] command", srv.Command[0]})
		}
	}
	return all
}

func foldersOf(s *app.Environment) (all []setting) {
	home, _ := os.UserHomeDir()
	for key, paths := range map[string][]string{"[files] read": s.Files.Read, "[files] write": s.Files.Write, "[shell] read": s.Shell.Read} {
		for _, p := range paths {
			if rest, ok := strings.CutPrefix(p, "~/"); ok {
				p = filepath.Join(home, rest)
			}
			all = append(all, setting{key, p})
		}
	}
	slices.SortFunc(all, func(a, b setting) int { return strings.Compare(a.key+a.name, b.key+b.name) })
	return all
}

// hostsOf are hosts on other machines that hob needs and a restore does not ask.
func hostsOf(s *app.Environment) (all []string) {
	addresses := []string{s.Web.Search}
	for _, srv := range s.MCP {
		addresses = append(addresses, srv.URL)
	}
	if s.BotTokenFile.Path != "" {
		addresses = append(addresses, s.Telegram.APIBase)
	}
	for _, a := range addresses {
		u, err := url.Parse(a)
		if err != nil || u.Host == "" || slices.Contains(all, u.Host) {
			continue
		}
		if ip := net.ParseIP(u.Hostname()); ip == nil || !ip.IsLoopback() {
			all = append(all, u.Host)
		}
	}
	return all
}
