package policy

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/phrases"
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

// files are what is said of rules, and what a person is asked, in each language.
//
//go:embed words
var files embed.FS

// Why says in a few words why a call asks or is denied by r. It is "" for a rule that allows, and for an unknown one. A model reads it.
func (r Rule) Why() string { return r.why(phrases.In(files, "")) }

func (r Rule) why(w phrases.Words) string {
	text, _ := w.Find("why." + string(r))
	return text
}

func deny(r Rule) Ruling  { return Ruling{Verdict: Deny, Rule: r, Why: r.Why()} }
func allow(r Rule) Ruling { return Ruling{Verdict: Allow, Rule: r} }

// ask asks by a rule that grants would lift, or by one that nothing lifts.
func ask(r Rule, grants ...event.Grant) Ruling {
	return Ruling{Verdict: Ask, Rule: r, Why: r.Why(), Grants: grants}
}

// ForPerson says to a person, in their language, why a call of theirs is denied: by a rule, or by whoever was asked, as in [Ruling.Refusal].
func (r Ruling) ForPerson(lang, tool, by string) string {
	w, rule := phrases.In(files, lang), string(r.Rule)
	switch by {
	case "":
	case "nobody":
		return w.Text("refused.nobody", rule)
	default:
		return w.Text("refused.user", rule)
	}
	if r.Rule == RuleLevel { // who lacks a right need not know the names of a tool and of a rule
		return w.Text("refused.level")
	}
	why := r.Why
	if rest, ok := strings.CutPrefix(why, r.Rule.Why()); ok {
		why = r.Rule.why(w) + rest
	}
	return w.Text("refused", tool, why, rule)
}

// HowToAllow says how a person gets a right that they lack. It is "" where they lack none, and for a person without a number.
func (r Ruling) HowToAllow(lang string, c tools.Caller) string {
	if _, err := strconv.ParseInt(c.User, 10, 64); err != nil || r.Rule != RuleLevel {
		return ""
	}
	return " " + phrases.In(files, lang).Text("refused.level.how", c.User)
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
