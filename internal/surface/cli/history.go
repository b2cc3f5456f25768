package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"hob/internal/atomicfile"
)

const (
	maxHistory      = 1000
	maxHistoryEntry = 64 << 10 // bytes; longer ones are not kept
	maxHistoryFile  = 4 << 20  // bytes read from the end of a file
)

// History is what was typed before, newest last. On disk it is a file for its owner alone with an entry a line, oldest
// first; a backslash stands as \\ and a line end as \n. Several processes may add to one file: each entry is one
// append. A line that a crash has cut is an entry like any other.
type History struct {
	path    string // empty keeps nothing
	entries []string
	onDisk  int // entries in the file, about
}

// OpenHistory reads the file at path, where there is one. After an error the history works, and keeps nothing.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	if path == "" {
		return h, nil
	}
	raw, err := readTail(path, maxHistoryFile)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		h.path = ""
		return h, fmt.Errorf("read history: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		h.onDisk++
		if line != "" && len(line) <= 2*maxHistoryEntry {
			h.entries = append(h.entries, unescapeEntry(line))
		}
	}
	h.entries = h.entries[max(0, len(h.entries)-maxHistory):]
	if h.onDisk > maxHistory {
		return h, h.rewrite()
	}
	return h, nil
}

// Add keeps an entry, unless it is empty, too long, or the last one again. After an error the history goes on in memory
// only.
func (h *History) Add(entry string) (err error) {
	defer func() {
		if err != nil {
			h.path = ""
		}
	}()
	if strings.TrimSpace(entry) == "" || len(entry) > maxHistoryEntry {
		return nil
	}
	if n := len(h.entries); n > 0 && h.entries[n-1] == entry {
		return nil
	}
	h.entries = append(h.entries, entry)
	if len(h.entries) > maxHistory {
		h.entries = slices.Clone(h.entries[1:])
	}
	if h.path == "" {
		return nil
	}
	if h.onDisk >= 2*maxHistory {
		return h.rewrite()
	}
	h.onDisk++
	return h.append(escapeEntry(entry) + "\n")
}

// Entries returns the entries, oldest first.
func (h *History) Entries() []string { return slices.Clone(h.entries) }

func (h *History) append(line string) error {
	f, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("keep history: %w", err)
	}
	defer f.Close()
	if err := f.Chmod(0o600); err != nil {
		return fmt.Errorf("keep history: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			line = "\n" + line // a crash has cut the line before
		}
	}
	if _, err := f.WriteString(line); err != nil {
		return fmt.Errorf("keep history: %w", err)
	}
	return nil
}

// rewrite replaces the file by what is remembered. An entry that another process adds meanwhile may be lost.
func (h *History) rewrite() error {
	var b strings.Builder
	for _, e := range h.entries {
		b.WriteString(escapeEntry(e) + "\n")
	}
	if err := atomicfile.ReplaceText(h.path, 0o600, b.String()); err != nil {
		return fmt.Errorf("shorten history: %w", err)
	}
	h.onDisk = len(h.entries)
	return nil
}

// readTail reads at most n bytes from the end of the file, from the beginning of a line.
func readTail(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	from := max(0, info.Size()-n)
	raw, err := io.ReadAll(io.NewSectionReader(f, from, n))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	return raw, nil
}

func escapeEntry(s string) string {
	return strings.NewReplacer("\\", "\\\\", "\n", "\\n").Replace(s)
}

func unescapeEntry(s string) string {
	return strings.NewReplacer("\\\\", "\\", "\\n", "\n").Replace(s)
}
