package roll_test

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"hob/internal/game/roll"
)

func encode(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

// Whoever asks line by line, and waits, gets each answer before the next question.
func TestLines_Answers(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- roll.Lines(t.Context(), in, out, [32]byte{}, encode)
		out.Close()
	}()
	reader := bufio.NewReader(answers)
	for range 3 {
		if _, err := io.WriteString(ask, `{"expr":"2d6","dice":[3,4]}`+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := reader.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, `{"ok":true,"expr":"2d6","total":7,`) {
			t.Fatal(line, err)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
