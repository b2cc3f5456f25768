package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/llm/price"
)

func priceKeys() []key {
	return []key{
		textKey("prices", "currency", checkCurrency, func(c *Config) *string { return &c.Prices.Currency }),
		{"prices", "models", setPrices, showPrices},
	}
}

func checkCurrency(s string) error {
	bad := func(r rune) bool { return r < 'A' || r > 'Z' }
	if len(s) != 3 || strings.ContainsFunc(s, bad) {
		return fmt.Errorf(`must be three capital letters such as "EUR", not %.40q`, s)
	}
	return nil
}

// onePrice is how the table of models is written.
const onePrice = `{"qwen3:8b" = {prompt = "0.05", eval = "0.20"}}`

func setPrices(c *Config, v any) error {
	written, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("must be a table such as %s, not %s", onePrice, kind(v))
	}
	var models map[string]price.Price
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if err := checkModel(name); err != nil || name == "" {
			return fmt.Errorf("must name models, such as %s, not %s", onePrice, printable(name))
		}
		of, ok := written[name].(map[string]any)
		if !ok {
			return fmt.Errorf("must say what a million tokens cost, such as %s, and %s is %s", onePrice, printable(name), kind(written[name]))
		}
		for _, k := range slices.Sorted(maps.Keys(of)) {
			if k != "prompt" && k != "eval" {
				return fmt.Errorf("must have a prompt and an eval for each model, such as %s, and %s has %s", onePrice, printable(name), printable(k))
			}
		}
		prompt, err := priceOf(name, "prompt", of)
		if err != nil {
			return err
		}
		eval, err := priceOf(name, "eval", of)
		if err != nil {
			return err
		}
		if models == nil {
			models = map[string]price.Price{}
		}
		models[name] = price.Price{Prompt: prompt, Eval: eval}
	}
	c.Prices.Models = models
	return nil
}

// priceOf reads one of the two prices of a model. They are texts: a number would be a binary fraction.
func priceOf(model, name string, of map[string]any) (price.Micros, error) {
	v, ok := of[name]
	if !ok {
		return 0, fmt.Errorf("must have a prompt and an eval for each model, such as %s, and %s lacks %s", onePrice, printable(model), name)
	}
	s, ok := v.(string)
	if !ok {
		return 0, fmt.Errorf(`must hold decimals in quotes, such as "0.05", and %s of %s is %s`, name, printable(model), kind(v))
	}
	p, err := price.Parse(s)
	if err != nil {
		return 0, fmt.Errorf("must hold prices, and %s of %s %w", name, printable(model), err)
	}
	return p, nil
}

func showPrices(c Config) string {
	entries := make([]string, 0, len(c.Prices.Models))
	for _, name := range slices.Sorted(maps.Keys(c.Prices.Models)) {
		p := c.Prices.Models[name]
		entries = append(entries, fmt.Sprintf("%s = {prompt = %s, eval = %s}", quote(name), quote(p.Prompt.String()), quote(p.Eval.String())))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}
