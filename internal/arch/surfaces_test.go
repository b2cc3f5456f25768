package arch

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCoreNamesNoSurface holds that the core decides nothing by the name of a surface. What it needs to know of a chat or of a
// caller is in the chat's name ([event.Chat.Shared]), in a field, or in the configuration of who asks.
func TestCoreNamesNoSurface(t *testing.T) { check(t, hob(t), namesSurface) }

// namesSurface names string literals of the core that are a surface's name or begin its chats' names, and comparisons of a
// platform with any literal. What a tool or a skill declares to be its platforms is data.
func namesSurface(s source) []string {
	if s.test || !core(s.pkg()) {
		return nil
	}
	var bad []string
	report := func(n ast.Node, text string) { bad = append(bad, s.at(n)+": names a surface: "+text) }
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			return !ok || key.Name != "Platforms"
		case *ast.BinaryExpr:
			for _, side := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				field, ok := side[0].(*ast.SelectorExpr)
				if text, is := literal(side[1]); ok && is && field.Sel.Name == "Platform" && text != "" {
					report(n, text)
				}
			}
		case *ast.BasicLit:
			text, _ := literal(n)
			for _, surface := range []string{"cli", "telegram"} { // http is the name of a scheme, too
				if text == surface {
					report(n, text)
				}
			}
			for _, prefix := range []string{"cli/", "telegram/", "http/", "ask/"} {
				if strings.HasPrefix(text, prefix) {
					report(n, text)
				}
			}
		}
		return true
	})
	return slices.Compact(bad)
}

// core reports whether a package knows no surface. The skill for the groups of one and the platforms that a SKILL.md may name
// are about surfaces.
func core(pkg string) bool {
	name, _ := strings.CutPrefix(pkg, "internal/")
	switch name {
	case "skills/telegram", "skills/folder":
		return false
	}
	top, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"session", "agent", "policy", "store", "skills", "tools", "event", "receipt", "driver", "intents"}, top)
}

// literal is the value of a string literal.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
