package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hob/internal/llm"
	"hob/internal/llm/ollama/ollamafake"
	"hob/internal/sandbox"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	"hob/internal/tools/files"
	"hob/internal/tools/shell"
)

// seedSearch is the tool of the page.
type seedSearch struct{}

func (t *seedSearch) Name() string {
	return "search"
}

func (t *seedSearch) Description() string {
	return "Поиск информации в файловой системе"
}

func (t *seedSearch) Parameters() map[string]interface{} {
	return map[string]interface{}{
		"type": "object",
		"properties": map[string]interface{}{
			"query": map[string]interface{}{
				"type":        "string",
				"description": "Поисковый запрос",
			},
		},
	}
}

func (t *seedSearch) Execute(ctx context.Context, params map[string]interface{}) (string, error) {
	query := params["query"].(string)
	// Выполнение поиска
	return fmt.Sprintf("Результаты поиска для: %s", query), nil
}

// rows004 are those of the registry.
func rows004() []seedRow { return append(rowsOfRegistry(), append(rowsOfFiles(), rowsOfFetch()...)...) }

func rowsOfRegistry() []seedRow {
	return []seedRow{
		{143, "Tool: Name, Description, Parameters, Execute(ctx, map)", func(w *seedWorld) {
			var tool tools.Tool = &seedSearch{}
			if text, err := tool.Execute(w.Context(), map[string]interface{}{"query": "hob"}); text != "Результаты поиска для: hob" || err != nil {
				w.Error(text, err)
			}
		}, ""},
		{144, "Registry.Register(tool) error", func(w *seedWorld) {
			registry := tools.NewRegistry()
			if err := registry.Register(&seedSearch{}); err != nil {
				w.Error(err)
			}
			if registry.Register(&seedSearch{}) == nil || registry.Register(nil) == nil {
				w.Error("the registry takes anything")
			}
		}, ""},
		{145, "Registry.ByName(name) (Tool, error)", func(w *seedWorld) {
			registry := tools.NewRegistry()
			if err := registry.Register(&seedSearch{}); err != nil {
				w.Error(err)
			}
			tool, err := registry.ByName("search")
			var missing *tools.Error
			if _, bad := registry.ByName("find"); err != nil || tool.Name() != "search" || !errors.As(bad, &missing) || missing.Code != "tool_not_found" {
				w.Error(tool, err, bad)
			}
		}, ""},
		{146, "Registry.All() []Tool", func(w *seedWorld) {
			registry := tools.NewRegistry()
			if err := errors.Join(registry.Register(&seedSearch{}), registry.Register(typedWeather())); err != nil {
				w.Error(err)
			}
			if got := fmt.Sprint(namesIn(registry.All())); got != "[get_weather search]" {
				w.Error(got)
			}
		}, ""},
		{147, "Registry.ToSchema() []llm.ToolDefinition", func(w *seedWorld) {
			registry := tools.NewRegistry()
			if err := registry.Register(&seedSearch{}); err != nil {
				w.Error(err)
			}
			toSchema := func(r interface{ ToSchema() []llm.ToolDefinition }) []llm.ToolDefinition { return r.ToSchema() }
			schemas := toSchema(registry)
			if len(schemas) != 1 || schemas[0].Name != "search" || schemas[0].Description != "Поиск информации в файловой системе" {
				w.Error(schemas)
			}
		}, ""},
		{148, "NewRegistry()", func(w *seedWorld) {
			if all := tools.NewRegistry().All(); len(all) > 0 {
				w.Error(all)
			}
		}, ""},
		{149, "the registry is used by many at once", func(w *seedWorld) { // tests that start no hob run under the race detector
			registry := tools.NewRegistry()
			var group sync.WaitGroup
			for n := range 100 {
				group.Go(func() {
					tool := tools.New(tools.Def{Name: fmt.Sprint("tool_", n), Description: "One of many.", Capabilities: tools.Reads},
						func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
					if err := registry.Register(tool); err != nil || len(registry.All()) == 0 || len(registry.ToSchema()) == 0 {
						w.Error(err)
					}
				})
			}
			group.Wait()
			tested("internal/tools TestRegistry")(w)
		}, ""},
	}
}

func rowsOfFiles() []seedRow {
	type fileTool interface {
		ReadFile(path string) (string, error)
		WriteFile(path string, content string) error
		ListFiles(dir string) ([]string, error)
	}
	open := func(w *seedWorld) fileTool {
		var tool *files.FileTool
		tool, err := files.New(files.Config{Dir: w.TempDir()})
		if err != nil {
			w.Fatal(err)
		}
		w.Cleanup(func() { _ = tool.Close() })
		return tool
	}
	return []seedRow{
		{150, "FileTool.ReadFile(path) (string, error)", func(w *seedWorld) {
			tool := open(w)
			if err := tool.WriteFile("a.txt", "milk"); err != nil {
				w.Error(err)
			}
			if text, err := tool.ReadFile("a.txt"); text != "milk" || err != nil {
				w.Error(text, err)
			}
			if _, err := tool.ReadFile("b.txt"); err == nil {
				w.Error("there is no b.txt")
			}
		}, ""},
		{151, "FileTool.WriteFile(path, content) error", func(w *seedWorld) {
			tool := open(w)
			for _, text := range []string{"one", "two"} {
				if err := tool.WriteFile("sub/a.txt", text); err != nil {
					w.Error(err)
				}
				if got, err := tool.ReadFile("sub/a.txt"); got != text || err != nil {
					w.Error(got, err)
				}
			}
			w.run("tool", "write_file", "path=seeds/w.txt", "content=milk", "mode=overwrite")
			w.has(w.run("tool", "read_file", "seeds/w.txt"), "milk")
		}, ""},
		{152, "FileTool.ListFiles(dir) ([]string, error)", func(w *seedWorld) {
			tool := open(w)
			if err := errors.Join(tool.WriteFile("sub/a.txt", "x"), tool.WriteFile("sub/b.txt", "x")); err != nil {
				w.Error(err)
			}
			if names, err := tool.ListFiles("sub"); strings.Join(names, " ") != "a.txt b.txt" || err != nil {
				w.Error(names, err)
			}
		}, ""},
		{153, "the types FileTool, ShellTool, FetchTool", func(w *seedWorld) {
			var shellTool interface {
				ExecuteCommand(cmd string) (string, error)
			} = (*shell.ShellTool)(nil)
			for _, tool := range []any{(*files.FileTool)(nil), shellTool, (*fetch.FetchTool)(nil)} {
				w.has(fmt.Sprintf("%T", tool), "Tool")
			}
		}, ""},
		{154, "what keeps files safe", func(w *seedWorld) {
			for path, code := range map[string]string{"../a.txt": "path_traversal", "/etc/passwd": "permission_denied"} {
				out, status := w.ends("", "tool", "read_file", path, "--json")
				if w.has(out, code); status == 0 {
					w.Errorf("%s was read", path)
				}
			}
			w.run("tool", "write_file", "path=seeds/here.txt", "content=x", "mode=overwrite")
			if err := os.Symlink("/etc", filepath.Join(w.path("seeds"), "out")); err != nil {
				w.Error(err)
			}
			if out, status := w.ends("", "tool", "read_file", "seeds/out/passwd"); status == 0 || strings.Contains(out, "root:") {
				w.Error(out)
			}
		}, ""},
		{155, "read_file past the end, CRLF, append to a missing file", func(w *seedWorld) {
			if err := os.MkdirAll(w.path("seeds"), 0o700); err != nil {
				w.Error(err)
			}
			if err := os.WriteFile(w.path("seeds/crlf.txt"), []byte("one\r\ntwo\r\n"), 0o600); err != nil {
				w.Error(err)
			}
			if out := w.run("tool", "read_file", "path=seeds/crlf.txt", "--json"); !strings.Contains(out, `one\r\ntwo`) {
				w.Error(out)
			}
			w.run("tool", "read_file", "path=seeds/crlf.txt", "offset=99")
			w.run("tool", "write_file", "path=seeds/new.txt", "content=x", "mode=append")
		}, "**The bytes of a file are its own.**"},
		{156, "ShellTool.ExecuteCommand(cmd) (string, error)", func(w *seedWorld) {
			if sandbox.New(sandbox.Config{}).Tier(w.Context()) < sandbox.T4 {
				w.has(w.run("tool", "run_command", "command=echo milk", "--yes"), "milk")
			}
			tested("internal/tools/shell TestRunCommand_Success", "internal/tools/shell TestRunCommand_Network", "internal/tools/shell TestRunCommand_Errors")(w)
		}, ""},
	}
}

func rowsOfFetch() []seedRow {
	return []seedRow{
		{157, "FetchTool: url is required, and http or https", func(w *seedWorld) {
			for _, at := range []string{"ftp://example.org/a", "file:///etc/passwd"} {
				out, status := w.ends("", "tool", "fetch", at)
				if w.has(out, "only http:// and https:// addresses can be fetched", "! asks to"); status == 0 {
					w.Errorf("%s is fetched", at)
				}
			}
			out, status := w.ends("", "tool", "fetch")
			if w.has(out, "url"); status == 0 {
				w.Error("nothing is fetched")
			}
		}, ""},
		{158, "FetchTool: format is text or html, by default text", func(w *seedWorld) {
			w.has(w.run("tool", "fetch", "url="+w.page, "--yes"), "Hello", "! <p>")
			w.has(w.run("tool", "fetch", "url="+w.page, "format=html", "--yes"), "<p>Hello")
			w.run("tool", "fetch", "url="+w.page, "format=markdown", "--yes")
			out, _ := w.ends("", "tool", "fetch", "url="+w.page, "format=bogus", "--json")
			w.has(out, "invalid_value")
		}, "its formats include `markdown`"},
		{159, "FetchTool answers JSON: url, status, contentType, length, content", func(w *seedWorld) {
			w.has(w.run("tool", "fetch", "url="+w.page, "--json", "--yes"), "url", "status", "contentType", "length", "content")
			tested("internal/tools TestDocumentedTools")(w)
		}, ""},
		{160, "FetchTool removes the tags of HTML", func(w *seedWorld) {
			w.has(w.run("tool", "fetch", "url="+w.page, "--yes"), "Hello & welcome", "! alert", "! color: red", "! <b>")
		}, ""},
		{161, "FetchTool: the timeout is 30s by default", func(w *seedWorld) {
			w.has(oneLine(w.run("config", "show")), `timeout = "30s"`)
			tested("internal/tools/fetch TestFetch_TimeIsForTheWholePage")(w)
		}, ""},
		{162, "FetchTool: max_response_size is 5MB by default", func(w *seedWorld) {
			w.has(oneLine(w.run("config", "show")), `max_response_size = "5MB"`)
			tested("internal/tools/fetch TestFetch_LimitIsExact")(w)
		}, ""},
		{163, "a model calls tools", func(w *seedWorld) {
			w.says("first", "good evening") // so that the daemon runs
			w.replies(calls("list_files", `{"path":"."}`), ollamafake.Say("There is something."))
			w.has(w.run("ask", "--json", "--chat", "asked", "what is there?"), `"type":"said"`, `"type":"called"`, `"type":"returned"`, `"type":"replied"`, `"type":"ended"`)
		}, ""},
		{164, "calls follow calls", func(w *seedWorld) {
			answer := w.says("steps", "write two files and look at both",
				calls("write_file", `{"path":"steps/a.txt","content":"one","mode":"overwrite"}`), calls("write_file", `{"path":"steps/b.txt","content":"two","mode":"overwrite"}`),
				calls("read_file", `{"path":"steps/a.txt"}`), calls("list_files", `{"path":"steps"}`), ollamafake.Say("Both are there."))
			if n := strings.Count(answer, `"ok":true`); n != 4 || !strings.Contains(answer, "Both are there.") {
				w.Errorf("%d calls: %s", n, answer)
			}
			var steps []ollamafake.Step
			for range 12 {
				steps = append(steps, calls("list_files", `{"path":"steps"}`))
			}
			w.has(w.says("loops", "look again and again", steps...), `"reason":"loop"`)
		}, ""},
		{165, "a model's unknown tool, and its wrong arguments", func(w *seedWorld) {
			answer := w.says("wrong", "what is there?", calls("summon_dragon", `{}`), calls("read_file", `{}`), ollamafake.Say("Nothing."))
			w.has(answer, `"tool_name":"summon_dragon","ok":false`)
			all := w.requests()
			w.has(all[1].Messages[len(all[1].Messages)-1].Content, "read_file", "attempt 1 of 3")
			w.has(all[2].Messages[len(all[2].Messages)-1].Content, "path")
		}, ""},
		{166, "errors have a type, a code, whether to try again, a suggestion", func(w *seedWorld) {
			out, _ := w.ends("", "tool", "read_file", "seeds/nothing.txt", "--json")
			w.has(out, `"type":"not_found"`, `"code":"`, `"retryable":false`, `"suggestion":"`)
			out, _ = w.ends("", "tool", "read_file", "{}", "--json")
			w.has(out, `"type":"validation"`)
			out, _ = w.ends("", "tool", "read_file", "/etc/passwd", "--json")
			w.has(out, `"type":"permission"`)
			w.run("tool", "disable", "delete_file")
			out, _ = w.ends("", "tool", "delete_file", "seeds/w.txt", "--json")
			w.has(out, `"type":"disabled"`, `"code":"tool_disabled"`)
			w.run("tool", "enable", "delete_file")
		}, ""},
	}
}

// replies is what the model replies next, to a command that is run rather than over the API.
func (w *seedWorld) replies(steps ...ollamafake.Step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.script = steps
}
