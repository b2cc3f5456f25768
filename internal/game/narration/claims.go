package narration

// judge holds what words of some classes claim against the turn.
type judge struct {
	of            class
	denied        bool // what is denied, too: "the lid will not come off"
	kind, problem string
	wrong         func(i int, s who) bool // reports whether the word at i is not so; s is of whom it is said
}

// judges are what words can claim, those first that say the contrary of what happened.
func (c *checker) judges() []judge {
	return []judge{
		{cShut, true, State, "this was opened in this turn", c.stuck},
		{cSafe, true, HP, "you are hurt", c.unhurt},
		{cAlive, false, Death, "this one is dead", c.alive},
		{cSlam, false, State, "nothing was shut in this turn", c.slammed},
		{cAway, false, Move, "nobody went away", c.away},
		{cMiss, false, Outcome, "this hit", c.missed},
		{cHit, false, Outcome, "this missed", c.hit},
		{cHeal, false, HP, "nobody was healed", c.healed},
		{cHurt, false, HP, "nobody was hurt like this", c.wounded},
		{cPain, false, HP, "nobody was hurt", c.pained},
		{cDie | cKill | cDead, false, Death, "nobody died", c.died},
		{cOpen, false, State, "this is closed", c.openClosed},
		{cOpen, false, State, "nothing was opened in this turn", c.opened},
	}
}

// claims holds each word that claims something against the turn. What changed hands and who went where is about more than a word.
func (c *checker) claims() {
	judges, all := c.judges(), cHands|cWay
	for _, j := range judges {
		all |= j.of
	}
	for i := range len(c.toks) - 1 {
		k := c.toks[i].class
		if c.noun(i) {
			k = c.toks[i].phrase&^(cGo|cEnter) | k&(cDead|cStash)
		}
		if k &= all; k == 0 {
			continue
		}
		s, cancelled := c.subject(i), c.cancelled(i)
		for _, j := range judges {
			if k&j.of != 0 && (j.denied || !cancelled) && j.wrong(i, s) {
				c.doubt(j.kind, c.toks[i].span, j.problem)
			}
		}
		if !cancelled {
			c.hands(i, k, s)
			c.went(i, k, s)
		}
	}
}
