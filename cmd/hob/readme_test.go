package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hob/internal/sandbox"
)

// TestREADME runs every command that README.md shows in a console block, in order, in one home, and looks up every make
// target that it shows in a shell block.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	fake := newFakeOllama(t)
	home := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(home, "hob")); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOB_TEST_MAIN=1", "HOME=" + home, "OLLAMA_HOST=" + fake.URL, "PATH=" + home + ":" + os.Getenv("PATH")}
	shell := func(command string) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Env, cmd.Dir = env, home
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	shell("mkdir -p notes && hob tool write_file path=notes/welcome.md content=hello")
	commands := regexp.MustCompile(`(?m)^\$ (.*)$`)
	walls := sandbox.New(sandbox.Config{}).Tier(t.Context()) < sandbox.T4
	ran := 0
	for _, block := range blocks(string(text), "console") {
		for _, m := range commands.FindAllStringSubmatch(block, -1) {
			if ran++; walls || !strings.HasPrefix(m[1], "hob sandbox") { // without any, it says so and fails
				shell(m[1])
			}
		}
	}
	if ran < 10 {
		t.Errorf("README.md shows %d commands: were they found?", ran)
	}
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`make ([a-z]+)`).FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("README.md says make %s, which the Makefile does not have", m[1])
		}
	}
	ci, err := os.ReadFile(filepath.Join("..", "..", ".ci", "run"))
	if err != nil || !strings.Contains(string(ci), "make test") {
		t.Errorf("CI should run what README.md tells people to run: %v\n%s", err, ci)
	}
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
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of documentation, %v", len(files), err)
	}
	links, odd := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`), regexp.MustCompile(`[^a-z0-9 _-]`)
	headings := regexp.MustCompile("(?m)^#+ (.*)$")
	for _, from := range append(files, filepath.Join(root, "README.md")) {
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
				t.Errorf("%s points to %s, which is not there: %v", filepath.Base(from), m[0], err)
			}
		}
	}
}
