package policy

// Reasons are the rules by which a call does not simply run.
func Reasons() []Rule {
	var all []Rule
	for _, r := range reasons() {
		all = append(all, r.rule)
	}
	return all
}

// Remembered is how many people l remembers.
func (l *Limiter) Remembered() int { return len(l.recent) }
