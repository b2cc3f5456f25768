package toolstest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// EveryToolIsTested fails when a tool of the package whose tests call it lacks one of its four tests, or when the package
// defines no tool. Every tool that a family below internal/tools defines, that is, every tools.Def{Name: "...", ...} and
// tools.Build("...") in a non-test file, has four test functions, named after the tool in camel case (read_file -> ReadFile,
// fetch -> Fetch). The tests of a skill's tools are named after what they show.
//
//	func TestReadFile_Success(t *testing.T)         // what it is for
//	func TestReadFile_BadArguments(t *testing.T)    // missing, unknown, mistyped, out of range: code and message
//	func TestReadFile_Errors(t *testing.T)          // what can go wrong with good arguments: code and message
//	func TestReadFile_UnchangedState(t *testing.T)  // after each error the world is byte for byte as it was
//
// A row of the conformance table is a subtest of that name: t.Run("read_file-07", ...).
func EveryToolIsTested(t *testing.T) {
	t.Helper()
	named, tests := map[string]string{}, map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			collectTests(file, tests)
		} else {
			collectTools(file, name, named)
		}
	}
	if len(named) == 0 {
		t.Error("no Def names a tool: has the way tools are defined changed?")
	}
	for tool, file := range named {
		for _, kind := range []string{"Success", "BadArguments", "Errors", "UnchangedState"} {
			if fn := "Test" + camel(tool) + "_" + kind; !tests[fn] {
				t.Errorf("%s of %s has no %s", tool, file, fn)
			}
		}
	}
}

func collectTests(file *ast.File, into map[string]bool) {
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
			into[fn.Name.Name] = true
		}
	}
}

// collectTools finds the composite literals tools.Def{Name: "..."} and the calls tools.Build("...").
func collectTools(file *ast.File, name string, into map[string]string) {
	add := func(e ast.Expr) {
		if val, ok := e.(*ast.BasicLit); ok && val.Kind == token.STRING {
			tool, _ := strconv.Unquote(val.Value)
			into[tool] = name
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if fn, ok := n.Fun.(*ast.SelectorExpr); ok && fn.Sel.Name == "Build" && len(n.Args) == 1 {
				add(n.Args[0])
			}
		case *ast.CompositeLit:
			if typ, ok := n.Type.(*ast.SelectorExpr); !ok || typ.Sel.Name != "Def" {
				return true
			}
			for _, elt := range n.Elts {
				if kv, ok := elt.(*ast.KeyValueExpr); ok {
					if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
						add(kv.Value)
					}
				}
			}
		}
		return true
	})
}

func camel(tool string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(tool, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
