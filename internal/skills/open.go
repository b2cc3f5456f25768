package skills

import (
	"fmt"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/tools"
)

// MinOpen is the score from which on a message opens a skill: its name alone does.
const MinOpen = 0.3

// The bounds of what stands of skills in every prompt.
const (
	mostIndex = 2000 // bytes of all lines
	mostLine  = 90   // bytes of what one line says
	leastLine = 20   // where lines would get shorter, names alone stand there
)

// IsAvailable reports whether a skill is there for a caller: on their platform, in their scope, at their level, and, where it
// consists of tools, with one that they may be offered.
func (s Skill) IsAvailable(caller tools.Caller) bool {
	if s.Audience().Barrier(caller) != "" {
		return false
	}
	return s.Begin != nil || strings.TrimSpace(s.Instructions) != "" || len(Collect(caller, []Skill{s}, nil)) > 0
}

// Index is what a prompt says of skills: a line each, in their order. The more there are, the less is said of each. Of those that lead
// a chat nothing is said: people begin them, and what is said stands in front of every chore.
func Index(all []Skill) string {
	all = Indexed(all)
	if len(all) == 0 {
		return ""
	}
	names := 0
	for _, s := range all {
		names += len(s.Name) + len("- : \n")
	}
	room := min(mostLine, (mostIndex-names)/len(all))
	var b strings.Builder
	if room < leastLine {
		for i, s := range all {
			if b.Len()+len(s.Name) > mostIndex {
				fmt.Fprintf(&b, " and %d more, which find_tool finds", len(all)-i)
				break
			}
			b.WriteString([]string{"", ", "}[min(i, 1)] + s.Name)
		}
		return b.String() + "\n"
	}
	for _, s := range all {
		fmt.Fprintf(&b, "- %s: %s\n", s.Name, shorten(display.Join(s.Description), room))
	}
	return b.String()
}

// Indexed returns the skills that a prompt names: all but those that lead a chat.
func Indexed(all []Skill) []Skill {
	return slices.DeleteFunc(slices.Clone(all), func(s Skill) bool { return s.Driver != nil })
}

// shorten cuts a text to so many bytes, at a blank where there is one near.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := display.CutAt(text, most-len("…"))
	if i := strings.LastIndexByte(text[:cut], ' '); i > cut*2/3 {
		cut = i
	}
	return strings.TrimRight(text[:cut], " ,.;:") + "…"
}

// Choose returns which tools of a skill a model is told of when there is room for so many: all, or those that the message is
// most about, in the skill's order. The others can be found and called all the same.
func Choose(all []tools.Tool, message string, room int) []tools.Tool {
	all = slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool { return tools.DefOf(t).Hidden })
	if room <= 0 {
		return nil
	}
	if len(all) <= room {
		return all
	}
	var best []string
	for _, r := range Rank(all, message) {
		best = append(best, r.Tool.Name())
	}
	for _, t := range all {
		if !slices.Contains(best, t.Name()) {
			best = append(best, t.Name())
		}
	}
	best = best[:room]
	return slices.DeleteFunc(all, func(t tools.Tool) bool { return !slices.Contains(best, t.Name()) })
}

// Prompt is what a model reads of a skill when it is opened: what it is for and how its arguments are written, what to do, and
// which of its tools are not in the list, and which pages it has where the instructions name none. Of one that leads the chat only what it
// is for and what to do: the list is its own, and the rest can be found. finds says that the model has find_tool; one
// that has not reads how the tools beyond its list are called.
func (s Skill) Prompt(listed []string, finds bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[The skill %s is open.]\n", s.Name)
	if about := s.About(); about != "" {
		b.WriteString(about + "\n")
	}
	if text := strings.TrimSpace(s.Instructions); text != "" {
		b.WriteString("\n" + text + "\n")
	}
	if s.Driver != nil {
		return b.String() + s.end()
	}
	var other, usage []string
	for _, t := range s.Tools {
		if d := tools.DefOf(t); !d.Hidden && !slices.Contains(listed, t.Name()) {
			other = append(other, t.Name())
			usage = append(usage, tools.NamedUsage(t))
		}
	}
	switch {
	case len(other) == 0:
	case finds:
		fmt.Fprintf(&b, "\nIt also has the tools %s: find_tool says how they are called.\n", strings.Join(other, ", "))
	default:
		fmt.Fprintf(&b, "\nIt also has these tools. Call them by their names:\n- %s\n", strings.Join(usage[:min(len(usage), mostPages)], "\n- "))
	}
	if names := s.unnamedPages(); len(names) > 0 {
		fmt.Fprintf(&b, "\nIt has the pages %s: use_skill with page reads one.\n", strings.Join(names, ", "))
	}
	if len(listed) > 0 {
		fmt.Fprintf(&b, "\nIts tools in your list: %s.\n", strings.Join(listed, ", "))
	}
	return b.String() + s.end()
}

func (s Skill) end() string { return "[End of the skill " + s.Name + ".]" }

// mostPages is how many pages are named.
const mostPages = 10

// unnamedPages are the first pages of a skill whose instructions name none.
func (s Skill) unnamedPages() []string {
	if s.Pages == nil {
		return nil
	}
	names := s.Pages.Names()
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(s.Instructions, name) }) {
		return nil
	}
	return names[:min(len(names), mostPages)]
}
