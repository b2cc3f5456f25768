package world_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pgregory.net/rapid"

	"hob/internal/game/world"
)

// members returns the names of a JSON object in the order in which they stand there.
func members(t *testing.T, object []byte) (names []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatalf("%s: %v", object, err)
		}
	}
	return names
}

// A field that is forgotten would be lost in a log; one that is out of order would make the bytes of equal records differ
// between versions, and changes would be found wrongly, for they are compared in the order of names.
func TestRecord_EveryFieldIsWrittenInOrder(t *testing.T) {
	for _, kind := range allKinds() {
		r := full(t, kind, 0)
		names := members(t, world.AppendRecord(nil, r))
		if fields := reflect.TypeOf(r).Elem().NumField(); len(names) != fields {
			t.Errorf("%s has %d fields and writes %d: %v", kind, fields, len(names), names)
		}
		if !slices.IsSorted(names) {
			t.Errorf("%s writes its fields out of order: %v", kind, names)
		}
		if got := string(world.AppendRecord(nil, world.New(kind))); got != "{}" {
			t.Errorf("an empty %s is %s", kind, got)
		}
	}
}

func TestRecord_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(allKinds()).Draw(t, "kind")
		r := randomRecord(t, kind)
		b := world.AppendRecord(nil, r)
		if !json.Valid(b) {
			t.Fatalf("%s is no JSON", b)
		}
		s := world.Scan(b)
		got := s.Record(kind)
		s.End()
		if s.Err() != nil {
			t.Fatalf("%s: %v", b, s.Err())
		}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Fatalf("%s reads as another record (-written +read):\n%s", b, diff)
		}
	})
}

// Nothing of a list, a map or a text that is there is lost because it is empty.
func TestRecord_EmptyIsNotNothing(t *testing.T) {
	for _, test := range []struct {
		r    world.Record
		want string
	}{
		{&world.Place{ID: "p", Attrs: map[string]string{}}, `{"attrs":{},"id":"p"}`},
		{&world.Place{ID: "p"}, `{"id":"p"}`},
		{&world.Self{Allow: []string{}}, `{"allow":[]}`},
		{&world.Actor{ID: "a", HP: world.Known(0)}, `{"hp":0,"id":"a"}`},
		{&world.Actor{ID: "a", Pos: &world.Point{}}, `{"id":"a","pos":[0,0,0]}`},
		{&world.Thing{ID: "井", Attrs: map[string]string{"b": "\x00\"\\\n", "a": "é"}}, `{"attrs":{"a":"é","b":"\u0000\"\\\n"},"id":"井"}`},
		{&world.Thing{ID: "\xff<>&\u2028"}, "{\"id\":\"\uFFFD<>&\u2028\"}"},
	} {
		if got := string(world.AppendRecord(nil, test.r)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestLinks_AnyIDsMakeAKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hard := rapid.OneOf(ids(), rapid.StringOfN(rapid.SampledFrom([]rune(`>\a`)), 0, 4, -1))
		l := &world.Link{From: hard.Draw(t, "from"), To: hard.Draw(t, "to")}
		other := &world.Link{From: hard.Draw(t, "other from"), To: hard.Draw(t, "other to")}
		w := world.Empty()
		if err := w.Apply(world.Event{New: l}); err != nil {
			t.Fatal(err)
		}
		if w.Record(world.LinkKind, l.Key()) != world.Record(l) || w.Link(l.From, l.To) != l {
			t.Fatalf("the link %q > %q is not found by its key %q", l.From, l.To, l.Key())
		}
		same := l.From == other.From && l.To == other.To
		if (l.Key() == other.Key()) != same {
			t.Fatalf("the links %q > %q and %q > %q have the keys %q and %q", l.From, l.To, other.From, other.To, l.Key(), other.Key())
		}
	})
	if key := (&world.Link{From: `a>`, To: `b\`}).Key(); key != `a\>>b\\` {
		t.Errorf("the key is %s", key)
	}
}

func TestMapsAndListsAreCopied(t *testing.T) {
	m, list := map[string]int64{"a": 1, "b": 2}, make([]string, 1, 8)
	list[0] = "a"
	if diff := cmp.Diff(map[string]int64{"a": 1, "b": 2, "c": 3}, world.With(m, "c", 3)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"b": 2}, world.Without(m, "a")); diff != "" {
		t.Error(diff)
	}
	first := world.Append(list, "b")
	if diff := cmp.Diff([]string{"a", "c"}, world.Append(list, "c")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, first); diff != "" {
		t.Error("a list that was appended to changed: " + diff)
	}
	if diff := cmp.Diff([]string{"b"}, world.Remove([]string{"a", "b", "a"}, "a")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"a": 1, "b": 2}, m); diff != "" {
		t.Error("what was copied changed: " + diff)
	}
}
