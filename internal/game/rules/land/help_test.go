package land_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// table is a world with a turn on it.
type table struct{ *rulestest.Table }

// set makes a world of records on which every tool may be used, unless self says otherwise.
func set(t rulestest.T, self *world.Self, records ...world.Record) *table {
	t.Helper()
	return &table{rulestest.New(t, []rules.Family{land.Family()}, append([]world.Record{self}, records...)...)}
}

// ok runs a call that is to be applied and returns its result.
func (b *table) ok(tool, args string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if !o.OK() {
		b.T.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.Text(o))
	}
	return o
}

// no runs a call that is to be refused, with its status and reason of seed 002.
func (b *table) no(status rules.Status, reason, tool, args string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if o.Status != status || o.Reason() != reason {
		b.T.Errorf("%s %s: %s %s (%s), want %s %s", tool, args, o.Status, o.Reason(), b.Text(o), status, reason)
	}
	return o
}

// read reads a result.
func read[T any](t rulestest.T, o rules.Outcome) (v T) {
	t.Helper()
	if err := json.Unmarshal(o.Result, &v); err != nil {
		t.Fatalf("%s: %v", o.Result, err)
	}
	return v
}

func TestWordsAreThere(t *testing.T) {
	for _, lang := range rules.Langs() {
		b := set(t, &world.Self{Lang: lang, AllowAll: true, Active: "pc_001"}, &world.Actor{ID: "pc_001"})
		o := b.ok("map_generate", `{"parent_area_id":null,"constraints":{"size":2,"seed":"a"}}`)
		if text := b.Text(o); !strings.Contains(text, "area_001") {
			t.Errorf("%s: %q", lang, text)
		}
	}
}
