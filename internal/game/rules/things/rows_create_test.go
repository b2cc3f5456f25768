package things_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// created runs create_object for a rum and returns what it made. attributes is JSON, "" for none.
func (b *table) created(attributes string, says ...string) *world.Thing {
	b.T.Helper()
	args := `{"name":"Rum","connectionId":"char_ann"}`
	if attributes != "" {
		args = `{"name":"Rum","connectionId":"char_ann","attributes":` + attributes + `}`
	}
	return b.World.Thing(b.ok("create_object", args, says...).Created)
}

// text returns s as a JSON string.
func text(s string) string { return string(world.AppendString(nil, s)) }

// The rows of create_object, by their ids.
func TestCreateObjectRows(t *testing.T) {
	type attrs = map[string]string
	t.Run("create_object-01", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok("create_object", `{"name":"Rum","connectionId":"char_ann","attributes":"{\"condition\":\"full\",`+
			`\"content\":\"rum\"}"}`,
			"Создан новый объект", "у игрока", "condition: full; content: rum")
		if !regexp.MustCompile(`^obj_\d+_[a-z0-9]+$`).MatchString(o.Created) {
			t.Errorf("the id is %q", o.Created)
		}
		b.Says(o, o.Created)
		rulestest.Same(t, string(o.Result), `{"created_id":"`+o.Created+`"}`)
		rulestest.Same(t, b.World.Thing(o.Created), &world.Thing{
			ID: o.Created, Order: 1001, Name: "Rum", Parent: "char_ann", Attrs: attrs{"condition": "full", "content": "rum"},
		})
	})
	t.Run("create_object-02", func(t *testing.T) {
		for lang, want := range map[string]string{"ru": "в хорошем состоянии", "en": "in good condition", "zh": "完好",
			"": "in good condition"} {
			b := w1(t, lang)
			o := b.ok("create_object", `{"name":"Rum","connectionId":"loc_hall"}`, want)
			rulestest.Same(t, b.World.Thing(o.Created).Attrs, attrs{"condition": want})
			if lang == "ru" {
				b.Says(o, "в локации")
			}
		}
	})
	t.Run("create_object-04", func(t *testing.T) {
		rulestest.Same(t, w1(t, "ru").created(`{"condition":"full","content":"rum"}`).Attrs, attrs{"condition": "full", "content": "rum"})
	})
	t.Run("create_object-05", func(t *testing.T) {
		rulestest.Same(t, w1(t, "ru").created(`"heavy and smooth"`).Attrs, attrs{"condition": "heavy and smooth"})
	})
	t.Run("create_object-07", func(t *testing.T) {
		b := w1(t, "ru")
		o := b.ok("create_object", `{"name":"  Rum  ","connectionId":" char_ann ","attributes":"{\"condition\":\"  x  \"}"}`)
		rulestest.Same(t, b.World.Thing(o.Created).Name, "Rum")
		rulestest.Same(t, b.World.Thing(o.Created).Attrs, attrs{"condition": "x"})
	})
	t.Run("create_object-08", func(t *testing.T) {
		rulestest.Same(t, w1(t, "ru").created(text(`"a":"1"}`)).Attrs, attrs{"a": "1"})
	})
	t.Run("create_object-10", func(t *testing.T) {
		rulestest.Same(t, w1(t, "ru").created(text(`x "k": "v" y`)).Attrs, attrs{"k": "v"})
	})
	t.Run("create_object-11", func(t *testing.T) {
		for _, raw := range []string{"[1,2]", "5", `"str"`} {
			rulestest.Same(t, w1(t, "ru").created(text(raw)).Attrs, attrs{"condition": raw})
		}
	})
	t.Run("create_object-13", func(t *testing.T) {
		got := w1(t, "ru").created(`{"a":1,"b":null,"c":"","d":"  x ","h":true,"i":0}`).Attrs
		rulestest.Same(t, got, attrs{"a": "1", "d": "x", "h": "true", "i": "0"})
	})
	t.Run("create_object-14", func(t *testing.T) {
		rulestest.Same(t, w1(t, "ru").created(`{"e":{"f": 1},"g":[1, 2]}`).Attrs, attrs{"e": `{"f":1}`, "g": "[1,2]"})
	})
	t.Run("create_object-16", func(t *testing.T) {
		b := w1(t, "ru")
		b.no(rules.InvalidArgs, "create_object", `{"name":"   ","connectionId":"loc_hall"}`, "обязательны", "name")
		b.no(rules.InvalidArgs, "create_object", `{"name":"Rum"}`, "обязательны", "connection_id")
	})
	t.Run("create_object-17", func(t *testing.T) {
		b := w1(t, "ru")
		b.no(rules.EntityNotFound, "create_object", `{"name":"Rum","connectionId":"nonexistent_999"}`, "nonexistent_999",
			"не найдена")
		rulestest.Same(t, len(b.World.Things()), 5)
	})
	t.Run("create_object-19", func(t *testing.T) {
		b := w1(t, "ru")
		name := strings.Repeat("ж", 130)
		o := b.ok("create_object", `{"name":"`+name+`","connectionId":"loc_hall"}`, name)
		rulestest.Same(t, b.World.Thing(o.Created).Name, name)
	})
	t.Run("create_object-20", func(t *testing.T) {
		rulestest.Same(t, w1(t, "ru").created(`{"locationId":"x"}`).Attrs, attrs{"locationId": "x"})
	})
}

// Attributes as models write them. The left side is the string that they send.
func TestAttributesAreRepaired(t *testing.T) {
	type attrs = map[string]string
	for _, tt := range []struct {
		name, in string
		want     attrs
	}{
		{"no closing brace", `{"a":"1","b":"2"`, attrs{"a": "1", "b": "2"}},
		{"no braces", `"a":"1","b":"2"`, attrs{"a": "1", "b": "2"}},
		{"cut off within a value", `{"a":"1","b":"two thr`, attrs{"a": "1", "b": "two thr"}},
		{"single quotes", `{'a':'it's red', 'b':'x'}`, attrs{"a": "it's red", "b": "x"}},
		{"curved quotes", `{“a”: “1”, «b»: «2»}`, attrs{"a": "1", "b": "2"}},
		{"trailing comma", `{"a":"1",}`, attrs{"a": "1"}},
		{"missing comma", `{"a":"1" "b":"2"}`, attrs{"a": "1", "b": "2"}},
		{"names without quotes", `{a:"1", b:'2'}`, attrs{"a": "1", "b": "2"}},
		{"values without quotes", `{"a": old oak, b: True, c: None, d: 7}`, attrs{"a": "old oak", "b": "true", "d": "7"}},
		{"quotes within a value", `{"a":"the "old" one","b":"2"}`, attrs{"a": `the "old" one`, "b": "2"}},
		{"nested, and a comma too many", `{"a":{"f": 1},"g":[1, 2],}`, attrs{"a": `{"f":1}`, "g": "[1,2]"}},
		{"a string twice", `{\"a\":\"1\"}`, attrs{"a": "1"}},
		{"a string twice, in a fence", "```\n{\\\"a\\\":\\\"1\\\"}\n```", attrs{"a": "1"}},
		{"a fence", "```json\n{\"a\":\"1\"}\n```", attrs{"a": "1"}},
		{"escapes", `{'a':'x\ny \"z\"'}`, attrs{"a": "x\ny \"z\""}},
		{"pairs in prose", `It has "a": "1" and "b" : "2", and "c" too.`, attrs{"a": "1", "b": "2"}},
		{"pairs after a brace that is broken", `{"a":"1"} and more`, attrs{"a": "1"}},
		{"prose with quotes", `"Old" sword: sharp`, attrs{"condition": `"Old" sword: sharp`}},
		{"prose with quotes and a colon", `"Heavy": that is what it says`, attrs{"condition": `"Heavy": that is what it says`}},
		{"prose with a colon", `warning: keep away`, attrs{"condition": "warning: keep away"}},
		{"prose in braces", `{broken} sword`, attrs{"condition": "{broken} sword"}},
		{"nothing", "  ", attrs{"condition": "in good condition"}},
		{"nothing in it", `{"a":"","b":null," ":"x"}`, attrs{"condition": "in good condition"}},
		{"null", "null", attrs{"condition": "in good condition"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rulestest.Same(t, w1(t, "en").created(text(tt.in)).Attrs, tt.want)
		})
	}
	for raw, want := range map[string]attrs{
		"null": {"condition": "in good condition"}, "0": {"condition": "in good condition"},
		`""`:    {"condition": "in good condition"},
		"false": {"condition": "in good condition"}, "7": {"condition": "7"}, "[1,2]": {"condition": "[1,2]"},
	} {
		rulestest.Same(t, w1(t, "en").created(raw).Attrs, want)
	}
}

// Whatever a model sends as attributes, the object has attributes, within the limits, or is not made.
func FuzzAttributes(f *testing.F) {
	for _, seed := range []string{`"a":"1"}`, `x "k": "v" y`, `{'a':'it's'`, "```json{", `{“a”:`, `{a:{`, `\"`, `{"a":[1,`} {
		f.Add(seed)
	}
	b := w1(f, "en")
	f.Fuzz(func(t *testing.T, in string) {
		b.T = t
		args, err := json.Marshal(map[string]string{"name": "Rum", "connection_id": "char_ann", "attributes": in})
		if err != nil {
			t.Skip()
		}
		o := b.Call("create_object", string(args))
		if !o.OK() {
			rulestest.Same(t, o.Code, rules.Code("limit"))
			return
		}
		made := b.World.Thing(o.Created).Attrs
		b.ok("delete_object", `{"object_id":"`+o.Created+`"}`)
		b.Turn.Outcomes, b.Turn.Events = nil, nil
		for name, v := range made {
			if name == "" || v == "" || strings.TrimSpace(v) != v || len([]rune(v)) > 500 || len([]rune(name)) > 64 {
				t.Errorf("%q: %q", name, v)
			}
		}
		if len(made) == 0 || len(made) > 32 {
			t.Errorf("%d attributes", len(made))
		}
	})
}

// What else there is to a new object.
func TestCreateObjectBeyondTheSeed(t *testing.T) {
	b := w1(t, "ru", &world.Thing{ID: "obj_tin", Name: "Tin", Parent: "loc_hall", Closed: true, Capacity: 4},
		&world.Actor{ID: "npc_001", Name: "Osric", Role: "npc", Place: "loc_hall"})
	o := b.ok("create_object", `{"name":"Монета","connection_id":"obj_tin","qty":4,"container":true,"attributes":{"a":"1"}}`,
		"«Монета» (4 шт.)", "внутри объекта «Tin»")
	rulestest.Same(t, b.World.Thing(o.Created), &world.Thing{
		ID: o.Created, Order: 1001, Name: "Монета", Parent: "obj_tin", Qty: 4, Container: true,
		Attrs: map[string]string{"a": "1"},
	})
	b.no("over_capacity", "create_object", `{"name":"Pin","connection_id":"obj_tin"}`, "4")
	b.no(rules.InvalidArgs, "create_object", `{"name":"Pin","connection_id":"loc_hall","qty":0}`)
	b.no("limit", "create_object", `{"name":"Pin","connection_id":"loc_hall","attributes":`+text(strings.Repeat("x", 501))+`}`)
	b.ok("create_object", `{"name":"Pin","connection_id":"npc_001"}`, "у персонажа «Osric»")
}
