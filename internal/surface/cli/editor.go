package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

// EditorCommand returns the command that opens a file in the person's editor: $VISUAL, $EDITOR or vi.
func EditorCommand(env func(string) string, path string) *exec.Cmd {
	args := append(strings.Fields(cmp.Or(strings.TrimSpace(env("VISUAL")), strings.TrimSpace(env("EDITOR")), "vi")), path)
	return exec.Command(args[0], args[1:]...)
}

// DraftFile writes a text to a temporary file, for an editor. The pattern is that of [os.CreateTemp].
func DraftFile(pattern, text string) (string, error) {
	f, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("make draft: %w", err)
	}
	_, err = f.WriteString(text)
	return f.Name(), errors.Join(err, f.Close())
}

// EditText has the person edit a text in their editor, in this process's terminal, and returns what they left.
func EditText(env func(string) string, pattern, text string) (string, error) {
	path, err := DraftFile(pattern, text)
	if err != nil {
		return "", err
	}
	defer os.Remove(path)
	cmd := EditorCommand(env, path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no editor %s: set EDITOR to one that is installed, such as nano", cmd.Args[0])
	}
	if err != nil {
		return "", fmt.Errorf("the editor %s failed: %w; set EDITOR", cmd.Path, err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read draft: %w", err)
	}
	return string(raw), nil
}
