// Package tree holds the folders that are open to the agent, and keeps what is done in them inside of them.
//
// A [Tree] is the workspace and the folders that a person granted. Each is opened once ([os.Root]); a [Path] is a name in one of
// them. No "..", link or rename leads out. What is opened is checked after it was opened: regular files only, no other mount,
// nothing that is denied. Paths are relative to the workspace; an absolute path must lie in the workspace or in a granted
// folder, and "~/" is the workspace, as it is for commands. Symbolic links inside an open folder are followed, absolute ones
// and those that leave it are not. Names that begin with "out:" are handles of stored results, never files; "./out:7" is a file.
//
// A file changes as a whole or not at all. [Tree.Prepare] writes the new content beside it under a name that starts with
// [TempPrefix] and syncs it; [Dir.Swap] renames it over the old one, unless that is not what was looked at any more.
// Permissions, owner and extended attributes are carried over.
//
// One writer at a time changes files in a Tree ([Tree.Begin]). Writers to one folder take turns among processes, too, by a
// lock (flock) on the folder. What a killed writer left in a folder is removed by the next one.
//
// The package decides nothing about permissions beyond that, and remembers nothing: see packages changes and origins.
package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/tools"
)

// Bounds of the files in a tree.
const (
	MaxFile   = 16 << 20 // bytes of a file that is read, searched or written
	MaxPath   = 4096     // bytes of a path
	MaxNames  = 50_000   // names of one folder
	MaxLevels = 64       // folders in folders
)

// TempPrefix begins the names of files that are being written. They are listed and searched by no tool.
const TempPrefix = ".hob-tmp-"

// Config names the folders of a [Tree].
type Config struct {
	Dir      string   // the workspace; made when it is missing
	ReadOnly bool     // the workspace is only looked at
	Grants   []Grant  // other folders that a person opened to the agent
	Commands Commands // the programs that run in the workspace; nil: none do
	// Deny are absolute paths of files and folders that stay closed whatever else is open: hob's own configuration,
	// state, tokens and socket. They are recognised by inode, so that a hard link to one is closed too.
	Deny []string
	// Mounts allows files of other mounts inside of an opened folder. Without it a mount that somebody placed
	// there is not entered.
	Mounts bool
	// Save writes the content of a temporary file; nil writes it all. Tests fill the disk with it.
	Save func(file *os.File, content []byte) error
}

// Grant opens a folder outside of the workspace. Its files are named by absolute paths.
type Grant struct {
	Dir   string
	Write bool
}

// Commands are the programs that run in the workspace, and the files that they run with.
type Commands interface {
	// Writing waits until no command runs that was approved with the files that it names, and keeps any from beginning until
	// done is called.
	Writing(ctx context.Context) (done func(), err error)
	// Pinned reports whether a process runs the file of that path, or one in the folder of that path.
	Pinned(path string) bool
}

// Tree is the folders that are open to the agent, the workspace first.
type Tree struct {
	tops     []Top
	deny     []string
	mounts   bool
	commands Commands                     // may be nil
	writing  chan struct{}                // holds the token of the one writer
	swept    map[Inode]bool               // folders freed of old temporary files; the writer's
	save     func(*os.File, []byte) error // writes a temporary file
}

// Top is one of the folders that are open to the agent.
type Top struct {
	Dir      string // absolute, as it was configured
	Real     string // without links
	Root     *os.Root
	ReadOnly bool

	mount uint64
}

// Open opens the folders of cfg. Close the result to let go of them.
func Open(cfg Config) (*Tree, error) {
	if cfg.Dir == "" {
		return nil, errors.New("open the workspace: its folder has no name")
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("%w: set [workspace] dir to a folder that hob may write", err)
	}
	t := &Tree{
		deny: cfg.Deny, mounts: cfg.Mounts, commands: cfg.Commands,
		writing: make(chan struct{}, 1), swept: map[Inode]bool{}, save: cfg.Save,
	}
	if t.save == nil {
		t.save = SaveAll
	}
	grants := append([]Grant{{Dir: cfg.Dir, Write: !cfg.ReadOnly}}, cfg.Grants...)
	for i, g := range grants {
		top, err := openTop(g)
		if err != nil {
			t.Close()
			return nil, fmt.Errorf("open folder %d of the file tools: %w", i, err)
		}
		t.tops = append(t.tops, top)
	}
	return t, nil
}

func openTop(g Grant) (Top, error) {
	dir, err := filepath.Abs(g.Dir)
	if err != nil {
		return Top{}, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Top{}, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return Top{}, err
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return Top{}, err
	}
	defer self.Close()
	mount, err := mountOf(self)
	if err != nil {
		root.Close()
		return Top{}, err
	}
	return Top{Dir: dir, Real: real, Root: root, ReadOnly: !g.Write, mount: mount}, nil
}

// Close lets go of the folders. Calls that are under way fail or finish.
func (t *Tree) Close() error {
	errs := lists.Map(t.tops, func(top Top) error { return top.Root.Close() })
	return errors.Join(errs...)
}

// Tops returns the open folders, the workspace first.
func (t *Tree) Tops() []Top { return t.tops }

// Workspace returns the first of the open folders.
func (t *Tree) Workspace() *Top { return &t.tops[0] }

// Entered reports whether what is on that mount may be entered from top.
func (t *Tree) Entered(top *Top, mount uint64) bool { return t.mounts || mount == top.mount }

// Guard checks the file that was opened at p: the mount it is on, and that nothing denied was reached.
func (t *Tree) Guard(p Path, file *os.File) *tools.Error {
	info, err := file.Stat()
	if err != nil {
		return p.Fault(err)
	}
	if !t.mounts {
		mount, err := mountOf(file)
		if err != nil {
			return p.Fault(err)
		}
		if !t.Entered(p.In, mount) {
			return p.Denied("is on another mount than the folder that was opened")
		}
	}
	if len(t.deny) == 0 {
		return nil
	}
	real, err := RealPath(file)
	if err != nil {
		return p.Fault(err)
	}
	for _, deny := range t.deny {
		closed, err := os.Stat(deny)
		if err != nil {
			continue // not there, so nothing is it
		}
		if os.SameFile(closed, info) {
			return p.Denied("belongs to hob itself")
		}
		below, err := filepath.EvalSymlinks(deny)
		if err != nil {
			continue
		}
		if _, above := Inside(below, p.In.Real); above {
			continue // the open folder lies in the denied one, and was opened all the same
		}
		if _, in := Inside(below, real); in {
			return p.Denied("belongs to hob itself")
		}
	}
	return nil
}

// DeniedInodes returns the inodes of the files and folders that stay closed, and of the links to them.
func (t *Tree) DeniedInodes() map[Inode]bool {
	denied := map[Inode]bool{}
	for _, path := range t.deny {
		for _, look := range []func(string) (fs.FileInfo, error){os.Stat, os.Lstat} {
			if info, err := look(path); err == nil {
				if st, ok := info.Sys().(*syscall.Stat_t); ok {
					denied[Inode{Dev: uint64(st.Dev), Ino: st.Ino}] = true //nolint:unconvert // 32 bits on some machines
				}
			}
		}
	}
	return denied
}

// Begin waits for the turn to change the file at p, and those at more, if they may be changed at all.
func (t *Tree) Begin(ctx context.Context, p Path, more ...Path) (end func(), bad *tools.Error) {
	for _, p := range append([]Path{p}, more...) {
		if p.In.ReadOnly {
			return nil, tools.Denied(event.CodeReadOnly, "%s is in a folder that is open for reading only", p.Name())
		}
		if strings.HasPrefix(filepath.Base(p.Rel), TempPrefix) {
			return nil, tools.Invalid(event.CodeInvalidValue, "names that begin with %s are hob's own", TempPrefix)
		}
		if p.workspace && IsHandle(p.Rel) {
			return nil, notAFile(p.Rel)
		}
	}
	over, err := t.Turn(ctx)
	if err != nil {
		return nil, p.Waiting(ctx)
	}
	if t.commands == nil {
		return over, nil
	}
	done, err := t.commands.Writing(ctx)
	if err != nil {
		over()
		if ctx.Err() == nil {
			return nil, p.Fault(err)
		}
		return nil, p.Waiting(ctx)
	}
	return func() { done(); over() }, nil
}

// Turn waits until nobody is half way through a change in t, and keeps everybody from one until end is called.
func (t *Tree) Turn(ctx context.Context) (end func(), err error) {
	select {
	case t.writing <- struct{}{}:
		return func() { <-t.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TryTurn is [Tree.Turn] for a caller that does not wait. It reports whether it is the caller's turn.
func (t *Tree) TryTurn() (end func(), ok bool) {
	select {
	case t.writing <- struct{}{}:
		return func() { <-t.writing }, true
	default:
		return nil, false
	}
}

// Pinned reports whether a process runs the file of that absolute path, or one in the folder of that path.
func (t *Tree) Pinned(path string) bool { return t.commands != nil && t.commands.Pinned(path) }
