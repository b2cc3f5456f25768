package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hob/internal/llm/catalog"
	"hob/internal/sandbox"
)

// pasted is what somebody pastes for the token of a bot.
const pasted = "4711:made-up-of-letters-and-of-no-bot\n"

// TestDocs runs every command that README.md and the pages of docs show in a console block, in order, in one home for each page. A toml
// or text block that begins with the name of a file below the home is written there when its turn comes.
func TestDocs(t *testing.T) {
	walls := sandbox.New(sandbox.Config{}).Tier(t.Context()) < sandbox.T4
	steps := regexp.MustCompile(`(?ms)^\$ ([^\n]*)$|\A# ~/(\S+)\n(.*)\z`)
	least := map[string]int{ // fewer are found where the pattern no longer fits the page
		"README.md": 7, "docs/terminal.md": 14, "docs/permissions.md": 16, "docs/configuration.md": 3, "docs/models.md": 4,
		"docs/telegram.md": 4, "docs/skills.md": 3, "docs/backup.md": 8, "docs/stories.md": 13, "docs/game.md": 25, "docs/game_exec.md": 6,
		"docs/dice.md": 4, "docs/start.md": 21, "docs/faq.md": 18, "docs/calendar.md": 1, "docs/tales.md": 15,
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		var shown [][]string
		for _, block := range blocks(string(text), "(?:console|toml|text)") {
			shown = append(shown, steps.FindAllStringSubmatch(block, -1)...)
		}
		if len(shown) == 0 && least[page] == 0 {
			continue
		}
		t.Run(page, func(t *testing.T) {
			if len(shown) < least[page] || least[page] == 0 {
				t.Errorf("%s shows %d commands, %d were expected", page, len(shown), least[page])
			}
			ollama := newFakeOllamaWith(t, catalog.Read().Propose(catalog.UsualMemory).Name).URL
			home, first := t.TempDir(), ollama
			if strings.HasPrefix(page, "docs/game") || slices.Contains([]string{"README.md", "docs/start.md", "docs/stories.md", "docs/tales.md", "docs/backup.md"}, page) {
				first = nowhereToAsk // these pages say that they need no model
			}
			shell := newShell(t, home, first)
			if page != "README.md" && page != "docs/start.md" { // these begin with nothing
				shell("mkdir -p notes && hob tool write_file path=notes/welcome.md content=hello")
			}
			for _, m := range shown {
				switch {
				case m[2] != "":
					file := filepath.Join(home, m[2])
					if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(m[3]), 0o600)); err != nil {
						t.Fatal(err)
					}
				case strings.HasPrefix(m[1], "hob sandbox") && !walls: // without any, it says so and fails
				case strings.HasPrefix(m[1], "hob model pull"): // from here on the page has a model
					shell = newShell(t, home, ollama)
					shell(m[1])
				default:
					shell(m[1])
				}
			}
		})
	}
}

// newShell returns a function that runs a command in a home, with hob on the PATH and Ollama at an address.
func newShell(t *testing.T, home, ollama string) func(command string) {
	t.Helper()
	if err := os.Symlink(os.Args[0], filepath.Join(home, "hob")); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	env := []string{"HOB_TEST_MAIN=1", "HOME=" + home, "OLLAMA_HOST=" + ollama, "PATH=" + home + ":" + os.Getenv("PATH")}
	return func(command string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Env, cmd.Dir = slices.Clone(env), home
		if strings.HasPrefix(command, "install ") {
			cmd.Stdin = strings.NewReader(pasted)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

// TestREADME looks up every make target that README.md names, and keeps the page short.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 150 {
		t.Errorf("README.md has %d lines, not at most 150: what is not for a first look belongs into docs", lines)
	}
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`make ([a-z]+)`).FindAllStringSubmatch(string(text), -1) {
		if !regexp.MustCompile(`(?m)^[a-z ]*\b` + m[1] + `\b[a-z ]*:`).Match(makefile) {
			t.Errorf("README.md says make %s, which the Makefile does not have", m[1])
		}
	}
	ci, err := os.ReadFile(filepath.Join("..", "..", ".ci", "run"))
	if err != nil || !strings.Contains(string(ci), "make test") {
		t.Errorf("CI should run the test command of README.md: %v\n%s", err, ci)
	}
}

// pages are the files of the documentation, from the root of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	found := []string{"README.md", "CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			rel, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, rel)
		}
	}
	if len(found) < 15 {
		t.Fatalf("%d pages of documentation: is this the root of the module?", len(found))
	}
	return found
}

// blocks returns the fenced blocks of a language.
func blocks(text, language string) []string {
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// TestLinks looks up where the documentation points to within itself: files, and headings in them.
func TestLinks(t *testing.T) {
	links, odd := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`), regexp.MustCompile(`[^a-z0-9 _-]`)
	headings := regexp.MustCompile("(?m)^#+ (.*)$")
	for _, page := range pages(t) {
		from := filepath.Join("..", "..", page)
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			to := from
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(from), m[1])
			}
			there, err := os.ReadFile(to)
			found := m[2] == ""
			for _, h := range headings.FindAllStringSubmatch(string(there), -1) {
				found = found || strings.ReplaceAll(odd.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == m[2]
			}
			if err != nil || !found {
				t.Errorf("%s points to %s, which is not there: %v", page, m[0], err)
			}
		}
	}
}
