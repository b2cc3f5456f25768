package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/tools"
	"hob/internal/tools/files"
)

// fileTimeout limits one call of a file tool. A call that blocks has failed.
const fileTimeout = 2 * time.Second

// secretText is the content of the outside file, and changedText what the attacks write.
const (
	secretText  = "a doctor's canary\n"
	changedText = "changed\n"
)

// fileTest is a workspace to attack, with a file beside it that no tool may reach.
type fileTest struct {
	dir     string // the workspace
	outside string // the file
	tools   map[string]tools.Tool
}

// checkFiles attacks a workspace through the real file tools.
func checkFiles(ctx context.Context, s *app.Environment) []Check {
	const name = "file tools"
	dir, clean, err := makeScratchDir(s)
	if err != nil {
		return []Check{fail(name, "let this user write to "+s.StateDir, "nothing could be tried: %v", err)}
	}
	defer clean()
	t := &fileTest{dir: filepath.Join(dir, "workspace"), outside: filepath.Join(dir, "outside")}
	if err := t.openWorkspace(false); err != nil {
		return []Check{fail(name, "", "%v", err)}
	}
	attacks := []attack{
		{"paths with ..", t.tryParents}, {"absolute paths", t.tryAbsolute}, {"links out", t.tryLinks}, {"hard links", t.tryHardLinks},
		{"pipes", t.tryPipe}, {"devices", t.tryDevice}, {"huge files", t.tryHugeFile}, {"parallel appends", t.tryParallelAppends}, {"read-only", t.tryReadOnly},
	}
	return runAttacks(ctx, attacks, t.checkOutside, "move [workspace] dir to an ordinary local file system, and report this")
}

// openWorkspace makes the tools, and writes the outside file.
func (t *fileTest) openWorkspace(readOnly bool) error {
	files, err := files.New(files.Config{Dir: t.dir, ReadOnly: readOnly})
	if err != nil {
		return err
	}
	t.tools = map[string]tools.Tool{}
	for _, tool := range files.Tools() {
		t.tools[tool.Name()] = tool
	}
	return os.WriteFile(t.outside, []byte(secretText), 0o600)
}

// checkOutside returns an error if the outside file has changed.
func (t *fileTest) checkOutside(context.Context) error {
	if text, err := os.ReadFile(t.outside); err != nil || string(text) != secretText {
		return errors.New("a file outside of the workspace was changed")
	}
	return nil
}

// callTool calls a tool and returns its text.
func (t *fileTest) callTool(ctx context.Context, name string, args map[string]any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	raw, err := json.Marshal(args)
	if err != nil {
		return "", err
	}
	res, err := tools.Call(ctx, t.tools[name], raw)
	if ctx.Err() != nil {
		return "", errors.New("a file tool hung")
	}
	return res.Text, err
}

// checkRefused returns an error if a path can be read or written.
func (t *fileTest) checkRefused(ctx context.Context, paths ...string) error {
	for _, p := range paths {
		if text, err := t.callTool(ctx, "read_file", map[string]any{"path": p}); err == nil || strings.Contains(text, secretText) {
			return fmt.Errorf("%s was read", p)
		}
		for _, mode := range []string{"overwrite", "append"} {
			if _, err := t.callTool(ctx, "write_file", map[string]any{"path": p, "content": changedText, "mode": mode}); err == nil {
				return fmt.Errorf("%s was written", p)
			}
		}
	}
	return nil
}

func (t *fileTest) tryParents(ctx context.Context) (string, error) {
	return "refused", t.checkRefused(ctx, "../outside", "a/../../outside", "./../outside", "..//outside")
}

func (t *fileTest) tryAbsolute(ctx context.Context) (string, error) {
	return "refused", t.checkRefused(ctx, t.outside, "/etc/passwd", "//etc/passwd")
}

func (t *fileTest) tryLinks(ctx context.Context) (string, error) {
	for name, to := range map[string]string{
		"link": "../outside", "straight": t.outside, "up": "..", "process": "/proc/self/root", "devices": "/dev",
	} {
		if err := os.Symlink(to, filepath.Join(t.dir, name)); err != nil {
			return "", err
		}
	}
	return "refused", t.checkRefused(ctx, "link", "straight", "up/outside", "process"+t.outside, "devices/null")
}

func (t *fileTest) tryHardLinks(ctx context.Context) (string, error) {
	inside := filepath.Join(t.dir, "hard")
	if err := os.Link(t.outside, inside); err != nil {
		return "this file system has none", nil //nolint:nilerr // then there is nothing to go wrong
	}
	if _, err := t.callTool(ctx, "write_file", map[string]any{"path": "hard", "content": changedText, "mode": "overwrite"}); err != nil {
		return "refused", nil //nolint:nilerr // likewise
	}
	return "replaced, never written through", nil
}

func (t *fileTest) tryPipe(ctx context.Context) (string, error) {
	if err := unix.Mkfifo(filepath.Join(t.dir, "pipe"), 0o600); err != nil {
		return "", err
	}
	return "refused at once", t.checkRefused(ctx, "pipe")
}

func (t *fileTest) tryDevice(ctx context.Context) (string, error) {
	if err := os.Symlink("/dev/zero", filepath.Join(t.dir, "zero")); err != nil {
		return "", err
	}
	paths := []string{"zero"}
	if err := unix.Mknod(filepath.Join(t.dir, "device"), unix.S_IFCHR|0o600, int(unix.Mkdev(1, 5))); err == nil { // root can
		paths = append(paths, "device")
	}
	return "refused", t.checkRefused(ctx, paths...)
}

func (t *fileTest) tryHugeFile(ctx context.Context) (string, error) {
	f, err := os.Create(filepath.Join(t.dir, "huge"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	size := int64(1) << 40
	for f.Truncate(size) != nil { // holes take no space; some file systems limit the size
		if size >>= 1; size < 1<<30 {
			return "this file system has none", nil
		}
	}
	text, err := t.callTool(ctx, "read_file", map[string]any{"path": "huge"})
	if err == nil && len(text) > 1<<20 {
		return "", fmt.Errorf("%d bytes of it came back", len(text))
	}
	return "one of " + display.Limit(size) + " is not read whole", nil
}

func (t *fileTest) tryParallelAppends(ctx context.Context) (string, error) {
	const writers = 20
	var all sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		all.Go(func() {
			_, errs[i] = t.callTool(ctx, "write_file", map[string]any{"path": "list", "content": fmt.Sprintf("line %d\n", i), "mode": "append"})
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(t.dir, "list"))
	if n := strings.Count(string(text), "\n"); err != nil || n != writers {
		return "", fmt.Errorf("of %d lines %d were kept", writers, n)
	}
	return fmt.Sprintf("all %d lines kept", writers), nil
}

func (t *fileTest) tryReadOnly(ctx context.Context) (string, error) {
	if err := t.openWorkspace(true); err != nil {
		return "", err
	}
	if _, err := t.callTool(ctx, "write_file", map[string]any{"path": "list", "content": changedText, "mode": "overwrite"}); err == nil {
		return "", errors.New("a workspace that is only to be read was written to")
	}
	if _, err := t.callTool(ctx, "read_file", map[string]any{"path": "list"}); err != nil {
		return "", fmt.Errorf("a workspace that is only to be read cannot be read: %w", err)
	}
	return "writing is refused", nil
}
