package app

import (
	"context"
	"slices"
	"sort"
	"time"

	"hob/internal/commands"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// SwitchedOff is the prefix of the setting that switches a tool off. No model is told of such a
// tool, and every call of it is refused with the code tool_disabled.
const SwitchedOff = "tool/off/"

// Switches implements [commands.ToolSwitch].
func (p commandPorts) Switches(ctx context.Context) ([]commands.Switch, error) {
	rules, err := p.app.Model.Env.CurrentPolicy(ctx, p.app.Journal)
	if err != nil {
		return nil, err
	}
	return newSwitches(p.app.Model.Tools, rules), nil
}

// SetSwitch implements [commands.ToolSwitch].
func (p commandPorts) SetSwitch(ctx context.Context, name string, on bool) error {
	return SwitchTool(ctx, p.app.Journal, name, on)
}

// SwitchTool stores whether a tool is on.
func SwitchTool(ctx context.Context, db *store.DB, name string, on bool) error {
	if on {
		return db.Settings().Delete(ctx, SwitchedOff+name)
	}
	return db.Settings().Set(ctx, SwitchedOff+name, time.Now().UTC().Format(time.RFC3339))
}

// LoadSwitches returns the switches of all tools, sorted by name. It needs no journal.
func (s *Environment) LoadSwitches(ctx context.Context, k Toolset) ([]commands.Switch, error) {
	rules, err := s.loadPolicy(ctx)
	return newSwitches(k, rules), err
}

// newSwitches returns the switches of all tools, sorted by name. They include the tools of stories
// and those that the configuration excludes.
func newSwitches(k Toolset, rules policy.Policy) []commands.Switch {
	var all []commands.Switch
	add := func(name string, missing, story bool) {
		excluded := missing || len(rules.Only) > 0 && !slices.Contains(rules.Only, name)
		all = append(all, commands.Switch{Tool: name, On: !rules.Disabled[name], Excluded: excluded, Story: story})
	}
	for _, t := range k.All() {
		add(t.Name(), false, k.isStoryTool(t))
	}
	for _, name := range []string{"job", "run_command"} { // the configuration can exclude them
		if _, missing := k.ByName(name); missing != nil {
			add(name, true, false)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Tool < all[j].Tool })
	return all
}

// loadPolicy returns the policy in force. Without a journal it is that of the configuration.
func (s *Environment) loadPolicy(ctx context.Context) (rules policy.Policy, err error) {
	rules = policy.Policy{Only: s.Policy.Tools, Hosts: s.Policy.Hosts, Searches: s.SearchHosts()}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		rules, err = s.CurrentPolicy(ctx, db)
		return err
	})
	return rules, err
}

// ToolStates returns a function that returns the state of a tool by name.
func (s *Environment) ToolStates(ctx context.Context) (func(tool string) string, error) {
	rules, err := s.loadPolicy(ctx)
	return func(tool string) string { return commands.FormatState(isEnabled(rules, tool)) }, err
}

// CheckSwitch returns the error for a call of a tool that is switched off, or nil.
func (s *Environment) CheckSwitch(ctx context.Context, tool string) (*tools.Error, error) {
	rules, err := s.loadPolicy(ctx)
	if err != nil || !rules.Disabled[tool] {
		return nil, err
	}
	return newDenial(policy.Ruling{Verdict: policy.Deny, Rule: policy.RuleDisabled, Why: policy.RuleDisabled.Why()}, tool, ""), nil
}
