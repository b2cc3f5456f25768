package session

import (
	"slices"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools/fetch"
)

// What is kept of a conversation for policy to look at.
const (
	maxPages = 20 // results that hold links
	maxAsks  = 50 // times of questions
)

// fillJudged fills in what a call of the open turn is judged by: the join over all that the model was told, and what was said
// and read in this conversation.
func (tr *transcript) fillJudged(p *policy.Call, now time.Time) {
	cur := tr.current()
	p.Caller.Label, p.Words = cur.label, slices.Clone(tr.words)
	if cur.said.Command {
		// A person has typed it, to the last letter: nothing of what the conversation has read can be in its arguments. What a
		// tool takes from elsewhere, such as a file or an earlier result, has its own label.
		p.Caller.Label, p.Words, p.Asks = labelOf(cur.said), ownerWords(cur.said), []string{cur.said.Text}
	} else {
		for _, s := range append([]event.Said{cur.said}, cur.joined...) {
			if s.Own != "" {
				p.Asks = append(p.Asks, s.Own)
			}
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

// unknownLabel is the label of what nobody knows the origin of.
func unknownLabel() event.Label {
	return event.Label{Untrusted: true, Private: true, Source: "an earlier conversation"}
}

// labelOf is where what somebody says comes from.
func labelOf(s event.Said) event.Label {
	if s.Platform == "" { // from before labels were kept: what it led to may come from anywhere
		return s.Origin().Join(unknownLabel())
	}
	if !slices.ContainsFunc(s.Files, event.File.Pictured) {
		return s.Origin()
	}
	return s.Origin().Join(event.Beside()) // a picture can hold words, too
}

// cleanAsides goes over the parts of an input that others chose. It returns the text with them as a model may read them.
func (c *chat) cleanAsides(in Input) (text string, aside []string) {
	text = in.Text
	for _, part := range in.Aside {
		clean, _ := c.cfg.Sanitizer.Said(part, event.Label{Untrusted: true})
		before, after, found := cutLast(text, part)
		if found {
			text = before + clean + after
			aside = append(aside, clean)
		}
	}
	return text, aside
}

// cleanAttachments returns the attachments of an input as a model may read them.
func (c *chat) cleanAttachments(in Input) []event.Attachment {
	all := slices.Clone(in.Attachments)
	for i, a := range all {
		all[i].Text, all[i].Fence = c.cfg.Sanitizer.Said(a.Text, a.Label)
		all[i].Label = c.cfg.Sanitizer.Label(a.Label)
	}
	return all
}

// cutLast cuts a text around the last place where part stands: what comes with somebody's words stands below them.
func cutLast(text, part string) (before, after string, found bool) {
	i := strings.LastIndex(text, part)
	if i < 0 || part == "" {
		return text, "", false
	}
	return text[:i], text[i+len(part):], true
}

// ownerWords returns what the owner has said with an input: nothing that was forwarded or that somebody else wrote, nor what stood on a
// button: in a story that may be the name of something that a stranger made.
func ownerWords(s event.Said) []string {
	if s.Level != event.Owner || s.Label.Untrusted || s.Pick != "" {
		return nil
	}
	words := []string{s.Text}
	for _, part := range s.Aside { // what stands before and behind it are words apart: together they could name something
		for i, text := range words {
			if before, after, found := cutLast(text, part); found {
				words = slices.Replace(words, i, i+1, before, after)
				break
			}
		}
	}
	return words
}

// newestQuestion returns the newest question about a call.
func (t *turn) newestQuestion(call string) (event.Asked, bool) {
	var newest event.Asked
	for _, q := range t.asked {
		if q.CallID == call && (newest.ID == "" || q.Expires.After(newest.Expires)) {
			newest = q
		}
	}
	return newest, newest.ID != ""
}

// labelBodies writes onto bodies of the open turn where what they say came from.
func (tr *transcript) labelBodies(bodies []event.Body) []event.Body {
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
			b.Label = label.Join(b.Label)
			bodies[i] = b
		case event.Compacted:
			b.Label, b.Session, b.Skills = label, tr.session, tr.openSkills()
			b.Lead, b.Beside = cur.driver, tr.otherConversations()
			bodies[i] = b
		}
	}
	return bodies
}
