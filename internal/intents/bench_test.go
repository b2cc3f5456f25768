package intents_test

import (
	"testing"

	"hob/internal/intents"
)

func BenchmarkRead(b *testing.B) {
	all := intents.Default()
	for name, text := range map[string]string{
		"note": "note buy milk", "list": "add milk, eggs and 2 l of oat milk to the shopping list", "question": "What is the capital of France?",
		"ru": "добавь молоко в список покупок", "zh": "把牛奶加到购物清单",
		"several": "put milk on the shopping list and remind me at 5 to call Ana",
		"long":    "Please tell me a bit about the history of the village where my grandmother was born, and what people there did for a living",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				all.ReadIn("", text)
			}
		})
	}
}

func BenchmarkDefault(b *testing.B) {
	for b.Loop() {
		intents.Default().Help("en", anyExample)
	}
}
