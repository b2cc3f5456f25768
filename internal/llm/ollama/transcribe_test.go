package ollama_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hob/internal/llm"
	"hob/internal/llm/ollama"
)

// hears is a server that writes down recordings.
func hears(t *testing.T, status int, answer string) (*ollama.Client, *string) {
	t.Helper()
	var asked string
	mux := http.NewServeMux()
	mux.HandleFunc("/api/version", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"version":"0.34.4"}`) })
	mux.HandleFunc("/api/show", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"capabilities":["completion","audio"]}`) })
	mux.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, r *http.Request) {
		file, head, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		raw, err := io.ReadAll(file)
		if err != nil {
			t.Error(err)
		}
		asked = r.FormValue("model") + " " + r.FormValue("response_format") + " " + head.Filename + " " + string(raw)
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	c, err := ollama.New(ollama.Config{Hosts: []string{s.URL}, Model: "gemma4:e4b", Transport: s.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	return c, &asked
}

func TestTranscribe(t *testing.T) {
	c, asked := hears(t, http.StatusOK, `{"text":" buy milk \n"}`)
	words, err := c.Transcribe(t.Context(), "voice.wav", []byte("RIFF"))
	if words != "buy milk" || err != nil || *asked != "gemma4:e4b json voice.wav RIFF" {
		t.Errorf("%q, %v, asked %q", words, err, *asked)
	}
	for _, bad := range []struct {
		status int
		answer string
		want   string
	}{
		{http.StatusBadRequest, `{"error":{"message":"audio file is empty"}}`, "audio file is empty"},
		{http.StatusNotFound, `{"error":{"message":"model 'gemma4:e4b' not found"}}`, "gemma4:e4b"},
		{http.StatusNotFound, `404 page not found`, "404"},
		{http.StatusOK, `<html>`, "does not speak as Ollama does"},
	} {
		c, _ := hears(t, bad.status, bad.answer)
		words, err := c.Transcribe(t.Context(), "voice.wav", []byte("RIFF"))
		if err == nil || words != "" || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%d %s: %q, %v", bad.status, bad.answer, words, err)
		}
		if llm.KindOf(err) == "" {
			t.Errorf("%v has no kind", err)
		}
	}
}
