package commands_test

import (
	"context"
	"fmt"
	"testing"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/tools"
)

// manySwitches is so many tools, the second half for stories.
type manySwitches []commands.Switch

func (m manySwitches) CommandTools(context.Context, event.Chat, event.Principal) (*tools.Commands, error) {
	index, _ := tools.NewCommands(nil)
	return index, nil
}

func (m manySwitches) Switches(context.Context, event.Chat) ([]commands.Switch, error) { return m, nil }

func (m manySwitches) SetSwitch(_ context.Context, name string, on bool) error {
	for i := range m {
		if m[i].Tool == name {
			m[i].On = on
		}
	}
	return nil
}

func (m manySwitches) SetSwitchIn(_ context.Context, _ event.Chat, name string, _ event.Level, on bool) error {
	for i := range m {
		if m[i].Tool == name {
			m[i].OffHere = !on
		}
	}
	return nil
}

// TestTools_Pages checks that the owner reaches the switch of every tool, however many there are, and
// that no keyboard is longer than Telegram takes.
func TestTools_Pages(t *testing.T) {
	const telegramMost = 100 // buttons
	for _, n := range []int{0, 1, 24, 25, 48, 70, 300} {
		var all manySwitches
		for i := range n {
			all = append(all, commands.Switch{Tool: fmt.Sprintf("tool_%03d", i), On: true, Story: i >= n/2})
		}
		table := commands.New(commands.Deps{Tools: all})
		owner := commands.Request{Surface: commands.Telegram, Chat: "telegram/7", Principal: event.Principal{Scope: "private", Level: event.Owner}}
		give := func(line string) (a commands.Answer, turn string) {
			t.Helper()
			name, args := commands.Split(line)
			owner.Args = args
			a, err := table.Run(t.Context(), name, owner)
			if err != nil {
				t.Fatalf("%d tools, %s: %v", n, line, err)
			}
			buttons := 0
			for _, row := range a.Choices {
				buttons += len(row)
				if len(row) > 2 {
					t.Errorf("%d tools, %s: a row of %d", n, line, len(row))
				}
			}
			if buttons > telegramMost {
				t.Errorf("%d tools, %s: %d buttons", n, line, buttons)
			}
			if last := len(a.Choices) - 1; last >= 0 {
				_, turn = commands.Split(a.Choices[last][len(a.Choices[last])-1].Line)
			}
			return a, turn
		}
		reached := map[string]bool{}
		for line, page := "/tools", 1; line != ""; page++ {
			a, turn := give(line)
			for _, row := range a.Choices {
				if _, args := commands.Split(row[0].Line); len(args) > len("disable ") && args[:len("disable ")] == "disable " {
					reached[args[len("disable "):]] = true
				}
			}
			if line = ""; turn == fmt.Sprintf("page %d", page+1) {
				line = "/tools " + turn
			}
		}
		if len(reached) != n {
			t.Errorf("%d of %d tools have a switch", len(reached), n)
		}
		if n == 0 {
			continue
		}
		last := all[n-1].Tool // after a press its page is shown again, with the other state
		a, _ := give("/tools disable " + last)
		shown := false
		for _, row := range a.Choices {
			shown = shown || row[0] == commands.Choice{Label: last + ": DISABLED", Line: "/tools enable " + last}
		}
		if !shown {
			t.Errorf("%d tools: after a press the choices are %v", n, a.Choices)
		}
	}
}

// In a chat tools are switched by who may open its skills, and everywhere by an owner in private.
func TestTools_Here(t *testing.T) {
	for _, c := range []struct {
		scope            string
		level            event.Level
		here, everywhere bool
	}{
		{"private", event.User, true, false},
		{"private", event.Owner, true, true},
		{"group", event.User, false, false},
		{"group", event.GroupAdmin, true, false},
		{"group", event.Owner, true, false},
	} {
		all := manySwitches{{Tool: "fetch", On: true}}
		table := commands.New(commands.Deps{Tools: all})
		give := func(args string) error {
			_, err := table.Run(t.Context(), "tools", commands.Request{
				Surface: commands.Page, Chat: "main", Principal: event.Principal{Scope: c.scope, Level: c.level}, Args: args})
			return err
		}
		if err := give("disable fetch here"); (err == nil) != c.here || all[0].OffHere != c.here || !all[0].On {
			t.Errorf("%v, %v: here it is %+v, %v", c.scope, c.level, all[0], err)
		}
		if err := give("disable fetch"); (err == nil) != c.everywhere || all[0].On == c.everywhere {
			t.Errorf("%v, %v: everywhere it is %+v, %v", c.scope, c.level, all[0], err)
		}
		if err := give("enable fetch here"); (err == nil) != c.here || all[0].OffHere {
			t.Errorf("%v, %v: here it is %+v again, %v", c.scope, c.level, all[0], err)
		}
	}
}
