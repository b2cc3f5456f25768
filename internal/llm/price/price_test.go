package price_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/llm/price"
)

func table() price.Table {
	return price.Table{Currency: "EUR", Models: map[string]price.Price{
		"qwen3:8b": {Prompt: 50_000, Eval: 200_000}, "small": {Prompt: 1, Eval: 1}, "big:latest": {Prompt: 999_999_999_999, Eval: 999_999_999_999}, "free": {},
	}}
}

// The row turn-engine-29: tokens are added up before they are paid for, and a model without a price costs nobody anything.
func TestOf(t *testing.T) {
	type cost struct {
		Amount string
		OK     bool
	}
	for _, c := range []struct {
		name string
		uses []price.Use
		want cost
	}{
		{"one", []price.Use{{"qwen3:8b", 100_000, 10_000}}, cost{"0.007", true}},
		{"several", []price.Use{{"qwen3:8b", 100_000, 10_000}, {"qwen3:8b", 20, 0}, {"small", 500_000, 500_000}}, cost{"0.007002", true}},
		{"rounded once, up from the half", []price.Use{{"small", 250_000, 0}, {"small", 0, 250_000}}, cost{"0.000001", true}},
		{"below the half", []price.Use{{"small", 499_999, 0}}, cost{"0.00", true}},
		{"for nothing", []price.Use{{"free", 1000, 1000}}, cost{"0.00", true}},
		{"whole", []price.Use{{"qwen3:8b", 0, 60_000_000}}, cost{"12.00", true}},
		{"without its tag", []price.Use{{"big", 1_000_000, 0}}, cost{"999999.999999", true}},
		{"with the tag", []price.Use{{"small:latest", 1_000_000, 0}}, cost{"0.000001", true}},
		{"what no server means", []price.Use{{"qwen3:8b", -5, -1 << 62}}, cost{"0.00", true}},
		{"unknown", []price.Use{{"llama", 10, 10}}, cost{}},
		{"another tag", []price.Use{{"qwen3:4b", 10, 10}}, cost{}},
		{"one of two is unknown", []price.Use{{"qwen3:8b", 10, 10}, {"llama", 10, 10}}, cost{}},
		{"nobody knows which", []price.Use{{"", 10, 10}}, cost{}},
		{"nothing", nil, cost{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := table().Of(c.uses...)
			if diff := cmp.Diff(c.want, cost{got.Amount, ok}); diff != "" {
				t.Error(diff)
			}
			if ok != (got.Currency == "EUR") {
				t.Errorf("the currency is %q", got.Currency)
			}
		})
	}
	if got, ok := (price.Table{}).Of(price.Use{Model: "qwen3:8b"}); ok {
		t.Error("an empty table knows", got)
	}
}

// However large the numbers, the amount is the exact sum, rounded to a millionth.
func TestOfIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.OneOf(rapid.IntRange(0, 1_000_000), rapid.IntRange(0, math.MaxInt))
		prompt, eval := rapid.Int64Range(0, 999_999_999_999).Draw(t, "prompt"), rapid.Int64Range(0, 999_999_999_999).Draw(t, "eval")
		tab := price.Table{Models: map[string]price.Price{"m": {Prompt: price.Micros(prompt), Eval: price.Micros(eval)}}}
		var uses []price.Use
		exact := new(big.Rat)
		for range rapid.IntRange(1, 5).Draw(t, "uses") {
			u := price.Use{Model: "m", Prompt: tokens.Draw(t, "p"), Eval: tokens.Draw(t, "e")}
			uses = append(uses, u)
			for _, part := range [][2]int64{{prompt, int64(u.Prompt)}, {eval, int64(u.Eval)}} {
				exact.Add(exact, new(big.Rat).Mul(big.NewRat(part[0], 1_000_000_000_000), big.NewRat(part[1], 1)))
			}
		}
		got, ok := tab.Of(uses...)
		amount, valid := new(big.Rat).SetString(got.Amount)
		if !ok || !valid {
			t.Fatal(got, ok)
		}
		if off := new(big.Rat).Sub(amount, exact); off.Abs(off).Cmp(big.NewRat(1, 2_000_000)) > 0 {
			t.Errorf("%s, and it is %s", got.Amount, exact.FloatString(9))
		}
	})
}

func TestParse(t *testing.T) {
	for s, want := range map[string]price.Micros{
		"0": 0, "0.05": 50_000, "0.000001": 1, "1": 1_000_000, "12.5": 12_500_000, "999999.999999": 999_999_999_999, "00.10": 100_000,
	} {
		if got, err := price.Parse(s); got != want || err != nil {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", ".", "1.", ".5", "-1", "+1", "1e3", "0,05", "1_0", " 1", "1.1.1", "1000000", "0.0000001", "٣", "NaN"} {
		if got, err := price.Parse(s); err == nil {
			t.Errorf("%q is taken for %d", s, got)
		}
	}
	_, err := price.Parse("0,05")
	if err == nil || err.Error() != `must be a decimal such as "0.05", with at most 6 digits before and 6 after the point, not "0,05"` {
		t.Error(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := price.Micros(rapid.Int64Range(0, 999_999_999_999).Draw(t, "micros"))
		if back, err := price.Parse(m.String()); back != m || err != nil {
			t.Errorf("%d is written %q and read %d, %v", m, m, back, err)
		}
	})
}
