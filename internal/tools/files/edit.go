package files

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

type editArgs struct {
	Path string `json:"path"`
	Old  string `json:"old_string"`
	New  string `json:"new_string"`
	All  bool   `json:"replace_all,omitempty" quiet:"true"`
}

func (f *FileTool) editTool() tools.Tool {
	return tools.New(f.changing(tools.Def{
		Name:           "edit_file",
		Description:    "Replace exact text in a file. Read the file first.",
		CapabilitiesOf: f.capabilitiesOf,
		ResourcesOf:    f.resourcesOf,
		Command:        "edit_file <path:string> <old_string:string> <new_string:string>",
		Examples:       []string{`edit_file notes/todo.md milk "oat milk"`},
		Check:          tools.CheckArgs(editArgs.check),
	}), f.edit)
}

// check says what is wrong with the texts.
func (in editArgs) check() error {
	switch in.Old {
	case "":
		return tools.Invalid(event.CodeRequiredField, "old_string: must not be empty")
	case in.New:
		return tools.Invalid(event.CodeInvalidValue, "new_string: is the same as old_string, nothing would change")
	}
	return nil
}

func (f *FileTool) edit(ctx context.Context, in editArgs) (tools.Result, error) {
	p, bad := f.tree.ResolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	places := 0
	defer f.origins.Look()()
	d, done, bad := f.put(ctx, p, "edit_file", false, func(old *tree.Existing) ([]byte, *tools.Error) {
		if old == nil {
			return nil, f.tree.Missing(p, fs.ErrNotExist)
		}
		before, bad := old.Read()
		if bad != nil {
			return nil, bad
		}
		var after []byte
		after, places, bad = replaceText(p, before, in)
		return after, bad
	})
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	d.Places = places
	text := fmt.Sprintf("edited %s in %s, %d bytes", display.Quote(d.Path), display.Count(places, "place"), d.Bytes) + inBrackets(d.Note)
	done.Kind, done.Detail = "edited", fmt.Sprintf("%d bytes", d.Bytes)
	return tools.Result{Text: text, Data: d, Effects: []event.Effect{done}}, nil
}

// replaceText makes the edit and says in how many places. In a file whose lines end in CRLF the lines of the
// arguments may end in LF, as a model writes them; the file keeps its kind.
func replaceText(p tree.Path, before []byte, in editArgs) ([]byte, int, *tools.Error) {
	c := content{raw: before, size: int64(len(before))}
	if bad := c.decodeUTF8(p); bad != nil {
		return nil, 0, bad
	}
	from, to := []byte(in.Old), []byte(in.New)
	n := bytes.Count(before, from)
	if n == 0 && bytes.Contains(before, []byte("\r\n")) {
		from, to = toCRLF(from), toCRLF(to)
		n = bytes.Count(before, from)
	}
	if n == 0 {
		from, to = removeDefusing(from), removeDefusing(to)
		n = bytes.Count(before, from)
	}
	switch {
	case n == 0:
		return nil, 0, notFound(p, c.text, in.Old)
	case n > 1 && !in.All:
		return nil, 0, tools.Invalid(event.CodeInvalidValue, "old_string: stands in %s %d times, in lines %s (counted from 0)",
			p.Name(), n, linesOf(before, from)).Suggest("take in more of the text around the one you mean, or set replace_all")
	}
	return bytes.ReplaceAll(before, from, to), n, nil
}

// removeDefusing takes the blank out of tokens that a model was shown with one, because they would have ended the message that
// it read them in: see package untrusted.
func removeDefusing(text []byte) []byte {
	shown := regexp.MustCompile(`([<\[]) (\||｜|/?INST\]|(?:start|end)_of_turn>|turn\|>)`)
	return shown.ReplaceAll(text, []byte("$1$2"))
}

func toCRLF(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// linesOf names the lines in which sub begins.
func linesOf(text, sub []byte) string {
	var lines []string
	line := 0
	for len(lines) < 10 {
		i := bytes.Index(text, sub)
		if i < 0 {
			return strings.Join(lines, ", ")
		}
		line += bytes.Count(text[:i], []byte("\n"))
		lines = append(lines, fmt.Sprint(line))
		line += bytes.Count(text[i:i+len(sub)], []byte("\n"))
		text = text[i+len(sub):]
	}
	return strings.Join(append(lines, "..."), ", ")
}

// notFound is the error for text that is not in the file; it shows the line that is most like it.
func notFound(p tree.Path, text, old string) *tools.Error {
	e := tools.Invalid(event.CodeInvalidValue, "old_string: does not stand in %s", p.Name()).Suggest("read the file and copy the text exactly")
	var wanted string
	for line := range strings.Lines(old) {
		if wanted = strings.TrimSpace(line); wanted != "" {
			break
		}
	}
	lines, _ := splitLines(text)
	best, score := -1, 0.5 // less alike is no help
	for i, line := range lines[:min(len(lines), 20_000)] {
		if alike := tree.Likeness(wanted, strings.TrimSpace(line)); alike > score {
			best, score = i, alike
		}
	}
	if best >= 0 {
		line := display.TruncateBytes(strings.TrimRight(lines[best], "\r\n"), 300)
		e.Message += fmt.Sprintf("; the nearest is line %d (counted from 0): %q", best, line)
	}
	return e
}
