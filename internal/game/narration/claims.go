package narration

// judge holds what words of some classes claim against the turn.
type judge struct {
	of     class
	denied bool // what is denied, too: "the lid will not come off"
	hold   func(i int, k class, s who)
}

// judges are what words can claim, those first that say the contrary of what happened.
func (c *checker) judges() []judge {
	return []judge{
		{cShut, true, c.stuck},
		{cSafe, true, c.unhurt},
		{cAlive, false, c.alive},
		{cSlam, false, c.slammed},
		{cTake | cFind | cGive | cPut | cLose | cStash | cRefuse, false, c.hands},
		{cGo | cEnter | cAway, false, c.went},
		{cHurt | cHeal | cHit | cMiss | cStrike, false, c.hurt},
		{cPain, false, c.pained},
		{cDie | cKill | cDead, false, c.died},
		{cOpen, false, c.opened},
	}
}

// claims holds each word that claims something against the turn.
func (c *checker) claims() {
	judges := c.judges()
	for i := range len(c.toks) - 1 {
		k := c.toks[i].class
		if c.noun(i) {
			k = c.toks[i].phrase&^(cGo|cEnter) | k&(cDead|cStash)
		}
		for _, j := range judges {
			if k&j.of != 0 && (j.denied || !c.cancelled(i)) {
				j.hold(i, k, c.subject(i))
			}
		}
	}
}
