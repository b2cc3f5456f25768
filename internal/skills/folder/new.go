package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/skills"
)

// File is a file or folder that [New] makes.
type File struct {
	Path string // absolute, if the root is
	Text string
	Mode fs.FileMode // with fs.ModeDir for a folder
}

// New makes the folder of a skill that a person can fill in, in root, which is made where it is missing, and returns its path.
// What is there already is left as it is. It is made by do, which keep calls, so that it can be taken back; nil: nobody keeps it.
func New(root, name string, keep func(all []File, do func() error) error) (string, error) {
	if wrong := wrongName(name); wrong != "" {
		return "", fmt.Errorf("the name %s %s: use %s, for example", quoteName(name), wrong, suggest(name))
	}
	path := filepath.Join(root, name)
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is there already: choose another name, or edit what is in it", path)
	}
	all := draft(name)
	_, err := os.Stat(root)
	isFirst := errors.Is(err, fs.ErrNotExist)
	fill := func() error { return makeSkill(root, name, isFirst, all) }
	if keep == nil {
		return path, fill()
	}
	var kept []File
	if isFirst {
		kept = []File{{root, "", fs.ModeDir | 0o755}}
	}
	for _, f := range all {
		f.Path = filepath.Join(root, f.Path)
		kept = append(kept, f)
	}
	return path, keep(kept, fill)
}

// makeSkill makes the folder of a skill in root, which is made, too, where it is the first.
func makeSkill(root, name string, isFirst bool, all []File) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return fmt.Errorf("make the folder of skills: %w", err)
	}
	above, err := openRoot(root)
	if err != nil {
		return fmt.Errorf("open the folder of skills %s: %w", root, explainError(err))
	}
	defer above.Close()
	if isFirst {
		err = above.Chmod(".", 0o755)
	}
	if err == nil {
		err = above.Mkdir(name, 0o700)
	}
	if err != nil {
		return fmt.Errorf("make the folder of the skill: %w", err)
	}
	for _, f := range all {
		if err := write(above, f); err != nil {
			return fmt.Errorf("write the skill: %w", errors.Join(err, above.RemoveAll(name)))
		}
	}
	return nil
}

// draft returns what is in the folder of a new skill, and that first.
func draft(name string) []File {
	return []File{
		{name, "", fs.ModeDir | 0o755},
		{name + "/" + skillFile, strings.ReplaceAll(skeleton, "NAME", name), 0o644},
	}
}

// write makes a file or folder with its mode, whatever the umask is.
func write(above *os.Root, f File) error {
	var err error
	if !f.Mode.IsDir() {
		err = above.WriteFile(f.Path, []byte(f.Text), f.Mode)
	} else if err = above.Mkdir(f.Path, f.Mode.Perm()); errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return err
	}
	return above.Chmod(f.Path, f.Mode.Perm())
}

const skeleton = `---
# Lines that begin with # are for you; no model is told them.
# The name is that of the folder: a to z, 0 to 9 and hyphens.
name: NAME
# What it does, and when it is needed: hob and the model choose by it. A sentence or two. Put it in 'quotes' when it has a colon in it.
description: About NAME. Write here what it does, and when it is needed.
metadata:
  # A message with one of these words in it opens the skill. Take words that other messages do not have.
  keywords: NAME
  # Where it is there: private, group, channel. Without this line, in private chats alone.
  hob-scopes: private
# The only tools that may be called while it is used; remove the # and name them. Without the line, all.
# allowed-tools: read_file, write_file, run_command
# Programs go into a folder scripts beside this file: "run sh {baseDir}/scripts/NAME.sh". Long texts go into references.
---
Nothing is written here yet: say so, and that the owner fills in the SKILL.md of the skill NAME.
`

// Size is how much of a model's context a text takes. A token is taken to be four bytes.
type Size struct {
	Bytes  int
	Tokens int
}

func sizeOf(text string) Size { return Size{len(text), (len(text) + 3) / 4} }

// muchText is how many tokens instructions may have before a person is told what that costs.
const muchText = 2000

// Report is what a person is told who writes a skill.
type Report struct {
	Skill    skills.Skill // the zero Skill where it is left out
	OK       bool         // the skill can be used
	Problems []Problem    // from the first line to the last
	Line     Size         // of what a model is told of the skill while it is closed: in every prompt
	Body     Size         // of what it is told once it is open
	Hint     string       // on what the size means; "" where it is small
}

// Check reads the folder dir as [Read] does and weighs what it costs.
func Check(dir string, o Options) Report {
	skill, problems, err := Read(dir, o)
	r := Report{Skill: skill, OK: err == nil, Problems: problems}
	if err != nil {
		if len(problems) == 0 {
			r.Problems = []Problem{{dir, 0, Error, err.Error()}}
		}
		return r
	}
	r.Line, r.Body = sizeOf("- "+skill.Name+": "+skill.About()+"\n"), sizeOf(skill.Instructions)
	if r.Body.Tokens > muchText {
		r.Hint = fmt.Sprintf("the instructions take about %d tokens, which is %d%% of all that a small model with a context of 8,192 can read, "+
			"in every turn while the skill is open: move what is rarely needed into files below references", r.Body.Tokens, (r.Body.Tokens*100+4096)/8192)
	}
	return r
}
