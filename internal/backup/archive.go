package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"hob/internal/app"
	"hob/internal/exit"
)

// The bounds of what is unpacked.
const (
	maxMembers  = 5_000_000
	maxBytes    = 1 << 42
	maxManifest = 16 << 20
	maxConfig   = 1 << 20
)

// trailerSize is how many bytes trailer returns.
const trailerSize = 92

// trailer is the gzip member without content that ends a backup, whose comment is the sum of all bytes before it.
func trailer(sum [sha256.Size]byte) []byte {
	b := []byte{0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff} // DEFLATE, with a comment, of no time, by any system
	b = append(b, "sha256 "+hex.EncodeToString(sum[:])+"\x00"...)
	return append(b, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0) // no content, whose checksum and length are 0
}

// writer writes the members of a backup.
type writer struct {
	tar     *tar.Writer
	zip     *gzip.Writer
	out     io.Writer
	sum     hash.Hash
	bytes   int64
	members int
}

func newWriter(out io.Writer) *writer {
	w := &writer{out: out, sum: sha256.New()}
	w.zip = gzip.NewWriter(w)
	w.tar = tar.NewWriter(w.zip)
	return w
}

// Write is what compressed bytes come to.
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.sum.Write(p[:n])
	w.bytes += int64(n)
	return n, err
}

// add writes a member. What a file holds is exactly h.Size bytes.
func (w *writer) add(h *tar.Header, content io.Reader) error {
	h.Format = tar.FormatPAX // times to the nanosecond, names of any length
	w.members++
	if err := w.tar.WriteHeader(h); err != nil {
		return fmt.Errorf("back up %s: %w", h.Name, err)
	}
	if content == nil {
		return nil
	}
	if _, err := io.CopyN(w.tar, content, h.Size); err != nil {
		return fmt.Errorf("back up %s: %w", h.Name, err)
	}
	return nil
}

// finish writes what ends the file.
func (w *writer) finish() (n int64, sum [sha256.Size]byte, err error) {
	if err := errors.Join(w.tar.Close(), w.zip.Close()); err != nil {
		return 0, sum, fmt.Errorf("write the backup: %w", err)
	}
	sum = [sha256.Size]byte(w.sum.Sum(nil))
	end := trailer(sum)
	if _, err := w.out.Write(end); err != nil {
		return 0, sum, fmt.Errorf("write the backup: %w", err)
	}
	return w.bytes + int64(len(end)), sum, nil
}

// contents is what was found in a backup.
type contents struct {
	manifest Manifest
	sum      string            // of the file
	config   []byte            // nil: there is none
	journal  [sha256.Size]byte // sum of the member
	members  int
	bytes    int64           // of all files
	tops     map[string]bool // such as "state/outputs" and "workspace"
}

// damagedError is the error for a backup that is not what was written.
func damagedError(format string, args ...any) error {
	return exit.Errorf(exit.Failed, "the backup is damaged, and nothing was restored: "+format, args...)
}

// looksLikeBackup reports whether a file of a size ends as backups do. It reads no more of it.
func looksLikeBackup(path string, size int64) bool {
	f, err := os.Open(path)
	if err != nil || size < trailerSize {
		return false
	}
	defer f.Close()
	end, like := make([]byte, trailerSize), trailer([sha256.Size]byte{})
	_, err = f.ReadAt(end, size-trailerSize)
	return err == nil && bytes.HasPrefix(end, like[:bytes.Index(like, []byte("00000000"))])
}

// checkSum holds a backup against the sum that it ends with, and returns how many bytes come before that.
func checkSum(f *os.File) (size int64, sum string, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, "", fmt.Errorf("read the backup: %w", err)
	}
	if !info.Mode().IsRegular() {
		return 0, "", exit.Errorf(exit.Usage, "%s is no file", f.Name())
	}
	if size = info.Size() - trailerSize; size <= 0 {
		return 0, "", damagedError("it is too short to be one")
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, size)); err != nil {
		return 0, "", fmt.Errorf("read the backup: %w", err)
	}
	end := make([]byte, trailerSize)
	if _, err := f.ReadAt(end, size); err != nil {
		return 0, "", fmt.Errorf("read the backup: %w", err)
	}
	is := [sha256.Size]byte(h.Sum(nil))
	if !bytes.Equal(end, trailer(is)) {
		return 0, "", damagedError("its checksum is wrong: it was changed or cut off, or is no backup of hob's")
	}
	return size, hex.EncodeToString(is[:]), nil
}

// inspect reads a backup to its end, and refuses one that is damaged or that holds what none does.
func inspect(ctx context.Context, f *os.File) (contents, error) {
	size, sum, err := checkSum(f)
	if err != nil {
		return contents{}, err
	}
	found := contents{sum: sum, tops: map[string]bool{}}
	err = each(ctx, f, size, func(h *tar.Header, r io.Reader) error {
		switch h.Name {
		case "manifest.json":
			return found.readManifest(h, r)
		case "journal.db":
			sum := sha256.New()
			if _, err := io.Copy(sum, r); err != nil {
				return damagedError("%v", err)
			}
			found.journal = [sha256.Size]byte(sum.Sum(nil))
		case "config/config.toml":
			if found.config, err = io.ReadAll(r); err != nil {
				return damagedError("%v", err)
			}
		}
		found.members++
		found.bytes += h.Size
		top, _ := topOf(h.Name)
		found.tops[top] = true
		return nil
	})
	if err == nil && !found.tops["journal.db"] {
		err = damagedError("it holds no journal")
	}
	return found, err
}

func (c *contents) readManifest(h *tar.Header, r io.Reader) error {
	if h.Size > maxManifest {
		return damagedError("its manifest is too large")
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return damagedError("%v", err)
	}
	if err := json.Unmarshal(raw, &c.manifest); err != nil {
		return damagedError("its manifest cannot be read: %v", err)
	}
	if c.manifest.Format > format {
		return exit.Errorf(exit.Failed, "this backup was made by a newer hob (%s): update this one, and restore it then", c.manifest.Hob)
	}
	if c.manifest.Format != format {
		return damagedError("there is no format %d", c.manifest.Format)
	}
	c.members++
	return nil
}

// each calls do with every member up to size. Its first is manifest.json, no name leads out of the backup or is there twice, and
// nothing lies below what is no folder.
func each(ctx context.Context, f *os.File, size int64, do func(*tar.Header, io.Reader) error) error {
	zip, err := gzip.NewReader(io.NewSectionReader(f, 0, size))
	if err != nil {
		return damagedError("%v", err)
	}
	archive := tar.NewReader(zip)
	kinds, total := map[string]byte{}, int64(0)
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return damagedError("%v", err)
		}
		if first != (h.Name == "manifest.json") {
			return damagedError("its manifest is not what it begins with")
		}
		if err := checkMember(h, kinds); err != nil {
			return err
		}
		if total += h.Size; h.Size < 0 || total > maxBytes || len(kinds) > maxMembers {
			return damagedError("it holds more than a backup does")
		}
		if err := do(h, archive); err != nil {
			return err
		}
	}
	if n, err := io.Copy(io.Discard, zip); n > 0 || err != nil {
		return damagedError("something follows its end")
	}
	return nil
}

// checkMember refuses what Write does not write. kinds are the members so far, to which it adds this one; its name is made clean.
func checkMember(h *tar.Header, kinds map[string]byte) error {
	name := h.Name
	if h.Typeflag == tar.TypeDir {
		name = strings.TrimSuffix(name, "/")
	}
	top, folder := topOf(name)
	switch {
	case !filepath.IsLocal(name) || path.Clean(name) != name || strings.ContainsRune(name, 0) || len(name) > 1<<14:
		return damagedError("the name %q leads out of it", h.Name)
	case top == "":
		return damagedError("%q has no place in it", h.Name)
	case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir && h.Typeflag != tar.TypeSymlink:
		return damagedError("%q is no file, folder or link", h.Name)
	case kinds[name] != 0:
		return damagedError("%q is there twice", h.Name)
	case !folder && (h.Typeflag != tar.TypeReg || name != top):
		return damagedError("%q is no file", h.Name)
	case folder && name == top && h.Typeflag != tar.TypeDir:
		return damagedError("%q is no folder", h.Name)
	case name == "config/config.toml" && h.Size > maxConfig:
		return damagedError("its configuration is too large")
	case h.Typeflag == tar.TypeSymlink && (h.Linkname == "" || strings.ContainsRune(h.Linkname, 0)):
		return damagedError("%q links to nothing", h.Name)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if kind := kinds[dir]; kind != 0 && kind != tar.TypeDir {
			return damagedError("%q lies in what is no folder", h.Name)
		}
	}
	kinds[name], h.Name = h.Typeflag, name
	return nil
}

// folders are the parts of a backup, and whether each is a folder. secrets/0 and so on are files, too.
func folders() map[string]bool {
	return map[string]bool{
		"manifest.json":      false,
		"journal.db":         false,
		"config/config.toml": false,

		"config/" + app.OwnSentences: false,
		"config/skills":              true,
		"config/tales":               true,
		"state/history":              false,
		"state/profiles.toml":        false,
		"state/outputs":              true,
		"state/skills":               true,
		"state/mcp":                  true,
		"workspace":                  true,
	}
}

// topOf returns the part of a backup that a member belongs to, and whether that is a folder; "" for what belongs to none.
func topOf(name string) (top string, folder bool) {
	known := folders()
	first, rest, _ := strings.Cut(name, "/")
	second, _, _ := strings.Cut(rest, "/")
	for _, top := range []string{first, first + "/" + second} {
		if folder, ok := known[top]; ok {
			return top, folder
		}
	}
	if first == "secrets" && second != "" && strings.Trim(second, "0123456789") == "" {
		return first + "/" + second, false
	}
	return "", false
}
