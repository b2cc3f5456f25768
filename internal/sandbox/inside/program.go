//go:build linux

package inside

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// LookUp finds a program as a shell in the folder dir does: by the PATH of env, which is the command's own.
func LookUp(dir, name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		if err := runnable(dir, name); err != nil {
			return "", err
		}
		return name, nil
	}
	path := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			path = v
		}
	}
	failed := error(unix.ENOENT)
	for folder := range strings.SplitSeq(path, ":") {
		folder = cmp.Or(folder, ".")
		file := folder + "/" + name
		err := runnable(dir, file)
		if err == nil {
			return file, nil
		}
		if errors.Is(err, unix.EACCES) {
			failed = err
		}
	}
	return "", failed
}

// runnable returns why a file, named from the folder dir, cannot be a program.
func runnable(dir, file string) error {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, unix.ENOTDIR):
		return unix.ENOENT
	case err != nil:
		return err
	case info.IsDir():
		return unix.EISDIR
	}
	return unix.Access(file, unix.X_OK)
}

// Explain says as a shell would why the program name, which was found at path or not at all, was not started: the exit
// status and a sentence. An error of another kind has no sentence.
func Explain(name, path string, err error) (exit int, sentence string) {
	switch {
	case errors.Is(err, unix.ENOENT) && path != "":
		return exitNotFound, path + ": its interpreter was not found"
	case errors.Is(err, unix.ENOENT):
		return exitNotFound, name + ": not found"
	case errors.Is(err, unix.EACCES):
		return exitNotRunable, name + ": permission denied"
	case errors.Is(err, unix.EISDIR):
		return exitNotRunable, name + ": is a folder"
	case errors.Is(err, syscall.ENOEXEC):
		return exitNotRunable, name + ": not a program, and its first line does not name one (#!)"
	}
	return exitNotRunable, ""
}
