package account_test

import (
	"testing"

	"hob/internal/game/account"
)

func TestStopBehind(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Нет.": "Нет.", "Она: «Нет.»": "Она: «Нет».", "Она: «Нет...»": "Она: «Нет...»", "Она: «Нет!»": "Она: «Нет!»",
		"Она: «Нет.»\nМожно спросить: лампа.": "Она: «Нет».\nМожно спросить: лампа.", "She: “No.”": "She: “No.”",
	} {
		if got := account.StopBehind(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
