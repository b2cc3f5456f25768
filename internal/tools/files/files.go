// Package files is the tools for files: those that read, search, change, delete and hand them over, what is kept of each
// change so that a person can take it back, and what looks after the changes that commands make. Stored results of tools,
// which are read and searched as files are, lie here too.
package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools"
)

// The bounds of the file tools.
const (
	maxFile  = 16 << 20  // bytes of a file that is read, searched or written
	maxShare = 256 << 10 // bytes of a file that a model is given at once
	minShare = 1 << 10   // less would not hold a path and a way to go on
)

// Config says which files a [Tool] reaches.
type Config struct {
	Dir      string     // the workspace; made when it is missing
	ReadOnly bool       // the workspace is only looked at
	Share    func() int // bytes of a result that fit the model, asked for each call; nil, 0 and more than 256 KiB mean 256 KiB
	Keeper   Keeper     // remembers what is changed, for undo; nil: nothing can be taken back, and nothing is deleted
	Outputs  *Outputs   // results of tools that can be read and searched by handle; nil: there are none
	Grants   []Grant    // other folders that a person opened to the agent
	Origins  Origins    // nil: where the content of files came from is not known
	Commands Commands   // what runs in the workspace; nil: nothing does
	// WatchTime is how long a [Watch] looks around before a command, and again after it; 0 means a second.
	WatchTime time.Duration
	// Deny are absolute paths of files and folders that stay closed whatever else is open: hob's own configuration,
	// state, tokens and socket. They are recognised by inode, so that a hard link to one is closed too. The folder of
	// Outputs is one of them.
	Deny []string
	// Mounts allows files of other mounts inside of an opened folder. Without it a mount that somebody placed
	// there is not entered.
	Mounts bool
}

// Commands are those that run in the workspace, and with which files.
type Commands interface {
	// Writing waits until no command runs that was approved with the files that it names, and keeps any from beginning until
	// what it returns is called.
	Writing(ctx context.Context) (done func(), err error)
	// Pinned reports whether a path is what a command runs that lasts, or a folder above that.
	Pinned(path string) bool
}

// Grant opens a folder outside of the workspace. Its files are named by absolute paths.
type Grant struct {
	Dir   string
	Write bool
}

// Tool reads and writes the files of a workspace. Every access goes through a folder that was opened once, so no
// "..", link or rename leads out of it, and what is opened is checked after it was opened: regular files only, no
// other mount, nothing that is denied.
//
// read_file and search_files take a handle such as "out:7" in place of a path: a stored result of this chat. Names that
// begin with "out:" are never those of files; "./out:7" is a file.
//
// Paths are relative to the workspace; an absolute path must lie in the workspace or in a granted folder, and "~/" is
// the workspace, as it is for commands. Symbolic links inside the workspace are followed, absolute ones and those that
// leave it are not.
//
// A file changes as a whole or not at all: the new content is written beside it under a name that starts with
// [TempPrefix], synced, and renamed over it; permissions, owner and extended attributes are carried over. With a [Keeper]
// what it was before is kept first, and [Tool.Undo] brings it back. Writers to
// one folder take turns, by a lock (flock) on the folder that other processes of hob take too; what a killed writer
// left there is removed by the next one.
type Tool struct {
	places    []place // the workspace first
	deny      []string
	limit     func() int
	outputs   *Outputs
	keeper    Keeper
	mounts    bool
	commands  Commands // may be nil
	watchTime time.Duration
	origins   *provenance                  // nil: nothing is known of where files come from
	writing   chan struct{}                // holds the token of the one writer
	swept     map[inode]bool               // folders freed of old temporary files; the writer's
	save      func(*os.File, []byte) error // writes a temporary file
}

// place is a folder that is open to the agent.
type place struct {
	dir      string // absolute, as it was configured
	real     string // without links
	root     *os.Root
	readOnly bool
	mount    uint64
}

// New opens the folders of cfg. Close the result to let go of them.
func New(cfg Config) (*Tool, error) {
	if cfg.Dir == "" {
		return nil, errors.New("open the workspace: its folder has no name")
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the workspace: %w", err)
	}
	f := &Tool{
		deny: cfg.Deny, limit: cfg.Share, outputs: cfg.Outputs, keeper: cfg.Keeper, mounts: cfg.Mounts, commands: cfg.Commands,
		watchTime: cmp.Or(cfg.WatchTime, watchTime),
		writing:   make(chan struct{}, 1), swept: map[inode]bool{}, save: saveAll,
	}
	if f.outputs != nil {
		f.deny = append(slices.Clone(f.deny), f.outputs.dir)
	}
	grants := append([]Grant{{Dir: cfg.Dir, Write: !cfg.ReadOnly}}, cfg.Grants...)
	for i, g := range grants {
		p, err := openPlace(g)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("open folder %d of the file tools: %w", i, err)
		}
		f.places = append(f.places, p)
	}
	var err error
	if f.origins, err = newProvenance(cfg, f.places[0].real); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func openPlace(g Grant) (place, error) {
	dir, err := filepath.Abs(g.Dir)
	if err != nil {
		return place{}, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return place{}, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return place{}, err
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return place{}, err
	}
	defer self.Close()
	mount, err := mountOf(self)
	if err != nil {
		root.Close()
		return place{}, err
	}
	return place{dir: dir, real: real, root: root, readOnly: !g.Write, mount: mount}, nil
}

// Close lets go of the folders. Calls that are under way fail or finish.
func (f *Tool) Close() error {
	var errs []error
	for _, p := range f.places {
		errs = append(errs, p.root.Close())
	}
	return errors.Join(errs...)
}

// Tools returns read_file, write_file, list_files, edit_file and search_files; with a [Keeper] also delete_file.
func (f *Tool) Tools() []tools.Tool {
	all := []tools.Tool{f.readTool(), f.writeTool(), f.listTool(), f.editTool(), f.searchTool()}
	if f.keeper != nil {
		all = append(all, f.deleteTool())
	}
	return all
}

// share is how many bytes of a result fit the model now.
func (f *Tool) share() int {
	n := 0
	if f.limit != nil {
		n = f.limit()
	}
	if n <= 0 || n > maxShare {
		return maxShare
	}
	return max(n, minShare)
}

// ReadFile returns the text of a whole file of at most 16 MiB, as UTF-8. Errors are of type [*tools.Error].
func (f *Tool) ReadFile(path string) (string, error) {
	s, bad := f.resolve(path)
	if bad != nil {
		return "", bad
	}
	c, bad := f.read(s)
	if bad == nil && c.partial {
		bad = fileTooLarge(s, c.size)
	}
	if bad != nil {
		return "", bad
	}
	return c.text, nil
}

// WriteFile makes content the whole content of a file, and makes its folders when they are missing. Errors are of type
// [*tools.Error]; after one the file is as it was.
func (f *Tool) WriteFile(path, content string) error {
	_, err := f.write(tools.Unbounded{}, writeArgs{Path: path, Content: content, Mode: "overwrite"})
	return err
}

// ListFiles returns the names in a folder, sorted, hidden ones left out; those of folders end in "/". Errors are of
// type [*tools.Error].
func (f *Tool) ListFiles(dir string) ([]string, error) {
	s, bad := f.resolve(dir)
	if bad != nil {
		return nil, bad
	}
	names := []string{}
	w := walk{f: f, ctx: tools.Unbounded{}, visit: func(e entry) bool {
		names = append(names, e.shown())
		return true
	}}
	if bad := w.start(s); bad != nil {
		return nil, bad
	}
	return names, nil
}

// inode identifies a file or folder while it is open.
type inode struct{ dev, ino uint64 }

// mountOf returns the identity of the mount that file is on. Where the kernel cannot say, it is that of the device.
func mountOf(file *os.File) (uint64, error) {
	var st unix.Statx_t
	err := control(file, func(fd int) error {
		return unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &st)
	})
	if err != nil {
		return 0, fmt.Errorf("look at the mount of %s: %w", filepath.Base(file.Name()), err)
	}
	if st.Mask&unix.STATX_MNT_ID != 0 {
		return st.Mnt_id, nil
	}
	return unix.Mkdev(st.Dev_major, st.Dev_minor), nil
}

// control calls do with the descriptor of file, without changing how it blocks.
func control(file *os.File, do func(fd int) error) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := conn.Control(func(fd uintptr) { inner = do(int(fd)) }); err != nil {
		return err
	}
	return inner
}

func saveAll(file *os.File, content []byte) error {
	_, err := file.Write(content)
	return err
}

// label is where the text of a file comes from.
func label(s spot) event.Label { return event.Label{Private: true, Source: "file:" + s.shown()} }
