package outbound

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/surface/telegram/markup"
)

const (
	maxLine   = 600 // units of the line about tools
	maxArg    = 40  // units of an argument in it
	maxReason = 120 // units of the reason why a call failed
	maxNote   = 200 // units of what hob says of the wait

	maxPreview = 2500 // units of the words so far
)

// liveTurn is the live view of the running turn: its calls of tools, a note about the wait, and the words so
// far. It shows nothing that did not happen.
type liveTurn struct {
	turn      int64 // 0: nothing runs
	calls     []liveCall
	note      string
	words     []byte
	replyOver bool // the words are a whole reply of the model: the next begin another
	hasGap    bool // a part of the words may be missing, so they are not shown
	paused    bool // nobody works on the turn: hob is shutting down, or the journal cannot be followed

	began        time.Time // when the turn was seen to run
	since        time.Time // when there was something to show first
	shown        preview   // what was shown last
	sentAt       time.Time // when
	typedAt      time.Time
	status       int64 // the status message, 0 none
	statusFailed bool  // it was refused, or may be there with an id that nobody knows: no other is sent
}

// liveCall is one call of a tool.
type liveCall struct{ id, text string }

// fold takes an event in. o is the turn that runs, or will run next.
func (s *liveTurn) fold(o *openTurn, e event.Event, now time.Time) {
	switch {
	case o == nil:
		*s = liveTurn{}
		return
	case s.turn != o.seq:
		*s = liveTurn{turn: o.seq, began: now}
	}
	if e.Turn != o.seq {
		return
	}
	switch b := e.Body.(type) {
	case event.Delta:
		s.foldDelta(b)
	case event.Generated:
		s.replyOver, s.hasGap = true, false
	case event.Called:
		s.calls = append(s.calls, liveCall{b.ID, strings.TrimSpace(display.Visible(b.Tool) + " " + mainArgument(b.Args))})
		s.note = ""
	case event.Returned:
		s.foldReturned(b)
	case event.Waiting:
		s.note = markup.Shorten(display.Visible(b.Text), maxNote)
	case event.Noted:
		s.note = markup.Shorten(display.Visible(b.Text), maxNote)
	case event.Paused:
		s.paused = true
	}
	if s.since.IsZero() && s.preview() != (preview{}) {
		s.since = now
	}
}

func (s *liveTurn) foldDelta(b event.Delta) {
	if b.Restart || s.replyOver {
		s.words, s.replyOver, s.hasGap = nil, false, s.hasGap && !b.Restart
	}
	if b.Text != "" {
		s.note = ""
	}
	if s.words = append(s.words, b.Text...); len(s.words) > 2*maxTextBytes { // the end is what is shown
		s.words = slices.Clone(s.words[len(s.words)-maxTextBytes:])
	}
}

func (s *liveTurn) foldReturned(b event.Returned) {
	s.note = ""
	if b.OK {
		return
	}
	reason := b.Text
	if b.Error != nil && b.Error.Message != "" {
		reason = b.Error.Message
	}
	failed := ": failed, " + markup.Shorten(display.Visible(display.FirstLine(reason)), maxReason)
	i := slices.IndexFunc(s.calls, func(c liveCall) bool { return c.id == b.ID })
	if i < 0 {
		s.calls = append(s.calls, liveCall{b.ID, display.Visible(b.Tool)})
		i = len(s.calls) - 1
	}
	s.calls[i].text += failed
}

// draftAt is when the next draft may be sent.
func (s *liveTurn) draftAt(g preview, pace time.Duration) time.Time {
	switch {
	case s.sentAt.IsZero() && len(g.line)+len(g.words) >= earlyBytes:
		return s.since.Add(earlyDraft)
	case s.sentAt.IsZero():
		return s.since.Add(firstDraft)
	case g != s.shown:
		return s.sentAt.Add(pace)
	}
	return s.sentAt.Add(freshDraft)
}

// preview is the live view at one moment.
type preview struct{ line, words string }

// preview returns the live view of now. Of words that are too long the beginning is left out.
func (s *liveTurn) preview() preview {
	g := preview{line: s.toolLine()}
	if !s.hasGap {
		g.words = lastPart(strings.TrimSpace(strings.ToValidUTF8(string(s.words), "")), maxPreview)
	}
	return g
}

// message renders a preview: a quiet line, and the words below it.
func (g preview) message() markup.Message {
	var m markup.Message
	if g.line != "" {
		m.Text = g.line
		m.Entities = []markup.Entity{{Type: markup.Italic, Length: markup.Len(g.line)}}
	}
	words := markup.Messages(g.words, messageUnits-markup.Len(g.line)-2)
	if len(words) == 0 {
		return m
	}
	last := words[len(words)-1]
	if m.Text != "" {
		m.Text += "\n\n"
	}
	from := markup.Len(m.Text)
	for _, e := range last.Entities[:min(len(last.Entities), markup.MaxEntities-1)] {
		e.Offset += from
		m.Entities = append(m.Entities, e)
	}
	m.Text += last.Text
	return m
}

// toolLine is what tools did and hob says, in one line each. Of many calls it has the last.
func (s *liveTurn) toolLine() string {
	line, room := "", maxLine
	for i := len(s.calls) - 1; i >= 0; i-- {
		text := s.calls[i].text
		if room -= markup.Len(text); room < 0 && line != "" {
			line = "… · " + line
			break
		}
		if line != "" {
			text += " · "
		}
		line = text + line
	}
	return strings.TrimSpace(line + "\n" + s.note)
}

// lastPart is the end of a text in at most so many units, from where a line begins if one begins in its first half.
func lastPart(text string, limit int) string {
	over := markup.Len(text) - limit
	if over <= 0 {
		return text
	}
	end := text[len(markup.Cut(text, over+2)):] // a character is not cut through
	if i := strings.IndexByte(end, '\n'); 0 <= i && i < len(end)/2 {
		end = end[i+1:]
	}
	return "…" + end
}

// mainArgument is the argument that tells most of a call, shortened.
func mainArgument(args json.RawMessage) string {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(args, &fields) != nil {
		return ""
	}
	for _, name := range []string{"path", "file", "command", "url", "query", "pattern", "to", "name"} {
		text := ""
		if json.Unmarshal(fields[name], &text) == nil && text != "" {
			return markup.Shorten(display.Visible(text), maxArg)
		}
	}
	if len(fields) == 1 {
		for _, raw := range fields {
			text := ""
			if json.Unmarshal(raw, &text) == nil {
				return markup.Shorten(display.Visible(text), maxArg)
			}
		}
	}
	return ""
}
