package eventlog

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Load reads a campaign from its log, with the help of a snapshot where the log is a [SnapshotStorage] and has one. What is damaged is a
// [*DamagedError], which names the turn; what a snapshot stands for is looked at when it is used, and by [Log.Verify].
func Load(ctx context.Context, log Storage, opt Options) (*Log, error) {
	if err := opt.check("load"); err != nil {
		return nil, err
	}
	if c, ok := log.(SnapshotStorage); ok {
		if b, err := c.Snapshot(ctx); err == nil && len(b) > 0 {
			f := newFold(log)
			restored := f.restore(ctx, b)
			cached := f.lines
			if restored == nil && f.foldRest(ctx) == nil {
				s := &Log{opt: opt, fold: f, snapshotted: cached}
				s.keepSnapshot(ctx)
				return s, nil
			}
		}
	}
	f := newFold(log)
	if err := f.foldRest(ctx); err != nil {
		return nil, err
	}
	s := &Log{opt: opt, fold: f}
	s.keepSnapshot(ctx)
	return s, nil
}

// foldRest folds the rest of the log, and looks that the state is the one that it should be.
func (f *fold) foldRest(ctx context.Context) error {
	for b, err := range f.log.Lines(ctx, f.lines) {
		if err == nil {
			err = f.foldLine(ctx, b)
		}
		if err != nil {
			return err
		}
	}
	if f.lines == 0 {
		return ErrEmpty
	}
	if err := f.checkHead(ctx); err != nil {
		if saysWhy(err) {
			return err
		}
		return f.damagedAt(f.head, f.lines-1, err)
	}
	return nil
}

// Export writes the log as it is: JSON Lines.
func (s *Log) Export(ctx context.Context, w io.Writer) error { return Export(ctx, s.fold.log, w) }

// Export writes a log as it is: JSON Lines.
func Export(ctx context.Context, log Storage, w io.Writer) error {
	for b, err := range log.Lines(ctx, 0) {
		if err != nil {
			return err
		}
		if _, err := w.Write(append(b[:len(b):len(b)], '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Import reads an export into an empty log, as it is. Everything is looked at before anything is written: the chain, the fold,
// the state after each line. What is damaged or torn is refused with a [*DamagedError], which names the turn.
func Import(ctx context.Context, r io.Reader, log Storage, opt Options) (*Log, error) {
	s, _, err := importLines(ctx, r, log, opt, false)
	return s, err
}

// Recover is [Import] of a file whose writing was broken off: a last line that is not whole is cut away. It returns how many
// bytes that were. It is [ErrEmpty] where not even the beginning is whole.
func Recover(ctx context.Context, r io.Reader, log Storage, opt Options) (s *Log, cut int, err error) {
	return importLines(ctx, r, log, opt, true)
}

func importLines(ctx context.Context, r io.Reader, log Storage, opt Options, torn bool) (*Log, int, error) {
	if err := opt.check("import"); err != nil {
		return nil, 0, err
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	file := NewMemoryStorage()
	cut := file.appendLines(b)
	rest := b[len(b)-cut:]
	if _, _, ok := readHashes(rest); ok && torn { // only its newline is missing
		file.lines, cut = append(file.lines, rest), 0
	}
	f := newFold(file)
	var requests []string
	f.watch = func(e *entry) { requests = append(requests, e.part.Request) }
	err = f.foldRest(ctx)
	switch {
	case err == nil && cut > 0 && !torn, errors.Is(err, ErrEmpty) && cut > 0 && !torn:
		return nil, 0, f.damagedNext(rest, "it is not whole")
	case err != nil:
		return nil, 0, err
	}
	for i, l := range file.lines {
		if err := log.Append(ctx, int64(i), l, requests[i]); err != nil {
			return nil, 0, err
		}
	}
	f.log, f.watch = log, nil
	s := &Log{opt: opt, fold: f}
	s.keepSnapshot(ctx)
	return s, cut, nil
}

// appendLines finds the lines of a file. It returns how many bytes stand after the last newline.
func (m *MemoryStorage) appendLines(b []byte) int {
	for line := range bytes.Lines(b) {
		whole, ok := bytes.CutSuffix(line, []byte("\n"))
		if !ok {
			return len(line)
		}
		m.lines = append(m.lines, whole)
	}
	return 0
}
