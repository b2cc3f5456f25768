package policy

// Reasons returns all rules by which a call does not simply run.
func Reasons() []Rule {
	return []Rule{
		RuleDisabled, RuleDisabledHere, RuleAllowlist, RulePlatform, RuleScope, RuleLevel, RuleDeniedTwice, RuleAskedTooOften,
		RuleSkill, RuleAltered, RuleAuthority, RuleAuthorityUntrusted, RuleSpends, RuleCommandNetwork, RuleUnconfined,
		RuleDestroys, RuleSends, RuleSendsUnknown, RuleLongAddress, RuleOfTwo, RulePrivateData, RuleConstructed,
		RulePersistsUntrusted, RuleOutsideUntrusted, RuleSaysNothing, RuleUnsure,
	}
}

// Remembered is how many people l remembers.
func (l *Limiter) Remembered() int { return len(l.recent) }
