package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hob/internal/surface/telegram/telegramtest"
)

// pairingCodeIn finds the code that a person sends to the bot.
var pairingCodeIn = regexp.MustCompile(`(?m)^    ([0-9A-Z]{4}-[0-9A-Z]{4})\s*$`)

// With every default setup ends well, and what it wrote is a configuration that hob takes. What a flag says is not asked.
func TestSetup_Defaults(t *testing.T) {
	h := newHouse(t, newFakeOllama(t).URL)
	cmd := h.command("setup")
	d := startAtTerminal(t, cmd)
	for _, question := range []string{"Which model?", "Your time zone?", "Token (Enter: without Telegram)", "Service?"} {
		d.until(question)
		d.say("\r")
	}
	d.until("0 failed")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, d.screen)
	}
	h.checkConfig()
	if text := h.readConfig(); !strings.Contains(text, "model = \"fake:1b\"") {
		t.Errorf("the configuration is\n%s", text)
	}

	out, err := h.command("setup", "--model", "none", "--zone", "Etc/UTC", "--token-file", "none", "--service", "none", "--yes", "--json").Output()
	if err != nil || !strings.HasPrefix(string(out), `{"ok":true,"checks":[{"name":"configuration","state":"ok",`) {
		t.Errorf("%v: %s", err, out)
	}
}

// Where no Ollama answers, Enter tries once more, and then goes on without a model.
func TestSetup_DefaultsWithoutOllama(t *testing.T) {
	h := newHouse(t, "http://127.0.0.1:1")
	cmd := h.command("setup")
	d := startAtTerminal(t, cmd)
	for _, question := range []string{"Address of Ollama [try again]", "Address of Ollama [none]", "Your time zone?", "Token (Enter: without Telegram)", "Service?"} {
		d.until(question)
		d.say("\r")
	}
	d.until("none: chores work in plain words")
	d.until("0 failed")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, d.screen)
	}
	h.checkConfig()
}

// Ctrl-C at each question leaves a configuration that works, with what was answered before.
func TestSetup_CtrlC(t *testing.T) {
	questions := []string{"Which model?", "Your time zone?", "Token (Enter: without Telegram)", "Service?"}
	for n, last := range questions {
		h := newHouse(t, newFakeOllama(t).URL)
		cmd := h.command("setup")
		d := startAtTerminal(t, cmd)
		for _, question := range questions[:n] {
			d.until(question)
			d.say("\r")
		}
		d.until(last)
		d.say("\x03")
		d.until("what was set stays, and hob setup begins again")
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 4 {
			t.Errorf("Ctrl-C at %q: %v", last, err)
		}
		h.checkConfig()
		if set := strings.Contains(h.readConfig(), "fake:1b"); set != (n > 0) {
			t.Errorf("after Ctrl-C at %q the model is set: %v", last, set)
		}
	}
}

// A token is typed unseen, tried, and kept for this person alone. A wrong one is asked for again, and leaves nothing.
func TestSetup_Token(t *testing.T) {
	api := telegramtest.New(telegramtest.Options{})
	base := httptest.NewServer(api)
	defer base.Close()
	h := newHouse(t, newFakeOllama(t).URL)
	h.configure(fmt.Sprintf("# mine\n[telegram]\napi_base = %q\n", base.URL))
	cmd := h.command("setup", "--model", "none", "--zone", "Etc/UTC", "--service", "none")
	d := startAtTerminal(t, cmd)
	d.until("Token (Enter: without Telegram)")
	d.say("1:AAwrong-wrong-wrong-wrong-wrong-wrong\r")
	d.until("Once more")
	d.until("Token (Enter: without Telegram)")
	d.say(api.Token() + "\r")
	d.until("Send this to")
	file := filepath.Join(filepath.Dir(h.config), "telegram_token")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the token: %v, %v", info, err)
	}
	if text, _ := os.ReadFile(file); strings.TrimSpace(string(text)) != api.Token() {
		t.Errorf("the file holds %q", text)
	}
	if text := h.readConfig(); !strings.Contains(text, "# mine\n") || !strings.Contains(text, fmt.Sprintf("token_file = %q", file)) || strings.Contains(text, api.Token()) {
		t.Errorf("the configuration is\n%s", text)
	}
	d.until("Waiting for it")
	if said := d.seen.String(); strings.Contains(said, "nobody reads") || !strings.Contains(said, "Send this to @hob_bot") {
		t.Errorf("the bot was not read before the code was shown:\n%s", d.screen)
	}
	code := pairingCodeIn.FindStringSubmatch(d.seen.String())
	if code == nil {
		t.Fatalf("there is no code in\n%s", d.screen)
	}
	api.Private(api.User(7, "Ada")).Say(api.User(7, "Ada"), code[1])
	d.until("you are in: a message of yours has come")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, d.screen)
	}
	for _, secret := range []string{api.Token(), "AAwrong"} {
		if strings.Contains(d.seen.String(), secret) {
			t.Errorf("the terminal shows %q", secret)
		}
	}
}

// Each fault is one check that failed, or wrong usage, with a sentence that says what to do; and never a file that hob refuses.
func TestSetup_Faults(t *testing.T) {
	api := telegramtest.New(telegramtest.Options{})
	base := httptest.NewServer(api)
	defer base.Close()
	ollama := newFakeOllama(t).URL
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("systemctl", "#!/bin/sh\necho Failed to connect to bus\nexit 1\n", 0o755)
	telegram := fmt.Sprintf("[telegram]\napi_base = %q\n", base.URL)
	nowhere := "[telegram]\napi_base = \"http://127.0.0.1:1\"\n"
	quiet := []string{"--model", "none", "--service", "none", "--token-file", "none"}
	for name, c := range map[string]struct {
		config string
		args   []string
		status int
		want   string
	}{
		"nobody can be asked":        {"", []string{"setup"}, 2, "nobody can be asked here: --yes takes the defaults"},
		"no such service":            {"", []string{"--service", "cron"}, 2, "--service cron: it is user, system or none"},
		"no such zone":               {"", []string{"--model", "none", "--zone", "Mars/Base"}, 2, "there is no such time zone"},
		"a zone by its city":         {"", append(quiet, "--zone", "tokyo"), 0, "Asia/Tokyo: it is "},
		"another zone":               {"", append(quiet, "--zone", "Asia/Kathmandu"), 0, "Asia/Kathmandu: it is "},
		"the zone of before":         {"[time]\nzone = \"Asia/Kathmandu\"\n", quiet, 0, "Asia/Kathmandu: it is "},
		"another than before":        {"[time]\nzone = \"Asia/Kathmandu\"\n", append(quiet, "--zone", "Etc/UTC"), 0, "Etc/UTC: it is "},
		"no address":                 {"", []string{"--ollama", "ftp://x"}, 2, "--ollama: "},
		"no Ollama":                  {"", []string{"--ollama", "http://127.0.0.1:1"}, 0, "Ollama does not answer at http://127.0.0.1:1"},
		"no such model":              {"", []string{"--model", "nosuch:1b"}, 1, "hob model pull nosuch:1b"},
		"no name of a model":         {"", []string{"--model", "two words"}, 1, "hob model"},
		"a broken configuration":     {"[shell\n", quiet, 1, "hob config edit"},
		"a wrong value":              {"[shell]\ntimeout = 5\n", quiet, 1, "[shell] timeout"},
		"no token file":              {telegram, []string{"--model", "none", "--token-file", filepath.Join(dir, "nosuch")}, 1, "there is no file"},
		"a token for all to read":    {telegram, []string{"--model", "none", "--token-file", write("open", api.Token(), 0o644)}, 1, "is open to other users"},
		"a file without a token":     {telegram, []string{"--model", "none", "--token-file", write("words", "my token", 0o600)}, 1, "is no token"},
		"a token of no bot":          {telegram, []string{"--model", "none", "--token-file", write("wrong", "1:AAwrong-wrong-wrong-wrong-wrong-wrong", 0o600)}, 1, "does not know the bot's token"},
		"no Telegram":                {nowhere, []string{"--model", "none", "--token-file", write("right", api.Token(), 0o600)}, 1, "look after the network"},
		"no unit":                    {"", []string{"--model", "none", "--token-file", "none", "--service", "user"}, 1, "make install, also with PREFIX=~/.local, puts it there"},
		"a token, and nobody paired": {telegram, []string{"--model", "none", "--service", "none", "--token-file", write("good", api.Token(), 0o600)}, 0, "nobody may talk to hob over Telegram yet"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, ollama)
			if c.config != "" {
				h.configure(c.config)
			}
			args := c.args
			if args[0] != "setup" {
				args = append([]string{"setup", "--yes"}, args...)
			}
			cmd := h.command(args...)
			cmd.Env = append(cmd.Env, "PATH="+dir)
			out, _ := cmd.CombinedOutput()
			if status := cmd.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(out), c.want) {
				t.Errorf("status %d, want %d and %q:\n%s", status, c.status, c.want, out)
			}
			if strings.Contains(string(out), api.Token()) {
				t.Errorf("it shows the token:\n%s", out)
			}
			if !strings.Contains(name, "configuration") && !strings.Contains(name, "value") {
				h.checkConfig()
			}
		})
	}
}

func (h *house) readConfig() string {
	h.t.Helper()
	text, err := os.ReadFile(h.config)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// checkConfig says that hob takes the configuration.
func (h *house) checkConfig() {
	h.t.Helper()
	if out, err := h.command("config", "check").CombinedOutput(); err != nil {
		h.t.Errorf("hob config check: %v\n%s\n%s", err, out, h.readConfig())
	}
}
