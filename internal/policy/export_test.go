package policy

// Reasons are the rules by which a call does not simply run.
func Reasons() []Rule { return reasons() }

// Remembered is how many people l remembers.
func (l *Limiter) Remembered() int { return len(l.recent) }
