package arch

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The packages of the loop: the page with its phases, and the stages that implement agent.Stage.
const (
	loopPackage  = "internal/agent"
	stagePackage = "internal/agent/staged"
)

// TestLoop holds the loop to one page: Run switches on the phase and calls the one function of that phase. Nothing else in the package
// refers to Run or to the function of a phase. The comment on Run draws the ways from phase to phase that the code has.
func TestLoop(t *testing.T) {
	for _, problem := range loopProblems(hob(t)) {
		t.Error(problem)
	}
}

// loop is the code of the loop.
type loop struct {
	run   *ast.FuncDecl
	at    func(ast.Node) string
	funcs map[string][]*ast.FuncDecl // those that return a phase, by name
	cases map[string]string          // the function of each phase
	bad   []string
}

func loopProblems(sources []source) []string {
	l := &loop{funcs: map[string][]*ast.FuncDecl{}, cases: map[string]string{}}
	var code []source
	for _, s := range sources {
		if s.test || s.pkg() != loopPackage && s.pkg() != stagePackage {
			continue
		}
		code = append(code, s)
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if f.Name.Name == "Run" && f.Recv != nil && s.pkg() == loopPackage {
				l.run, l.at = f, s.at
			}
			if phaseResult(f) >= 0 {
				l.funcs[f.Name.Name] = append(l.funcs[f.Name.Name], f)
			}
		}
	}
	if l.run == nil {
		return []string{loopPackage + " has no method Run"}
	}
	l.readPage()
	for _, s := range code {
		l.checkCalls(s)
	}
	l.checkDiagram()
	return l.bad
}

func (l *loop) failf(format string, args ...any) { l.bad = append(l.bad, fmt.Sprintf(format, args...)) }

// readPage reads the switch of Run.
func (l *loop) readPage() {
	ast.Inspect(l.run.Body, func(n ast.Node) bool {
		sw, ok := n.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		for _, clause := range sw.Body.List {
			c := clause.(*ast.CaseClause)
			var calls []string
			for _, s := range c.Body {
				if assign, ok := s.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 {
					calls = append(calls, calledName(assign.Rhs[0]))
				}
			}
			if len(c.List) != 1 || len(c.Body) != 1 || len(calls) > 1 {
				l.failf("%s: a case of Run is not one phase and one call", l.at(c))
				continue
			}
			if len(calls) == 1 {
				l.cases[nameOf(c.List[0])] = calls[0]
			}
		}
		return false
	})
}

// checkCalls finds what refers to Run or to the function of a phase, but for the page itself.
func (l *loop) checkCalls(s source) {
	phases := slices.Collect(maps.Values(l.cases))
	for _, d := range s.file.Decls {
		page := d == ast.Decl(l.run)
		ast.Inspect(d, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch name := sel.Sel.Name; {
			case name == "Run":
				l.failf("%s: the loop calls Run", s.at(sel))
			case slices.Contains(phases, name) && !page:
				l.failf("%s: only Run calls the phase %s", s.at(sel), name)
			}
			return true
		})
	}
}

// checkDiagram compares the arrows in the comment on Run with those of the code.
func (l *loop) checkDiagram() {
	drawn := map[string][]string{}
	for line := range strings.Lines(l.run.Doc.Text()) {
		if from, to, ok := strings.Cut(line, "->"); ok {
			for _, phase := range strings.Split(to, "|") {
				drawn[strings.TrimSpace(from)] = append(drawn[strings.TrimSpace(from)], strings.TrimSpace(phase))
			}
		}
	}
	if len(l.cases) == 0 {
		l.failf("%s: Run has no phases", l.at(l.run))
	}
	for phase := range drawn {
		if l.cases[phase] == "" {
			l.failf("%s: the comment draws ways from %s, which is no phase of the page", l.at(l.run), phase)
		}
	}
	for _, phase := range slices.Sorted(maps.Keys(l.cases)) {
		to := l.phases(l.cases[phase], map[string]bool{})
		for _, next := range slices.Sorted(maps.Keys(to)) {
			if !slices.Contains(drawn[phase], next) {
				l.failf("%s: %s leads to %s, and the comment does not draw that", l.at(l.run), phase, next)
			}
		}
		for _, next := range drawn[phase] {
			if !to[next] {
				l.failf("%s: the comment draws a way from %s to %s, and the code has none", l.at(l.run), phase, next)
			}
		}
	}
}

// phases are the phases that a function can return without an error, itself or through the functions whose phase it returns.
// A method of agent.Stage is looked up among the stages.
func (l *loop) phases(name string, seen map[string]bool) map[string]bool {
	all := map[string]bool{}
	if seen[name] {
		return all
	}
	seen[name] = true
	if len(l.funcs[name]) != 1 {
		l.failf("%d functions named %s return a phase: it has to be one", len(l.funcs[name]), name)
		return all
	}
	f := l.funcs[name][0]
	i := phaseResult(f)
	for _, r := range returns(f.Body) {
		switch {
		case len(r.Results) == 1: // of a function that returns the same
			maps.Copy(all, l.phases(calledName(r.Results[0]), seen))
		case len(r.Results) <= i:
			l.failf("%s returns a phase that is not written there", name)
		case nameOf(r.Results[i]) == "End" && nameOf(r.Results[len(r.Results)-1]) != "nil": // with an error
		case ast.IsExported(nameOf(r.Results[i])):
			all[nameOf(r.Results[i])] = true
		default:
			maps.Copy(all, l.assigned(f, nameOf(r.Results[i]), seen))
		}
	}
	return all
}

// assigned are the phases that a variable of a function can have.
func (l *loop) assigned(f *ast.FuncDecl, variable string, seen map[string]bool) map[string]bool {
	all := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return nameOf(e) == variable }) {
			return true
		}
		if len(a.Rhs) == 1 && calledName(a.Rhs[0]) != "" {
			maps.Copy(all, l.phases(calledName(a.Rhs[0]), seen))
			return true
		}
		l.failf("%s sets %s in a way that cannot be followed", f.Name.Name, variable)
		return true
	})
	if len(all) == 0 {
		l.failf("%s returns %s, which is no phase", f.Name.Name, variable)
	}
	return all
}

// phaseResult is which result of a function is a Phase, or -1.
func phaseResult(f *ast.FuncDecl) int {
	if f.Type.Results == nil || f.Body == nil {
		return -1
	}
	n := 0
	for _, field := range f.Type.Results.List {
		if nameOf(field.Type) == "Phase" {
			return n
		}
		n += max(len(field.Names), 1)
	}
	return -1
}

// returns are the return statements of a body, without those of functions within it.
func returns(body *ast.BlockStmt) []*ast.ReturnStmt {
	var all []*ast.ReturnStmt
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			all = append(all, r)
		}
		_, within := n.(*ast.FuncLit)
		return !within
	})
	return all
}

// nameOf is the name that an expression is, without its package; "" if it is none.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// calledName is the name of the function that an expression calls, or "".
func calledName(e ast.Expr) string {
	if call, ok := e.(*ast.CallExpr); ok {
		return nameOf(call.Fun)
	}
	return ""
}

// A loop that keeps the rules, and each way to break them.
func TestLoopProblemsAreFound(t *testing.T) {
	page := `package agent

// Run plays.
//
//	Ask    -> Ask | Finish
//	Finish -> End
func (a *Agent) Run(t Turn) (string, error) {
	for phase := Ask; phase != End; {
		var err error
		switch phase {
		case Ask:
			t, phase, err = a.ask(t)
		case Finish:
			t, phase, err = a.finish(t)
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

func (a *Agent) ask(t Turn) (Turn, Phase, error) {
	if t.bad {
		return t, End, errBad
	}
	next, phase, err := t.Stage.Begin(t)
	if err != nil || phase != Ask {
		return next, phase, err
	}
	return a.helper(t)
}

func (a *Agent) helper(t Turn) (Turn, Phase, error) { return t, Ask, nil }

func (a *Agent) finish(t Turn) (Turn, Phase, error) { return t, End, nil }
`
	stage := `package staged

func (s Stage) Begin(t agent.Turn) (agent.Turn, agent.Phase, error) { return t, agent.Finish, nil }
`
	for _, c := range []struct{ name, from, to, want string }{
		{"nothing", "", "", ""},
		{"a phase calls Run", "{ return t, Ask, nil }", "{ a.Run(t); return t, Ask, nil }", "the loop calls Run"},
		{"a phase passes Run on", "{ return t, Ask, nil }", "{ do(a.Run); return t, Ask, nil }", "the loop calls Run"},
		{"a phase calls a phase", "return a.helper(t)", "return a.finish(t)", "only Run calls the phase finish"},
		{"a helper calls a phase", "{ return t, Ask, nil }", "{ a.ask(t); return t, Ask, nil }", "only Run calls the phase ask"},
		{"a stage calls Run", "{ return t, agent.Finish, nil }", "{ a.Run(t); return t, agent.Finish, nil }", "the loop calls Run"},
		{"Run calls itself", "return \"\", nil\n}", "return a.Run(t)\n}", "the loop calls Run"},
		{"two calls in a case", "t, phase, err = a.finish(t)", "t, phase, err = a.finish(t)\n\t\t\tt, phase, err = a.helper(t)", "not one phase and one call"},
		{"an arrow is not drawn", "Ask    -> Ask | Finish", "Ask    -> Ask", "Ask leads to Finish"},
		{"an arrow of a helper is not drawn", "Ask    -> Ask | Finish", "Ask    -> Finish", "Ask leads to Ask"},
		{"an arrow of the stage is new", "return t, agent.Finish, nil", "return t, agent.End, nil", "Ask leads to End"},
		{"an arrow is not there", "Finish -> End", "Finish -> End | Ask", "draws a way from Finish to Ask"},
		{"no such phase", "//	Finish -> End", "//	Finish -> End\n//	Wait -> End", "Wait, which is no phase"},
		{"a phase nobody can read", "{ return t, Ask, nil }", "{ phase := later(); return t, phase, nil }", "0 functions named later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			edit := func(text string) *fstest.MapFile {
				return &fstest.MapFile{Data: []byte(strings.Replace(text, c.from, c.to, 1))}
			}
			if c.from != "" && !strings.Contains(page+stage, c.from) {
				t.Fatalf("%q is nowhere", c.from)
			}
			got := loopProblems(parse(t, fstest.MapFS{loopPackage + "/run.go": edit(page), stagePackage + "/stage.go": edit(stage)}))
			if c.want == "" && len(got) > 0 || !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
