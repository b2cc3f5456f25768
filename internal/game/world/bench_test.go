package world_test

import (
	"fmt"
	"testing"

	"hob/internal/game/world"
)

// large returns a world of n records: a grid of areas, an actor for every ten of these and things in all of them.
func large(tb testing.TB, n int) *world.World {
	var records []world.Record
	places := n / 10
	for i := range places {
		id := fmt.Sprintf("area_%05d", i)
		records = append(records, &world.Place{ID: id, Type: "area", Name: "Area", Desc: "Knee-deep water, a cracked altar.", Order: int64(i)})
		if i > 0 {
			records = append(records, &world.Link{From: id, To: fmt.Sprintf("area_%05d", i-1)})
		}
		if i%10 == 0 {
			records = append(records, &world.Actor{ID: fmt.Sprintf("npc_%05d", i), Place: id, HP: world.Known(7), Order: int64(i)})
		}
	}
	for i := len(records); i < n; i++ {
		records = append(records, &world.Thing{
			ID: fmt.Sprintf("obj_%05d", i), Parent: fmt.Sprintf("area_%05d", i%places), Attrs: map[string]string{"condition": "good"}, Order: int64(i),
		})
	}
	return with(tb, records...)
}

// moves returns there and back again: a thing of a large world goes from one place to another.
func moves(tb testing.TB, w *world.World) [2]world.Event {
	was := w.Thing("obj_05000")
	if was == nil {
		tb.Fatal("the large world has other things now")
	}
	is := *was
	is.Parent = "area_00007"
	there := world.Event{Old: was, New: &is}
	return [2]world.Event{there, there.Inverse()}
}

func BenchmarkApply(b *testing.B) {
	w := large(b, 10_000)
	both := moves(b, w)
	for i := 0; b.Loop(); i++ {
		if err := w.Apply(both[i%2]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHash_AfterOneChange(b *testing.B) {
	w := large(b, 10_000)
	both := moves(b, w)
	w.Hash()
	for i := 0; b.Loop(); i++ {
		if err := w.Apply(both[i%2]); err != nil {
			b.Fatal(err)
		}
		w.Hash()
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	both := moves(b, large(b, 10_000))
	var line []byte
	for b.Loop() {
		line = world.AppendEvent(line[:0], both[0])
	}
}

func BenchmarkScannerEvent(b *testing.B) {
	w := large(b, 10_000)
	line := world.AppendEvent(nil, moves(b, w)[0])
	for b.Loop() {
		if _, err := world.Scan(line).Event(w, world.Forward); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate_100(b *testing.B)   { benchmarkValidate(b, 100) }
func BenchmarkValidate_10000(b *testing.B) { benchmarkValidate(b, 10_000) }

func benchmarkValidate(b *testing.B, n int) {
	w := large(b, n)
	for b.Loop() {
		if list := w.Validate(); list != nil {
			b.Fatal(list[0])
		}
	}
}
