// Package classify says which kind a text most likely is of, and which of its words fill which slot of the kind. It has learned both from examples.
//
// The kind is found by a linear classifier (multinomial logistic regression) over [Features] of a text, such as its words and pairs of them; the slots by
// a linear tagger (an averaged perceptron, decoded with Viterbi's algorithm, which keeps the best few ways). Features have no table: a weight stands
// where the hash of its feature and class says, and those that share a place share the weight.
package classify

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// None is the kind of what is none.
const None = "none"

// Token is a word of a text, a mark, or a letter of a script without spaces.
type Token struct {
	Text  string
	Marks []string // what is known of it, such as that it is the name of a list
}

// Kind is what a text may be.
type Kind struct {
	Name   string
	Chance float64 // of all kinds 1
}

// Features returns the features by which the kind of a text is recognized, as hashes, each once.
type Features func(text []Token) []uint64

// Model is what was learned. It does not change, and is safe for concurrent use.
type Model struct {
	features Features
	kinds    []string
	slots    [][]string // of each kind; the first is "", which is no slot
	chance   weights    // of a feature of a text, for a kind
	tag      weights    // of a feature of a token, for a slot
}

// weights are numbers by hash.
type weights interface{ at(place uint64) float64 }

// places is how many weights there are at most.
const places = 1 << 20

// compact are weights of a byte each, and what one step of a byte is worth.
type compact struct {
	steps []int8
	step  float64
}

func (c compact) at(place uint64) float64 { return float64(c.steps[place%places]) * c.step }

// Open returns the model that [Train] has encoded, of the same features. It takes 2 MiB of memory.
func Open(encoded string, of Features) *Model {
	m := &Model{features: of}
	lines, rest := cut(encoded)
	for line := range strings.SplitSeq(lines, "\n") {
		kind, slots, _ := strings.Cut(line, " ")
		m.kinds, m.slots = append(m.kinds, kind), append(m.slots, append([]string{""}, strings.Fields(slots)...))
	}
	chance, rest := cut(rest)
	tag, _ := cut(rest)
	m.chance, m.tag = open(chance, kindStep), open(tag, tagStep)
	return m
}

// Unpack returns the models that [Pack] has packed. Each is opened when it is first needed.
func Unpack(packed string, of Features) map[string]func() *Model {
	all := map[string]func() *Model{}
	for packed != "" {
		var name, model string
		name, packed = cut(packed)
		model, packed = cut(packed)
		all[name] = sync.OnceValue(func() *Model { return Open(model, of) })
	}
	return all
}

// open returns the weights that were encoded.
func open(encoded string, step float64) compact {
	c := compact{make([]int8, places), step}
	at := uint64(0)
	for in := []byte(encoded); len(in) > 0; {
		gap, n := binary.Uvarint(in)
		at += gap
		c.steps[at%places] = int8(in[n])
		in = in[n+1:]
	}
	return c
}

// cut returns the first part of an encoded model, whose size in four bytes stands before it, and the rest.
func cut(s string) (part, rest string) {
	size := binary.BigEndian.Uint32([]byte(s[:4]))
	return s[4 : 4+size], s[4+size:]
}

// Kinds returns what a text may be, the likeliest first.
func (m *Model) Kinds(text []Token) []Kind {
	all := make([]Kind, len(m.kinds))
	for i, chance := range m.chances(m.features(text)) {
		all[i] = Kind{m.kinds[i], chance}
	}
	slices.SortStableFunc(all, func(a, b Kind) int {
		if a.Chance > b.Chance {
			return -1
		}
		return 1
	})
	return all
}

// chances returns the chance of each kind.
func (m *Model) chances(features []uint64) []float64 {
	chances := make([]float64, len(m.kinds))
	for i := range chances {
		for _, f := range features {
			chances[i] += m.chance.at(place(f, uint64(i)))
		}
	}
	most, sum := slices.Max(chances), 0.0
	for i, c := range chances {
		chances[i] = math.Exp(c - most)
		sum += chances[i]
	}
	for i := range chances {
		chances[i] /= sum
	}
	return chances
}

// Slots returns, of each token of a text of a kind, the slot that it stands in, "" where it stands in none: the best ways to say so, the best one first,
// at most so many.
func (m *Model) Slots(kind string, text []Token, most int) (ways [][]string) {
	i := slices.Index(m.kinds, kind)
	if i < 0 || len(text) == 0 {
		return [][]string{make([]string, len(text))}
	}
	for _, tags := range m.decode(i, tokenFeatures(text), most) {
		slots := make([]string, len(text))
		for n, tag := range tags {
			slots[n] = m.slots[i][tag]
		}
		ways = append(ways, slots)
	}
	return ways
}

// way is a way to tag the tokens up to one of them: the score, the tag of the last one, and the way to tag those before.
type way struct {
	score  float64
	tag    int
	before *way
}

// decode returns the best tags of tokens, of the slots of a kind, the best ones first, at most so many. (Viterbi's algorithm, which keeps of each tag that
// many ways.)
func (m *Model) decode(kind int, tokens [][]uint64, most int) (best [][]int) {
	ways := []*way{nil}
	for n, features := range tokens {
		var next []*way
		for tag := range m.slots[kind] {
			within := 0.0
			for _, f := range features {
				for _, p := range m.within(kind, f, tag) {
					within += m.tag.at(p)
				}
			}
			var some []*way
			for _, before := range ways {
				w := &way{score: within, tag: tag, before: before}
				last := 0
				if before != nil {
					last, w.score = before.tag, within+before.score
				}
				for _, p := range m.between(kind, n, last, tag) {
					w.score += m.tag.at(p)
				}
				some = append(some, w)
			}
			next = append(next, likeliest(some, most)...)
		}
		ways = next
	}
	for _, w := range likeliest(ways, most) {
		tags := make([]int, len(tokens))
		for n := len(tokens) - 1; n >= 0; n, w = n-1, w.before {
			tags[n] = w.tag
		}
		best = append(best, tags)
	}
	return best
}

// likeliest returns the ways with the highest scores, the highest one first, at most so many.
func likeliest(ways []*way, most int) []*way {
	slices.SortStableFunc(ways, func(a, b *way) int { return cmp.Compare(b.score, a.score) })
	return ways[:min(most, len(ways))]
}

// within returns where the weights of a feature for a tag stand: that of the slot's name in all kinds, and in its kind.
func (m *Model) within(kind int, feature uint64, tag int) [2]uint64 {
	slot := hash("slot", m.slots[kind][tag])
	return [2]uint64{place(feature, slot), place(feature, place(slot, uint64(kind)))}
}

// between returns where the weights of a tag behind another one stand, for the token of a number.
func (m *Model) between(kind, n, before, tag int) [2]uint64 {
	first := "^"
	if n > 0 {
		first = m.slots[kind][before]
	}
	return m.within(kind, hash("behind", first), tag)
}

// place returns a number that depends on two.
func place(a, b uint64) uint64 {
	x := (a ^ (b+1)*0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 // the constants of SplitMix64
	return x ^ x>>31
}

// hash returns a feature: what it is, and the words of it.
func hash(what string, words ...string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(what))
	for _, w := range words {
		h.Write([]byte{0})
		h.Write([]byte(w))
	}
	return h.Sum64()
}

// word returns the word that stands at a place of a text, also before its begin and behind its end.
func word(text []Token, i int) string {
	switch {
	case i < 0:
		return "^"
	case i >= len(text):
		return "$"
	}
	return text[i].Text
}

// Letters returns features of short texts: the words and the marks, pairs of words, and the letters that words are made of.
func Letters(text []Token) []uint64 {
	all := []uint64{hash("any"), hash("first", word(text, 0)), hash("last", word(text, len(text)-1))}
	for i, t := range text {
		all = append(all, hash("word", t.Text), hash("pair", word(text, i-1), t.Text))
		if i > 1 {
			all = append(all, hash("around", word(text, i-2), t.Text))
		}
		for _, mark := range t.Marks {
			all = append(all, hash("mark", mark), hash("behind", word(text, i-1), mark))
		}
		all = append(all, parts(t.Text)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Words returns features of sentences of prose, which say the same in other words: the words, how they begin, pairs of words, and the marks.
func Words(text []Token) []uint64 {
	const begins = 4 // letters
	all := []uint64{hash("any")}
	for i, t := range text {
		before := word(text, i-1)
		all = append(all, hash("word", t.Text), hash("pair", before, t.Text), hash("around", word(text, i-2), t.Text))
		if letters := []rune(t.Text); len(letters) > begins {
			all = append(all, hash("begin", string(letters[:begins])))
		}
		for _, mark := range t.Marks {
			all = append(all, hash("mark", mark), hash("behind", before, mark))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// parts returns features of the letters of a word: three to five that follow each other. Other forms of the word have most of them.
func parts(word string) (all []uint64) {
	const shortest = 4
	if utf8.RuneCountInString(word) < shortest {
		return nil
	}
	letters := []rune("^" + word + "$")
	for size := 3; size <= 5; size++ {
		for i := range len(letters) - size + 1 {
			all = append(all, hash("letters", string(letters[i:i+size])))
		}
	}
	return all
}

// tokenFeatures returns the features of each token.
func tokenFeatures(text []Token) [][]uint64 {
	all := make([][]uint64, len(text))
	for i, t := range text {
		before, behind := word(text, i-1), word(text, i+1)
		letters := []rune(t.Text)
		all[i] = []uint64{
			hash("any"), hash("is", t.Text), hash("before", before), hash("behind", behind), hash("before2", word(text, i-2)), hash("behind2", word(text, i+2)),
			hash("begins", string(letters[:min(3, len(letters))])), hash("ends", string(letters[max(0, len(letters)-3):])),
			hash("with before", before, t.Text), hash("with behind", t.Text, behind), hash("two before", word(text, i-2), before), hash("two behind", behind, word(text, i+2)),
		}
		for _, mark := range t.Marks {
			all[i] = append(all[i], hash("mark", mark))
		}
		if i > 0 {
			for _, mark := range text[i-1].Marks {
				all[i] = append(all[i], hash("mark before", mark))
			}
		}
		if i+1 < len(text) {
			for _, mark := range text[i+1].Marks {
				all[i] = append(all[i], hash("mark behind", mark))
			}
		}
	}
	return all
}
