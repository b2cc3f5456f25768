package outbound

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/markup"
)

const (
	maxLine   = 600 // units in the line about tools
	maxArg    = 40  // units of an argument in that line
	maxReason = 120 // units of the reason for a failed call
	maxNote   = 200 // units of a note about the wait

	maxPreview = 2500 // units of the text so far
)

// liveTurn is the live view of the running turn: its tool calls, a note about the wait, and the
// text so far. It shows only what really happened.
type liveTurn struct {
	turn      int64 // 0: no turn runs
	calls     []toolCall
	note      string
	words     []byte
	wordsDone bool // the text is a complete reply of the model; the next delta begins another
	hasGap    bool // a part of the text may be missing, so it is not shown
	paused    bool // the turn makes no progress: hob is shutting down, or the journal cannot be followed

	began        time.Time // when the turn was first seen running
	since        time.Time // since when there is something to show, for the delay of the first draft
	shown        preview   // the preview shown last
	lastCallAt   time.Time // when the last call for a draft or a status message ended, even if it failed
	typedAt      time.Time
	status       int64 // the status message, or 0
	statusFailed bool  // it was refused, or its id is unknown: no other is sent
}

// toolCall is one call of a tool.
type toolCall struct{ id, text string }

// fold folds in an event. o is the running turn, or the next one, and words are the texts in the
// chat's language.
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
		l.note = waitText(words(), b)
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
	if l.words = append(l.words, b.Text...); len(l.words) > 2*maxTextBytes { // only the end is shown
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

// waitText says how long a request waits for the model.
func waitText(w phrases.Words, b event.Waiting) string {
	switch {
	case b.Ahead == 0:
		return w.Text("waits.model")
	case b.Seconds == 0:
		return w.Text("waits", strconv.Itoa(b.Ahead))
	}
	return w.Text("waits.time", strconv.Itoa(b.Ahead), display.Duration(time.Duration(b.Seconds)*time.Second))
}

// draftAt returns when the next draft may be sent.
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

// preview returns the present live view. It drops the beginning of a text that is too long.
func (l *liveTurn) preview() preview {
	view := preview{line: l.toolLine()}
	if !l.hasGap {
		view.words = lastPart(strings.TrimSpace(strings.ToValidUTF8(string(l.words), "")), maxPreview)
	}
	return view
}

// message renders a preview: a quiet line with the text below it.
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

// toolLine describes in one line the tool calls and the wait. Of many calls it keeps the last.
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

// lastPart returns the end of a text in at most so many units, beginning at a line if one begins in
// its first half.
func lastPart(text string, limit int) string {
	over := markup.Len(text) - limit
	if over <= 0 {
		return text
	}
	end := text[len(markup.Cut(text, over+2)):] // do not cut within a character
	if i := strings.IndexByte(end, '\n'); 0 <= i && i < len(end)/2 {
		end = end[i+1:]
	}
	return "…" + end
}

// mainArgument returns the most telling argument of a call, shortened.
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
