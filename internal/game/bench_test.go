package game_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// crowd is a campaign in a world of so many entities: a thirtieth of them places, a thirtieth people, the rest objects.
func crowd(b *testing.B, book *rules.Book, log eventlog.Storage, entities int) *eventlog.Log {
	b.Helper()
	seed := game.SeedOf("crowd")
	w, counts, err := game.Begin(b.Context(), book, game.Start{Session: "s1", Lang: "en", Size: 30, Seed: seed})
	if err != nil {
		b.Fatal(err)
	}
	put := func(r world.Record) {
		counts["order"]++
		if err := w.Apply(world.Event{New: r}); err != nil {
			b.Fatal(err)
		}
	}
	for i := range entities/30 - 30 {
		p := &world.Place{ID: fmt.Sprintf("loc_%d", i), Order: counts["order"] + 1, Name: fmt.Sprintf("Yard %d", i), Type: "location"}
		put(p)
		put(&world.Link{From: p.ID, To: w.Places()[i].ID, Order: counts["order"] + 1})
	}
	places := w.Places()
	for i := range entities / 30 {
		put(&world.Actor{ID: fmt.Sprintf("npc_%d", i), Order: counts["order"] + 1, Name: fmt.Sprintf("Guard %d", i), Role: "npc",
			Place: places[i%len(places)].ID,
			HP:    world.Known(10), HPMax: world.Known(10), State: world.Alive, Speed: world.Known(4500)})
	}
	for i := range entities - entities/15 {
		parent := places[i*7%len(places)].ID
		if i%3 == 0 {
			parent = fmt.Sprintf("npc_%d", i%(entities/30))
		}
		put(&world.Thing{ID: fmt.Sprintf("obj_x%d", i), Order: counts["order"] + 1, Name: fmt.Sprintf("Stone %d", i), Parent: parent,
			Attrs: map[string]string{"condition": "good"}})
	}
	if breaches := w.Validate(); len(breaches) > 0 {
		b.Fatal(breaches)
	}
	s, err := eventlog.Create(b.Context(), log, eventlog.Beginning{ID: "c", Seed: seed, World: w, Counts: counts}, game.Options(book, noon))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// common returns a call of one of eight tools that are used all the time.
func common(r *rand.Rand, w *world.World, entities int) eventlog.Request {
	thing, npc := fmt.Sprintf("obj_x%d", r.IntN(entities/2)), fmt.Sprintf("npc_%d", r.IntN(entities/30))
	pc := w.Actor(w.Self().Active)
	switch r.IntN(8) {
	case 0:
		return request("move_object", `{"object_id":"`+thing+`","target_id":"`+npc+`"}`)
	case 1:
		outs := w.Outs(pc.Place)
		return request("move", `{"to_area_id":"`+outs[r.IntN(len(outs))].To+`"}`)
	case 2:
		return request("set_attribute",
			fmt.Sprintf(`{"entity_type":"object","entity_id":%q,"attribute_name":"condition","value":"%d"}`, thing, r.IntN(9)))
	case 3:
		return request("hp_delta", fmt.Sprintf(`{"target_character_id":%q,"delta":%d,"cause":"x"}`, npc, r.IntN(9)-3))
	case 4:
		return request("skill_check", `{"actor_id":"`+pc.ID+`","skill":"wits","difficulty":"medium"}`)
	case 5:
		return request("advance_time", `{"minutes":10,"reason":"x"}`)
	case 6:
		return request("adjust_qty", `{"object_id":"`+thing+`","delta":1}`)
	}
	return request("look", `{}`)
}

// used returns the time that this thread has used the processor: what else the machine does is not in it.
func used(b *testing.B) time.Duration {
	const threadTime = unix.CLOCK_THREAD_CPUTIME_ID
	var ts unix.Timespec
	if err := unix.ClockGettime(threadTime, &ts); err != nil {
		b.Fatal(err)
	}
	return time.Duration(ts.Nano())
}

// bare is a log without snapshots.
type bare struct{ eventlog.Storage }

// BenchmarkCall plays calls in a world of 1,000 entities: judged, executed and logged, with a snapshot now and then and without.
// The bar is 20 µs for 99 of 100 calls.
func BenchmarkCall(b *testing.B) {
	b.Run("bare", func(b *testing.B) { calls(b, bare{eventlog.NewMemoryStorage()}) })
	b.Run("snapshots", func(b *testing.B) { calls(b, eventlog.NewMemoryStorage()) })
}

func calls(b *testing.B, log eventlog.Storage) {
	const entities = 1_000
	book := book(b)
	s := crowd(b, book, log, entities)
	r := rand.New(rand.NewPCG(1, 1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	took := []time.Duration{}
	applied, tools := 0, map[string]time.Duration{}
	for b.Loop() {
		ask := common(r, s.World(), entities)
		began := used(b)
		p, err := s.Play(b.Context(), ask)
		took = append(took, used(b)-began)
		tools[ask.Calls[0].Tool] += took[len(took)-1]
		if err != nil {
			b.Fatal(err)
		}
		if p.Outcomes[0].OK() {
			applied++
		}
	}
	slices.Sort(took)
	for name, sum := range tools {
		b.Logf("%s: %d ns a call", name, 8*int(sum)/len(took))
	}
	b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
	b.ReportMetric(float64(applied)/float64(len(took)), "applied")
}

// BenchmarkMap makes a map of 30 areas, and draws one. The bars are 1 ms, for an SVG 1 ms, for a PNG 25 ms.
func BenchmarkMap(b *testing.B) {
	book := book(b)
	s := begin(b, book, eventlog.NewMemoryStorage(), "w2b", 1)
	const size = `"theme":"Cave","constraints":{"size":30,"seed":"s"}}`
	for name, ask := range map[string]eventlog.Request{
		"generate": request("map_generate", `{"parent_area_id":null,`+size), "svg": request("map_render",
			`{"format":"svg","reveal":true}`),
		"png": request("map_render", `{"format":"png","reveal":true}`), "text": request("map_render", `{"reveal":true}`),
	} {
		b.Run(name, func(b *testing.B) {
			if name != "generate" && len(s.World().Places()) < 30 {
				play(b, s, "map_generate", `{"parent_area_id":null,`+size)
			}
			for b.Loop() {
				p, err := s.Preview(b.Context(), ask)
				if err != nil || !p.Outcomes[0].OK() {
					b.Fatal(p, err)
				}
			}
		})
	}
}

// BenchmarkScene writes what the model is told of a world of 10,000 entities: the scene and the choices. The bar is 1 ms.
func BenchmarkScene(b *testing.B) {
	book := book(b)
	w := crowd(b, book, eventlog.NewMemoryStorage(), 10_000).World()
	pc := w.Actor(w.Self().Active)
	b.Run("block", func(b *testing.B) {
		for b.Loop() {
			story.Scene(w, story.SceneInput{Turn: 1, Says: "I open the chest with the bone key"})
		}
	})
	b.Run("choices", func(b *testing.B) {
		for b.Loop() {
			story.Choices(w, book, "en", pc)
		}
	})
}
