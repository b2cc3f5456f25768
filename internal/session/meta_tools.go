package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/jsonl"
	"hob/internal/lists"
	"hob/internal/skills"
	"hob/internal/tools"
)

// FindTool is the name of the tool with which a model finds tools outside its list.
const FindTool = "find_tool"

// useSkill is the name of the tool that opens skills.
const useSkill = skills.UseSkill

// Limits for an answer of find_tool.
const (
	maxFound  = 5       // tools with their schemas
	maxNamed  = 40      // names of further tools
	maxSchema = 6 << 10 // bytes
)

// metaTools are the tools that find other tools and open skills.
type metaTools struct {
	find, call tools.Tool
	use        func(known []string) tools.Tool // for the skills with these names
}

// newMeta returns the meta tools for the chats of s. They only read: a call made through them is
// judged as the call of the other tool.
func newMeta(s *Sessions) metaTools {
	def := func(name, description string) tools.Def {
		return tools.Def{Name: name, Description: description, Capabilities: tools.Reads | tools.Polls}
	}
	return metaTools{
		find: tools.New(def(FindTool, "Find more tools by what they do."), s.findTools),
		call: tools.New(def(agent.Relay, "Call a tool that find_tool found."), relayNothing),
		use: func(known []string) tools.Tool {
			return skillOpener(def(useSkill, "Open a skill and get its tools."), known, s.useSkill)
		},
	}
}

// skillOpener returns the tool that opens the skills with these names. The model sees only names,
// and may also name a skill outside the list.
func skillOpener(d tools.Def, known []string, use func(context.Context, useRequest) (tools.Result, error)) tools.Tool {
	schemas := func() (accepts, told json.RawMessage) {
		name := map[string]any{"type": "string"}
		closed := func(properties map[string]any) json.RawMessage {
			raw, _ := jsonl.Marshal(map[string]any{ // strings and lists of strings always have a JSON form
				"type": "object", "properties": properties, "required": []string{"name"}, "additionalProperties": false,
			})
			return raw
		}
		accepts = closed(map[string]any{"name": name, "page": map[string]any{"type": "string"}})
		if len(known) == 0 || len(known) > maxNamed { // a longer list would take more room than the other tools
			return accepts, closed(map[string]any{"name": name})
		}
		return accepts, closed(map[string]any{"name": map[string]any{"type": "string", "enum": known}})
	}
	t, err := tools.NewRaw(d, schemas, func(ctx context.Context, args json.RawMessage) (tools.Result, error) {
		var in useRequest
		if err := json.Unmarshal(args, &in); err != nil {
			return tools.Result{}, tools.Invalid(event.CodeInvalidFormat, "%v", err)
		}
		return use(ctx, in)
	})
	if err != nil {
		panic(err) // cannot happen: the name is constant and the function is set
	}
	return t
}

// relayNothing answers a call of [agent.Relay] without a tool name. With one, the call was
// rewritten before it got here.
func relayNothing(context.Context, relayRequest) (tools.Result, error) {
	return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "there is nothing to call").
		Suggest(`give the tool's name and its args, as {"name":"...","args":{...}}`)
}

// finders returns the tools that find other tools.
func (m metaTools) finders() []tools.Tool { return []tools.Tool{m.call, m.find} }

// opener returns the tool that opens skills. It has the names in the system text, so it changes
// only with that text.
func (m metaTools) opener(known []skills.Skill) tools.Tool {
	names := lists.Map(skills.Indexed(known), func(s skills.Skill) string { return s.Name })
	return m.use(names)
}

// all returns the finders and the tool that opens skills.
func (m metaTools) all() []tools.Tool { return append(m.finders(), m.opener(nil)) }

type findRequest struct {
	Query string `json:"query"`
}

type relayRequest struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args,omitempty"`
}

type useRequest struct {
	Name string `json:"name"`
	Page string `json:"page,omitempty"` // mentioned to the model only for a skill with pages
}

// findTools returns the schemas of tools that match a query and are not in the model's list.
func (s *Sessions) findTools(ctx context.Context, in findRequest) (tools.Result, error) {
	ch, err := s.chooser(ctx)
	if err != nil {
		return tools.Result{}, err
	}
	off := ch.switchedOff(ctx)
	isOff := func(t tools.Tool) bool { return slices.Contains(off, t.Name()) }
	beyond := slices.DeleteFunc(ch.toolList().Hidden, isOff)
	found := skills.Rank(beyond, skills.AddEnglish(in.Query))
	var b strings.Builder
	label := event.Label{}
	for _, r := range found[:min(len(found), maxFound)] {
		line, from := ch.describeTool(r.Tool)
		if b.Len()+len(line) > maxSchema {
			break
		}
		b.WriteString(line + "\n")
		label = label.Join(from)
	}
	if b.Len() > 0 {
		return tools.Result{Text: b.String() + "Call one with " + agent.Relay + ".", Label: label}, nil
	}
	names := lists.Map(beyond[:min(len(beyond), maxNamed)], tools.Tool.Name)
	if len(names) == 0 {
		return tools.Result{Text: "There are no other tools."}, nil
	}
	text := fmt.Sprintf("Nothing fits %q. The other tools are %s", in.Query, strings.Join(names, ", "))
	if more := len(beyond) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return tools.Result{Text: text + ".", Label: ch.joinLabels()}, nil
}

// describeTool returns the schema of a tool for the model with the conventions of its skill, and
// the label of that text.
func (ch chooser) describeTool(t tools.Tool) (string, event.Label) {
	d := tools.Schema([]tools.Tool{t})[0]
	raw, err := json.Marshal(map[string]any{"name": d.Name, "description": d.Description, "parameters": d.Parameters})
	if err != nil {
		return t.Name(), event.Label{}
	}
	for _, s := range ch.toolset.visibleSkills(ch.caller) {
		if !has(s.Tools, t.Name()) {
			continue
		}
		if c := strings.TrimSpace(s.Conventions); c != "" {
			return string(raw) + "\n" + c, s.Label
		}
		return string(raw), s.Label
	}
	return string(raw), event.Label{}
}

// joinLabels joins the labels of all skills that the caller can see.
func (ch chooser) joinLabels() (l event.Label) {
	for _, s := range ch.toolset.visibleSkills(ch.caller) {
		l = l.Join(s.Label)
	}
	return l
}

// useSkill opens a skill in the chat of a turn, or reads one of its pages.
func (s *Sessions) useSkill(ctx context.Context, in useRequest) (tools.Result, error) {
	if in.Page != "" {
		ch, err := s.chooser(ctx)
		if err != nil {
			return tools.Result{}, err
		}
		skill, bad := ch.findSkill(in.Name)
		if bad != nil {
			return tools.Result{}, bad
		}
		if skill.Pages == nil {
			return tools.Result{}, tools.Missing(event.CodeFileNotFound, "the skill %s has no pages", skill.Name).
				Suggest("leave page out")
		}
		text, err := skill.Pages.Read(ctx, in.Page)
		return tools.Result{Text: text, Label: skill.Label}, err
	}
	return s.openSkill(ctx, openRequest{caller: tools.CallerFrom(ctx), skill: in.Name, by: "model", asResult: true})
}

// findSkill returns the skill of that name, or an error for the model if the caller has none.
func (ch chooser) findSkill(name string) (skills.Skill, *tools.Error) {
	var names []string
	for _, s := range ch.toolset.visibleSkills(ch.caller) {
		if strings.EqualFold(s.Name, strings.TrimSpace(name)) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	hint := "there are none here"
	if len(names) > 0 {
		hint = "use one of: " + strings.Join(names[:min(len(names), maxNamed)], ", ")
	}
	return skills.Skill{}, tools.Missing(event.CodeToolNotFound, "there is no skill %q", name).Suggest(hint)
}
