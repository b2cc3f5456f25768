package ollamaserver

import (
	"strings"
	"sync"
)

// logTail is a writer that keeps the last bytes written to it.
type logTail struct {
	limit int
	mu    sync.Mutex
	kept  []byte
}

func (t *logTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > t.limit { // cut seldom, so that many small writes stay cheap
		t.kept = append([]byte(nil), t.kept[over:]...)
	}
	return len(p), nil
}

// String returns what is kept, at most limit bytes.
func (t *logTail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.limit):])
}

// lines returns the last n lines of what is kept.
func (t *logTail) lines(n int) string {
	all := strings.Split(strings.TrimRight(t.String(), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-n):], "\n")
}
