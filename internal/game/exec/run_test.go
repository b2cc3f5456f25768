package exec_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/exec"
	"hob/internal/game/rules"
)

func hit(id, delta string) string {
	return `{"id":` + id + `,"tool":"hp_delta","args":{"target_character_id":"pc_001","delta":` + delta + `,"cause":"x"}}`
}

func rum(where string) string {
	return call("create_object", `{"name":"Rum","connectionId":"`+where+`"}`)
}

// statuses returns how calls ended.
func statuses(list []answer) (all []string) {
	for _, a := range list {
		all = append(all, strings.TrimSpace(a.Status+" "+a.Detail))
	}
	return all
}

// A batch is one turn with one answer for each call; a call sees what the ones before it did and made, and one that fails stops
// nothing.
func TestBatch(t *testing.T) {
	g := open(t, fixture(t, "w1"), "en")
	list := g.send(`{"batch":[` + strings.Join([]string{
		rum("loc_hall"),
		call("move_object", `{"objectId":"obj_key","targetId":"$0.createdId"}`),
		call("move_object", `{"objectId":"$1.createdId","targetId":"char_ann"}`),
		call("set_attribute", attribute("object", "$0.createdId", "label", `"of $0.createdId, not $00.createdId or $7.createdId"`)),
		call("move_object", `{"objectId":" $0.createdId ","targetId":"char_bo"}`),
	}, ",") + `]}`)
	id := list[0].Created
	want := []string{"applied", "applied", "error entity_not_found", "applied", "applied"}
	if diff := cmp.Diff(want, statuses(list)); diff != "" {
		t.Fatal(diff)
	}
	if got := g.state("000"); in(got["objects"], "obj_key")["connectionId"] != id || in(got["objects"],
		id)["connectionId"] != "char_bo" ||
		attrs(got, "objects", id)["label"] != "of "+id+", not $00.createdId or $7.createdId" {
		t.Errorf("objects: %v", got["objects"])
	}
	if list[2].Args.(doc)["objectId"] != "$1.createdId" || !strings.Contains(list[2].Text, "$1.createdId") {
		t.Errorf("what refers to nothing: %s", list[2].line)
	}
	if n := g.g.Log.Turns(); n != 1 {
		t.Errorf("%d turns", n)
	}
	if got := g.raw(`{"undo":1}`, `{"batch":[]}`); !slices.Equal(got, []string{`{"undone":1}`}) || g.g.Log.Turns() != 1 {
		t.Errorf("undo: %q", got)
	}
	if g.hash() != open(t, fixture(t, "w1"), "en").hash() {
		t.Error("undo did not undo it all")
	}
}

// Each answer of a batch has the hash of the state after its call: that which it has where the calls come one by one.
func TestBatchHashes(t *testing.T) {
	calls := []string{
		rum("nowhere"), rum("loc_hall"), call("recap", `{}`), rum("nowhere"), call("delete_object", `{"objectId":"obj_key"}`),
		rum("char_ann"),
	}
	single, batch := open(t, fixture(t, "w1"), "en"), open(t, fixture(t, "w1"), "en")
	want, got := []string{single.hash()}, []string{batch.hash()}
	for _, a := range single.send(calls...) {
		want = append(want, a.Hash)
	}
	line := `{"request_id":"r","batch":[` + strings.Join(calls, ",") + `]}`
	list := batch.send(line)
	for _, a := range list {
		got = append(got, a.Hash)
	}
	if diff := cmp.Diff(want, got); diff != "" || want[1] != want[0] || want[2] == want[1] || want[3] != want[2] {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again := batch.send(line); again[1].line != list[1].line || again[5].line != list[5].line {
		t.Errorf("again: %s", again[1].line)
	}
	batch.raw(`{"undo":1}`)
	shown := decode(t, []byte(batch.raw(strings.NewReplacer(`batch`, `preview`, `"r"`,
		`"s"`).Replace(line))[0])).(doc)["preview"].([]any)
	if shown[0].(doc)["state_hash"] != want[0] || shown[5].(doc)["state_hash"] == shown[4].(doc)["state_hash"] {
		t.Errorf("preview: %v", shown)
	}
}

// Undo and redo pass over the turns that changed nothing, and go as far as they can.
func TestUndoRedo(t *testing.T) {
	g := open(t, edited(t, fixture(t, "w2"), allow("hp_delta", "sheet", "roll_dice")), "en")
	start := g.hash()
	g.send(hit("1", "-1"), hit("2", `"x"`), hit("3", "-2"), call("sheet", `{}`), hit("4", "true"),
		call("roll_dice", `{"expr":"1d6"}`))
	end := g.hash()
	hp := func() any { return at(g.state("002"), "actors", "pc_001")["hp"] }
	steps := []struct {
		line, want, hp string
	}{
		{`{"undo":1}`, `{"undone":1}`, "9"}, {`{"undo":5}`, `{"undone":1}`, "10"}, {`{"undo":1}`, `{"undone":0}`, "10"},
		{`{"redo":0}`, `{"redone":0}`, "10"}, {`{"redo":1}`, `{"redone":1}`, "9"}, {`{"redo":9}`, `{"redone":1}`, "7"},
		{`{"redo":1}`, `{"redone":0}`, "7"}, {`{"undo":2}`, `{"undone":2}`, "10"},
	}
	for i, s := range steps {
		if got := g.raw(s.line); !slices.Equal(got, []string{s.want}) || hp() != number(s.hp) {
			t.Errorf("step %d %s: %q, %v hit points", i, s.line, got, hp())
		}
	}
	if g.hash() != start {
		t.Error("undo leaves another state")
	}
	if g.raw(`{"redo":2}`); g.hash() != end {
		t.Error("redo leaves another state")
	}
	g.raw(`{"undo":1}`)
	g.send(hit("4", "true"), call("sheet", `{}`), call("move", `{}`))
	if got := g.raw(`{"redo":1}`, `{"undo":2}`); !slices.Equal(got, []string{`{"redone":1}`, `{"undone":2}`}) || g.hash() != start {
		t.Errorf("after what changed nothing: %q", got)
	}
	g.raw(`{"redo":1}`)
	g.send(hit("5", "-5"))
	if got := g.raw(`{"redo":1}`, `{"undo":1}`, `{"undo":1}`); !slices.Equal(got,
		[]string{`{"redone":0}`, `{"undone":1}`, `{"undone":1}`}) {
		t.Errorf("on a branch: %q", got)
	}
}

// What was written in hob's own form or as an older save is a world again.
func TestStates(t *testing.T) {
	book := book(t)
	for _, world := range []string{"w1", "w2", "w2b", "w3"} {
		g := openBy(t, book, fixture(t, world), "en")
		g.send(rum("loc_hall"), hit("1", "-3"), call("move_to_zone", trip("zone_600_0_0")),
			call("map_generate", `{"parent_area_id":null,"theme":"X"}`))
		for _, shape := range game.Shapes() {
			t.Run(world+" as "+shape, func(t *testing.T) {
				lines := g.raw(`{"state":"` + shape + `"}`)
				state := strings.TrimSuffix(strings.TrimPrefix(lines[0], `{"state":`), "}")
				again := openBy(t, book, []byte(state), "en")
				if got := again.raw(`{"state":"` + shape + `"}`); shape == "hob" && (again.hash() != g.hash() || got[0] != lines[0]) {
					t.Errorf("another world:\n%s\n%s", lines[0], got[0])
				}
				if own := shapeOf(world); shape == own {
					same(again, moment(g.state(own)), moment(again.state(own)))
				}
			})
		}
	}
	g := openBy(t, book, fixture(t, "w1"), "en")
	if err := g.g.Run(t.Context(), strings.NewReader(`{"state":"004"}`), io.Discard); !isLine(err, 1) {
		t.Errorf("a state that there is not: %v", err)
	}
}

// Whatever a call's id is, its answer has it.
func TestIDs(t *testing.T) {
	g := open(t, edited(t, fixture(t, "w2"), allow("hp_delta", "sheet")), "en")
	for _, id := range []string{`"a"`, `17`, `-1.50e3`, `null`, `true`, `["a",1]`, `{"b":{"c":[]}}`, `"\u0041\"<>&"`, `""`} {
		if a := g.one(hit(id, "0")); string(a.ID) != id {
			t.Errorf("id %s came back as %s", id, a.ID)
		}
	}
	if a := g.one(`{"tool":"sheet"}`); string(a.ID) != `""` || a.Status != "applied" {
		t.Errorf("without an id: %s", a.line)
	}
	if a := g.one(`{ "id" : { "b" : [ 1 , 2 ] } , "tool" : "sheet" }`); string(a.ID) != `{"b":[1,2]}` {
		t.Errorf("spaces in an id: %s", a.line)
	}
}

// isLine reports whether err is that of the n-th line.
func isLine(err error, n int) bool {
	var line *exec.LineError
	return errors.As(err, &line) && line.N == n && strings.HasPrefix(err.Error(), fmt.Sprintf("line %d ", n))
}

// A line that cannot be used ends everything, and says which it is. What came before it was answered, what follows is not read.
func TestBadLines(t *testing.T) {
	book := book(t)
	for _, bad := range []string{
		`no JSON`, `{"tool":"sheet"`, `{"tool":"sheet"} {}`, `[]`, `5`, `null`, `"sheet"`, `{}`, `{"note":1}`, `{"undo":1,"redo":1}`,
		`{"tool":"sheet","state":"hob"}`,
		`{"batch":[],"undo":1}`, `{"batch":{}}`, `{"batch":[5]}`, `{"undo":"1"}`, `{"undo":1.5}`, `{"undo":-1}`, `{"redo":-1}`,
		`{"state":5}`, `{"state":"004"}`,
		`{"undo":99999999999999999999}`, `{"tool":"sheet","execution":5}`, "\xff", "{\"tool\":\"a\x00\"}",
	} {
		g := openBy(t, book, fixture(t, "w2"), "en")
		var out strings.Builder
		err := g.g.Run(t.Context(), strings.NewReader("\n"+hit("1", "-1")+"\r\n  \n"+bad+"\n"+hit("2", "-1")), &out)
		if !isLine(err, 4) {
			t.Errorf("%q: %v", bad, err)
		}
		if n := strings.Count(out.String(), "\n"); n != 1 || g.g.Log.Turns() != 1 {
			t.Errorf("%q: %d answers, %d turns", bad, n, g.g.Log.Turns())
		}
	}
}

// Lines may be long, end in any way, and have nothing on them; a call whose words are no words fails like any other.
func TestLines(t *testing.T) {
	g := open(t, fixture(t, "w1"), "en")
	long := strings.Repeat("long ", 1<<18)
	lines := "\r\n" + rum("loc_hall") + "\r\n\n \t\n" + call("set_attribute",
		attribute("player", "char_ann", "x", `"`+long+`"`)) + "\n" +
		call("recap", `{}`) + "\r\n" + `{"tool":5}` + "\n" + `{"id":1,"tool":""}` + "\n" + `{"tool":"look","args":"here"}` + "\n" +
		strings.Replace(call("set_attribute", attribute("player", "char_ann", "x", "\"\xff\"")), `"c"`, "\"\xfe\"",
			1) + "\n" + call("look", `{"a":1,"a":2}`)
	var out bytes.Buffer
	if err := g.g.Run(t.Context(), strings.NewReader(lines), &out); err != nil {
		t.Fatal(err)
	}
	var list []answer
	for line := range strings.Lines(out.String()) {
		d := decode(t, []byte(line)).(doc)
		list = append(list, answer{Status: d["status"].(string), Detail: d["detail"].(string)})
	}
	want := []string{
		"applied", "error limit", "applied", "rejected tool_not_allowed", "rejected tool_not_allowed", "error invalid_args", "applied",
		"error invalid_args",
	}
	if diff := cmp.Diff(want, statuses(list)); diff != "" {
		t.Error(diff)
	}
	if got := attrs(g.state("000"), "players", "char_ann")["x"]; got != "\uFFFD" || !bytes.Equal(out.Bytes(),
		bytes.ToValidUTF8(out.Bytes(), nil)) {
		t.Errorf("bytes that are no text: %q", got)
	}
}

// Who asks line by line has each answer before the next line is sent, even where a part of the next one came along.
func TestInteractive(t *testing.T) {
	g := open(t, fixture(t, "w2"), "en")
	in, send := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := g.g.Run(t.Context(), in, out)
		_ = out.CloseWithError(err)
		done <- err
	}()
	lines := bufio.NewScanner(answers)
	rest := ""
	for i := range 20 {
		whole := hit(fmt.Sprint(i), "0") + "\n"
		next := hit(fmt.Sprint(i+1), "0")[:i%7]
		if _, err := io.WriteString(send, whole[len(rest):]+next); err != nil {
			t.Fatal(err)
		}
		if rest = next; !lines.Scan() || !strings.Contains(lines.Text(), fmt.Sprintf(`"id":%d,`, i)) {
			t.Fatalf("answer %d: %q", i, lines.Text())
		}
	}
	_, _ = io.WriteString(send, hit("20", "0")[len(rest):])
	_ = send.Close()
	if !lines.Scan() || lines.Scan() {
		t.Error("the last line has no answer, or two")
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Nothing that bounds play does so here: not the number of calls and of new objects, and not that a call was refused before.
func TestNoPlayLimits(t *testing.T) {
	g := open(t, fixture(t, "w1"), "en")
	var calls []string
	for range 40 {
		calls = append(calls, rum("loc_hall"))
	}
	list := g.send(`{"batch":[` + strings.Join(calls, ",") + `]}`)
	for range 6 {
		list = append(list, g.one(rum("loc_hall")))
	}
	if i := slices.IndexFunc(list, func(a answer) bool { return a.Status != "applied" }); i >= 0 || len(list) != 46 {
		t.Errorf("%d answers, and number %d: %s", len(list), i, list[max(i, 0)].line)
	}
	for range 6 {
		if a := g.one(rum("nowhere")); a.Detail != "entity_not_found" {
			t.Errorf("again: %s", a.line)
		}
	}
}

// Nothing is added to a call, and nothing repaired: a missing session, a number in a string and an unknown argument are errors.
func TestStrict(t *testing.T) {
	book := book(t)
	for _, c := range []struct{ world, line, names string }{
		{"w3", call("move_to_zone", `{"to_zone_id":"zone_600_0_0"}`), "session_id"},
		{"w2", hit("1", `"5"`), "delta"},
		{"w2", call("hp_delta", `{"target_character_id":"pc_001","delta":1,"cause":"x","why":"y"}`), "why"},
		{"w1", call("look", `{"where":"here"}`), "where"},
		{"w1", call("roll_dice", `{"expr":5}`), "expr"},
	} {
		if a := openBy(t, book, fixture(t, c.world), "en").one(c.line); a.Status != "error" || a.Detail != "invalid_args" ||
			!strings.Contains(a.Text, c.names) {
			t.Errorf("%s", a.line)
		}
	}
}

// A GameState and a session allow every tool; a campaign.json those that it lists, or else three.
func TestAllowed(t *testing.T) {
	book := book(t)
	unlisted := edited(t, fixture(t, "w2"), func(d doc) { delete(d, "allowlist") })
	for _, tool := range book.Names() {
		listed := slices.Contains([]string{"move", "hp_delta", "map_generate"}, tool)
		for _, w := range []struct {
			world []byte
			want  bool
		}{{fixture(t, "w1"), true}, {fixture(t, "w3"), true}, {fixture(t, "w2"), listed}, {unlisted, listed}} {
			if a := openBy(t, book, w.world, "en").one(call(tool, `{}`)); (a.Detail != "tool_not_allowed") != w.want {
				t.Errorf("%s", a.line)
			}
		}
	}
}

// The texts are in the language that was asked for, whatever that of the save is.
func TestLanguage(t *testing.T) {
	book := book(t)
	texts := map[string]bool{}
	for _, lang := range rules.Langs() {
		texts[openBy(t, book, fixture(t, "w1"), lang).one(rum("loc_hall")).Text] = true
	}
	if len(texts) != 3 {
		t.Errorf("texts: %v", texts)
	}
	if a := openBy(t, book, fixture(t, "w1"), "").one(rum("nowhere")); a.Text == "" {
		t.Errorf("without a language: %s", a.line)
	}
}

// The same lines in the same world give the same bytes; with another seed the dice fall in another way.
func TestSeed(t *testing.T) {
	book := book(t)
	lines := []string{rum("loc_hall"), call("roll_dice", `{"expr":"20d100"}`),
		call("map_generate", `{"parent_area_id":null,"theme":"X"}`), `{"state":"hob"}`}
	run := func(seed string) []string {
		s, _, err := game.Read(t.Context(), fixture(t, "w1"), eventlog.NewMemoryStorage(), game.Import{Seed: seed, Opt: game.Options(book, noon)})
		if err != nil {
			t.Fatal(err)
		}
		return (&tale{TB: t, g: &exec.Game{Log: s, Book: book, Now: noon}}).raw(lines...)
	}
	if diff := cmp.Diff(run(""), run("")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(run("one"), run("one")); diff != "" {
		t.Error(diff)
	}
	if a, b := run("one"), run("two"); a[0] == b[0] || a[1] == b[1] {
		t.Errorf("one seed is as good as another: %s", a[1])
	}
}
