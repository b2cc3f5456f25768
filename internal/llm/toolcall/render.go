package toolcall

import (
	"cmp"
	_ "embed"
	"strings"

	"hob/internal/lists"
	"hob/internal/llm"
	"hob/internal/prose"
)

//go:embed render.md
var sections string

// say returns the section of render.md called name; see [prose.Section].
func say(name string, pairs ...string) string { return prose.Section(sections, name, pairs...) }

// Render returns req as it is put to a model that is asked in another mode than natively: the tools stand in the system
// text, calls in the assistant's words, results in messages of the user. In [llm.SchemaMode] the server also lets it
// write nothing but the object that [Offer.Read] then reads. req itself stays as it is.
//
// The example of a call is of a tool that only looks, if there is one: mayAct says which do more, and nil that all do.
//
// Rendering keeps the prefix: a request with one more message has the same system text and begins with the same messages.
func Render(req llm.Request, mode llm.Mode, mayAct func(tool string) bool) llm.Request {
	if mode != llm.PromptMode && mode != llm.SchemaMode {
		return req
	}
	if len(req.Tools) > 0 {
		o := NewOffer(req.Tools, mayAct)
		form := Form{Mode: mode}
		example := cmp.Or(o.Example(form, Call{}), o.Example(form, Call{Call: llm.Call{Name: req.Tools[0].Name}}))
		text := say(string(mode), "example", example, "tools", o.lines(), "answer", o.AnswerWord())
		req.System = strings.TrimPrefix(strings.TrimRight(req.System, "\n")+"\n\n"+text, "\n\n")
		if mode == llm.SchemaMode && len(req.Format) == 0 {
			req.Format, req.SimpleFormat = o.format(), o.simpleFormat()
		}
	}
	req.Tools = nil
	names := map[string]string{}
	req.Messages = lists.Map(req.Messages, func(m llm.Message) llm.Message { return inWords(m, names) })
	return req
}

// inWords renders one message. names are the tools of the calls so far by their IDs.
func inWords(m llm.Message, names map[string]string) llm.Message {
	switch {
	case m.Role == llm.ToolRole:
		name := m.ToolName
		if name == "" {
			name = names[m.CallID]
		}
		m.Role, m.Text = llm.UserRole, "[result of "+name+"]\n"+m.Text
		m.CallID, m.ToolName = "", ""
	case len(m.Calls) > 0:
		var lines []string
		if m.Text != "" {
			lines = append(lines, m.Text)
		}
		for _, c := range m.Calls {
			names[c.ID] = c.Name
			lines = append(lines, spoken(c))
		}
		m.Text, m.Calls = strings.Join(lines, "\n"), nil
	}
	return m
}

// spoken is a call in the words that the model is asked to use.
func spoken(c llm.Call) string {
	args := "{}"
	if v, ok := parse(string(c.Args)); ok && v.kind == '{' {
		args = v.String()
	}
	return `{"tool":` + quote(c.Name) + `,"arguments":` + args + `}`
}

// lines tells of every tool in a line.
func (o *Offer) lines() string {
	var out []string
	for i := range o.tools {
		line := "- " + o.Mini(o.tools[i].def.Name)
		if about := strings.Join(strings.Fields(o.tools[i].def.Description), " "); about != "" {
			line += ": " + about
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// AnswerWord stands where the name of a tool would, when a model wants none.
func (o *Offer) AnswerWord() string {
	word := "answer"
	for o.byName[word] != nil {
		word += "_"
	}
	return word
}
