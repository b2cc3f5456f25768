package campaigns

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/atomicfile"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/proof"
	"hob/internal/game/tales"
)

// TaleFolder is the path of the owner's folder of tales.
type TaleFolder string

// Tale is a tale and its faults, for people.
type Tale struct {
	Tale     string   `json:"tale"`
	Own      bool     `json:"own"` // in the folder, not part of hob
	Title    string   `json:"title"`
	Langs    []string `json:"langs"`
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	// Written has the lines that a model wrote.
	Written []tales.Written `json:"written,omitempty"`
	// Wordless are the moments for which it has no words of its own, as FILE: KEY = (what for). Only [TaleFolder.Check] looks for them.
	Wordless []string `json:"wordless,omitempty"`
	// Proof is how it can be won. Only [TaleFolder.Check] looks for it, in a tale without mistakes.
	Proof *proof.Result `json:"proof,omitempty"`
}

// TaleList is all tales. Problems are those of files that belong to no tale.
type TaleList struct {
	Folder   TaleFolder `json:"folder"`
	Problems []string   `json:"problems"`
	Tales    []Tale     `json:"tales"`
}

// List returns hob's tales and those of the folder.
func (f TaleFolder) List() TaleList {
	own, stray := f.library().Own()
	list := TaleList{Folder: f, Problems: withPaths(string(f), stray), Tales: []Tale{}}
	for _, t := range tales.All() {
		list.Tales = append(list.Tales, newTale(t, []string{}))
	}
	for _, t := range own {
		list.Tales = append(list.Tales, newTale(t, withPaths(string(f), t.Problems())))
	}
	return list
}

func (f TaleFolder) library() tales.Library {
	return tales.NewLibrary(os.DirFS(string(f))).WithProver(proof.NewProver())
}

func newTale(t tales.Tale, problems []string) Tale {
	return Tale{Tale: t.ID, Own: t.Own(), Title: t.Title("en"), Langs: t.Langs(), OK: len(problems) == 0, Problems: problems, Written: t.Written()}
}

// withPaths returns problems with the paths of their files.
func withPaths(dir string, problems []tales.Problem) []string {
	all := []string{}
	for _, p := range problems {
		if p.File != "" {
			p.File = filepath.Join(dir, p.File)
		}
		all = append(all, p.String())
	}
	return all
}

// Check reads all files of a tale and returns all its faults, or how it can be won. named is its id or one of its files.
func (f TaleFolder) Check(ctx context.Context, named string) (Tale, error) {
	t, dir, err := f.named(named)
	if err != nil {
		return Tale{}, err
	}
	checked := newTale(t, withPaths(dir, t.WithProver(nil).Problems()))
	if !checked.OK {
		return checked, nil
	}
	checked.Wordless = withPaths(dir, t.Wordless())
	book := game.Rules()
	r, err := proof.Find(ctx, book, t.WithProver(nil))
	if err != nil {
		return Tale{}, err
	}
	if why := r.NotProven(); why != "" {
		checked.OK, checked.Problems = false, withPaths(dir, []tales.Problem{{File: t.ID + ".txt", Text: why}})
	}
	checked.Proof = &r
	return checked, nil
}

// named returns the tale of an id or of one of its files, and the folder of its files.
func (f TaleFolder) named(name string) (t tales.Tale, dir string, err error) {
	if base, isFile := strings.CutSuffix(filepath.Base(name), ".txt"); isFile {
		id, _, _ := strings.Cut(base, ".")
		dir := filepath.Dir(name)
		return tales.Open(os.DirFS(dir), id), dir, nil
	}
	t, ok := f.library().ByID(name)
	if !ok {
		return t, "", exit.Errorf(exit.Usage, "there is no tale %q in %s, and none comes with hob: hob game tale list lists them", display.Clean(name), f)
	}
	if t.Own() {
		dir = string(f)
	}
	return t, dir, nil
}

// Replay plays how a checked tale can be won, with fair dice. It returns what was done and what came of it, by the steps of each proof.
func (f TaleFolder) Replay(ctx context.Context, named string, checked Tale) (all [][]proof.Line, err error) {
	t, _, err := f.named(named)
	if err != nil || checked.Proof == nil {
		return nil, err
	}
	book := game.Rules()
	for _, p := range checked.Proof.Proofs {
		_, lines, err := p.Replay(ctx, book, t.WithProver(nil), "replay")
		if err != nil {
			return nil, err
		}
		all = append(all, lines)
	}
	return all, nil
}

// New writes a small playable tale in one language, and returns the names of its files.
func (f TaleFolder) New(id, lang string) (names []string, err error) {
	files, err := tales.Example(id, lang)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for _, file := range files {
		names = append(names, file.Name)
	}
	return names, f.write(files, io.WriteString)
}

// write writes the files of a tale, all or none. It creates the folder and overwrites no file.
func (f TaleFolder) write(files []tales.File, write func(io.Writer, string) (int, error)) error {
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return atomicfile.WriteError(string(f), err)
	}
	for i, file := range files {
		path, made := filepath.Join(string(f), file.Name), files[:i]
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = write(out, file.Text)
			err = errors.Join(err, out.Close())
			made = files[:i+1]
		}
		if err == nil {
			continue
		}
		for _, m := range made {
			err = errors.Join(err, os.Remove(filepath.Join(string(f), m.Name)))
		}
		if errors.Is(err, fs.ErrExist) {
			return exit.Errorf(exit.Usage, "%s is there already: choose another name, or edit what is in it", path)
		}
		return atomicfile.WriteError(path, err)
	}
	return nil
}
