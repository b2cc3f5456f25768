package commands

import "time"

// Deps is what the commands need of a hob. With the zero Deps, [New] returns the same rows for help
// and completion.
type Deps struct {
	Status      StatusSource
	Log         Log
	Memory      Memory
	Processes   Processes
	Changes     Changes
	Questions   Questions
	ParkedTurns ParkedTurns
	Tools       ToolSwitch
	Skills      Skills
	Contacts    Contacts
	Models      Models
	Stories     Stories
	Inbox       Inbox
	Household   Household
	Pages       Pages // nil: no daemon runs

	Now      func() time.Time // on the clocks of the household: all times that answers show are of its zone
	KeepHint string           // is appended to the error of a process that cannot be kept
}

// New returns the table. To add a command, add a row here, and its method in a file of its own.
func New(d Deps) Table {
	return NewTable(append(d.generalRows(), d.storyRows()...)...)
}

// generalRows are the commands about hob itself.
func (d Deps) generalRows() []Command {
	return []Command{
		{
			Name: "status", Summary: "what hob is doing, and how the model does",
			For: Everybody, On: Everywhere, Run: d.status,
		},
		{
			Name: "log", Args: []Arg{{Name: "n", Words: []string{yesterday}}}, Summary: "the last that happened in this chat",
			For: Everybody, On: Everywhere, Private: true, Run: d.log,
		},
		{
			Name: "memory", Args: []Arg{{Name: "N | forget WORDS | accept N", Words: []string{memoryForget, memoryAccept, memoryReplace, memoryKeep}}},
			Summary: "what is known of you and the house", For: Everybody, On: Everywhere, Run: d.memory,
		},
		{
			Name: "ps", Old: "jobs", Summary: "what runs in the background in this chat",
			For: Admins, On: Everywhere, Run: d.ps,
		},
		{
			Name: "output", Old: "job", Args: []Arg{{Name: "N", Required: true}}, Summary: "what process N has printed",
			For: Admins, On: Everywhere, Private: true, Run: d.output,
		},
		{
			Name: "kill", Old: "jobs stop", Args: []Arg{{Name: "N", Required: true}}, Summary: "end process N",
			For: Admins, On: Everywhere, Run: d.kill,
		},
		{
			Name: "background", Old: "keep", Args: []Arg{{Name: "N", Required: true}},
			Summary: "let process N run on after its turn, until hob ends", Run: d.background,
		},
		{ // a phone shows no numbers of changes: n is a count
			Name: "undo", Args: []Arg{{Name: "n | #N | list", Words: []string{argList}}}, Summary: "take back the last change here, the last n, or change #N",
			For: Everybody, On: Telegram, Acts: true, Run: d.undoLast,
		},
		{ // as in hob undo, N is the number of a change
			Name: "undo", Args: []Arg{{Name: "#N | list", Words: []string{argLast, argSince, argList}}},
			Summary: "take back what the last turn changed, or change #N",
			For:     Everybody, On: Terminal | API | Page, Acts: true, Run: d.undoTurn,
		},
		{
			Name: "approve", Args: []Arg{{Name: "yes|no", Words: []string{"yes", "no"}}, {Name: "ID"}}, Summary: "what waits for a yes",
			For: Admins, On: Everywhere, Run: d.approve,
		},
		{
			Name: "retry", Args: []Arg{{Name: "ID"}}, Summary: "try again what was parked here",
			For: Everybody, On: Everywhere, Run: d.retry,
		},
		{
			Name: "tools", Args: []Arg{{Name: "NAME", Words: []string{"enable", "disable", "page"}}}, Summary: "the tools, each of which is a command",
			For: Everybody, On: Everywhere, Rights: []string{"enable", "disable"}, Run: d.tools,
		},
		{
			Name: "skill", Alias: "skills", Args: []Arg{{Name: "NAME | close NAME", Words: []string{"open", "close"}}},
			Summary: "the skills; open or close one here",
			For:     Everybody, On: Everywhere, Run: d.skill,
		},
		{
			Name: "zone", Args: []Arg{{Name: "NAME | move", Words: []string{argMove}}}, Summary: "the time zone; set it, such as Europe/Berlin",
			For: Everybody, On: Everywhere, Acts: true, Run: d.zone,
		},
		{
			Name: "privacy", Summary: "every host that was contacted",
			On: Everywhere, Private: true, Run: d.privacy,
		},
		{
			Name: "page", Args: []Arg{{Name: "list | revoke ID", Words: []string{"list", "revoke"}}}, Summary: "sign in on a browser",
			For: Everybody, On: Terminal | Telegram | Page, Private: true, Rights: []string{"", "for"}, Run: d.page,
		},
		{
			Name: "model", Args: []Arg{{Name: "NAME"}}, Summary: "the models, or use another",
			On: Everywhere, Private: true, Asks: true, Rights: []string{"*"}, Run: d.model,
		},
	}
}

// storyRows are the commands about stories. At the terminal /game is a tool.
func (d Deps) storyRows() []Command {
	return []Command{
		{
			Name: "game", Args: []Arg{{Name: "new | open NAME", Words: []string{"new", "open"}}}, Summary: "begin a story, or go on with one",
			For: Everybody, On: Telegram | Page, Own: true, Run: d.game,
		},
		{
			Name: "join", Summary: "play a character of your own in the story here",
			For: Everybody, On: Telegram | Page, Run: d.suggestStory("join"),
		},
		{
			Name: "recap", Summary: "what has happened in the story",
			For: Everybody, On: Telegram | Page, Run: d.suggestStory("recap"),
		},
		{
			Name: "x", Summary: "take back how it was told, no question asked",
			For: Everybody, On: Telegram | Page, Run: d.suggestStory("x"),
		},
	}
}
