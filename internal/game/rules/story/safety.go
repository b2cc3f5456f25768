package story

import (
	"context"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The bounds of lines and veils together, and of each in runes.
const (
	maxLimits = 40
	maxLimit  = 120
)

// runSafety runs the tool safety. Its result is {"lines","veils"}.
func runSafety(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	text, action := a.Text("text"), a.Text("action")
	next := *s.World.Self()
	if action == "show" {
		text = ""
	} else if text == "" && action != "xcard" {
		return rules.Refuse(rules.InvalidArgs, "arg_missing", "text")
	}
	list := &next.Lines
	if action == "veil_add" {
		list = &next.Veils
	}
	if text != "" && !slices.Contains(*list, text) {
		if len([]rune(text)) > maxLimit || len(next.Lines)+len(next.Veils) >= maxLimits {
			return rules.Refuse(rules.InvalidArgs, "safety.many", maxLimit, maxLimits)
		}
		*list = world.Append(*list, text)
		s.Put(&next)
	}
	result := rules.NewObj().List("lines", next.Lines).List("veils", next.Veils)
	return rules.Accept(result, "safety.shown", orDash(next.Lines), orDash(next.Veils))
}

func orDash(list []string) string {
	if len(list) == 0 {
		return "—"
	}
	return strings.Join(list, "; ")
}
