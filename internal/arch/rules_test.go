package arch

import (
	"strings"
	"testing"
	"testing/fstest"
)

// The rules themselves are proven on small sources that break them.
func TestRulesFindWhatTheyLookFor(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		rule             func(source) []string
		want             string
	}{
		{"a foreign arrow", "internal/llm/a.go", "package llm\nimport _ \"hob/internal/tools\"\n", badImports, "llm may not import tools"},
		{"an arrow in the table", "internal/event/a.go", "package event\nimport _ \"hob/internal/llm\"\n", badImports, ""},
		{"a map", "internal/llm/a.go", "package llm\nvar m = map[string]int{}\n", packageState, "package variable m"},
		{"a bare variable", "internal/llm/a.go", "package llm\nvar n int\n", packageState, "package variable n"},
		{"a sentinel", "internal/llm/a.go", "package llm\nvar ErrX = errors.New(\"x\")\n", packageState, ""},
		{"a value that is made once", "internal/llm/a.go", "package llm\nvar m = sync.OnceValue(func() map[string]int { return nil })\n", packageState, ""},
		{"an expression that is compiled at each start", "internal/llm/a.go", "package llm\nvar re = regexp.MustCompile(`a`)\n", packageState, "package variable re"},
		{"an embedded file", "internal/llm/a.go", "package llm\n//go:embed a.md\nvar a string\n", packageState, ""},
		{"an initialiser that runs code", "internal/llm/a.go", "package llm\nvar _ = early()\n", packageState, "package variable _"},
		{"the one that may", earlyStart, "package inside\nvar _ = early()\n", packageState, ""},
		{"what the linker sets", linkerSet, "package main\nvar stamp string\n", packageState, ""},
		{"another beside it", linkerSet, "package main\nvar n int\n", packageState, "package variable n"},
		{"a check of an interface", "internal/llm/a.go", "package llm\nvar _ io.Reader = (*r)(nil)\n", packageState, ""},
		{"an init", "internal/llm/a.go", "package llm\nfunc init() {}\n", packageState, "func init"},
		{"a context of its own", "internal/llm/a.go", "package llm\nvar _ = context.Background()\n", makesContext, "context.Background"},
		{"a context in main", "cmd/hob/a.go", "package main\nvar _ = context.Background()\n", makesContext, ""},
		{"a surface", "internal/session/a.go", "package session\nvar _ = p.Platform != \"cli\"\n", namesSurface, "names a surface: cli"},
		{"the scheme of a surface", "internal/skills/x/a.go", "package x\nvar _ = \"http\" == p.Platform\n", namesSurface, "names a surface: http"},
		{"a chat's name", "internal/session/a.go", "package session\nvar _ = HasPrefix(name, \"telegram/-\")\n", namesSurface, "telegram/-"},
		{"platforms that are declared", "internal/tools/a.go", "package tools\nvar _ = Def{Platforms: []string{\"telegram\"}}\n", namesSurface, ""},
		{"a scheme", "internal/policy/a.go", "package policy\nvar _ = u.Scheme == \"http\"\n", namesSurface, ""},
		{"a surface in itself", "internal/surface/cli/a.go", "package cli\nvar _ = \"cli\"\n", namesSurface, ""},
		{"a comment of an old name", "internal/llm/a.go", "package llm\n// wait returns.\nfunc await() {}\n", docNames, "await begins with wait"},
		{"a sentence for a type", "internal/llm/a.go", "package llm\n// Source is one.\ntype source int\n", docNames, "source begins with Source"},
		{"an article", "internal/llm/a.go", "package llm\n// A source is one.\ntype source int\n", docNames, ""},
		{"a constant of another name", "internal/llm/a.go", "package llm\n// most is it.\nconst least = 1\n", docNames, "least begins with most"},
		{"a sentence for a constant", "internal/llm/a.go", "package llm\n// Nobody waits longer.\nconst most = 1\n", docNames, ""},
		{"a sentence for a test", "internal/llm/a_test.go", "package llm\n// hob waits.\nfunc TestWait() {}\n", docNames, ""},
		{"a helper of a test", "internal/llm/a_test.go", "package llm\n// run runs.\nfunc play() {}\n", docNames, "play begins with run"},
		{"a sleep", "internal/llm/a_test.go", "package llm\nfunc f() { time." + "Sleep(1) }\n", sleeps, "time.Sleep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources := parse(t, fstest.MapFS{c.path: {Data: []byte(c.text)}})
			got := strings.Join(c.rule(sources[0]), "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
