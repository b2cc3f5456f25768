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

// A yes or a no answers "did you mean" in the language of the words, and in English.
func TestReading_MeantBy(t *testing.T) {
	t.Parallel()
	for words, answers := range map[string][]string{
		"add milk to the shoping list":      {"yes, please", "Okay.", "no"},
		"setz Milch auf die Liste Shoping":  {"ja", "yes", "Nein!"},
		"добавь молоко в список «покупкки»": {"да", "ok", "нет"},
		"把牛奶加到露营清单":                         {"好", "是的。", "不是"},
	} {
		r := intents.Default().Loosely(words)
		if _, ok := r.MeantBy("yes"); ok || r.Kind == "" {
			t.Errorf("%q: nothing was asked of %s, and a yes answers it", words, r.Kind)
		}
		r.Meant = &intents.Reading{Kind: "meant"}
		for i, answer := range append(answers, "yes?", "milk", "") {
			meant, ok := r.MeantBy(answer)
			if want := i < 3; ok != want || (meant.Kind == "meant") != (i < 2) {
				t.Errorf("%q: %q means %q, %v", words, answer, meant.Kind, ok)
			}
		}
	}
}
