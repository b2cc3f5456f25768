package session

import (
	"slices"
	"time"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// What is kept of a conversation for policy to look at.
const (
	maxPages = 20 // results that hold links
	maxAsks  = 50 // times of questions
)

// judged fills in what a call of the open turn is judged by: the join over all that the model was told, and what was said
// and read in this conversation.
func (tr *transcript) judged(p *policy.Call, now time.Time) {
	cur := tr.current()
	p.Caller.Label = cur.label
	p.Words = slices.Clone(tr.words)
	pages := slices.Clone(tr.pages)
	p.Seen = func(url string) bool {
		return slices.ContainsFunc(pages, func(r event.Returned) bool { return tools.LinksTo(r, url) })
	}
	for _, at := range tr.asks {
		if now.Sub(at) < time.Hour {
			p.Asked++
		}
	}
}

// unknown is the label of what nobody knows the origin of.
func unknown() event.Label {
	return event.Label{Untrusted: true, Private: true, Source: "an earlier conversation"}
}

// ownWords returns what the owner has said with an input: nothing that was forwarded or that somebody else wrote.
func ownWords(s event.Said) []string {
	if s.Level != event.Owner || s.Label.Untrusted {
		return nil
	}
	return []string{s.Text}
}

// question returns the newest question about a call.
func (t *turn) question(call string) (event.Asked, bool) {
	var newest event.Asked
	for _, q := range t.asked {
		if q.CallID == call && (newest.ID == "" || q.Expires.After(newest.Expires)) {
			newest = q
		}
	}
	return newest, newest.ID != ""
}

// stamp writes onto bodies of the open turn where what they say came from.
func (tr *transcript) stamp(bodies []event.Body) []event.Body {
	cur := tr.current()
	if cur == nil {
		return bodies
	}
	label := cur.label
	bodies = slices.Clone(bodies)
	for i, b := range bodies {
		switch b := b.(type) {
		case event.Called:
			b.Label = label
			bodies[i] = b
		case event.Returned:
			b.Label.Untrusted = b.Label.Untrusted || label.Untrusted // it may repeat what the call was made of
			bodies[i] = b
		case event.Noted:
			b.Label.Untrusted = label.Untrusted
			bodies[i] = b
		case event.Replied:
			b.Label = label
			bodies[i] = b
		case event.Compacted:
			b.Label, b.Session = label, tr.session
			bodies[i] = b
		}
	}
	return bodies
}
