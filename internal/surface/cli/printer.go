package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/lists"
	"hob/internal/session"
)

// Look says what a [Printer] prints to.
type Look struct {
	Colour        bool
	Width, Height int            // of the terminal; a width of 0 is a pipe
	Live          bool           // show replies while they are written; needs a terminal
	Said          bool           // show what was said, too: for a chat that is not this terminal's own
	Fold          int            // lines of a tool's output that are shown at once; 0: all
	Alone         bool           // nobody can be asked: no question waits
	Zone          *time.Location // in which it says when a question expires; nil: who is asked here and now need not know
	Lang          string         // in which hob speaks until the chat has another, such as "de"
}

// Printer shows the events of a chat to a person. One goroutine uses it.
type Printer struct {
	w      io.Writer
	look   Look
	canvas *terminalCanvas // nil unless w is a terminal whose size it has to know
	stream *Stream         // nil unless Live

	streamed strings.Builder // the reply being written, or the last one
	complete bool            // it is complete; the next delta begins another
	open     bool            // some of it waits in stream
	called   string          // the call on the last line
	folded   string          // what was left out of the last output
	replied  string          // the last reply
	noted    string          // the note that was shown last, if nothing was shown since

	voice

	commands map[int64]bool           // turns that are one call of a person: its result is the reply, and shown once
	direct   map[int64]event.Returned // results of the calls that a person made, until their turns reply
	skills   map[skillIn]bool         // that are open, as far as was printed
	denials  map[int64]string         // the calls that nobody could allow, by turn: their results and the ends of the turns say no more
}

// skillIn is a skill in a chat.
type skillIn struct {
	chat  event.Chat
	skill string
}

// NewPrinter returns a printer to w, which may be a [Canvas].
func NewPrinter(w io.Writer, look Look) *Printer {
	p := &Printer{w: w, look: look, voice: voice{lang: look.Lang, sentences: intents.Default()}, commands: map[int64]bool{}, direct: map[int64]event.Returned{}, skills: map[skillIn]bool{}, denials: map[int64]string{}}
	if !look.Live || look.Width <= 0 || look.Height <= 0 {
		return p
	}
	canvas, ok := w.(Canvas)
	if !ok {
		p.canvas = &terminalCanvas{w: w, height: look.Height}
		canvas = p.canvas
	}
	p.stream = NewStream(canvas, look.Width, look.Colour)
	return p
}

// Resize tells the terminal's new size.
func (p *Printer) Resize(width, height int) {
	p.look.Width, p.look.Height = width, height
	if p.stream != nil && width > 0 && height > 0 {
		p.stream.Resize(width)
	}
	if p.canvas != nil && height > 0 {
		p.canvas.Resize(height)
	}
}

// Event shows e.
func (p *Printer) Event(e event.Event) error {
	switch b := e.Body.(type) {
	case event.Delta:
		if b.Restart { // the reply is void: a later one does not continue the part on the screen
			err := p.flush()
			if p.streamed.Reset(); err != nil {
				return err
			}
		}
		return p.delta(b.Text)
	case event.Generated:
		p.complete = true
		return nil
	case event.Waiting:
		e.Body = event.Noted{Text: b.Text} // which it looks like
	}
	p.Know(e)
	if r, ok := e.Body.(event.Replied); ok {
		if err := p.goOn(strings.TrimSuffix(r.Text, r.Receipt)); err != nil {
			return err
		}
	}
	text := p.render(e)
	switch e.Body.(type) {
	case event.Said, event.Called, event.Replied, event.Ended:
		p.complete = true // what was streamed is settled
	}
	if text == "" && !p.complete {
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	if text == "" || text == p.noted {
		return nil
	}
	p.noted = ""
	if note, ok := e.Body.(event.Noted); ok && !note.Loud {
		p.noted = text
	}
	_, err := io.WriteString(p.w, text)
	return p.wrapError(err)
}

func (p *Printer) delta(text string) error {
	if p.stream == nil || text == "" {
		return nil
	}
	if p.complete {
		if err := p.flush(); err != nil {
			return err
		}
		p.streamed.Reset()
		p.complete = false
	}
	p.streamed.WriteString(text)
	p.open, p.noted = true, ""
	return p.wrapError(p.stream.Write(text))
}

// flush ends what is being streamed, so that something else can be printed.
func (p *Printer) flush() error {
	if !p.open {
		return nil
	}
	p.open = false
	return p.wrapError(p.stream.Flush())
}

// goOn streams the end of a reply whose beginning still waits in the stream: the end was held back while it was written, and may
// stand in the same block.
func (p *Printer) goOn(reply string) error {
	seen := strings.TrimLeft(p.streamed.String(), " \n")
	rest, goesOn := strings.CutPrefix(strings.TrimLeft(reply, " \n"), seen)
	if !p.open || !goesOn || rest == "" || strings.HasPrefix(rest, "\n\n") { // hob's own additions are blocks of their own
		return nil
	}
	p.streamed.WriteString(rest)
	return p.wrapError(p.stream.Write(rest))
}

// unseen returns the part of a reply that is not on the screen yet: all of it or, after streaming, the reason that hob added.
func (p *Printer) unseen(reply string) string {
	reply = strings.TrimSpace(reply)
	if seen := strings.TrimSpace(p.streamed.String()); seen != "" {
		reply = strings.TrimSpace(strings.TrimPrefix(reply, seen))
	}
	return reply
}

func (p *Printer) wrapError(err error) error {
	if err != nil {
		return fmt.Errorf("show event: %w", err)
	}
	return nil
}

// render returns the lines of an event; each ends with a line end.
func (p *Printer) render(e event.Event) string {
	switch b := e.Body.(type) {
	case event.Said:
		if p.look.Said {
			return p.renderInput(b)
		}
	case event.Called:
		if p.commands[e.Turn] {
			return "" // it stands there, as it was typed
		}
		return p.renderCall(b)
	case event.Asked:
		return p.renderQuestion(b)
	case event.Decided:
		if !b.Allow && p.look.Alone {
			p.denials[e.Turn] = b.CallID
		}
		return p.renderDecision(b)
	case event.Returned:
		return p.renderReturned(e.Turn, b)
	case event.Opened, event.Closed:
		return p.renderSkill(e)
	case event.Noted:
		if b.Loud {
			return p.renderCalling(b)
		}
		return p.renderText("·", display.OneLine(b.Text), dim)
	case event.Unreadable:
		return p.renderText("✗", p.unreadable(e.Seq, b), red)
	case event.Joined:
		return p.renderText("·", p.Text("joined"), dim)
	case event.Replied:
		p.replied = b.Text
		text, said := "", strings.TrimSuffix(b.Text, b.Receipt)
		if r, ok := p.direct[e.Turn]; ok && resultText(said) == resultText(r.Text) {
			return p.renderDirect(r, b) + p.renderExtras(b)
		}
		if p.commands[e.Turn] || b.Literal {
			text = p.literal(said)
		} else if rest := p.unseen(said); rest != "" {
			text = Markdown(rest, p.look.Width, p.look.Colour)
		}
		if b.Receipt != "" {
			text += p.renderReceipt(b.Receipt)
		}
		return text + p.renderExtras(b)
	case event.Ended:
		return p.renderEnd(e.Turn, b)
	}
	return ""
}

// renderReturned returns the lines of a result. Those of a person's own call come with the reply.
func (p *Printer) renderReturned(turn int64, b event.Returned) string {
	if p.commands[turn] || session.IsDirect(turn, b) {
		p.called = ""
		p.direct[turn] = b // the reply says it
		if p.look.Width == 0 {
			return p.renderHint(b) // to a pipe the reply goes elsewhere
		}
		return ""
	}
	if b.By == "gate" && p.denials[turn] == b.ID {
		return ""
	}
	return p.renderResult(b)
}

// renderEnd returns the line of the end of a turn whose reply does not say why it was cut short.
func (p *Printer) renderEnd(turn int64, b event.Ended) string {
	delete(p.commands, turn)
	delete(p.direct, turn)
	_, denied := p.denials[turn]
	delete(p.denials, turn)
	if denied && b.Reason == event.Denied {
		return ""
	}
	if sentence := p.endSentence(b.Reason); sentence != "" && !p.saysWhy(b.Reason) {
		return p.renderText("✗", sentence, red)
	}
	return ""
}

// renderDirect returns the lines of a reply that is the result of a person's own call. What result and receipt both say stands
// there once.
func (p *Printer) renderDirect(r event.Returned, b event.Replied) string {
	switch {
	case !r.OK:
		text := p.renderText("✗", display.Clean(resultText(r.Text)), red)
		if p.look.Width > 0 {
			text += p.renderHint(r)
		}
		if len(r.Effects) > 0 { // else the receipt says no more than that it failed
			text += p.renderReceipt(b.Receipt)
		}
		return text
	case b.Receipt == "":
		return p.literal(r.Text)
	case isReceipt(r):
		return p.renderReceipt(b.Receipt)
	}
	return p.literal(r.Text) + p.renderReceipt(b.Receipt)
}

// resultText is the text of a result without the mark that a failure has for models.
func resultText(text string) string { return strings.TrimPrefix(strings.TrimSpace(text), "error: ") }

// isReceipt reports whether the text of a result says no more than the receipt does: a line about its one file.
func isReceipt(r event.Returned) bool {
	text := strings.TrimSpace(r.Text)
	return len(r.Effects) == 1 && r.Effects[0].Path != "" && !strings.Contains(text, "\n") && strings.Contains(text, r.Effects[0].Target)
}

// renderReceipt returns the lines of a receipt, which are the runtime's own: it is what was done, whatever the model says.
func (p *Printer) renderReceipt(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(display.Clean(strings.TrimSpace(text)), "\n") {
		b.WriteString(p.renderText("■", line, bold))
	}
	return b.String()
}

// renderLine returns one of hob's own lines, cut to the terminal's width.
func (p *Printer) renderLine(mark, text string, st style) string {
	return p.paint(truncate(mark+" "+text, p.look.Width), st) + "\n"
}

// renderText is renderLine for what is read as a whole: it is wrapped, not cut.
func (p *Printer) renderText(mark, text string, st style) string {
	lines := lists.Map(strings.Split(Wrap(mark+" "+text, p.look.Width), "\n"), func(line string) string { return p.paint(line, st) })
	return strings.Join(lines, "\n") + "\n"
}

func (p *Printer) paint(text string, st style) string {
	return paint([]cell{{text, 0, st}}, p.look.Colour)
}

// renderBlock returns text of several lines, each behind a bar. None is cut.
func (p *Printer) renderBlock(text string) string {
	b := &strings.Builder{}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		width := p.look.Width
		if width > 0 {
			width = max(width-4, 8)
		}
		for _, piece := range foldPainted(line, width) { // not at words: it must be read to the letter
			b.WriteString(p.paint("  │ ", dim) + piece + "\n")
		}
	}
	return b.String()
}

func (p *Printer) renderInput(b event.Said) string {
	from := p.Text("you")
	if b.From != "" {
		from = display.OneLine(b.From)
	}
	return p.renderLine("›", from, bold) + p.renderBlock(display.Clean(b.TextWithAttachments()))
}

func (p *Printer) renderResult(b event.Returned) string {
	who := ""
	if b.ID != p.called {
		who = display.OneLine(b.Tool) + ": "
	}
	p.called = ""
	if b.By == "cache" {
		return p.renderText("·", who+p.Text("repeated"), dim)
	}
	if !b.OK {
		return p.renderText("✗", who+display.OneLine(p.translate(b.Tool, firstLine(b.Problem()))), red) + p.renderHint(b)
	}
	return p.renderLine(markOf(b.Effects), who+p.outcome(b, who == "")+" · "+duration(time.Duration(b.DurationMS)*time.Millisecond), dim)
}

func firstLine(s string) string {
	line, _, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more {
		line += " …"
	}
	return line
}

// saysWhy reports whether the last reply contains the reason why the turn was cut short, in hob's own words.
func (p *Printer) saysWhy(r event.Reason) bool {
	says := func(words string) bool { return strings.Contains(p.replied, p.translate(intents.HobsOwn, words)) }
	switch r {
	case event.Looped:
		return says("I made the same steps again and again, and stopped. Ask in other words, or in smaller steps.")
	case event.OverBudget:
		return says("I used up the budget of this turn before I was done. Ask me to go on.") ||
			says("I ran out of time for this turn. Ask me to go on, or raise [agent] max_time.")
	}
	return false
}

func (p *Printer) endSentence(r event.Reason) string {
	switch r {
	case event.Done, event.Stopped, event.NoModel, event.Broken:
		return "" // there, the reply itself is hob's own and says so
	case event.Denied, event.OverBudget, event.Looped:
		return p.Text("ended." + string(r))
	}
	return p.Text("ended", display.OneLine(string(r)))
}
