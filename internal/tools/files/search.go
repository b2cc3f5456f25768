package files

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/schema"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// Bounds of search_files.
const (
	searchTime   = 10 * time.Second
	searchBytes  = 256 << 20 // read in one search
	searchedLine = 200       // bytes of a line that are shown
	maxPattern   = 1000      // bytes
	maxMatches   = 500
	someMatches  = 50 // where nobody says how many
)

type searchArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path,omitempty" default:"."`
	Glob    string `json:"glob,omitempty"`
	Max     int    `json:"max_results,omitempty" quiet:"true"`
}

// searchData is the Data of search_files.
type searchData struct {
	Matches []match `json:"matches"`
	Files   int     `json:"files"` // searched
}

type match struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 0, as the offset of read_file
	Text string `json:"text"`
}

func (f *FileTool) searchTool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "search_files",
		Description:  "Search the contents of files with a regular expression. Returns path:line: text.",
		Capabilities: tools.Reads | tools.Private,
		Scopes:       tools.PrivateScopes(),
		Aliases:      []string{"grep"},
		Examples:     []string{"search_files milk path=notes"},
		Renamed:      dirRenamed(),
	}, f.search)
}

func (f *FileTool) search(ctx context.Context, in searchArgs) (tools.Result, error) {
	if in.Pattern == "" || len(in.Pattern) > maxPattern {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "pattern: must have 1 to %d bytes", maxPattern)
	}
	in.Max = cmp.Or(in.Max, someMatches)
	if in.Max < 1 {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "max_results: must be at least 1, not %d", in.Max)
	}
	if in.Max > maxMatches {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "max_results: must be at most %d, not %d", maxMatches, in.Max)
	}
	glob, err := globPattern(in.Glob)
	if err != nil {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "glob: %q is no file pattern such as *.md or notes/**/*.txt",
			in.Glob)
	}
	q := &query{f: f, most: in.Max, share: f.share(), text: &strings.Builder{},
		data: searchData{Matches: []match{}}, shown: origins.Shown{}}
	if q.re, err = regexp.Compile(in.Pattern); err != nil {
		q.re = regexp.MustCompile(regexp.QuoteMeta(in.Pattern))
		q.notes = append(q.notes, "the pattern is no regular expression and was searched for as it stands")
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	if tree.IsHandle(in.Path) {
		return q.blob(ctx, limited, in)
	}
	p, bad := f.tree.Resolve(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	w := walk{f: f, ctx: limited, recursive: true, visit: func(e entry) bool {
		if !e.mode.IsRegular() || !glob(e.rel) {
			return true
		}
		return q.file(limited, e)
	}}
	if bad = w.start(p); bad != nil && (limited.Err() == nil || ctx.Err() != nil) {
		return f.origins.Beside(ctx, p, bad)
	}
	q.late(limited)
	if w.full {
		q.stop("there are too many files to search all")
	}
	if w.closed > 0 {
		q.notes = append(q.notes, display.Count(w.closed, "folder")+" could not be opened")
	}
	return q.result(in.Pattern, display.Count(q.data.Files, "file"), f.origins.Label(ctx, p, q.shown)), nil
}

// query is one search under way.
type query struct {
	f     *FileTool
	re    *regexp.Regexp
	most  int
	share int
	read  int64
	data  searchData
	shown origins.Shown // that have matches
	text  *strings.Builder
	notes []string
	large int // files that were searched in part
}

func (q *query) stop(why string) {
	q.notes = append(q.notes, why+"; narrow the pattern, path or glob")
}

// late says so when the time for the search is up.
func (q *query) late(limited context.Context) {
	if limited.Err() != nil {
		q.stop(fmt.Sprintf("stopped after %s", searchTime))
	}
}

// blob searches a stored result. It has no name that a glob could be about.
func (q *query) blob(ctx, limited context.Context, in searchArgs) (tools.Result, error) {
	text, from, bad := q.f.blobs.Open(ctx, in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	q.lines(limited, in.Path, []byte(text))
	if ctx.Err() != nil {
		return tools.Result{}, tools.EndedError(ctx, "the search in "+in.Path, "")
	}
	q.late(limited)
	q.data.Files++
	return q.result(in.Pattern, in.Path, from), nil
}

// file searches one file and reports whether the search goes on.
func (q *query) file(ctx context.Context, e entry) bool {
	file, info, bad := q.f.tree.OpenRegular(e.at)
	if bad != nil {
		return true // gone or closed by now
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, tree.MaxFile))
	if err != nil || bytes.IndexByte(raw[:min(len(raw), sniffed)], 0) >= 0 {
		return true
	}
	if info.Size() > tree.MaxFile {
		q.large++
	}
	q.data.Files++
	if q.read += int64(len(raw)); q.read > searchBytes {
		q.stop(fmt.Sprintf("stopped after %s", display.Limit(searchBytes)))
		return false
	}
	before := len(q.data.Matches)
	more := q.lines(ctx, e.at.Shown(), raw)
	if len(q.data.Matches) > before {
		q.shown.Add(e.at.In.Real, e.path)
	}
	return more
}

// lines searches a text line by line and reports whether the search goes on. It counts lines as read_file does.
func (q *query) lines(ctx context.Context, path string, raw []byte) bool {
	n, looked := 0, 0
	for line := range bytes.Lines(raw) {
		if looked++; looked%1000 == 0 && ctx.Err() != nil {
			return false
		}
		ends := []int{len(line)}
		if len(line) > maxPiece {
			ends = piecesOf(line)
		}
		if !q.line(path, n, bytes.TrimRight(line, "\r\n"), ends) {
			return false
		}
		n += len(ends)
	}
	return true
}

// line looks for a match in each of the pieces, which have their ends there, of line n.
func (q *query) line(path string, n int, line []byte, ends []int) bool {
	if len(ends) == 1 {
		at := q.re.FindIndex(line)
		return at == nil || q.add(match{Path: path, Line: n, Text: showMatch(line, at)})
	}
	last := -1
	for _, at := range q.re.FindAllIndex(line, maxPiece*(q.most+1)) { // more than enough to have them in most pieces
		piece, _ := slices.BinarySearch(ends, at[0]+1)
		if piece = min(piece, len(ends)-1); piece == last {
			continue
		}
		last = piece
		if !q.add(match{Path: path, Line: n + piece, Text: showMatch(line, at)}) {
			return false
		}
	}
	return true
}

// piecesOf returns where the pieces of a long line end.
func piecesOf(line []byte) []int {
	var ends []int
	at := 0
	for len(line)-at > maxPiece {
		at += pieceOf(line[at:])
		ends = append(ends, at)
	}
	return append(ends, len(line))
}

// add takes a match in, and reports whether there is room for another.
func (q *query) add(m match) bool {
	line := fmt.Sprintf("%s:%d: %s\n", display.Quote(m.Path), m.Line, m.Text)
	if len(q.data.Matches) == q.most || q.text.Len()+len(line) > q.share-300 {
		q.stop("there is more than " + display.Count(len(q.data.Matches), "match"))
		return false
	}
	q.text.WriteString(line)
	q.data.Matches = append(q.data.Matches, m)
	return true
}

func (q *query) result(pattern, where string, from event.Label) tools.Result {
	if len(q.data.Matches) == 0 {
		fmt.Fprintf(q.text, "no match for %s in %s\n", schema.Short(pattern), where)
	}
	if q.large > 0 {
		q.notes = append(q.notes, fmt.Sprintf("of %s only the first %s were searched",
			display.Count(q.large, "file"), display.Limit(tree.MaxFile)))
	}
	if len(q.notes) > 0 {
		fmt.Fprintf(q.text, "[%s]\n", strings.Join(q.notes, "; "))
	}
	return tools.Result{Text: strings.TrimSuffix(q.text.String(), "\n"), Data: q.data, Label: from}
}

// showMatch cuts a line to what is shown of it, the match in view.
func showMatch(line []byte, at []int) string {
	text := line
	before, after := "", ""
	if len(line) > searchedLine {
		from := max(0, min(at[0]-searchedLine/4, len(line)-searchedLine))
		to := from + searchedLine
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		for to < len(line) && !utf8.RuneStart(line[to]) {
			to++
		}
		text = line[from:to]
		if from > 0 {
			before = "..."
		}
		if to < len(line) {
			after = "..."
		}
	}
	return before + strings.ToValidUTF8(strings.TrimSpace(string(text)), "\uFFFD") + after
}

// globPattern returns the test for names that a glob describes: * and ? within a name, ** across folders, {a,b} either,
// [abc] one of. A glob without a slash is about the last part of a path.
func globPattern(glob string) (func(rel string) bool, error) {
	if glob == "" {
		return func(string) bool { return true }, nil
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(`.*`)
			i++
		case c == '*':
			b.WriteString(`[^/]*`)
		case c == '?':
			b.WriteString(`[^/]`)
		case c == '{':
			depth++
			b.WriteString(`(?:`)
		case c == '}' && depth > 0:
			depth--
			b.WriteString(`)`)
		case c == ',' && depth > 0:
			b.WriteString(`|`)
		case c == '[':
			end := strings.IndexByte(glob[i:], ']')
			if end < 2 {
				return nil, fmt.Errorf("compile glob: an open [")
			}
			set := strings.ReplaceAll(glob[i+1:i+end], `\`, `\\`)
			if strings.HasPrefix(set, "!") {
				set = "^" + set[1:]
			}
			b.WriteString("[" + set + "]")
			i += end
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1])) // a byte of a longer rune stays as it is
		}
	}
	re, err := regexp.Compile(`^(?s:` + b.String() + `)$`)
	if err != nil {
		return nil, fmt.Errorf("compile glob: %w", err)
	}
	whole := strings.Contains(glob, "/")
	return func(rel string) bool {
		if !whole {
			rel = path.Base(rel)
		}
		return re.MatchString(rel)
	}, nil
}
