package classify

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Example is a text whose kind is known, and of each token the slot that it stands in.
type Example struct {
	Text  []Token
	Kind  string
	Slots []string
}

const (
	rounds = 6   // that all examples are looked at
	rate   = 0.3 // how far a weight moves at first
)

// loose are weights that are being learned.
type loose []float64

func (l loose) at(place uint64) float64 { return l[place%places] }

// Train returns a model of examples, encoded. The same examples make the same model, on the same machine.
func Train(all []Example) string {
	m := &Model{}
	for _, e := range all {
		i := slices.Index(m.kinds, e.Kind)
		if i < 0 {
			i = len(m.kinds)
			m.kinds, m.slots = append(m.kinds, e.Kind), append(m.slots, []string{""})
		}
		for _, slot := range e.Slots {
			if !slices.Contains(m.slots[i], slot) {
				m.slots[i] = append(m.slots[i], slot)
			}
		}
	}
	m.learnKinds(all)
	m.learnSlots(slices.DeleteFunc(slices.Clone(all), func(e Example) bool { return e.Kind == None }))
	return m.encode()
}

// inTurns calls look with the index of each of n examples, each round in another order.
func inTurns(n int, look func(i int)) {
	order := rand.New(rand.NewPCG(1, 2)) // as good as any
	for range rounds {
		for _, i := range order.Perm(n) {
			look(i)
		}
	}
}

// learnKinds learns the chances of kinds, by gradient descent with steps that become smaller where a weight has moved (AdaGrad).
func (m *Model) learnKinds(all []Example) {
	const least = 0.01 // a difference that is worth a step
	w, moved := make(loose, places), make(loose, places)
	m.chance = w
	features := make([][]uint64, len(all))
	for i, e := range all {
		features[i] = textFeatures(e.Text)
	}
	dropRare(features)
	inTurns(len(all), func(i int) {
		size := math.Sqrt(float64(len(features[i])))
		for kind, wrong := range m.chances(features[i]) {
			if m.kinds[kind] == all[i].Kind {
				wrong--
			}
			if math.Abs(wrong) < least {
				continue
			}
			wrong /= size
			for _, f := range features[i] {
				at := place(f, uint64(kind)) % places
				moved[at] += wrong * wrong
				w[at] -= rate * wrong / math.Sqrt(moved[at]+1e-3)
			}
		}
	})
}

// learnSlots learns the weights of tags: those of a wrong answer become smaller, those of the right one larger, and in the end each is its mean.
func (m *Model) learnSlots(all []Example) {
	w, sum := make(loose, places), make(loose, places)
	m.tag = w
	n := 1.0
	features := make([][][]uint64, len(all))
	var tokens [][]uint64
	for i, e := range all {
		features[i] = tokenFeatures(e.Text)
		tokens = append(tokens, features[i]...)
	}
	dropRare(tokens)
	for i := range features {
		features[i], tokens = tokens[:len(features[i])], tokens[len(features[i]):]
	}
	inTurns(len(all), func(i int) {
		kind, tokens := slices.Index(m.kinds, all[i].Kind), features[i]
		right := make([]int, len(tokens))
		for j, slot := range all[i].Slots {
			right[j] = slices.Index(m.slots[kind], slot)
		}
		got := m.decode(kind, tokens)
		move := func(tags []int, by float64) {
			add := func(both [2]uint64) {
				for _, p := range both {
					w[p%places] += by
					sum[p%places] += by * n
				}
			}
			for j, tag := range tags {
				add(m.between(kind, j, tags[max(0, j-1)], tag))
				for _, f := range tokens[j] {
					add(m.within(kind, f, tag))
				}
			}
		}
		if !slices.Equal(got, right) {
			move(right, 1)
			move(got, -1)
		}
		n++
	})
	for i := range w {
		w[i] -= sum[i] / n
	}
}

// dropRare removes the features that are there only once or twice: they say nothing of other texts.
func dropRare(of [][]uint64) {
	const least = 3
	seen := map[uint64]int{}
	for _, features := range of {
		for _, f := range features {
			seen[f]++
		}
	}
	for i := range of {
		of[i] = slices.DeleteFunc(of[i], func(f uint64) bool { return seen[f] < least })
	}
}

// The steps of the weights as they are stored: of kinds they are of at most 4, of tags of at most 12. What is less than two steps is 0.
const (
	kindStep = 1.0 / 32
	tagStep  = 1.0 / 4
)

// encode returns the model as [Open] reads it: of each kind its slots, as lines; and the weights.
func (m *Model) encode() string {
	var lines []string
	for i, kind := range m.kinds {
		lines = append(lines, strings.TrimSpace(kind+" "+strings.Join(m.slots[i][1:], " ")))
	}
	return sized(strings.Join(lines, "\n")) + sized(m.chance.(loose).encode(kindStep)) + sized(m.tag.(loose).encode(tagStep))
}

// encode returns weights as steps: of each that is not 0 how many places stand before it, and its step.
func (l loose) encode(step float64) string {
	var out []byte
	last := 0
	for i, x := range l {
		n := int8(math.Round(max(-math.MaxInt8, min(math.MaxInt8, x/step))))
		if n >= -1 && n <= 1 {
			continue
		}
		out = append(binary.AppendUvarint(out, uint64(i-last)), byte(n))
		last = i
	}
	return string(out)
}

func sized(s string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(s)))) + s
}
