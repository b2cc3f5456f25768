package account

import "slices"

// Rest returns what a narration has left out, in the engine's words: a goal that was met, a gift, a death. With all it
// returns everything else that matters, for a narration that was cut off. It is "" if nothing is missing.
func (d *Digest) Rest(all bool, tells func(Sentence) bool) string {
	f := d.gather(plainly)
	list := slices.DeleteFunc(f.clean(), func(s Sentence) bool {
		needed := slices.Contains([]string{"quest", "give", "get"}, s.Kind()) || s.IsFall()
		return !needed && !all || tells(s)
	})
	var rest []string
	for _, s := range weighed(list) {
		if s.Beat == "" || s.loose { // else in the tale's words, if it has any
			s.Beat = s.Text
		}
		rest = append(rest, s.Beat)
	}
	return f.words.join(rest)
}
