package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/llm/price"
	"hob/internal/tomlfile"
)

func checkCurrency(s string) (string, error) {
	bad := func(r rune) bool { return r < 'A' || r > 'Z' }
	if len(s) != 3 || strings.ContainsFunc(s, bad) {
		return "", fmt.Errorf(`must be three capital letters such as "EUR", not %.40q`, s)
	}
	return s, nil
}

// onePrice is how the table of models is written.
const onePrice = `{"qwen3:8b" = {prompt = "0.05", eval = "0.20"}}`

// readPrices reads the table of models.
func readPrices(v any) (any, error) {
	written, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be a table such as %s, not %s", onePrice, describe(v))
	}
	var models map[string]price.Price
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if _, err := checkModel(name); err != nil || name == "" {
			return nil, fmt.Errorf("must name models, such as %s, not %s", onePrice, tomlfile.Name(name))
		}
		of, ok := written[name].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("must say what a million tokens cost, such as %s, and %s is %s", onePrice, tomlfile.Name(name), describe(written[name]))
		}
		for _, k := range slices.Sorted(maps.Keys(of)) {
			if k != "prompt" && k != "eval" {
				return nil, fmt.Errorf("must have a prompt and an eval for each model, such as %s, and %s has %s", onePrice, tomlfile.Name(name), tomlfile.Name(k))
			}
		}
		prompt, err := priceOf(name, "prompt", of)
		if err != nil {
			return nil, err
		}
		eval, err := priceOf(name, "eval", of)
		if err != nil {
			return nil, err
		}
		if models == nil {
			models = map[string]price.Price{}
		}
		models[name] = price.Price{Prompt: prompt, Eval: eval}
	}
	return models, nil
}

// priceOf reads one of the two prices of a model. They are texts: a number would be a binary fraction.
func priceOf(model, name string, of map[string]any) (price.Micros, error) {
	v, ok := of[name]
	if !ok {
		return 0, fmt.Errorf("must have a prompt and an eval for each model, such as %s, and %s lacks %s", onePrice, tomlfile.Name(model), name)
	}
	s, ok := v.(string)
	if !ok {
		return 0, fmt.Errorf(`must hold decimals in quotes, such as "0.05", and %s of %s is %s`, name, tomlfile.Name(model), describe(v))
	}
	p, err := price.Parse(s)
	if err != nil {
		return 0, fmt.Errorf("must hold prices, and %s of %s %w", name, tomlfile.Name(model), err)
	}
	return p, nil
}
