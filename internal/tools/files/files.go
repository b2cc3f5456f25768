// Package files is the tools for files: they read, search, change and delete files, and hand them over. A [FileTool] has them, and
// the functions that the rest of hob calls on the same files. The work is in the packages below:
//
//   - tree: the folders that are open; nothing leads out of them, and a file changes as a whole or not at all
//   - changes: keeps what a change replaces, and takes changes back
//   - origins: where the content of files comes from, and so the label of each result
//   - watch: what commands change
//   - blobs: long results of tools, which are read and searched as files are
package files

import (
	"errors"
	"slices"
	"time"

	"hob/internal/tools"
	"hob/internal/tools/files/blobs"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/files/watch"
)

// The bounds of the file tools.
const (
	maxShare = 256 << 10 // bytes of a file that a model is given at once
	minShare = 1 << 10   // less would not hold a path and a way to go on
)

// Config says which files a [FileTool] reaches.
type Config struct {
	Dir      string        // the workspace; made when it is missing
	ReadOnly bool          // the workspace is only looked at
	Share    func() int    // bytes of a result that fit the model, asked for each call; nil, 0 and more than 256 KiB mean 256 KiB
	Log      changes.Log   // remembers what is changed, for undo; nil: nothing can be taken back, and nothing is deleted
	Blobs    *blobs.Store  // results of tools that can be read and searched by handle; nil: there are none
	Grants   []tree.Grant  // other folders that a person opened to the agent
	Origins  origins.Store // nil: where the content of files came from is not known
	Commands tree.Commands // what runs in the workspace; nil: nothing does
	// WatchTime is how long a [watch.Watcher] looks around before a command, and again after it; 0 means a second.
	WatchTime time.Duration
	// Deny are absolute paths of files and folders that stay closed whatever else is open: hob's own configuration,
	// state, tokens and socket. They are recognised by inode, so that a hard link to one is closed too. The folder of
	// Blobs is one of them.
	Deny []string
	// Mounts allows files of other mounts inside of an opened folder. Without it a mount that somebody placed
	// there is not entered.
	Mounts bool
}

// FileTool reads and writes the files of a [tree.Tree].
//
// read_file and search_files take a handle such as "out:7" in place of a path: a stored result of this chat.
//
// With a [changes.Log] what a file was is kept before it changes, and [changes.Writer.Undo] brings it back.
type FileTool struct {
	tree    *tree.Tree
	limit   func() int
	blobs   *blobs.Store
	log     changes.Log
	changes *changes.Writer
	watch   *watch.Watcher // nil: nobody looks after what commands change
	origins *origins.Tracker
}

// New opens the folders of cfg. Close the result to let go of them.
func New(cfg Config) (*FileTool, error) {
	rec, recorded := cfg.Log.(watch.Recorder)
	if cfg.Origins != nil && !recorded && !cfg.ReadOnly {
		return nil, errors.New("open the workspace: where files come from is to be kept, and nobody looks after what commands change")
	}
	deny := cfg.Deny
	if cfg.Blobs != nil {
		deny = append(slices.Clone(deny), cfg.Blobs.Dir())
	}
	open, err := tree.Open(tree.Config{
		Dir: cfg.Dir, ReadOnly: cfg.ReadOnly, Grants: cfg.Grants, Commands: cfg.Commands, Deny: deny, Mounts: cfg.Mounts,
	})
	if err != nil {
		return nil, err
	}
	f := &FileTool{
		tree: open, limit: cfg.Share, blobs: cfg.Blobs, log: cfg.Log,
		origins: origins.New(open, cfg.Origins, rec),
	}
	f.watch = watch.New(open, rec, f.origins, cfg.WatchTime)
	f.changes = changes.New(open, cfg.Log, f.origins)
	return f, nil
}

// Close lets go of the folders. Calls that are under way fail or finish.
func (f *FileTool) Close() error { return f.tree.Close() }

// Origins is where the content of the files comes from.
func (f *FileTool) Origins() *origins.Tracker { return f.origins }

// Changes is what changes the files, and takes changes back.
func (f *FileTool) Changes() *changes.Writer { return f.changes }

// Watch is what looks after commands in the workspace; nil where nothing is kept, or nothing can change.
func (f *FileTool) Watch() *watch.Watcher { return f.watch }

// Tools returns read_file, write_file, list_files, edit_file, search_files and find_files; with a [changes.Log] also delete_file,
// move_file, copy_file and make_folder.
func (f *FileTool) Tools() []tools.Tool {
	all := []tools.Tool{f.readTool(), f.writeTool(), f.listTool(), f.editTool(), f.searchTool(), f.findTool()}
	if f.log != nil {
		all = append(all, f.deleteTool(), f.moveTool(), f.copyTool(), f.folderTool())
	}
	return all
}

// share is how many bytes of a result fit the model now.
func (f *FileTool) share() int {
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
func (f *FileTool) ReadFile(path string) (string, error) {
	text, _, err := f.Load(tools.Unbounded{}, path)
	return text, err
}

// WriteFile makes content the whole content of a file, and makes its folders when they are missing. Errors are of type
// [*tools.Error]; after one the file is as it was.
func (f *FileTool) WriteFile(path, content string) error {
	_, err := f.write(tools.Unbounded{}, writeArgs{Path: path, Content: content, Mode: "overwrite"})
	return err
}

// ListFiles returns the names in a folder, sorted, hidden ones left out; those of folders end in "/". Errors are of
// type [*tools.Error].
func (f *FileTool) ListFiles(dir string) ([]string, error) {
	p, bad := f.tree.Resolve(dir)
	if bad != nil {
		return nil, bad
	}
	names := []string{}
	w := walk{f: f, ctx: tools.Unbounded{}, visit: func(e entry) bool {
		names = append(names, e.shown())
		return true
	}}
	if bad := w.start(p); bad != nil {
		return nil, bad
	}
	return names, nil
}
