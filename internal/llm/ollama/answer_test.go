package ollama

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"hob/internal/llm"
)

func TestReadLine(t *testing.T) {
	in := bufio.NewReaderSize(bytes.NewReader([]byte("one\n\nlonger than the buffer of sixteen\nlast")), 16)
	var got []string
	for {
		line, err := readLine(in, nil)
		got = append(got, fmt.Sprintf("%q %v", line, err))
		if err != nil {
			break
		}
	}
	want := []string{`"one\n" <nil>`, `"\n" <nil>`, `"longer than the buffer of sixteen\n" <nil>`, `"last" EOF`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// Whatever a server sends: no panic, calls with ids of their own, and a reply that the server can be sent again.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(text("hi") + "\n" + doneLine))
	f.Add([]byte(toolLine(true, `{"id":"x","function":{"name":"ls","arguments":{"a":1e999}}},{"id":"x","function":{"arguments":"{\"a\":[[]]}"}}`)))
	f.Add([]byte(toolLine(false, `{"id":"\u0000","function":{"arguments":[1]}}`) + "\r\n\r\n" + `{"done":true,"message":null}`))
	f.Add([]byte(`{"error":{"message":"error parsing tool call: raw='x'', err="}}`))
	f.Add([]byte(`{"error parsing tool call":["raw='"],"done":false}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		n := 0
		c := newCollector(func() string { n++; return fmt.Sprintf("new-%d", n) }, nil)
		in := bufio.NewReaderSize(bytes.NewReader(answer), 16)
		for {
			text, err := readLine(in, nil)
			if text = bytes.TrimSpace(text); len(text) > 0 {
				l, failure := decodeLine("http://box", "tiny:1b", text)
				if failure != nil {
					if failure.Message == "" || len([]rune(failure.Message)) > maxErrorText+300 {
						t.Fatalf("message %q", failure.Message)
					}
					return
				}
				c.add(l)
				if l.Done {
					replayable(t, c.reply(l).Message)
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
		}
	})
}

func replayable(t *testing.T, m llm.Message) {
	ids := map[string]bool{}
	for _, call := range m.Calls {
		if call.ID == "" || ids[call.ID] || !json.Valid(call.Args) {
			t.Fatalf("call %+v", call)
		}
		ids[call.ID] = true
	}
	body, err := encode(Config{Model: "tiny:1b"}, true, llm.Request{Messages: []llm.Message{m}})
	if err != nil {
		t.Fatal(err)
	}
	var req api.ChatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		t.Fatalf("Ollama cannot read it: %v\n%s", err, body)
	}
}
