package agent

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/llm/toolcall"
	"hob/internal/receipt"
	"hob/internal/tools"
)

// untrue says in short sentences what is not so of what text claims was done in this turn: nothing, where all of it may
// be. Each sentence is true by itself, whatever the text meant.
//
// What counts is what the tools report, and then the benefit of the doubt: a call that acted and reports nothing may have
// done anything, and so may a command that succeeded. One that failed was run, and that is all it was.
func (t Turn) untrue(text string) []string {
	if t.Usage.opaque() || !t.couldAct() {
		return nil
	}
	claims := toolcall.Claimed(text, t.Usage.looked())
	var all []string
	over := slices.ContainsFunc(claims, func(c toolcall.Claim) bool { return c.Kind == toolcall.ClaimDelete })
	admits := len(claims) > 0 && toolcall.Admits(text)
	for _, c := range claims {
		alone := !slices.ContainsFunc(claims, func(o toolcall.Claim) bool { return o.Sentence == c.Sentence && o.Kind != c.Kind })
		s := t.Usage.founds(c, alone, over, admits)
		if s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all[:min(len(all), maxLies)]
}

// Acts reports whether calls of a tool may do more than look, or send something: a person has to see that one was tried. It is
// what [receipt.New] asks for.
func Acts(t tools.Tool) bool {
	powers := tools.DefOf(t).Powers
	return !powers.Repeatable() || powers.Has(tools.Sends)
}

// maxLies is how many things an answer is told to be untrue in.
const maxLies = 3

// couldAct reports whether the turn has a tool that does more than look, or tried to call one.
func (t Turn) couldAct() bool {
	return len(t.Usage.started) > 0 || t.Usage.Denied > 0 || slices.ContainsFunc(t.callable(), func(tool tools.Tool) bool {
		return !tools.DefOf(tool).Powers.Repeatable()
	})
}

// markUntrue is text with a note on what in it is not so.
func (t Turn) markUntrue(text string) string {
	if lies := t.untrue(text); len(lies) > 0 {
		return text + "\n\n[hob: " + strings.Join(lies, "; ") + ".]"
	}
	return text
}

// reproach is what the model is told of what it claimed.
func (t Turn) reproach(lies []string) string {
	if len(t.Usage.started) == 0 && t.Usage.Denied == 0 {
		return "no tool has changed or sent anything in this turn."
	}
	return "that is not so: " + strings.Join(lies, "; ") + "."
}

// looked reports whether something was read in this turn.
func (s Usage) looked() bool {
	return slices.ContainsFunc(s.past, func(p past) bool { return p.ok && !p.acted })
}

// opaque reports whether something was done of which hob cannot say what it was.
func (s Usage) opaque() bool {
	return slices.ContainsFunc(s.past, func(p past) bool { return p.acted && p.ok && p.silent }) ||
		slices.ContainsFunc(s.effects, func(e event.Effect) bool { return didOf(e) == "" && !receipt.Failed(e) })
}

// didOf is the kind of claim that an effect founds by itself; "" where that cannot be said.
func didOf(e event.Effect) string {
	switch e.Kind {
	case "wrote", "edited":
		return toolcall.ClaimWrite
	case "deleted":
		return toolcall.ClaimDelete
	case "ran":
		return toolcall.ClaimRun
	case "sent", "fetched":
		return toolcall.ClaimSend // to ask for a page may be to send something
	case "stopped", "restored", "undid":
		return toolcall.ClaimChange
	}
	return ""
}

// founds says why a claim is not so, or "". Alone says that its sentence claims nothing else, over that the text says of
// something that it was deleted, and admits that it says of something that it failed.
func (s Usage) founds(c toolcall.Claim, alone, over, admits bool) string {
	var did, touched []string // what was done of that kind, and at all
	taken := ""
	for _, it := range receipt.Items(s.effects) {
		e, kind := it.Last, didOf(it.Last)
		if e.Kind == "ran" && mayBe(e, c, admits) {
			return ""
		}
		if receipt.Failed(e) || e.Kind == "ran" {
			continue
		}
		touched = append(touched, e.Target)
		back := it.Gone() && len(it.All) > 1 && c.Kind == toolcall.ClaimWrite
		switch {
		case back && (over || !alone), kind == c.Kind && c.Kind != toolcall.ClaimSend,
			c.Kind == toolcall.ClaimChange && (kind == toolcall.ClaimWrite || kind == toolcall.ClaimDelete),
			c.Kind == toolcall.ClaimDelete && kind == toolcall.ClaimWrite && !c.Whole:
			did = append(did, e.Target)
		case kind == c.Kind, c.Kind == toolcall.ClaimChange && e.Kind == "sent":
			return "" // to whom is no file
		case back:
			taken = e.Target
		}
	}
	switch missing := c.Names; {
	case len(did) == 0 && taken != "":
		return receipt.Quoted(taken) + " was written in this turn and taken back"
	case len(did) == 0:
		return s.nothing(c.Kind)
	case alone:
		if missing = without(missing, did); len(missing) == 0 {
			return ""
		}
		return notDone(c.Kind, missing) + " in this turn; " + wasDone(did)
	case len(missing) > 0 && len(without(missing, touched)) == len(missing):
		return notDone(c.Kind, missing) + " in this turn; " + wasDone(did)
	}
	return ""
}

// without returns the names that are of none of the targets.
func without(names, targets []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(targets, func(target string) bool { return named(name, target) })
	})
}

// mayBe reports whether a command may have done what is claimed.
func mayBe(e event.Effect, c toolcall.Claim, admits bool) bool {
	switch {
	case receipt.Killed(e) && c.Kind == toolcall.ClaimRun:
		return admits && !c.Well
	case receipt.Unfinished(e), receipt.Failed(e):
		return c.Kind == toolcall.ClaimRun && !c.Well || receipt.Failed(e) && changed(e.Detail, c.Kind)
	}
	return true
}

// changed reports whether a command that failed has left something of that kind behind.
func changed(detail, kind string) bool {
	_, left, _ := strings.Cut(detail, "; ")
	switch kind {
	case toolcall.ClaimWrite:
		return strings.Contains(left, "created") || strings.Contains(left, "changed")
	case toolcall.ClaimDelete:
		return strings.Contains(left, "deleted")
	case toolcall.ClaimChange:
		return left != ""
	}
	return false
}

// notDone says that something was not done to files.
func notDone(kind string, names []string) string {
	was := " was "
	if len(names) > 1 {
		was = " were "
	}
	switch kind {
	case toolcall.ClaimWrite:
		return "nothing was written to " + listed(names)
	case toolcall.ClaimDelete:
		return listed(names) + was + "not deleted"
	}
	return listed(names) + was + "not changed"
}

// wasDone says which it was done to.
func wasDone(did []string) string {
	switch len(did) {
	case 1:
		return listed(did) + " was"
	case 2, 3:
		return listed(did) + " were"
	}
	return fmt.Sprintf("%d others were", len(did))
}

// listed writes names as a list.
func listed(names []string) string {
	var all []string
	for _, name := range names[:min(len(names), maxListed)] {
		all = append(all, receipt.Quoted(name))
	}
	if more := len(names) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return all[0]
}

// maxListed is how many names a sentence has.
const maxListed = 3

// nothing says that nothing of a kind was done, and how what was tried ended.
func (s Usage) nothing(kind string) string {
	commands := 0
	for _, e := range s.effects {
		if e.Kind == "ran" {
			commands++
			if receipt.Unfinished(e) {
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
		toolcall.ClaimWrite: "nothing was written in this turn", toolcall.ClaimDelete: "nothing was deleted in this turn",
		toolcall.ClaimRun: "no command was run in this turn", toolcall.ClaimSend: "nothing was sent in this turn",
		toolcall.ClaimChange: "nothing was changed in this turn",
	}[kind]
	for _, p := range slices.Backward(s.past) {
		switch {
		case p.ok:
		case p.cut:
			return "the call of " + receipt.Quoted(p.tool) + " was cut short"
		case p.acted:
			return none + ": the call of " + receipt.Quoted(p.tool) + " failed"
		case p.by == byGate:
			return none + ": the call of " + receipt.Quoted(p.tool) + " was denied"
		}
	}
	return none
}

// named reports whether the name that a text uses is that of a target.
func named(name, target string) bool {
	name, target = strings.ToLower(path.Clean(name)), strings.ToLower(path.Clean(target))
	ends := func(longer, shorter string) bool {
		return strings.HasSuffix(longer, "/"+shorter) || strings.HasSuffix(longer, " "+shorter)
	}
	return name == target || ends(target, name) || ends(name, target)
}
