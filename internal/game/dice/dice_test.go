package dice_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/dice"
)

// ones is a source of nothing but ones.
type ones struct{}

func (ones) Face(int) (int, error) { return 1, nil }

// outcome is a row's last two columns: the crit, and the detail or the code of the error.
func outcome(expr string, src dice.Source) (crit, detail string) {
	e, err := dice.Parse(expr)
	var r dice.Roll
	if err == nil {
		r, err = e.Roll(src)
	}
	var refused *dice.Error
	if errors.As(err, &refused) {
		return "-", string(refused.Code)
	}
	if err != nil {
		return "-", err.Error()
	}
	if !strings.HasSuffix(r.Detail, " = "+strconv.FormatInt(r.Total, 10)) || r.Expr != expr {
		return "-", "the total and the expression disagree with " + r.Detail
	}
	return string(r.Crit), r.Detail
}

// TestRolls rolls the table of testdata/rolls.txt.
func TestRolls(t *testing.T) {
	text, err := os.ReadFile("testdata/rolls.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		row := strings.Split(line, " | ")
		if len(row) != 4 {
			t.Fatalf("%q is no row", line)
		}
		rows++
		var src dice.Source = ones{}
		var faces []int
		for word := range strings.FieldsSeq(row[1]) {
			face, err := strconv.Atoi(word)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			faces = append(faces, face)
		}
		if len(faces) > 0 {
			src = dice.Replay(faces)
		}
		if crit, detail := outcome(row[0], src); crit != row[2] || detail != row[3] {
			t.Errorf("%q with %v\n got %s | %s\nwant %s | %s", row[0], faces, crit, detail, row[2], row[3])
		}
	}
	if rows < 300 {
		t.Errorf("the table has %d rows: were they found?", rows)
	}
}

// The dice of a roll are every face in the order in which they fell: what was rerolled, what was dropped and what is in
// something that was dropped does not count, and what mi and ma made of a face is its value.
func TestDice(t *testing.T) {
	for _, tt := range []struct {
		expr  string
		faces []int
		want  []dice.Die
	}{
		{"4d6kh3", []int{5, 3, 6, 1}, []dice.Die{die(6, 5), die(6, 3), die(6, 6), gone(6, 1)}},
		{"2d6ro<3", []int{1, 4, 5}, []dice.Die{gone(6, 1), die(6, 4), die(6, 5)}},
		{"2d6rr1", []int{1, 1, 1, 5, 3}, []dice.Die{gone(6, 1), gone(6, 1), gone(6, 1), die(6, 5), die(6, 3)}},
		{"1d6e6 + 1d4", []int{6, 2, 3}, []dice.Die{die(6, 6), die(6, 2), die(4, 3)}},
		{"(1d4 + 1, 2d6kl1)kh1", []int{4, 2, 5}, []dice.Die{die(4, 4), gone(6, 2), gone(6, 5)}},
		{"((2d6), 9)kh1", []int{1, 2}, []dice.Die{gone(6, 1), gone(6, 2)}},
		{"2d6mi3", []int{1, 4}, []dice.Die{{Size: 6, Value: 3, Kept: true, Face: 1}, die(6, 4)}},
		{"2d%", []int{0, 90}, []dice.Die{die(100, 0), die(100, 90)}},
		{"1 + 1", nil, []dice.Die{}},
	} {
		e, err := dice.Parse(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Roll(dice.Replay(tt.faces))
		if err != nil {
			t.Errorf("%s: %v", tt.expr, err)
		}
		if diff := cmp.Diff(tt.want, r.Dice); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.expr, diff)
		}
		if diff := cmp.Diff(append([]int{}, tt.faces...), faces(r)); diff != "" {
			t.Errorf("%s (-given +told):\n%s", tt.expr, diff)
		}
	}
}

func die(size, face int) dice.Die {
	return dice.Die{Size: size, Value: int64(face), Kept: true, Face: face}
}
func gone(size, face int) dice.Die { return dice.Die{Size: size, Value: int64(face), Face: face} }

// What a person reads says what to write instead.
func TestErrors(t *testing.T) {
	for expr, want := range map[string]string{
		"":        "there is nothing to roll: write an expression such as 4d6kh3+2",
		"2d6 + ":  "the expression ends where it needs a number or dice such as 2d6",
		"2d6 + x": "character 7 is 'x', not a number or dice such as 2d6",
		"[ä] 1":   "character 1 is '[', not a number or dice such as 2d6",
		"1 [ä] ü": "character 7 is 'ü', not an operator such as + or the end",
		"4d6 kh3": "character 5 is 'k', not an operator such as + or the end: " +
			"dice and their operators are written together, as in 4d6kh3",
		"4d6k":                    "the expression ends where it needs the number of a selector, as in kh3, ro<3 or e6",
		"2d":                      "the expression ends where it needs the number of sides, or %",
		"(1; 2)":                  "character 3 is ';', not a comma or the closing parenthesis",
		"1 [fire":                 "the annotation \"[fire\" needs a ] on its line",
		"1 [ab\ncd]":              "the annotation \"[ab\\ncd]\" needs a ] on its line",
		"1/0":                     "this roll divides by zero: make sure that what stands behind /, // or % is not zero",
		"d0":                      "a die without sides cannot be rolled: give it one side at least",
		"1001d6":                  "one roll has at most 1000 dice, rerolled and exploded ones counted: roll fewer",
		"1d6mih2":                 "mi and ma need a number alone, as in mi2: it is what each die counts at least, or at most",
		"9999999999 * 9999999999": "a number in this roll is too large: stay below 9223372036854775808, which is 2 to the power of 63",
	} {
		e, err := dice.Parse(expr)
		if err == nil {
			_, err = e.Roll(ones{})
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", expr, err, want)
		}
	}
	for faces, want := range map[int]string{
		0: "a die of 6 sides cannot show 0",
		7: "a die of 6 sides cannot show 7",
	} {
		e, _ := dice.Parse("1d6")
		if _, err := e.Roll(dice.Replay([]int{faces})); err == nil || err.Error() != want {
			t.Errorf("a face %d: %v", faces, err)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name, expr, want string
	}{
		{"a thousand dice", "1000d6", "= 1000"},
		{"in several pools", "999d6 + 1d6", "= 1000"},
		{"and the one that is too many", "999d6 + 1d6 + 1d6", "too_many_rolls"},
		{"longest", strings.Repeat("1+", dice.MaxLength/2-1) + "10", "= 2057"},
		{"too long", strings.Repeat("1+", dice.MaxLength/2) + "1", "syntax"},
		{"deep", strings.Repeat("(", dice.MaxLength/2-1) + "7" + strings.Repeat(")", dice.MaxLength/2-1), "= 7"},
		{"deep sets", strings.Repeat("(", 800) + "7" + strings.Repeat(",)k7", 800), "= 7"},
		{"never closed", strings.Repeat("(", dice.MaxLength), "syntax"},
		{"signs", strings.Repeat("-", dice.MaxLength-1) + "1", "= -1"},
		{"many operators", "1000d6" + strings.Repeat("kh9p9", 800), "= 9"},
		{"many selectors", "500d6" + strings.Repeat("rrh1", 1000), "too_many_rolls"},
	} {
		if _, got := outcome(tt.expr, ones{}); got != tt.want && !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %.80q, want %s", tt.name, got, tt.want)
		}
	}
}

// Dice that come anew count: the thousandth is rolled, the next one is not.
func TestLimits_Explosions(t *testing.T) {
	for sixes, want := range map[int]string{dice.MaxDice - 1: " = 5995", dice.MaxDice: "too_many_rolls"} {
		faces := make([]int, sixes+1)
		for i := range faces {
			faces[i] = 6
		}
		faces[sixes] = 1
		if _, got := outcome("1d6e6", dice.Replay(faces)); !strings.HasSuffix(got, want) {
			t.Errorf("%d sixes and a one: %.80q, want %s", sixes, got, want)
		}
	}
}

// However much there is to tell, the detail is no longer than a page or five, and has its total.
func TestDetailIsCut(t *testing.T) {
	for _, expr := range []string{
		"1000d6" + many(2, 800, func(i int) string { return "mi" + strconv.Itoa(i) }),
		"100d6" + strings.Repeat("+ (100d6mi1000000000000000, 1)", 9),
	} {
		e, err := dice.Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Roll(ones{})
		if err != nil {
			t.Fatal(err)
		}
		end := " = " + strconv.FormatInt(r.Total, 10)
		if len(r.Detail) > 32<<10 || !strings.HasSuffix(r.Detail, end) || !strings.Contains(r.Detail, "...") {
			t.Errorf("%.30s: %d bytes that end in %q", expr, len(r.Detail), r.Detail[len(r.Detail)-30:])
		}
	}
	if _, got := outcome("1000d6", ones{}); strings.Contains(got, "...") {
		t.Error("a thousand dice are cut, which are not that many")
	}
}

func many(from, to int, f func(int) string) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString(f(i))
	}
	return b.String()
}

// An error of the source is told as it is.
func TestRoll_SourceFails(t *testing.T) {
	want := errors.New("the dice fell under the table")
	for _, expr := range []string{"1d6", "d%", "(1, 2d6)kh1", "1 + d4"} {
		e, err := dice.Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Roll(failing{want}); !errors.Is(err, want) {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

type failing struct{ error }

func (f failing) Face(int) (int, error) { return 0, f.error }

// A source that yields what no die shows is refused, d% included.
func TestRoll_SourceLies(t *testing.T) {
	for _, face := range []int{0, -1, 11} {
		for _, expr := range []string{"d10", "d%"} {
			if _, code := outcome(expr, constant(face)); code != string(dice.BadValue) {
				t.Errorf("%s with %d: %s", expr, face, code)
			}
		}
	}
	if _, got := outcome("d%", constant(10)); got != "1d% (90) = 90" {
		t.Error(got)
	}
}

type constant int

func (c constant) Face(int) (int, error) { return int(c), nil }

// An expression is one value for everybody.
func TestRoll_Again(t *testing.T) {
	e, err := dice.Parse("(2d6e6, 1d4ro1)kh1")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r, err := e.Roll(dice.Replay([]int{6, 2, 1, 1, 3}))
		if want := "(2d6e6 (6!, 2, 1), ~~1d4ro1 (1, 3)~~)kh1 = 9"; err != nil || r.Detail != want {
			t.Fatal(r.Detail, err)
		}
	}
}

func TestReplay_Left(t *testing.T) {
	src := dice.Replay([]int{1, 2, 3})
	outcome("2d6", src)
	if src.Left() != 1 {
		t.Errorf("%d faces are left of 3 after 2d6", src.Left())
	}
}
