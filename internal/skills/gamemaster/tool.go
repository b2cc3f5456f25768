package gamemaster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/dice"
	"hob/internal/game/eventlog"
	"hob/internal/game/roll"
	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
	"hob/internal/lists"
	"hob/internal/tools"
)

// kind is the kind of the effect for a turn of a story.
const kind = "played"

// adaptTools returns the tools of the game for the registry: first those that most stories use, then the others by
// name.
func (m *Master) adaptTools() ([]tools.Tool, error) {
	usual := usualTools()
	names := append(usual, slices.DeleteFunc(m.book.Names(), func(name string) bool { return slices.Contains(usual, name) })...)
	short := brief()
	all := make([]tools.Tool, 0, len(names))
	for _, name := range names {
		t := m.book.Tool(name)
		if t == nil {
			continue
		}
		one, err := m.adapt(t, short)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// adapt returns a tool of the game for the registry. short has the short descriptions for models.
func (m *Master) adapt(t *rules.Tool, short map[string]string) (tools.Tool, error) {
	caps := tools.Plays | tools.Replays
	switch {
	case t.Class == rules.Reading:
		caps = tools.Reads | tools.Polls
	case t.Name == rollTool || t.Name == "oracle" || t.Name == "oracle_spark":
		caps |= tools.Polls // the same once more is another throw
	}
	d := tools.Def{Name: t.Name, Description: t.Doc, Capabilities: caps, Timeout: toolTime, Tags: []string{"game"}, Command: pattern(t), Source: Name}
	if text := short[t.Name]; text != "" {
		d.Description = text
	}
	both := func() (accepts, told json.RawMessage) { return schemas(t, short) }
	return tools.NewRaw(d, both, func(ctx context.Context, args json.RawMessage) (tools.Result, error) {
		return m.callTool(ctx, t, args)
	})
}

// pattern returns the form of a tool as a command.
func pattern(t *rules.Tool) string {
	text := t.Name
	for _, need := range []bool{true, false} {
		for i := range t.Params {
			p := &t.Params[i]
			if p.Need != need || p.Name == session || p.Name == forTellers {
				continue
			}
			slot := p.Name + ":" + typeOf(p.Type)
			if need {
				text += " <" + slot + ">"
			} else {
				text += " [" + slot + "]"
			}
		}
	}
	return text
}

// typeOf returns the name of an argument's type in JSON Schema and in a command.
func typeOf(t rules.Type) string {
	return cmp.Or(map[rules.Type]string{
		rules.Int: "integer", rules.Flag: "boolean", rules.List: "array", rules.Object: "object", rules.JSON: "any",
	}[t], "string")
}

// toolTime is the longest that a call may take: one of them may ask the model to write a part of the world.
const toolTime = 5 * time.Minute

// session is the argument of seed 003's tools that names the session. A chat is always in its own session.
const session = "session_id"

// schemas returns two JSON Schemas of a tool. accepts is all that it takes: names in snake_case and camelCase, and a
// reason. told is what models see, with the short descriptions. Neither requires the session, which the chat knows, and
// neither requires arguments: the game reports missing ones itself.
func schemas(t *rules.Tool, brief map[string]string) (accepts, told json.RawMessage) {
	_, short := brief[t.Name]
	all, some := rules.NewObj(), rules.NewObj()
	var need []string
	for i := range t.Params {
		p := &t.Params[i]
		if p.Name == session {
			continue
		}
		one := property(t, p)
		all.Obj(p.Name, one)
		if camel := camelCase(p.Name); camel != p.Name {
			all.Obj(camel, property(t, p))
		}
		if p.Name == forTellers {
			continue
		}
		shown := *p
		if short {
			doc, ok := brief[t.Name+"."+p.Name]
			if !ok {
				continue
			}
			shown.Doc = doc
		}
		some.Obj(p.Name, property(t, &shown))
		if p.Need {
			need = append(need, p.Name)
		}
	}
	if t.Session { // the game compares it with the chat's session
		all.Obj(session, rules.NewObj()).Obj("sessionId", rules.NewObj())
	}
	if !hasParam(t, "reason") {
		all.Obj("reason", rules.NewObj().Text("type", "string"))
	}
	accepts = rules.NewObj().Text("type", "object").Obj("properties", all).Flag("additionalProperties", false).Bytes()
	whole := rules.NewObj().Text("type", "object").Obj("properties", some)
	if len(need) > 0 {
		whole.List("required", need)
	}
	return accepts, whole.Bytes()
}

// property returns the schema of an argument.
func property(t *rules.Tool, p *rules.Param) *rules.Obj {
	o := rules.NewObj()
	if p.Type != rules.JSON && !(p.Type == rules.Int && t.Session) { // the tool itself limits seed 003's count
		o.Text("type", typeOf(p.Type))
	}
	switch {
	case p.Type == rules.Int && p.Max != 0:
		o.Int("minimum", p.Min).Int("maximum", p.Max)
	case p.Type == rules.List:
		o.Obj("items", rules.NewObj().Text("type", "string"))
	}
	if len(p.Enum) > 0 {
		o.List("enum", p.Enum)
	}
	if p.Doc != "" {
		o.Text("description", p.Doc)
	}
	return o
}

// forTellers is the argument that shows a map with all its secrets. No player and no model may use it.
const forTellers = "reveal"

func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		if words[i] != "" {
			words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
		}
	}
	return strings.Join(words, "")
}

// callTool runs a call of a tool in the chat's campaign.
func (m *Master) callTool(ctx context.Context, t *rules.Tool, args json.RawMessage) (res tools.Result, err error) {
	if t.Name == rollTool {
		if id, err := m.cfg.Campaigns.Bound(ctx, tools.CallerFrom(ctx).Chat); err == nil && id == "" {
			return m.rollOutside(args)
		}
	}
	err = m.turn(ctx, func(tn turn) error {
		if tn.state.aside && tn.state.turn == tn.caller.Turn && t.Class != rules.Reading {
			return &tools.Error{Type: event.TypePermission, Code: event.CodePermissionDenied,
				Message: "that was said out of character: the story stands still", Suggestion: "answer in words"}
		}
		if err := tn.checkCaller(t, args); err != nil {
			return err
		}
		call, err := tn.call(t, args)
		if err != nil {
			return err
		}
		p, err := tn.play(ctx, call, t.Class == rules.Reading)
		if err != nil {
			return err
		}
		label, unread := tn.labelOf(ctx)
		if unread != nil {
			return unread
		}
		res, err = tn.resultOf(p)
		res.Label = label
		return err
	})
	return res, err
}

// rollTool is the one tool of the game that also works outside of a story.
const rollTool = "roll_dice"

// rollOutside throws dice in a chat without a story.
func (m *Master) rollOutside(args json.RawMessage) (tools.Result, error) {
	var in struct {
		Expr string `json:"expr"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return tools.Result{}, err
	}
	var seed [32]byte
	if _, err := io.ReadFull(m.cfg.Random, seed[:]); err != nil {
		return tools.Result{}, fmt.Errorf("draw dice: %w", err)
	}
	outcome, err := roll.Roll(in.Expr, nil, dice.Fair(seed, 0, 0))
	if err != nil {
		return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "expr: %v", err)
	}
	return tools.Result{Text: display.Clean(outcome.Detail), Data: outcome}, nil
}

// call returns a tool's call for the engine: in the bound session, by the speaker's character
// unless it names another one of the party.
func (tn turn) call(t *rules.Tool, args json.RawMessage) (rules.Call, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(args, &given); err != nil {
		return rules.Call{}, tools.Invalid(event.CodeInvalidFormat, "the arguments of %s are no JSON object", t.Name)
	}
	c := rules.Call{Tool: t.Name, ID: tn.caller.Call.ID, Args: args}
	c.Actor = tn.actorIn(c)
	if raw, ok := given["reason"]; ok && !hasParam(t, "reason") {
		_ = json.Unmarshal(raw, &c.Reason)
		delete(given, "reason")
	}
	delete(given, forTellers)
	if t.Session && given[session] == nil && given["sessionId"] == nil {
		given[session] = world.AppendString(nil, tn.World().Self().Session)
	}
	var err error
	c.Args, err = json.Marshal(given)
	return c, err
}

func hasParam(t *rules.Tool, name string) bool {
	return slices.ContainsFunc(t.Params, func(p rules.Param) bool { return p.Name == name })
}

// actorIn returns the actor of a call: the character of a player that it names, else that of the
// speaker.
func (tn turn) actorIn(c rules.Call) string {
	own := tn.actorOf(tn.caller.User)
	if tn.state.round == nil && !tn.inRound() && own != "" {
		return own
	}
	for _, name := range rules.Doers() {
		if id := c.Text(name); tn.inParty(id) {
			return id
		}
	}
	return own
}

// resultOf returns the result of a call for the registry: text for the model, data for programs in the form of the
// local API, and an error if the game refused.
func (tn turn) resultOf(p eventlog.PlayResult) (tools.Result, error) {
	o := p.Outcomes[len(p.Outcomes)-1]
	text := show.Veil(tn.World(), tn.text(o.Say)) // a guessed id must not reveal a secret name
	if o.Created != "" && !strings.Contains(text, o.Created) {
		text += " [" + o.Created + "]"
	}
	tool := o.Call.Tool
	data := played{
		Result: withoutPicture(tool, o.Result), Text: text,
		Game: ruling{Campaign: tn.id, Turn: p.Turn, Status: string(o.Status), Reason: o.Reason(), Detail: o.Detail(), ErrorCode: o.ErrorCode(),
			State: p.State},
		Patch: lists.Map(game.Patch(p.Events), (*rules.Obj).Bytes),
	}
	res := tools.Result{Text: text, Data: data}
	if tool == "map_render" {
		res.Text, res.Files = tn.drawMap(o.Result)
	}
	if o.OK() {
		data.Args = o.Call.Args
		res.Data = data
		return res, nil
	}
	return res, &tools.Error{Type: event.TypeValidation, Code: codeOf(o), Message: text, Retryable: o.Reason() == string(rules.UpstreamTimeout)}
}

// played is the data of a result.
type played struct {
	Args   json.RawMessage   `json:"args,omitempty"`   // of a call that was applied, with what was left out filled in
	Result json.RawMessage   `json:"result,omitempty"` // the tool's documented object
	Text   string            `json:"text"`
	Game   ruling            `json:"game"`
	Patch  []json.RawMessage `json:"state_patch,omitempty"` // operations of RFC 6902 on hob's own form of the state
}

// ruling is the game's judgement of a call, in the words of seeds 002 and 003.
type ruling struct {
	Campaign  string `json:"campaign"`
	Turn      int64  `json:"turn"` // 0: the call only looked, or the campaign has ended
	Status    string `json:"status"`
	Reason    string `json:"reason"`
	Detail    string `json:"detail"`
	ErrorCode string `json:"error_code"`
	State     string `json:"state_hash"`
}

// codeOf returns the registry's code for a refused call.
func codeOf(o rules.Outcome) string {
	switch {
	case o.Code == rules.RepeatIllegal || o.Code == rules.RateLimited:
		return event.CodeRateLimitExceeded
	case o.Code == rules.UpstreamTimeout:
		return event.CodeTimeout
	case o.Code == rules.Internal || o.Code == rules.UpstreamInvalid:
		return event.CodeExecutionFailed
	case o.Status == rules.Rejected:
		return event.CodePermissionDenied
	}
	return event.CodeInvalidValue
}

// withoutPicture returns a result without the bytes of a picture: nobody reads them as text.
func withoutPicture(tool string, result json.RawMessage) json.RawMessage {
	if tool != "map_render" {
		return result
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(result, &all) != nil {
		return result
	}
	for _, name := range []string{"png_base64", "svg"} {
		if len(all[name]) > mostInline {
			all[name] = json.RawMessage(strconv.Quote("left out: /map shows it"))
		}
	}
	out, err := json.Marshal(all)
	if err != nil {
		return result
	}
	return out
}

const mostInline = 2000
