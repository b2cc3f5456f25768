package intents

import (
	"math/big"
	"strings"

	"hob/internal/lazyregexp"
)

// percentShape is a percentage of a number, or a number with one added or taken off, which is of that number: 80 + 19%.
var percentShape = lazyregexp.New(`^(?:[0-9.]+%[*o][0-9.]+|[0-9.]+[*o][0-9.]+%|[0-9.]+[+-][0-9.]+%)$`)

// Calculate returns a sum of a calculate reading with its result, for a person: exact, or with a ≈ and ten places where it has more than
// ten behind the point.
func Calculate(sum, lang string) string {
	c := reckoning{rest: sum, isPercentage: percentShape().MatchString(sum)}
	result := c.sum()
	switch {
	case c.wrong || c.rest != "":
		return sum + " is no sum: say one such as 10 / 4"
	case c.byZero:
		return "nothing can be divided by zero: say another number"
	}
	text := c.text.String() + decimal(result)
	if lang == "de" || lang == "ru" {
		text = strings.ReplaceAll(text, ".", ",")
	}
	return text
}

// decimal returns a result behind its sign.
func decimal(result *big.Rat) string {
	const places = 10
	sign, behind := " = ", places
	if exact := new(big.Rat); result.Sign() != 0 {
		if exact.SetString(result.FloatString(places)); exact.Cmp(result) != 0 {
			sign = " ≈ "
			whole := new(big.Int).Quo(result.Num(), result.Denom()).String()
			behind = max(0, places-len(strings.TrimLeft(whole, "-0")))
			for one, small := big.NewRat(1, 10), new(big.Rat).Abs(result); small.Cmp(one) < 0; small.Mul(small, big.NewRat(10, 1)) {
				behind++
			}
		}
	}
	text := result.FloatString(behind)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return sign + text
}

// isSum reports whether a text is a sum without an end that is missing. A percentage is one of a single number, such as 15%*80 or 80+15%: of a
// longer sum it is not sure what it is of.
func isSum(text string) bool {
	if strings.ContainsAny(text, "%o") {
		return strings.Contains(text, "%") && percentShape().MatchString(text)
	}
	c := reckoning{rest: text}
	c.sum()
	return !c.wrong && c.rest == ""
}

// reckoning reads a sum from the left to the right, and writes it as people do.
type reckoning struct {
	rest          string
	text          strings.Builder
	wrong, byZero bool

	isPercentage bool // the sum is one percentage, as 15%*80 and 80+19%
}

// next takes one of some letters from the beginning.
func (c *reckoning) next(letters string) (letter byte, ok bool) {
	if c.rest == "" || strings.IndexByte(letters, c.rest[0]) < 0 {
		return 0, false
	}
	letter, c.rest = c.rest[0], c.rest[1:]
	return letter, true
}

func (c *reckoning) sum() *big.Rat {
	total := c.product()
	for {
		switch op, ok := c.next("+-"); {
		case !ok:
			return total
		case op == '+':
			c.text.WriteString(" + ")
			total.Add(total, c.productOf(total))
		default:
			c.text.WriteString(" - ")
			total.Sub(total, c.productOf(total))
		}
	}
}

// productOf is product behind a plus or a minus. Where that is a percentage alone, it is of what stands before it.
func (c *reckoning) productOf(before *big.Rat) *big.Rat {
	n := c.product()
	if c.isPercentage {
		n.Mul(n, before)
	}
	return n
}

func (c *reckoning) product() *big.Rat {
	total := c.factor()
	for {
		op, ok := c.next("*/")
		if !ok {
			return total
		}
		c.text.WriteString(" " + string(op) + " ")
		by := c.factor()
		switch {
		case op == '*':
			total.Mul(total, by)
		case by.Sign() == 0:
			c.byZero = true
		default:
			total.Quo(total, by)
		}
	}
}

func (c *reckoning) factor() *big.Rat {
	if _, ok := c.next("-"); ok {
		c.text.WriteByte('-')
		n := c.factor()
		return n.Neg(n)
	}
	if _, ok := c.next("("); ok {
		c.text.WriteByte('(')
		n := c.sum()
		if _, closed := c.next(")"); !closed {
			c.wrong = true
		}
		c.text.WriteByte(')')
		return n
	}
	digits := c.rest[:len(c.rest)-len(strings.TrimLeft(c.rest, "0123456789."))]
	c.rest = c.rest[len(digits):]
	n, ok := new(big.Rat).SetString(digits)
	if !ok {
		c.wrong = true
		return new(big.Rat)
	}
	c.text.WriteString(digits)
	if _, ok := c.next("%"); ok {
		c.text.WriteByte('%')
		n.Quo(n, big.NewRat(100, 1))
	}
	return n
}
