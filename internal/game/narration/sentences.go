package narration

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"hob/internal/classify"
	"hob/internal/game/account"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// A writer says that somebody died in more ways than a table has words for. So a classifier, which has learned from thousands of sentences, says of each
// sentence what it tells of; what did not happen in the turn is a flag. In the root of the repository
// `go test ./internal/game/narration -run TestLearned -update` makes learned.bin anew.

//go:embed learned.bin
var learned string

// models returns what was learned, by language.
var models = sync.OnceValue(func() map[string]func() *classify.Model { return classify.Unpack(learned, classify.Words) })

// The chances of a sentence to tell of what did not happen, from which on it is a flag: less finds more, and flags more that is true.
const (
	leastFalse   = 0.8
	leastDoubted = 0.5 // where the tables say so, too
)

// statement is what a sentence can tell of.
type statement struct {
	of            string // the kind of the classifier
	kind, problem string
}

// statements are what sentences can tell of, besides nothing.
func statements() []statement {
	return []statement{
		{"hands", Item, "nothing changed hands"}, {"moved", Move, "nobody went anywhere"}, {"absent", Person, "nobody came"},
		{"hurt", HP, "nobody was hurt or healed"}, {"died", Death, "nobody died"}, {"opened", State, "nothing was opened or shut"},
	}
}

// stated flags sentences that tell of what did not happen.
func (c *checker) stated() {
	model := models()[c.lang]
	if model == nil || c.own {
		return
	}
	did := happened(c.d)
	for from := 0; from < len(c.toks)-1; {
		to := c.end(from, true)
		least, kinds, doubted := leastFalse, model().Kinds(c.words(from, to)), c.isDoubted(from, to)
		if doubted {
			least, kinds = leastDoubted, besides(kinds, did)
		}
		chance, worst := falsehood(kinds, did)
		if chance >= least && (doubted || !c.unsaid(from, to)) && !c.isEngines(from, to) {
			i := slices.IndexFunc(statements(), func(t statement) bool { return t.of == worst.Name })
			t := statements()[i]
			c.flag(t.kind, c.between(from, to-1), t.problem)
		}
		from = to
	}
}

// doubt is a word that by the tables claims what did not happen.
type doubt struct {
	kind string
	at   span
}

// doubt notes what by the tables did not happen. Where something of the kind did, the classifier cannot tell: it is a flag.
func (c *checker) doubt(kind string, at span, problem string) {
	i := slices.IndexFunc(statements(), func(t statement) bool { return t.kind == kind })
	if i < 0 || c.own || slices.Contains(happened(c.d), statements()[i].of) {
		c.flag(kind, at, problem)
		return
	}
	c.doubts = append(c.doubts, doubt{kind, at})
}

// unsaid reports whether a sentence asks, is about somebody who is dead, or takes back all that its verbs claim: "if you take the key, the door opens".
func (c *checker) unsaid(from, to int) bool {
	claims := 0
	for i := from; i < to; i++ {
		if slices.ContainsFunc(c.named(i, world.ActorKind), c.isDead) {
			return true
		}
		if c.toks[i].class&(cVerb|cDead) != 0 && !c.noun(i) {
			if !c.cancelled(i) {
				return false
			}
			claims++
		}
	}
	return claims > 0 || c.asked(from)
}

// isEngines reports whether a sentence stands as it is in the engine's own words or in what is written of the world.
func (c *checker) isEngines(from, to int) bool {
	at := c.between(from, to-1)
	words := spelling.Lower(c.draft.text[at.at:at.end])
	return c.d.IsThere(words) || strings.Contains(spelling.Lower(c.d.Tell()), words)
}

// isDoubted reports whether the tables say that something of a sentence did not happen.
func (c *checker) isDoubted(from, to int) bool {
	return slices.ContainsFunc(c.doubts, func(d doubt) bool { return c.toks[from].at <= d.at.at && d.at.at < c.toks[to-1].end })
}

// besides returns the chances that are left of all kinds when some are left out.
func besides(all []classify.Kind, some []string) (rest []classify.Kind) {
	sum := 0.0
	for _, k := range all {
		if !slices.Contains(some, k.Name) {
			rest = append(rest, k)
			sum += k.Chance
		}
	}
	for i := range rest {
		rest[i].Chance /= sum
	}
	return rest
}

// falsehood returns the chance that a sentence tells of what did not happen, and of what most likely.
func falsehood(kinds []classify.Kind, did []string) (chance float64, worst classify.Kind) {
	for _, k := range kinds {
		if k.Name == classify.None || slices.Contains(did, k.Name) {
			continue
		}
		chance += k.Chance
		if k.Chance > worst.Chance {
			worst = k
		}
	}
	return chance, worst
}

// happened returns what has happened in a turn, as the kinds of the classifier.
func happened(d *account.Digest) (all []string) {
	is := func(happened bool, kinds ...string) {
		if happened {
			all = append(all, kinds...)
		}
	}
	is(len(d.Passed) > 0, "hands")
	is(d.Moved("", ""), "moved", "opened") // who walks goes through doors
	is(len(d.Harms) > 0, "hurt")
	is(len(d.Falls) > 0, "died")
	is(len(d.Unlocked())+len(d.Shut()) > 0, "opened")
	return all
}

// words returns the words of a sentence for the classifier: names as what they are to the turn, all others by their stems, marked with how they stand there
// and what they claim.
func (c *checker) words(from, to int) (all []classify.Token) {
	for i := from; i < to; i++ {
		t := &c.toks[i]
		if i > from && t.stop != 0 {
			all = append(all, classify.Token{Text: ","})
		}
		switch {
		case len(t.names) == 0:
			all = append(all, classify.Token{Text: t.stem, Marks: append(c.claimed(i), c.doubted(i)...)})
		case t.names[0].at == i:
			all = append(all, c.role(t.names[0]))
		}
	}
	return all
}

// claimed returns the classes of the word at i.
func (c *checker) claimed(i int) (marks []string) {
	for n, name := range classNames() {
		if c.toks[i].class&(1<<n) != 0 {
			marks = append(marks, name)
		}
	}
	for n, name := range signNames() {
		if c.toks[i].sign&(1<<n) != 0 {
			marks = append(marks, "sign "+name)
		}
	}
	return marks
}

// isDead reports whether somebody is dead.
func (c *checker) isDead(id string) bool {
	a := c.d.After.Actor(id)
	return a != nil && a.State == world.Dead
}

// role returns what somebody or something is to the turn, in place of a name.
func (c *checker) role(n name) classify.Token {
	kind, mark := "<thing>", "there"
	switch n.kind {
	case world.ActorKind:
		if kind = "<person>"; n.id == c.d.HeroID() {
			kind = "<hero>"
		}
		if c.isDead(n.id) {
			mark = "dead"
		}
	case world.PlaceKind:
		if kind = "<place>"; n.id == c.d.Here() {
			mark = "here"
		} else if c.d.At(n.id) {
			mark = "before"
		}
	default:
		if kind, holder := c.d.After.Holder(n.id); kind == world.ActorKind {
			mark = "with you"
			if holder != c.d.HeroID() {
				mark = "with another"
			}
		}
		if c.d.With(n.id, func(account.Passed) bool { return true }) {
			mark = "passed"
		}
	}
	if !c.d.Seen[n.id] {
		mark = "away"
	}
	return classify.Token{Text: kind, Marks: []string{kind + " " + mark}}
}

// doubted returns the kinds of doubts that end at the word at i.
func (c *checker) doubted(i int) (marks []string) {
	for _, d := range c.doubts {
		if d.at.at < c.toks[i].end && c.toks[i].at < d.at.end {
			marks = append(marks, "doubt "+d.kind)
		}
	}
	return marks
}
