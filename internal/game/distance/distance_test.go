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
		mm, want int64
	}{
		{"move_to_zone-01", distance.Point{}, atMetres(600, 0, 0), false, 600_000, 8},
		{"move_to_zone-02", distance.Point{}, atMetres(120, -80, 0), false, 144_223, 2},
		{"move_to_zone-04", distance.Point{}, atMetres(0, -2325, 0), false, 2_325_000, 31},
		{"move_to_zone-05", atMetres(7, 8, 9), atMetres(7, 8, 9), false, 0, 0},
		{"move_to_zone-13 seen from above", distance.Point{}, atMetres(300, 0, 400), false, 300_000, 4},
		{"move_to_zone-13 in space", distance.Point{}, atMetres(300, 0, 400), true, 500_000, 7},
		{"a millimetre", distance.Point{}, distance.Point{X: 1}, false, 1, 1},
		{"straight up", atMetres(5, 5, 0), atMetres(5, 5, 90), false, 0, 0},
		{"straight up in space", atMetres(5, 5, 0), atMetres(5, 5, 90), true, 90_000, 2},
		{"a millimetre past 31 minutes", distance.Point{}, distance.Point{X: 2_325_001}, false, 2_325_001, 32},
		{"across the world", atMetres(-1e9, -1e9, 0), atMetres(1e9, 1e9, 0), false, 2_828_427_124_747, 37_712_362},
	} {
		t.Run(c.name, func(t *testing.T) {
			measure := distance.Distance2D
			if c.deep {
				measure = distance.Distance3D
			}
			mm := measure(c.from, c.to)
			if got := distance.Minutes(mm, 4500); mm != c.mm || got != c.want || measure(c.to, c.from) != mm {
				t.Errorf("%d mm take %d minutes, want %d mm and %d", mm, got, c.mm, c.want)
			}
		})
	}
}

// Multiples of 75 m at 4,500 m/h are whole minutes; arithmetic with fractions gets some of them wrong.
func TestWholeMinutesStayWhole(t *testing.T) {
	for n := int64(1); n < 100_000; n++ {
		if got := distance.Minutes(n*75*distance.Metre, 4500); got != n {
			t.Fatalf("%d m take %d minutes", n*75, got)
		}
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

func TestMinutesAreTheFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mm := rapid.OneOf(rapid.Int64Range(1, 1e7), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "mm")
		speed := rapid.OneOf(rapid.Int64Range(1, 10_000), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "speed")
		by := new(big.Int).Mul(big.NewInt(speed), big.NewInt(1000))
		want := new(big.Int).Mul(big.NewInt(mm), big.NewInt(60))
		want.Add(want, by).Sub(want, big.NewInt(1)).Div(want, by)
		if got := distance.Minutes(mm, speed); got != want.Int64() {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
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
		{"no speed", distance.Minutes(1000, 0), 60},
		{"a speed below nothing", distance.Minutes(1000, -5), 60},
		{"a way below nothing", distance.Minutes(-1, 4500), 0},
		{"the slowest", distance.Minutes(math.MaxInt64, 1), 553_402_322_211_286_549},
		{"the fastest", distance.Minutes(math.MaxInt64, math.MaxInt64), 1},
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
