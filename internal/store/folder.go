package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"hob/internal/display"
)

// FolderError says that the state folder is none, or that another user could put files into it, or has done so, and
// which command fixes it.
type FolderError struct {
	Path    string
	Problem string
	Do      string // what a person can do, with the command
}

func (e *FolderError) Error() string { return fmt.Sprintf("%s %s: %s", e.Path, e.Problem, e.Do) }

// openFolder opens a state folder. If there is none, it creates one for this user alone. It returns
// a *[FolderError] if others can write there, because hob would trust their files as the owner's.
func openFolder(path string) (*os.File, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		if bad := CheckFolder(path); bad != nil {
			return nil, bad
		}
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if errors.Is(err, os.ErrPermission) { // it may belong to another user
		if info, there := os.Stat(path); there == nil {
			err = cmp.Or(checkFolder(path, info), err)
		}
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat() // of the open folder, because its name may already lead elsewhere
	if err == nil {
		err = checkFolder(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CheckFolder returns the problem of a state folder, or nil if there is none or the folder cannot
// be examined. A folder on a read-only medium may belong to anybody.
func CheckFolder(path string) *FolderError {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	bad := (*FolderError)(nil)
	if errors.As(checkFolder(path, info), &bad) && !onReadOnlyDisk(path) {
		return bad
	}
	return nil
}

// checkFolder checks that a state folder is one, and its owner and permissions. Others may read it.
func checkFolder(path string, info fs.FileInfo) error {
	if !info.IsDir() {
		return &FolderError{Path: path, Problem: "is a file and no folder", Do: "set HOB_STATE_DIR to a folder"}
	}
	if owner := ownerOf(info); owner != os.Geteuid() {
		return &FolderError{Path: path, Problem: "belongs to " + userName(owner) + " and not to " + userName(os.Geteuid()) + ", who runs this hob",
			Do: fmt.Sprintf("run hob as its owner with \"sudo -u '#%d' hob\", make it yours with \"%schown -R %d %s\", or set HOB_STATE_DIR to another folder",
				owner, asRoot(), os.Geteuid(), display.ShellWord(path))}
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 { // with an access list, the mode of the group is the most that anybody has
		return &FolderError{Path: path, Problem: fmt.Sprintf("can be written to by other users (mode %04o), who could speak as you", mode),
			Do: "run \"chmod go-w " + display.ShellWord(path) + "\", and start hob again"}
	}
	return nil
}

// checkLock returns a *[FolderError] unless an open file is a regular file of this user.
func checkLock(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	switch owner := ownerOf(info); {
	case !info.Mode().IsRegular():
		return notLockError(path, "is no regular file")
	case owner != os.Geteuid():
		return notLockError(path, "belongs to "+userName(owner))
	}
	return nil
}

// notLockError is the error for something else at the path of the lock.
func notLockError(path, problem string) error {
	return &FolderError{Path: path, Problem: problem + ", and is not hob's lock",
		Do: "find out who has put it there, and remove it with \"" + "rm -r " + display.ShellWord(path) + "\""}
}

func ownerOf(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// userName returns a user's name and number.
func userName(id int) string {
	if id == 0 {
		return "root"
	}
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return fmt.Sprintf("%s (user %d)", u.Username, id)
	}
	return fmt.Sprintf("user %d", id)
}

// asRoot is the prefix of a command that only root may run.
func asRoot() string {
	if os.Geteuid() == 0 {
		return ""
	}
	return "sudo "
}
