package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/linux"
	"hob/internal/sandbox"
	"hob/internal/tools"
)

// maxCopied bounds the bytes of all files that a command runs as a copy.
const maxCopied = 64 << 20

// roleOf is what a command does with the file that a word of it may name. script says that it is the first argument of a
// program that runs such.
func (n *naming) roleOf(words []word, i int, script, code bool) role {
	w := words[i]
	switch {
	case !code || w.into || w.pattern != "" || w.open || strings.ContainsAny(w.text, signs):
		return uses
	case script && w.text != "" && w.text[0] != '-', strings.Contains(w.text, "/") && isProgram(words, i):
		if n.unchanged {
			return runs | early
		}
		return runs
	}
	return uses
}

// isProgram reports whether a word is the program of a command: the first one, or what is behind NAME=value and programs that
// run what their arguments say.
func isProgram(words []word, i int) bool {
	wrapped := false
	for at := i - 1; at >= 0 && !words[at].begins(); at-- {
		text := words[at].text
		switch {
		case slices.Contains([]string{"env", "exec", "nohup", "nice", "setsid", "timeout", "time", "stdbuf", "command"}, text):
			wrapped = true
		case strings.Contains(text, "="):
		case wrapped || text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9'):
			return false // except for options and numbers, of a program that stands before them
		}
	}
	return true
}

// changesNothing reports whether a command changes no file, whatever its arguments are.
func changesNothing(words []word) bool {
	if slices.ContainsFunc(words, func(w word) bool { return w.into }) {
		return false
	}
	for _, w := range words {
		if !w.begins() && !slices.Contains([]string{"done", "fi", "}"}, w.text) {
			return slices.Contains([]string{
				"cd", "set", "export", "unset", "umask", "ulimit", "echo", "printf", "pwd", "true", "test", "[", ":", "sleep",
			}, w.text)
		}
	}
	return true
}

// copyOf returns what a file's bytes are written to as they are summed: with a copy if it is to be kept.
func (n *naming) copyOf(rel string, info fs.FileInfo, sum io.Writer) (io.Writer, error) {
	if !n.copying || n.roles[rel] != runs|early || n.copied+info.Size() > maxCopied {
		return sum, nil
	}
	n.copied += info.Size()
	kept, err := linux.NewSealable("approved")
	if err != nil {
		return nil, fmt.Errorf("copy %s: %w", display.Quote(rel), err)
	}
	n.copies[rel] = kept
	return io.MultiWriter(sum, n.copies[rel]), nil
}

// approved binds a command to what a person was shown of it; nil where nobody was asked, or it names no file.
func (s *ShellTool) approved(ctx context.Context, in networkArgs) *sandbox.Approved {
	shown, ok := tools.ApprovedFrom(ctx)
	if !ok || len(shown.Files) == 0 {
		return nil
	}
	return &sandbox.Approved{Lasting: in.Background, Look: func(ctx context.Context) ([]sandbox.Pinned, error) {
		return s.pin(ctx, in, shown)
	}}
}

// pin returns the files that a command runs, if all that it names is as it was shown. Those that it runs at once and
// names for nothing else are copies of the bytes that were looked at.
func (s *ShellTool) pin(ctx context.Context, in networkArgs, shown event.Binding) (pinned []sandbox.Pinned, err error) {
	root, err := os.OpenRoot(shown.Dir)
	if err != nil {
		return nil, alteredError("the workspace cannot be looked at any more: " + display.Reason(err))
	}
	defer root.Close()
	n := newNaming(ctx, root, []string{shown.Dir, s.cfg.Dir}, s.cfg.Sandbox.Tier(ctx) >= sandbox.T3)
	n.copying = true
	files, err := n.files(in.Language, in.Command)
	defer func() {
		if err != nil {
			for _, f := range n.copies {
				f.Close()
			}
		}
	}()
	if err != nil {
		return nil, alteredError("what it will run cannot be looked at any more: " + display.Reason(err))
	}
	if !slices.Equal(files, shown.Files) {
		return nil, alteredError(describeChange(shown.Files, files))
	}
	for _, file := range files {
		if n.roles[file.Path]&runs == 0 || file.Sum == "" {
			continue
		}
		one, err := n.pinned(shown.Dir, file.Path)
		if err != nil {
			return nil, alteredError("the file " + display.Quote(file.Path) + " cannot be held as it is: " + display.Reason(err))
		}
		pinned = append(pinned, one)
	}
	return pinned, nil
}

// pinned is a file as the sandbox is told of it.
func (n *naming) pinned(dir, rel string) (sandbox.Pinned, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(dir, rel))
	if err != nil {
		return sandbox.Pinned{}, err
	}
	if !strings.HasPrefix(path, dir+"/") {
		return sandbox.Pinned{}, errors.New("it is not in the workspace")
	}
	info, err := os.Lstat(path)
	if err != nil {
		return sandbox.Pinned{}, err
	}
	one := sandbox.Pinned{Path: path, Copy: n.copies[rel], Mode: info.Mode()}
	if one.Copy == nil {
		return one, nil
	}
	if err := linux.Seal(one.Copy); err != nil {
		return one, err
	}
	_, err = one.Copy.Seek(0, io.SeekStart)
	return one, err
}

// describeChange says in which file what would run now is not what was shown.
func describeChange(shown, now []event.BoundFile) string {
	for _, file := range slices.Concat(shown, now) {
		if !slices.Contains(shown, file) || !slices.Contains(now, file) {
			return "the file " + display.Quote(file.Path) + " has changed since the user was asked"
		}
	}
	return "the files that it names are others than when the user was asked"
}

func alteredError(what string) *tools.Error {
	return tools.Denied(event.CodePermissionDenied, "denied by rule altered: %s", what).
		Suggest("look at what has changed; to run it as it is now, call it again")
}
