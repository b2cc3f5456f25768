package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// ToolHelp returns the help for a tool: its usage, its capabilities and what policy says about it.
func (s *Environment) ToolHelp(ctx context.Context, name string) (string, error) {
	set, err := s.StandaloneTools(ctx, JournalTools(nil))
	if err != nil {
		return "", err
	}
	defer set.Skills.Close()
	tool, err := set.Find(ctx, name)
	if bad := (*tools.Error)(nil); errors.As(err, &bad) {
		return "", exit.Errorf(exit.Usage, "%s", bad.Sentence())
	}
	if err != nil {
		return "", err
	}
	rules, err := s.loadPolicy(ctx)
	if err != nil {
		return "", err
	}
	def := tools.DefOf(tool)
	var b strings.Builder
	b.WriteString(tools.Usage(tool))
	if word, _, _ := strings.Cut(tools.Signature(tool), " "); word != tool.Name() {
		fmt.Fprintln(&b, "tool: "+tool.Name())
	}
	fmt.Fprintln(&b, "state: "+commands.FormatState(isEnabled(rules, tool.Name())))
	fmt.Fprintln(&b, "may: "+def.Capabilities.Words())
	fmt.Fprintln(&b, "here: "+describeRuling(judgeTool(ctx, rules, tool), def.Capabilities))
	if where := def.Places(); where != "" {
		fmt.Fprintln(&b, "only: "+where)
	}
	fmt.Fprintln(&b, "from: "+tools.SourceOf(tool))
	return b.String(), nil
}

// judgeTool returns the policy's ruling on a call by the owner at this terminal, of which only the
// tool is known.
func judgeTool(ctx context.Context, rules policy.Policy, t tools.Tool) policy.Ruling {
	caller := tools.Caller{User: "owner", Principal: LocalOwner()}
	return rules.Judge(ctx, policy.Call{Call: llm.Call{Name: t.Name()}, Tool: t, Caller: caller})
}

// isEnabled reports whether a tool is switched on and the configuration does not exclude it.
func isEnabled(rules policy.Policy, tool string) bool {
	return !rules.Disabled[tool] && (len(rules.Only) == 0 || slices.Contains(rules.Only, tool))
}

// describeRuling describes a ruling on a call of which only the tool is known.
func describeRuling(r policy.Ruling, caps tools.Capabilities) string {
	switch {
	case r.Verdict == policy.Deny:
		return "does not run, because " + r.Why
	case caps.Has(tools.Sends) && (r.Verdict == policy.Allow || r.Rule == policy.RuleSends || r.Rule == policy.RuleSendsUnknown):
		return "whether it asks first depends on where it sends to"
	case r.Verdict == policy.Ask:
		return "asks first, because " + r.Why
	}
	return "runs without a question"
}

// ToolLines lists the tools for a person, two lines each: those of every chat, then those of each
// skill. The states are those in a chat, or with "" those everywhere.
func (s *Environment) ToolLines(ctx context.Context, set Toolset, chat event.Chat) (string, error) {
	rules, err := s.loadPolicyIn(ctx, chat)
	if err != nil {
		return "", err
	}
	rest := set.ListedTools()
	take := func(in func(tools.Tool) bool) (lines string) {
		for _, t := range rest {
			if in(t) {
				lines += toolLine(ctx, rules, t)
			}
		}
		rest = slices.DeleteFunc(rest, in)
		return lines
	}
	ofSkills := ""
	for _, skill := range set.Skills.Toolset(ctx).Skills {
		lines := take(func(t tools.Tool) bool {
			return slices.ContainsFunc(skill.Tools, func(other tools.Tool) bool { return other.Name() == t.Name() })
		})
		if lines != "" {
			ofSkills += "\nWith the skill " + skill.Name + ":\n" + lines
		}
	}
	return "In every chat:\n" + take(func(tools.Tool) bool { return true }) + ofSkills, nil
}

// toolLine shows how to call a tool, its state, and its purpose.
func toolLine(ctx context.Context, rules policy.Policy, t tools.Tool) string {
	d, enabled := tools.DefOf(t), isEnabled(rules, t.Name())
	note := " " + commands.FormatState(enabled)
	switch {
	case len(d.Platforms) > 0 && !slices.Contains(d.Platforms, LocalOwner().Platform):
		note += " (" + strings.Join(d.Platforms, ", ") + " only)"
	case enabled && judgeTool(ctx, rules, t).Verdict == policy.Ask && !d.Capabilities.Has(tools.Sends):
		note += " (asks first)"
	}
	if source := tools.SourceOf(t); source != tools.BuiltIn {
		note += " from " + source
	}
	about := t.Description()
	if word, _, _ := strings.Cut(tools.Signature(t), " "); word != t.Name() {
		about += " Tool: " + t.Name() + "."
	}
	return cmp.Or(tools.Signature(t), tools.NamedUsage(t)) + note + "\n    " + about + "\n"
}

// ToolDefinition is a tool for programs, with its state.
type ToolDefinition struct {
	llm.ToolDefinition
	State string `json:"state"`
}

// ToolDefinitions returns the listed tools for programs. Their parameters include those that models
// are not told of.
func (s *Environment) ToolDefinitions(ctx context.Context, set Toolset, chat event.Chat) ([]ToolDefinition, error) {
	rules, err := s.loadPolicyIn(ctx, chat)
	all := []ToolDefinition{}
	for _, d := range tools.Schema(set.ListedTools()) {
		if len(d.Accepts) > 0 {
			d.Parameters = d.Accepts
		}
		all = append(all, ToolDefinition{d, commands.FormatState(isEnabled(rules, d.Name))})
	}
	return all, err
}
