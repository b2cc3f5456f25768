package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm/price"
)

// A table of prices may stand in one line or below headers of its own, and Show prints what is read as the same.
func TestPrices(t *testing.T) {
	want := price.Table{Currency: "CHF", Models: map[string]price.Price{
		"qwen3:8b": {Prompt: 50_000, Eval: 200_000}, "hf.co/a/b:Q4_K_M": {Eval: 1_500_000},
	}}
	for _, text := range []string{
		"[prices]\ncurrency = \"CHF\"\n" + `models = {"qwen3:8b" = {prompt = "0.05", eval = "0.2"}, "hf.co/a/b:Q4_K_M" = {prompt = "0", eval = "1.5"}}`,
		`[prices]
currency = "CHF"
[prices.models."qwen3:8b"]
prompt = "0.05"
eval = "0.20"
[prices.models."hf.co/a/b:Q4_K_M"]
prompt = "0.000000"
eval = "1.50"`,
	} {
		cfg, warnings, err := Load(file(t, text))
		if err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
		if diff := cmp.Diff(want, cfg.Prices); diff != "" {
			t.Error(diff)
		}
		shown := Show(cfg, "")
		back, warnings, problems := parse("shown", shown)
		if len(warnings) > 0 || len(problems) > 0 {
			t.Fatalf("what Show prints has %v, %v:\n%s", warnings, problems, shown)
		}
		if diff := cmp.Diff(cfg, back); diff != "" {
			t.Error(diff)
		}
	}
	if got := formatValue(want.Models); got != `{"hf.co/a/b:Q4_K_M" = {prompt = "0.00", eval = "1.50"}, "qwen3:8b" = {prompt = "0.05", eval = "0.20"}}` {
		t.Error(got)
	}
}

func TestAMistakeInPricesIsASentence(t *testing.T) {
	for text, want := range map[string]string{
		`currency = "euro"`: `[prices] currency at line 2 must be three capital letters such as "EUR", not "euro"`,
		`models = []`:       `[prices] models at line 2 must be a table such as {"qwen3:8b" = {prompt = "0.05", eval = "0.20"}}, not a list`,
		`models = {"a b" = {prompt = "1", eval = "1"}}`: `[prices] models at line 2 must name models, such as ` + onePrice + `, not "a b"`,
		`models = {"" = {prompt = "1", eval = "1"}}`:    `[prices] models at line 2 must name models, such as ` + onePrice + `, not ""`,
		`models = {m = "1"}`:                            `[prices] models at line 2 must say what a million tokens cost, such as ` + onePrice + `, and m is the text "1"`,
		`models = {m = {prompt = "1"}}`:                 `[prices] models at line 2 must have a prompt and an eval for each model, such as ` + onePrice + `, and m lacks eval`,
		`models = {m = {prompt = "1", eval = "1", evil = "1"}}`: `[prices] models at line 2 must have a prompt and an eval for each model, such as ` +
			onePrice + `, and m has evil`,
		`models = {m = {prompt = 0.05, eval = "1"}}`: `[prices] models at line 2 must hold decimals in quotes, such as "0.05", and prompt of m is the number 0.05`,
		`models = {m = {prompt = "1", eval = "1e3"}}`: `[prices] models at line 2 must hold prices, and eval of m must be a decimal such as "0.05", ` +
			`with at most 6 digits before and 6 after the point, not "1e3"`,
		"[prices.models.m]\nprompt = \"x\"\neval = \"1\"": `[prices] models at line 2 must hold prices, and prompt of m must be a decimal such as "0.05", ` +
			`with at most 6 digits before and 6 after the point, not "x"`,
	} {
		path := file(t, "[prices]\n"+text)
		cfg, _, err := Load(path)
		if err == nil || strings.TrimPrefix(err.Error(), path+": ") != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
		if diff := cmp.Diff(Default(), cfg); diff != "" {
			t.Error(diff)
		}
	}
}
