package live

import (
	"os"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// keysTimeout is how long the rest of a key is waited for. What a key sends may arrive in pieces over a slow line, and the first of
// them, an escape, is a key, too. bubbletea waits 50 ms, which is less than a line to another continent needs. It is less than the
// 500 ms that bubbletea waits for a read to end.
const keysTimeout = 300 * time.Millisecond

// keyboard reads whole keys of a terminal: no sequence and no character is cut in two, unless its rest does not come.
type keyboard struct {
	*os.File

	held []byte                                      // the beginning of a key that the last read had no room for
	more func(f *os.File, within time.Duration) bool // waits for more to read, and reports whether there is
}

func newKeyboard(f *os.File, more func(*os.File, time.Duration) bool) *keyboard {
	if more == nil {
		more = canRead
	}
	return &keyboard{File: f, more: more}
}

// Read implements [io.Reader].
func (k *keyboard) Read(p []byte) (int, error) {
	n := copy(p, k.held)
	k.held = k.held[n:]
	for {
		m, err := k.File.Read(p[n:])
		n += m
		cut := cutKey(p[:n])
		switch {
		case err != nil && n > 0:
			return n, nil // the next read says it again
		case err != nil || cut == n:
			return n, err
		case n == len(p) && cut > 0:
			k.held = append(k.held, p[cut:]...)
			return cut, nil
		case n == len(p) || !k.more(k.File, keysTimeout):
			return n, nil
		}
	}
}

// canRead waits until a file has more to read, and reports whether it has.
func canRead(f *os.File, within time.Duration) bool {
	for end := time.Now().Add(within); ; {
		left := max(time.Until(end), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if err != unix.EINTR {
			return n > 0
		}
	}
}

// cutKey returns where in what a terminal has sent a key begins that has not ended, or the length.
func cutKey(sent []byte) int {
	for i := 0; i < len(sent); {
		n := keyLen(sent[i:])
		if n == 0 {
			return i
		}
		i += n
	}
	return len(sent)
}

const esc = 0x1b

// keyLen returns how many bytes the first key of sent has, or 0 if it has not ended.
func keyLen(sent []byte) int {
	if sent[0] != esc {
		if !utf8.FullRune(sent) {
			return 0
		}
		_, n := utf8.DecodeRune(sent)
		return n
	}
	if len(sent) == 1 {
		return 0
	}
	switch sent[1] {
	case '[':
		return sequenceLen(sent)
	case 'O', 'N': // SS3 and SS2: one character
		if len(sent) == 2 {
			return 0
		}
		return 3
	case ']', 'P', '_', '^', 'X':
		return answerLen(sent)
	}
	n := keyLen(sent[1:]) // Alt with a character, or with a sequence, as rxvt sends it
	if n == 0 {
		return 0
	}
	return n + 1
}

// sequenceLen is keyLen of a control sequence (CSI).
func sequenceLen(sent []byte) int {
	from := len("\x1b[")
	if len(sent) > from && sent[from] == '[' { // F1 to F5 of the Linux console
		from++
	}
	for i, c := range sent[from:] {
		switch {
		case c >= '@' && c <= '~':
			return from + i + 1
		case c < ' ':
			return from + i // broken off
		}
	}
	return 0
}

// answerLen is keyLen of what a terminal answers when it is asked something: it ends with BEL or ST.
func answerLen(sent []byte) int {
	from := len("\x1b]")
	for i, c := range sent[from:] {
		at := from + i
		switch {
		case c == '\a':
			return at + 1
		case c == esc && at+1 == len(sent):
			return 0
		case c == esc && sent[at+1] == '\\':
			return at + 2
		case c == esc:
			return at // broken off
		}
	}
	return 0
}
