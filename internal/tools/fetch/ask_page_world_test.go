package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// askWorld is a web whose pages a model reads that does what they say.
type askWorld struct {
	*fetchWorld

	ask   tools.Tool
	mu    sync.Mutex
	asked []fetch.PageQuestion
}

// newAskWorld makes a world of pages, with models that answer one after the other, the last for ever. Without one the model
// is obedient: it answers with what stands on the page after "ANSWER: ".
func newAskWorld(t *testing.T, pages map[string]string, models []fetch.Asker, adjust ...func(*fetch.Config)) *askWorld {
	t.Helper()
	handlers := map[string]http.HandlerFunc{}
	for path, page := range pages {
		kind := "text/plain; charset=utf-8"
		if strings.HasPrefix(page, "<") {
			kind = "text/html; charset=utf-8"
		}
		handlers[path] = fetchSends(kind, page)
	}
	w := &askWorld{fetchWorld: newFetchWorld(t, handlers, adjust...)}
	if len(models) == 0 {
		models = []fetch.Asker{obey}
	}
	w.ask = fetch.NewAskPage(w.pages, func(ctx context.Context, q fetch.PageQuestion) (json.RawMessage, error) {
		w.mu.Lock()
		n := len(w.asked)
		w.asked = append(w.asked, q)
		w.mu.Unlock()
		return models[min(n, len(models)-1)](ctx, q)
	})
	return w
}

// obey answers with what stands after "ANSWER: ", to the end of that line.
func obey(_ context.Context, q fetch.PageQuestion) (json.RawMessage, error) {
	_, answer, ok := strings.Cut(q.Text, "ANSWER: ")
	if !ok {
		return nil, errors.New("the page gives no order")
	}
	answer, _, _ = strings.Cut(answer, "\n")
	return json.RawMessage(answer), nil
}

func says(answer string) fetch.Asker {
	return func(context.Context, fetch.PageQuestion) (json.RawMessage, error) {
		return json.RawMessage(answer), nil
	}
}

// about calls ask_page.
func (w *askWorld) about(path, schema string) (tools.Result, error) {
	w.t.Helper()
	args := map[string]any{"url": w.at(path), "question": "What does it cost?"}
	if schema != "" {
		args["schema"] = json.RawMessage(schema)
	}
	raw, err := json.Marshal(args)
	if err != nil {
		w.t.Fatal(err)
	}
	return tools.Call(w.t.Context(), w.ask, raw)
}

// clean is the label of an answer that holds no words of strangers.
func clean() event.Label { return event.Label{Source: "web:page.lan"} }

func stranger() event.Label { return event.Label{Source: "web:page.lan", Untrusted: true} }
