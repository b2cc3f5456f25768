package mcp

import (
	"errors"
	"fmt"

	"hob/internal/display"
	"hob/internal/untrusted"
)

// maxSaid is how many bytes of what a server writes to standard error are told.
const maxSaid = 300

// failure is what went wrong with a server, in one sentence.
type failure struct {
	server string
	what   string // a predicate, such as "did not start"
	err    error  // hob's own words, or an error of the SDK with the server's
	stderr string // the last that the server wrote to standard error
}

func (f *failure) plain() string {
	if f.err == nil {
		return f.what
	}
	if before, ok := f.err.(*failure); ok {
		return f.what + ": it " + before.plain()
	}
	return f.what + ": " + oneLine(f.err.Error(), maxSaid)
}

func (f *failure) Error() string {
	text, said := "the MCP server "+f.server+" "+f.plain(), f.stderr
	if before, ok := f.err.(*failure); ok {
		said = before.stderr
	}
	if said := oneLine(said, maxSaid); said != "" {
		text += " (it said: " + said + ")"
	}
	return text
}

func (f *failure) Unwrap() error { return f.err }

// hideServerWords is an error without words of the server's, where these count as a stranger's: nothing would say so of it.
func (c *Client) hideServerWords(err error) error {
	f := (*failure)(nil)
	if c.cfg.Rights.Trusted || !errors.As(err, &f) {
		return err
	}
	return f.withoutServerWords()
}

func (f *failure) withoutServerWords() *failure {
	own := &failure{server: f.server, what: f.what}
	switch err := f.err.(type) {
	case notice:
		if own.err = err; oneLine(f.stderr, maxSaid) != "" {
			own.err = noticef("%s (hob skill list has what it wrote)", err)
		}
	case *failure:
		own.err = err.withoutServerWords()
	}
	return own
}

// notice is a reason in hob's own words.
type notice string

func (n notice) Error() string { return string(n) }

func noticef(format string, args ...any) notice { return notice(fmt.Sprintf(format, args...)) }

// oneLine is text that a stranger wrote as one line of at most so many bytes, without what is not seen.
func oneLine(text string, most int) string {
	text, _ = untrusted.Plain(text)
	return display.TruncateBytes(display.Join(text), most)
}
