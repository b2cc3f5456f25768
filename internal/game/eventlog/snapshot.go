package eventlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"errors"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// A snapshot is its first line, the SHA-256 of all that follows, and a [saved] fold by encoding/gob.
const (
	snapshotIs = "hob game snapshot 3\n"
	// every is after how many lines a snapshot is made, at least. In a long log it is made after each further 64th of it, so that
	// the tree, which grows with the log, is not written again for little.
	every = 64
)

// saved is a fold as a snapshot has it.
type saved struct {
	Lines, Head    int64
	Hash           hash // of the last line
	ID, State      string
	Seed           [32]byte
	Counts, Labels map[string]int64
	Nodes          []node
	World          []byte // its state as JSON
}

// keepSnapshot makes a snapshot when it is time, if the log is a [SnapshotStorage]. That it could not be kept is no matter: the log has everything.
func (s *Log) keepSnapshot(ctx context.Context) {
	c, ok := s.fold.log.(SnapshotStorage)
	if !ok || s.fold.lines-s.snapshotted < max(every, s.fold.lines/every) {
		return
	}
	s.snapshotted = s.fold.lines
	if b, err := s.fold.snapshot(); err == nil {
		_ = c.KeepSnapshot(ctx, b)
	}
}

// snapshot returns what f is at the head.
func (f *fold) snapshot() ([]byte, error) {
	var body bytes.Buffer
	err := gob.NewEncoder(&body).Encode(saved{
		f.lines, f.head, f.hash, f.id, f.state, f.seed, f.counts, f.labels, f.nodes, f.world.AppendState(nil),
	})
	sum := sha256.Sum256(body.Bytes())
	return append(append([]byte(snapshotIs), sum[:]...), body.Bytes()...), err
}

var errSnapshot = errors.New("the snapshot is of no use")

// restore makes f what it was when the snapshot was made. The log must still have the line that the snapshot ends with.
func (f *fold) restore(ctx context.Context, b []byte) error {
	rest, ok := bytes.CutPrefix(b, []byte(snapshotIs))
	if !ok || len(rest) < sha256.Size {
		return errSnapshot
	}
	body := rest[sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return errSnapshot
	}
	s := saved{Counts: f.counts, Labels: f.labels}
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(&s); err != nil {
		return err
	}
	f.lines, f.head, f.hash, f.id, f.state, f.seed, f.nodes = s.Lines, s.Head, s.Hash, s.ID, s.State, s.Seed, s.Nodes
	f.counts, f.labels = rules.Counts(s.Counts), s.Labels
	if !isTree(f.nodes) || f.checkTurn(f.head) != nil {
		return errSnapshot
	}
	line, err := f.readLine(ctx, f.lines-1, f.head)
	if err != nil {
		return err
	}
	if _, own, _ := readHashes(line); string(own) != string(f.hash[:]) {
		return errSnapshot
	}
	if f.world, err = world.Scan(s.World).State(); err != nil {
		return err
	}
	f.at = f.head
	return f.checkHead(ctx)
}

// isTree reports whether each turn was played after one before it, so that every way leads to the beginning.
func isTree(nodes []node) bool {
	for turn, n := range nodes {
		if n.Visited < 0 || n.Visited >= int64(len(nodes)) || n.Parent < 0 || n.Parent >= max(1, int64(turn)) ||
			turn > 0 && n.Depth != nodes[n.Parent].Depth+1 {
			return false
		}
	}
	return len(nodes) > 0 && nodes[0].Depth == 0
}
