package daemon

import "testing"

// The first words of a line stay bold in another language: up to its colon, which is another one in Chinese.
func TestTheHeadOfALineStaysBold(t *testing.T) {
	for text, c := range map[string][2]string{
		"**Model**: none yet": {"模型：还没有", "**模型**：还没有"},
		"**Queue**: it waits": {"Очередь: ждёт: 2", `**Очередь**\: ждёт\: 2`},
		"**Error**: it broke": {"错误：Ollama: 坏了", `**错误**：Ollama\: 坏了`},
		"Nothing runs.":       {"Es läuft nichts.", `Es läuft nichts\.`},
	} {
		tr := translate(func(string, string, string) string { return c[0] })
		if got := tr.markdown("", "status", text); got != c[1] {
			t.Errorf("%s: %q, want %q", text, got, c[1])
		}
	}
}
