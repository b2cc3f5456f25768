// Package pages keeps Markdown pages of a household in one folder of the workspace: FOLDER/NAME.md, for people to read and edit
// with anything. The skills notes and lists keep theirs with it.
//
// All of it goes through hob's file tools: what they refuse is refused here, changes can be undone, writers take turns, and a
// page that was written to while strangers' words were in a conversation is a stranger's wherever it is found.
package pages

import (
	"context"
	"errors"
	"path"
	"strings"
	"unicode"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

const (
	ext = ".md"

	maxPages = 200 // that are looked through
	maxName  = 60  // bytes of a page's name
	tries    = 3   // to change a page that other programs change too
)

// Files are the files of the workspace. *files.FileTool is one.
type Files interface {
	// ListFiles returns the names in a folder; an error of code dir_not_found says that there is none.
	ListFiles(dir string) ([]string, error)
	// Load returns the text of a file and where it comes from.
	Load(ctx context.Context, path string) (text string, from event.Label, err error)
	// Change makes what change returns the text of a file, with nobody writing in between; "" where there was none. Where
	// that is the same, nothing is written. Tool is who does it.
	Change(ctx context.Context, path, tool string, change func(text string) (string, error)) (tools.Result, error)
}

// Folder is a folder of pages.
type Folder struct {
	Files Files
	Dir   string // in the workspace, such as notes
}

// Names returns the names of the files of all pages, from a to z and at most 200.
func (f Folder) Names() ([]string, error) {
	all, err := f.Files.ListFiles(f.Dir)
	if e := (*tools.Error)(nil); errors.As(err, &e) && (e.Code == event.CodeDirNotFound || e.Code == event.CodeFileNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range all {
		if strings.HasSuffix(name, ext) && len(names) < maxPages {
			names = append(names, name)
		}
	}
	return names, nil
}

// Find returns the name of the file of a page, and whether it is there: that which people wrote in other letters, or else a
// new one.
func (f Folder) Find(name string) (file string, found bool, err error) {
	names, err := f.Names()
	if err != nil {
		return "", false, err
	}
	name = f.Name(name)
	for _, file := range names {
		if f.Name(file) == name {
			return file, true, nil
		}
	}
	return name + ext, false, nil
}

// Name is the name of a page, made of whatever somebody calls it: small letters, digits and dashes, at most 60 bytes. It is ""
// where there is no letter or digit in it.
func (f Folder) Name(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(strings.TrimSuffix(text, ext), f.Dir+"/")
	words := strings.FieldsFunc(Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
	})
	name := strings.Join(words, "-")
	return strings.Trim(name[:display.CutAt(name, maxName)], "-")
}

// Load returns the text of a page and where it comes from. The label beside an error is that of its words.
func (f Folder) Load(ctx context.Context, file string) (text string, from event.Label, err error) {
	return f.Files.Load(ctx, path.Join(f.Dir, file))
}

// Change changes a page, again where another program came in between. See [Files].
func (f Folder) Change(ctx context.Context, file, tool string, change func(page string) (string, error)) (res tools.Result, err error) {
	for range tries {
		res, err = f.Files.Change(ctx, path.Join(f.Dir, file), tool, change)
		if e := (*tools.Error)(nil); !errors.As(err, &e) || !e.Retryable || e.Type != event.TypeStorage {
			break
		}
	}
	return res, err
}
