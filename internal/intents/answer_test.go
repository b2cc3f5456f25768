package intents_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/intents"
)

var update = flag.Bool("update", false, "write the results into testdata/answers.txt")

// The answer to a question completes the chore: in testdata/answers.txt stand what was said, the answer, and what that comes to; nothing
// where it is no answer.
func TestReading_Complete(t *testing.T) {
	t.Parallel()
	const file = "testdata/answers.txt"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(raw)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) < 2 {
			got.WriteString(line)
			continue
		}
		words, answer := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1])
		asks := intents.Default().Loosely(words).At(midday)
		if asks.Ask == "" || asks.Call.Name != "" {
			t.Errorf("%q asks nothing", words)
		}
		fmt.Fprintln(&got, strings.TrimSpace(words+" | "+answer+" | "+completed(asks, answer)))
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(raw), got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// completed is what a question and its answer come to, "" for nothing.
func completed(asks intents.Reading, answer string) string {
	for _, whole := range asks.Complete(answer) {
		if r := intents.Default().Read(whole).At(asks.SaidAt(midday)); asks.IsCompletedBy(r) {
			return strings.TrimSpace(r.Call.Name+" "+string(r.Call.Args)) + r.Ask
		}
	}
	return ""
}

// A chore that only looks at the thing that was asked for is the name of that thing.
func TestReading_Covers(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	whole := all.Read("add milk to the shopping list")
	for text, want := range map[string]bool{"the shopping list": true, "show the todo list": false, "add eggs to the shopping list": false, "show my reminders": false, "thanks": false} {
		if got := whole.Covers(all.Read(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
