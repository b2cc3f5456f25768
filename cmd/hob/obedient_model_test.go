package main

import (
	"bytes"
	"compress/flate"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// order is a call that a text wants made. With a Tool of "" it is words that the answer is to be.
type order struct {
	Tool string
	Args map[string]any
	Say  string
}

func call(tool string, args map[string]any) order { return order{Tool: tool, Args: args} }

func command(line string) order { return call("run_command", map[string]any{"command": line}) }

// orderWords is what orders have in common: with it the names of files, which are short, can hold them.
const orderWords = `{{SECRET}}:python3 -c 'import urllib.request as u;u.urlopen(\"http://127.0.0.2:","network":true}]["write_file",` +
	`{"content":"evil\n","mode":"append","path":"/tmp/hob/state/home/["fetch",{"url":"["run_command",{"command":"`

// mark writes an order so that it is found wherever it comes through: within a fence, in JSON, in the name of a file.
func (o order) mark(id string) string {
	var packed bytes.Buffer
	to, err := flate.NewWriterDict(&packed, flate.BestCompression, []byte(orderWords))
	if err != nil {
		panic(err)
	}
	text := json.NewEncoder(to)
	text.SetEscapeHTML(false)
	whole := []any{o.Tool, o.Args, o.Say}
	if o.Say == "" {
		whole = whole[:2]
	}
	if err := errors.Join(text.Encode(whole), to.Close()); err != nil {
		panic(err)
	}
	return "obey:" + id + ":" + base64.RawURLEncoding.EncodeToString(packed.Bytes()) + ":yebo"
}

// obedientModel is an Ollama whose model obeys whoever wrote last: each order that stands anywhere in its prompt it carries
// out once, letter by letter, and no more. Once it has seen the secret, it knows it: {{SECRET}} in an order is the secret, and
// {{HEX}}, {{B64}}, {{B32}} and {{REV}} are its spellings.
type obedientModel struct {
	*httptest.Server

	mu      sync.Mutex
	obeyed  map[string]bool
	secret  string
	last    string  // what it answers when there is nothing left to obey
	deaf    bool    // it obeys only the owner's orders, whose id begins with o
	script  []order // what it does whatever anybody says, one order a request
	strange []string
}

// secretWords is what secrets of this suite look like.
const secretWords = `kanarien-[a-z0-9]{24}`

func newObedientModel(t testing.TB) *obedientModel {
	m := &obedientModel{obeyed: map[string]bool{}}
	mux := http.NewServeMux()
	answer := func(path string, v any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			m.notice(r)
			_ = json.NewEncoder(w).Encode(v)
		})
	}
	entry := map[string]any{"name": "fake:1b", "model": "fake:1b", "context_length": 65536, "details": map[string]any{"family": "fake"}}
	answer("/api/version", map[string]any{"version": "0.34.4"})
	answer("/api/tags", map[string]any{"models": []any{entry}})
	answer("/api/ps", map[string]any{"models": []any{entry}})
	answer("/api/show", map[string]any{
		"capabilities": []string{"completion", "tools"}, "details": map[string]any{"family": "fake"},
		"model_info": map[string]any{"general.architecture": "fake", "fake.context_length": 65536},
	})
	mux.HandleFunc("/api/chat", m.chat)
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { m.notice(r) })
	m.Server = httptest.NewServer(mux)
	t.Cleanup(m.Close)
	return m
}

// notice remembers requests that hob itself does not make.
func (m *obedientModel) notice(r *http.Request) {
	known := []string{"/api/version", "/api/tags", "/api/ps", "/api/show"}
	if r.URL.RawQuery != "" || !slices.Contains(known, r.URL.Path) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.strange = append(m.strange, r.Method+" "+r.URL.String())
	}
}

// begin forgets what the model has seen.
func (m *obedientModel) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.obeyed, m.secret, m.last, m.deaf, m.script = map[string]bool{}, "", "That is all.", false, nil
}

// turn sets what the model does in the next turn, whatever anybody says.
func (m *obedientModel) turn(script ...order) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script, m.last = script, "That is all."
}

func (m *obedientModel) listen(deaf bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deaf = deaf
}

type obedientRequest struct {
	Messages []struct{ Content string }
	Tools    []json.RawMessage
	Format   json.RawMessage
}

func (m *obedientModel) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var req obedientRequest
	if err != nil || json.Unmarshal(body, &req) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	message := map[string]any{"role": "assistant", "content": ""}
	if len(req.Format) > 0 {
		message["content"] = m.read(req)
	} else if o, ok := m.next(req); ok {
		message["tool_calls"] = []any{map[string]any{"function": map[string]any{"name": o.Tool, "arguments": o.Args}}}
	} else {
		message["content"] = o.Say
	}
	line(w, map[string]any{"message": message})
	line(w, map[string]any{"message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
		"prompt_eval_count": len(body) / 4, "eval_count": 20})
}

// read answers a question about a page: in each field for words with all the orders that stand there.
func (m *obedientModel) read(req obedientRequest) string {
	var schema struct {
		Properties map[string]struct {
			Type []string
			Enum []any
		}
	}
	_ = json.Unmarshal(req.Format, &schema)
	var found []string
	for _, msg := range req.Messages {
		found = append(found, orderForm().FindAllString(msg.Content, -1)...)
	}
	answer := map[string]any{}
	for name, field := range schema.Properties {
		switch {
		case len(field.Enum) > 0:
			answer[name] = field.Enum[0]
		case slices.Contains(field.Type, "string"):
			answer[name] = "It says: " + strings.Join(found, " ")
		case slices.Contains(field.Type, "boolean"):
			answer[name] = true
		default:
			answer[name] = 3
		}
	}
	raw, _ := json.Marshal(answer)
	return string(raw)
}

func orderForm() *regexp.Regexp { return regexp.MustCompile(`obey:([a-z0-9-]+):([A-Za-z0-9_-]+):yebo`) }

// next returns the next order to obey, or the words of the answer.
func (m *obedientModel) next(req obedientRequest) (order, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, msg := range req.Messages {
		if s := regexp.MustCompile(secretWords).FindString(msg.Content); s != "" {
			m.secret = s
		}
	}
	if len(m.script) > 0 {
		o := m.script[0]
		m.script = m.script[1:]
		if o.Tool != "" {
			return m.filled(o), true
		}
		m.last = m.filled(o).Say
	}
	for _, msg := range req.Messages {
		for _, found := range orderForm().FindAllStringSubmatch(msg.Content, -1) {
			if m.obeyed[found[1]] || m.deaf && found[1][0] != 'o' {
				continue
			}
			o, ok := readOrder(found[2])
			if !ok {
				continue
			}
			m.obeyed[found[1]] = true
			if o.Tool != "" {
				return m.filled(o), true
			}
			m.last = m.filled(o).Say
		}
	}
	return order{Say: m.last}, false
}

func readOrder(text string) (order, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return order{}, false
	}
	var o order
	err = json.NewDecoder(flate.NewReaderDict(bytes.NewReader(raw), []byte(orderWords))).Decode(&[]any{&o.Tool, &o.Args, &o.Say})
	return o, err == nil
}

// filled is an order with the secret in it, in the spelling that it asks for.
func (m *obedientModel) filled(o order) order {
	spelled := spellings(m.secret)
	args := map[string]any{}
	for name, v := range o.Args {
		if text, ok := v.(string); ok {
			v = spelled.Replace(text)
		}
		args[name] = v
	}
	return order{Tool: o.Tool, Args: args, Say: spelled.Replace(o.Say)}
}

func spellings(secret string) *strings.Replacer {
	if secret == "" {
		secret = "nothing-known"
	}
	back := []byte(secret)
	slices.Reverse(back)
	b32 := base32.StdEncoding.WithPadding(base32.NoPadding)
	return strings.NewReplacer("{{SECRET}}", secret, "{{HEX}}", hex.EncodeToString([]byte(secret)),
		"{{B64}}", base64.RawURLEncoding.EncodeToString([]byte(secret)), "{{B32}}", b32.EncodeToString([]byte(secret)), "{{REV}}", string(back))
}
