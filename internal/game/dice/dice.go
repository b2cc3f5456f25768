// Package dice reads dice expressions and rolls them. The grammar and its meaning are those of the d20 library of Avrae
// (github.com/avrae/d20), so that a roll from elsewhere can be rolled again here, face by face.
//
//	4d6kh3 + 2        dice, operators upon them, arithmetic
//	(1d8, 2d4)kh1     a set, and operators upon it
//	2d6 [fire]        an annotation, which changes nothing
//
// An [Expr] is parsed once, and several goroutines may roll it at a time. A roll asks its [Source] for one face after another,
// from left to right and from the inside out. The faces in that order give the same roll again ([Replay]). Dice that nobody can
// choose come from [Fair]: they follow from a seed, whose SHA-256 is
// shown before and which is shown afterwards, so that anybody can recompute them.
//
// Numbers are whole, of 64 bits, until a decimal or / makes them 64-bit floating point numbers of IEEE 754, as in d20. Each
// operation on those is rounded by itself, so that every machine gets the same. The total is a whole number.
package dice

// Limits of one expression. The limit of dice is that of d20, which has none of the length.
const (
	MaxDice   = 1000 // rerolled and exploded ones counted
	MaxLength = 4096 // bytes
)

// maxDetail limits the bytes of a roll in words. A thousand dice fit; a thousand dice that each changed often do not.
const maxDetail = 16 << 10

// Code is the class of an [Error].
type Code string

const (
	Syntax    Code = "syntax"         // it is no expression
	BadValue  Code = "value"          // a number that is too large, or a face that the die does not have
	TooMany   Code = "too_many_rolls" // more than MaxDice dice
	DiceShort Code = "dice_short"     // more dice than there are faces to replay
)

// Error is the reason why an expression has no result.
type Error struct {
	Code Code
	Text string // one sentence
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// noSides is the fault of a d0.
const noSides = "a die without sides cannot be rolled: give it one side at least"

// badValue is an error of that class.
func badValue(text string) error { return &Error{BadValue, text} }

// Source yields the faces of dice.
type Source interface {
	// Face returns the face of the next die, 1 to sides. A d% has ten sides, of which face n shows (n-1)*10, unless the source is
	// a [Percenter].
	Face(sides int) (int, error)
}

// Percenter is a [Source] that returns the number of a d%: 0, 10, 20 and so on to 90.
type Percenter interface {
	Percent() (int, error)
}

// Crit tells a natural success or failure.
type Crit string

const (
	NoCrit   Crit = "none"
	CritHit  Crit = "crit"
	CritFail Crit = "fail"
)

// Die is one face that was rolled.
type Die struct {
	Size  int   `json:"size"`  // the number of sides; 100 for a d%
	Value int64 `json:"value"` // its part of the total: the face, unless mi or ma changed it
	Kept  bool  `json:"kept"`  // false: it was dropped, rerolled, or is in something that was dropped
	Face  int   `json:"-"`     // as Replay takes it
}

// Roll is the result of an expression.
type Roll struct {
	Expr   string // as it was written
	Total  int64  // cut towards zero
	Detail string // the expression with what each die showed: "2d6ro1 (~~1~~, 4, 6!) + 2 = 12"
	Crit   Crit   // of the leftmost term, where that is dice of 20 sides of which exactly one is kept
	Dice   []Die  // in the order in which they were rolled
}
