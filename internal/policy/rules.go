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

// Rule names why a call is allowed, asked about or denied. People and models see it, and the audit
// stores it.
type Rule string

// The rules that keep a tool from being offered, and a call from being judged further.
const (
	RuleDisabled      Rule = "disabled"
	RuleDisabledHere  Rule = "disabled-here"
	RuleAllowlist     Rule = "allowlist"
	RulePlatform      Rule = Rule(tools.ByPlatform)
	RuleScope         Rule = Rule(tools.ByScope)
	RuleLevel         Rule = Rule(tools.ByLevel)
	RuleDeniedTwice   Rule = "denied-twice"
	RuleAskedTooOften Rule = "asked-too-often"
	RuleSkill         Rule = "skill"   // the skills of the turn do not allow the tool
	RuleAltered       Rule = "altered" // the call differs from the approved one; see [CheckApproved]
)

// The rules by which a call asks, or is denied if nobody can be asked.
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
	RuleAddressNamed Rule = "address-named" // the owner gave the whole address
	RuleHostNamed    Rule = "host-named"    // the owner named the host
	RuleGranted      Rule = "granted"
	RuleHostAllowed  Rule = "host-allowed" // one of [Policy].Hosts
	RuleSearches     Rule = "searches"     // one of [Policy].Searches
	RuleLink         Rule = "link"         // a link of a fetched page
	RuleUntainted    Rule = "untainted"    // there is nothing to leak, and nobody who would cause a leak
	RuleToAsker      Rule = "to-asker"     // it goes only to the asking person
	RuleNamedHere    Rule = "named-here"   // it stays in the group, and the asking person named its target
	RulePersists     Rule = "persists"
	RuleOutside      Rule = "outside"
	RuleStory        Rule = "story"
)

// files has the texts about rules, and of questions, in each language.
//
//go:embed words
var files embed.FS

// Why returns a short reason why r asks or denies, for a model. It is "" for a rule that allows,
// and for an unknown one.
func (r Rule) Why() string { return r.why(phrases.In(files, "")) }

func (r Rule) why(w phrases.Words) string {
	text, _ := w.Find("why." + string(r))
	return text
}

func deny(r Rule) Ruling  { return Ruling{Verdict: Deny, Rule: r, Why: r.Why()} }
func allow(r Rule) Ruling { return Ruling{Verdict: Allow, Rule: r} }

// ask returns an Ask by a rule. grants would lift it; without grants nothing does.
func ask(r Rule, grants ...event.Grant) Ruling {
	return Ruling{Verdict: Ask, Rule: r, Why: r.Why(), Grants: grants}
}

// ForPerson tells a person, in their language, why their call is denied: by a rule, or by whoever
// was asked, as in [Ruling.Refusal].
func (r Ruling) ForPerson(lang, tool, by string) string {
	w, rule := phrases.In(files, lang), string(r.Rule)
	switch by {
	case "":
	case "nobody":
		return w.Text("refused.nobody", rule)
	default:
		return w.Text("refused.user", rule)
	}
	if r.Rule == RuleLevel { // a person without the right need not know the names of the tool and the rule
		return w.Text("refused.level")
	}
	why := r.Why
	if rest, ok := strings.CutPrefix(why, r.Rule.Why()); ok {
		why = r.Rule.why(w) + rest
	}
	return w.Text("refused", tool, why, rule)
}

// HowToAllow tells a person who lacks a right how to get it. It is "" for another rule, and for a
// person without a number.
func (r Ruling) HowToAllow(lang string, c tools.Caller) string {
	if _, err := strconv.ParseInt(c.User, 10, 64); err != nil || r.Rule != RuleLevel {
		return ""
	}
	return " " + phrases.In(files, lang).Text("refused.level.how", c.User)
}

// Refusal returns the result of a denied call, which names the rule. by is "" if a rule denied it,
// otherwise who did: "nobody" if nobody answered, "stop" if the turn was stopped meanwhile.
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
