package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/campaigns"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/rules"
	"hob/internal/game/saga"
	"hob/internal/tools"
)

func gameDoCommand(a *program) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "do TOOL [key=value ... | JSON]", Short: "play one turn: use a tool of the game",
		Args: wants(1, -1, "say which tool: hob game do look, or another of those that hob game tools lists"),
		Long: "do uses one tool as a turn of a campaign, and prints what came of it (a tool that only looks is no turn). What follows the tool's name are its arguments: key=value,\n" +
			"where a value is text unless the tool wants something else, or one JSON object, which is taken strictly. Who acts is the active\n" +
			"actor, unless actor_id says otherwise. The exit status is 1 if the game refused.",
		Example: "  hob game do look\n  hob game do choices\n  hob game do move_player player_id=pc_001 target_location_id=area_002\n" +
			"  hob game do roll_dice expr=4d6kh3\n" + `  hob game do create_character '{"name":"Mara","stats":{"wits":2}}'`,
		RunE: does(func(ctx context.Context, args []string) error {
			book, err := game.Rules()
			if err != nil {
				return err
			}
			tool, err := gameTool(book, args[0])
			if err != nil {
				return err
			}
			words, err := gameWords(tool, args[1:])
			if err != nil {
				return err
			}
			return a.withTale(ctx, name, func(t campaigns.Campaign) error { return a.playTale(ctx, t, book, words.call(t), asJSON) })
		}),
	}
	ofCampaign(cmd, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value")
	return cmd
}

// playTale plays one call as a turn. One that only looks is none: whoever looks around after an undo can still redo.
func (a *program) playTale(ctx context.Context, t campaigns.Campaign, book *rules.Book, call rules.Call, asJSON bool) error {
	r := saga.Request{User: "terminal", Calls: []rules.Call{call}}
	var p saga.Played
	var err error
	if book.Tool(call.Tool).Class == rules.Reading {
		var seen *saga.Pending
		if seen, err = t.Preview(ctx, r); err == nil {
			p = seen.Played
			p.Turn = 0
		}
	} else {
		p, err = t.Play(ctx, r)
	}
	if err != nil {
		return err
	}
	o := p.Outcomes[0]
	text := book.Text(t.World().Self().Lang, o.Say)
	if asJSON {
		err := a.printJSON(playedTurn{
			Campaign: t.ID, Turn: p.Turn, Tool: o.Call.Tool, Args: orEmpty(o.Call.Args), Status: string(o.Status), Reason: o.Reason(),
			Detail: o.Detail(), Code: o.ErrorCode(), Text: text, Result: orEmpty(o.Result), Created: o.Created, State: p.State,
		})
		if err != nil || o.OK() {
			return err
		}
		return exit.Errorf(exit.Failed, "") // the value says why
	}
	if !o.OK() {
		return exit.Errorf(exit.Failed, "%s", display.Clean(text))
	}
	if text = strings.TrimSpace(display.Clean(text)); text == "" {
		text = "Done."
	}
	if o.Created != "" && !strings.Contains(text, o.Created) {
		text += " (" + display.Clean(o.Created) + ")"
	}
	if shown := shownIn(o, t.ID); shown != "" {
		text = shown
	}
	_, err = fmt.Fprintln(a.stdout, text)
	return err
}

// shownIn returns what a person wants to see of a result instead of its text: each choice with the command that takes it, a map itself.
// It is "" for all others.
func shownIn(o rules.Outcome, campaign string) string {
	var result struct {
		Text    string `json:"text"`
		Choices []struct {
			Label string `json:"label"`
			Call  struct {
				Tool string          `json:"tool"`
				Args json.RawMessage `json:"args"`
			} `json:"call"`
		} `json:"choices"`
	}
	if json.Unmarshal(o.Result, &result) != nil {
		return ""
	}
	switch o.Call.Tool {
	case "map_render":
		return strings.TrimRight(display.Clean(result.Text), "\n")
	case "choices":
		lines := make([]string, 0, len(result.Choices))
		for _, c := range result.Choices {
			lines = append(lines, display.Clean(c.Label)+"\n    hob game do "+c.Call.Tool+" "+asWord(string(orEmpty(c.Call.Args)))+" -c "+campaign)
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// asWord returns text as one word of a shell's command line.
func asWord(text string) string {
	return "'" + strings.ReplaceAll(display.Clean(text), "'", `'\''`) + "'"
}

// playedTurn is what `hob game do --json` prints.
type playedTurn struct {
	Campaign string          `json:"campaign"`
	Turn     int64           `json:"turn"` // 0 for none: it only looked, or the campaign has ended
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args"`
	Status   string          `json:"status"`
	Reason   string          `json:"reason"`
	Detail   string          `json:"detail"`
	Code     string          `json:"error_code"`
	Text     string          `json:"text"`
	Result   json.RawMessage `json:"result"`
	Created  string          `json:"created_id"`
	State    string          `json:"state_hash"`
}

// orEmpty returns an object, or one without members.
func orEmpty(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage("{}")
	}
	return raw
}

// wordArgs are the arguments of a call on a command line.
type wordArgs struct {
	tool  *rules.Tool
	raw   json.RawMessage   // as JSON, nil where they are words
	words map[string]string // by key
}

// gameWords reads the words of a command line as the arguments of a tool: one JSON object, or key=value.
func gameWords(tool *rules.Tool, words []string) (wordArgs, error) {
	w := wordArgs{tool: tool, words: map[string]string{}}
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		if w.raw = json.RawMessage(words[0]); !json.Valid(w.raw) {
			return w, exit.Errorf(exit.Usage, "the arguments are no whole JSON object: mend them, or write key=value")
		}
		return w, nil
	}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || !tools.IsArgumentName(key) {
			return w, exit.Errorf(exit.Usage, "%q is no key=value: hob game tools %s shows the arguments", word, tool.Name)
		}
		if _, twice := w.words[key]; twice {
			return w, exit.Errorf(exit.Usage, "%s is given twice", key)
		}
		w.words[key] = value
	}
	return w, nil
}

// call returns the call in a campaign. Tools that want to be told the session are told it, unless the arguments are JSON.
func (w wordArgs) call(t campaigns.Campaign) rules.Call {
	if w.raw != nil {
		return rules.Call{Tool: w.tool.Name, Args: w.raw}
	}
	args := map[string]any{}
	for key, value := range w.words {
		args[key] = wordValue(paramOf(w.tool, key), value)
	}
	if _, given := w.words["session_id"]; w.tool.Session && !given {
		args["session_id"] = t.World().Self().Session
	}
	raw, err := json.Marshal(args) // of strings and of JSON that was looked at: it cannot fail
	if err != nil {
		raw = nil
	}
	return rules.Call{Tool: w.tool.Name, Args: raw}
}

// wordValue reads a word as the value of a parameter: text, unless it is of another type and the word is JSON. A list may have commas
// between its items instead.
func wordValue(p *rules.Param, word string) any {
	if p == nil || p.Type == rules.ID || p.Type == rules.Text || p.Type == rules.Any0 {
		return word
	}
	if json.Valid([]byte(word)) {
		return json.RawMessage(word)
	}
	if p.Type != rules.List {
		return word
	}
	list := strings.Split(word, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// paramOf returns the parameter of that name, nil where there is none.
func paramOf(tool *rules.Tool, name string) *rules.Param {
	name = strings.ReplaceAll(name, "_", "") // it may be written in camelCase
	for i := range tool.Params {
		if strings.EqualFold(strings.ReplaceAll(tool.Params[i].Name, "_", ""), name) {
			return &tool.Params[i]
		}
	}
	return nil
}
