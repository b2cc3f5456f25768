package dice_test

import (
	"math"
	"strconv"
	"testing"

	"hob/internal/game/dice"
)

// Each face of each die comes equally often: the chance of a fair die to be as uneven is above one in a million.
func TestFair_ChiSquare(t *testing.T) {
	const throws = 200_000
	for _, sides := range []int{4, 6, 8, 10, 12, 20, 100} {
		t.Run("d"+strconv.Itoa(sides), func(t *testing.T) {
			count := make([]int, sides+1)
			src := dice.Fair([32]byte{1}, int64(sides), 0)
			for range throws {
				face, err := src.Face(sides)
				if err != nil || face < 1 || face > sides {
					t.Fatal(face, err)
				}
				count[face]++
			}
			if x, most := chiSquare(count[1:], throws), unlikely(sides-1); x > most {
				t.Errorf("chi square is %.1f, above %.1f", x, most)
			}
		})
	}
}

// The first die of many rolls is as fair as many dice of one roll, and so is a d%.
func TestFair_ChiSquareOfRolls(t *testing.T) {
	const rolls = 20_000
	e, err := dice.Parse("d%")
	if err != nil {
		t.Fatal(err)
	}
	tens, twenties := make([]int, 10), make([]int, 20)
	for roll := range int64(rolls) {
		r, err := e.Roll(dice.Fair([32]byte{2}, 3, roll))
		if err != nil {
			t.Fatal(err)
		}
		tens[r.Total/10]++
		face, err := dice.Fair([32]byte{2}, roll, 3).Face(20)
		if err != nil {
			t.Fatal(err)
		}
		twenties[face-1]++
	}
	for _, count := range [][]int{tens, twenties} {
		if x, most := chiSquare(count, rolls), unlikely(len(count)-1); x > most {
			t.Errorf("chi square of %d faces is %.1f, above %.1f", len(count), x, most)
		}
	}
}

func chiSquare(count []int, throws int) float64 {
	want, sum := float64(throws)/float64(len(count)), 0.0
	for _, n := range count {
		sum += (float64(n) - want) * (float64(n) - want) / want
	}
	return sum
}

// unlikely is the chi square that one in a million fair dice exceeds, by the approximation of Wilson and Hilferty.
func unlikely(freedom int) float64 {
	const z = 4.753424 // of the normal distribution
	k := 2 / (9 * float64(freedom))
	return float64(freedom) * math.Pow(1-k+z*math.Sqrt(k), 3)
}

func TestFair_NoSides(t *testing.T) {
	for _, sides := range []int{0, -1, math.MinInt} {
		if face, err := dice.Fair([32]byte{}, 0, 0).Face(sides); err == nil {
			t.Errorf("a die of %d sides shows %d", sides, face)
		}
	}
}

// A die of which one face comes by a sixteenth more often than it should is not fair.
func TestChiSquare_Unfair(t *testing.T) {
	count := []int{0, 0, 0, 0, 0, 0}
	for i := range 40_000 {
		count[i%6]++
		if i%100 == 0 {
			count[5]++
			count[0]--
		}
	}
	if x := chiSquare(count, 40_000); x <= unlikely(5) {
		t.Errorf("chi square is only %.1f", x)
	}
}
