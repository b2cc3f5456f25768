package toolcall

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// damages are the damages of section 2.2 of the study of local models, each in a call that can otherwise be recognised.
func damages() []string {
	return []string{
		`{'name': 'get_weather', 'arguments': {'city': 'Antwerp', 'now': True, 'unit': None}}`, `{"name":"get_weather","arguments":{"city":"Antwerp",},}`,
		"{\"name\":\"write_file\",\"arguments\":{\"path\":\"a\",\"content\":\"one\ntwo\"}}", `{"name":"write_file","arguments":{"path":"a","content":"he said "hi" to me"}}`,
		`<tool_call>{"name":"get_weather","arguments":{"city":"Antwerp"`, `{"name":"get_weather","arguments":{"city":"Antwerp"}}]`, "}\n" + `{"name":"get_weather","parameters":{"city":"Antwerp"}}`,
		`{"name":"get_weather","arguments":"{\"city\":\"Antwerp\"}"}`, `{"name":"create_event","arguments":{"title":"x","attendees":"['Jan']"}}`, `{"name":"roll","arguments":{"sides":"6"}}`,
		`{"name":"create_event","arguments":{"title":"x","attendees":"Jan"}}`, `{"name":"get_weather","arguments":{}}`, `{"name":"get_weather"}`, `{"name":"get_weather","arguments":{"parameters":{"city":"Antwerp"}}}`,
		`{"name":"get_weather","arguments":{"type":"object","properties":{"city":{"type":"string"}}}}`, `{"name":"get__weather","arguments":{"city":"Antwerp"}}`, `{"name":"functions.get_weather","arguments":{"city":"Antwerp"}}`,
		`{"name":"get-weather","arguments":{"city":"Antwerp"}}`, `{"name":"repo_browser.open_file","arguments":{"path":"a"}}`, `{"name":"get_weather","arguments":{"city":"Antwerp","unit":"Celsius"}}`, `{"name":"list_files","arguments":{"dir":null}}`,
	}
}

// check holds the properties of every reading.
func check(t *testing.T, o *Offer, w Wire, r Reading) {
	t.Helper()
	if !slices.Contains([]Class{Calls, Text, Empty, Thinking, Truncated, Malformed}, r.Class) {
		t.Fatalf("class %q", r.Class)
	}
	if r.Class == Calls && (len(r.Calls) == 0 || !valid(r.Calls)) {
		t.Fatalf("class calls with %v", r.Calls)
	}
	if r.Class == Text && r.Text == "" || (r.Class == Empty || r.Class == Thinking) && r.Text != "" {
		t.Fatalf("class %s with the text %q", r.Class, r.Text)
	}
	if strings.Contains(strings.ToLower(r.Text), "<think>") || strings.TrimSpace(r.Text) != r.Text || trim(r.Text) != r.Text {
		t.Fatalf("text %q", r.Text)
	}
	for _, c := range r.Calls {
		if !c.Valid() {
			continue
		}
		var args map[string]any
		if o.byName[c.Name] == nil || json.Unmarshal(c.Args, &args) != nil || args == nil || !bytes.HasPrefix(c.Args, []byte("{")) {
			t.Fatalf("call %s %s", c.Name, c.Args)
		}
	}
	if diff := cmp.Diff(r, o.Read(w)); diff != "" {
		t.Fatalf("read twice: %s", diff)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range shapes() {
		f.Add(s.text, "", "", false, false)
	}
	for _, text := range damages() {
		f.Add(text, "", "", false, true)
		f.Add("<tool_call>"+text+"</tool_call>", "", "thoughts", true, false)
	}
	f.Add("a<think>b</think>c", "show me JSON", "<tool_call>"+`{"name":"roll","arguments":{"sides":6}}`, false, false)
	o := workshop()
	f.Fuzz(func(t *testing.T, text, user, thinking string, truncated, strict bool) {
		w := Wire{Message: llm.Message{Text: text, Thinking: thinking}, Truncated: truncated, Strict: strict}
		check(t, o, w, o.Read(w))
		w.Mode = llm.PromptMode
		check(t, o, w, o.Read(w))
		w.Mode = llm.SchemaMode
		check(t, o, w, o.Read(w))
		o.Read(Wire{Err: &llm.Error{Kind: llm.Malformed, Raw: text}})
	})
}

func FuzzScreen(f *testing.F) {
	for i, s := range shapes() {
		f.Add(s.text, []byte{byte(i), 3, 200, 1}, "", false)
		f.Add("Well. "+s.text+"\nDone.", []byte{1, 7}, "as JSON", i%2 == 0)
	}
	for _, text := range fragments() {
		f.Add("a "+text+" b", []byte{2}, "show me an example", false)
	}
	o := workshop()
	f.Fuzz(func(t *testing.T, text string, cuts []byte, user string, strict bool) {
		var pieces []string
		for rest, i := text, 0; rest != ""; i++ {
			n := len(rest)
			if len(cuts) > 0 {
				n = min(n, 1+int(cuts[i%len(cuts)])%40)
			}
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		holds(t, o, Wire{Strict: strict}, text, pieces)
	})
}
