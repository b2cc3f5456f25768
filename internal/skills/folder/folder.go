// Package folder makes skills of folders on disk, in the Agent Skills format (agentskills.io): a folder NAME with a SKILL.md,
// and beside it what is read or run on demand.
//
//	NAME/SKILL.md       fields between two lines "---" (YAML), then the instructions (Markdown)
//	NAME/references/    pages that the instructions name
//	NAME/scripts/       programs, run as commands in the sandbox like any other
//	NAME/assets/        templates and the like
//
// [Read] makes a [skills.Skill] of one folder and says what is wrong with it, [Loader] reads the folders of several places and
// notices what changes, [New] makes a skeleton, and [Check] is what a person is told who writes one.
//
// A skill is somebody's words and grants itself nothing. Unless a person's configuration names it, all that it says is
// labelled untrusted; allowed-tools takes tools away and gives none; where a field that narrows cannot be understood, the
// skill is left out. The folder is opened once for each reading and everything in it is reached through that ([os.Root]): no link
// leads out of it, and only regular files with one name are read. All sizes are bounded, see the constants.
//
// What it does not do: run anything, open a skill, or watch the disk. A [Loader] looks when it is asked.
package folder

import (
	"errors"
	"fmt"
	"path/filepath"
	"sort"

	"hob/internal/skills"
)

// The bounds of a skill.
const (
	maxSkillFile   = 256 << 10 // bytes of SKILL.md
	maxFront       = 16 << 10  // bytes between its two lines "---"
	maxBody        = 24 << 10  // bytes of the instructions that a model is told when the skill is opened
	maxPage        = 64 << 10  // bytes of a page that a model is told at once
	maxPageFile    = 16 << 20  // bytes of a file that pages are made of
	maxFiles       = 1000      // files that are listed
	mostNamed      = 20        // pages that are named where there is no room for all
	maxDepth       = 8         // folders within one another that are looked into
	maxSkills      = 200       // on a shelf
	maxName        = 64
	maxDescription = 1024 // letters
	maxCompat      = 500  // letters
	maxWords       = 50   // keywords, and as many tags
	maxWord        = 64   // letters of each
	maxTool        = 64   // bytes of a tool's name
	maxProblems    = 50   // of one skill that are told
)

// skillFile is the file that makes a folder a skill.
const skillFile = "SKILL.md"

// Severity is how much a problem matters.
type Severity int

// What becomes of a skill with a problem.
const (
	Warning Severity = iota // it is there all the same
	Error                   // it is left out, or stays what it was before
)

func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Problem is something that is wrong with a skill.
type Problem struct {
	Path     string   // of the file or folder, as it was asked for
	Line     int      // in the file, from 1; 0: no particular one
	Severity Severity // whether the skill is left out for it
	Text     string   // what it is and what to do, in one sentence without an end mark
}

// String is the problem in one line, such as "skills/tea/SKILL.md:3: error: the description is empty: ...".
func (p Problem) String() string {
	at := p.Path
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d", p.Path, p.Line)
	}
	return at + ": " + p.Severity.String() + ": " + p.Text
}

// Options are what a skill cannot know of itself.
type Options struct {
	// Trusted reports whether a person's configuration trusts the skill of that name. Nil trusts none.
	Trusted func(name string) bool
	// HasTool reports whether there is a tool of that name, for a warning; nil: any name may be one.
	HasTool func(name string) bool
	// Commands says that commands run on this machine and can read the folder of the skill.
	Commands bool
}

// Read makes a skill of the folder dir, whose name is the skill's. The error says why there is none; it is the first of the
// problems that have the severity Error.
func Read(dir string, o Options) (skills.Skill, []Problem, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return skills.Skill{}, nil, fmt.Errorf("find the folder of the skill: %w", err)
	}
	got := read(place{dir: abs, shown: dir}, filepath.Base(abs), o)
	sortProblems(got.problems)
	for _, p := range got.problems {
		if p.Severity == Error {
			return skills.Skill{}, got.problems, errors.New(p.String())
		}
	}
	return got.skill, got.problems, nil
}

// sortProblems puts problems in the order of their files and lines.
func sortProblems(all []Problem) {
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].Path != all[j].Path {
			return all[i].Path < all[j].Path
		}
		return all[i].Line < all[j].Line
	})
}

// reading is one look at one folder.
type reading struct {
	at       place
	name     string // of the folder
	options  Options
	skill    skills.Skill
	problems []Problem
	broken   bool // one of them is an Error
	gone     bool // there is no such folder or no SKILL.md in it, so that nobody is at work on it
}

func (r *reading) fail(line int, format string, args ...any) {
	r.add(Error, skillFile, line, format, args...)
}

func (r *reading) warn(line int, format string, args ...any) {
	r.add(Warning, skillFile, line, format, args...)
}

func (r *reading) add(s Severity, file string, line int, format string, args ...any) {
	if len(r.problems) >= maxProblems && (s == Warning || r.broken) {
		return
	}
	r.broken = r.broken || s == Error
	r.problems = append(r.problems, Problem{filepath.Join(r.at.shown, file), line, s, fmt.Sprintf(format, args...)})
}

// read looks at a folder of that name.
func read(at place, name string, o Options) *reading {
	r := &reading{at: at, name: name, options: o}
	in, err := at.open()
	if err != nil {
		r.gone = true
		r.add(Error, "", 0, "the folder cannot be read: %s", explainError(err))
		return r
	}
	defer in.close()
	raw, ok := r.readSkillFile(in)
	if !ok {
		return r
	}
	fields, body, first, ok := r.parse(raw)
	if !ok {
		return r
	}
	r.take(fields)
	r.checkBody(body, first)
	if r.broken {
		return r
	}
	r.finish(in, body)
	return r
}

// readSkillFile returns the text of SKILL.md.
func (r *reading) readSkillFile(in *openFolder) (string, bool) {
	raw, size, err := in.readSkillFile()
	switch {
	case err != nil && isMissing(err):
		r.gone = true
		if found := in.likeSkillFile(); found != "" {
			r.add(Error, "", 0, "the file %q must be called SKILL.md, in capital letters: rename it", found)
		} else {
			r.add(Error, "", 0, "there is no SKILL.md in this folder: write one, or make a folder that has one with hob skill new NAME")
		}
	case err != nil:
		r.fail(0, "%s", explainError(err))
	case size > maxSkillFile:
		r.fail(0, "the file has more than %d KiB: move most of it into files below references, which are read on demand", maxSkillFile>>10)
	default:
		return string(raw), true
	}
	return "", false
}
