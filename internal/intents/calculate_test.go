package intents_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/intents"
)

// A sum is calculated as it is written: with its fractions, and with the marks of the language in its numbers.
func TestCalculate(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"en", "what's 10 / 4", "10 / 4 = 2.5"}, {"en", "7 divided by 2", "7 / 2 = 3.5"}, {"en", "0.1+0.2", "0.1 + 0.2 = 0.3"},
		{"en", "3 times 19.99", "3 * 19.99 = 59.97"}, {"en", "1,000 + 1", "1000 + 1 = 1001"}, {"en", "1,234,567.5 + 1", "1234567.5 + 1 = 1234568.5"},
		{"en", "0,125 + 1", "0.125 + 1 = 1.125"}, {"en", "(2 + 3) * 4 - 1", "(2 + 3) * 4 - 1 = 19"}, {"en", "2 + 3 * 4", "2 + 3 * 4 = 14"},
		{"en", "10 - 4 - 3", "10 - 4 - 3 = 3"}, {"en", "-3 * -(2 + 1)", "-3 * -(2 + 1) = 9"}, {"en", "10 / 3", "10 / 3 ≈ 3.333333333"},
		{"en", "2 / 3000", "2 / 3000 ≈ 0.0006666666667"}, {"en", "100 / 3", "100 / 3 ≈ 33.33333333"}, {"en", "1 / 1024", "1 / 1024 = 0.0009765625"},
		{"en", "123456789 * 987654321", "123456789 * 987654321 = 121932631112635269"}, {"en", "2 - 2", "2 - 2 = 0"},
		{"en", "what is 15% of 80", "15% * 80 = 12"}, {"en", "15 percent of 80", "15% * 80 = 12"}, {"en", "100 + 15%", "100 + 15% = 115"}, {"en", "40 plus 19 percent", "40 + 19% = 47.6"},
		{"en", "what's 250 minus 20%", "250 - 20% = 200"}, {"en", "10 / 0", "nothing can be divided by zero: say another number"},
		{"en", "1 / (2 - 2)", "nothing can be divided by zero: say another number"}, {"en", "three times 4", "3 * 4 = 12"}, {"en", "1.5 add 2", "1.5 + 2 = 3.5"},
		{"de", "was ist 19,99 * 3", "19,99 * 3 = 59,97"}, {"de", "was ist 1.000 + 1", "1000 + 1 = 1001"}, {"de", "was ist 1.000,5 + 1", "1000,5 + 1 = 1001,5"},
		{"de", "was ist 19.99 * 3", "19,99 * 3 = 59,97"}, {"de", "wie viel sind 15 Prozent von 80", "15% * 80 = 12"}, {"de", "7 geteilt durch 2", "7 / 2 = 3,5"},
		{"ru", "сколько будет 10,5 + 1", "10,5 + 1 = 11,5"}, {"ru", "сколько будет 15% от 80", "15% * 80 = 12"}, {"ru", "сколько будет 1 000 + 1", "1000 + 1 = 1001"},
		{"en", "what is twelve hundred minus one", "1200 - 1 = 1199"}, {"ru", "сколько будет двести тридцать плюс пять", "230 + 5 = 235"},
		{"ru", "раздели мне 1248 на 16", "1248 / 16 = 78"}, {"ru", "Разделите, пожалуйста, 1250 на 16", "1250 / 16 = 78,125"}, {"ru", "умножь 3 на 7", "3 * 7 = 21"},
		{"ru", "сколько будет 18 на 24", "18 * 24 = 432"}, {"ru", "прибавь 5 к 10", "5 + 10 = 15"}, {"ru", "сложи 12 и 30", "12 + 30 = 42"},
		{"zh", "三亿加一等于多少", "300000000 + 1 = 300000001"}, {"zh", "80的15%是多少", "80 * 15% = 12"}, {"zh", "10除以4等于多少", "10 / 4 = 2.5"}, {"zh", "1,000加1是多少", "1000 + 1 = 1001"}, {"zh", "1250.5加17", "1250.5 + 17 = 1267.5"}, {"zh", "18.5加2", "18.5 + 2 = 20.5"},
	} {
		var args struct{ Sum string }
		r := intents.Default().ReadIn(c[0], c[1])
		if err := json.Unmarshal(r.Call.Args, &args); err != nil || r.Kind != "calculate" || !r.Command {
			t.Errorf("%q is read as %s %s: %v", c[1], r.Kind, r.Call.Args, err)
			continue
		}
		if got := intents.Calculate(args.Sum, c[0]); got != c[2] {
			t.Errorf("%q: %s, want %s", c[1], got, c[2])
		}
	}
}

// What may be no sum, or another one, is left.
func TestCalculate_Unsure(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"2026-11-25", "12/24/2026", "10:30", "was ist 10:30", "1,00,0 + 1", "1,2,3 + 1", "2 3 + 1", "1.2.3 - 4", "(2 + 3", "2 + 3)", "2 (3 + 1)", "()", "2 ++ 3 *",
		"100 + 15% + 1", "3 of 4", "15% of 80 + 1", "сколько будет 1.000 + 1", "12 и 30", "3的5", "two three + 1",
		"add 2 to 1.5", "18.5加到2", "append milk to 1.5kg", "delete 192.168.1.1", // a number is no file
	} {
		if r := intents.Default().Read(text); r.Kind != "" {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
	for _, text := range []string{"1,000 + 1", "1.000 * 2"} { // English or German
		r := intents.Default().Read(text)
		if r.Kind != "calculate" || r.Call.Name != "" || !strings.HasPrefix(r.Ask, "Does the mark") || !strings.HasPrefix(r.In("de").Ask, "Trennt") {
			t.Errorf("%q is read as %s %s, and asks %q", text, r.Kind, r.Call.Args, r.Ask)
		}
	}
	if got := intents.Calculate("2+", "en"); got != "2+ is no sum: say one such as 10 / 4" {
		t.Error(got)
	}
}
