package dice_test

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/dice"
)

// expression draws an expression that is one.
func expression(t *rapid.T, depth int) string {
	term := drawTerm(t, depth)
	for range rapid.IntRange(0, 2).Draw(t, "operators") {
		op := rapid.SampledFrom([]string{"+", "-", "*", "/", "//", "%", "==", "!=", "<", ">", "<=", ">="}).Draw(t, "operator")
		blank := rapid.SampledFrom([]string{"", " ", "\t "}).Draw(t, "blank")
		term += blank + op + blank + drawTerm(t, depth)
	}
	return term
}

func drawTerm(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	var term string
	switch {
	case kind == 0:
		term = strconv.Itoa(rapid.IntRange(0, 30).Draw(t, "literal"))
	case kind == 1:
		term = rapid.SampledFrom([]string{"0.5", ".25", "3.", "1.15", "100000000000000000000.5"}).Draw(t, "decimal")
	case kind == 2:
		return rapid.SampledFrom([]string{"-", "+", "- "}).Draw(t, "sign") + drawTerm(t, depth)
	case kind < 5 && depth > 0:
		var members []string
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			members = append(members, expression(t, depth-1))
		}
		term = "(" + strings.Join(members, ", ")
		if len(members) > 0 && rapid.Bool().Draw(t, "comma") {
			term += ","
		}
		term += ")" + steps(t, []string{"k", "p"})
	default:
		term = strconv.Itoa(rapid.IntRange(0, 6).Draw(t, "count")) + "d" +
			rapid.SampledFrom([]string{"1", "4", "6", "20", "%", "100"}).Draw(t, "size") +
			steps(t, []string{"k", "p", "rr", "ro", "ra", "e", "mi", "ma"})
	}
	return term + rapid.SampledFrom([]string{"", "", "", "[fire]", " [a][b] "}).Draw(t, "annotation")
}

func steps(t *rapid.T, ops []string) string {
	return many(0, rapid.IntRange(0, 3).Draw(t, "steps"), func(int) string {
		return rapid.SampledFrom(ops).Draw(t, "step") + rapid.SampledFrom([]string{"", "", "h", "l", "<", ">"}).Draw(t, "how") +
			strconv.Itoa(rapid.IntRange(0, 7).Draw(t, "n"))
	})
}

// What is drawn is an expression.
func TestParse_Drawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := expression(t, 2)
		if len(text) > dice.MaxLength {
			t.Skip("too long")
		}
		rolled(t, text, [32]byte{7})
	})
}

// rolled checks a text that is an expression.
func rolled(t failer, text string, seed [32]byte) {
	e, err := dice.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if r, err := e.Roll(dice.Fair(seed, 0, 0)); err == nil {
		replayed(t, e, r)
	}
}

// failer is a test, a property or a fuzz target.
type failer interface{ Fatalf(string, ...any) }

// faces returns the faces of a roll, in the form that Replay takes.
func faces(r dice.Roll) []int {
	faces := make([]int, len(r.Dice))
	for i, d := range r.Dice {
		faces[i] = d.Face
	}
	return faces
}

// replayed checks that the faces of a roll give the same roll, and that there is none too many.
func replayed(t failer, e *dice.Expr, r dice.Roll) {
	faces := faces(r)
	src := dice.Replay(faces)
	got, err := e.Roll(src)
	if err != nil || src.Left() != 0 {
		t.Fatalf("%q with its own faces %v: %v, %d left", r.Expr, faces, err, src.Left())
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Fatalf("%q with its own faces %v (-rolled +replayed):\n%s", r.Expr, faces, diff)
	}
	if len(faces) > 0 {
		if _, err := e.Roll(dice.Replay(faces[:len(faces)-1])); code(err) != dice.DiceShort {
			t.Fatalf("%q with all but the last of its faces %v: %v", r.Expr, faces, err)
		}
	}
	if len(r.Dice) > dice.MaxDice {
		t.Fatalf("%q rolls %d dice", r.Expr, len(r.Dice))
	}
}

func code(err error) dice.Code {
	var e *dice.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// N dice of M sides total N to N*M, whichever are rerolled; K kept ones K to K*M; and the total is what the kept dice show.
func TestRoll_Bounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, sides := rapid.Int64Range(1, 30).Draw(t, "dice"), rapid.Int64Range(1, 100).Draw(t, "sides")
		kept := rapid.Int64Range(1, n).Draw(t, "kept")
		expr := strconv.FormatInt(n, 10) + "d" + strconv.FormatInt(sides, 10) +
			rapid.SampledFrom([]string{"", "ro<3", "rol2"}).Draw(t, "reroll") +
			rapid.SampledFrom([]string{"kh", "kl"}).Draw(t, "keep") + strconv.FormatInt(kept, 10)
		e, err := dice.Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Roll(dice.Fair([32]byte{}, rapid.Int64().Draw(t, "path"), rapid.Int64().Draw(t, "roll")))
		if err != nil {
			t.Fatal(err)
		}
		sum, counted := int64(0), int64(0)
		for _, d := range r.Dice {
			if d.Kept {
				sum += d.Value
				counted++
			}
		}
		if r.Total < kept || r.Total > kept*sides || r.Total != sum || counted != kept {
			t.Fatalf("%s: %+v", expr, r)
		}
	})
}

// Whole numbers are exact or refused: as numbers of any size say.
func TestArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Int64Range(-100, 100), rapid.Int64Range(-1<<63+1, 1<<63-1),
			rapid.SampledFrom([]int64{1<<63 - 1, -1<<63 + 1, 1 << 32, 3037000500}))
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		op := rapid.SampledFrom([]string{"+", "-", "*", "//", "%", "<", "==", ">="}).Draw(t, "operator")
		_, got := outcome(strconv.FormatInt(a, 10)+op+strconv.FormatInt(b, 10), ones{})
		want := exactly(big.NewInt(a), op, big.NewInt(b))
		if !strings.HasSuffix(got, want) {
			t.Fatalf("%d %s %d: %s, want %s", a, op, b, got, want)
		}
	})
}

func exactly(a *big.Int, op string, b *big.Int) string {
	r := new(big.Int)
	is := func(holds bool) {
		if holds {
			r.SetInt64(1)
		}
	}
	switch {
	case (op == "//" || op == "%") && b.Sign() == 0:
		return "value"
	case op == "+":
		r.Add(a, b)
	case op == "-":
		r.Sub(a, b)
	case op == "*":
		r.Mul(a, b)
	case op == "<":
		is(a.Cmp(b) < 0)
	case op == "==":
		is(a.Cmp(b) == 0)
	case op == ">=":
		is(a.Cmp(b) >= 0)
	default: // divided so that the rest has the sign of b
		q, m := new(big.Int).QuoRem(a, b, new(big.Int))
		if m.Sign() != 0 && m.Sign() != b.Sign() {
			q.Sub(q, big.NewInt(1))
			m.Add(m, b)
		}
		if r = q; op == "%" {
			r = m
		}
	}
	if !r.IsInt64() {
		return "value"
	}
	return " = " + r.String()
}

// FuzzRoll: whatever the text, it is an expression or an error of a class, and what is one obeys the properties above.
func FuzzRoll(f *testing.F) {
	for _, seed := range []string{
		"4d6kh3+2", "2d6ro<3e6", "(1d4 + 1, 3, 2d6kl1)kh1", "d%%7", "1 [a]", "((",
		"1d6rr<9", "-+1.5//-.25", "0d0", "(1,)", "99999999999999999999",
		"4*(3d8kh2+9[fire]+(9d2e2+3[cold])/2)", "10d6mil1", "1d6ra1ra6mi2ma3", "1\x00", "[", "2d20kh1 >= 15 == 1", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := dice.Parse(text)
		if err != nil {
			if c := code(err); c != dice.Syntax && c != dice.BadValue {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if _, err := e.Roll(ones{}); err != nil && code(err) == "" {
			t.Fatalf("%q: %v", text, err)
		}
		rolled(t, text, [32]byte{1})
	})
}
