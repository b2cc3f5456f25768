package account

import "slices"

// Rest returns, in the engine's words, the facts that a narration does not tell: a goal that was met, what was given, a death; with all
// of them everything else that matters, for a narration that was broken off. It is "" where nothing is left out.
func (d *Digest) Rest(all bool, tells func(Sentence) bool) string {
	f := d.gather(plainly)
	list := slices.DeleteFunc(f.clean(), func(s Sentence) bool {
		needed := slices.Contains([]string{"quest", "give", "get"}, s.Kind()) || s.IsFall()
		return !needed && !all || tells(s)
	})
	var rest []string
	for _, s := range weighed(list) {
		if s.Beat == "" || s.loose { // else where the tale has words for it, those
			s.Beat = s.Text
		}
		rest = append(rest, s.Beat)
	}
	return f.words.join(rest)
}
