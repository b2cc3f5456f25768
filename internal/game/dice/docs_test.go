package dice_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"hob/internal/game/dice"
)

// blocks returns the code blocks of docs/dice.md in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/dice.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	_, rest, more := strings.Cut(string(text), "\n```"+language+"\n")
	for more {
		var block string
		if block, rest, more = strings.Cut(rest, "\n```\n"); !more {
			t.Fatalf("a block of %s has no end", language)
		}
		found = append(found, block)
		_, rest, more = strings.Cut(rest, "\n```"+language+"\n")
	}
	if len(found) == 0 {
		t.Fatalf("docs/dice.md has no block of %s", language)
	}
	return found
}

// The document's examples are what hob says.
func TestDocs_Examples(t *testing.T) {
	rows := 0
	for _, block := range blocks(t, "dice") {
		for line := range strings.Lines(block) {
			rows++
			row := strings.Split(line, "|")
			if len(row) != 3 {
				t.Fatalf("%q is no example", line)
			}
			expr, want := strings.TrimSpace(row[0]), strings.TrimSpace(row[2])
			var faces []int
			for word := range strings.FieldsSeq(row[1]) {
				var face int
				if _, err := fmt.Sscan(word, &face); err != nil {
					t.Fatal(err)
				}
				faces = append(faces, face)
			}
			src := dice.Replay(faces)
			if _, got := outcome(expr, src); got != want || src.Left() != 0 {
				t.Errorf("%s with %v is %s, and %d faces are left; docs/dice.md says %s", expr, faces, got, src.Left(), want)
			}
		}
	}
	if rows < 20 {
		t.Errorf("docs/dice.md has %d examples: were they found?", rows)
	}
}

// Whoever recomputes dice by the document gets those of hob.
func TestDocs_Fair(t *testing.T) {
	seed := sha256.Sum256([]byte("tuesday"))
	src := dice.Fair(seed, 0, 0)
	var faces []string
	for range 8 {
		face, err := src.Face(6)
		if err != nil {
			t.Fatal(err)
		}
		faces = append(faces, fmt.Sprint(face))
	}
	seal := sha256.Sum256(seed[:])
	want := hex.EncodeToString(seal[:]) + "\n[" + strings.Join(faces, ", ") + "]"
	if said := blocks(t, "text")[0]; said != want {
		t.Errorf("docs/dice.md says\n%s\nand it is\n%s", said, want)
	}
	if console := blocks(t, "console")[0]; !strings.Contains(console, "8d6 ("+strings.Join(faces, ", ")+") = ") {
		t.Errorf("docs/dice.md rolls other dice of that seed than %v", faces)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	out, err := exec.CommandContext(t.Context(), python, "-c", blocks(t, "python")[0]).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("its program says\n%s\nand it is\n%s (%v)", got, want, err)
	}
}
