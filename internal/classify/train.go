package classify

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Example is a text of which something is known; or several, at least one of which is as it says.
type Example struct {
	Texts [][]Token
	Kinds []string // it is of one of them
	Slots []string // of each token of the only text of the only kind the slot that it stands in
}

const rounds = 8 // that all examples are looked at

// loose are weights that are being learned.
type loose []float64

func (l loose) at(place uint64) float64 { return l[place%places] }

// Train returns a model of examples, encoded. The rate is how far a weight moves at first: the larger it is, the more is learned by heart. The same examples
// make the same model, on the same machine.
func Train(all []Example, of Features, rate float64) string {
	m := &Model{features: of}
	for _, e := range all {
		for _, kind := range e.Kinds {
			i := slices.Index(m.kinds, kind)
			if i < 0 {
				i = len(m.kinds)
				m.kinds, m.slots = append(m.kinds, kind), append(m.slots, []string{""})
			}
			for _, slot := range e.Slots {
				if !slices.Contains(m.slots[i], slot) {
					m.slots[i] = append(m.slots[i], slot)
				}
			}
		}
	}
	m.learnKinds(all, rate)
	m.learnSlots(slices.DeleteFunc(slices.Clone(all), func(e Example) bool { return e.Slots == nil || e.Kinds[0] == None }))
	return m.encode()
}

// inTurns calls look with the index of each of n examples, each round in another order.
func inTurns(n int, look func(round, i int)) {
	order := rand.New(rand.NewPCG(1, 2)) // as good as any
	for round := range rounds {
		for _, i := range order.Perm(n) {
			look(round, i)
		}
	}
}

// learnKinds learns the chances of kinds, by gradient descent with steps that become smaller where a weight has moved (AdaGrad). Of several texts it
// learns, after the first round, from the one that is likeliest of the kinds.
func (m *Model) learnKinds(all []Example, rate float64) {
	w, moved := make(loose, places), make(loose, places)
	m.chance = w
	var features [][]uint64
	first := make([]int, len(all)+1) // of each example
	for i, e := range all {
		for _, text := range e.Texts {
			features = append(features, m.features(text))
		}
		first[i+1] = len(features)
	}
	dropRare(features)
	inTurns(len(all), func(round, i int) {
		kinds, texts := make([]bool, len(m.kinds)), features[first[i]:first[i+1]]
		for _, kind := range all[i].Kinds {
			kinds[slices.Index(m.kinds, kind)] = true
		}
		likeliest := func(a, b []uint64) int { return cmp.Compare(m.chanceOf(kinds, a), m.chanceOf(kinds, b)) }
		if round > 0 && len(texts) > 1 {
			texts = [][]uint64{slices.MaxFunc(texts, likeliest)}
		}
		for _, text := range texts {
			m.learn(text, kinds, rate, w, moved)
		}
	})
}

// chanceOf returns the chance of some kinds.
func (m *Model) chanceOf(kinds []bool, features []uint64) (sum float64) {
	for i, chance := range m.chances(features) {
		if kinds[i] {
			sum += chance
		}
	}
	return sum
}

// learn moves the weights of a text towards some kinds together. The weights themselves decide which of the kinds gets how much.
func (m *Model) learn(features []uint64, kinds []bool, rate float64, w, moved loose) {
	const least = 0.003 // a difference that is worth a step
	size, all := math.Sqrt(float64(len(features))), max(m.chanceOf(kinds, features), 1e-9)
	for kind, wrong := range m.chances(features) {
		if kinds[kind] {
			wrong -= wrong / all
		}
		if math.Abs(wrong) < least {
			continue
		}
		wrong /= size
		for _, f := range features {
			at := place(f, uint64(kind)) % places
			moved[at] += wrong * wrong
			w[at] -= rate * wrong / math.Sqrt(moved[at]+1e-3)
		}
	}
}

// learnSlots learns the weights of tags: those of a wrong answer become smaller, those of the right one larger, and in the end each is its mean.
func (m *Model) learnSlots(all []Example) {
	w, sum := make(loose, places), make(loose, places)
	m.tag = w
	n := 1.0
	features := make([][][]uint64, len(all))
	var tokens [][]uint64
	for i, e := range all {
		features[i] = tokenFeatures(e.Texts[0])
		tokens = append(tokens, features[i]...)
	}
	dropRare(tokens)
	for i := range features {
		features[i], tokens = tokens[:len(features[i])], tokens[len(features[i]):]
	}
	inTurns(len(all), func(_, i int) {
		kind, tokens := slices.Index(m.kinds, all[i].Kinds[0]), features[i]
		right := make([]int, len(tokens))
		for j, slot := range all[i].Slots {
			right[j] = slices.Index(m.slots[kind], slot)
		}
		got := m.decode(kind, tokens, 1)[0]
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

// dropRare removes the features that are there only once: they say nothing of other texts.
func dropRare(of [][]uint64) {
	const least = 2
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

// Pack returns models by name, as [Unpack] reads them.
func Pack(models map[string]string) string {
	var packed strings.Builder
	for _, name := range slices.Sorted(maps.Keys(models)) {
		packed.WriteString(sized(name) + sized(models[name]))
	}
	return packed.String()
}
