package agent

import (
	"errors"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// Why the rest of a reply is cancelled: causes of the context of its request.
var (
	errRepeats  = errors.New("the model repeats itself")
	errDialogue = errors.New("the model goes on with another speaker's words")
	errUnwanted = errors.New("the stage wants no more of the reply")
)

// stream is a reply that arrives in pieces. It shows them, and decides when to cancel the rest.
type stream struct {
	turn    Turn
	emit    Emit
	wire    toolcall.Wire
	screen  *toolcall.Screen // keeps calls back
	got     reply
	text    tailGuard // of all text received
	thought tailGuard
	arrived string // the text that a stage may show: all that has arrived without calls
	stop    error  // why the rest of the reply was cancelled
}

func newStream(t Turn, emit Emit) *stream {
	s := &stream{turn: t, emit: emit, wire: toolcall.Wire{
		Mode: t.mode(), Strict: t.Profile.Has(llm.StrictPromotion), Loose: t.Profile.Has(llm.LooseThinking),
	}}
	s.begin()
	return s
}

// begin prepares the stream for the first piece.
func (s *stream) begin() {
	guard := tailGuard{off: wantsRepeats().MatchString(s.turn.personWords())}
	s.text, s.thought, s.screen = guard, guard, s.turn.state.offer.Screen(s.wire)
}

// add takes a piece and emits the part to show. It fails if emit does.
func (s *stream) add(d llm.Delta) error {
	if err := showStatus(d, s.emit); err != nil {
		return err
	}
	if d.Restart {
		s.begin()
		if err := s.takeBack(); err != nil {
			return err
		}
	}
	if d.Text+d.Thinking == "" {
		return nil
	}
	if text, thought := s.text.add(d.Text), s.thought.add(d.Thinking); text || thought {
		s.stop = errRepeats
	}
	text := s.screen.Add(d.Text)
	if s.screen.Restarted() { // the text shown so far turned out to be thinking
		if err := s.takeBack(); err != nil {
			return err
		}
	}
	if s.turn.Stage != nil {
		text = s.showByStage(text)
	}
	s.got.shown += text
	if s.stop == nil && strings.ContainsAny(text, ":：>") && s.turn.dialogueAt(s.got.shown) < len(s.got.shown) {
		s.stop = errDialogue
	}
	if text+d.Thinking == "" {
		return nil
	}
	return s.emit(event.Delta{Text: text, Thinking: d.Thinking})
}

// takeBack emits that the text shown so far is withdrawn, and forgets what has arrived.
func (s *stream) takeBack() error {
	s.arrived = ""
	return s.got.takeBack(s.emit)
}

// showByStage returns the text that the stage shows now, including what it held back before.
func (s *stream) showByStage(text string) string {
	s.arrived += text
	show := s.turn.state.rules.Show
	if show == nil || s.stop != nil {
		return ""
	}
	shown, goOn := show(s.arrived)
	if !goOn {
		s.stop = errUnwanted
	}
	text, _ = strings.CutPrefix(shown, s.got.shown)
	return text
}

// end reads the outcome of the request.
func (s *stream) end(res *llm.Reply, err error) reply {
	text := string(s.text.text)
	if s.stop == nil && llm.KindOf(err) == llm.Repeats && !s.text.off {
		s.stop = errRepeats
	}
	if s.stop != nil && err != nil { // hob itself cancelled it
		res, err = &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
	}
	s.got.read(&s.wire, res, err, text)
	if errors.Is(s.stop, errRepeats) {
		s.readUpToRepeats()
	} else {
		s.got.reading = s.turn.state.offer.Read(s.wire)
	}
	return s.got
}

// readUpToRepeats reads a reply that repeats itself, in its text or its thinking, up to the end of
// the first repeat. Calls before that count.
func (s *stream) readUpToRepeats() {
	s.wire.Message.Text, s.wire.Message.Thinking = s.text.cut(), s.thought.cut()
	r := s.turn.state.offer.Read(s.wire)
	if len(r.Calls) == 0 || r.Class != toolcall.Calls {
		r.Class, r.Calls = classRepeats, nil
	}
	s.got.reading = r
}

// showStatus emits that a request waits, or no longer waits.
func showStatus(d llm.Delta, emit Emit) error {
	switch {
	case d.Queue == llm.WaitOver:
		return emit(event.Requested{})
	case d.Status != "" && d.Wait.Passing:
		seconds := int(d.Wait.Time.Round(time.Second) / time.Second)
		return emit(event.Waiting{Ahead: d.Wait.Ahead, Seconds: seconds, Text: d.Status})
	case d.Status != "":
		return emit(event.Noted{Text: d.Status})
	}
	return nil
}
