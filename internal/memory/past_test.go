package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/memory"
	"hob/internal/store"
)

func textOf(e event.Event) string {
	text, _ := event.Readable(e.Body)
	return text
}

func say(tb testing.TB, db *store.DB, chat event.Chat, texts ...string) (first int64) {
	tb.Helper()
	var entries []store.Entry
	for _, text := range texts {
		entries = append(entries, store.Entry{Chat: chat, Body: event.Noted{Text: text}})
	}
	events, err := db.Append(tb.Context(), entries...)
	if err != nil {
		tb.Fatal(err)
	}
	return events[0].Seq
}

func past(tb testing.TB, p *memory.Past, chat event.Chat, query string, most int) (found []string) {
	tb.Helper()
	events, err := p.Search(tb.Context(), chat, query, most)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range events {
		found = append(found, textOf(e))
	}
	return found
}

// What was said is found by other forms of its words, in four languages; the best first, and of those that fit alike the newest.
func TestPast(t *testing.T) {
	_, db := newMemory(t)
	p := memory.NewPast(db.Texts(), textOf)
	say(t, db, "main", "The bins are emptied on Tuesdays", "Die Mülltonnen werden dienstags geleert", "Мусор вывозят по вторникам", "垃圾每周二早上收走",
		"the plumber comes on Friday", "the plumber has a red van", "we need oat milk", "wrote boiler.md with 4711 in it")
	say(t, db, "other", "the plumber of somebody else")
	for query, want := range map[string][]string{
		"when is the bin emptied?":    {"The bins are emptied on Tuesdays"},
		"Wann wird die Tonne geleert": {"Die Mülltonnen werden dienstags geleert"},
		"когда вывоз мусора":          {"Мусор вывозят по вторникам"},
		"什么时候收垃圾":                     {"垃圾每周二早上收走"},
		"plumber":                     {"the plumber has a red van", "the plumber comes on Friday"},
		"is the plumber's van red?":   {"the plumber has a red van"},
		"boiler.md":                   {"wrote boiler.md with 4711 in it"},
		"4711":                        {"wrote boiler.md with 4711 in it"},
		`"plumber" OR milk*`:          {"we need oat milk", "the plumber has a red van", "the plumber comes on Friday"},
		"NEAR(plumber, friday)":       {"the plumber comes on Friday"},
		"cats":                        nil, "what did we say": nil, "?": nil, "": nil,
	} {
		if got := past(t, p, "main", query, 5); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	if got := past(t, p, "other", "plumber", 5); !slices.Equal(got, []string{"the plumber of somebody else"}) {
		t.Errorf("the other chat finds %q", got)
	}
	if got := past(t, p, "nobody", "plumber", 5); len(got) > 0 {
		t.Errorf("a chat without words finds %q", got)
	}
	if got := past(t, p, "main", "plumber", 1); !slices.Equal(got, []string{"the plumber has a red van"}) {
		t.Errorf("one that is found is %q", got)
	}
}

// Of 300 questions whose words have other forms, nine of ten find what was said among the first five, between 3,000 other texts.
func TestPastQuestions(t *testing.T) {
	_, db := newMemory(t)
	p := memory.NewPast(db.Texts(), textOf)
	var other []string
	for i := range 3000 {
		other = append(other, fmt.Sprintf("result %d: the weather report for day %d says that it will be fine, and nothing happens", i, i%30))
	}
	say(t, db, "main", other...)
	all := lines(t, "questions.txt")
	found := 0
	for _, q := range all {
		say(t, db, "main", q[1])
	}
	for _, q := range all {
		if slices.Contains(past(t, p, "main", q[2], 5), q[1]) {
			found++
		}
	}
	t.Logf("%d of %d are found", found, len(all))
	if len(all) != 300 || found < 270 {
		t.Errorf("only %d of %d are found", found, len(all))
	}
}

// failing is an index that cannot be written.
type failing struct{ store.Texts }

func (failing) Update(context.Context, func(event.Event) []string) error {
	return errors.New("the disk is full")
}

// Where the index cannot be written, what is not in it is found all the same, in the same order.
func TestPastWithoutAnIndex(t *testing.T) {
	_, db := newMemory(t)
	p, full := memory.NewPast(db.Texts(), textOf), memory.NewPast(failing{db.Texts()}, textOf)
	say(t, db, "main", "the plumber comes on Friday", "we need oat milk")
	_ = past(t, p, "main", "milk", 5)
	say(t, db, "main", "plumbers are dear", "the plumber came on Friday")
	say(t, db, "other", "the plumber of somebody else")
	for _, query := range []string{"plumber", "plumber friday", "plumb", "milk", "cats"} {
		got := past(t, full, "main", query, 5)
		if want := past(t, memory.NewPast(failing{db.Texts()}, textOf), "main", query, 5); !slices.Equal(got, want) {
			t.Errorf("%s: %q, then %q", query, got, want)
		}
	}
	indexed := map[string][]string{}
	for _, query := range []string{"plumber", "plumber friday", "plumb", "milk", "cats"} {
		indexed[query] = past(t, full, "main", query, 5)
	}
	for query, want := range indexed {
		if got := past(t, p, "main", query, 5); !slices.Equal(got, want) {
			t.Errorf("%s: %q with an index, %q without", query, got, want)
		}
	}
	if len(indexed["plumber"]) != 3 || len(indexed["cats"]) != 0 {
		t.Errorf("%q", indexed)
	}
}

// What is not to be found is not in the index, and a long text is found by its beginning.
func TestPastText(t *testing.T) {
	_, db := newMemory(t)
	p := memory.NewPast(db.Texts(), func(e event.Event) string {
		if text := textOf(e); !strings.HasPrefix(text, "echo") {
			return text
		}
		return ""
	})
	say(t, db, "main", "echo of the plumber", "plumber "+strings.Repeat("ы ", 50_000)+"electrician")
	if got := past(t, p, "main", "plumber", 5); len(got) != 1 || !strings.HasPrefix(got[0], "plumber") {
		t.Errorf("%d are found", len(got))
	}
	if got := past(t, p, "main", "electrician", 5); len(got) != 0 {
		t.Errorf("%d are found by the end of a long text", len(got))
	}
}

// BenchmarkPast indexes a journal of 100,000 messages, and searches it.
func BenchmarkPast(b *testing.B) {
	_, db := newMemory(b)
	all := lines(b, "questions.txt")
	var words []string
	for _, q := range all {
		words = append(words, strings.Fields(q[1])...)
	}
	for i := range 20_000 {
		words = append(words, fmt.Sprintf("word%c%c%d", 'a'+i%26, 'a'+i/26%26, i))
	}
	state := uint64(1)
	for range 100 {
		var texts []string
		for range 1000 {
			var text []string
			for range 20 {
				state = state*6364136223846793005 + 1442695040888963407
				u := float64(state>>11) / (1 << 53)
				text = append(text, words[int(u*u*u*float64(len(words)))])
			}
			texts = append(texts, strings.Join(text, " "))
		}
		say(b, db, "main", texts...)
	}
	p := memory.NewPast(db.Texts(), textOf)
	began := time.Now()
	if _, err := p.Search(b.Context(), "main", "bins", 5); err != nil {
		b.Fatal(err)
	}
	index := time.Since(began).Seconds()
	n := 0
	for b.Loop() {
		if _, err := p.Search(b.Context(), "main", all[n%len(all)][2], 5); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(index, "s/index")
}
