package policy

import (
	"fmt"

	"hob/internal/event"
	"hob/internal/tools"
)

// Rule names why a call is allowed, asked about or denied. It is shown to people and models, and kept in the audit.
type Rule string

// The rules that keep a tool from being offered, and a call from being judged any further.
const (
	RuleDisabled      Rule = "disabled"
	RuleDisabledHere  Rule = "disabled-here"
	RuleAllowlist     Rule = "allowlist"
	RulePlatform      Rule = Rule(tools.ByPlatform)
	RuleScope         Rule = Rule(tools.ByScope)
	RuleLevel         Rule = Rule(tools.ByLevel)
	RuleDeniedTwice   Rule = "denied-twice"
	RuleAskedTooOften Rule = "asked-too-often"
	RuleSkill         Rule = "skill"   // the skill that a turn is about allows other tools
	RuleAltered       Rule = "altered" // what would run is not what was asked about; see [CheckApproved]
)

// The rules by which a call asks, or is denied where nobody can be asked.
const (
	RuleAuthority          Rule = "authority"
	RuleAuthorityUntrusted Rule = "authority-untrusted"
	RuleSpends             Rule = "spends"
	RuleCommandNetwork     Rule = "command-network"
	RuleUnconfined         Rule = "unconfined"
	RuleDestroys           Rule = "destroys"
	RuleSends              Rule = "sends"
	RuleSendsUnknown       Rule = "sends-unknown"
	RuleLongAddress        Rule = "long-address"
	RuleOfTwo              Rule = "rule-of-two"
	RulePrivateData        Rule = "private-data"
	RuleConstructed        Rule = "constructed-address"
	RulePersistsUntrusted  Rule = "persists-untrusted"
	RuleOutsideUntrusted   Rule = "outside-untrusted"
	RuleSaysNothing        Rule = "says-nothing"
	RuleUnsure             Rule = "unsure"
)

// The rules by which a call is allowed.
const (
	RuleReads        Rule = "reads"
	RuleWorkspace    Rule = "workspace"
	RuleSandboxed    Rule = "sandboxed"
	RuleAddressNamed Rule = "address-named" // the owner gave the address
	RuleHostNamed    Rule = "host-named"    // the owner named the host
	RuleGranted      Rule = "granted"
	RuleHostAllowed  Rule = "host-allowed" // one of [Policy].Hosts
	RuleSearches     Rule = "searches"     // one of [Policy].Searches
	RuleLink         Rule = "link"         // of a page that was fetched
	RuleUntainted    Rule = "untainted"    // there is nothing that could leak, and nobody who would want it
	RuleToAsker      Rule = "to-asker"     // it goes to nobody but who asks
	RuleNamedHere    Rule = "named-here"   // it stays in the group that it was asked in, and whoever asks has named what it is done to
	RulePersists     Rule = "persists"
	RuleOutside      Rule = "outside"
	RuleStory        Rule = "story"
)

// reason is a rule by which a call does not simply run, and its words.
type reason struct {
	rule Rule
	why  string // ends "it asks because ..."
}

// reasons returns all rules by which a call does not simply run. None of their words may say what would lift the rule: the
// model would ask for just that, and sooner or later somebody would do it.
func reasons() [26]reason {
	return [...]reason{
		{RuleDisabled, "it is switched off"},
		{RuleDisabledHere, "it is switched off in this chat"},
		{RuleAllowlist, "it is not among the tools that may run"},
		{RulePlatform, "it does not work on this platform"},
		{RuleScope, "it does not work in this kind of conversation"},
		{RuleLevel, "whoever asks may not use it"},
		{RuleDeniedTwice, "it was denied twice in this turn"},
		{RuleAskedTooOften, "too many questions were asked in this conversation in the last hour"},
		{RuleSkill, "the skill that this is about allows other tools"},
		{RuleAltered, "it is not what was asked about"},
		{RuleAuthority, "it changes what others may do"},
		{RuleAuthorityUntrusted, "it changes what others may do, and strangers' words are in this conversation"},
		{RuleSpends, "it costs money"},
		{RuleCommandNetwork, "what it runs may reach the network"},
		{RuleUnconfined, "no sandbox keeps what it runs to the workspace"},
		{RuleDestroys, "what it does cannot be taken back"},
		{RuleSends, "it sends something out"},
		{RuleSendsUnknown, "it does not say where it sends to"},
		{RuleLongAddress, "its address is long enough to carry something out"},
		{RuleOfTwo, "private data and strangers' words are in this conversation, and nobody named its address"},
		{RulePrivateData, "private data is in this conversation, and nobody named its host"},
		{RuleConstructed, "strangers' words are in this conversation, and its address was neither named by a person nor is it a link of a page"},
		{RulePersistsUntrusted, "it is kept for later conversations, and strangers' words are in this one"},
		{RuleOutsideUntrusted, "it changes files outside of the workspace, and strangers' words are in this conversation"},
		{RuleSaysNothing, "it does not say what it does"},
		{RuleUnsure, "the words may mean something else, or it changes several things at once"},
	}
}

// Why says in a few words why a call asks or is denied by r. It is "" for a rule that allows, and for an unknown one.
func (r Rule) Why() string {
	for _, known := range reasons() {
		if known.rule == r {
			return known.why
		}
	}
	return ""
}

func deny(r Rule) Ruling  { return Ruling{Verdict: Deny, Rule: r, Why: r.Why()} }
func allow(r Rule) Ruling { return Ruling{Verdict: Allow, Rule: r} }

// ask asks by a rule that grants would lift, or by one that nothing lifts.
func ask(r Rule, grants ...event.Grant) Ruling {
	return Ruling{Verdict: Ask, Rule: r, Why: r.Why(), Grants: grants}
}

// ForPerson says to a person why a rule denies a call of theirs.
func (r Ruling) ForPerson(tool string) string {
	why := r.Why
	if r.Rule == RuleLevel {
		why = "you need more rights, which an owner or admin can give"
	}
	return fmt.Sprintf("%s does not run: %s (rule %s)", tool, why, r.Rule)
}

// Refusal is the result of a call that is denied, by a rule or by whoever was asked (by is "" for a rule, "nobody" where
// nobody answered, and "stop" where the turn was stopped meanwhile). It names the rule.
func (r Ruling) Refusal(tool, by string) *tools.Error {
	why := fmt.Sprintf("denied by the user (rule %s)", r.Rule)
	switch by {
	case "":
		why = fmt.Sprintf("denied by rule %s: %s does not run because %s", r.Rule, tool, r.Why)
	case "nobody":
		why = fmt.Sprintf("denied: nobody is there to allow it (rule %s)", r.Rule)
	case "stop":
		return tools.Cancelled("stopped by the user before it ran (rule %s)", r.Rule)
	}
	e := tools.Denied(event.CodePermissionDenied, "%s", why)
	if r.Rule == RuleDisabled || r.Rule == RuleDisabledHere {
		e = tools.Disabled("%s", why)
	}
	return e.Suggest("do not retry; continue without it, or say what you would need")
}
