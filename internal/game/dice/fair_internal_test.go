package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"testing"
)

// drawn computes one attempt at a die of [Fair] by the words of its documentation.
func drawn(seed [32]byte, path, roll int64, die, attempt uint64) uint64 {
	message := []byte("hob-die-v1")
	for _, n := range []uint64{uint64(path), uint64(roll), die, attempt} {
		for shift := 56; shift >= 0; shift -= 8 {
			message = append(message, byte(n>>shift))
		}
	}
	mac := hmac.New(sha256.New, seed[:])
	mac.Write(message)
	return binary.BigEndian.Uint64(mac.Sum(nil))
}

// Of 2^63+1 sides, nearly half of all numbers must be thrown away: what is too large never becomes a face, the next attempt
// does, and the dice after that are not shifted. With a mere remainder, the low faces would come twice as often.
func TestFair_Rejects(t *testing.T) {
	const n = 1<<63 + 1
	seed := [32]byte{3}
	f := Fair(seed, 5, 7).(*fair)
	rejected, low := 0, 0
	const count = 4000
	for die := range uint64(count) {
		attempt := uint64(0)
		for drawn(seed, 5, 7, die, attempt) >= n {
			attempt++
			rejected++
		}
		got := f.below(n)
		if want := drawn(seed, 5, 7, die, attempt); got != want {
			t.Fatalf("die %d: %d, want %d of attempt %d", die, got, want, attempt)
		}
		if got < n/2 {
			low++
		}
	}
	if rejected < count*9/10 || rejected > count*11/10 {
		t.Errorf("%d numbers were rejected for %d dice: about as many as dice should be", rejected, count)
	}
	if low < count*9/20 || low > count*11/20 {
		t.Errorf("%d of %d dice lie in the lower half", low, count)
	}
}

// Powers of two divide 2^64, so nothing is thrown away; the largest n throws away nothing but itself.
func TestFair_RejectsNothingInVain(t *testing.T) {
	seed := [32]byte{4}
	for _, n := range []uint64{1, 2, 1 << 32, 1 << 63} {
		f := Fair(seed, 0, 0).(*fair)
		for die := range uint64(200) {
			if got, want := f.below(n), drawn(seed, 0, 0, die, 0)%n; got != want {
				t.Fatalf("n %d, die %d: %d, want %d", n, die, got, want)
			}
		}
	}
}

// Each of the four numbers is a part of what is hashed, whichever sign it has, and so is the seed.
func TestFair_Framing(t *testing.T) {
	seen := map[uint64][]int64{}
	for _, path := range []int64{-1, 0, 1, 256, 1 << 40} {
		for _, roll := range []int64{-1, 0, 1, 256, 1 << 40} {
			f := Fair([32]byte{9}, path, roll).(*fair)
			for die := range int64(3) {
				x := f.below(1 << 63)
				if want := drawn([32]byte{9}, path, roll, uint64(die), 0) % (1 << 63); x != want {
					t.Errorf("path %d, roll %d, die %d: %d, want %d", path, roll, die, x, want)
				}
				if other, twice := seen[x]; twice {
					t.Errorf("path %d, roll %d, die %d is the same as %v", path, roll, die, other)
				}
				seen[x] = []int64{path, roll, die}
			}
		}
	}
	if x := Fair([32]byte{8}, 0, 0).(*fair).below(1 << 63); seen[x] != nil {
		t.Error("another seed has the same die")
	}
}
