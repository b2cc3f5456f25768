package secret

import (
	"io"
	"sync"
)

// Stream redacts a text that comes in pieces. What it returns, put together, is what [Redactor.Redact] makes of the whole,
// however the text was cut.
type Stream struct {
	keeper *Redactor
	held   string // may be the beginning of a secret
}

// Stream returns a new stream.
func (k *Redactor) Stream() *Stream { return &Stream{keeper: k} }

// Add takes the next piece and returns what may be shown by now. It holds back no more than what could still be a secret.
func (s *Stream) Add(text string) string {
	if s.keeper == nil || len(s.keeper.spellings) == 0 {
		return text
	}
	out, held := s.keeper.redact(s.held+text, false)
	s.held = held
	return out
}

// Rest returns what was held back: the text has ended. The stream is new again.
func (s *Stream) Rest() string {
	out := s.keeper.Redact(s.held)
	s.held = ""
	return out
}

// Writer redacts what is written to another writer, such as a log. Several goroutines may use it.
//
// A secret that comes in several writes is found too. So the end of a text that could be the beginning of a secret waits for
// the next Write, or for Flush; a line that ends in \n waits for neither, for no secret begins so.
type Writer struct {
	mu     sync.Mutex
	to     io.Writer
	stream *Stream
}

// Writer returns a writer to w.
func (k *Redactor) Writer(w io.Writer) *Writer { return &Writer{to: w, stream: k.Stream()} }

// Write implements [io.Writer]. Its errors are those of the writer below; all of p was taken then, or none.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.pass(w.stream.Add(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what was held back, as what it is: more of it would not be recognized.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pass(w.stream.Rest())
}

// Close is Flush; it leaves the writer below open.
func (w *Writer) Close() error { return w.Flush() }

func (w *Writer) pass(text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(w.to, text)
	return err
}
