package arch

import (
	"go/ast"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWalks: each function that docs/architecture.md names, as a file and `Type.method` or `function`, is in that file.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	stations := regexp.MustCompile("`([a-z_/]+\\.go)`\\s+`([A-Za-z.]+)`").FindAllStringSubmatch(string(text), -1)
	if len(stations) < 20 {
		t.Errorf("the page names %d functions: is it written in another way now?", len(stations))
	}
	declared := map[string]bool{}
	for _, s := range hob(t) {
		for _, d := range s.file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				declared[strings.TrimPrefix(s.path, "internal/")+" "+functionName(fn)] = true
			}
		}
	}
	for _, s := range stations {
		if !declared[s[1]+" "+s[2]] {
			t.Errorf("%s has no %s", s[1], s[2])
		}
	}
}

// TestPaths: each file and folder that the pages for contributors name is there.
func TestPaths(t *testing.T) {
	paths := regexp.MustCompile("`((?:internal|cmd|docs)/[a-z0-9_/.]+)`")
	for _, page := range []string{"CONTRIBUTING.md", "AGENTS.md"} {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		named := paths.FindAllStringSubmatch(string(text), -1)
		if len(named) < 10 {
			t.Errorf("%s names %d paths: is it written in another way now?", page, len(named))
		}
		for _, m := range named {
			if _, err := os.Stat("../../" + m[1]); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// functionName is "Type.method" or "function".
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}
