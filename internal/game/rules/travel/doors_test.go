package travel_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// halls is a row of areas, a-b-c, with a locked door between b and c and its key in a box in a.
func halls(t *testing.T, more ...world.Record) *table {
	t.Helper()
	area := func(id string) world.Record { return &world.Place{ID: id, Name: id, Type: "area"} }
	records := []world.Record{
		area("a"), area("b"), area("c"), &world.Actor{ID: "ann", Name: "Ann", Place: "b"}, &world.Actor{ID: "bo", Name: "Bo", Place: "a"},
		&world.Thing{ID: "box", Parent: "a"}, &world.Thing{ID: "key", Name: "key", Parent: "box"}, &world.Thing{ID: "knife", Name: "knife", Parent: "ann"},
		&world.Link{From: "a", To: "b", Dir: "n"}, &world.Link{From: "b", To: "a", Dir: "s"},
		&world.Link{From: "b", To: "c", Door: world.LockedDoor, Lock: "key"}, &world.Link{From: "c", To: "b", Door: world.LockedDoor, Lock: "key"},
		&world.Self{AllowAll: true, Session: "s1", Active: "ann", ClockSet: true, Minute: nineThirty},
	}
	return set(t, append(records, more...)...)
}

// give puts an object somewhere else.
func (b *table) give(thing, to string) {
	now := *b.World.Thing(thing)
	now.Parent = to
	b.Put(&now)
}

const annToC = `{"player_id":"ann","target_location_id":"c"}`

func TestStep_Doors(t *testing.T) {
	b := halls(t)
	b.no(shut, "move_player", annToC, "locked")
	b.no(shut, "move", `{"to_area_id":"c"}`, "locked")
	b.give("key", "bo")
	b.no(shut, "move_player", annToC, "locked")

	b.give("box", "ann") // with nothing in it
	b.give("key", "box")
	b.ok("move_player", annToC, `{"from":"b","to":"c","minutes":1}`, "unlocked", "key")
	b.at("ann", "c")
	for _, l := range [...]*world.Link{b.World.Link("b", "c"), b.World.Link("c", "b")} {
		if l.Door != world.OpenDoor || l.Lock != "key" {
			t.Errorf("the door is %s, with the key %q", l.Door, l.Lock)
		}
	}
	b.give("key", "a")
	b.ok("move", `{"to_area_id":"b"}`, "")
	b.ok("set_link", `{"from":"b","to":"c","state":"closed"}`, "")
	b.no(shut, "move_player", annToC, "closed")

	b = halls(t, &world.Link{From: "b", To: "c", Door: world.LockedDoor})
	b.no(shut, "move_player", annToC, "locked") // no key opens it
}

func TestStep_WhatElseBarsAWay(t *testing.T) {
	b := halls(t, &world.Link{From: "b", To: "c", Needs: "key"})
	b.no("error invalid_args needs_object", "move_player", annToC, "key")
	b.give("key", "ann")
	b.ok("move_player", annToC, "")
	b = halls(t, &world.Link{From: "b", To: "c", Blocked: "the roof came down"})
	b.no("error invalid_args blocked", "move_player", annToC, "the roof came down")

	b = halls(t, &world.Link{From: "b", To: "c", Hidden: true}, &world.Link{From: "c", To: "b", Hidden: true})
	b.ok("move_options", `{}`, `{"options":[{"to_area_id":"a","name":"a","dir":"s","minutes":1}]}`)
	b.ok("move_player", annToC, "")
	if b.World.Link("b", "c").Hidden || b.World.Link("c", "b").Hidden || !b.World.Place("c").Visited {
		t.Error("who took a hidden way has not found it")
	}
}

func TestStep_Time(t *testing.T) {
	at := func(id string, x, y, z int64) world.Record {
		return &world.Place{ID: id, Type: "area", Pos: &world.Point{X: x, Y: y, Z: z}, Laid: true}
	}
	for _, test := range []struct {
		name    string
		more    []world.Record
		minutes int64
		metres  string
	}{
		{"in space", []world.Record{at("b", 0, 0, 0), at("c", 300_000, 0, 400_000)}, 7, "500"},
		{"as the way says", []world.Record{at("b", 0, 0, 0), at("c", 300_000, 0, 400_000), &world.Link{From: "b", To: "c", Minutes: 90}}, 90, "500"},
		{"at another speed", []world.Record{at("b", 0, 0, 0), at("c", 300_000, 0, 400_000),
			&world.Actor{ID: "ann", Name: "Ann", Place: "b", Speed: world.Known(9000)}}, 4, "500"},
		{"at none", []world.Record{at("b", 0, 0, 0), at("c", 100, 0, 0), &world.Actor{ID: "ann", Name: "Ann", Place: "b", Speed: world.Known(-9)}}, 6, "0.1"},
		{"nowhere in particular", []world.Record{at("b", 0, 0, 0)}, 1, "0"},
		{"in no time", []world.Record{at("b", 0, 0, 0), at("c", 0, 0, 0)}, 1, "0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := halls(t, append([]world.Record{&world.Link{From: "b", To: "c"}}, test.more...)...)
			b.ok("move", `{"to_area_id":"c"}`, `{"to_area_id":"c","from_area_id":"b"}`)
			b.takes(test.minutes)
			b.notes(rules.Note{ID: "log_1", Kind: "move", Text: `Ann goes from "b" to "c".`,
				Data: json.RawMessage(`{"actor":"ann","from":"b","to":"c","distance":` + test.metres + `,"minutes":` + itoa(test.minutes) + `}`)})
			rulestest.Same(t, b.World.Actor("ann").Pos, b.World.Place("c").Pos)
		})
	}
	b := halls(t, &world.Link{From: "b", To: "c", Minutes: 6_000_000_000})
	b.no("error invalid_args too_far", "move_player", annToC)
	b.is(func(s *world.Self) { s.ClockSet = false }).ok("move_player", annToC, "")
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func TestMoveOptions(t *testing.T) {
	b := halls(t, &world.Place{ID: "vault", Name: "Vault", Secret: true}, &world.Link{From: "b", To: "vault"}, &world.Link{From: "b", To: "gone"})
	b.ok("move_options", `{}`, `{"options":[{"to_area_id":"a","name":"a","dir":"s","minutes":1},{"to_area_id":"c","name":"c","minutes":1,`+
		`"blocked":"The door between \"b\" and \"c\" is locked, and its key is not at hand."}]}`, "a (a)", "c (c): The door")
	b.give("key", "ann")
	b.Put(&world.Place{ID: "vault", Name: "Vault", Secret: true, Visited: true})
	b.ok("move_options", `{"actor_id":"ann"}`, `{"options":[{"to_area_id":"a","name":"a","dir":"s","minutes":1},`+
		`{"to_area_id":"c","name":"c","minutes":1},{"to_area_id":"vault","name":"Vault","minutes":1}]}`)
	b.ok("move_options", `{"actor_id":"bo"}`, `{"options":[{"to_area_id":"b","name":"b","dir":"n","minutes":1}]}`)
	b.no(notFound, "move_options", `{"actor_id":"zz"}`, "zz")
	b.Put(&world.Actor{ID: "bo", Place: "vault"})
	b.ok("move_options", `{"actor_id":"bo"}`, `{"options":[]}`, "no way")
	b.is(func(s *world.Self) { s.Active = "" }).no(badArgs, "move_options", `{}`)
}

// In a sub zone the ways of its zone are there, too.
func TestStep_FromASubZone(t *testing.T) {
	b := w3(t, &world.Link{From: "zone_0_0_0", To: "zone_600_0_0"}, &world.Link{From: "sub", To: "cellar"}, &world.Place{ID: "cellar"},
		&world.Place{ID: "sub", Type: "sub_zone", Parent: "zone_0_0_0", Pos: &world.Point{X: 1000}},
		&world.Actor{ID: "player_001", Name: "Player", Place: "sub"})
	b.ok("move_options", `{}`, `{"options":[{"to_area_id":"cellar","name":"cellar","minutes":1},{"to_area_id":"zone_600_0_0","name":"East Post","minutes":8},`+
		`{"to_area_id":"zone_120_-80_0","name":"Rubble Stage","minutes":2,"tool":"move_to_zone"}]}`)
	b.no(samePlace, "move", `{"to_area_id":"zone_0_0_0"}`)
	b.ok("move", `{"from_area_id":"zone_0_0_0","to_area_id":"zone_600_0_0"}`, `{"to_area_id":"zone_600_0_0","from_area_id":"sub"}`)
	b.at("player_001", "zone_600_0_0")
	b.Put(&world.Actor{ID: "player_001", Name: "Player", Place: "sub"})
	b.Put(&world.Link{From: "zone_0_0_0", To: "sub", Door: world.ClosedDoor})
	b.no(notReachable, "move", `{"to_area_id":"zone_600_0_0"}`)
}

func TestSetLink(t *testing.T) {
	link := func(from, to, kind, state, key string) string {
		return `{"link":{"from":"` + from + `","to":"` + to + `","type":"` + kind + `","state":"` + state + `","key_id":` + key + `}}`
	}
	t.Run("a new way", func(t *testing.T) {
		b := halls(t)
		b.ok("set_link", `{"from":"a","to":"c"}`, link("a", "c", "bidirectional", "none", "null"))
		rulestest.Same(t, b.World.Link("a", "c"), &world.Link{From: "a", To: "c", Order: 1001})
		rulestest.Same(t, b.World.Link("c", "a"), &world.Link{From: "c", To: "a", Order: 1002})
		if o := b.ok("set_link", `{"from":"a","to":"c"}`, ""); o.Changed {
			t.Error("the same again changes something")
		}
		halls(t).ok("set_link", `{"from":"a","to":"c","type":"in","state":"locked","key_id":"key"}`, link("a", "c", "in", "locked", `"key"`))
		halls(t).no("error invalid_args not_reachable", "set_link", `{"from":"a","to":"c","type":"none"}`)
		halls(t).no(badArgs, "set_link", `{"from":"a","to":"c","key_id":"key"}`)
	})
	t.Run("another direction", func(t *testing.T) {
		b := halls(t)
		b.ok("set_link", `{"from":"a","to":"b","type":"out"}`, link("a", "b", "out", "none", "null"))
		if b.World.Link("b", "a") != nil {
			t.Error("the way back is still there")
		}
		b.ok("set_link", `{"from":"a","to":"b","type":"bidirectional"}`, link("a", "b", "bidirectional", "none", "null"))
		rulestest.Same(t, b.World.Link("b", "a"), &world.Link{From: "b", To: "a", Dir: "s", Order: 1001})
		b.ok("set_link", `{"from":"c","to":"b","type":"out"}`, link("c", "b", "out", "locked", `"key"`))
		b.ok("set_link", `{"from":"c","to":"b","type":"in"}`, link("c", "b", "in", "locked", `"key"`))
		rulestest.Same(t, b.World.Link("b", "c"), &world.Link{From: "b", To: "c", Order: 1002, Door: world.LockedDoor, Lock: "key"})
	})
	t.Run("no way", func(t *testing.T) {
		b := halls(t)
		b.no("error invalid_args would_disconnect", "set_link", `{"from":"a","to":"b","type":"none"}`)
		b.ok("set_link", `{"from":"a","to":"c","type":"out"}`, "")
		b.ok("set_link", `{"from":"b","to":"a","type":"none"}`, link("b", "a", "none", "none", "null"))
		if b.World.Link("a", "b") != nil || b.World.Link("b", "a") != nil {
			t.Error("a way is left")
		}
	})
	t.Run("doors", func(t *testing.T) {
		b := halls(t)
		b.ok("set_link", `{"from":"a","to":"b","state":"closed"}`, link("a", "b", "bidirectional", "closed", "null"))
		b.ok("set_link", `{"from":"b","to":"a","state":"locked","key_id":"knife"}`, link("b", "a", "bidirectional", "locked", `"knife"`))
		b.ok("set_link", `{"from":"a","to":"b","state":"open"}`, link("a", "b", "bidirectional", "open", `"knife"`)) // Ann stands there with it
		if b.World.Link("b", "a").Door != world.OpenDoor || b.World.Link("a", "b").Lock != "knife" {
			t.Error("a door has two sides")
		}
		b.ok("set_link", `{"from":"a","to":"b","state":"none"}`, link("a", "b", "bidirectional", "none", "null"))
	})
	t.Run("a locked door", func(t *testing.T) {
		b := halls(t)
		b.no("error invalid_args wrong_key", "set_link", `{"from":"c","to":"b","state":"open","key_id":"knife"}`, "knife")
		b.no("error invalid_args wrong_key", "set_link", `{"from":"c","to":"b","key_id":"knife"}`)
		for _, at := range []string{"ann", "c", "b"} {
			b := halls(t)
			b.give("key", at)
			b.ok("set_link", `{"from":"b","to":"c","state":"open","key_id":"key"}`, link("b", "c", "bidirectional", "open", `"key"`))
		}
		b.ok("set_link", `{"from":"b","to":"c","state":"locked"}`, link("b", "c", "bidirectional", "locked", `"key"`))
		b.ok("set_link", `{"from":"b","to":"c","state":"none"}`, link("b", "c", "bidirectional", "none", "null")) // broken down
	})
	t.Run("what is not there", func(t *testing.T) {
		b := halls(t)
		b.no(notFound, "set_link", `{"from":"a","to":"zz"}`, "zz")
		b.no(notFound, "set_link", `{"from":"zz","to":"a"}`, "zz")
		b.no(notFound, "set_link", `{"from":"a","to":"b","state":"locked","key_id":"zz"}`, "zz")
		b.no("error invalid_args self_target", "set_link", `{"from":"zz","to":"zz"}`)
		b.no(badArgs, "set_link", `{"from":"a","to":"b","state":"ajar"}`)
		b.no(badArgs, "set_link", `{"from":"a"}`)
	})
}
