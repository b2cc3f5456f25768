package app

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/exit"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// SwitchedOff is the prefix of the setting that switches a tool off. No model is told of such a
// tool, and every call of it is refused with the code tool_disabled.
const SwitchedOff = "tool/off/"

// Switches implements [commands.ToolSwitch].
func (p commandPorts) Switches(ctx context.Context) ([]commands.Switch, error) {
	rules, err := p.Model.Env.CurrentPolicy(ctx, p.Journal)
	if err != nil {
		return nil, err
	}
	return newSwitches(p.Model.Tools, rules), nil
}

// SetSwitch implements [commands.ToolSwitch].
func (p commandPorts) SetSwitch(ctx context.Context, name string, on bool) error {
	return SwitchTool(ctx, p.Journal, name, on)
}

// SwitchTool stores whether a tool is on.
func SwitchTool(ctx context.Context, db *store.DB, name string, on bool) error {
	if on {
		return db.Settings().Delete(ctx, SwitchedOff+name)
	}
	return db.Settings().Set(ctx, SwitchedOff+name, time.Now().UTC().Format(time.RFC3339))
}

// SetSwitches stores whether tools are on, and returns their switches. A hob that runs obeys from its next request on.
func (s *Environment) SetSwitches(ctx context.Context, names []string, on bool) ([]commands.Switch, error) {
	set, err := s.StandaloneTools(ctx, JournalTools(nil))
	if err != nil {
		return nil, err
	}
	defer set.Skills.Close()
	rules, err := s.loadPolicy(ctx)
	if err != nil {
		return nil, err
	}
	var changed []commands.Switch
	known := newSwitches(set, rules)
	for _, name := range names {
		i := slices.IndexFunc(known, func(one commands.Switch) bool { return one.Tool == name })
		if i < 0 {
			return nil, exit.Errorf(exit.Usage, "there is no tool %q: there are %s, and those of hob game tools", name, strings.Join(listedNames(known), ", "))
		}
		known[i].On = on
		changed = append(changed, known[i])
	}
	return changed, s.EditJournal(ctx, func(db *store.DB) error {
		for _, name := range names {
			if err := SwitchTool(ctx, db, name, on); err != nil {
				return err
			}
		}
		return nil
	})
}

// listedNames returns the tools without those that only stories use.
func listedNames(all []commands.Switch) (names []string) {
	for _, one := range all {
		if !one.Story {
			names = append(names, one.Tool)
		}
	}
	return names
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
