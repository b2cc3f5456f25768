package files

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/schema"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
)

// maxFound bounds the files of find_files.
const maxFound = 100

type findArgs struct {
	Name string `json:"name" jsonschema:"words of it, or a glob"`
	Path string `json:"path,omitempty" default:"."`
}

// findData is the Data of find_files.
type findData struct {
	Found []foundFile `json:"found"`
	Files int         `json:"files"` // whose names were looked at
}

type foundFile struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

func (f *FileTool) findTool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "find_files",
		Description:  "Find files by their names.",
		Capabilities: tools.Reads | tools.Private,
		Scopes:       tools.PrivateScopes(),
		Command:      "find_files <name:string...>",
		Aliases:      []string{"find"},
		Examples:     []string{"find_files may bill", "find_files path=notes *.md"},
		Renamed:      dirRenamed(),
	}, f.find)
}

// find names the files whose names fit, links to files among them.
func (f *FileTool) find(ctx context.Context, in findArgs) (tools.Result, error) {
	fits, bad := namePattern(in.Name)
	if bad != nil {
		return tools.Result{}, bad
	}
	p, bad := f.tree.Resolve(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	d, text, shown, share := findData{Found: []foundFile{}}, strings.Builder{}, origins.Shown{}, f.share()
	more := false
	w := walk{f: f, ctx: limited, recursive: true, visit: func(e entry) bool {
		if e.mode.IsDir() {
			return true
		}
		d.Files++
		if !fits(e.rel) {
			return true
		}
		one := foundFile{Path: e.at.Shown(), Bytes: e.size}
		line := fmt.Sprintf("%s (%s)\n", display.Quote(one.Path), display.Bytes(one.Bytes))
		if more = len(d.Found) == maxFound || text.Len()+len(line) > share-300; more {
			return false
		}
		text.WriteString(line)
		d.Found = append(d.Found, one)
		shown.Add(p.In.Real, e.path)
		return true
	}}
	if bad := w.start(p); bad != nil && (limited.Err() == nil || ctx.Err() != nil) {
		return f.origins.Beside(ctx, p, bad)
	}
	var notes []string
	narrow := func(why string) { notes = append(notes, why+"; narrow name or path") }
	if more {
		narrow("there are more than " + display.Count(len(d.Found), "file"))
	}
	if limited.Err() != nil {
		narrow(fmt.Sprintf("stopped after %s", searchTime))
	}
	if w.full {
		narrow("there are too many files to look at all")
	}
	if w.closed > 0 {
		notes = append(notes, display.Count(w.closed, "folder")+" could not be opened")
	}
	if len(d.Found) == 0 {
		fmt.Fprintf(&text, "no name fits %s, of %s\n", schema.Short(in.Name), display.Count(d.Files, "file"))
	}
	if len(notes) > 0 {
		fmt.Fprintf(&text, "[%s]\n", strings.Join(notes, "; "))
	}
	return tools.Result{Text: strings.TrimSuffix(text.String(), "\n"), Data: d, Label: f.origins.Label(ctx, p, shown)}, nil
}

// namePattern returns the test for names that somebody describes, in whatever letters: by a glob, or by words that are all in the
// name. A word with a slash is looked for in the path.
func namePattern(name string) (fits func(rel string) bool, bad *tools.Error) {
	if strings.TrimSpace(name) == "" || len(name) > maxPattern {
		return nil, tools.Invalid(event.CodeInvalidValue, "name: must have 1 to %d bytes", maxPattern)
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if strings.ContainsAny(name, "*?[{") {
		glob, err := globPattern(name)
		if err != nil {
			return nil, tools.Invalid(event.CodeInvalidValue, "name: %q is no file pattern such as *.md or notes/**/*.txt", name)
		}
		return func(rel string) bool { return glob(strings.ToLower(rel)) }, nil
	}
	words := strings.Fields(name)
	return func(rel string) bool {
		rel = strings.ToLower(rel)
		base := path.Base(rel)
		return !slices.ContainsFunc(words, func(word string) bool {
			if strings.Contains(word, "/") {
				return !strings.Contains(rel, word)
			}
			return !strings.Contains(base, word)
		})
	}, nil
}
