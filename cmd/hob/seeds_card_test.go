package main

import (
	"os"
	"path/filepath"
	"strings"
)

// repository is where a file of this repository is.
func repository(name string) string { return filepath.Join("..", "..", name) }

// text is that of a file of this repository.
func (w *seedWorld) text(name string) string {
	w.Helper()
	text, err := os.ReadFile(repository(name))
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// rowsOfCard are those of the design card.
func rowsOfCard() []seedRow {
	return []seedRow{
		{167, "ollama/api for the model", func(w *seedWorld) {
			w.has(w.text("go.mod"), "github.com/ollama/ollama ")
			w.has(w.text("internal/llm/ollama/ollama.go"), `"github.com/ollama/ollama/api"`, "*api.Client")
		}, "hob writes and reads its chats with the model itself"},
		{168, "telegram-bot-api/v5 for Telegram", func(w *seedWorld) {
			w.has(w.text("go.mod"), "github.com/go-telegram-bot-api/telegram-bot-api/v5 ")
			w.imported("internal/surface/telegram/client", "github.com/go-telegram-bot-api/telegram-bot-api/v5")
		}, ""},
		{169, "goquery in fetch", func(w *seedWorld) { w.imported("internal/tools/fetch", "github.com/PuerkitoBio/goquery") }, ""},
		{170, "BurntSushi/toml for the configuration", func(w *seedWorld) {
			w.imported("internal/tomlfile", "github.com/BurntSushi/toml")
			w.imported("internal/config", "hob/internal/tomlfile")
			w.run("--config", repository("config.toml.example"), "config", "check")
		}, ""},
		{171, "the layout", func(w *seedWorld) {
			for _, name := range []string{"go.mod", "cmd/hob/main.go", "internal/agent", "internal/llm", "internal/tools", "internal/skills", "config.toml.example", "systemd/hob.service", "README.md"} {
				if _, err := os.Stat(repository(name)); err != nil {
					w.Error(err)
				}
			}
		}, ""},
		{172, "the daemon: hob serve", tested("cmd/hob TestServe_StartsAlone", "cmd/hob TestServe_Reloads", "cmd/hob TestServe_EndsBetweenTwoCalls"), ""},
		{173, "systemd's units", func(w *seedWorld) {
			w.has(w.text("systemd/hob.service"), "ExecStart=", "serve", "Restart=")
			tested("cmd/hob TestUnits_LetHobWork")(w)
		}, ""},
		{174, "over Telegram: a message, a tool, an answer", tested("cmd/hob TestServe_OnTelegram"), ""},
		{175, "the game master's tools are a skill", func(w *seedWorld) {
			w.has(w.run("skill", "show", "gamemaster"), "move_object", "generate_zone", "map_generate")
			if n := strings.Count(w.run("game", "tools"), "ENABLED"); n < 49 {
				w.Errorf("there are %d tools of the game", n)
			}
		}, ""},
		{176, "the command line", func(w *seedWorld) {
			w.has(w.run("--help"), "serve", "ask", "chat", "tool", "skill", "log", "undo", "game", "status", "config", "model", "audit")
			w.run("tool", "disable", "fetch")
			defer w.run("tool", "enable", "fetch")
			for _, c := range []struct {
				status int
				args   []string
			}{{0, []string{"version"}}, {1, []string{"tool", "read_file", "seeds/nothing.txt"}}, {2, []string{"dance"}}, {4, []string{"tool", "fetch", "http://example.org/"}}} {
				if out, status := w.ends("", c.args...); status != c.status {
					w.Errorf("hob %q ends with %d: %s", c.args, status, out)
				}
			}
			w.Setenv("HOB_STATE_DIR", w.TempDir())
			w.Setenv("OLLAMA_HOST", nowhereToAsk)
			if out, status := w.ends("", "ask", "hello"); status != 3 {
				w.Errorf("without a model hob ask ends with %d: %s", status, out)
			}
		}, ""},
	}
}

// imported looks for an import among the files of a folder.
func (w *seedWorld) imported(dir, path string) {
	w.Helper()
	sources, err := filepath.Glob(filepath.Join(repository(dir), "*.go"))
	if err != nil {
		w.Fatal(err)
	}
	for _, source := range sources {
		if text, err := os.ReadFile(source); err == nil && strings.Contains(string(text), `"`+path+`"`) && !strings.HasSuffix(source, "_test.go") {
			return
		}
	}
	w.Errorf("%s does not import %s", dir, path)
}
