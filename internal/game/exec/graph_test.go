package exec_test

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"
)

// same holds two values against each other.
func same(t *tale, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// ways returns the links of a map as they stand in a campaign.json.
func ways(m doc) (list []string) {
	for _, c := range m["connections"].([]any) {
		list = append(list, c.(doc)["from_area_id"].(string)+" "+c.(doc)["to_area_id"].(string))
	}
	return list
}

// graph holds the map that a call made against what it says of it: n areas in a parent, connected, linked with the parent through
// the first of them in both directions, and the links of the save the sorted projection of the areas'.
func graph(t *tale, a answer, parent string, n int, warnings []string) {
	t.Helper()
	result := a.Result.(doc)
	ids := []string{}
	for _, id := range result["created_area_ids"].([]any) {
		ids = append(ids, id.(string))
	}
	m := at(t.state("002"), "map")
	links := ways(m)
	if len(ids) != n || !slices.IsSorted(links) {
		t.Errorf("%d areas, links %q", len(ids), links)
	}
	new, wanted := 0, []string{}
	for _, id := range sorted(m["areas"].(doc)) {
		area := at(m, "areas", id)
		if slices.Contains(ids, id) && area["parent_area_id"] != orNil(parent) {
			t.Errorf("area %s: %v", id, area)
		}
		for _, to := range area["reachable_area_ids"].([]any) {
			wanted = append(wanted, id+" "+to.(string))
			if slices.Contains(ids, id) || slices.Contains(ids, to.(string)) {
				new++
			}
		}
	}
	slices.Sort(wanted)
	same(t, wanted, links)
	same(t, doc{
		"created_area_ids": result["created_area_ids"], "created_connections": number(itoa(new)), "root_parent_area_id": orNil(parent),
		"warnings": list(warnings),
	}, a.Result)
	if parent != "" && (!slices.Contains(links, parent+" "+ids[0]) || !slices.Contains(links, ids[0]+" "+parent)) {
		t.Errorf("no way from the parent and back: %q", links)
	}
	reached := map[string]bool{ids[0]: true}
	for range ids {
		for _, id := range ids {
			for _, to := range ids {
				if reached[id] && slices.Contains(links, id+" "+to) {
					reached[to] = true
				}
			}
		}
	}
	if len(reached) != n {
		t.Errorf("only %v are reached", reached)
	}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// circle is a zone on the ground.
type circle struct{ x, y, r float64 }

func circles(t *tale) (list map[string]circle) {
	list = map[string]circle{}
	for _, z := range t.state("003")["area_snapshot"].(doc)["zones"].([]any) {
		list[z.(doc)["zone_id"].(string)] = circle{x: real(z, "x"), y: real(z, "y"), r: real(z, "radius_m")}
	}
	return list
}

func real(d any, name string) float64 {
	f, err := d.(doc)[name].(json.Number).Float64()
	if err != nil {
		panic(err)
	}
	return f
}

func (c circle) from(d circle) float64 { return math.Hypot(c.x-d.x, c.y-d.y) }

// zones holds what a call made against what it says of it: n zones, each named by where it is and joined with another one, and so
// with all. Zones that need not be near lie over no other, zones that are near may lie over that of the player; no two centres
// are closer than 60 m.
func zones(t *tale, a answer, n int) {
	t.Helper()
	result := a.Result.(doc)
	made := result["zones"].([]any)
	if result["ok"] != true || result["generated"] != number(itoa(n)) || len(made) != n {
		t.Fatalf("result %s", a.line)
	}
	ground := circles(t)
	for _, v := range made {
		z := v.(doc)
		id := z["zone_id"].(string)
		if want := "zone_" + z["x"].(json.Number).String() + "_" + z["y"].(json.Number).String() + "_" +
			z["z"].(json.Number).String(); id != want {
			t.Errorf("id %s of %v", id, z)
		}
		if z["z"] != number("0") || z["name"] == "" || z["description"] == "" || len(z["tags"].([]any)) == 0 {
			t.Errorf("zone %v", z)
		}
		me, ok := ground[id]
		if !ok || me.r < 60 || me.from(circle{}) > 1500 {
			t.Errorf("zone %s on the ground: %v", id, me)
		}
		for other, c := range ground {
			least := 60.0
			if a.Args.(doc)["near_player"] == false {
				least = me.r + c.r
			}
			if other != id && me.from(c) < least {
				t.Errorf("%s %v lies over %s %v", id, me, other, c)
			}
		}
		if w := t.g.Log.World(); len(w.Outs(id)) == 0 || len(w.Ins(id)) == 0 {
			t.Errorf("no ways join %s", id)
		}
	}
}

// near looks that one zone is within 80 m of the player's place and all are within 300 m.
func near(t *tale, a answer) {
	t.Helper()
	least, most := math.Inf(1), 0.0
	for _, z := range a.Result.(doc)["zones"].([]any) {
		d := math.Hypot(real(z, "x"), real(z, "y"))
		least, most = min(least, d), max(most, d)
	}
	if least > 80 || most > 300 {
		t.Errorf("from %v to %v m", least, most)
	}
}
