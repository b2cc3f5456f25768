package excerpt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/excerpt"
)

// page is a text of so many lines of no interest, with others from a line on.
func page(lines, at int, others ...string) []string {
	var all []string
	for i := range lines {
		if i == at {
			all = append(all, others...)
		}
		all = append(all, fmt.Sprintf("row %d: the valve was tested and is in order", i))
	}
	return all
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, task string
		others     []string
		want       []int
	}{
		{"the rare word", "What is the code of part 5?", []string{"the code of part 5 is K535"}, []int{50}},
		{"another form of it", "List the invoices.", []string{"invoice 17", "INVOICES: none"}, []int{50, 51}},
		{"a longer word is another word", "Is the car there?", []string{"the carpet is red"}, nil},
		{"a number in a word", "Open 512.", []string{"box512 is in the cellar", "box 5120 is not"}, []int{50}},
		{"words that stand everywhere", "Which valve was tested?", []string{"nothing"}, nil},
		{"words that say nothing", "Tell me what it is for you.", []string{"what it is for you"}, nil},
		{"a heading", "What is the deposit?", []string{"## Deposit", "three rents"}, []int{50, 51}},
		{"a heading and a blank line", "What is the deposit?", []string{"## Deposit", "", "three rents"}, []int{50, 52}},
		{"a heading of an excerpt", "What is the deposit?", []string{"250: ## Deposit", "251: three rents"}, []int{50, 51}},
		{"a heading in Chinese", "押金是多少?", []string{"押金：", "三个月的租金"}, []int{50, 51}},
		{"a heading with nothing below", "What is the deposit?", []string{"Deposit:", "", "", "other"}, []int{50}},
		{"German", "Wie hoch sind die Nebenkosten?", []string{"Nebenkosten: 165,00 EUR"}, []int{50}},
		{"Russian", "Какой телефон у Марины?", []string{"Марина Соколова, телефон 5", "Игорь"}, []int{50}},
		{"Chinese", "仓库的密码是什么?", []string{"三号仓库密码是K7"}, []int{50}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, excerpt.For(c.task).Lines(page(100, 50, c.others...), 1000)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is returned keeps its bounds, and of a line that is long it is the part with the word.
func TestBounds(t *testing.T) {
	q := excerpt.For("Where is the treasure?")
	long := strings.Repeat("nothing ", 100) + "the treasure is in the well " + strings.Repeat("nothing ", 100)
	for _, limit := range []int{40, 100, 400} {
		if got := q.Best(strings.Join(page(9, 4, long), "\n"), limit); len(got) > limit || !strings.Contains(got, "treasure") {
			t.Errorf("Best = %q of at most %d bytes", got, limit)
		}
	}
	if got := q.Passages(long, 400); len(got) > 400 || !strings.Contains(got, "treasure is in the well") {
		t.Errorf("Passages = %q", got)
	}
	got := q.Numbered(page(100, 50, strings.Split(strings.Repeat("treasure\n", 40), "\n")...), 7, 200)
	if len(got) > 200 || !strings.HasPrefix(got, "57: treasure\n58: treasure\n") {
		t.Errorf("Numbered = %q", got)
	}
	if got := (excerpt.Query{}).Lines(page(5, 1, "treasure"), 1000); got != nil {
		t.Errorf("the zero Query found %v", got)
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("What is the code?", "the code\nis K5", 30)
	f.Add("密码是什么", "密码\xff是", 3)
	f.Fuzz(func(t *testing.T, task, text string, limit int) {
		q := excerpt.For(task)
		limit = min(max(limit, 8), 1000)
		if got := q.Best(text, limit); len(got) > limit {
			t.Errorf("Best has %d bytes of %d", len(got), limit)
		}
		if got := q.Passages(text, limit); len(got) > limit {
			t.Errorf("Passages has %d bytes of %d", len(got), limit)
		}
	})
}

// A page of 9 KB and a task of a usual length.
func BenchmarkNumbered(b *testing.B) {
	q := excerpt.For("Read part01.txt to part12.txt, one after the other, and write the code of each part to codes.txt.")
	lines := page(200, 100, "the code of part 5 is K535")
	for b.Loop() {
		q.Numbered(lines, 0, 300)
	}
}
