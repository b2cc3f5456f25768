package distance_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/distance"
)

func TestTheWayToAZone(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to distance.Point
		deep     bool // by the line in space
		mm       int64
	}{
		{"move_to_zone-01", distance.Point{}, atMetres(600, 0, 0), false, 600_000},
		{"move_to_zone-02", distance.Point{}, atMetres(120, -80, 0), false, 144_223},
		{"move_to_zone-04", distance.Point{}, atMetres(0, -2325, 0), false, 2_325_000},
		{"move_to_zone-05", atMetres(7, 8, 9), atMetres(7, 8, 9), false, 0},
		{"move_to_zone-13 seen from above", distance.Point{}, atMetres(300, 0, 400), false, 300_000},
		{"move_to_zone-13 in space", distance.Point{}, atMetres(300, 0, 400), true, 500_000},
		{"a millimetre", distance.Point{}, distance.Point{X: 1}, false, 1},
		{"straight up", atMetres(5, 5, 0), atMetres(5, 5, 90), false, 0},
		{"straight up in space", atMetres(5, 5, 0), atMetres(5, 5, 90), true, 90_000},
		{"a millimetre past 31 minutes", distance.Point{}, distance.Point{X: 2_325_001}, false, 2_325_001},
		{"across the world", atMetres(-1e9, -1e9, 0), atMetres(1e9, 1e9, 0), false, 2_828_427_124_747},
	} {
		t.Run(c.name, func(t *testing.T) {
			measure := distance.Distance2D
			if c.deep {
				measure = distance.Distance3D
			}
			mm := measure(c.from, c.to)
			if mm != c.mm || measure(c.to, c.from) != mm {
				t.Errorf("%d mm, want %d", mm, c.mm)
			}
		})
	}
}

func TestDistanceIsTheRootRoundedUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Small numbers and the largest that are exact, in one draw.
		coordinate := rapid.OneOf(rapid.Int64Range(-2000, 2000), rapid.Int64Range(-1e12, 1e12), rapid.Int64Range(-1<<60, 1<<60))
		point := func(name string) distance.Point {
			n := func(axis string) int64 { return coordinate.Draw(t, name+axis) }
			return distance.Point{X: n(" x"), Y: n(" y"), Z: n(" z")}
		}
		a, b := point("a"), point("b")
		if got, want := distance.Distance2D(a, b), rooted(a.X-b.X, a.Y-b.Y); got != want {
			t.Fatalf("from above %d, want %d", got, want)
		}
		if got, want := distance.Distance3D(a, b), rooted(a.X-b.X, a.Y-b.Y, a.Z-b.Z); got != want {
			t.Fatalf("in space %d, want %d", got, want)
		}
	})
}

func rooted(differences ...int64) int64 {
	sum := new(big.Int)
	for _, d := range differences {
		n := big.NewInt(d)
		sum.Add(sum, n.Mul(n, n))
	}
	floor := new(big.Int).Sqrt(sum)
	if new(big.Int).Mul(floor, floor).Cmp(sum) != 0 {
		floor.Add(floor, big.NewInt(1))
	}
	return floor.Int64()
}

func TestTheLimitsOfNumbers(t *testing.T) {
	far := distance.Distance3D(distance.Point{X: math.MinInt64, Y: math.MinInt64, Z: math.MinInt64},
		distance.Point{X: math.MaxInt64, Y: math.MaxInt64, Z: math.MaxInt64})
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"the farthest", far, 3_993_837_246_235_628_776}, // 2^61 times the root of 3
		{"a long way made of many", distance.Sum(math.MaxInt64, 1), math.MaxInt64},
		{"a way of two", distance.Sum(144_223, 600_000), 744_223},
		{"no way", distance.Sum(), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
}

func BenchmarkDistance3D(b *testing.B) {
	from, to := atMetres(120, -80, 3), atMetres(-777, 1234, 60)
	for b.Loop() {
		distance.Distance3D(from, to)
	}
}

func atMetres(x, y, z int64) distance.Point {
	return distance.Point{X: x * distance.Metre, Y: y * distance.Metre, Z: z * distance.Metre}
}

func TestMetres(t *testing.T) {
	for mm, want := range map[int64]string{0: "0", 1: "0.001", -1: "-0.001", 120000: "120", 80500: "80.5", -12340: "-12.34", 1_000_010: "1000.01",
		math.MinInt64: "-9223372036854775.808"} {
		if got := distance.Metres(mm); got != want {
			t.Errorf("%d mm are %s m, want %s", mm, got, want)
		}
	}
}
