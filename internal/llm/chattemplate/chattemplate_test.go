package chattemplate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// The templates in testdata are hob's own words around the conditions of public ones. Each says where its conditions were
// read.
func TestRead(t *testing.T) {
	const chain, all, none = llm.KeepChain, llm.KeepAll, llm.KeepNone
	want := map[string]Facts{
		"llama3":            {Tools: LastUser, System: Always, Calls: true, Results: true, Thinking: none},
		"devstral":          {Tools: LastUser, System: Always, Calls: true, Results: true, Thinking: none, WordsHideCalls: true},
		"mistral":           {Tools: LastUser, System: LastUser, Calls: true, Results: true, Thinking: none, WordsHideCalls: true},
		"ministral":         {Tools: Moves, System: Always, Calls: true, Results: true, Thinking: all},
		"qwen2.5":           {Tools: Always, System: Always, Calls: true, Results: true, Thinking: none, WordsHideCalls: true},
		"qwen3":             {Tools: Always, System: Always, Calls: true, Results: true, Thinking: chain, WordsHideCalls: true},
		"gpt-oss":           {Tools: Always, System: Always, Calls: true, Results: true, Thinking: chain},
		"granite":           {Tools: Always, System: Always, Calls: true, Results: true, Thinking: none},
		"phi4-mini":         {Tools: Always, System: Always, Calls: true, Results: true, Thinking: none},
		"granite3.2-vision": {Tools: Always, System: Always, Thinking: none},
		"llama4":            {Tools: Never, System: Always, Thinking: none}, // it fails where there are tools
		"olmo2":             {Tools: Never, System: Always, Results: true, Thinking: none},
		"gemma3":            {Tools: Never, System: Always, Thinking: none},
		"deepseek-r1":       {Tools: Never, System: Always, Thinking: none},
	}
	got := map[string]Facts{}
	for name, text := range templates(t) {
		if !strings.HasPrefix(text, "{{- /* ") || !strings.Contains(text, "github.com/") && !strings.Contains(text, "huggingface.js") {
			t.Errorf("%s does not say where its conditions were read", name)
		}
		facts, err := Read(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if facts.NamesTools != strings.Contains(text, ".Tools") {
			t.Errorf("%s: names tools: %t", name, facts.NamesTools)
		}
		facts.NamesTools = false
		got[name] = facts
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// templates returns the templates in testdata by their names.
func templates(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.gotmpl")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no templates: %v", err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".gotmpl")] = string(text)
	}
	return all
}

// A condition counts by what it does, however it is written.
func TestRead_Conditions(t *testing.T) {
	const body = `{{ if eq .Role "tool" }}{{ .Content }}{{ else }}{{ .Content }}{{ range .ToolCalls }}{{ .Function.Arguments }}{{ end }}{{ end }}`
	for name, c := range map[string]struct {
		template string
		tools    Presence
		system   Presence
	}{
		"in front":            {`{{ .System }}{{ .Tools }}{{ range .Messages }}` + body + `{{ end }}`, Always, Always},
		"behind":              {`{{ range .Messages }}` + body + `{{ end }}{{ .Tools }}`, Moves, Always},
		"by names alone":      {`{{ range .Tools }}{{ .Function.Name }} {{ end }}{{ range .Messages }}` + body + `{{ end }}`, Always, Always},
		"not the last":        {`{{ range $i, $t := .Tools }}{{ if lt $i 2 }}{{ $t.Function.Name }} {{ end }}{{ end }}{{ range .Messages }}` + body + `{{ end }}`, Never, Always},
		"with the role":       {`{{ $role := "" }}{{ range .Messages }}{{ $role = .Role }}{{ end }}{{ if eq $role "user" }}{{ .Tools }}{{ end }}{{ range .Messages }}` + body + `{{ end }}`, LastUser, Always},
		"not a tool's":        {`{{ $role := "" }}{{ range .Messages }}{{ $role = .Role }}{{ end }}{{ if ne $role "tool" }}{{ .Tools }}{{ end }}{{ range .Messages }}` + body + `{{ end }}`, LastUser, Always},
		"with few messages":   {`{{ if and .Tools (lt (len .Messages) 3) }}{{ .Tools }}{{ end }}{{ range .Messages }}` + body + `{{ end }}`, Never, Always},
		"in a part":           {`{{ define "part" }}{{ .Tools }}{{ end }}{{ template "part" . }}{{ range .Messages }}` + body + `{{ end }}`, Always, Always},
		"no system":           {`{{ .Tools }}{{ range .Messages }}{{ if ne .Role "system" }}` + body + `{{ end }}{{ end }}`, Always, Never},
		"system with tools":   {`{{ .Tools }}{{ if .Tools }}{{ .System }}{{ end }}{{ range .Messages }}{{ if ne .Role "system" }}` + body + `{{ end }}{{ end }}`, Always, Never},
		"system at the end":   {`{{ .Tools }}{{ range .Messages }}{{ if ne .Role "system" }}` + body + `{{ end }}{{ end }}{{ .System }}`, Always, Moves},
		"without messages":    {`{{ .System }}{{ .Prompt }}{{ .Response }}`, Never, Always},
		"without system text": {`{{ .Prompt }}{{ .Response }}`, Never, Never},
	} {
		facts, err := Read(c.template)
		if err != nil || facts.Tools != c.tools || facts.System != c.system {
			t.Errorf("%s: tools %q, system %q, %v; want %q, %q", name, facts.Tools, facts.System, err, c.tools, c.system)
		}
	}
}

// A template comes from anywhere: none takes long, and none is believed that cannot be read.
func TestRead_Refuses(t *testing.T) {
	for name, c := range map[string]struct{ template, want string }{
		"Jinja":            {"{%- for message in messages %}{{ message['content'] }}{% endfor %}", "read chat template: it is not in the language of Ollama's templates"},
		"nothing":          {"", "read chat template: it has no place for messages"},
		"no words":         {"{{ range .Messages }}{{ end }}", "read chat template: it cannot print a conversation"},
		"unknown function": {"{{ range .Messages }}{{ shell .Content }}{{ end }}", "read chat template: it is not in the language of Ollama's templates"},
		"long loop":        {"{{ range .Messages }}{{ .Content }}{{ end }}{{ range 1000000000 }}{{ end }}", "read chat template: it does not come to an end"},
		"nested loops":     {strings.Repeat("{{ range $.Messages }}", 60) + "{{ .Content }}" + strings.Repeat("{{ end }}", 60), "read chat template: it does not come to an end"},
		"steps taken back": {`{{ range .Messages }}{{ .Content }}{{ end }}{{ range 100000000 }}{{ hobCountSteps -9 }}{{ end }}`, "read chat template: it does not come to an end"},
		"recursion":        {`{{ define "a" }}{{ template "a" . }}{{ template "a" . }}{{ end }}{{ range .Messages }}{{ template "a" . }}{{ end }}`, "read chat template: it does not come to an end"},
		"long text":        {`{{ $x := "0123456789" }}{{ range 100 }}{{ $x = print $x $x }}{{ end }}{{ range .Messages }}{{ .Content }}{{ end }}`, "read chat template: it prints more than any prompt needs"},
		"long output":      {`{{ $x := printf "%60000d" 1 }}{{ range 100 }}{{ $x }}{{ end }}{{ range .Messages }}{{ .Content }}{{ end }}`, "read chat template: it prints more than any prompt needs"},
		"long template":    {strings.Repeat("x", maxText) + "{{ .Messages }}", "read chat template: it has more than 131072 bytes"},
		"html":             {`{{ range .Messages }}{{ html .Content }}{{ end }}`, "read chat template: it cannot print a conversation"},
	} {
		if facts, err := Read(c.template); err == nil || err.Error() != c.want {
			t.Errorf("%s: %+v, %v; want %s", name, facts, err, c.want)
		}
	}
}

func TestHasToolTurns(t *testing.T) {
	var got []string
	for _, presence := range []Presence{Always, Moves, LastUser, Never} {
		f := Facts{Tools: presence, Calls: true, Results: true}
		if f.HasToolTurns() {
			got = append(got, string(presence))
		}
		for _, lacking := range []Facts{{Tools: presence, Calls: true}, {Tools: presence, Results: true}} {
			if lacking.HasToolTurns() {
				t.Errorf("%+v", lacking)
			}
		}
	}
	if want := []string{"always", "moves"}; !slices.Equal(want, got) {
		t.Errorf("got %q, want %q", got, want)
	}
}
