package files

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// Bounds of what read_file shows.
const (
	defaultLines = 2000
	maxPiece     = 512     // bytes of a line; a longer one counts as several lines. It fits the smallest share
	sniffed      = 8 << 10 // bytes that are looked at to tell text from everything else
)

type readArgs struct {
	Path     string `json:"path"`
	Offset   int    `json:"offset,omitempty" min:"0"`
	Limit    int    `json:"limit,omitempty" min:"1" quiet:"true"` // 2000 where nobody says how many
	Encoding string `json:"encoding,omitempty" enum:"utf-8" quiet:"true"`
}

// readData is the Data of read_file.
type readData struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`          // of the file
	Lines  int    `json:"lines"`          // of the file
	Offset int    `json:"offset"`         // the first line shown
	Shown  int    `json:"shown"`          // lines
	Next   int    `json:"next,omitempty"` // the offset to go on with; absent at the end
	Note   string `json:"note,omitempty"` // what had to be done to make it text
}

func (f *FileTool) readTool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "read_file",
		Description:  "Read a text file. Returns the lines from offset, counted from 0.",
		Capabilities: tools.Reads | tools.Private,
		Scopes:       tools.PrivateScopes(),
		Aliases:      []string{"cat"},
		Examples:     []string{"read_file notes/todo.md"},
	}, func(ctx context.Context, in readArgs) (tools.Result, error) {
		if tree.IsHandle(in.Path) {
			return f.readBlob(ctx, in)
		}
		return f.readText(ctx, in)
	})
}

func (f *FileTool) readText(ctx context.Context, in readArgs) (tools.Result, error) {
	p, bad := f.tree.Resolve(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	c, bad := f.read(p)
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	shown := origins.Shown{c.at: true}
	shown.AddPath(p)
	return c.result(p.Shown(), f.origins.Label(ctx, p, shown), in, f.share(), tools.TaskFrom(ctx))
}

// readBlob reads a stored result. It is text whatever it holds.
func (f *FileTool) readBlob(ctx context.Context, in readArgs) (tools.Result, error) {
	text, from, bad := f.blobs.Open(ctx, in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	c := content{text: text, size: int64(len(text))}
	return c.result(in.Path, from, in, f.share(), tools.TaskFrom(ctx))
}

// content is a file as text.
type content struct {
	raw     []byte // as it is on the disk
	text    string // as UTF-8, without a byte order mark
	note    string // how text was made from raw, when it is not the same
	size    int64
	partial bool   // the file is longer than raw
	at      string // the file's path without links, where it is known where files come from
}

// read returns the text of a file, the first 16 MiB of it when it is longer.
func (f *FileTool) read(p tree.Path) (content, *tools.Error) {
	file, info, bad := f.tree.OpenRegular(p)
	if bad != nil {
		return content{}, bad
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, tree.MaxFile+1))
	if err != nil {
		return content{}, p.Fault(err)
	}
	c := content{raw: raw, size: max(info.Size(), int64(len(raw)))}
	if c.at, err = f.origins.RealPath(file); err != nil {
		return content{}, p.Fault(err)
	}
	if len(raw) > tree.MaxFile {
		c.raw, c.partial = raw[:tree.MaxFile], true
	}
	return c, c.decode(p)
}

// Byte order marks.
const (
	markUTF8    = "\xEF\xBB\xBF"
	markUTF16LE = "\xFF\xFE"
	markUTF16BE = "\xFE\xFF"
	markUTF32LE = "\xFF\xFE\x00\x00"
)

// decode makes c.text from c.raw.
func (c *content) decode(p tree.Path) *tools.Error {
	raw := c.raw
	switch {
	case bytes.HasPrefix(raw, []byte(markUTF32LE)):
		return c.noText(p)
	case bytes.HasPrefix(raw, []byte(markUTF16LE)):
		c.text, c.note = decodeUTF16(raw[2:], 0, 1), "converted from UTF-16"
		return nil
	case bytes.HasPrefix(raw, []byte(markUTF16BE)):
		c.text, c.note = decodeUTF16(raw[2:], 1, 0), "converted from UTF-16"
		return nil
	case bytes.IndexByte(raw[:min(len(raw), sniffed)], 0) >= 0:
		return c.noText(p)
	}
	raw = bytes.TrimPrefix(raw, []byte(markUTF8))
	if c.partial {
		raw = display.TrimRune(raw)
	}
	if utf8.Valid(raw) {
		c.text = string(raw)
		return nil
	}
	runes := make([]rune, len(raw))
	for i, b := range raw {
		runes[i] = rune(b)
	}
	c.text, c.note = string(runes), "not valid UTF-8, shown as Latin-1"
	return nil
}

// decodeUTF8 is decode for a file that is to be changed in part.
func (c *content) decodeUTF8(p tree.Path) *tools.Error {
	bad := c.decode(p)
	if bad == nil && c.note != "" {
		bad = tools.Invalid(event.CodeInvalidFormat, "%s is not UTF-8 and can only be overwritten as a whole", p.Name())
	}
	return bad
}

func (c *content) noText(p tree.Path) *tools.Error {
	kind, _, _ := strings.Cut(http.DetectContentType(c.raw), ";")
	return tools.Invalid(event.CodeInvalidFormat, "%s is no text but %s of %d bytes", p.Name(), kind, c.size).
		Suggest("look at it with run_command and a program that knows its format")
}

// decodeUTF16 takes the places of the low and the high byte of a unit.
func decodeUTF16(raw []byte, low, high int) string {
	units := make([]uint16, 0, len(raw)/2)
	for ; len(raw) >= 2; raw = raw[2:] {
		units = append(units, uint16(raw[low])|uint16(raw[high])<<8)
	}
	return string(utf16.Decode(units))
}

// result shows what in asks for, and no more bytes than share. What is missing is named in a last line. Where a file is read
// from its beginning and does not fit, the lines of its rest that the task is about stand below the page.
func (c *content) result(name string, from event.Label, in readArgs, share int, task tools.Task) (tools.Result, error) {
	offset, limit := in.Offset, cmp.Or(in.Limit, defaultLines)
	lines, long := splitLines(c.text)
	const reserve = 300 // for the last line
	end, size, further := offset, 0, ""
	for end < len(lines) && end-offset < limit && size+len(lines[end]) <= share-reserve {
		size += len(lines[end])
		end++
	}
	if offset == 0 && end < len(lines) && end < limit {
		found := task.Words.Numbered(lines[end:], end, (share-reserve)*2/5)
		room := len(found) + 8*strings.Count(found, "\n") + 60    // more words in the last line
		for end > 0 && found != "" && size+room > share-reserve { // they take the room of the last lines of the page
			end--
			size -= len(lines[end])
		}
		further = task.Words.Numbered(lines[end:], end, share-reserve-60-size)
	}
	d := readData{Path: name, Bytes: c.size, Lines: len(lines), Offset: offset, Shown: end - offset, Note: c.note}
	var notes []string
	if offset > 0 && offset >= len(lines) {
		notes = append(notes, fmt.Sprintf("nothing from line %d on: there are %d lines", offset, len(lines)))
	} else if end < len(lines) {
		d.Next = end
		how := fmt.Sprintf("continue with offset=%d", end)
		if task.HasSearch() {
			how = fmt.Sprintf("use search_files to find something in it, or continue with offset=%d", end)
		}
		also := ""
		if further != "" {
			also = ", and those further on that have words of the task"
		}
		notes = append(notes, fmt.Sprintf("lines %d-%d of %d%s; %s", offset, end-1, len(lines), also, how))
	} else if offset > 0 {
		notes = append(notes, fmt.Sprintf("lines %d-%d of %d; this is the end", offset, end-1, len(lines)))
	}
	if long && len(notes) > 0 {
		notes = append(notes, fmt.Sprintf("a line longer than %d bytes counts as several", maxPiece))
	}
	if c.partial {
		notes = append(notes, fmt.Sprintf("only the first %d of %d bytes can be read; use run_command for the rest", tree.MaxFile, c.size))
	}
	if c.note != "" {
		notes = append(notes, c.note)
	}
	if len(c.text) == 0 {
		notes = append(notes, "the file is empty")
	}
	text := strings.Join(lines[min(offset, end, len(lines)):min(end, len(lines))], "")
	if further != "" {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += "[further on:]\n" + further
	}
	if len(notes) > 0 {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += "[" + strings.Join(notes, "; ") + "]"
	}
	return tools.Result{Text: text, Data: d, Label: from}, nil
}

// splitLines cuts text after its newlines, and lines longer than maxPiece bytes into pieces that end between two runes.
// It reports whether there was such a line. What it returns is numbered the same however much fits a model at the time:
// a number that was once told stays right.
func splitLines(text string) (lines []string, long bool) {
	for line := range strings.Lines(text) {
		for len(line) > maxPiece {
			cut := pieceOf(line)
			lines, line, long = append(lines, line[:cut]), line[cut:], true
		}
		lines = append(lines, line)
	}
	return lines, long
}

// pieceOf returns where the first piece of a line that is longer than maxPiece ends.
func pieceOf[text string | []byte](line text) int {
	for cut := maxPiece; cut > maxPiece-utf8.UTFMax; cut-- {
		if utf8.RuneStart(line[cut]) {
			return cut
		}
	}
	return maxPiece // no UTF-8
}
