package session

import (
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools/fetch"
)

// Limits for the part of a conversation by which policy judges a call.
const (
	maxPages = 20 // fetched pages
	maxAsks  = 50 // times of questions
)

// fillPolicyCall fills in the facts by which policy judges a call of the open turn: the label of
// everything that the model has read, and the words and pages of the conversation.
func (tr *transcript) fillPolicyCall(p *policy.Call, now time.Time) {
	cur := tr.current()
	p.Caller.Label, p.Words = cur.label, slices.Clone(tr.words)
	if cur.isCommand() {
		// A person typed the arguments, or hob derived them from what was typed, so nothing that
		// the conversation read can be in them. Text that a tool takes from elsewhere, such as a
		// file or an earlier result, has its own label.
		p.Caller.Label, p.Words, p.Asks = labelOf(cur.input), ownerWords(cur.input), []string{cur.input.Text}
		p.Caller.Typed, p.Caller.Words = true, p.Words
	} else {
		p.Caller.Words = slices.Clone(tr.words)
		for _, s := range cur.inputs() {
			if s.Own != "" {
				p.Asks = append(p.Asks, s.Own)
			}
			p.Caller.Words = append(p.Caller.Words, senderWords(s)...)
		}
	}
	pages := slices.Clone(tr.pages)
	p.Seen = func(url string) bool {
		return slices.ContainsFunc(pages, func(r event.Returned) bool { return fetch.LinksTo(r, url) })
	}
	for _, at := range tr.asks {
		if now.Sub(at) < time.Hour {
			p.Asked++
		}
	}
}

// unknownLabel is the label of text of unknown origin.
func unknownLabel() event.Label {
	return event.Label{Untrusted: true, Private: true, Source: "an earlier conversation"}
}

// labelOf returns the label of an input.
func labelOf(s event.Said) event.Label {
	if s.Platform == "" { // from before hob kept labels: its turn may have read anything
		return s.Origin().Join(unknownLabel())
	}
	if !slices.ContainsFunc(s.Files, event.File.IsPicture) {
		return s.Origin()
	}
	return s.Origin().Join(event.BesideLabel()) // a picture may contain text
}

// cutLast cuts a text around the last occurrence of part: additions stand below the sender's own
// words.
func cutLast(text, part string) (before, after string, found bool) {
	i := strings.LastIndex(text, part)
	if i < 0 || part == "" {
		return text, "", false
	}
	return text[:i], text[i+len(part):], true
}

// senderWords returns the sender's own words in an input. In a group, whose text is untrusted, they
// are the part that the surface identified as the sender's.
func senderWords(s event.Said) []string {
	if s.Own != "" {
		return []string{s.Own}
	}
	return textParts(s)
}

// ownerWords returns the words of an input that count as the owner's in the whole conversation. An
// untrusted text has none, even if Own is set.
func ownerWords(s event.Said) []string {
	if s.Level != event.Owner {
		return nil
	}
	return textParts(s)
}

// textParts returns the text of an input without parts that others wrote. The text of a button does
// not count: in a story it may be a name that a stranger chose.
func textParts(s event.Said) []string {
	if s.Label.Untrusted || s.Pick != "" {
		return nil
	}
	words := []string{s.Text}
	// The text before an aside and the text after it stay separate, because joined they might name
	// something.
	for _, part := range s.Aside {
		for i, text := range words {
			if before, after, found := cutLast(text, part); found {
				words = slices.Replace(words, i, i+1, before, after)
				break
			}
		}
	}
	return words
}

// completeBodies adds the label of the open turn to bodies.
func (tr *transcript) completeBodies(bodies []event.Body) []event.Body {
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
			b.Label.Untrusted = b.Label.Untrusted || label.Untrusted // it may repeat the arguments of its call
			bodies[i] = b
		case event.Noted:
			if b.ID == "" { // a note with an ID belongs to no turn
				b.Label.Untrusted = label.Untrusted
				bodies[i] = b
			}
		case event.Replied:
			b.Label = label.Join(b.Label)
			bodies[i] = b
		case event.Compacted:
			b.Label, b.Session, b.Skills = label, tr.session, tr.openSkills()
			b.Lead, b.Beside = cur.drivingSkill, tr.otherConversations()
			bodies[i] = b
		}
	}
	return bodies
}
