package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/store"
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
	ruling, _, err := s.loadRulings(ctx)
	if err != nil {
		return "", err
	}
	def := tools.DefOf(tool)
	var b strings.Builder
	b.WriteString(tools.Usage(tool))
	if word, _, _ := strings.Cut(tools.Signature(tool), " "); word != tool.Name() {
		fmt.Fprintln(&b, "tool: "+tool.Name())
	}
	fmt.Fprintln(&b, "may: "+def.Powers.Words())
	fmt.Fprintln(&b, "here: "+describeRuling(ruling(tool), def.Powers))
	if where := def.Places(); where != "" {
		fmt.Fprintln(&b, "only: "+where)
	}
	fmt.Fprintln(&b, "from: "+tools.SourceOf(tool))
	return b.String(), nil
}

// loadRulings returns two functions. judge returns the policy's ruling on a call by the owner at
// this terminal, of which only the tool is known. disabled reports whether policy hides a tool from
// the owner.
func (s *Environment) loadRulings(ctx context.Context) (judge func(tools.Tool) policy.Ruling, disabled func(tools.Tool) bool, err error) {
	rules := policy.Policy{Only: s.Policy.Tools, Hosts: s.Policy.Hosts, Searches: s.SearchHosts()} // without a journal
	err = s.WithJournal(ctx, func(db *store.DB) error {
		rules, err = s.CurrentPolicy(ctx, db)
		return err
	})
	caller := tools.Caller{User: "owner", Standing: LocalOwner()}
	judge = func(t tools.Tool) policy.Ruling {
		return rules.Judge(ctx, policy.Call{Call: llm.Call{Name: t.Name()}, Tool: t, Caller: caller})
	}
	return judge, func(t tools.Tool) bool { return rules.Offered(caller, t) != nil }, err
}

// describeRuling describes a ruling on a call of which only the tool is known.
func describeRuling(r policy.Ruling, powers tools.Powers) string {
	switch {
	case r.Verdict == policy.Deny:
		return "does not run, because " + r.Why
	case powers.Has(tools.Sends):
		return "whether it asks first depends on where it sends to"
	case r.Verdict == policy.Ask:
		return "asks first, because " + r.Why
	}
	return "runs without a question"
}

// ToolLines lists the tools for a person, two lines each.
func (s *Environment) ToolLines(ctx context.Context, set Toolset) (string, error) {
	judge, disabled, err := s.loadRulings(ctx)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range set.ListedTools() {
		d, note := tools.DefOf(t), ""
		switch {
		case len(d.Platforms) > 0 && !slices.Contains(d.Platforms, LocalOwner().Platform):
			note = " (" + strings.Join(d.Platforms, ", ") + " only)"
		case disabled(t):
			note = " DISABLED"
		case judge(t).Verdict == policy.Ask && !d.Powers.Has(tools.Sends):
			note = " (asks first)"
		}
		if source := tools.SourceOf(t); source != tools.BuiltIn {
			note += " from " + source
		}
		fmt.Fprintf(&b, "%s%s\n    %s\n", tools.NamedUsage(t), note, t.Description())
	}
	return b.String(), nil
}
