package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"hob/internal/egress"
	"hob/internal/llm"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	"hob/internal/tools/files"
	"hob/internal/tools/shell"
)

// The document of the registry, as it stands there: its interfaces, its types by their names, its example.

type (
	documentTool interface {
		Name() string
		Description() string
		Parameters() map[string]interface{}
		Execute(ctx context.Context, params map[string]interface{}) (string, error)
	}
	documentRegistry interface {
		Register(tool tools.Tool) error
		ByName(name string) (tools.Tool, error)
		All() []tools.Tool
		ToSchema() []llm.ToolDefinition
	}
	documentFileTool interface {
		ReadFile(path string) (string, error)
		WriteFile(path string, content string) error
		ListFiles(dir string) ([]string, error)
	}
	documentShellTool interface {
		ExecuteCommand(cmd string) (string, error)
	}
)

var (
	_ documentTool      = tools.Tool(nil) // neither has a method
	_ tools.Tool        = documentTool(nil)
	_ documentTool      = (*SearchTool)(nil) // that the other has not
	_ documentRegistry  = (*tools.Registry)(nil)
	_ documentFileTool  = (*files.FileTool)(nil)
	_ documentShellTool = (*shell.ShellTool)(nil)
	_                   = (*fetch.FetchTool)(nil)
)

type SearchTool struct{}

func (t *SearchTool) Name() string {
	return "search"
}

func (t *SearchTool) Description() string {
	return "Поиск информации в файловой системе"
}

func (t *SearchTool) Parameters() map[string]interface{} {
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

func (t *SearchTool) Execute(ctx context.Context, params map[string]interface{}) (string, error) {
	query := params["query"].(string)
	// Выполнение поиска
	return fmt.Sprintf("Результаты поиска для: %s", query), nil
}

// A tool is anything with four methods. It is registered, called and told to a model by its name.
func Example() {
	tool := &SearchTool{}
	registry := tools.NewRegistry()

	// Регистрация
	err := registry.Register(tool)
	if err != nil {
		log.Fatal(err)
	}

	// Конвертация в tool definitions для LLM
	schemas := registry.ToSchema()

	for _, schema := range schemas {
		fmt.Printf("%s: %s\n", schema.Name, schema.Description)
	}

	res, err := tools.Call(context.Background(), tool, json.RawMessage(`{"query":"hob"}`))
	fmt.Println(res.Text, err)
	// Output:
	// search: Поиск информации в файловой системе
	// Результаты поиска для: hob <nil>
}

// FileTool and FetchTool do what the document says of them. (ShellTool needs its walls: the tests of its package run it.)
func TestDocumentedTools(t *testing.T) {
	t.Run("FileTool", func(t *testing.T) {
		f, err := files.New(files.Config{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var tool documentFileTool = f
		if err := tool.WriteFile("notes/todo.md", "milk"); err != nil {
			t.Fatal(err)
		}
		text, err := tool.ReadFile("notes/todo.md")
		names, listErr := tool.ListFiles("notes")
		if text != "milk" || err != nil || !slices.Equal(names, []string{"todo.md"}) || listErr != nil {
			t.Error(text, err, names, listErr)
		}
	})
	t.Run("FetchTool", func(t *testing.T) {
		var schema struct {
			Properties map[string]struct {
				Type    string
				Enum    []string
				Default string
			}
			Required []string
		}
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html><body><p>Hello</p></body></html>")
		}))
		defer site.Close()
		at, err := url.Parse(site.URL)
		if err != nil {
			t.Fatal(err)
		}
		dialer, err := egress.New(egress.Config{Allow: []string{at.Host}})
		if err != nil {
			t.Fatal(err)
		}
		tool := fetch.New(fetch.Config{Dialer: dialer}).Tools()[0]
		raw, err := json.Marshal(tool.Parameters())
		if err == nil {
			err = json.Unmarshal(raw, &schema)
		}
		format := schema.Properties["format"]
		if err != nil || !slices.Equal(schema.Required, []string{"url"}) || schema.Properties["url"].Type != "string" ||
			!slices.Contains(format.Enum, "text") || !slices.Contains(format.Enum, "html") || format.Default != "text" {
			t.Errorf("%s, %v", raw, err)
		}
		text, err := tool.Execute(t.Context(), map[string]interface{}{"url": site.URL})
		var page map[string]any
		if err != nil || json.Unmarshal([]byte(text), &page) != nil {
			t.Fatal(text, err)
		}
		if page["content"] != "Hello" || page["status"] != 200.0 || page["length"] != 5.0 || page["contentType"] != "text/html" || page["url"] != site.URL {
			t.Error(text)
		}
	})
}
