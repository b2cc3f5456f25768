package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "hob"

// source is one parsed Go file of the module.
type source struct {
	path string // relative to the module, with slashes
	test bool
	file *ast.File
	fset *token.FileSet
}

func (s source) pkg() string { return path.Dir(s.path) }

func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.fset.Position(n.Pos()).Line)
}

// parse is parseAll for a test.
func parse(t *testing.T, root fs.FS) []source {
	t.Helper()
	all, err := parseAll(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parseAll reads every Go file below root that belongs to the main module.
func parseAll(root fs.FS) (all []source, err error) {
	err = fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." {
			if _, err := fs.Stat(root, path.Join(p, "go.mod")); err == nil || d.Name() == "testdata" || d.Name()[0] == '.' {
				return fs.SkipDir // a module of its own, or no code of ours
			}
		}
		if d.IsDir() || path.Ext(p) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, p, text, parser.ParseComments)
		if err != nil {
			return err
		}
		all = append(all, source{p, strings.HasSuffix(p, "_test.go"), file, fset})
		return nil
	})
	return all, err
}

// hobSources are the sources of this module, read once for all tests.
var hobSources = sync.OnceValues(func() ([]source, error) { return parseAll(os.DirFS(filepath.Join("..", ".."))) })

func hob(t *testing.T) []source {
	t.Helper()
	all, err := hobSources()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("found %d files: is this the root of the module?", len(all))
	}
	return all
}

// check runs rule over the sources and fails with what it finds.
func check(t *testing.T, sources []source, rule func(source) []string) {
	t.Helper()
	for _, s := range sources {
		for _, problem := range rule(s) {
			t.Error(problem)
		}
	}
}

func TestImports(t *testing.T)      { check(t, hob(t), badImports) }
func TestNoState(t *testing.T)      { check(t, hob(t), packageState) }
func TestNoBackground(t *testing.T) { check(t, hob(t), makesContext) }
func TestNoSleep(t *testing.T)      { check(t, hob(t), sleeps) }

func TestEveryPackageIsInTheTable(t *testing.T) {
	for _, s := range hob(t) {
		name, internal := strings.CutPrefix(s.pkg(), "internal/")
		if _, ok := imports()[name]; internal && !ok {
			t.Errorf("%s: package %s is not in the table: add a row to internal/arch/imports_test.go, such as %q: {\"event\"}", s.path, name, name)
		}
		if !internal && s.pkg() != "cmd/hob" {
			t.Errorf("%s: code lives in cmd/hob and below internal/", s.path)
		}
	}
}

// badImports names the imports of this module that the table does not allow.
func badImports(s source) []string {
	name, internal := strings.CutPrefix(s.pkg(), "internal/")
	if !internal || s.test {
		return nil
	}
	var bad []string
	for _, imp := range s.file.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		target, ours := strings.CutPrefix(p, module+"/internal/")
		if ours && !slices.Contains(imports()[name], target) && !slices.Contains(shared(), target) {
			bad = append(bad, fmt.Sprintf("%s: %s may not import %s: the table is internal/arch/imports_test.go", s.at(imp), name, target))
		}
	}
	return bad
}

// packageState names package variables other than sentinel errors, compiled regexps, values that are made once, embedded files and
// interface checks, and functions named init.
func packageState(s source) []string {
	if s.test {
		return nil
	}
	var bad []string
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "init" && d.Recv == nil {
				bad = append(bad, s.at(d)+": func init")
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				if !harmless(d, v) && !(v.Names[0].Name == "_" && s.path == earlyStart) && !(v.Names[0].Name == "stamp" && s.path == linkerSet) {
					bad = append(bad, s.at(v)+": package variable "+v.Names[0].Name)
				}
			}
		}
	}
	return bad
}

func harmless(d *ast.GenDecl, v *ast.ValueSpec) bool {
	for _, doc := range []*ast.CommentGroup{d.Doc, v.Doc} {
		if doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") }) {
			return true
		}
	}
	for _, value := range v.Values {
		call, ok := value.(*ast.CallExpr)
		if !ok {
			return v.Names[0].Name == "_"
		}
		if _, conversion := call.Fun.(*ast.ParenExpr); conversion && v.Names[0].Name == "_" {
			continue // a check that a type has the methods of an interface
		}
		switch fn := selector(call.Fun); fn {
		case "errors.New", "lazyregexp.New", "sync.OnceValue":
		default:
			return false
		}
	}
	return len(v.Values) > 0
}

// contextRoots are the files beside package main in which a context may begin, and why none can be handed in.
func contextRoots() map[string]string {
	return map[string]string{
		"internal/app/app.go":             "closing goes on after the command was interrupted",
		"internal/client/client.go":       "closing goes on after the command was interrupted",
		"internal/app/egress.go":          "a ledger is written to by connections, which outlive the context of who dialed",
		"internal/game/proof/prover.go":   "tales are listed without one, and a search is bounded by its states",
		"internal/surface/http/socket.go": "a socket of this machine is made at once",
		"internal/app/toolset.go":         "a registry lists its tools without one",
	}
}

// makesContext names uses of context.Background and context.TODO outside cmd and tests.
func makesContext(s source) []string {
	if s.test || strings.HasPrefix(s.path, "cmd/") || s.file.Name.Name == "main" || contextRoots()[s.path] != "" {
		return nil
	}
	return calls(s, "context.Background", "context.TODO")
}

// sleeps names uses of time.Sleep in tests.
func sleeps(s source) []string {
	if !s.test {
		return nil
	}
	return calls(s, "time.Sleep")
}

func calls(s source, banned ...string) []string {
	var bad []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && slices.Contains(banned, selector(e)) {
			bad = append(bad, s.at(n)+": "+selector(e))
		}
		return true
	})
	return bad
}

// selector is "pkg.Name" for such an expression, else "".
func selector(e ast.Expr) string {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return x.Name + "." + sel.Sel.Name
}
