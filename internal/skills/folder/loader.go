package folder

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/skills"
)

// unsettled is how long after a change a file may change again without its times showing it.
const unsettled = 2 * time.Second

// Root is a folder of skills' folders.
type Root struct {
	Dir string // absolute; it need not be there
}

// LoaderConfig says what a [Loader] holds.
type LoaderConfig struct {
	Roots []Root // in the order in which they win
	Options
	Now func() time.Time
}

// Loader reads the skills of several roots and remembers them. The first root that has a skill of a name wins; a skill that
// cannot be loaded is no skill, and does not keep another from its name. A skill that was loaded and cannot be any more, because
// somebody is at work on it, stays as it was until it can. It is safe for concurrent use.
type Loader struct {
	cfg  LoaderConfig
	mu   sync.Mutex
	seen []map[string]entry // of each root, by folder
}

// entry is what is known of one folder.
type entry struct {
	mark     mark         // of the folder before it was read
	again    bool         // it had changed just before it was read, and must be read again
	good     bool         // skill can be used
	skill    skills.Skill // the last that could be loaded
	problems []Problem
}

// NewLoader returns a shelf. It looks at no disk.
func NewLoader(cfg LoaderConfig) *Loader {
	s := &Loader{cfg: cfg}
	s.cfg.Roots = slices.Clone(cfg.Roots)
	for i, root := range cfg.Roots {
		s.cfg.Roots[i].Dir = filepath.Clean(root.Dir)
		s.seen = append(s.seen, map[string]entry{})
	}
	return s
}

// Load returns the skills that are there now, from a to z and at most 200, and what is wrong with these and others. Folders
// that have not changed are not read again, so that it can be called before each turn: it costs a few looks at the disk for
// each folder. When ctx ends it returns what was known of the folders that it has not got to.
func (s *Loader) Load(ctx context.Context) ([]skills.Skill, []Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []skills.Skill
	var problems []Problem
	for i, root := range s.cfg.Roots {
		names, more := s.look(ctx, i, root)
		problems = append(problems, more...)
		for _, name := range names {
			e := s.seen[i][name]
			problems = append(problems, e.problems...)
			if !e.good {
				continue
			}
			if j := slices.IndexFunc(found, func(f skills.Skill) bool { return f.Name == name }); j >= 0 {
				problems = append(problems, takenProblem(root, name, found[j].Source))
				continue
			}
			if len(found) == maxSkills {
				problems = append(problems, Problem{root.shown(name), 0, Error, "there are more than 200 skills: remove one that nobody needs"})
				continue
			}
			found = append(found, e.skill)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Name < found[j].Name })
	return found, problems
}

// takenProblem is the problem of a skill whose name another has.
func takenProblem(root Root, name, source string) Problem {
	return Problem{root.shown(name), 0, Warning, "there is a skill of the name " + name + " from " + source +
		", which wins, and this one is left out: rename or remove one of the two"}
}

func (r Root) shown(name string) string { return filepath.Join(r.Dir, name) }

// look brings what is known of one root up to date, and returns the names of its folders.
func (s *Loader) look(ctx context.Context, i int, root Root) (names []string, problems []Problem) {
	names, problems, dir := listRoot(root)
	if dir == nil {
		s.seen[i] = map[string]entry{}
		return nil, problems
	}
	defer dir.Close()
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		now := markOf(dir, name)
		old, known := s.seen[i][name]
		if known && !old.again && old.mark == now {
			continue
		}
		young := now.changed() > s.cfg.Now().Add(-unsettled).UnixNano()
		got := read(place{dir: filepath.Join(root.Dir, name), in: root.Dir, shown: root.shown(name)}, name, s.cfg.Options)
		s.seen[i][name] = old.next(got, now, young)
	}
	for name := range s.seen[i] {
		if !slices.Contains(names, name) {
			delete(s.seen[i], name)
		}
	}
	return names, problems
}

// next is what is known of a folder after another look at it.
func (e entry) next(got *reading, now mark, again bool) entry {
	sortProblems(got.problems)
	n := entry{mark: now, again: again, good: !got.broken, skill: got.skill, problems: got.problems}
	if !got.broken || !e.good || got.gone {
		return n
	}
	n.good, n.skill = true, e.skill
	for i, p := range n.problems {
		if p.Severity == Error {
			n.problems[i].Text += "; until then the skill stays as it was before this change"
		}
	}
	return n
}

// listRoot opens a root and names the folders in it. It returns no file where the root is missing or cannot be read.
func listRoot(root Root) (names []string, problems []Problem, dir *os.File) {
	fail := func(path, text string) { problems = append(problems, Problem{path, 0, Error, text}) }
	above, err := openRoot(root.Dir)
	if err == nil {
		defer above.Close()
		dir, err = above.OpenFile(".", os.O_RDONLY|unix.O_DIRECTORY, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		fail(root.Dir, "the folder of skills cannot be read: "+explainError(err).Error())
		return nil, problems, nil
	}
	entries, all := (&openFolder{root: above}).list(".")
	if !all {
		fail(root.Dir, "the folder of skills cannot be read, or there is far too much in it: keep nothing but skills there")
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasPrefix(name, "."):
		case e.IsDir(), e.Type()&fs.ModeSymlink != 0:
			names = append(names, name)
		case name == skillFile:
			fail(filepath.Join(root.Dir, name), "this file must stand in a folder that has the name of the skill: make one and move it there")
		}
	}
	return names, problems, dir
}
