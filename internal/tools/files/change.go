package files

import (
	"context"
	"fmt"

	"hob/internal/event"
	"hob/internal/tools"
)

// Load returns the text of a whole file of at most 16 MiB, as UTF-8, and where it comes from. Errors are of type [*tools.Error];
// the label beside one is that of its words, which may name other files.
func (f *Tool) Load(ctx context.Context, path string) (text string, from event.Label, err error) {
	s, bad := f.resolve(path)
	if bad != nil {
		return "", event.Label{}, bad
	}
	defer f.origins.look()()
	c, bad := f.read(s)
	if bad == nil && c.partial {
		bad = fileTooLarge(s, c.size)
	}
	if bad != nil {
		res, err := f.beside(ctx, s, bad)
		return "", res.Label, err
	}
	shown := shownFiles{c.at: true}
	named, _ := s.path()
	shown.add(s.in.real, named)
	return c.text, f.labelOf(ctx, s, shown), nil
}

// Change makes what change returns the text of a file, in place of what it held; "" where there was none. Nobody else writes
// in between, so that what change looked at is what it replaces. tool is who does it, for undo. A file that is no UTF-8
// is refused, and where change returns the text that it was given, nothing is written.
//
// The result has the effect, if there is one, and the label of the file, which what change has read of it needs too. Errors
// are those of change and else of type [*tools.Error]; after one the file is as it was.
func (f *Tool) Change(ctx context.Context, path, tool string, change func(text string) (string, error)) (tools.Result, error) {
	s, bad := f.resolveFile(path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.look()()
	named, _ := s.path()
	shown := shownFiles{}
	shown.add(s.in.real, named)
	kind, idle := "wrote", &tools.Error{} // never seen
	var refused error
	d, done, bad := f.put(ctx, s, tool, true, func(old *existing) ([]byte, *tools.Error) {
		c := content{}
		if old != nil {
			var bad *tools.Error
			if c.raw, bad = old.read(); bad != nil {
				return nil, bad
			}
			at, err := f.realOf(old.file)
			if err != nil {
				return nil, s.fault(err)
			}
			shown[at], c.size, kind = true, int64(len(c.raw)), "edited"
			if bad := c.decode(s); bad != nil {
				return nil, bad
			}
			if c.note != "" {
				return nil, tools.Invalid(event.CodeInvalidFormat, "%s is not UTF-8 and can only be overwritten as a whole", s.name())
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
	res := tools.Result{Label: f.labelOf(ctx, s, shown)}
	switch {
	case refused != nil:
		return res, refused
	case bad == idle:
		return res, nil
	case bad != nil:
		return f.beside(ctx, s, bad)
	}
	done.Kind, done.Detail = kind, fmt.Sprintf("%d bytes", d.Bytes)
	res.Data, res.Effects = d, []event.Effect{done}
	return res, nil
}
