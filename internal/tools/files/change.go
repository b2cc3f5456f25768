package files

import (
	"context"
	"fmt"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// Load returns the text of a whole file of at most 16 MiB, as UTF-8, and where it comes from. Errors are of type [*tools.Error];
// the label beside one is that of its words, which may name other files.
func (f *FileTool) Load(ctx context.Context, path string) (text string, from event.Label, err error) {
	p, bad := f.tree.Resolve(path)
	if bad != nil {
		return "", event.Label{}, bad
	}
	defer f.origins.Look()()
	c, bad := f.read(p)
	if bad == nil && c.partial {
		bad = p.TooLarge(c.size)
	}
	if bad != nil {
		res, err := f.origins.Beside(ctx, p, bad)
		return "", res.Label, err
	}
	shown := origins.Shown{c.at: true}
	shown.AddPath(p)
	return c.text, f.origins.Label(ctx, p, shown), nil
}

// Change makes what change returns the text of a file, in place of what it held; "" where there was none. Nobody else writes
// in between, so that what change looked at is what it replaces. tool is who does it, for undo. A file that is no UTF-8
// is refused, and where change returns the text that it was given, nothing is written.
//
// The result has the effect, if there is one, and the label of the file, which what change has read of it needs too. Errors
// are those of change and else of type [*tools.Error]; after one the file is as it was.
func (f *FileTool) Change(ctx context.Context, path, tool string, change func(text string) (string, error)) (tools.Result, error) {
	p, bad := f.tree.ResolveFile(path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	shown := origins.Shown{}
	shown.AddPath(p)
	kind, idle := "wrote", &tools.Error{} // never seen
	var refused error
	d, done, bad := f.put(ctx, p, tool, true, func(old *tree.Existing) ([]byte, *tools.Error) {
		c := content{}
		if old != nil {
			var bad *tools.Error
			if c.raw, bad = old.Read(); bad != nil {
				return nil, bad
			}
			at, err := f.origins.RealPath(old.File)
			if err != nil {
				return nil, p.Fault(err)
			}
			shown[at], c.size, kind = true, int64(len(c.raw)), "edited"
			if bad := c.decodeUTF8(p); bad != nil {
				return nil, bad
			}
		}
		after, err := change(c.text)
		switch {
		case err != nil:
			refused = err
			return nil, idle
		case after == c.text:
			return nil, idle
		}
		return []byte(string(c.raw[:len(c.raw)-len(c.text)]) + after), nil // a byte order mark stays
	})
	res := tools.Result{Label: f.origins.Label(ctx, p, shown)}
	switch {
	case refused != nil:
		return res, refused
	case bad == idle:
		return res, nil
	case bad != nil:
		return f.origins.Beside(ctx, p, bad)
	}
	done.Kind, done.Detail = kind, fmt.Sprintf("%d bytes", d.Bytes)
	res.Data, res.Effects = d, []event.Effect{done}
	return res, nil
}
