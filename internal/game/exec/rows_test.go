package exec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
)

// row is a case of the conformance file, or one of its variants.
type row struct {
	id     string // of the case: the tool and a number; after a slash the variant
	world  string // a fixture
	edit   func(doc)
	first  []string // lines before it
	args   string
	line   string // instead of args: the whole line
	want   verdict
	text   []string                // what the text has in every language
	ru     []string                // what the Russian one has
	not    []string                // what none has
	result string                  // JSON; "" is not looked at
	after  func(d doc, a answer)   // what is different afterwards in the world, in the fixture's shape; nil: nothing
	free   bool                    // what is different is for look to say
	look   func(t *tale, a answer) // what else must hold
}

// verdict is how a call ends, in the words of all three programs.
type verdict struct{ status, reason, detail, code string }

func applied() verdict             { return verdict{status: "applied"} }
func noted(detail string) verdict  { return verdict{status: "applied", detail: detail} }
func failed(detail string) verdict { return verdict{"error", "invalid_args", detail, "INVALID_ARGS"} }
func wrong() verdict               { return failed("invalid_args") }
func missing() verdict             { return failed("entity_not_found") }
func noZone() verdict              { return verdict{"error", "invalid_args", "entity_not_found", "ZONE_NOT_FOUND"} }
func otherSession() verdict {
	return verdict{"error", "invalid_args", "session_mismatch", "SESSION_MISMATCH"}
}
func rejected(reason, code string) verdict { return verdict{"rejected", reason, reason, code} }
func notAllowed() verdict                  { return rejected("tool_not_allowed", "TOOL_NOT_ALLOWED") }
func restricted() verdict                  { return rejected("actor_state_restricted", "ACTOR_STATE_RESTRICTED") }

// tool returns the tool that a row is about.
func (r *row) tool() string {
	tool, _, _ := strings.Cut(r.id, "-")
	return tool
}

// play plays a row in one language and holds everything against it.
func (r *row) play(t *testing.T, book *rules.Book, lang string) {
	world := fixture(t, r.world)
	if r.edit != nil {
		world = edited(t, world, r.edit)
	}
	g := openBy(t, book, world, lang)
	g.raw(r.first...)
	before, hash, breaches := g.state(shapeOf(r.world)), g.hash(), len(g.g.Log.World().Validate())
	line := r.line
	if line == "" {
		line = call(r.tool(), r.args)
	}
	a := g.one(line)
	got := verdict{a.Status, a.Reason, a.Detail, a.ErrorCode}
	if got != r.want {
		t.Fatalf("%s: %v, and not %v", a.line, got, r.want)
	}
	r.texts(t, lang, a)
	if r.result != "" {
		if diff := cmp.Diff(decode(t, []byte(r.result)), a.Result); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
	}
	if a.Timestamp != "2026-01-14T16:05:31Z" || a.Hash != g.hash() {
		t.Errorf("time %s, state hash %s", a.Timestamp, a.Hash)
	}
	switch {
	case r.after != nil:
		r.after(before, a)
	case !r.free && a.Hash != hash:
		t.Errorf("the state hash is another one")
	}
	if diff := cmp.Diff(moment(before), moment(g.state(shapeOf(r.world)))); diff != "" && !r.free {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if n := len(g.g.Log.World().Validate()); n > breaches {
		t.Errorf("something new does not hold: %q", g.g.Log.World().Validate())
	}
	if r.look != nil {
		r.look(g, a)
	}
}

// moment takes out of a state when it was written.
func moment(d doc) doc {
	if now, ok := d["player_runtime_data"].(doc); ok {
		delete(now, "updated_at")
	}
	return d
}

// shapeOf returns the shape of a fixture's save.
func shapeOf(world string) string {
	return map[string]string{"w1": "000", "w2": "002", "w2b": "002", "w3": "003"}[world]
}

// texts holds the text of an answer against a row.
func (r *row) texts(t *testing.T, lang string, a answer) {
	t.Helper()
	want := r.text
	if lang == "ru" {
		want = append(slices.Clone(want), r.ru...)
	}
	for _, s := range want {
		if !strings.Contains(a.Text, s) {
			t.Errorf("%q lacks %q", a.Text, s)
		}
	}
	for _, s := range r.not {
		if strings.Contains(a.Text, s) {
			t.Errorf("%q has %q", a.Text, s)
		}
	}
	if a.Text == "" {
		t.Error("there is no text")
	}
}

// rows returns the cases, all of them.
func rows() (list []row) {
	for _, rows := range [][]row{
		moveObjectRows(), movePlayerRows(), setAttributeRows(), deleteAttributeRows(), createObjectRows(), deleteObjectRows(),
		moveRows(), hpRows(),
		mapRows(), zoneRows(), tripRows(), playerRows(),
	} {
		list = append(list, rows...)
	}
	return list
}

// TestConformance plays the cases of the conformance file from line to line, in each language.
func TestConformance(t *testing.T) {
	book := book(t)
	for _, r := range rows() {
		for _, lang := range rules.Langs() {
			t.Run(r.id+"/"+lang, func(t *testing.T) { r.play(t, book, lang) })
		}
	}
}

// numbers returns the cases that there are of each tool.
func numbers() map[string][]int {
	return map[string][]int{
		"move_object":      {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20},
		"move_player":      {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17},
		"set_attribute":    {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17},
		"delete_attribute": {1, 2, 4, 5, 7, 8, 10, 11, 13, 14},
		"create_object":    {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20},
		"delete_object":    {1, 2, 4, 5, 7, 8, 10, 11, 13, 14},
		"move":             {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19},
		"hp_delta":         {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20},
		"map_generate":     {1, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 22, 23},
		"move_to_zone":     {1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20},
		"get_player_state": {1, 2, 4, 5, 7, 8, 10, 11, 13},
		"generate_zone":    {2, 4, 5, 7, 19, 20, 22, 25}, // the others need a model's words
	}
}

// Every case of these tools is played.
func TestConformanceIsComplete(t *testing.T) {
	var want, got []string
	for tool, list := range numbers() {
		for _, n := range list {
			want = append(want, fmt.Sprintf("%s-%02d", tool, n))
		}
	}
	for _, r := range rows() {
		id, _, _ := strings.Cut(r.id, "/")
		got = append(got, id)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
