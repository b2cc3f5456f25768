package agent

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"hob/internal/agent/claims"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/receipt"
	"hob/internal/tools"
)

// maxLies limits how many untrue claims a nudge names.
const maxLies = 3

// findUntrue checks what text claims about this turn, and returns a short sentence for each untrue
// claim. Each sentence is true by itself, whatever the text meant. The reports of the tools decide.
// In doubt the claim stands: a call that acted without a report may have done anything, and so may
// a command that succeeded. A failed call has only run.
func (t Turn) findUntrue(text string) []string {
	if t.Progress.isOpaque() || !t.couldAct() || !t.Progress.mayRefute(text) {
		return nil
	}
	found := claims.Find(text, t.Progress.hasReadAny())
	var all []string
	for _, c := range found {
		in := claim{Claim: c, alone: true, admits: claims.Admits(text)}
		for _, other := range found {
			in.alone = in.alone && (other.Sentence != c.Sentence || other.Kind == c.Kind)
			in.deletes = in.deletes || other.Kind == claims.Delete
		}
		if s := t.Progress.refute(in); s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all[:min(len(all), maxLies)]
}

// mayRefute reports whether text could hold an untrue claim. It judges each candidate without its
// context, so it misses none.
func (s Progress) mayRefute(text string) bool {
	for c := range claims.Candidates(text) {
		if s.refute(claim{Claim: c, alone: true}) != "" {
			return true
		}
	}
	return false
}

// claim is one claim of a text, with related statements of the text.
type claim struct {
	claims.Claim
	alone   bool // its sentence has no claim of another kind
	deletes bool // the text claims that something was deleted
	admits  bool // the text admits a failure
}

// couldAct reports whether the turn has, or tried to call, a tool that does more than read.
func (t Turn) couldAct() bool {
	acts := func(tool tools.Tool) bool { return !tools.DefOf(tool).Capabilities.Repeatable() }
	return len(t.Progress.started) > 0 || t.Progress.Denied > 0 || slices.ContainsFunc(t.callableTools(), acts)
}

// joinNothing merges the sentences that say that nothing was done: "nothing was written or sent in
// this turn".
func joinNothing(sentences []string) []string {
	const begin, end = "nothing was ", " in this turn"
	var verbs, others []string
	for _, s := range sentences {
		verb, begins := strings.CutPrefix(s, begin)
		if verb, ends := strings.CutSuffix(verb, end); begins && ends && !strings.Contains(verb, " ") {
			verbs = append(verbs, verb)
		} else {
			others = append(others, s)
		}
	}
	if len(verbs) == 0 {
		return others
	}
	return append([]string{begin + strings.Join(verbs, " or ") + end}, others...)
}

// hasReadAny reports whether something was read in this turn.
func (s Progress) hasReadAny() bool {
	return slices.ContainsFunc(s.answered, func(p callRecord) bool { return p.ok && !p.acted })
}

// isOpaque reports whether the turn did something without a report.
func (s Progress) isOpaque() bool {
	return slices.ContainsFunc(s.answered, func(p callRecord) bool { return p.acted && p.ok && p.silent }) ||
		slices.ContainsFunc(s.effects, func(e event.Effect) bool { return claimOf(e) == "" && !receipt.IsFailed(e) })
}

// claimOf returns the kind of claim that an effect proves, or "" if that is unknown.
func claimOf(e event.Effect) string {
	switch e.Kind {
	case "wrote", "edited", "made":
		return claims.Write
	case "deleted":
		return claims.Delete
	case "ran":
		return claims.RunCommand
	case "sent", "fetched":
		return claims.Send // a page request may be a submission
	case "stopped", "restored", "undid", "moved", "copied":
		return claims.Change
	case "reminder":
		return claims.Later
	}
	return ""
}

// refute returns why a claim is untrue, or "".
func (s Progress) refute(c claim) string {
	var did, touched []string // targets of matching actions, and of all actions
	undone := ""              // target of a write that was taken back
	for _, it := range receipt.Items(s.effects) {
		e, kind := it.Last, claimOf(it.Last)
		if e.Kind == "ran" && mayBeDone(e, c) {
			return ""
		}
		if receipt.IsFailed(e) || e.Kind == "ran" {
			continue
		}
		if kind == claims.Later { // "I have set a reminder" uses the verbs for files
			if c.Kind != claims.Delete && len(c.Names) == 0 {
				return ""
			}
			continue
		}
		touched = append(touched, e.Target)
		if e.Kind == "moved" || e.Kind == "copied" { // a move proves three claims: a write at Target, a deletion at From, and a change of both
			touched = append(touched, e.From)
			if c.Kind == claims.Write || c.Kind == claims.Delete && e.Kind == "moved" || c.Kind == claims.Change {
				did = append(did, e.Target, e.From)
			}
			continue
		}
		takenBack := c.Kind == claims.Write && it.IsGone() && len(it.All) > 1
		switch {
		case isClaimed(c, kind), takenBack && (c.deletes || !c.alone): // the text admits both
			did = append(did, e.Target)
		case kind == c.Kind, c.Kind == claims.Change && e.Kind == "sent":
			return "" // something was sent, and the names in the text are files
		case takenBack:
			undone = e.Target
		}
	}
	switch missing := c.Names; {
	case len(did) == 0 && undone != "":
		return receipt.Quote(undone) + " was written in this turn and taken back"
	case len(did) == 0:
		return s.sayNothingDone(c.Kind)
	case c.alone:
		if missing = dropNames(missing, did); len(missing) == 0 {
			return ""
		}
		return sayNotDone(c.Kind, missing) + " in this turn; " + sayDone(did)
	case len(missing) > 0 && len(dropNames(missing, touched)) == len(missing):
		return sayNotDone(c.Kind, missing) + " in this turn; " + sayDone(did)
	}
	return ""
}

// isClaimed reports whether an effect that proves claims of this kind proves c for its target.
func isClaimed(c claim, kind string) bool {
	switch c.Kind {
	case claims.Send:
		return false // the target is no file
	case claims.Change:
		return kind == claims.Change || kind == claims.Write || kind == claims.Delete
	case claims.Delete:
		return kind == claims.Delete || kind == claims.Write && !c.Whole
	}
	return kind == c.Kind
}

// dropNames returns the names that match none of the targets.
func dropNames(names, targets []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(targets, func(target string) bool { return isNamed(name, target) })
	})
}

// mayBeDone reports whether a command may have done what c claims.
func mayBeDone(e event.Effect, c claim) bool {
	switch {
	case receipt.IsKilled(e) && c.Kind == claims.RunCommand:
		return c.admits && !c.Well
	case receipt.IsUnfinished(e), receipt.IsFailed(e):
		return c.Kind == claims.RunCommand && !c.Well || receipt.IsFailed(e) && leftChange(e.Detail, c.Kind)
	}
	return true
}

// leftChange reports whether a failed command left a change of that kind behind.
func leftChange(detail, kind string) bool {
	_, left, _ := strings.Cut(detail, "; ")
	switch kind {
	case claims.Write:
		return strings.Contains(left, "created") || strings.Contains(left, "changed")
	case claims.Delete:
		return strings.Contains(left, "deleted")
	case claims.Change:
		return left != ""
	}
	return false
}

// sayNotDone says that something was not done to files.
func sayNotDone(kind string, names []string) string {
	was := " was "
	if len(names) > 1 {
		was = " were "
	}
	switch kind {
	case claims.Write:
		return "nothing was written to " + listNames(names)
	case claims.Delete:
		return listNames(names) + was + "not deleted"
	}
	return listNames(names) + was + "not changed"
}

// sayDone lists the files to which something was done.
func sayDone(did []string) string {
	switch len(did) {
	case 1:
		return listNames(did) + " was"
	case 2, 3:
		return listNames(did) + " were"
	}
	return fmt.Sprintf("%d others were", len(did))
}

// maxListed limits the names in a sentence.
const maxListed = 3

// listNames writes names as a list.
func listNames(names []string) string {
	all := lists.Map(names[:min(len(names), maxListed)], receipt.Quote)
	if more := len(names) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return all[0]
}

// sayNothingDone says that nothing of a kind was done, and how the attempts failed.
func (s Progress) sayNothingDone(kind string) string {
	commands := 0
	for _, e := range s.effects {
		if e.Kind == "ran" {
			commands++
			if receipt.IsUnfinished(e) {
				return "the command in the background had not ended"
			}
		}
	}
	if commands == 1 {
		return "the command failed"
	} else if commands > 1 {
		return "the commands failed"
	}
	none := map[string]string{
		claims.Write:      "nothing was written in this turn",
		claims.Delete:     "nothing was deleted in this turn",
		claims.RunCommand: "no command was run in this turn",
		claims.Send:       "nothing was sent in this turn",
		claims.Change:     "nothing was changed in this turn",
		claims.Later:      "nothing was scheduled in this turn",
	}[kind]
	for _, p := range slices.Backward(s.answered) {
		switch {
		case p.ok:
		case p.outcomeUnknown:
			return "the call of " + receipt.Quote(p.tool) + " was cut short"
		case p.acted:
			return none + ": the call of " + receipt.Quote(p.tool) + " failed"
		case p.by == byGate:
			return none + ": the call of " + receipt.Quote(p.tool) + " was denied"
		}
	}
	return none
}

// isNamed reports whether name, as a text uses it, means target.
func isNamed(name, target string) bool {
	name, target = strings.ToLower(path.Clean(name)), strings.ToLower(path.Clean(target))
	ends := func(longer, shorter string) bool {
		return strings.HasSuffix(longer, "/"+shorter) || strings.HasSuffix(longer, " "+shorter)
	}
	return name == target || ends(target, name) || ends(name, target)
}
