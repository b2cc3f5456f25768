package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// CompareEffect holds what a call says that it did to a file against the disk. "" means that it is so, or that e says nothing of a
// file; anything else goes on with the name of the file: "was changed since". Of several effects on one file only the last
// can be so.
//
// What is not in an open folder is not looked at, and no more than 16 MiB of a file are read.
func (f *FileTool) CompareEffect(ctx context.Context, e event.Effect) string {
	gone := e.Kind == "deleted"
	if e.Path == "" || !gone && e.Kind != "wrote" && e.Kind != "edited" && e.Kind != "moved" && e.Kind != "copied" {
		return ""
	}
	p, bad := f.tree.Resolve(e.Path)
	if bad != nil || p.Rel == "." {
		return "is in no folder that is open now"
	}
	path, missing := p.Real()
	info, err := p.In.Root.Lstat(p.Rel)
	switch there := missing == 0 && path == e.Path && err == nil; {
	case gone && there:
		return "is there again"
	case gone:
		return ""
	case !there:
		return "is not there any more"
	case !info.Mode().IsRegular(), info.Size() != e.Bytes:
		return "was changed since"
	case info.Size() > tree.MaxFile:
		return "is too large to be looked at"
	}
	sum, bad := f.sum(ctx, p, path)
	switch {
	case ctx.Err() != nil:
		return "could not be looked at in time"
	case bad != nil:
		return "cannot be read any more"
	case sum != e.Sum:
		return "was changed since"
	}
	return ""
}

// sum returns the SHA-256 of the file at p, in hexadecimal, if that is no link to another than path.
func (f *FileTool) sum(ctx context.Context, p tree.Path, path string) (string, *tools.Error) {
	file, info, bad := f.tree.OpenRegular(p)
	if bad != nil {
		return "", bad
	}
	defer file.Close()
	if real, err := tree.RealPath(file); err != nil || real != path {
		return "", p.Denied("is a link by now")
	}
	hash := sha256.New()
	// Most files are small, and memory that is touched for the first time costs more than reading one.
	for buf, read := make([]byte, min(max(info.Size(), 512), 64<<10)), 0; read <= tree.MaxFile && ctx.Err() == nil; {
		n, err := file.Read(buf)
		read += n
		hash.Write(buf[:n])
		if err == io.EOF {
			break
		} else if err != nil {
			return "", p.Fault(err)
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
