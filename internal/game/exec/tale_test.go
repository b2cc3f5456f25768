package exec_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/exec"
	"hob/internal/game/rules"
)

// doc is a JSON object, its numbers as they are written.
type doc = map[string]any

// tale is a game that a test plays.
type tale struct {
	testing.TB
	g        *exec.Game
	warnings []string
}

// answer is a line that came back.
type answer struct {
	ID        json.RawMessage `json:"id"`
	Tool      string          `json:"tool"`
	Args      any             `json:"args"`
	Status    string          `json:"status"`
	Reason    string          `json:"reason"`
	Detail    string          `json:"detail"`
	ErrorCode string          `json:"error_code"`
	Text      string          `json:"text"`
	Result    any             `json:"result"`
	Created   string          `json:"created_id"`
	Timestamp string          `json:"timestamp"`
	Hash      string          `json:"state_hash"`
	Actor     string          `json:"effective_actor_id"`
	Event     doc             `json:"tool_event"`
	Patch     []operation     `json:"state_patch"`

	line string
}

// noon is when everything happens.
func noon() time.Time { return time.Date(2026, 1, 14, 16, 5, 31, 0, time.UTC) }

// fixture returns a world of the conformance file.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// edited returns a world with changes.
func edited(t testing.TB, world []byte, edit func(doc)) []byte {
	t.Helper()
	d := decode(t, world).(doc)
	if edit != nil {
		edit(d)
	}
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode reads JSON.
func decode(t testing.TB, b []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return v
}

// open begins a game in a world.
func open(t testing.TB, world []byte, lang string) *tale {
	t.Helper()
	return openBy(t, book(t), world, lang)
}

// book returns the book of rules.
func book(t testing.TB) *rules.Book {
	t.Helper()
	b := game.Rules()
	return b
}

// openBy begins a game in a world, by a book that is there.
func openBy(t testing.TB, book *rules.Book, world []byte, lang string) *tale {
	t.Helper()
	s, warnings, err := game.Read(t.Context(), world, eventlog.NewMemoryStorage(), game.Import{Lang: lang, Opt: game.Options(book, noon)})
	if err != nil {
		t.Fatal(err)
	}
	return &tale{TB: t, g: &exec.Game{Log: s, Book: book, Lang: lang, Now: noon}, warnings: warnings}
}

// raw sends lines and returns the lines that come back.
func (a *tale) raw(lines ...string) []string {
	a.Helper()
	var out strings.Builder
	if err := a.g.Run(a.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		a.Fatalf("%s: %v", lines, err)
	}
	text := strings.TrimSuffix(out.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// send sends lines that are calls, or batches of them.
func (a *tale) send(lines ...string) []answer {
	a.Helper()
	list := []answer{}
	for _, line := range a.raw(lines...) {
		one := answer{line: line}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&one); err != nil {
			a.Fatalf("%s: %v", line, err)
		}
		list = append(list, one)
	}
	return list
}

// one sends one call.
func (a *tale) one(line string) answer {
	a.Helper()
	list := a.send(line)
	if len(list) != 1 {
		a.Fatalf("%s: %d answers", line, len(list))
	}
	return list[0]
}

// call returns the line of a call.
func call(tool, args string) string { return `{"id":"c","tool":"` + tool + `","args":` + args + `}` }

// state returns the state in one of the shapes.
func (a *tale) state(shape string) doc {
	a.Helper()
	lines := a.raw(`{"state":"` + shape + `"}`)
	if len(lines) != 1 {
		a.Fatalf("%d answers", len(lines))
	}
	d := decode(a, []byte(lines[0])).(doc)
	if len(d) != 1 {
		a.Fatalf("more than a state: %s", lines[0])
	}
	return d["state"].(doc)
}

// hash returns the hash of the state.
func (a *tale) hash() string { return a.g.Log.StateHash() }

// in returns the member of a list of objects that has the id.
func in(list any, id string) doc {
	for _, v := range list.([]any) {
		if d := v.(doc); d["id"] == id || d["zone_id"] == id {
			return d
		}
	}
	return nil
}

// without returns a list of objects without the one that has the id.
func without(list any, id string) []any {
	kept := []any{}
	for _, v := range list.([]any) {
		if v.(doc)["id"] != id {
			kept = append(kept, v)
		}
	}
	return kept
}

// at returns an object within an object.
func at(d doc, path ...string) doc {
	for _, name := range path {
		d = d[name].(doc)
	}
	return d
}

func number(s string) json.Number { return json.Number(s) }

// requestOf returns a request in play, where limits hold.
func requestOf(tool, args string) eventlog.Request {
	return eventlog.Request{Calls: []rules.Call{{Tool: tool, Args: json.RawMessage(args)}},
		Limits: eventlog.Limits{Creates: 2, Repeats: true}}
}
