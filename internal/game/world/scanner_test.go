package world_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hob/internal/game/world"
)

func TestScanner_Int(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "-7": -7, "999999999999999999": 999999999999999999, "-1000000000000000000": -1000000000000000000,
		"9223372036854775807": 9223372036854775807, "-9223372036854775807": -9223372036854775807,
		"-9223372036854775808": -9223372036854775808,
	} {
		s := world.Scan([]byte(text))
		got := s.Int()
		s.End()
		if got != want || s.Err() != nil {
			t.Errorf("%s is %d, %v", text, got, s.Err())
		}
	}
	for _, text := range []string{"", "-", "+1", "1.0", "1e2", "00", "01", "-0", `"1"`, "9223372036854775808", "-9223372036854775809", "null"} {
		s := world.Scan([]byte(text))
		n := s.Int()
		s.End()
		if s.Err() == nil {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

// What the scanner takes for JSON is JSON, and all JSON without spaces between its parts is taken.
func TestScanner_RawIsJSON(t *testing.T) {
	raw := func(text string) bool {
		s := world.Scan([]byte(text))
		got := s.Raw()
		s.End()
		return s.Err() == nil && string(got) == text
	}
	for _, text := range []string{
		"0", "-0", "1.5e+3", "1E2", "-0.0", "null", "true", `"\u00e9\/\b\f"`, `{"a":[],"":{}}`, `[[],{},""]`, `"\ud83c\udfb2"`,
	} {
		if !raw(text) {
			t.Errorf("%s is not taken", text)
		}
	}
	for _, text := range []string{
		"", "+1", "01", ".5", "1.", "1e", "-", "Infinity", "nul", "tru", "'a'", `"a`, "\"\n\"", `"\x"`, `"\u12g4"`, `"\u12`, "[", "[1,]", "[,1]",
		"[1 ,2]", `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1,}`, "1 ", " 1", "{}{}", strings.Repeat("[", 101) + strings.Repeat("]", 101),
	} {
		if raw(text) {
			t.Errorf("%s is taken", text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune(`{}[],:"\0123-+.eEtruefalsn/b` + "é"))
		text := rapid.StringOfN(letters, 0, 12, -1).Draw(t, "text")
		if raw(text) != json.Valid([]byte(text)) {
			t.Fatalf("%s: taken is %v", text, raw(text))
		}
	})
}

func TestScanner_RefusesWhatHobDoesNotWrite(t *testing.T) {
	w := holding(t, &world.Actor{ID: "ann", Name: "Ann"})
	for _, line := range []string{
		"", "{}", "[]", `["actor"]`, `["actor","ann"]`, `["actor","ann",null]`, `["actor","ann",null,null]`, `["dragon","ann",null,{"id":"ann"}]`,
		`["actor","ann",{"name":["Ann","Bo"]}`, `["actor","bo",{"name":[null,"Bo"]}]`, `["actor","ann",{"name":["Ann"]}]`,
		`["actor","ann",{"name":["Ann",7]}]`, `["actor","ann",{"size":["Ann","Bo"]}]`, `["actor","ann",null,{"id":"bo"}]`,
		`["actor","ann",{"id":"bo"},null]`, `["actor","ann",{"id":["ann","bo"]}]`, `["actor","ann",{"id":"ann"},{"id":"ann"}]`,
		`["actor","ann", {"name":["Ann","Bo"]}]`, `["actor","ann",{"hp":[null,1.5]}]`, `["actor","ann",{"pos":[null,[1,2]]}]`,
	} {
		s := world.Scan([]byte(line))
		if e, err := s.Event(w, world.Forward); err == nil {
			t.Errorf("%s is read as %+v", line, e)
		}
	}
	for _, state := range []string{
		"", "[]", `{"dragons":{}}`, `{"actors":{"ann":{"id":"bo"}}}`, `{"actors":{"ann":{"id":"ann"},"ann":{"id":"ann"}}}`, `{"actors":[]}`,
		`{"world":[]}`, `{"encounters":{"other":{}}}`, `{"links":{"a>b":{"from":"b","to":"a"}}}`, `{"actors":{"ann":{"id":"ann"}}`,
	} {
		s := world.Scan([]byte(state))
		if _, err := s.State(); err == nil {
			t.Errorf("%s is read as a state", state)
		}
	}
	if s := world.Scan([]byte("{}")); s.Record(0) == nil || s.Err() == nil {
		t.Error("there is a record of no kind")
	}
}

// FuzzScanner reads anything as a record, as a state and as an event. It must come to an end, and what it takes must come out
// of another round as the same bytes. What is no UTF-8 is left out: hob writes none.
func FuzzScanner(f *testing.F) {
	for _, kind := range allKinds() {
		r := full(f, kind, 0)
		f.Add(byte(kind), world.AppendRecord(nil, r))
		f.Add(byte(100), world.AppendEvent(nil, world.Event{New: r}))
		f.Add(byte(100), world.AppendEvent(nil, world.Event{Old: r, New: full(f, kind, 1)}))
		f.Add(byte(101), world.AppendEvent(nil, world.Event{Old: r}))
		f.Add(byte(0), holding(f, r).AppendState(nil))
	}
	f.Add(byte(100), []byte(`["actor","ann",{"name":["Ann","Bo"],"hp":[null,-3]}]`))
	f.Add(byte(101), []byte(`["actor","ann",{"attrs":[null,{"\u00e9":"\ud83c\udfb2"}],"name":["Bo","Ann"]}]`))
	f.Fuzz(func(t *testing.T, what byte, b []byte) {
		if !utf8.Valid(b) {
			return
		}
		again := func(b []byte) ([]byte, error) {
			s := world.Scan(b)
			switch {
			case what == 0:
				w, err := s.State()
				return w.AppendState(nil), err
			case what < 100:
				r := s.Record(world.Kind(what))
				return world.AppendRecord(nil, r), s.Err()
			}
			e, err := s.Event(holding(t, &world.Actor{ID: "ann", Name: "Ann"}), world.Direction(what%2))
			if err != nil {
				return nil, err
			}
			return world.AppendEvent(nil, e), nil
		}
		first, err := again(b)
		if err != nil {
			return
		}
		if !json.Valid(first) {
			t.Fatalf("%s becomes %s, which is no JSON", b, first)
		}
		second, err := again(first)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%s becomes\n%s and then\n%s, %v", b, first, second, err)
		}
	})
}
