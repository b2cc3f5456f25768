package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// inGroup is a request from a group.
func inGroup(level event.Level, args string) commands.Request {
	return commands.Request{Surface: commands.Telegram, Chat: "telegram/-5", From: "7", Args: args,
		Principal: event.Principal{Platform: "telegram", Scope: "group", Level: level}}
}

// Everybody sees what they can call; only an owner, and where nobody else reads it, switches tools.
func TestCommands_ToolsAreCommands(t *testing.T) {
	o := newTestApp(t, noOllama)
	owners, buttons := o.ask("tools", by(event.Owner, ""))
	if !strings.Contains(owners, "/read_file <path:string>") || !strings.Contains(owners, "/run_command [background=...]") || len(buttons) == 0 {
		t.Errorf("%s %v", owners, texts(buttons))
	}
	if err := o.Journal.Settings().SwitchTools(t.Context(), []string{"read_file"}, false); err != nil {
		t.Fatal(err)
	}
	for _, r := range []commands.Request{by(event.User, ""), inGroup(event.User, ""), inGroup(event.Owner, ""), by(event.BotAdmin, "")} {
		text, none := o.ask("tools", r)
		if len(none) > 0 || strings.Contains(text, "Press one") || strings.Contains(text, "/read_file") || !strings.Contains(text, "/fetch <url:string>") {
			t.Errorf("%+v: %s %v", r, text, texts(none))
		}
		if said, _ := o.press(buttons, "fetch: ENABLED", r); said != "error: only an owner switches tools, in their private chat" {
			t.Errorf("%+v: %s", r, said)
		}
	}
	if rules, err := o.set.CurrentPolicy(t.Context(), o.Journal); err != nil || !cmp.Equal(rules.Disabled, map[string]bool{"read_file": true}) {
		t.Error(rules.Disabled, err)
	}
}

func TestCommands_ExplainTools(t *testing.T) {
	o := newTestApp(t, noOllama)
	if usage, _ := o.ask("tools", by(event.User, "List_Files")); !strings.HasPrefix(usage, "/list_files [path:string=.]") {
		t.Error(usage)
	}
	if usage, _ := o.ask("tools", by(event.Owner, "nosuch")); usage != `error: there is no tool "nosuch" here: /tools lists them` {
		t.Error(usage)
	}
	if err := o.Journal.Settings().SwitchTools(t.Context(), []string{"list_files"}, false); err != nil {
		t.Fatal(err)
	}
	if usage, _ := o.ask("tools", by(event.Owner, "list_files")); !strings.HasPrefix(usage, "error: there is no tool") {
		t.Errorf("what is switched off is no command: %s", usage)
	}
}

func TestCommands_Skill(t *testing.T) {
	o := newTestApp(t, noOllama)
	state := func(chat event.Chat) bool {
		_, open, err := o.Skills(t.Context(), chat, app.LocalOwner())
		if err != nil {
			t.Fatal(err)
		}
		return len(open) == 1 && open[0].Skill == "recall"
	}
	text, buttons := o.ask("skill", by(event.User, ""))
	if !strings.Contains(text, "recall: Facts, past messages.") || texts(buttons)[0][0] != "Open recall" || state(here) {
		t.Errorf("%s %v", text, texts(buttons))
	}
	text, after := o.press(buttons, "Open recall", by(event.User, ""))
	if !strings.HasPrefix(text, "recall is open.") || texts(after)[0][0] != "Close recall" || !state(here) {
		t.Errorf("%s %v", text, texts(after))
	}
	if text, _ = o.press(buttons, "Open recall", by(event.User, "")); !strings.HasPrefix(text, "recall is open already.") || !state(here) { // twice is once
		t.Error(text)
	}
	for _, c := range []struct{ args, want string }{
		{"close Recall", "recall is closed."}, {"close recall", "recall is not open."}, {"RECALL", "recall is open."},
		{"recal", `error: there is no skill "recal" here: did you mean recall?`},
		{"open now please", "error: /skill lists the skills, /skill NAME opens one, /skill close NAME closes it"},
	} {
		if text, _ := o.ask("skill", by(event.User, c.args)); !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: %s, want %s", c.args, text, c.want)
		}
	}

	// A group's skills are for all who are in it.
	text, none := o.ask("skill", inGroup(event.User, ""))
	if !strings.Contains(text, "recall") || len(none) > 0 {
		t.Error(text, texts(none))
	}
	_, admins := o.ask("skill", inGroup(event.GroupAdmin, ""))
	refused := "error: only an admin of the group can open and close skills here"
	if text, _ := o.ask("skill", inGroup(event.User, "recall")); text != refused {
		t.Error(text)
	}
	if text, _ := o.press(admins, "Open recall", inGroup(event.User, "")); text != refused || state("telegram/-5") {
		t.Error(text)
	}
	if text, _ := o.press(admins, "Open recall", inGroup(event.GroupAdmin, "")); !strings.HasPrefix(text, "recall is open.") || !state("telegram/-5") {
		t.Error(text)
	}
}

// The tools for facts and earlier messages are in no list until a message is about them.
func TestRecallIsASkill(t *testing.T) {
	o := newTestApp(t, noOllama)
	can := o.Tools.SessionToolset()
	for _, tool := range can.Tools {
		if tool.Name() == app.RecallTool {
			t.Error("it is in every list")
		}
	}
	isRecall := func(tool tools.Tool) bool { return tool.Name() == app.RecallTool }
	if len(can.Skills) != 1 || !slices.ContainsFunc(can.Skills[0].Tools, isRecall) {
		t.Errorf("%+v", can.Skills)
	}
	if usage, _ := o.ask("tools", by(event.Owner, app.RecallTool)); strings.HasPrefix(usage, "error") {
		t.Error("it is no command")
	}
}

// A tool with the name of an everyday word opens its skill by that word, and not where the word is a part of what another skill
// is about.
func TestSkillsByEverydayWords(t *testing.T) {
	o := newTestApp(t, noOllama)
	all, _, err := o.Skills(t.Context(), "main", app.LocalOwner())
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"what did we say last time":              "recall",
		"what did we say last time about Ben?":   "recall",
		"what time is it":                        "system",
		"the time":                               "system",
		"last time you said the time was wrong":  "recall,system",
		"what was the last time of the backup's": "recall",
		"was haben wir letztes Mal gesagt":       "recall",
		"что мы говорили в прошлый раз":          "recall",
		"上次我们说了什么":                               "recall",
	} {
		var got []string
		for _, s := range skills.Match(all, message) {
			got = append(got, s.Name)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q opens %v, want %s", message, got, want)
		}
	}
}
