package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
)

// fairLabel begins what is hashed for a die, so that no other use of a seed can meet one.
const fairLabel = "hob-die-v1"

// fair is a [Source] that follows from a seed.
type fair struct {
	mac     hash.Hash // it keeps its key's pads from die to die
	message [len(fairLabel) + 4*8]byte
	die     uint64
	sum     [sha256.Size]byte
}

// Fair returns the dice of one roll: that with this number, counted from 0, of the turn at this depth of the path from the
// beginning of the game. The same seed, path and roll have the same dice for ever, and nothing else that is rolled changes them.
//
// Die j of the roll, counted from 0 and rerolled and exploded ones included, is found in attempts, counted from 0. Each takes
// HMAC-SHA256, with the 32 bytes of the seed as its key, of 42 bytes: "hob-die-v1" and then path, roll, j and attempt, each in 8
// bytes, the highest first (path and roll in two's complement). Its first 8 bytes, the highest first, are a number x. Where x
// is below the largest multiple of n, the number of sides, that is at most 2^64, the face is x mod n + 1; else there is
// another attempt.
//
// A source is for one goroutine.
func Fair(seed [32]byte, path, roll int64) Source {
	f := &fair{mac: hmac.New(sha256.New, seed[:])}
	m := append(f.message[:0], fairLabel...)
	m = binary.BigEndian.AppendUint64(m, uint64(path))
	binary.BigEndian.AppendUint64(m, uint64(roll))
	return f
}

// Face implements [Source].
func (f *fair) Face(sides int) (int, error) {
	if sides < 1 {
		return 0, badValue(noSides)
	}
	x := f.below(uint64(sides))
	return int(x) + 1, nil
}

// below returns a number below n, which is not 0: each with the same chance.
func (f *fair) below(n uint64) uint64 {
	over := -n % n // how many of the 2^64 numbers are too many for each rest to come equally often
	for attempt := uint64(0); ; attempt++ {
		if x := f.draw(attempt); x <= math.MaxUint64-over {
			f.die++
			return x % n
		}
	}
}

// draw returns the number of an attempt at the next die.
func (f *fair) draw(attempt uint64) uint64 {
	tail := f.message[len(fairLabel)+2*8:]
	binary.BigEndian.PutUint64(tail, f.die)
	binary.BigEndian.PutUint64(tail[8:], attempt)
	f.mac.Reset()
	f.mac.Write(f.message[:]) // which never fails
	return binary.BigEndian.Uint64(f.mac.Sum(f.sum[:0]))
}

// Replayer is a [Source] of faces that were rolled before.
type Replayer struct {
	faces []int
	next  int
}

// Replay returns a source that yields these faces, of a d% 0 to 90, and then has none: [DiceShort]. Faces that the dice do not
// have are [BadValue]; those that are never asked for are no error, see [Replayer.Left].
func Replay(faces []int) *Replayer { return &Replayer{faces: faces} }

// Face implements [Source].
func (r *Replayer) Face(int) (int, error) { return r.Percent() }

// Percent implements [Percenter].
func (r *Replayer) Percent() (int, error) {
	if r.next == len(r.faces) {
		return 0, &Error{DiceShort, "this roll needs more dice than were given: give the face of each die that it rolls, in order"}
	}
	r.next++
	return r.faces[r.next-1], nil
}

// Left returns how many faces were not asked for.
func (r *Replayer) Left() int { return len(r.faces) - r.next }

// ShortSeal returns the first digits of a commitment, by which a person knows it again.
func ShortSeal(commitment string) string { return commitment[:min(len(commitment), 12)] }
