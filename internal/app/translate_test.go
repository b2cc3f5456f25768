package app

import "testing"

// The first words of a line stay bold in another language: up to its colon, which is another one in Chinese.
func TestHeadEnd(t *testing.T) {
	for line, want := range map[string]string{
		"模型：还没有": "模型", "Очередь: ждёт: 2": "Очередь", "错误：Ollama: 坏了": "错误", "Es läuft nichts.": "",
	} {
		if got := line[:headEnd(line)]; got != want {
			t.Errorf("the head of %q is %q, want %q", line, got, want)
		}
	}
}
