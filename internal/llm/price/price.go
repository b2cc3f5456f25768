// Package price says what a model's tokens cost by a table that somebody wrote: for who counts electricity, or pays for the
// machine by what it does. Amounts are whole millionths of the currency's unit; nothing is a binary fraction.
package price

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Micros are millionths of a currency's unit.
type Micros int64

// Price is what a million tokens of a model cost.
type Price struct {
	Prompt Micros // of prompts, what the server had in its cache included
	Eval   Micros // generated
}

// Table is what models cost.
type Table struct {
	Currency string           `toml:"currency" kind:"currency"` // such as "EUR"
	Models   map[string]Price `toml:"models"`                   // by the model's name; nil if there are none
}

// Use is what a reply of a model took, in tokens. Numbers below zero, which no server means, are 0.
type Use struct {
	Model        string
	Prompt, Eval int
}

// Cost is what something cost.
type Cost struct {
	Amount   string `json:"amount"` // decimal, such as "0.0123": 2 to 6 digits after the point
	Currency string `json:"currency"`
}

// perPrice is how many tokens a [Price] is for.
const perPrice = 1_000_000

// Of is what all of the uses cost together, rounded once to a millionth. It is false where there are none, and where a model
// among them has no price: a sum with a part missing is no cost.
func (t Table) Of(uses ...Use) (Cost, bool) {
	sum := big.NewInt(0) // a server's numbers may be anything
	add := func(price Micros, tokens int) {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(price)), big.NewInt(int64(max(0, tokens)))))
	}
	for _, u := range uses {
		p, ok := t.of(u.Model)
		if !ok {
			return Cost{}, false
		}
		add(p.Prompt, u.Prompt)
		add(p.Eval, u.Eval)
	}
	if len(uses) == 0 {
		return Cost{}, false
	}
	sum.Add(sum, big.NewInt(perPrice/2))
	return Cost{decimal(sum.Div(sum, big.NewInt(perPrice)).String()), t.Currency}, true
}

// of is the price of a model: one without a tag is that with the tag latest.
func (t Table) of(model string) (Price, bool) {
	if p, ok := t.Models[model]; ok || model == "" {
		return p, ok
	}
	other, tagged := strings.CutSuffix(model, latest)
	if !tagged {
		other = model + latest
	}
	p, ok := t.Models[other]
	return p, ok
}

// latest is the tag of a model that is named without one.
const latest = ":latest"

// places is how many digits after the point a millionth has.
const places = 6

// maxWhole is how many digits before the point a price may have.
const maxWhole = 6

// Parse reads a decimal such as "0.05". The error is the end of a sentence that begins with what it is.
func Parse(s string) (Micros, error) {
	whole, rest, point := strings.Cut(s, ".")
	digits := func(s string, most int) bool {
		return s != "" && len(s) <= most && strings.Trim(s, "0123456789") == ""
	}
	if !digits(whole, maxWhole) || point && !digits(rest, places) {
		return 0, fmt.Errorf(`must be a decimal such as "0.05", with at most %d digits before and %d after the point, not %.40q`, maxWhole, places, s)
	}
	n, err := strconv.ParseInt(whole+rest+strings.Repeat("0", places-len(rest)), 10, 64)
	return Micros(n), err
}

// String is the decimal that [Parse] reads as m.
func (m Micros) String() string { return decimal(strconv.FormatInt(int64(m), 10)) }

// decimal writes a number of millionths, which is not below zero, with two digits after the point or as many as it needs.
func decimal(millionths string) string {
	if short := places + 1 - len(millionths); short > 0 {
		millionths = strings.Repeat("0", short) + millionths
	}
	point := len(millionths) - places
	rest := millionths[point:]
	return millionths[:point] + "." + rest[:2] + strings.TrimRight(rest[2:], "0")
}
