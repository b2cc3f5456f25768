package receipt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
)

// The kinds of effects that a line has words of its own for. Any other is told as it is.
const (
	wrote   = "wrote"
	edited  = "edited"
	deleted = "deleted"
	moved   = "moved"
	copied  = "copied"
	ran     = "ran"
	stopped = "stopped"
	fetched = "fetched"
	played  = "played" // a turn of a story: what its calls did is one thing

	restored = "restored" // the content from before
	undid    = "undid"    // likewise
)

// Item is what the effects on one target come to: all on one file, or the same command, request or message again.
type Item struct {
	Last event.Effect   // of All
	All  []event.Effect // in their order
}

// Items puts effects together that are on the same target, in the order of the first of each.
func Items(effects []event.Effect) []Item {
	var all []Item
	for _, e := range effects {
		i := slices.IndexFunc(all, func(it Item) bool { return isSame(it.Last, e) })
		if i < 0 {
			all = append(all, Item{})
			i = len(all) - 1
		}
		all[i].All = append(all[i].All, e)
		all[i].Last = e
	}
	return all
}

// isSame reports whether a receipt shows two effects as one.
func isSame(a, b event.Effect) bool {
	if isOfFile(a) && isOfFile(b) {
		return cmp.Or(a.Path, a.Target) == cmp.Or(b.Path, b.Target)
	}
	if a.Kind == played && b.Kind == played {
		return a.Target == b.Target && a.Failed == b.Failed
	}
	return a.Kind == b.Kind && a.Target == b.Target && a.Status == b.Status && a.Failed == b.Failed && note(a) == note(b)
}

// isOfFile reports whether an effect is on a file, which the next one on it may undo. One that failed is told by itself.
func isOfFile(e event.Effect) bool {
	switch e.Kind {
	case wrote, edited, deleted, moved, copied, restored, undid:
		return !e.Failed
	}
	return false
}

// IsFailed reports whether an effect did not come to what it was for. A command without a status says it in words.
func IsFailed(e event.Effect) bool {
	if e.Failed || e.Status != 0 && e.Kind == ran || e.Status >= 400 && e.Kind == fetched {
		return true
	}
	verdict := verdictOf(e)
	return e.Kind == ran && (strings.HasPrefix(verdict, "killed") || strings.HasPrefix(verdict, "ended by") || statusOf(e) > 0) ||
		e.Kind == fetched && statusOf(e) >= 400
}

// IsKilled reports whether an effect is a command that did not come to an end of its own.
func IsKilled(e event.Effect) bool { return e.Kind == ran && IsFailed(e) && statusOf(e) <= 0 }

// IsUnfinished reports whether an effect is a command that was started and left to run.
func IsUnfinished(e event.Effect) bool {
	numbered := strings.HasPrefix(e.Detail, "process ") || strings.HasPrefix(e.Detail, "job ") // old journals have the latter
	return e.Kind == ran && (numbered || strings.HasPrefix(e.Detail, inBackground+"running"))
}

// IsGone reports whether what was written is no longer there: a later effect took it back.
func (it Item) IsGone() bool {
	return isOfFile(it.Last) && it.Last.Kind != wrote && it.Last.Kind != edited && it.Last.Kind != moved && it.Last.Kind != copied
}

// inBackground begins the detail of a command that ended soon after it was put there, exited what a command's end is.
const (
	inBackground = "in the background: "
	exited       = "exit status "
)

// verdictOf is how a command ended, in the words of the tool.
func verdictOf(e event.Effect) string {
	verdict, _, _ := strings.Cut(strings.TrimPrefix(e.Detail, inBackground), "; ")
	return verdict
}

// statusOf is the status of a command or of a request: its own, or that in the words of the tool. 0 is none.
func statusOf(e event.Effect) int {
	if e.Status != 0 || e.Kind != ran && e.Kind != fetched {
		return e.Status
	}
	digits := e.Detail
	if e.Kind == ran {
		rest, ok := strings.CutPrefix(verdictOf(e), exited)
		if !ok {
			return 0
		}
		digits = rest
	}
	digits, _, _ = strings.Cut(digits, ",")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// note is what a receipt says of an effect beside its target and its status.
func note(e event.Effect) string {
	switch e.Kind {
	case ran:
		if IsUnfinished(e) {
			return strings.TrimPrefix(e.Detail, inBackground)
		}
		verdict := verdictOf(e)
		_, changed, _ := strings.Cut(e.Detail, "; ")
		if verdict == exited+strconv.Itoa(statusOf(e)) || !IsFailed(e) {
			verdict = ""
		}
		return strings.Trim(verdict+"; "+changed, "; ")
	case fetched:
		rest := strings.TrimPrefix(strings.TrimPrefix(e.Detail, strconv.Itoa(statusOf(e))), ", ")
		if _, ok := bytesIn(rest); ok {
			return ""
		}
		return rest
	case wrote, edited, deleted, moved, copied:
		if n, ok := bytesIn(e.Detail); ok && e.Bytes == 0 && e.Sum == "" {
			return display.Bytes(n)
		}
		if e.Bytes > 0 || e.Sum != "" {
			return display.Bytes(e.Bytes)
		}
	}
	return e.Detail
}

// bytesIn reads the size at the beginning of a tool's words, such as "312 bytes" or "5 bytes appended".
func bytesIn(detail string) (int64, bool) {
	digits, rest, _ := strings.Cut(detail, " ")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && strings.HasPrefix(rest, "byte")
}

// text is the item's part of the line, with the numbers for taking it back. now says what has changed since.
func (it Item) text(v voice, now string) string { return it.words(v, now) + it.numbers() }

// mostNumbers is how many numbers of changes an item has, the last ones.
const mostNumbers = 3

// numbers are those of the changes that the item came to, the oldest first.
func (it Item) numbers() (text string) {
	var all []int64
	for _, e := range it.All {
		if e.Change != 0 && !slices.Contains(all, e.Change) {
			all = append(all, e.Change)
		}
	}
	if len(all) > mostNumbers {
		text, all = " …", all[len(all)-mostNumbers:]
	}
	for _, n := range all {
		text += " #" + strconv.FormatInt(n, 10)
	}
	return text
}

// words is the item's part of the line without its numbers.
func (it Item) words(v voice, now string) string {
	e := it.Last
	now = showWords(now)
	often := ""
	if !isOfFile(e) && e.Kind != played {
		often = v.times(len(it.All))
	}
	status := ""
	if n := statusOf(e); n > 0 {
		status = strconv.Itoa(n)
	}
	note := showWords(v.detail(note(e)))
	target := quoteTarget(e.Target, e.Kind == ran || e.Kind == stopped)
	switch {
	case e.Kind == played && !e.Failed:
		return strings.ReplaceAll(showWords(e.Target), `\u{b7}`, "·") // a line of its own, made of such parts
	case e.Kind == ran && IsFailed(e) && v.named:
		return v.Text("command.named", target) + inBrackets(status, note, often, now)
	case e.Kind == ran && IsFailed(e):
		return v.Text("command") + inBrackets(status, note, often, now)
	case IsUnfinished(e):
		return v.Text("background", target) + inBrackets(note, often, now)
	case e.Kind == ran, e.Kind == stopped:
		return v.Text("did."+e.Kind, target) + inBrackets(note, often, now)
	case it.came().From != "" && isOfFile(e):
		key := it.came().Kind
		if e.Kind != key {
			key += "." + e.Kind
		}
		return v.Text(key, quoteTarget(it.came().From, false), target) + inBrackets(note, now)
	case e.Failed && e.Kind != fetched:
		return v.failed(e.Kind, target) + inBrackets(status, note, often, now)
	}
	return it.did(v, target) + inBrackets(status, note, often, now)
}

// came returns the effect by which the file was moved or copied to where it is; an empty one where it was not.
func (it Item) came() event.Effect {
	for _, e := range slices.Backward(it.All) {
		if e.Kind == moved || e.Kind == copied {
			return e
		}
	}
	return event.Effect{}
}

// did is what was done to the target: what came last, and before it what that took back.
func (it Item) did(v voice, target string) string {
	for _, e := range slices.Backward(it.All) {
		if it.IsGone() && (e.Kind == wrote || e.Kind == edited) {
			return v.Text(e.Kind+"."+it.Last.Kind, target)
		}
	}
	return v.did(it.Last.Kind, target)
}

// rank is the less, the more a person must see it.
func (it Item) rank() int {
	switch kind := it.Last.Kind; {
	case IsFailed(it.Last):
		return 0
	case kind == fetched:
		return 4
	case kind == wrote, kind == edited, kind == moved, kind == copied:
		return 3
	case kind == ran, kind == stopped:
		return 2
	}
	return 1
}

// Outside says in a few words what an effect did that no undo takes back: it left the machine, or a program did it. "" is nothing.
func Outside(e event.Effect) string {
	switch {
	case isOfFile(e) || e.Kind == played || e.Change != 0 && e.Kind != ran:
		return ""
	case e.Kind == ran:
		return "whatever " + quoteTarget(e.Target, true) + " did elsewhere"
	}
	return name(e.Kind) + " " + quoteTarget(e.Target, false)
}
