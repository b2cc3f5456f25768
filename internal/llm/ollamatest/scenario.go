package ollamatest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/lists"
)

// The scripted models, and what each does when it is offered the tools that it calls.
const (
	// Plain answers with [PlainAnswer], whatever tools are offered.
	Plain = "hob-plain"
	// OneTool calls read_file on "notes.md", and answers.
	OneTool = "hob-one-tool"
	// TwoSteps calls list_files on ".", then read_file on "notes.md", and answers.
	TwoSteps = "hob-two-steps"
	// TwoCalls calls read_file on "notes.md" and list_files on "." in one reply, and answers. The last result alone
	// decides whether it speaks of a failure.
	TwoCalls = "hob-two-calls"
	// Recovery calls read_file on "missing.md". Told that this failed it calls list_files on ".", and answers.
	Recovery = "hob-recovery"
	// Endless counts for ever, for a test to cancel or to cut. It says a few words and then, for 64 tokens, nothing;
	// num_predict counts those too.
	Endless = "hob-endless"
	// GameMaster runs a story: it calls move_player to take pc_001 to area_green, says a word, and answers the
	// request to narrate with [GameMasterNarration].
	GameMaster = "hob-game-master"
	// FalseNarrator does the same, but narrates [FalseNarration] first, and [GameMasterNarration] after the note that this is not so.
	FalseNarrator = "hob-tall-teller"
	// NoTools is Plain with a template that has no place for tools, so the server refuses requests that offer any.
	NoTools = "hob-no-tools"
)

// The last words of the scripted models, to the letter.
const (
	PlainAnswer    = "Good evening. The fire is lit and the house is quiet."
	OneToolAnswer  = "I read the note, and it says what you hoped it would."
	TwoStepsAnswer = "I looked into the folder first and read the note after that. Both are in order."
	TwoCallsAnswer = "I read the note and looked into the folder at the same time."
	RecoveryAnswer = "There is no such note, so I looked for it. The folder is what you see above."
	// FailedAnswer is what OneTool, TwoSteps and TwoCalls say after a result that is an error.
	FailedAnswer = "That did not work, and I have nothing else to try."
	// RecoveredAnswer is what Recovery says when missing.md can be read after all.
	RecoveredAnswer = "The note was there all along."
	// WithoutToolAnswer is what a model says that is not offered the tool it would call.
	WithoutToolAnswer = "I would look, but nobody gave me the tool for that."

	// GameMasterNarration narrates that move in the tale "cosy". TallTale narrates things that did not happen.
	GameMasterNarration = "Frost crunches beneath your boots as you step out onto the green. Mr. Voss looks up from his measuring and says nothing."
	FalseNarration      = "Mr. Voss falls dead at your feet, and you take the iron key from his coat."

	// EndlessPrefix begins what Endless says, [EndlessRound] repeated is the rest.
	EndlessPrefix = "The hob counts the coals:"
	EndlessRound  = " first, second, third, fourth;"
)

// Models returns the names of all scripted models, sorted.
func Models() []string {
	names := lists.Map(scenarios(), func(s scenario) string { return s.model })
	slices.Sort(names)
	return names
}

// endlessRests is how many tokens without text Endless says after each word.
//
// It has to be slow. An Ollama of v0.24, and by its sources of v0.34 too, keeps a request's slot for ever when
// the client goes away at the moment in which one piece is written out and the next one is ready already. Every later
// request for the model then waits without a word, until somebody unloads it (keep_alive 0). At the speed of a model that
// has nothing to compute this befell 6 of 150 cancelled requests; with these rests, 0 of 300.
const endlessRests = 64

// scenario is what one model says, and when.
type scenario struct {
	model       string
	needs       string            // the tool without which it says withoutTool instead of opening
	opening     string            // after a person's words
	withoutTool string            // after a person's words when needs is not offered
	after       map[string]string // after a tool's result, by the tool's name
	byWords     map[string]string // after words of a person that begin with these five letters, in place of opening
	other       string            // after the result of a tool that is not in after
	failed      map[string]string // after a tool's error
	broken      string            // after the error of a tool that is not in failed
	endless     bool              // what it says, other than opening, has no end
	bare        bool              // its template knows no tools
}

// The calls that the models make, as they write them.
const (
	listHere    = `<tool_call> {"name": "list_files", "arguments": {"path": "."}} </tool_call>`
	readNotes   = `<tool_call> {"name": "read_file", "arguments": {"path": "notes.md"}} </tool_call>`
	readMissing = `<tool_call> {"name": "read_file", "arguments": {"path": "missing.md"}} </tool_call>`
	goToGreen   = `<tool_call> {"name": "move_player", "arguments": {"player_id": "pc_001", "target_location_id": "area_green"}} </tool_call>`
)

// How words begin that a person did not say: hob asks for the tale of what happened, and says that a tale is not so.
const (
	askedToTell = "Tell "
	notSo       = "[note"
)

func scenarios() []scenario {
	return []scenario{
		{model: Plain, opening: PlainAnswer, other: PlainAnswer, broken: PlainAnswer},
		{model: OneTool, needs: "read_file", opening: readNotes, withoutTool: WithoutToolAnswer, other: OneToolAnswer, broken: FailedAnswer},
		{
			model: TwoSteps, needs: "list_files", opening: listHere, withoutTool: WithoutToolAnswer,
			after: map[string]string{"list_files": readNotes}, other: TwoStepsAnswer, broken: FailedAnswer,
		},
		{
			model: TwoCalls, needs: "read_file", opening: readNotes + " " + listHere, withoutTool: WithoutToolAnswer,
			other: TwoCallsAnswer, broken: FailedAnswer,
		},
		{
			model: Recovery, needs: "read_file", opening: readMissing, withoutTool: WithoutToolAnswer,
			after: map[string]string{"read_file": RecoveredAnswer}, other: RecoveryAnswer,
			failed: map[string]string{"read_file": listHere}, broken: FailedAnswer,
		},
		{
			model: GameMaster, needs: "move_player", opening: goToGreen, withoutTool: WithoutToolAnswer,
			byWords: map[string]string{askedToTell: GameMasterNarration, notSo: GameMasterNarration}, other: "Then it is so.", broken: FailedAnswer,
		},
		{
			model: FalseNarrator, needs: "move_player", opening: goToGreen, withoutTool: WithoutToolAnswer,
			byWords: map[string]string{askedToTell: FalseNarration, notSo: GameMasterNarration}, other: "Then it is so.", broken: FailedAnswer,
		},
		{model: Endless, opening: EndlessPrefix, endless: true},
		{model: NoTools, opening: PlainAnswer, other: PlainAnswer, broken: PlainAnswer, bare: true},
	}
}

// script teaches a model all scenarios.
func script(a *automaton) {
	for _, s := range scenarios() {
		if s.endless {
			a.loop(s.marker("user"), EndlessPrefix, EndlessRound, endlessRests)
			continue
		}
		a.answer(s.marker("user"), s.opening)
		if s.needs != "" {
			a.answer(s.marker("unarmed"), s.withoutTool)
		}
		for _, start := range slices.Sorted(maps.Keys(s.byWords)) {
			a.answer(s.marker(start), s.byWords[start])
		}
		for _, tool := range slices.Sorted(maps.Keys(s.after)) {
			a.answer(s.marker(tool), s.after[tool])
		}
		for _, tool := range slices.Sorted(maps.Keys(s.failed)) {
			a.answer(s.marker(tool+"!"), s.failed[tool])
		}
		a.answer(s.marker("other"), s.other)
		a.answer(s.marker("other!"), s.broken)
	}
}

// marker is the token that a template prints after what, and that begins what the model says then.
func (s scenario) marker(what string) string { return "<|" + s.model + " " + what + "|>" }

// template is the scenario's template in the language of Ollama's, which is text/template's with a few functions.
//
// The server learns from it how the model writes its calls: what stands before the first brace where .ToolCalls are
// printed. It learns that the model takes tools from the mere mention of .Tools.
func (s scenario) template() string {
	var b strings.Builder
	person := s.marker("user")
	if !s.bare {
		b.WriteString(`{{ if .Tools }}Tools: {{ range .Tools }}{{ json . }} {{ end }}` + "\n{{ end }}")
	}
	if s.needs != "" {
		fmt.Fprintf(&b, `{{ $armed := false }}{{ range .Tools }}{{ if eq .Function.Name %q }}{{ $armed = true }}{{ end }}{{ end }}`, s.needs)
		person = "{{ if $armed }}" + person + "{{ else }}" + s.marker("unarmed") + "{{ end }}"
	}
	person = s.byStart(person)
	b.WriteString(`{{ range .Messages }}` +
		`{{ if eq .Role "system" }}{{ .Content }}` + "\n" +
		`{{ else if eq .Role "user" }}Person: {{ .Content }}` + "\n" + person +
		`{{ else if eq .Role "tool" }}Result: {{ .Content }}` + "\n" + s.toolMarkers() +
		`{{ else }}{{ .Content }}{{ if .ToolCalls }}{{ range .ToolCalls }}<tool_call> {"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}} </tool_call>{{ end }}{{ end }}` + "\n" +
		`{{ end }}{{ end }}`)
	return b.String()
}

// toolMarkers prints, inside a template, the marker of a tool's result.
func (s scenario) toolMarkers() string {
	if s.endless {
		return s.marker("user")
	}
	// %.5s takes up to five characters, and fails on nothing.
	return `{{ $start := printf "%.5s" .Content }}{{ if or (eq $start "error") (eq $start "Error") }}` +
		s.byTool(s.failed, "!") + `{{ else }}` + s.byTool(s.after, "") + `{{ end }}`
}

// byStart prints the marker of a person's words by how they begin, else person.
func (s scenario) byStart(person string) string {
	if len(s.byWords) == 0 {
		return person
	}
	var b strings.Builder
	b.WriteString(`{{ $begins := printf "%.5s" .Content }}`)
	for _, start := range slices.Sorted(maps.Keys(s.byWords)) {
		fmt.Fprintf(&b, `{{ if eq $begins %q }}%s{{ else }}`, start, s.marker(start))
	}
	b.WriteString(person)
	b.WriteString(strings.Repeat(`{{ end }}`, len(s.byWords)))
	return b.String()
}

func (s scenario) byTool(known map[string]string, suffix string) string {
	var b strings.Builder
	for _, tool := range slices.Sorted(maps.Keys(known)) {
		fmt.Fprintf(&b, `{{ if eq .ToolName %q }}%s{{ else }}`, tool, s.marker(tool+suffix))
	}
	b.WriteString(s.marker("other" + suffix))
	b.WriteString(strings.Repeat(`{{ end }}`, len(known)))
	return b.String()
}
