package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/markdown"
	"hob/internal/tools"
)

// Skills is the skills of a hob. Which are open differs from chat to chat.
type Skills interface {
	// SkillList returns the skills that a person can use in a chat.
	SkillList(ctx context.Context, chat event.Chat, of event.Principal) (SkillList, error)
	// OpenSkill and CloseSkill open and close a skill in the caller's chat.
	OpenSkill(ctx context.Context, by Request, name string) error
	CloseSkill(ctx context.Context, by Request, name string) error
}

// SkillList is `hob skill list --json`.
type SkillList struct {
	Skills   []Skill  `json:"skills"`
	Problems []string `json:"problems"` // one line for each skill that is left out or incomplete
}

// Skill is a skill and its state in a chat.
type Skill struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Source      string      `json:"source"`  // "built-in": hob itself
	Trusted     bool        `json:"trusted"` // its text is not a stranger's
	Open        bool        `json:"open"`
	By          string      `json:"by,omitempty"` // message, model, or the person who opened it
	Server      *Server     `json:"server,omitempty"`
	Tools       []SkillTool `json:"tools"` // the known ones: an MCP server may name its tools only once the skill is open

	Conventions  string   `json:"conventions,omitempty"`
	Instructions string   `json:"instructions,omitempty"` // for the model, once open
	Keywords     []string `json:"keywords,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Pages        []string `json:"pages,omitempty"` // for the model, on demand
	IsDriver     bool     `json:"leads,omitempty"` // it drives the chat while it is open

	Level          event.Level `json:"level"`               // the lowest that may use it
	Platforms      []string    `json:"platforms,omitempty"` // empty: all
	Scopes         []string    `json:"scopes,omitempty"`    // empty: all
	RestrictsTools bool        `json:"narrows,omitempty"`   // a turn with it may call only its own tools and those in Allowed
	Allowed        []string    `json:"allowed,omitempty"`
}

// Server is how the MCP server of a skill fares.
type Server struct {
	State string    `json:"state"`           // a Server... word
	Error string    `json:"error,omitempty"` // why it failed last, for the owner: it may quote the server
	Next  time.Time `json:"next,omitzero"`   // one that fails is not started before
}

// The states of a server.
const (
	ServerConnected = "connected"
	ServerIdle      = "idle" // it is started when it is needed
	ServerFailing   = "failing"
)

// SkillTool is a tool of a skill.
type SkillTool struct {
	Name   string `json:"name"`
	Usage  string `json:"usage"`            // as a command, in one line; "": no command
	Listed bool   `json:"listed,omitempty"` // the prompt lists it
}

// TrustNote returns a note for a skill that is not trusted, else "".
func (s Skill) TrustNote() string {
	if s.Trusted {
		return ""
	}
	return ", not trusted"
}

// Find returns the skill of a name. Case does not matter. The error suggests a similar name.
func (l SkillList) Find(name string) (Skill, error) {
	var names []string
	for _, s := range l.Skills {
		if strings.EqualFold(s.Name, strings.TrimSpace(name)) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	switch near := tools.Nearest(name, names); {
	case near != "":
		return Skill{}, fmt.Errorf("there is no skill %q here: did you mean %s?", name, near)
	case len(names) == 0:
		return Skill{}, fmt.Errorf("there is no skill %q: there are none here", name)
	}
	return Skill{}, fmt.Errorf("there is no skill %q here: there are %s", name, strings.Join(names, ", "))
}

// ToolNames names the tools of a skill.
func (s Skill) ToolNames() []string {
	return lists.Map(s.Tools, func(t SkillTool) string { return OneLine(t.Name) })
}

// describeState describes whether a skill is open, who opened it and where it comes from.
func (s Skill) describeState() string {
	state := "closed"
	if s.Open {
		state = "open"
	}
	switch {
	case s.Open && s.By == "message":
		state += " (a message was about it)"
	case s.Open && s.By != "":
		state += " (by " + OneLine(s.By) + ")"
	}
	return state + ", " + OneLine(s.Source) + s.TrustNote()
}

// Lines returns the list as plain text.
func (l SkillList) Lines() string {
	var b strings.Builder
	for _, s := range l.Skills {
		fmt.Fprintf(&b, "%s  %s\n    %s\n", s.Name, s.describeState(), OneLine(s.Description))
		if len(s.Tools) > 0 {
			fmt.Fprintf(&b, "    tools: %s\n", strings.Join(s.ToolNames(), ", "))
		}
	}
	if len(l.Skills) == 0 {
		b.WriteString("There are no skills here.\n")
	}
	for _, p := range l.Problems {
		fmt.Fprintf(&b, "! %s\n", OneLine(p))
	}
	return b.String()
}

// Details returns the full description of a skill as plain text.
func (s Skill) Details() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n%s\n", s.Name, s.describeState(), strings.TrimSpace(s.Description))
	for _, part := range []struct{ head, text string }{{"Conventions", s.Conventions}, {"Instructions", s.Instructions}} {
		if text := strings.TrimSpace(part.text); text != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", part.head, text)
		}
	}
	if len(s.Tools) > 0 {
		b.WriteString("\nTools\n")
	}
	for _, t := range s.Tools {
		line := cmp.Or(t.Usage, t.Name)
		if t.Listed {
			line += "  (the model is told of it)"
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	b.WriteString("\n")
	s.writeRestrictions(&b)
	return b.String()
}

// writeRestrictions writes who may use a skill and where, and what its turns may do.
func (s Skill) writeRestrictions(b *strings.Builder) {
	line := func(head string, all []string, none string) {
		if text := cmp.Or(strings.Join(all, ", "), none); text != "" {
			fmt.Fprintf(b, "%-10s %s\n", head, text)
		}
	}
	line("level", []string{s.Level.String()}, "")
	line("platforms", s.Platforms, "all")
	line("scopes", s.Scopes, "all")
	line("keywords", s.Keywords, "")
	line("tags", s.Tags, "")
	line("pages", s.Pages, "")
	if s.RestrictsTools {
		line("allowed", s.Allowed, "nothing but its own tools")
	}
	if s.IsDriver {
		line("leads", []string{"the chat, while it is open"}, "")
	}
}

// WithoutInstructions returns the list without instructions, which hob skill show prints.
func (l SkillList) WithoutInstructions() SkillList {
	all := make([]Skill, 0, len(l.Skills))
	for _, s := range l.Skills {
		s.Instructions = ""
		all = append(all, s)
	}
	l.Skills = all
	return l
}

// maxSkills limits the listed skills.
const maxSkills = 40

// skill lists the skills of a person, or opens or closes one in the chat.
func (d Deps) skill(ctx context.Context, by Request) (Answer, error) {
	words := strings.Fields(by.Args)
	if len(words) == 0 {
		return d.listSkills(ctx, by, "")
	}
	open := true
	if len(words) == 2 && (words[0] == "close" || words[0] == "open") {
		open, words = words[0] == "open", words[1:]
	}
	if len(words) != 1 {
		return Answer{}, errors.New("/skill lists the skills, /skill NAME opens one, /skill close NAME closes it")
	}
	list, err := d.Skills.SkillList(ctx, by.Chat, by.Principal)
	if err != nil {
		return Answer{}, err
	}
	s, err := list.Find(words[0])
	if err != nil {
		return Answer{}, err
	}
	return d.switchSkill(ctx, by, s, open)
}

// canSwitchSkills reports whether a person may open and close skills in this chat. In a group only
// its admins may.
func canSwitchSkills(by Request) bool { return by.isPrivate() || by.Level >= event.GroupAdmin }

// switchSkill opens or closes a skill and lists them again. It is idempotent.
func (d Deps) switchSkill(ctx context.Context, by Request, s Skill, open bool) (Answer, error) {
	if !canSwitchSkills(by) {
		return Answer{}, errors.New("only an admin of the group can open and close skills here")
	}
	name := "**" + escape(s.Name) + "** "
	if s.Open == open {
		return d.listSkills(ctx, by, name+map[bool]string{true: "is open already.", false: "is not open."}[open])
	}
	do, words := d.Skills.CloseSkill, "is closed."
	if open {
		do, words = d.Skills.OpenSkill, "is open."
	}
	if err := do(ctx, by, s.Name); err != nil {
		return Answer{}, err
	}
	return d.listSkills(ctx, by, name+words)
}

// listSkills lists the skills below a sentence, with a choice to open or close each.
func (d Deps) listSkills(ctx context.Context, by Request, first string) (Answer, error) {
	list, err := d.Skills.SkillList(ctx, by.Chat, by.Principal)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Data: list.WithoutInstructions()}
	if len(list.Skills) == 0 {
		a.Text = strings.TrimSpace(first + "\n\nThere are no skills here.")
		return a, nil
	}
	var lines []string
	for i, s := range list.Skills {
		if i == maxSkills {
			lines = append(lines, fmt.Sprintf("- and %d more, which hob skill list lists", len(list.Skills)-maxSkills))
			break
		}
		state, c := "", Choice{"Open " + OneLine(s.Name), "/skill open " + s.Name}
		if s.Open {
			state, c = " \\(open\\)", Choice{"Close " + OneLine(s.Name), "/skill close " + s.Name}
		}
		lines = append(lines, "- **"+escape(s.Name)+"**"+state+": "+markdown.Escape(shorten(OneLine(s.Description)))+markdown.Escape(s.TrustNote()))
		if canSwitchSkills(by) {
			a.Choices = append(a.Choices, []Choice{c})
		}
	}
	a.Text = strings.TrimSpace(first + "\n\n**Skills**\n" + strings.Join(lines, "\n"))
	return a, nil
}
