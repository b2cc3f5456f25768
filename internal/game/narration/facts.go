package narration

import (
	"cmp"
	"slices"
	"strings"
)

// Facts returns what happened, a sentence for each thing, in the turn's language: what was thrown and what of the calls was refused
// first, then what changed, in its order. Nothing that is hidden, secret or out of sight is in it. Who acted is "you".
func (t Turn) Facts() []string {
	list := []string{}
	for _, s := range t.digest().gather(plainly).clean() {
		list = append(list, s.text)
	}
	return list
}

// manner is how facts are put into words.
type manner int

const (
	plainly  manner = iota // in the engine's plainest words, with their numbers
	voiced                 // with the words of the tale, and in turns of phrase that change
	summedUp               // voiced, but as a recap has it: who told of what, and not in which words
)

// facts are written here.
type facts struct {
	*digest
	manner
	hush  *checker // of what must not be told; nil: one is made
	list  []sentence
	steps []string // the places to which you went, by name
	doors []string // those of which was told, by the ids on both sides
}

// sentence is a fact with the key of its words. beat is what the tale says in its place.
type sentence struct {
	key, text, beat string
	loose           bool // the beat does not name what it is about
}

// kind is the first part of a sentence's key.
func (s sentence) kind() string {
	kind, _, _ := strings.Cut(s.key, ".")
	return kind
}

// isFall reports whether a sentence says that somebody is dead or dying.
func (s sentence) isFall() bool { return strings.HasPrefix(s.key, "state.d") }

// gather writes the facts of a turn: of its calls (outcomes.go), of what changed (changes.go), and the time.
func (d *digest) gather(m manner) *facts {
	f := &facts{digest: d, manner: m}
	for i := range f.Outcomes {
		f.outcome(&f.Outcomes[i], &f.results[i])
	}
	for _, e := range f.Events {
		f.event(e)
	}
	f.time()
	return f
}

// clean returns the facts once each, without those that say what must not be told.
func (f *facts) clean() (list []sentence) {
	c := cmp.Or(f.hush, newChecker(f.digest))
	for _, s := range f.list {
		s.beat = plain(s.beat, longestBeat)
		if s.text = plain(s.text, 400); s.text != "" && !slices.Contains(list, s) && !c.hushed(s.text+" "+s.beat) {
			list = append(list, s)
		}
	}
	return list
}

// longestBeat is how many runes of a tale's words for a moment are told.
const longestBeat = 800

// you reports whether an actor is the one who is told.
func (f *facts) you(actor string) bool { return f.hero != nil && f.hero.ID == actor }

// add adds a sentence of which the first name is an actor's.
func (f *facts) add(key, actor string, more ...string) {
	if you := key + ".you"; f.you(actor) && len(f.phrases(you)) > 0 {
		key = you
	}
	f.put(key, append([]string{f.actorName(actor)}, more...)...)
}

// put adds a sentence as it is.
func (f *facts) put(key string, args ...string) {
	f.list = append(f.list, sentence{key: key, text: f.say(key, args...)})
}

// last is the sentence that was added last.
func (f *facts) last() *sentence { return &f.list[len(f.list)-1] }

// beat has the last sentence told as the tale has it, if it has words for one of these moments.
func (f *facts) beat(ids ...string) {
	s := f.last()
	s.beat = f.After.TextOf(f.start(ids[0]), f.Recent, ids...)
	s.loose = strings.HasSuffix(ids[len(ids)-1], ".given") && f.After.Beat(ids[0]) == nil
}

// either returns one of two texts.
func either(first bool, one, two string) string {
	if first {
		return one
	}
	return two
}
