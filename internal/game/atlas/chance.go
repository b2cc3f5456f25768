package atlas

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Key is the seed of all chance in a map: equal keys give equal maps. See [KeyOf].
type Key [sha256.Size]byte

// KeyOf returns the key of parts: SHA-256 over each part behind its length as 8 bytes, most significant first. No two lists
// of parts are the same bytes, so ("ab", "c") and ("a", "bc") have different keys.
func KeyOf(parts ...string) Key {
	size := 0
	for _, p := range parts {
		size += 8 + len(p)
	}
	framed := make([]byte, 0, size)
	for _, p := range parts {
		framed = binary.BigEndian.AppendUint64(framed, uint64(len(p)))
		framed = append(framed, p...)
	}
	return sha256.Sum256(framed)
}

// The streams of one key. A draw from one of them does not shift the others: the names of a map do not change when its doors
// do.
const (
	forRooms = iota
	forLoops
	forTags
	forDoors
	forNames
	forZones
)

// pcgMultiplier is the multiplier of PCG's generators with 64 bits of state, from the pcg32 of M. E. O'Neill's reference
// library (pcg-random.org); it is Knuth's for MMIX.
const pcgMultiplier = 6364136223846793005

// chance is the generator PCG-XSH-RR 64/32 of O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation" (2014). It is written out here because a release of Go must not change a map.
type chance struct {
	state, odd uint64
}

// newChance seeds a generator as the reference library does.
func newChance(state, sequence uint64) chance {
	c := chance{odd: sequence<<1 | 1}
	c.next()
	c.state += state
	c.next()
	return c
}

// stream returns one of the key's generators, always from its beginning. Each has eight bytes of the key as its state and
// eight as its sequence; the number of the stream is in the sequence too.
func (k Key) stream(number uint64) chance {
	return newChance(binary.BigEndian.Uint64(k[:8]), binary.BigEndian.Uint64(k[8:16])+number)
}

func (c *chance) next() uint32 {
	old := c.state
	c.state = old*pcgMultiplier + c.odd
	return bits.RotateLeft32(uint32((old>>18^old)>>27), -int(old>>59))
}

// below returns a number from 0 to n-1, each as likely. n is 1 to 2^32-1. The draws that would favour the small ones are
// thrown away.
func (c *chance) below(n int) int {
	bound := uint32(n)
	first := -bound % bound // so many of the 2^32 values do not divide evenly
	for {
		if r := c.next(); r >= first {
			return int(r % bound)
		}
	}
}

// weighted returns an index, each as likely as its weight.
func (c *chance) weighted(weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	pick, chosen := c.below(total), 0
	for pick >= weights[chosen] {
		pick -= weights[chosen]
		chosen++
	}
	return chosen
}

// order returns 0 to n-1 in a random order.
func (c *chance) order(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := c.below(i + 1)
		order[i] = order[j]
		order[j] = i
	}
	return order
}
