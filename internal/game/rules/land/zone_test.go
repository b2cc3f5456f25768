package land_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// zone is a zone of the world W3 of the cases.
func zone(order, x, y, radius int64, name string) *world.Place {
	return &world.Place{
		ID: fmt.Sprintf("zone_%d_%d_0", x, y), Order: order, Name: name, Type: "zone", Overland: true, Radius: radius,
		Size: "small",
		Pos:  &world.Point{X: 1000 * x, Y: 1000 * y},
	}
}

// three is the world W3, without the zone that row 01's reply asks for.
func three(t rulestest.T, author func(context.Context, string) (string, error), more ...world.Record) *table {
	t.Helper()
	b := set(t, &world.Self{Shape: "003", Session: "s1"}, append([]world.Record{
		zone(1, 0, 0, 120, "Origin"), zone(2, 600, 0, 120, "East Post"),
		&world.Actor{ID: "player_001", Place: "zone_0_0_0", Pos: &world.Point{Z: 5000}, Speed: world.Known(4500)},
	}, more...)...)
	b.Turn.Services.Author = author
	return b
}

// says is a model that always says the same.
func says(reply string) func(context.Context, string) (string, error) {
	return func(context.Context, string) (string, error) { return reply, nil }
}

// found is the result of generate_zone.
type found struct {
	OK        bool   `json:"ok"`
	Generated int    `json:"generated"`
	ErrorCode string `json:"error_code"`
	Message   string `json:"message"`
	Zones     []struct {
		ID   string   `json:"zone_id"`
		Name string   `json:"name"`
		X    float64  `json:"x"`
		Y    float64  `json:"y"`
		Z    float64  `json:"z"`
		Desc string   `json:"description"`
		Tags []string `json:"tags"`
	} `json:"zones"`
}

const ask = `{"session_id":"s1","world_prompt":"w"}`

// reply is a reply with one zone, which has some members more.
func reply(x, y int, more string) string {
	return fmt.Sprintf(`{"zones":[{"name":"Post","x":%d,"y":%d,"description":"A post."%s}]}`, x, y, more)
}

// refused runs generate_zone, which is to fail with a code of seed 003.
func (b *table) refused(code, args string) {
	b.T.Helper()
	o := b.Call("generate_zone", args)
	got := read[found](b.T, o)
	if o.OK() || got.OK || got.ErrorCode != code || got.Message == "" {
		b.T.Errorf("%s: %s, want %s", args, o.Result, code)
	}
}

func TestGenerateZoneRows(t *testing.T) {
	t.Run("generate_zone-01", func(t *testing.T) {
		b := three(t, says(reply(120, -80, "")))
		o := b.ok("generate_zone", ask)
		rulestest.Same(t, string(o.Result),
			`{"ok":true,"generated":1,"zones":[{"zone_id":"zone_120_-80_5","name":"Post","x":120,"y":-80,"z":5,`+
				`"description":"A post.","tags":["ai","generated"]}]}`)
		ground := &world.Actor{ID: "player_001", Place: "zone_0_0_0", Pos: &world.Point{}}
		b = set(t, &world.Self{Session: "s1"}, zone(1, 0, 0, 120, "Origin"), ground)
		b.Turn.Services.Author = says(reply(120, -80, ""))
		rulestest.Same(t, read[found](t, b.ok("generate_zone", ask)).Zones[0].ID, "zone_120_-80_0")
	})
	t.Run("generate_zone-02", func(t *testing.T) {
		b := three(t, func(context.Context, string) (string, error) { t.Error("the model was asked"); return "", nil })
		for _, args := range []string{`{"session_id":"s1"}`, `{"session_id":"s1","world_prompt":""}`,
			`{"session_id":"s1","world_prompt":"  "}`} {
			b.refused("INVALID_ARGS", args)
		}
		b.refused("INVALID_ARGS", `{"session_id":"s1","world_prompt":"`+strings.Repeat("w", 2001)+`"}`)
		b.refused("INVALID_ARGS", `{"world_prompt":"w"}`)
		b.refused("SESSION_MISMATCH", `{"session_id":"s2","world_prompt":"w"}`)
	})
	t.Run("generate_zone-04", func(t *testing.T) { three(t, says("")).refused("INVALID_ARGS", `not JSON`) })
	t.Run("generate_zone-05", func(t *testing.T) {
		for _, count := range []string{"", `,"count":null`, `,"count":0`, `,"count":-5`} {
			asked := ""
			b := three(t, func(_ context.Context, prompt string) (string, error) { asked = prompt; return reply(9, 9, ""), nil })
			b.ok("generate_zone", `{"session_id":"s1","world_prompt":"w"`+count+`}`)
			if !strings.HasPrefix(asked, "Invent 1 new zone(s)") {
				t.Errorf("%s: the model was asked %q", count, asked)
			}
		}
		b := three(t, says(`[`+strings.Repeat(`{"name":"a","x":0,"y":0,"description":"d"},`, 8)+`{}]`))
		rulestest.Same(t, read[found](t, b.ok("generate_zone", `{"session_id":"s1","world_prompt":"w","count":99}`)).Generated, 3)
	})
	t.Run("generate_zone-07", func(t *testing.T) {
		for _, count := range []string{`"abc"`, `1.5`, `"1"`, `true`} {
			three(t, says(reply(9, 9, ""))).refused("INVALID_ARGS", `{"session_id":"s1","world_prompt":"w","count":`+count+`}`)
		}
	})
	t.Run("generate_zone-08", func(t *testing.T) {
		for _, text := range []string{
			"not json", "", "{}", "[]", `{"zones":[]}`, `{"zones":null}`, `{"zones":5}`, `{"zones":[5]}`,
			`{"zones":[{"name":"a"`, "```json\n{}\n```",
			`{"a":{"b":1}}`, strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 20_000), "\x00\xff\xfe",
		} {
			three(t, says(text)).refused("INVALID_AI_JSON", ask)
		}
	})
	t.Run("generate_zone-10", func(t *testing.T) {
		b := three(t, says(reply(9, 9, "")))
		rulestest.Same(t, read[found](t, b.ok("generate_zone", `{"session_id":"s1","world_prompt":"w","count":2}`)).Generated, 1)
	})
	t.Run("generate_zone-11", func(t *testing.T) {
		for _, text := range []string{
			`{"map":` + reply(9, 9, "") + `}`, "```json\n" + reply(9, 9, "") + "\n```",
			`[{"name":"Post","x":9,"y":9,"description":"A post."}]`,
			`{"name":"Post","x":9,"y":9,"description":"A post."}`, "<think>[1] {x} [] {}</think> Here: " + reply(9, 9, "") +
				" Enjoy!",
			`{"thought":"so"} ` + reply(9, 9, ""),
		} {
			rulestest.Same(t, read[found](t, three(t, says(text)).ok("generate_zone", ask)).Zones[0].Name, "Post")
		}
	})
	t.Run("generate_zone-13", func(t *testing.T) {
		for _, text := range []string{
			`{"zones":[{"name":"a","y":0,"description":"d"}]}`, `{"zones":[{"name":"a","x":0,"y":0}]}`,
			`{"zones":[{"name":"a","x":0,"y":0,"description":""}]}`, `{"zones":[{"name":" ","x":0,"y":0,"description":"d"}]}`,
			`{"zones":[{"name":"a","x":"east","y":0,"description":"d"}]}`,
			`{"zones":[{"name":"a","x":1e300,"y":0,"description":"d"}]}`,
		} {
			three(t, says(text)).refused("INVALID_AI_JSON", ask)
		}
		two := `{"zones":[{"name":"a","x":9,"y":0,"description":"d"},{"name":"b"}]}`
		three(t, says(two)).refused("INVALID_AI_JSON", `{"session_id":"s1","world_prompt":"w","count":2}`)
	})
	t.Run("generate_zone-14", func(t *testing.T) {
		three(t, says(reply(1001, 0, ""))).refused("INVALID_AI_JSON", ask)
		three(t, says(reply(0, -1001, ""))).refused("INVALID_AI_JSON", ask)
		far := `{"session_id":"s1","world_prompt":"w","near_player":false}`
		rulestest.Same(t, read[found](t, three(t, says(reply(-1000, 1000, ""))).ok("generate_zone", far)).Zones[0].ID, "zone_-1000_1000_5")
		three(t, says(reply(1000, -1000, ""))).ok("generate_zone", ask)
	})
}

func TestGenerateZoneRowsOfWhatIsBuilt(t *testing.T) {
	built := func(t *testing.T, more string) (*table, *world.Place) {
		b := three(t, says(reply(-300, 300, more)))
		return b, b.World.Place(read[found](t, b.ok("generate_zone",
			`{"session_id":"s1","world_prompt":"w","near_player":false}`)).Zones[0].ID)
	}
	t.Run("generate_zone-16", func(t *testing.T) {
		for more, want := range map[string]int64{
			`,"size":"small","radius_m":5`: 60, `,"size":"small","radius_m":9999`: 180, `,"size":"small"`: 120,
			`,"size":"medium"`: 210,
			`,"size":"Large"`:  300, `,"size":"vast"`: 120, `,"size":7,"radius_m":"wide"`: 120, `,"radius_m":-1e300`: 60,
			`,"radius_m":100`: 100,
		} {
			if _, p := built(t, more); p.Radius != want {
				t.Errorf("%s: a radius of %d, want %d", more, p.Radius, want)
			}
		}
	})
	t.Run("generate_zone-17", func(t *testing.T) {
		sub := `{"name":"Spot","description":"d","offset_x":500,"offset_y":-500},`
		for more, want := range map[string]int{
			``: 3, `,"sub_zones":[]`: 3, `,"sub_zones":5`: 3, `,"sub_zones":["a","b","c","d"]`: 3,
			`,"sub_zones":[` + strings.Repeat(sub, 2) + `{}]`: 3, `,"sub_zones":[` + strings.Repeat(sub, 4) + `{}]`: 4,
			`,"sub_zones":[` + strings.Repeat(sub, 6) + `{}]`: 3, `,"size":"medium"`: 5, `,"size":"large"`: 8,
		} {
			b, p := built(t, more)
			subs := b.World.Inner(p.ID)
			if len(subs) != want {
				t.Errorf("%s: %d sub zones, want %d", more, len(subs), want)
			}
			for _, s := range subs {
				dx, dy := s.Pos.X-p.Pos.X, s.Pos.Y-p.Pos.Y
				if most := 1000 * p.Radius; dx*dx+dy*dy > most*most || s.Type != "sub_zone" || s.Name == "" {
					t.Errorf("%s: the sub zone %v is not within the zone %v", more, *s, *p)
				}
				if b.World.Link(p.ID, s.ID) == nil || b.World.Link(s.ID, p.ID) == nil {
					t.Errorf("%s: %s cannot be reached", more, s.ID)
				}
			}
		}
	})
	t.Run("generate_zone-19", func(t *testing.T) {
		b := three(t, says(reply(120, -80, "")), zone(3, 120, -80, 60, "Rubble Stage"))
		b.ok("generate_zone", ask)
		far := `{"session_id":"s1","world_prompt":"w","near_player":false}`
		b.Turn.Services.Author = says(reply(600, 10, ""))
		b.ok("generate_zone", far)
		b.spaced(t)
	})
	t.Run("generate_zone-20", func(t *testing.T) {
		twice := `{"zones":[{"name":"a","x":50,"y":50,"description":"d"},{"name":"b","x":50,"y":50,"description":"d"}]}`
		b := three(t, says(twice))
		rulestest.Same(t, read[found](t, b.ok("generate_zone", `{"session_id":"s1","world_prompt":"w","count":2}`)).Generated, 2)
		b.spaced(t)
	})
	t.Run("generate_zone-22", func(t *testing.T) {
		three := three(t, says(`{"zones":[{"name":"a","x":900,"y":0,"description":"d"},{"name":"b","x":0,"y":-999,"description":"d"}]}`))
		got := read[found](t, three.ok("generate_zone", `{"session_id":"s1","world_prompt":"w","count":2}`))
		near := false
		for _, z := range got.Zones {
			squared := z.X*z.X + z.Y*z.Y
			edge := 80 + float64(three.World.Place(z.ID).Radius)
			near = near || squared <= edge*edge
			if squared > 300*300 {
				t.Errorf("%s lies more than 300 m from the player", z.ID)
			}
		}
		if !near {
			t.Errorf("no zone is near: %v", got.Zones)
		}
	})
	t.Run("generate_zone-25", func(t *testing.T) {
		b := three(t, says(reply(90, 0, "")))
		o := b.ok("generate_zone", ask)
		if len(b.Turn.Notes) != 1 || b.Turn.Notes[0].Kind != "area_generate" || !strings.Contains(string(b.Turn.Notes[0].Data),
			`"count":1`) {
			t.Errorf("%v", b.Turn.Notes)
		}
		if !o.Changed || len(b.Turn.Events) == 0 {
			t.Error("the turn tells of no change")
		}
	})
}

// spaced looks that the centres of no two zones are closer than 60 m.
func (b *table) spaced(t *testing.T) {
	t.Helper()
	var zones []*world.Place
	for _, p := range b.World.Places() {
		if !p.Overland {
			continue
		}
		for _, q := range zones {
			if dx, dy := (p.Pos.X-q.Pos.X)/1000, (p.Pos.Y-q.Pos.Y)/1000; dx*dx+dy*dy < 60*60 {
				t.Errorf("%s and %s are too close", p.ID, q.ID)
			}
		}
		zones = append(zones, p)
	}
}

type slow struct{}

func (slow) Error() string { return "i/o timeout" }
func (slow) Timeout() bool { return true }

func TestGenerateZoneTimeouts(t *testing.T) {
	t.Run("generate_zone-23", func(t *testing.T) {
		late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer cancel()
		waits := func(ctx context.Context, _ string) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		o := three(t, waits).Batch(late, rules.Call{Tool: "generate_zone", Args: []byte(ask)})[0]
		rulestest.Same(t, []string{o.ErrorCode(), o.Reason()}, []string{"AI_TIMEOUT", "upstream_timeout"})
		breaks := func(ctx context.Context, _ string) (string, error) { return "", errors.New("connection reset") }
		rulestest.Same(t, three(t, breaks).Batch(late, rules.Call{Tool: "generate_zone", Args: []byte(ask)})[0].ErrorCode(), "AI_TIMEOUT")
		for err, code := range map[error]string{
			slow{}: "AI_TIMEOUT", context.DeadlineExceeded: "AI_TIMEOUT", errors.New("no such model"): "INTERNAL_ERROR",
			context.Canceled: "INTERNAL_ERROR",
		} {
			three(t, func(context.Context, string) (string, error) { return "", fmt.Errorf("ask: %w", err) }).refused(code, ask)
		}
	})
}

// A model's zone has a name, is not on the map yet, and is of a kind that there is.
func TestGenerateZone_Drafts(t *testing.T) {
	for _, name := range []string{"Zone 1", "zone #2", "区块1", "区域三", "Зона 4", "12", "Area"} {
		b := three(t, says(strings.ReplaceAll(reply(90, 90, ""), "Post", name)))
		b.refused("INVALID_AI_JSON", ask)
	}
	for _, name := range []string{"Zone of Silence", "12 Oaks", "Зона тишины", "区块商店"} {
		three(t, says(strings.ReplaceAll(reply(90, 90, ""), "Post", name))).ok("generate_zone", ask)
	}
	b := three(t, says(reply(90, 90, `,"zone_type":"moonbase","size":"huge"`)))
	b.ok("generate_zone", ask)
	b.refused("INVALID_AI_JSON", ask) // it is there already
	p := b.World.Places()[len(b.World.Places())-1]
	for p.Parent != "" {
		p = b.World.Place(p.Parent)
	}
	if p.ZoneType != "unknown" || p.Size != "small" || !slices.Contains(p.Tags, "moonbase") {
		t.Errorf("it is %s, %s, %v", p.ZoneType, p.Size, p.Tags)
	}
}

// TestZonesStayConnected makes zones with a model that has one idea only, and without one.
func TestZonesStayConnected(t *testing.T) {
	posts := 0
	model := func(context.Context, string) (string, error) {
		posts++
		return strings.ReplaceAll(reply(90, 90, ""), `"Post"`, fmt.Sprintf(`"Post %c"`, 'A'+posts)), nil
	}
	for name, author := range map[string]func(context.Context, string) (string, error){"model": model, "tables": nil} {
		t.Run(name, func(t *testing.T) {
			b := three(t, author)
			b.Turn.World = b.World
			if o := b.Turn.Do(t.Context(), rules.Call{Tool: "generate_zone", Args: []byte(ask)}, nil); !o.OK() {
				t.Fatal(string(o.Result))
			}
			for i := range 12 {
				b.ok("generate_zone", fmt.Sprintf(`{"session_id":"s1","world_prompt":"w%d","count":%d,"near_player":%v}`, i,
					1+i%3, i%2 == 0))
			}
			b.spaced(t)
			// the two of W3 were never joined; the new ones are, each with what was nearest
			origin := b.reached("zone_0_0_0", func(*world.Place) bool { return true })
			post := b.reached("zone_600_0_0", func(*world.Place) bool { return true })
			names := map[string]bool{}
			for _, p := range b.World.Places() {
				if !origin[p.ID] && !post[p.ID] {
					t.Errorf("%s cannot be reached", p.ID)
				}
				if author == nil && p.Overland && names[p.Name] {
					t.Errorf("two zones are called %q", p.Name)
				}
				names[p.Name] = true
			}
		})
	}
}

func TestTheFirstZoneOfAWorld(t *testing.T) {
	b := set(t, &world.Self{Session: "s1", Active: "pc"}, &world.Place{ID: "inn", Order: 1, Type: "area"},
		&world.Place{ID: "attic", Order: 2, Type: "area"},
		&world.Place{ID: "room", Parent: "inn", Type: "area"}, &world.Actor{ID: "pc", Place: "room"})
	id := read[found](t, b.ok("generate_zone", ask)).Zones[0].ID
	if b.World.Link("inn", id) == nil || b.World.Link(id, "inn") == nil {
		t.Errorf("%s is not linked with the place at the root where the player is", id)
	}
	b = set(t, &world.Self{Session: "s1"})
	if got := read[found](t, b.ok("generate_zone", `{"session_id":"s1","world_prompt":"w","count":3}`)); got.Generated != 3 {
		t.Errorf("an empty world has %d zones", got.Generated)
	}
}

func TestTheModelIsToldNoSecret(t *testing.T) {
	asked := ""
	secret := zone(7, -90, 0, 60, "Hidden Vale")
	secret.Secret = true
	b := three(t, func(_ context.Context, prompt string) (string, error) { asked = prompt; return reply(9, 9, ""), nil }, secret)
	b.ok("generate_zone", ask)
	if strings.Contains(asked, "Hidden") || !strings.Contains(asked, "East Post") || !strings.Contains(asked, "in English") {
		t.Errorf("the model was asked %q", asked)
	}
	for _, l := range b.World.Links() {
		if l.From == secret.ID {
			t.Errorf("a new zone is linked with a secret one")
		}
	}
}
