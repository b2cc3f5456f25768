package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/schema"
)

// Everything that is wrong is said at once, what is missing first, each with its place as a JSON pointer. Package tools
// tries the words of every kind of problem.
func TestCheck(t *testing.T) {
	trip := schema.New(json.RawMessage(`{"type":"object","properties":{
		"city":{"type":"string"},"days":{"type":"integer","minimum":1},
		"stops":{"type":"array","items":{"type":"object","properties":{"at/by":{"type":"string"}},"required":["at/by"],"additionalProperties":false}}
	},"required":["city"]}`))
	for _, c := range []struct {
		args  string
		clean string
		want  []schema.Problem
	}{
		{`{"city":"Ghent","days":2}`, `{"city":"Ghent","days":2}`, nil},
		{`{"city":"Ghent","days":2.0}`, `{"city":"Ghent","days":2}`, nil},
		{``, ``, []schema.Problem{{Path: "/city", Kind: schema.Required, Text: "is required"}}},
		{`{"days":"two","stops":[{},{"at/by":1}],"extra":true}`, ``, []schema.Problem{
			{Path: "/city", Kind: schema.Required, Text: "is required"},
			{Path: "/stops/0/at~1by", Kind: schema.Required, Text: "is required"},
			{Path: "/days", Kind: schema.Format, Text: `must be an integer, not "two"`},
			{Path: "/extra", Kind: schema.Value, Text: "unknown argument; the arguments are city, days, stops"},
			{Path: "/stops/1/at~1by", Kind: schema.Format, Text: "must be a string, not 1"},
		}},
		{`{"city":"a","city":"b"}`, ``, []schema.Problem{{Path: "/city", Kind: schema.Format, Text: "stands twice"}}},
		{`["city"]`, ``, []schema.Problem{{Kind: schema.Format, Text: `the arguments must be a JSON object, not ["city"]`}}},
	} {
		clean, problems, err := trip.Check(json.RawMessage(c.args))
		if diff := cmp.Diff(c.want, problems); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.args, err, diff)
		}
		if c.clean != "" && !sameJSON(t, c.clean, string(clean)) {
			t.Errorf("%s became %s", c.args, clean)
		}
	}
	if diff := cmp.Diff([]string{"city", "days", "stops"}, trip.Names()); diff != "" {
		t.Error(diff)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		t.Fatalf("%s or %s is no JSON", a, b)
	}
	return cmp.Equal(x, y)
}

func TestASchemaThatIsNone(t *testing.T) {
	bad := schema.New(json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"https://example.org/a"}}}`))
	if bad.Err() == nil {
		t.Error("a schema that lies elsewhere was compiled")
	}
	if _, _, err := bad.Check(json.RawMessage(`{}`)); err == nil {
		t.Error("and used")
	}
}
