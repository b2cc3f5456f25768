package memory_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/memory"
	"hob/internal/store"
	"hob/internal/store/storetest"
)

// owner is the person of the machine.
func owner() memory.Person {
	return memory.Person{Own: "person/owner", House: true, Keeps: true, Owner: true, Party: event.Party{Platform: "cli"}}
}

func newMemory(tb testing.TB) (*memory.Memory, *store.DB) {
	tb.Helper()
	now := func() time.Time { return time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC) }
	db := storetest.Open(tb, now)
	return memory.New(db.Facts(), now), db
}

// lines are the lines of a file of testdata, cut at "|", without comments.
func lines(tb testing.TB, name string) (all [][]string) {
	tb.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		parts := strings.Split(line, "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		all = append(all, parts)
	}
	return all
}

func remember(tb testing.TB, m *memory.Memory, by memory.Person, text string) event.Fact {
	tb.Helper()
	out, err := m.Remember(tb.Context(), by, memory.Saying{Text: text, Typed: true, Cause: event.Cause{Chat: "main", Tool: "remember"}})
	if err != nil || out.State != event.FactKept {
		tb.Fatalf("%s: %+v, %v", text, out, err)
	}
	return out.Fact
}

// Of 300 questions whose words have other forms than the fact's, nine of ten find it among the first five, in each language.
func TestQuestions(t *testing.T) {
	m, _ := newMemory(t)
	all := lines(t, "questions.txt")
	facts := make([]event.Fact, len(all))
	for i, q := range all {
		facts[i] = remember(t, m, owner(), q[1])
	}
	asked, found := map[string]int{}, map[string]int{}
	for i, q := range all {
		got, err := m.Search(t.Context(), owner(), q[2], 5)
		if err != nil {
			t.Fatal(err)
		}
		asked[q[0]]++
		asked["all"]++
		if slices.ContainsFunc(got, func(f memory.Found) bool { return f.ID == facts[i].ID }) {
			found[q[0]]++
			found["all"]++
			continue
		}
		var instead []string
		for _, f := range got {
			instead = append(instead, f.Text)
		}
		t.Logf("%s: %q is not found by %q, but %q", q[0], q[1], q[2], instead)
	}
	if asked["all"] != 300 {
		t.Errorf("%d questions", asked["all"])
	}
	for lang, n := range asked {
		t.Logf("%s: %d of %d", lang, found[lang], n)
		if found[lang]*10 < n*9 {
			t.Errorf("%s: only %d of %d are found", lang, found[lang], n)
		}
	}
}

// BenchmarkSearch looks among 100,000 facts, whose words are as unevenly frequent as words are.
func BenchmarkSearch(b *testing.B) {
	m, db := newMemory(b)
	fill(b, db, m, 100_000)
	all := lines(b, "questions.txt")
	for _, q := range all {
		remember(b, m, owner(), q[1])
	}
	n := 0
	for b.Loop() {
		if _, err := m.Search(b.Context(), owner(), all[n%len(all)][2], 5); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// fill keeps so many facts of eight words. The n-th most frequent word stands in every n-th fact or so.
func fill(b *testing.B, db *store.DB, m *memory.Memory, facts int) {
	b.Helper()
	var words []string
	for _, q := range lines(b, "questions.txt") {
		words = append(words, strings.Fields(q[1])...)
	}
	for i := range 20_000 {
		words = append(words, fmt.Sprintf("word%c%c%d", 'a'+i%26, 'a'+i/26%26, i))
	}
	state := uint64(1)
	next := func() float64 { // numbers that are the same each time
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11) / (1 << 53)
	}
	for at := 0; at < facts; {
		var batch []event.Fact
		for range 1000 {
			var text []string
			for range 8 {
				u := next()
				text = append(text, words[int(u*u*u*float64(len(words)))])
			}
			f := event.Fact{Subject: "person/owner", State: event.FactKept, Text: strings.Join(text, " ")}
			f.Terms = memory.Terms(f)
			batch = append(batch, f)
			at++
		}
		if _, _, err := db.Facts().Edit(b.Context(), event.Cause{}, batch); err != nil {
			b.Fatal(err)
		}
	}
}

// What is known rides beside few of 200 ordinary requests: one of ten at most is private for that alone. What rides is within its tokens.
func TestRidingIsRare(t *testing.T) {
	m, _ := newMemory(t)
	for _, q := range lines(t, "questions.txt") {
		remember(t, m, owner(), q[1])
	}
	var requests []string
	for _, name := range []string{"sentences", "fresh", "fresh2", "fresh3", "fresh4"} { // what people ask for, in four languages
		raw, err := os.ReadFile("../intents/testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			var request struct{ Text, Intent string }
			if err := json.Unmarshal([]byte(line), &request); err != nil {
				t.Fatal(err)
			}
			requests = append(requests, request.Text)
		}
	}
	asked, private := 0, 0
	for i := 0; i < len(requests) && asked < 200; i += len(requests) / 200 {
		asked++
		riding, err := m.Riding(t.Context(), owner(), requests[i])
		if err != nil {
			t.Fatal(err)
		}
		if len(riding) > 0 {
			private++
			t.Logf("%q has %q ride", requests[i], riding[0].Text)
		}
	}
	t.Logf("figure: %d of %d requests are private for what is known", private, asked)
	if asked != 200 || private > asked/10 {
		t.Errorf("%d of %d", private, asked)
	}
}

// What a message is about rides, in the order of the score, and not what it only touches.
func TestRiding(t *testing.T) {
	m, _ := newMemory(t)
	for _, text := range []string{
		"my name is Anna", "my address is Mill Lane 4", "Ben is allergic to hazelnuts", "the plumber is called Webb", "our wifi code is 4711",
		"Mein Zahnarzt ist Dr. Brandt", "кошку зовут Муся", "车停在地下二层B区",
		"the bin day is Tuesday", "my hat is on the hook", "Ich bin am Samstag bei Oma",
	} {
		remember(t, m, owner(), text)
	}
	for text, want := range map[string]string{
		"when is bin day": "the bin day is Tuesday", "Where is my hat?": "my hat is on the hook", "Wo bin ich heute?": "", "Wann bin ich bei Oma?": "Ich bin am Samstag bei Oma",
		"What is my name?": "my name is Anna", "Where do I live?": "my address is Mill Lane 4", "Can Ben eat hazelnut cake?": "Ben is allergic to hazelnuts",
		"Write a mail to the plumber": "the plumber is called Webb", "Wann muss ich zum Zahnarzt?": "Mein Zahnarzt ist Dr. Brandt",
		"Как зовут мою кошку?": "кошку зовут Муся", "我的车停在哪里？": "车停在地下二层B区",
		"read http://example.org/mill/lane/4": "", "what is 4 times 2": "", "tell me a joke": "", "": "",
	} {
		riding, err := m.Riding(t.Context(), owner(), text)
		got := ""
		if len(riding) > 0 {
			got = riding[0].Text
		}
		if err != nil || got != want {
			t.Errorf("%q has %q ride, %v, want %q", text, got, err, want)
		}
		guest, err := m.Riding(t.Context(), memory.Person{}, text)
		if other, _ := m.Riding(t.Context(), memory.Person{Own: "person/telegram/2", House: true}, text); err != nil || len(guest)+len(other) > 0 {
			t.Errorf("%q has %v and %v ride for others", text, guest, other)
		}
	}
}

// Of facts that fit some words alike, one that alone has all of them is meant.
func TestMeant_AllWords(t *testing.T) {
	t.Parallel()
	m, _ := newMemory(t)
	for _, text := range []string{"my name is Sam", "my sister's name is Ann", "my brother's name is Tom"} {
		remember(t, m, owner(), text)
	}
	for words, want := range map[string]int{"my sister's name": 1, "name of my sister": 1, "my name": 1, "sister": 1, "aunt": 0} {
		if some, err := m.Meant(t.Context(), owner(), words); err != nil || len(some) != want {
			t.Errorf("%q: %+v, %v, want %d", words, some, err, want)
		}
	}
}

// Why a fact is to be forgotten is no part of it.
func TestMeant_WithoutItsReason(t *testing.T) {
	t.Parallel()
	m, _ := newMemory(t)
	for _, text := range []string{
		"Kate likes olives", "Kate's birthday is 3 May", "Kate mag Oliven", "Кейт любит оливки", "凯特喜欢橄榄", "the boiler code is 4711, the one of the cellar 12",
	} {
		remember(t, m, owner(), text)
	}
	for words, want := range map[string]string{
		"Kate likes olives, she doesn't eat any of them now":                 "Kate likes olives",
		"Kate likes olives. She told me so last week; it was at the market.": "Kate likes olives",
		"Kate Oliven mag, sie isst sie seit dem Sommer überhaupt nicht mehr": "Kate mag Oliven",
		"Кейт любит оливки, она их больше совсем не ест с прошлого лета":     "Кейт любит оливки",
		"凯特喜欢橄榄，她从去年夏天开始就不再吃那个东西了":                                           "凯特喜欢橄榄",
		"the boiler code, the one of the cellar":                             "the boiler code is 4711, the one of the cellar 12",
		"Kate, she has moved away to another town last year":                 "", // one word is too few to say what of her
	} {
		some, err := m.Meant(t.Context(), owner(), words)
		if got := strings.Join(lists.Map(some, func(f event.Fact) string { return f.Text }), "; "); got != want || err != nil {
			t.Errorf("%q means %q, %v, want %q", words, got, err, want)
		}
	}
}
