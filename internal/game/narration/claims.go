package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// clause is a part of a sentence with one thing that is said, in words from lo to hi.
type clause struct {
	lo, hi  int
	first   int    // of its sentence
	joint   string // "and" and the like, by which it goes on
	who     who    // who did something last in the sentence
	unreal  bool   // what came before it in the sentence is only possible
	claimed class  // and what it claimed last
	dreams  bool   // what comes in the rest of its sentence is but thought of
}

// claims reads a draft of a language with spaces for what it claims, and flags what did not happen.
func (c *checker) claims() {
	n := len(c.toks) - 1
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && c.toks[hi].stop != '.' && c.toks[hi].stop != '!' && c.toks[hi].stop != '?' {
			hi++
		}
		if c.toks[hi].stop != '?' {
			c.sentence(lo, hi)
		}
		lo = hi
	}
}

// mostWords is how many words a clause has at most.
const mostWords = 60

// sentence reads the clauses of one.
func (c *checker) sentence(lo, hi int) {
	k := clause{lo: lo, first: lo}
	for k.lo < hi {
		k.hi = k.lo + 1
		for k.hi < hi && k.hi < k.lo+mostWords && c.toks[k.hi].stop == 0 && !c.joins(k.hi, hi) {
			k.hi++
		}
		k.joint = ""
		if c.lex.of(c.toks[k.lo].word)&cConj != 0 {
			k.joint = c.toks[k.lo].word
		}
		c.clause(&k)
		k.lo = k.hi
	}
}

// joins reports whether the word at i begins another clause.
func (c *checker) joins(i, hi int) bool {
	w := c.toks[i].word
	if w == "as" {
		return i+1 < hi && (c.lex.of(c.toks[i+1].word)&(cYou|cDet|cPron|cYours) != 0 || c.toks[i+1].large) || c.next(i, "if", "though")
	}
	if w == "so" || w == "then" || w == "затем" || w == "потом" {
		return false
	}
	return c.lex.of(w)&cConj != 0
}

func (c *checker) next(i int, words ...string) bool { return slices.Contains(words, c.toks[i+1].word) }

// clause reads one, and remembers who did what in it for the next.
func (c *checker) clause(k *clause) {
	subject := c.subject(k, k.hi)
	dreams := k.dreams // before this clause
	end := c.supposes(k)
	real := *k
	real.hi = end
	unreal := real.hi == k.lo
	if k.unreal && subject.sort == nobody && k.joint != "" {
		unreal = true // "you could take it and go"
	}
	if dreams {
		unreal = true
	}
	if subject.sort == nobody && k.lo > k.first && c.toks[k.lo].stop == ',' {
		unreal = unreal || k.unreal
	}
	if !unreal {
		c.people(&real)
		c.verbs(&real)
		c.states(&real)
		c.tellings(&real)
		c.whiles(&real)
		k.claimed = real.claimed
	}
	k.unreal = unreal
	if subject.sort != nobody {
		k.who = subject
	}
}

// supposes returns the word from which on a clause tells of what is only possible, or of the past.
func (c *checker) supposes(k *clause) int {
	for i := k.lo; i < k.hi; i++ {
		w := c.toks[i].word
		switch {
		case w == "бы":
			return k.lo
		case c.lex.of(w)&cDream != 0 && !c.noun(k, i):
			k.dreams = true
			return i
		case c.lex.of(w)&cIf != 0, w == "as" && i+1 < k.hi && c.next(i, "if", "though"), w == "прежде":
			if i == k.lo || i == k.lo+1 && (c.lang == "ru" || c.lex.of(c.toks[k.lo].word)&(cConj|cAdverb) != 0) {
				return k.lo
			}
			return i
		case w == "had" && i+1 < k.hi && strings.HasSuffix(c.toks[i+1].word, "ed"):
			return i
		}
	}
	return k.hi
}

// verbs looks at each verb of a clause.
func (c *checker) verbs(k *clause) {
	for i := k.lo; i < k.hi; i++ {
		cl := c.lex.at(c.toks, i) & cClaim
		if cl == 0 || c.noun(k, i) {
			continue
		}
		if !c.asserted(k, i) {
			c.denied(k, i, cl)
			continue
		}
		w := c.subject(k, i)
		if w.sort == nobody && (k.joint == "or" || k.joint == "или") {
			continue // "you could take it, or walk away"
		}
		if w.sort == nobody && (k.lo == k.first || k.joint != "" || c.toks[k.lo].stop == ',' || c.toks[k.lo].stop == '"') {
			w = c.inherited(k, i)
		}
		if first := c.toks[k.lo].word; k.lo > k.first && (first == "who" || strings.HasPrefix(first, "котор")) && c.subject(k, i).sort == nobody {
			if w = (who{sort: other}); c.lately(k.first, k.lo) != nil {
				w = who{sort: actor, ids: c.lately(k.first, k.lo)[len(c.lately(k.first, k.lo))-1:]} // "Osric, who has a key"
			}
		}
		if c.lang == "ru" && w.sort != player && cl&(cDie|cGo|cWalk) != 0 && i+1 < k.hi && c.subject(k, i).sort == nobody {
			if list, ok := c.mentionAt(i + 1); ok && persons(list) != nil && c.toks[i+1].stop == 0 {
				w = who{sort: actor, ids: persons(list)} // "dies Osric"
			}
		}
		c.verb(k, i, cl, w)
		k.claimed = cl
	}
	if k.joint != "" && k.claimed&(cGo|cWalk) != 0 && k.lo+1 < k.hi && c.lex.of(c.toks[k.lo+1].word)&cArrive != 0 {
		c.going(k, k.lo, k.claimed&(cGo|cWalk), k.who) // "you walk out and into the crypt"
	}
	if (c.bare(k) || c.lang == "ru" && c.bareRussian(k)) && k.claimed&(cTake|cFind|cDrop|cGive) != 0 {
		c.verb(k, k.lo, k.claimed&(cTake|cFind|cDrop|cGive), k.who) // "you take the key and a sword"
	}
}

// bare reports whether a clause is but a thing.
func (c *checker) bare(k *clause) bool {
	if c.lang != "en" || k.lo == k.first || k.joint == "" || k.lo+1 >= k.hi {
		return false
	}
	if c.lex.of(c.toks[k.lo+1].word)&cDet == 0 {
		return false
	}
	for i := k.lo + 1; i < k.hi; i++ {
		w := c.toks[i].word
		if i > k.lo+2 && (w == "that" || w == "which" || w == "to") {
			break // "and a shield that leans by the wall"
		}
		if cl := c.lex.of(w); i > k.lo+6 || cl&(cClaim|cBe|cYou|cPron|cSay|cAct) != 0 && cl&(cNoun|cDet) == 0 {
			return false
		}
	}
	return true
}

// inherited returns who a clause without anybody is about: who the clause before it was about, or "you", where a form of the verb
// says so.
func (c *checker) inherited(k *clause, i int) who {
	w := c.toks[i].word
	if c.lang == "ru" {
		if hasAny(w, "те", "тесь", "ешь", "ишь", "ешься", "ишься") {
			return who{sort: player}
		}
		if hasAny(w, "ав", "ив", "ув", "яв", "ыв", "дя", "вшись", "вшись") && k.who.sort == nobody {
			return who{sort: player}
		}
		if k.who.sort == player && hasAny(w, "ет", "ит", "ют", "ят", "ут", "ется", "ится", "ются", "ятся") {
			return who{sort: other} // "you" does nothing in this form
		}
		return k.who
	}
	if k.who.sort == nobody && strings.HasSuffix(w, "ing") {
		for j := k.hi; j < len(c.toks)-1 && c.toks[j].stop != '.'; j++ {
			if c.lex.of(c.toks[j].word)&cYou != 0 {
				return who{sort: player}
			}
		}
	}
	return k.who
}

// noun reports whether the word at i is no verb here: an article or an adjective's place is before it.
func (c *checker) noun(k *clause, i int) bool {
	if c.lang != "en" || i == k.lo {
		return false
	}
	before := c.lex.of(c.toks[i-1].word)
	if before&(cDet|cYours) != 0 && c.toks[i].stop == 0 && c.toks[i-1].word != "that" && c.toks[i-1].word != "all" &&
		c.toks[i-1].word != "both" && c.toks[i-1].word != "her" {
		return true
	}
	// "the long drop", "a sudden hit": an article two words before, and no noun that could do it
	if before&(cPron|cYou) != 0 {
		return false
	}
	if i-2 >= k.lo && c.toks[i-1].stop == 0 && c.toks[i].stop == 0 && c.lex.of(c.toks[i-2].word)&(cDet|cYours) != 0 &&
		c.lex.of(c.toks[i-2].word)&cPron == 0 {
		_, known := c.mentionEnding(i - 1)
		return !known && before&(cNoun|cBody|cClaim|cHPWord) == 0 && !hasAny(c.toks[i].word, "s", "ed") &&
			c.lex.of(c.toks[i].word)&cDie == 0
	}
	return false
}

// asserted reports whether the verb at i says that something is so: it is not denied, tried, wanted or possible.
func (c *checker) asserted(k *clause, i int) bool {
	w := c.toks[i].word
	if c.lang == "ru" && hasAny(w, "ть", "ться", "ти", "чь") {
		return false
	}
	for j := i - 1; j >= k.lo && j >= i-6; j-- {
		cl := c.lex.of(c.toks[j].word)
		if cl&cManaged != 0 {
			return true
		}
		if c.lang == "ru" {
			if cl&cNot != 0 && j >= i-2 || cl&cMay != 0 && j >= i-4 {
				return false
			}
			continue
		}
		if c.toks[j].word == "to" && (j == i-1 || j == i-2 && hasAny(c.toks[i-1].word, "ly")) {
			return j > k.lo && c.lex.of(c.toks[j-1].word)&cManaged != 0
		}
		if cl&(cNot|cMay) != 0 && !(cl&cNot != 0 && j < i-4) {
			return false
		}
		if j == i-1 && cl&cPrep != 0 && strings.HasSuffix(w, "ing") && c.toks[j].word != "by" && c.toks[j].word != "in" {
			return false
		}
	}
	if c.lang == "en" {
		return !c.related(k, i)
	}
	return true
}

// related reports whether the verb at i belongs to a thing before it: "the sword you took glints".
func (c *checker) related(k *clause, i int) bool {
	at := i - 1
	for at > k.lo && c.lex.of(c.toks[at].word)&cAdverb != 0 {
		at--
	}
	if at <= k.lo || c.lex.of(c.toks[at].word)&cYou == 0 {
		return false
	}
	before := c.lex.of(c.toks[at-1].word)
	if before&(cConj|cAdverb|cPrep|cIf|cClaim) != 0 && c.toks[at-1].word != "that" || c.toks[at].stop != 0 || hasAny(c.toks[at-1].word, "ly") {
		return false
	}
	if i+1 >= k.hi {
		return true
	}
	after := c.lex.of(c.toks[i+1].word)
	_, named := c.mentionAt(i + 1)
	return after&(cDet|cYours|cPron|cPrep) == 0 && !named
}

// mentionAt returns what is named by words that begin with word i.
func (c *checker) mentionAt(i int) (list []found, ok bool) { return c.first[i], len(c.first[i]) > 0 }

// mentionEnding returns what is named by words that end with word i.
func (c *checker) mentionEnding(i int) (list []found, ok bool) {
	return c.final[i], len(c.final[i]) > 0
}

// subject finds who does something in a clause before word i.
func (c *checker) subject(k *clause, i int) who {
	var w who
	for j := k.lo; j < i; j++ {
		cl := c.lex.of(c.toks[j].word)
		switch {
		case cl&cYou != 0 && c.nominative(j):
			w = who{sort: player}
		case cl&cYours != 0 && (w.sort == nobody || c.lang == "en") && !c.governed(k, j):
			w = who{sort: other, ids: []string{"you"}}
		case cl&cPron != 0 && c.subjective(j) && !c.governed(k, j) && (w.sort != player || j > k.lo && slices.Contains(
			[]string{"that", "which", "until", "because", "что"}, c.toks[j-1].word)):
			w = who{sort: pronoun}
		}
		list, ok := c.mentionAt(j)
		if !ok || c.governed(k, j) || w.sort == player {
			continue
		}
		var ids []string
		for _, f := range list {
			if f.kind == world.ActorKind && !strings.HasSuffix(c.toks[f.at0+f.n-1].word, "'s") {
				ids = append(ids, f.id)
			}
		}
		if ids != nil {
			w = who{sort: actor, ids: ids}
		} else if w.sort == nobody {
			w = who{sort: other}
		}
	}
	if w.sort == nobody && c.lang == "en" && i < k.hi && i > k.lo {
		for j := k.lo; j < i; j++ { // "the wind takes", "a beam strikes"
			if c.lex.of(c.toks[j].word)&cDet != 0 && !c.governed(k, j) {
				return who{sort: other}
			}
		}
	}
	return w
}

func (c *checker) nominative(i int) bool {
	w := c.toks[i].word
	return c.lang == "en" && (i == 0 || c.toks[i].stop != 0 || c.lex.of(c.toks[i-1].word)&(cPrep|cGive|cWound|cStrike) == 0) || w == "вы" || w == "ты"
}

func (c *checker) subjective(i int) bool {
	switch c.toks[i].word {
	case "him", "them", "his", "her", "его", "ее", "их", "ему", "ей", "им", "него", "нее":
		return false
	}
	return true
}

// governed reports whether the word at i stands behind a preposition, with nothing between them but what belongs to the word.
func (c *checker) governed(k *clause, i int) bool {
	if c.lang == "en" && c.toks[i].large && i > k.lo && c.lex.of(c.toks[i-1].word)&(cPrep|cDet|cYours) == 0 {
		return false // "with a grunt Osric ..."
	}
	for j := i - 1; j >= k.lo && j >= i-3; j-- {
		cl := c.lex.of(c.toks[j].word)
		switch {
		case c.toks[j+1].stop != 0:
			return false
		case cl&cPrep != 0:
			return true
		case c.lang == "ru" && cl&cYours != 0 && j < i-1:
			return false // "за вашей спиной Джек ..."
		case cl&(cDet|cYours) != 0:
			return j > k.lo && c.toks[j].stop == 0 && c.lex.of(c.toks[j-1].word)&cPrep != 0
		case c.lang == "ru" && !hasAny(c.toks[j].word, "ым", "им", "ого", "его", "ому", "ему", "ой", "ей", "ую", "юю", "ых", "их", "ый", "ий", "ая", "ое", "ые", "ие") &&
			!(hasAny(c.toks[j].word, "ом", "ем") && j > k.lo && slices.Contains([]string{"в", "во", "на", "о", "при"}, c.toks[j-1].word)):
			return false // a noun of its own: "с последним вздохом Осрик ..."
		case cl&(cClaim|cYou|cPron|cConj|cBe|cSay) != 0 && cl&cNoun == 0:
			return false
		}
	}
	return false
}
