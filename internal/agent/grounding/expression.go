package grounding

import (
	"cmp"
	"slices"
	"strings"
)

// maxOperands is how many numbers a calculation has at most that is read.
const maxOperands = 8

// calculations tries what the answer calculates where all can see it: 7 × 138 + 70 = 1036. Its operands must be found. Of
// numbers such as 2,450 both readings are tried, and of rounded ones the exact value, too.
func (c *checker) calculations() {
	for from := 0; from < len(c.claims); from++ {
		var values, others []float64
		var operators []byte
		for i := from; i < len(c.claims) && len(values) < maxOperands; i++ {
			x := &c.claims[i]
			if x.kind != quantity {
				break
			}
			if len(values) > 0 && operators[len(operators)-1] == '=' {
				c.offer(derived{val: evaluate(values, operators), how: freely})
				c.offer(derived{val: evaluate(others, operators), how: freely})
				break
			}
			if x.operator != 0 && x.dec == 0 && x.unit == nil && c.is("calendar", x.text) { // 12 × 78
				x.ok = true
				c.close(i)
			}
			if !x.ok || x.operator == 0 {
				break
			}
			values, operators = append(values, x.exact()), append(operators, x.operator)
			others = append(others, cmp.Or(x.alt, x.val))
		}
	}
}

// close takes the readings of a claim from the open ones.
func (c *checker) close(claim int) {
	for i := len(c.of) - 1; i >= 0; i-- {
		if c.of[i] == claim {
			c.open, c.of = slices.Delete(c.open, i, i+1), slices.Delete(c.of, i, i+1)
		}
	}
}

// evaluate calculates with products before sums; the last operator is the sign of equality.
func evaluate(values []float64, operators []byte) float64 {
	sum, product, sign := 0.0, values[0], 1.0
	for i, v := range values[1:] {
		switch operators[i] {
		case '*':
			product *= v
		case '/':
			product /= v
		default:
			sum += sign * product
			product, sign = v, 1
			if operators[i] == '-' {
				sign = -1
			}
		}
	}
	return sum + sign*product
}

// operatorAt is the operator that stands alone at the beginning of a text, before another number, or 0.
func (l lexicon) operatorAt(s string) byte {
	rest := strings.TrimLeft(head(s, maxWord), " \u00a0*_)")
	if strings.HasPrefix(strings.TrimLeft(s, " "), "* ") {
		return '*'
	}
	w := l.prefix("operator", rest)
	if w == "" {
		return 0
	}
	if next := strings.TrimLeft(rest[len(w):], " \u00a0*_(≈~$€£"); next == "" || !isDigit(next[0]) {
		return 0
	}
	v, _ := l.value("operator", w)
	return "=*/+-"[int(v)]
}
