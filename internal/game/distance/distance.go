// Package distance measures ways, in integers. Lengths are whole millimetres, and a length that is not
// whole is rounded up, so a way is never shorter than it is. Nothing overflows: what is larger than an int64 holds becomes
// the largest that it may.
package distance

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Metre is the millimetres of a metre.
const Metre = 1000

// Metres writes millimetres as metres: 120000 is 120, -80500 is -80.5.
func Metres(mm int64) string {
	sign, size := "", uint64(mm)
	if mm < 0 {
		sign, size = "-", -size
	}
	digits := fmt.Sprintf("%s%d.%03d", sign, size/Metre, size%Metre)
	return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
}

// span is the largest difference of two coordinates that is told from larger ones: about two billion kilometres. Three of its
// squares still fit 128 bits, and the root of their sum fits an int64.
const span = 1 << 61

// Point is a place in space, in millimetres.
type Point struct {
	X, Y, Z int64
}

// Distance2D returns the length of the straight line from a to b seen from above, in millimetres, rounded up. It is exact
// where no coordinate is beyond 2^60, which is 10^15 metres.
func Distance2D(a, b Point) int64 {
	a.Z, b.Z = 0, 0
	return Distance3D(a, b)
}

// Distance3D returns the length of the straight line from a to b, as [Distance2D] does.
func Distance3D(a, b Point) int64 {
	hi, lo := square(a.X, b.X)
	hi, lo = plus(hi, lo, a.Y, b.Y)
	hi, lo = plus(hi, lo, a.Z, b.Z)
	return root(hi, lo)
}

// Sum returns the length of a way of several segments, in millimetres.
func Sum(segments ...int64) int64 {
	var total int64
	for _, s := range segments {
		if s > math.MaxInt64-total {
			return math.MaxInt64
		}
		total += max(s, 0)
	}
	return total
}

// square returns the 128 bits of the square of the difference of a and b.
func square(a, b int64) (hi, lo uint64) {
	d := uint64(max(a, b)) - uint64(min(a, b)) // wraps to the true difference, whatever the signs
	d = min(d, span)
	return bits.Mul64(d, d)
}

// plus adds such a square to a number of 128 bits.
func plus(hi, lo uint64, a, b int64) (uint64, uint64) {
	h, l := square(a, b)
	l, carry := bits.Add64(lo, l, 0)
	h, _ = bits.Add64(hi, h, carry)
	return h, l
}

// root returns the square root of a number below 2^124, rounded up. It is Newton's method from above: every guess is at least
// the root, so the quotient fits 64 bits, and the first guess that does not fall is the root rounded down.
func root(hi, lo uint64) int64 {
	length := bits.Len64(lo)
	if hi != 0 {
		length = 64 + bits.Len64(hi)
	}
	if length == 0 {
		return 0
	}
	guess := uint64(1) << ((length + 1) / 2)
	for {
		quotient, _ := bits.Div64(hi, lo, guess)
		next := (guess + quotient) / 2
		if next >= guess {
			break
		}
		guess = next
	}
	if h, l := bits.Mul64(guess, guess); h != hi || l != lo {
		guess++
	}
	return int64(guess)
}
