package tales

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
)

// The bounds of a folder of tales. Nothing larger is read.
const (
	mostFiles = 400
	mostOwn   = 40        // tales of one's own
	mostWhat  = 32 << 10  // bytes of what there is
	mostWords = 128 << 10 // bytes of the words in one language
	mostIDs   = 32        // the longest name of a tale
	mostTold  = 100       // mistakes
)

// Library holds the tales of hob and those of a folder, which is read anew each time. The zero Library has no folder.
type Library struct {
	folder fs.FS
	prove  Prover
}

// Prover finds out whether a tale without mistakes can be won. It returns why that is not proven, or "" if it is.
type Prover func(Tale) string

// NewLibrary returns a library with the tales of a folder.
func NewLibrary(folder fs.FS) Library { return Library{folder: folder} }

// WithProver returns the library with a prover. Then only those tales of its folder can be begun that are proven.
func (s Library) WithProver(prove Prover) Library { return Library{s.folder, prove} }

// All returns the tales that can be begun: those of hob, the gentlest first, then those of the folder by name.
func (s Library) All() []Tale {
	ready, _ := s.List()
	return ready
}

// List returns the tales that can be begun, in the order of [Library.All], and those of the folder
// that cannot.
func (s Library) List() (ready, broken []Tale) {
	ready = All()
	own, _ := s.Own()
	for _, t := range own {
		if len(t.Problems()) > 0 {
			broken = append(broken, t)
		} else {
			ready = append(ready, t)
		}
	}
	return ready, broken
}

// ByID returns a tale of hob or of the folder by its id, whether it can be begun or not.
func (s Library) ByID(id string) (Tale, bool) {
	if t, ok := ByID(id); ok || s.folder == nil || WrongName(id) != "" {
		return t, ok
	}
	if _, err := fs.Lstat(s.folder, id+".txt"); err != nil {
		return Tale{}, false
	}
	return s.open(id), true
}

func (s Library) open(id string) Tale { return Open(s.folder, id).WithProver(s.prove) }

// Open returns the tale of a name in a folder, whatever is wrong with it: see [Tale.Problems].
func Open(folder fs.FS, id string) Tale { return Tale{ID: id, own: load(folder, id)} }

// Own returns the tales of the folder by name, with the broken ones (see [Tale.Problems]), and the problems of the
// folder itself.
func (s Library) Own() (list []Tale, stray []Problem) {
	if s.folder == nil {
		return nil, nil
	}
	names, stray := scanFolder(s.folder)
	for i, name := range names {
		if i == mostOwn {
			stray = append(stray, Problem{name + ".txt", 0, fmt.Sprintf("there are more than %d tales, and this one and those behind it are left "+
				"out: move some elsewhere", mostOwn)})
			break
		}
		list = append(list, s.open(name))
	}
	return list, stray
}

// scanFolder returns the names of the tales in a folder, and problems for the files that belong to
// none.
func scanFolder(folder fs.FS) (names []string, stray []Problem) {
	dir, err := folder.Open(".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	all, ok := dir.(fs.ReadDirFile)
	if err != nil || !ok {
		return nil, []Problem{{"", 0, "the folder of tales cannot be read: give hob's user the right to"}}
	}
	defer all.Close()
	entries, err := all.ReadDir(mostFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		stray = append(stray, Problem{"", 0, "the folder of tales cannot be read whole: give hob's user the right to"})
	}
	if len(entries) == mostFiles {
		stray = append(stray, Problem{"", 0, fmt.Sprintf("there are %d files and more in the folder of tales, and some are left out: keep nothing "+
			"but tales there", mostFiles)})
	}
	for _, e := range entries {
		base, isText := strings.CutSuffix(e.Name(), ".txt")
		if e.IsDir() || !isText || strings.HasPrefix(base, ".") {
			continue
		}
		id, lang, hasLang := strings.Cut(base, ".")
		if wrong := WrongName(id); wrong != "" {
			stray = append(stray, Problem{fmt.Sprintf("%+.80q", e.Name()), 0, wrong})
		} else if hasLang && !slices.Contains(rules.Langs(), lang) {
			stray = append(stray, Problem{fmt.Sprintf("%+.80q", e.Name()), 0, fmt.Sprintf("hob plays in en, ru and zh alone: call it %s.en.txt, for example", id)})
		} else if !slices.Contains(names, id) {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	slices.SortStableFunc(stray, func(a, b Problem) int { return strings.Compare(a.File, b.File) })
	return names, stray
}

// WrongName says why a name cannot be that of a tale, or returns "" if it can.
func WrongName(id string) string {
	for i, r := range id {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r != '-' || i == 0 || i == len(id)-1) || len(id) > mostIDs {
			return fmt.Sprintf("this is no name for a tale: it has a to z, 0 to 9 and hyphens within, at most %d", mostIDs)
		}
	}
	switch _, shipped := ByID(id); {
	case id == "":
		return "a tale needs a name: call it mill.txt, for example"
	case shipped:
		return fmt.Sprintf("%s comes with hob, and that name cannot be taken: call it my-%s.txt, for example", id, id)
	case id == "map":
		return "map is what a story of no tale is begun with, and that name cannot be taken: call it my-map.txt, for example"
	}
	return ""
}

// source holds the files of a tale.
type source struct {
	what     string            // the file that defines things
	words    map[string]string // the files of words, by language
	problems []Problem         // mistakes that reading found
	prove    Prover            // nil: nobody asks whether it can be won
}

// load reads the files of a tale in a folder, and keeps their problems.
func load(folder fs.FS, id string) *source {
	s := &source{words: map[string]string{}}
	s.loadWith(id, func(name string, most int64) []byte { return s.read(folder, name, most) })
	return s
}

// FromFiles returns the tale of a name whose files are in memory, whatever is wrong with it: see [Tale.Problems].
func FromFiles(id string, files []File) Tale {
	s := &source{words: map[string]string{}}
	s.loadWith(id, func(name string, _ int64) []byte {
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		return []byte(files[i].Text)
	})
	return Tale{ID: id, own: s}
}

// loadWith reads the files of a tale. read returns the bytes of one, nil if there is none or it cannot be read.
func (s *source) loadWith(id string, read func(name string, most int64) []byte) {
	get := func(name string, most int64) string {
		if raw := read(name, most); raw != nil {
			return s.check(name, raw, most)
		}
		return ""
	}
	s.what = get(id+".txt", mostWhat)
	if s.what == "" && len(s.problems) == 0 {
		s.fail(id+".txt", 0, "there is no such file, or nothing in it: it says what there is in the tale, see hob game tale new")
	}
	for _, lang := range rules.Langs() {
		if text := get(id+"."+lang+".txt", mostWords); text != "" {
			s.words[lang] = text
		}
	}
	if len(s.words) == 0 && len(s.problems) == 0 {
		s.fail(id+".txt", 0, "there are no words to it: write them into %s.en.txt, %s.ru.txt or %s.zh.txt", id, id, id)
	}
}

func (s *source) fail(file string, no int, format string, args ...any) {
	s.problems = append(s.problems, Problem{file, no, fmt.Sprintf(format, args...)})
}

// read returns the bytes of a file, and one more than most of a longer one; nil if there is none or it cannot be read.
func (s *source) read(folder fs.FS, name string, most int64) []byte {
	info, err := fs.Lstat(folder, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		s.fail(name, 0, "it cannot be looked at: give hob's user the right to")
		return nil
	case !info.Mode().IsRegular(): // reading a pipe would wait for a writer
		s.fail(name, 0, "it is no file, or a link to one: put the file itself here")
		return nil
	}
	raw := []byte{}
	f, err := folder.Open(name)
	if err == nil {
		raw, err = io.ReadAll(io.LimitReader(f, most+1))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		s.fail(name, 0, "it cannot be read: give hob's user the right to")
		return nil
	}
	return raw
}

// check returns the text of a file, "" if it cannot be a tale's.
func (s *source) check(name string, raw []byte, most int64) string {
	if int64(len(raw)) > most {
		s.fail(name, 0, "it has more than %s: shorten it", display.Limit(most))
		return ""
	}
	no, told := 0, len(s.problems)
	text := strings.TrimPrefix(string(raw), "\uFEFF")
	for line := range strings.Lines(text) {
		no++
		if bare := strings.TrimSpace(line); bare == "" || bare[0] == '#' {
			continue
		}
		if wrong := problemIn(line); wrong != "" && len(s.problems) < told+mostTold {
			s.fail(name, no, "%s", wrong)
		}
	}
	if strings.TrimSpace(text) == "" {
		s.fail(name, 0, "there is nothing in it: write something, or remove it")
		return ""
	}
	return text
}
