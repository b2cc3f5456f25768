package dice

import (
	"cmp"
	"math"
)

// number is a whole number or, once a decimal or / had a part in it, a floating point one, which is always finite.
type number struct {
	i    int64
	f    float64
	real bool
}

func whole(i int64) number { return number{i: i} }

// float returns n rounded to a floating point number.
func (n number) float() float64 {
	if n.real {
		return n.f
	}
	return float64(n.i)
}

// errTooLarge is what a number is that does not fit.
func errTooLarge() error {
	return badValue("a number in this roll is too large: stay below 9223372036854775808, which is 2 to the power of 63")
}

func errDivision() error {
	return badValue("this roll divides by zero: make sure that what stands behind /, // or % is not zero")
}

// newReal makes f a number, if it is one.
func newReal(f float64) (number, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return number{}, errTooLarge()
	}
	return number{f: f, real: true}, nil
}

// truncate returns n without its fraction.
func (n number) truncate() (int64, error) {
	if !n.real {
		return n.i, nil
	}
	if n.f >= 1<<63 || n.f < -1<<63 {
		return 0, errTooLarge()
	}
	return int64(n.f), nil
}

// operator is one of arithmetic or a comparison.
type operator uint8

const (
	noOperator operator = iota
	add
	sub
	mul
	div
	floorDiv
	mod
	equal
	notEqual
	less
	greater
	atMost
	atLeast
)

// String returns an operator as it is written.
func (o operator) String() string {
	return [...]string{"", "+", "-", "*", "/", "//", "%", "==", "!=", "<", ">", "<=", ">="}[o]
}

// negative returns -n.
func negative(n number) (number, error) {
	if n.real {
		return number{f: -n.f, real: true}, nil
	}
	if n.i == math.MinInt64 {
		return number{}, errTooLarge()
	}
	return whole(-n.i), nil
}

// apply returns a o b. Comparisons give 0 or 1. // and % round down, so that % has the sign of b.
func apply(a number, o operator, b number) (number, error) {
	switch {
	case o >= equal:
		return compareTo(a, o, b), nil
	case o >= div && b.float() == 0:
		return number{}, errDivision()
	case o == div || a.real || b.real:
		return applyReal(a.float(), o, b.float())
	}
	return applyWhole(a.i, o, b.i)
}

func applyWhole(a int64, o operator, b int64) (number, error) {
	var r int64
	fits := true
	switch o {
	case add:
		r = a + b
		fits = (r > a) == (b > 0)
	case sub:
		r = a - b
		fits = (r < a) == (b > 0)
	case mul:
		r = a * b
		fits = a == 0 || r/a == b && (a != -1 || b != math.MinInt64)
	case floorDiv:
		r = a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			r--
		}
		fits = a != math.MinInt64 || b != -1
	case mod:
		r = a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
	}
	if !fits {
		return number{}, errTooLarge()
	}
	return whole(r), nil
}

func applyReal(a float64, o operator, b float64) (number, error) {
	switch o {
	case add:
		return newReal(a + b)
	case sub:
		return newReal(a - b)
	case mul:
		return newReal(a * b)
	case div:
		return newReal(a / b)
	}
	quotient, rest := floorDivide(a, b)
	if o == mod {
		return newReal(rest)
	}
	return newReal(quotient)
}

// floorDivide divides so that the quotient is whole and the rest has the sign of b. The quotient comes from the rest, which is
// exact: rounding a/b down would be wrong by one where a/b itself was rounded up to a whole number.
func floorDivide(a, b float64) (quotient, rest float64) {
	rest = math.Mod(a, b)
	quotient = (a - rest) / b
	if rest != 0 && (rest < 0) != (b < 0) {
		rest += b
		quotient--
	}
	down := math.Floor(quotient)
	if quotient-down > 0.5 {
		down++
	}
	return down, rest
}

func compareTo(a number, o operator, b number) number {
	c := compare(a, b)
	if [...]bool{equal: c == 0, notEqual: c != 0, less: c < 0, greater: c > 0, atMost: c <= 0, atLeast: c >= 0}[o] {
		return whole(1)
	}
	return whole(0)
}

// compare returns a negative number for a < b, zero, or a positive one. It rounds nothing.
func compare(a, b number) int {
	switch {
	case !a.real && !b.real:
		return cmp.Compare(a.i, b.i)
	case a.real && b.real:
		return cmp.Compare(a.f, b.f)
	case a.real:
		return -compare(b, a)
	case b.f >= 1<<63:
		return -1
	case b.f < -1<<63:
		return 1
	}
	cut := int64(b.f)
	return cmp.Or(cmp.Compare(a.i, cut), cmp.Compare(float64(cut), b.f))
}
