package outbound

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/phrases"
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
	calls     []toolCall
	note      string
	words     []byte
	wordsDone bool // the words are a whole reply of the model: the next begin another
	hasGap    bool // a part of the words may be missing, so they are not shown
	paused    bool // nobody works on the turn: hob is shutting down, or the journal cannot be followed

	began        time.Time // when the turn was seen to run
	since        time.Time // since when there is something to show: the delay of the first draft counts from here
	shown        preview   // what was shown last
	lastCallAt   time.Time // when the last call for a draft or a status message ended, also a failed one
	typedAt      time.Time
	status       int64 // the status message, 0 none
	statusFailed bool  // it was refused, or may be there with an id that nobody knows: no other is sent
}

// toolCall is one call of a tool.
type toolCall struct{ id, text string }

// fold takes an event in. o is the turn that runs, or will run next, and words are those of the chat.
func (l *liveTurn) fold(o *openTurn, e event.Event, now time.Time, words func() phrases.Words) {
	switch {
	case o == nil:
		*l = liveTurn{}
		return
	case l.turn != o.Seq:
		*l = liveTurn{turn: o.Seq, began: now}
	}
	if e.Turn != o.Seq {
		return
	}
	switch b := e.Body.(type) {
	case event.Delta:
		l.foldDelta(b)
	case event.Generated:
		l.wordsDone, l.hasGap = true, false
	case event.Called:
		l.calls = append(l.calls, toolCall{b.ID, strings.TrimSpace(display.Visible(b.Tool) + " " + mainArgument(b.Args))})
		l.note = ""
	case event.Returned:
		l.foldReturned(b, words)
	case event.Waiting:
		l.note = markup.Shorten(display.Visible(b.Text), maxNote)
	case event.Noted:
		l.note = markup.Shorten(display.Visible(b.Text), maxNote)
	case event.Paused:
		l.paused = true
	}
	if l.since.IsZero() && l.preview() != (preview{}) {
		l.since = now
	}
}

func (l *liveTurn) foldDelta(b event.Delta) {
	if b.Restart || l.wordsDone {
		l.words, l.wordsDone, l.hasGap = nil, false, l.hasGap && !b.Restart
	}
	if b.Text != "" {
		l.note = ""
	}
	if l.words = append(l.words, b.Text...); len(l.words) > 2*maxTextBytes { // the end is what is shown
		l.words = slices.Clone(l.words[len(l.words)-maxTextBytes:])
	}
}

func (l *liveTurn) foldReturned(b event.Returned, words func() phrases.Words) {
	l.note = ""
	if b.OK {
		return
	}
	i := slices.IndexFunc(l.calls, func(c toolCall) bool { return c.id == b.ID })
	if i < 0 {
		l.calls = append(l.calls, toolCall{b.ID, display.Visible(b.Tool)})
		i = len(l.calls) - 1
	}
	l.calls[i].text = words().Text("call.failed", l.calls[i].text, markup.Shorten(display.Visible(display.FirstLine(b.Problem())), maxReason))
}

// draftAt is when the next draft may be sent.
func (l *liveTurn) draftAt(view preview, pace time.Duration) time.Time {
	switch {
	case l.lastCallAt.IsZero() && len(view.line)+len(view.words) >= earlyBytes:
		return l.since.Add(earlyDraft)
	case l.lastCallAt.IsZero():
		return l.since.Add(firstDraft)
	case view != l.shown:
		return l.lastCallAt.Add(pace)
	}
	return l.lastCallAt.Add(freshDraft)
}

// preview is the live view at one moment.
type preview struct{ line, words string }

// preview returns the live view of now. Of words that are too long the beginning is left out.
func (l *liveTurn) preview() preview {
	view := preview{line: l.toolLine()}
	if !l.hasGap {
		view.words = lastPart(strings.TrimSpace(strings.ToValidUTF8(string(l.words), "")), maxPreview)
	}
	return view
}

// message renders a preview: a quiet line, and the words below it.
func (p preview) message() markup.Message {
	var m markup.Message
	if p.line != "" {
		m.Text = p.line
		m.Entities = []markup.Entity{{Type: markup.Italic, Length: markup.Len(p.line)}}
	}
	words := markup.Messages(p.words, messageUnits-markup.Len(p.line)-2)
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
func (l *liveTurn) toolLine() string {
	line, room := "", maxLine
	for i := len(l.calls) - 1; i >= 0; i-- {
		text := l.calls[i].text
		if room -= markup.Len(text); room < 0 && line != "" {
			line = "… · " + line
			break
		}
		if line != "" {
			text += " · "
		}
		line = text + line
	}
	return strings.TrimSpace(line + "\n" + l.note)
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
	text := ""
	for _, name := range []string{"path", "file", "command", "url", "query", "pattern", "to", "name"} {
		if json.Unmarshal(fields[name], &text) == nil && text != "" {
			return markup.Shorten(display.Visible(text), maxArg)
		}
	}
	for _, raw := range fields {
		if len(fields) == 1 && json.Unmarshal(raw, &text) == nil {
			return markup.Shorten(display.Visible(text), maxArg)
		}
	}
	return ""
}
