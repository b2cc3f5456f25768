package toolcall

import (
	"strings"
	"unicode/utf8"

	"hob/internal/llm"
)

// Screen says of a reply that is still being written what of it may be shown: never thoughts, and nothing that may still
// become a part of a call or of a control token. All that was shown together is the beginning of what [Offer.Read] makes
// of the complete reply, wherever it was split. A Screen is for one goroutine.
type Screen struct {
	thoughts  thoughts
	scan      *scan
	mute      bool
	loose     bool
	voids     int
	size      int // of the text when it was last read
	shown     int
	restarted bool
}

// Screen returns the screen for a reply to what w holds of the question: User, Mode, Strict and Loose.
func (o *Offer) Screen(w Wire) *Screen {
	return &Screen{scan: newScan(o), mute: w.Mode == llm.SchemaMode, loose: w.Loose}
}

// Add takes more of the reply's text and returns what may be shown now.
func (s *Screen) Add(text string) string {
	if s.mute {
		return ""
	}
	s.thoughts.add(text, false)
	if s.voids != s.thoughts.voids {
		s.restarted = s.restarted || s.shown > 0
		s.voids, s.shown, s.size, s.loose = s.thoughts.voids, 0, 0, false
		s.scan = newScan(s.scan.offer)
	}
	said := s.thoughts.text.String()
	// What is long undecided is looked at again when it has grown by an eighth: the time stays in proportion to the text.
	const short = 256
	if held := s.size - s.scan.at; s.loose || held > short && len(said)-s.size < held/8 {
		return ""
	}
	s.size = len(said)
	if len(s.scan.candidates) > 0 {
		return ""
	}
	s.scan.grow(said, false)
	s.scan.run()
	decided := said[:min(s.scan.at, s.scan.begun())]
	for range utf8.UTFMax - 1 { // not half a letter
		if r, n := utf8.DecodeLastRuneInString(decided); r == utf8.RuneError && n == 1 {
			decided = decided[:len(decided)-1]
		}
	}
	decided = trim(decided)
	if len(decided) <= s.shown {
		return ""
	}
	more := decided[s.shown:]
	s.shown = len(decided)
	return strings.Clone(more)
}

// Restarted reports once that all that was shown before the last Add is void: it turned out to be thoughts.
func (s *Screen) Restarted() bool {
	was := s.restarted
	s.restarted = false
	return was
}
