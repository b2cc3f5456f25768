package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// Switches implements [commands.ToolSwitch].
func (p commandPorts) Switches(ctx context.Context, chat event.Chat) ([]commands.Switch, error) {
	rules, err := p.Env.CurrentPolicy(ctx, p.Journal)
	if err != nil {
		return nil, err
	}
	return newSwitches(p.Tools, rules, chat), nil
}

// SetSwitchIn implements [commands.ToolSwitch].
func (p commandPorts) SetSwitchIn(ctx context.Context, chat event.Chat, name string, by event.Level, on bool) error {
	return SwitchToolIn(ctx, p.Journal, chat, name, by, on)
}

// SwitchToolIn stores whether a tool is on in one chat.
func SwitchToolIn(ctx context.Context, db *store.DB, chat event.Chat, name string, by event.Level, on bool) error {
	off, err := db.Settings().SwitchedOffIn(ctx)
	if err != nil {
		return err
	}
	if was := off[chat][name]; was != "" {
		least, err := event.ParseLevel(was)
		if err != nil {
			return err
		}
		switch {
		case by < least && !on:
			return nil // it is off already
		case by < least:
			return fmt.Errorf("%s was switched off here by somebody with the level %s, who alone, or somebody above, switches it on", name, least)
		}
	}
	value := by.String()
	if on {
		value = ""
	}
	return db.Settings().SwitchToolIn(ctx, chat, name, value)
}

// SetSwitch implements [commands.ToolSwitch]. Models are not shown a tool that is off, and every
// call of it is refused with the code tool_disabled.
func (p commandPorts) SetSwitch(ctx context.Context, name string, on bool) error {
	return SwitchTools(ctx, p.Journal, []string{name}, on)
}

// SwitchTools stores whether tools are on. A tool that was switched off under an old name can be
// switched on under the present one.
func SwitchTools(ctx context.Context, db *store.DB, names []string, on bool) error {
	var all []string
	for _, name := range names {
		if all = append(all, name); on {
			all = append(all, tools.OldNames(name)...)
		}
	}
	return db.Settings().SwitchTools(ctx, all, on)
}

// SetSwitches stores whether tools are on, in one chat or everywhere (""), and returns their
// switches. A running hob applies them from its next request on.
func (s *Environment) SetSwitches(ctx context.Context, chat event.Chat, names []string, on bool) ([]commands.Switch, error) {
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
	known := newSwitches(set, rules, chat)
	names = slices.Clone(names)
	for at, name := range names {
		i := slices.IndexFunc(known, func(one commands.Switch) bool { return one.Tool == name })
		if i < 0 {
			names[at] = tools.NameToday(name)
			i = slices.IndexFunc(known, func(one commands.Switch) bool { return one.Tool == names[at] })
		}
		if i < 0 {
			return nil, exit.Errorf(exit.Usage, "there is no tool %q: there are %s, and those of hob game tools", name, strings.Join(listedNames(known), ", "))
		}
		if chat == "" {
			known[i].On = on
		} else {
			known[i].OffHere = !on
		}
		changed = append(changed, known[i])
	}
	return changed, s.EditJournal(ctx, func(db *store.DB) error {
		ctx := WithOwnersCause(ctx, "switch")
		if chat == "" {
			return SwitchTools(ctx, db, names, on)
		}
		for _, name := range names {
			if err := SwitchToolIn(ctx, db, chat, name, event.Owner, on); err != nil {
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
func newSwitches(k Toolset, rules policy.Policy, chat event.Chat) []commands.Switch {
	var all []commands.Switch
	add := func(name string, missing, story bool) {
		excluded := missing || len(rules.Only) > 0 && !slices.Contains(rules.Only, name)
		all = append(all, commands.Switch{
			Tool: name, On: !rules.Disabled[name], OffHere: rules.DisabledIn[chat][name], Excluded: excluded, Story: story,
		})
	}
	for _, t := range k.All() {
		add(t.Name(), false, k.isStoryTool(t))
	}
	for _, name := range []string{"process", "run_command"} { // the configuration can exclude them
		if _, missing := k.ByName(name); missing != nil {
			add(name, true, false)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Tool < all[j].Tool })
	return all
}

// loadPolicy returns the policy in force. Without a journal it is that of the configuration.
func (s *Environment) loadPolicy(ctx context.Context) (rules policy.Policy, err error) {
	rules = policy.Policy{Only: s.onlyTools(), Hosts: s.Policy.Hosts, Searches: s.SearchHosts()}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		rules, err = s.CurrentPolicy(ctx, db)
		return err
	})
	return rules, err
}

// loadPolicyIn is loadPolicy for one chat, in which further tools may be off.
func (s *Environment) loadPolicyIn(ctx context.Context, chat event.Chat) (policy.Policy, error) {
	rules, err := s.loadPolicy(ctx)
	if off := maps.Clone(rules.DisabledIn[chat]); off != nil {
		maps.Copy(off, rules.Disabled)
		rules.Disabled = off
	}
	return rules, err
}

// ToolStates returns a function that returns the state of a tool by name.
func (s *Environment) ToolStates(ctx context.Context) (func(tool string) string, error) {
	rules, err := s.loadPolicy(ctx)
	return func(tool string) string { return commands.FormatState(isEnabled(rules, tool)) }, err
}

// CheckSwitch returns the error for a call of a tool that is switched off, or nil.
func (s *Environment) CheckSwitch(ctx context.Context, tool string) (*tools.Error, error) {
	if rules, err := s.loadPolicy(ctx); err != nil || !rules.Disabled[tool] {
		return nil, err
	}
	return newDenial(policy.Ruling{Verdict: policy.Deny, Rule: policy.RuleDisabled, Why: policy.RuleDisabled.Why()}, tool, "", ""), nil
}
