package travel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/calendar"
	"hob/internal/game/rules"
	"hob/internal/game/rules/travel"
	"hob/internal/game/world"
)

func toZone(id string) string { return `{"session_id":"s1","to_zone_id":"` + id + `"}` }

func TestTheClockOfTheCases(t *testing.T) {
	if date, err := calendar.FromMinutes(nineThirty); err != nil || date.String() != "1024-03-14 09:30" {
		t.Errorf("it is %s, %v", date, err)
	}
}

// dungeon lies within Origin: gate - hall - vault, the vault's door with a state, and 100 m from one to the next. A well leads
// out of the hall to East Post, and not back.
func dungeon(t *testing.T, door string, more ...world.Record) *table {
	t.Helper()
	room := func(id string, x int64) world.Record {
		return &world.Place{ID: id, Type: "area", Parent: "zone_0_0_0", Laid: true, Pos: &world.Point{X: x * 1000}}
	}
	records := []world.Record{room("gate", 0), room("hall", 100), room("vault", 200), &world.Link{From: "hall", To: "zone_600_0_0", Minutes: 3}}
	records = append(append(records, joined("zone_0_0_0", "gate")...), joined("gate", "hall")...)
	records = append(records, &world.Link{From: "hall", To: "vault", Door: door}, &world.Link{From: "vault", To: "hall", Door: door})
	return w3(t, append(records, more...)...)
}

func TestTrip_ToAnInterior(t *testing.T) {
	b := dungeon(t, world.OpenDoor)
	b.ok("move_to_zone", toZone("vault"), `{"ok":true,"new_position":{"x":200,"y":0,"z":0,"zone_id":"zone_0_0_0"},"duration_min":3,"movement_log_id":"log_1"}`)
	b.at("player_001", "vault")
	for _, id := range []string{"gate", "hall", "vault"} {
		if !b.World.Place(id).Visited {
			t.Errorf("%s was passed and not seen", id)
		}
	}
	b.notes(rules.Note{ID: "log_1", Kind: "move", Text: `Player travels from "Origin" to "vault": 200 m, 3 min.`,
		Data: json.RawMessage(`{"actor":"player_001","from":"zone_0_0_0","to":"vault","distance":200,"minutes":3}`)})
	b.takes(3)
	// Back the way one came and straight on is 344.2 m; the well would take longer.
	b.ok("move_to_zone", toZone("zone_120_-80_0"), "")
	b.at("player_001", "zone_120_-80_0")
	b.takes(3 + 5)
	for _, door := range []string{world.ClosedDoor, world.LockedDoor} {
		b := dungeon(t, door)
		b.no(notReachable, "move_to_zone", toZone("vault"), "Origin", "vault")
		b.Put(&world.Actor{ID: "player_001", Place: "vault"})
		b.no(notReachable, "move_to_zone", toZone("zone_0_0_0"))
	}
	b = dungeon(t, world.NoDoor, &world.Actor{ID: "player_001", Place: "zone_600_0_0"})
	b.ok("move_to_zone", toZone("hall"), `{"ok":true,"new_position":{"x":100,"y":0,"z":0,"zone_id":"zone_0_0_0"},"duration_min":10,"movement_log_id":"log_1"}`)
	b.Put(&world.Link{From: "gate", To: "hall", Hidden: true})
	b.Put(&world.Actor{ID: "player_001", Place: "zone_600_0_0"})
	b.no(notReachable, "move_to_zone", toZone("vault"))
	b.Put(&world.Actor{ID: "player_001", Place: "zone_gone", Pos: &world.Point{X: 75_000}})
	b.Put(&world.Link{From: "gate", To: "hall"})
	b.ok("move_to_zone", toZone("hall"), `{"ok":true,"new_position":{"x":100,"y":0,"z":0,"zone_id":"zone_0_0_0"},"duration_min":3,"movement_log_id":"log_2"}`)
}

// Where places lie nowhere in particular, ways are all there is.
func TestTrip_WithoutPositions(t *testing.T) {
	b := halls(t, &world.Link{From: "b", To: "c", Minutes: 7}, &world.Actor{ID: "ann", Name: "Ann", Place: "a"})
	b.ok("move_to_zone", toZone("c"), `{"ok":true,"new_position":{"x":0,"y":0,"z":0,"zone_id":"c"},"duration_min":8,"movement_log_id":"log_1"}`)
	b.at("ann", "c")
	b.no(notReachable, "move_to_zone", toZone("a"))
	b = halls(t, &world.Link{From: "b", To: "c", Needs: "key"})
	b.no(notReachable, "move_to_zone", toZone("c"))
	b.give("key", "ann")
	b.ok("move_to_zone", toZone("c"), "")
}

// A sub zone lies in the open unless a way to it is barred: then it is reached by ways alone.
func TestTrip_SubZones(t *testing.T) {
	sub := &world.Place{ID: "sub", Type: "sub_zone", Parent: "zone_600_0_0", Pos: &world.Point{X: 600_000, Z: 75_000}}
	b := w3(t, sub)
	b.ok("move_to_zone", toZone("sub"), `{"ok":true,"new_position":{"x":600,"y":0,"z":75,"zone_id":"zone_600_0_0"},"duration_min":9,"movement_log_id":"log_1"}`)
	b.at("player_001", "sub")
	b = w3(t, sub, &world.Link{From: "zone_600_0_0", To: "sub", Door: world.ClosedDoor})
	b.no(notReachable, "move_to_zone", toZone("sub"))
	b.ok("move_to_zone", toZone("zone_600_0_0"), "")
	b.at("player_001", "zone_600_0_0") // not behind the door
	b.Put(&world.Link{From: "zone_600_0_0", To: "sub", Door: world.OpenDoor})
	b.ok("move_to_zone", toZone("sub"), "")
	for _, l := range joined("zone_600_0_0", "sub") {
		b.Put(l)
	}
	b.ok("move_to_zone", toZone("zone_0_0_0"), `{"ok":true,"new_position":{"x":0,"y":0,"z":0,"zone_id":"zone_0_0_0"},"duration_min":8,"movement_log_id":"log_3"}`)
}

func TestTrip_Names(t *testing.T) {
	b := w3(t, &world.Place{ID: "inn", Name: "East Post", Type: "sub_zone", Parent: "zone_0_0_0"},
		zone("zone_1", "Twin", 1, 0, 0), zone("zone_2", "Twin", 2, 0, 0))
	b.ok("move_to_zone", `{"session_id":"s1","to_zone_name":"East Post"}`, "")
	b.at("player_001", "zone_600_0_0")
	b.no(badArgs, "move_to_zone", `{"session_id":"s1","to_zone_name":"Twin"}`, "zone_1", "zone_2")
	b.ok("move_to_zone", `{"session_id":"s1","to_zone_id":"zone_1","to_zone_name":"Origin"}`, "")
	b.at("player_001", "zone_1")
}

func TestTrip_BeyondTheEndOfTime(t *testing.T) {
	b := w3(t, zone("far", "Far", 1<<40, 0, 0))
	b.no("error invalid_args too_far", "move_to_zone", toZone("far"))
	b.is(func(s *world.Self) { s.ClockSet = false }).ok("move_to_zone", toZone("far"), "")
}

// maze is a world of random rooms and ways, some within zones.
func maze(t *rapid.T) (records []world.Record, ids []string) {
	n := rapid.IntRange(2, 9).Draw(t, "places")
	for i := range n {
		p := &world.Place{ID: fmt.Sprintf("p%d", i), Overland: rapid.IntRange(0, 3).Draw(t, "overland") == 0}
		if p.Overland || rapid.Bool().Draw(t, "placed") {
			p.Pos = &world.Point{X: rapid.Int64Range(-2, 2).Draw(t, "x") * 50_000, Y: rapid.Int64Range(-2, 2).Draw(t, "y") * 50_000}
		}
		p.Laid = rapid.IntRange(0, 4).Draw(t, "laid") == 0
		records, ids = append(records, p), append(ids, p.ID)
	}
	one := rapid.SampledFrom(ids)
	for range rapid.IntRange(0, 2*n).Draw(t, "ways") {
		l := &world.Link{From: one.Draw(t, "from"), To: one.Draw(t, "to"), Minutes: rapid.Int64Range(0, 3).Draw(t, "minutes")}
		l.Door = rapid.SampledFrom([]string{"", "", "", world.OpenDoor, world.ClosedDoor, world.LockedDoor}).Draw(t, "door")
		if l.From != l.To {
			records = append(records, l)
		}
	}
	records = append(records, &world.Actor{ID: "ann", Place: one.Draw(t, "at")},
		&world.Self{AllowAll: true, Session: "s1", Active: "ann", ClockSet: true})
	return records, ids
}

// leg is where somebody is on a trip: within (0), in the open (1), and within again (2), from where it does not lead into the open any more.
type leg struct {
	place string
	phase int
}

// shortest is how many seconds a trip takes, by trying all ways again and again: -1 for one that cannot be made.
func shortest(w *world.World, from, to string) int64 {
	open := func(p *world.Place) bool { return p.Overland && !p.Laid }
	begin := leg{place: from}
	if open(w.Place(from)) {
		begin.phase = 1
	}
	best := map[leg]int64{begin: 0}
	again := true
	better := func(at leg, by int64) {
		if was, ok := best[at]; !ok || by < was {
			best[at], again = by, true
		}
	}
	for again {
		again = false
		for at, so := range maps.Clone(best) {
			p := w.Place(at.place)
			for _, q := range w.Places() {
				if at.phase == 1 && open(q) {
					better(leg{q.ID, 1}, so+seconds(p, q, 0))
				}
				l := w.Link(p.ID, q.ID)
				if l == nil || l.Door != "" && l.Door != world.OpenDoor || at.phase > 0 && open(q) {
					continue
				}
				next := leg{q.ID, at.phase}
				if open(q) || at.phase == 1 {
					next.phase++
				}
				better(next, so+seconds(p, q, l.Minutes))
			}
		}
	}
	least := int64(-1)
	for phase := range 3 {
		if by, ok := best[leg{to, phase}]; ok && (least < 0 || by < least) {
			least = by
		}
	}
	return least
}

// seconds is how long it takes from p to q at 4500 m an hour, each of them begun.
func seconds(p, q *world.Place, minutes int64) int64 {
	if minutes > 0 {
		return 60 * minutes
	}
	if p.Pos == nil || q.Pos == nil {
		return 60
	}
	return (far(p, q) + 1249) / 1250
}

// far is the distance of two places whose coordinates are multiples of 50 m, in millimetres, rounded up.
func far(p, q *world.Place) int64 {
	dx, dy := p.Pos.X-q.Pos.X, p.Pos.Y-q.Pos.Y
	square, root := dx*dx+dy*dy, int64(0)
	for bit := int64(1) << 20; bit > 0; bit >>= 1 {
		if (root+bit)*(root+bit) <= square {
			root += bit
		}
	}
	if root*root < square {
		root++
	}
	return root
}

func TestTrip_IsTheShortest(t *testing.T) {
	book, err := rules.New(travel.Family())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		records, ids := maze(t)
		w := world.Empty()
		for _, r := range records {
			if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
				t.Fatal(err)
			}
		}
		from, to := w.Actor("ann").Place, rapid.SampledFrom(ids).Draw(t, "to")
		before, want := w.Hash(), shortest(w, from, to)
		turn := rules.Turn{Unbound: true, Book: book, World: w, Services: rules.Services{Counts: &rules.Counts{}}}
		o := turn.Do(context.Background(), rules.Call{Tool: "move_to_zone", Args: json.RawMessage(toZone(to))}, nil)
		var result struct {
			Minutes int64 `json:"duration_min"`
		}
		if err := json.Unmarshal(o.Result, &result); err != nil {
			t.Fatal(err)
		}
		switch {
		case from == to:
			if o.Detail() != "same_place" {
				t.Fatalf("to where one is: %s", o.Detail())
			}
		case want < 0:
			if o.Detail() != "not_reachable" {
				t.Fatalf("there is no way, and it is %s, %s", o.Detail(), o.Result)
			}
		case !o.OK():
			t.Fatalf("there is a way of %d s, and it is %s", want, o.Detail())
		default:
			// The oracle rounds each leg to a second, so it may be a little slower.
			if got := result.Minutes; got > max(1, (want+59)/60) || got < max(1, (want-9+59)/60) || w.Self().Minute != got {
				t.Fatalf("it takes %d minutes, want %d s", got, want)
			}
		}
		if err := w.Revert(turn.Events); err != nil || w.Hash() != before {
			t.Fatalf("it is not taken back: %v", err)
		}
	})
}

// The nearest way out and the nearest way in need not be the best ones.
func TestTrip_ByTheBestExitAndEntry(t *testing.T) {
	room := func(id string) world.Record { return &world.Place{ID: id, Type: "area"} }
	b := w3(t, zone("west", "West", -2000, 0, 0), zone("east", "East", 2000, 0, 0), zone("far", "Far", 2100, 0, 0), room("cave"), room("lair"),
		&world.Link{From: "cave", To: "west", Minutes: 1}, &world.Link{From: "cave", To: "east", Minutes: 5},
		&world.Link{From: "west", To: "lair", Minutes: 1}, &world.Link{From: "far", To: "lair", Minutes: 9},
		&world.Actor{ID: "player_001", Name: "Player", Place: "cave"})
	b.ok("move_to_zone", toZone("far"), `{"ok":true,"new_position":{"x":2100,"y":0,"z":0,"zone_id":"far"},"duration_min":7,"movement_log_id":"log_1"}`)
	b.Put(&world.Actor{ID: "player_001", Name: "Player", Place: "cave"})
	b.ok("move_to_zone", toZone("lair"), "") // out to the west and in again
	b.takes(7 + 2)
	b.Put(&world.Actor{ID: "player_001", Name: "Player", Place: "east"})
	b.ok("move_to_zone", toZone("lair"), "")
	b.takes(9 + 11) // 100 m and 9 minutes, not 4 km and 1 minute
}
