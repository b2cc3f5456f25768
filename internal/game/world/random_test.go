package world_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/world"
)

// allKinds returns every kind of record.
func allKinds() []world.Kind {
	var list []world.Kind
	for k := world.PlaceKind; world.New(k) != nil; k++ {
		list = append(list, k)
	}
	return list
}

// ids is a small pool, so that records meet; among them are those that a link's key must escape.
func ids() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "c", "a>b", `c\`, `>`, "é\"\n\x01", ""})
}

// texts are strings of any valid characters, often empty.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "Ж", "井", "\"\\/\t\x7f\u2028", "\U0001F3B2"}), rapid.StringN(0, 6, -1))
}

func numbers() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3))
}

// extras are what an imported record may have been left with: canonical JSON of an object.
func extras() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"", "{}", `{"a":[1,-2.5e3,null,true,{"b":"\n"}],"c":{}}`})
}

// randomRecord draws a record of kind with every field drawn.
func randomRecord(t *rapid.T, kind world.Kind) world.Record {
	r := world.New(kind)
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch name {
		case "ID", "From", "To", "Parent", "Place":
			v.Field(i).SetString(ids().Draw(t, name))
		case "Extra", "Heroes":
			v.Field(i).SetString(extras().Draw(t, name))
		default:
			drawField(t, name, v.Field(i))
		}
	}
	return r
}

func drawField(t *rapid.T, name string, v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *string:
		*p = texts().Draw(t, name)
	case *int64:
		*p = numbers().Draw(t, name)
	case *bool:
		*p = rapid.Bool().Draw(t, name)
	case *world.Number:
		if rapid.Bool().Draw(t, name+" known") {
			*p = world.Known(numbers().Draw(t, name))
		}
	case *[]string:
		if rapid.Bool().Draw(t, name+" there") {
			*p = append([]string{}, rapid.SliceOfN(texts(), 0, 3).Draw(t, name)...)
		}
	case *map[string]string:
		if rapid.Bool().Draw(t, name+" there") {
			*p = rapid.MapOfN(texts(), texts(), 0, 3).Draw(t, name)
		}
	case *map[string]int64:
		if rapid.Bool().Draw(t, name+" there") {
			*p = rapid.MapOfN(texts(), numbers(), 0, 3).Draw(t, name)
		}
	case *[]world.Talk:
		if rapid.Bool().Draw(t, name+" there") {
			*p = randomTalk(t)
		}
	case **world.Point:
		if rapid.Bool().Draw(t, name+" there") {
			n := numbers()
			*p = &world.Point{X: n.Draw(t, "x"), Y: n.Draw(t, "y"), Z: n.Draw(t, "z")}
		}
	case **world.Cell:
		if rapid.Bool().Draw(t, name+" there") {
			*p = &world.Cell{X: numbers().Draw(t, "x"), Y: numbers().Draw(t, "y")}
		}
	default:
		t.Fatalf("there is a field of a type that no test draws: %s %T", name, p)
	}
}

// randomTalk draws what somebody can be asked about.
func randomTalk(t *rapid.T) []world.Talk {
	list := []world.Talk{}
	for range rapid.IntRange(0, 3).Draw(t, "topics") {
		var one world.Talk
		v := reflect.ValueOf(&one).Elem()
		for i := range v.NumField() {
			drawField(t, v.Type().Field(i).Name, v.Field(i))
		}
		list = append(list, one)
	}
	return list
}

// randomEvent draws a change that fits w: a record comes, is replaced by another of its key, or goes.
func randomEvent(t *rapid.T, w *world.World) world.Event {
	kind := rapid.SampledFrom(allKinds()).Draw(t, "kind")
	r := randomRecord(t, kind)
	old := w.Record(kind, r.Key())
	if old != nil && kind != world.SelfKind && rapid.IntRange(0, 3).Draw(t, "goes") == 0 {
		return world.Event{Old: old}
	}
	return world.Event{Old: old, New: r}
}

// randomWorld draws a world by up to n changes of an empty one, and returns these too.
func randomWorld(t *rapid.T, n int) (*world.World, []world.Event) {
	w := world.Empty()
	var events []world.Event
	for range rapid.IntRange(0, n).Draw(t, "changes") {
		e := randomEvent(t, w)
		if err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return w, events
}

// full returns a record of kind in which nothing is zero. n makes differing ones.
func full(tb testing.TB, kind world.Kind, n int64) world.Record {
	r := world.New(kind)
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		fillField(tb, v.Type().Field(i).Name, v.Field(i), n)
	}
	return r
}

// fillField sets a field to something that is not zero and differs with n.
func fillField(tb testing.TB, name string, v reflect.Value, n int64) {
	text := name + string(rune('A'+n))
	switch p := v.Addr().Interface().(type) {
	case *string:
		if *p = text; name == "Extra" || name == "Heroes" {
			*p = `{"` + text + `":1}`
		}
	case *int64:
		*p = n + 1
	case *bool:
		*p = true
	case *world.Number:
		*p = world.Known(n)
	case *[]string:
		*p = []string{text}
	case *map[string]string:
		*p = map[string]string{text: "", "": text}
	case *map[string]int64:
		*p = map[string]int64{text: 0}
	case *[]world.Talk:
		one := world.Talk{}
		for i := range reflect.TypeOf(one).NumField() {
			fillField(tb, reflect.TypeOf(one).Field(i).Name, reflect.ValueOf(&one).Elem().Field(i), n)
		}
		*p = []world.Talk{one}
	case **world.Point:
		*p = &world.Point{X: n}
	case **world.Cell:
		*p = &world.Cell{Y: n}
	default:
		tb.Fatalf("there is a field of a type that no test fills: %s %T", name, p)
	}
}
