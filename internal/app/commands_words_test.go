package app_test

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/phrases"
)

// answered is a line that a command of that name answers: of its text, a label or an error.
type answered struct{ name, line string }

// give gives commands to a house, of everybody who may give them another answer, and returns the English lines.
func (h house) give(t *testing.T, lines ...string) (all []answered) {
	t.Helper()
	table := commands.New(h.deps())
	for _, line := range lines {
		for _, surface := range []commands.Surfaces{commands.Terminal, commands.Telegram} {
			for _, who := range []event.Principal{
				{Scope: "private", Level: event.Owner}, {Scope: "group", Level: event.GroupAdmin}, {Scope: "group", Level: event.BotAdmin}, {Scope: "group", Level: event.User},
			} {
				name, args := commands.Split(line)
				a, err := table.Run(t.Context(), name, commands.Request{Surface: surface, Chat: "X1", Principal: who, Args: args})
				if c, known := table.Find(name, surface); known {
					name = c.Name
				}
				all = append(all, linesOf(name, a, err)...)
			}
		}
	}
	return all
}

// linesOf returns the lines of an answer, but for what is fenced.
func linesOf(name string, a commands.Answer, err error) (all []answered) {
	if err != nil {
		return []answered{{name, err.Error()}}
	}
	fenced := false
	for line := range strings.SplitSeq(a.Text, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced {
			all = append(all, answered{name, markdown.Plain(line)})
		}
	}
	for _, row := range a.Choices {
		for _, choice := range row {
			all = append(all, answered{name, choice.Label})
		}
	}
	return all
}

// allAnswers returns what commands answer, in houses with everything, with nothing, and where all fails.
func allAnswers(t *testing.T) (all []answered) {
	t.Helper()
	lines := []string{
		"/status", "/log", "/log 99", "/log yesterday", "/memory", "/memory x", "/memory 99", "/memory forget", "/memory forget x", "/memory accept 12", "/memory accept x", "/memory keep 12", "/memory keep 16",
		"/memory 12", "/memory 13", "/memory 14", "/memory 15", "/memory 17", "/memory 18", "/memory 19", "/memory 20", "/memory 21",
		"/ps", "/ps x", "/jobs", "/output x", "/output 1", "/kill 1", "/background 1", "/background x",
		"/undo", "/undo list", "/undo #x", "/undo 2", "/undo 999", "/undo since x", "/undo dry-run",
		"/approve", "/approve x", "/approve yes x2345", "/approve no x2345", "/approve yes x4567", "/approve yes x999999", "/approve yes x9",
		"/retry", "/retry x", "/retry 7", "/tools", "/tools x_none", "/tools enable x_on", "/tools disable x_on", "/tools enable x_on here", "/tools disable x_on here", "/tools enable x_none",
		"/tools page 1", "/tools page 2", "/tools page 9", "/tools page 4", "/skill", "/skill x y z", "/skill none", "/skill xe", "/skill xa", "/skill close xa", "/skill open xb", "/skill close xb",
		"/zone", "/zone X/Y", "/zone move", "/privacy", "/page", "/page list", "/page revoke x1", "/page x", "/page for X as x", "/page for X as user", "/model", "/model x y yes", "/model x", "/model x yes",
		"/game", "/game new", "/game x", "/game menu new", "/game menu new x", "/game menu new x en", "/game menu new x en x", "/game menu new x en x free", "/game menu new x en x free same", "/game menu new map", "/game menu open x", "/join", "/recap", "/x", "/nothing", "/skill x_a", "/tools page 3",
	}
	h := full()
	all = h.give(t, lines...)
	h.undo.Undone, h.undo.Conflicts = nil, []commands.Conflict{
		{Change: 12, DisplayPath: "X1", Why: "it was changed since by somebody else", Force: true, After: event.FileState{Kind: event.RegFile}, Current: event.FileState{}},
		{Change: 12, DisplayPath: "X1", Why: "it was changed since by somebody else", Force: true, Current: event.FileState{Kind: event.RegFile}},
		{Change: 12, DisplayPath: "X1", Why: "change 13 of it came later", Force: true, After: event.FileState{Kind: event.RegFile}, Current: event.FileState{Kind: event.RegFile}},
		{Change: 12, DisplayPath: "X1", Why: "it was taken back already, by change 14"},
		{Change: 12, DisplayPath: "X1", Why: "what was there before is not kept: it was too large, or it is too long ago"},
		{Change: 12, DisplayPath: "X1", Why: "there is a file of that name now"},
		{Change: 12, DisplayPath: "X1", Why: "there is a folder of that name now"},
	}
	all = append(all, h.give(t, "/undo")...)
	h.undo.Conflicts = []commands.Conflict{{Change: 12, DisplayPath: "X1", Why: "change 13 of it came later", Later: 13, Force: true, Current: event.FileState{Kind: event.RegFile}}}
	all = append(all, h.give(t, "/undo")...)
	h.undo = commands.UndoReport{Selected: []int64{12}, Rights: []string{"X1"}}
	h.status = commands.StatusReport{Model: commands.ModelStatus{Name: "X1", Loaded: true, FewTools: true, Tools: 5, Context: 100}, Queue: &commands.QueueStatus{}, Chats: []commands.ChatStatus{{Open: true, Context: 10}}}
	h.parked, h.questions, h.facts, h.switches, h.pages, h.note = nil, h.questions[:1], h.facts[4:12], h.switches[1:3], nil, ""
	all = append(all, house{status: commands.StatusReport{Model: commands.ModelStatus{Wanted: "x:1"}, Queue: &commands.QueueStatus{}}}.give(t, "/status")...)
	all = append(all, h.give(t, "/undo", "/status", "/retry", "/approve", "/memory", "/tools", "/page revoke x1", "/page list", "/memory keep 12")...)

	all = append(all, house{}.give(t, "/undo", "/zone move")...)
	all = append(all, house{clocks: []commands.OtherClock{{ID: 7, Text: "X1", Error: "x"}}}.give(t, "/zone move")...)
	h = house{fail: errors.New("x")}
	h.jobs.fail = errors.New("process 1 has already ended")
	h.status.Queue = &commands.QueueStatus{}
	all = append(all, h.give(t, "/status", "/memory", "/ps", "/undo", "/undo list", "/approve", "/retry", "/retry 7", "/tools", "/skill", "/skill x", "/privacy", "/page list", "/model", "/background 1", "/kill 1", "/game", "/game new")...)
	h.fail = &commands.BusyError{Chat: "X1"}
	all = append(all, h.give(t, "/undo")...)
	for _, failure := range failures() {
		name, text, _ := strings.Cut(failure, ": ")
		all = append(all, answered{name, text})
	}
	slices.SortFunc(all, func(a, b answered) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.line, b.line))
	})
	return slices.Compact(all)
}

// failures are what those whom commands ask for something say where it fails, behind the name of the command.
func failures() []string {
	return []string{
		"output: there are no processes", "kill: there is no process 9, the last is 3",
		"memory: there is no fact 7 here: /memory lists them", "memory: fact 7 is not yours to change", "memory: nothing of that is known: X", "memory: more than one fact fits, such as 1 and 2: say its number, as /memory shows it",
		"undo: there is no change 900: hob undo --list shows those that there are", "undo: there is no change 900: /undo list shows those that there are", "undo: change 9 was not made in this chat", "undo: Nothing of that is left to take back.", "undo: change 9 is a turn that several play: /undo there asks them",
		"undo: only the owner can take that back: it gives somebody more rights than they have now",
		"tools: x_tool was switched off here by somebody with the level admin, who alone, or somebody above, switches it on",
		"zone: there is no time zone \"X/Y\": they have names such as Europe/Berlin",
		"page: the page is there while hob serve runs: start that first", "page: the page is closed: an owner opens it with hob page", "page: only an owner lets others in",
		"model: x cannot call tools, so hob could only chat with it: choose another model",
		"privacy: Every host that hob itself contacted in the last 90 days. Commands have no network.",
		"privacy: Every host that hob itself contacted in the last 90 days. Commands reach only what [shell] network lists, and that is counted here.",
		"privacy: Every host that hob itself contacted in the last 90 days. Commands that run without a sandbox ([shell] allow_unsandboxed) are not seen here.",
		"privacy: What Ollama contacts, such as its registry for a pull, and the looking up of names are the machine's, not hob's, to list.",
		"tools: Tools. Each is a command; /help and a name says more.", "tools: There is no tool `x` here: /tools lists them.", "tools: there is no tool \"x\" here: did you mean x_on?",
	}
}

// What commands answer is in the language of who asks: each line, label and error. Names stay, and begin with an x here.
func TestCommandsSpeakLanguages(t *testing.T) {
	names := regexp.MustCompile("`[^`]*`" + `|\b(https?://|[xX])[\w/:.+-]*|/[a-z_]+( (list|no|yes|open|close|enable|disable|revoke|forget|menu|new|undo))*|\b(hob( [a-z]+( list| --[a-z]+)?)?|recall|Skills|of 0001|page \d|none|Ollama|rw-[rwx-]*|kB|B|English|owner|admin|user|[A-Z]{2,}|[A-Z][a-z]+/[A-Z][a-z]+)\b|\[[a-z]+\] \w+( = \w+)?`)
	word := regexp.MustCompile(`[A-Za-z]{2,}`)
	for _, a := range allAnswers(t) {
		if !word.MatchString(names.ReplaceAllString(a.line, "")) {
			continue
		}
		for _, lang := range phrases.Languages()[1:] {
			own := app.Translate(lang, a.name, a.line)
			if left := word.FindString(names.ReplaceAllString(own, "")); own == a.line || lang != "de" && left != "" {
				t.Errorf("%s: /%s answers %q, which is %q", lang, a.name, a.line, own)
			}
		}
	}
}

// The answers above have every sentence that the code of commands has.
func TestAnswersAreAllSentences(t *testing.T) {
	var said strings.Builder
	for _, a := range allAnswers(t) {
		said.WriteString(a.line + "\n")
	}
	files, err := filepath.Glob("../commands/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, text := range sentencesOf(t, name) {
			if !strings.Contains(said.String(), text) {
				t.Errorf("%s: nothing is answered with %q in it: give the command here that does", filepath.Base(name), text)
			}
		}
	}
}

// sentencesOf returns what stands between the verbs of the string literals of a file that have several words. The summary of a command is none, and
// what only a terminal's own commands print, in English.
func sentencesOf(t *testing.T, file string) (all []string) {
	t.Helper()
	english := []string{"Describe", "Details", "Lines", "writeRestrictions", "describeState", "DescribeState", "DescribeUndone", "describeSize", "limitTo", "generalRows", "storyRows", "FactOf", "TrustNote"}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	several, line := regexp.MustCompile(`\pL+ \pL+`), regexp.MustCompile(`^/[a-z]+ [a-z]+$`)
	for _, declared := range parsed.Decls {
		do, is := declared.(*ast.FuncDecl)
		if !is || slices.Contains(english, do.Name.Name) {
			continue
		}
		ast.Inspect(do, func(n ast.Node) bool {
			if literal, is := n.(*ast.BasicLit); is && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				for one := range strings.SplitSeq(text, "\n") {
					for _, part := range regexp.MustCompile(`%[a-z%]`).Split(markdown.Plain(one), -1) {
						if part = strings.TrimSpace(part); several.MatchString(part) && !line.MatchString(part) {
							all = append(all, part)
						}
					}
				}
			}
			return true
		})
	}
	return all
}

// The lists of the tools and skills that a hob has are in that language, too.
func TestToolsAndSkillsAreDescribedInLanguages(t *testing.T) {
	h := newTestApp(t, noOllama)
	for _, name := range []string{"tools", "skill", "privacy"} {
		a, err := h.table.Run(t.Context(), name, commands.Request{Surface: commands.Terminal, Chat: "main", Principal: app.LocalOwner()})
		for _, one := range linesOf(name, a, err) {
			for _, lang := range phrases.Languages()[1:] {
				if own := app.Translate(lang, name, one.line); own == one.line && one.line != "" && !strings.Contains(one.line, " … ") {
					t.Errorf("%s.toml has no %q below [translations.%s]: add it, then go generate ./internal/intents", lang, one.line, name)
				}
			}
		}
	}
}

// A table answers who has a language in it: the text, the choices and the errors.
func TestTableAnswersInTheLanguageOfWhoAsks(t *testing.T) {
	h := newTestApp(t, noOllama)
	by := commands.Request{Surface: commands.Page, Chat: "main", From: "owner", Principal: app.LocalOwner(), Args: "x", Lang: "de-AT"}
	if _, err := h.table.Run(t.Context(), "output", by); err == nil || !strings.HasPrefix(err.Error(), "/output braucht ") {
		t.Error(err)
	}
	a, err := h.table.Run(t.Context(), "model", by)
	if err != nil || a.Text != "Wirklich `/model x`\\?" || a.Choices[0][0] != (commands.Choice{Label: "Ja", Line: "/model x yes"}) {
		t.Errorf("%+v, %v", a, err)
	}
}
