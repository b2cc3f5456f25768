package narration

import (
	"hob/internal/classify"
	"hob/internal/game/account"
)

// Sentences returns the words of each sentence of a draft as the classifier gets them.
func Sentences(t account.Turn, text string) (all [][]classify.Token) {
	c := newChecker(t.Digest())
	c.check(text)
	for from := 0; from < len(c.toks)-1; {
		to := c.end(from, true)
		all = append(all, c.words(from, to))
		from = to
	}
	return all
}

// Happened returns what happened in a turn, as the kinds of the classifier.
func Happened(t account.Turn) []string { return happened(t.Digest()) }
