// Command sizes lists the files and functions below the folder in which it runs that are long, longest first: past these sizes a
// piece may be two things. It may be one; then it stays whole. Tests and modules of their own are left out.
//
//	go run ./internal/arch/sizes
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Lines past which something is listed.
const (
	manyInFile     = 400
	manyInFunction = 60
)

// long is a file or function with its lines.
type long struct {
	what  string
	lines int
}

func main() {
	all, err := find(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
	for _, l := range all {
		fmt.Printf("%5d lines  %s\n", l.lines, l.what)
	}
	fmt.Printf("%d files of more than %d lines or functions of more than %d\n", len(all), manyInFile, manyInFunction)
}

// find reads all Go files below root.
func find(root fs.FS) ([]long, error) {
	var all []long
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." {
			if _, err := fs.Stat(root, path.Join(p, "go.mod")); err == nil || d.Name() == "testdata" || d.Name()[0] == '.' {
				return fs.SkipDir
			}
		}
		if d.IsDir() || path.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		found, err := inFile(p, text)
		all = append(all, found...)
		return err
	})
	slices.SortStableFunc(all, func(a, b long) int { return cmp.Compare(b.lines, a.lines) })
	return all, err
}

// inFile lists what is long in one file.
func inFile(p string, text []byte) (all []long, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, p, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse source: %w", err)
	}
	if n := bytes.Count(text, []byte("\n")); n > manyInFile {
		all = append(all, long{p, n})
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		at := fset.Position(f.Pos())
		if n := fset.Position(f.End()).Line - at.Line + 1; n > manyInFunction {
			all = append(all, long{fmt.Sprintf("%s:%d %s", p, at.Line, f.Name.Name), n})
		}
	}
	return all, nil
}
