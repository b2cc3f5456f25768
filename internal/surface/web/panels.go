package web

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/lists"
)

// toolsView is the column of tools and skills.
type toolsView struct {
	Tools      []toolLine
	Everywhere bool // the visitor may switch tools for all chats
	Skills     []skillLine
	Problems   []string
}

// skillLine is a skill with its tools.
type skillLine struct {
	commands.Skill
	Tools []toolLine
}

// toolLine is a tool with its switch.
type toolLine struct {
	Name     string
	About    string
	Usage    string
	May      string // what it may do
	On       bool
	OffHere  bool // in the chat
	Switched bool // it has a switch
	Excluded bool // by the configuration
	Story    bool
	Calls    []event.Audit // the last, the newest first
}

// toolSwitch is a switch of a tool.
type toolSwitch struct {
	Tool  string
	Where string // "here": in the chat; "": everywhere
	On    bool
}

// State is the word on the switch.
func (s toolSwitch) State() string { return commands.FormatState(s.On) }

// How many calls are looked at for those of each tool, and how many of those are shown.
const (
	recentCalls = 300
	callsOfTool = 3
	shownCalls  = 50 // in the house
)

// addCalls adds to each tool what it may do, and its last calls in chats that a visitor may read.
func (s *Server) addCalls(ctx context.Context, v visit, chat event.Chat, all []toolLine) error {
	places := map[string]*toolLine{}
	for i := range all {
		places[all[i].Name] = &all[i]
	}
	if s.cfg.Tools != nil {
		known, err := s.cfg.Tools(ctx, chat, v.principal())
		if err != nil {
			return err
		}
		for _, t := range known {
			if line := places[t.Name]; line != nil {
				line.May = s.translate(v.words, "tools", t.May)
			}
		}
	}
	calls, err := s.callsFor(ctx, v, recentCalls)
	for _, c := range calls {
		if line := places[c.Tool]; line != nil && len(line.Calls) < callsOfTool {
			line.Calls = append(line.Calls, c)
		}
	}
	return err
}

// callsFor returns the last calls in chats that a visitor may read.
func (s *Server) callsFor(ctx context.Context, v visit, n int) ([]event.Audit, error) {
	if s.cfg.Calls == nil {
		return nil, nil
	}
	all, err := s.cfg.Calls(ctx, n)
	return slices.DeleteFunc(all, func(c event.Audit) bool { return !v.Person.MayRead(c.Chat, v.Level) }), err
}

// State is the word for the state of the tool in the chat.
func (t toolLine) State() string { return commands.FormatState(t.On && !t.OffHere && !t.Excluded) }

// toolsOf returns the tools and skills of a visitor in a chat.
func (s *Server) toolsOf(ctx context.Context, v visit, chat event.Chat) (out toolsView, err error) {
	table, by := s.cfg.Commands(), s.request(v, chat, "")
	a, err := table.Run(ctx, "tools", by)
	if err != nil {
		return out, err
	}
	list, _ := a.Data.(commands.ToolList)
	out.Tools = lists.Map(list.Tools, func(t commands.ToolLine) toolLine {
		return toolLine{Name: t.Name, About: s.explain(v.words, "tools", "- "+t.Name+" ", t.About), Usage: t.Line, On: true}
	})
	out.Everywhere = commands.CanSwitchTools(by)
	for _, one := range list.Switches {
		i := slices.IndexFunc(out.Tools, func(t toolLine) bool { return t.Name == one.Tool })
		if i < 0 {
			out.Tools = append(out.Tools, toolLine{Name: one.Tool})
			i = len(out.Tools) - 1
		}
		line := &out.Tools[i]
		line.Switched, line.On, line.OffHere, line.Excluded, line.Story = true, one.On, one.OffHere, one.Excluded, one.Story
	}
	if err := s.addCalls(ctx, v, chat, out.Tools); err != nil {
		return out, err
	}
	slices.SortFunc(out.Tools, func(a, b toolLine) int { // a tool stays in its place when it is switched
		if a.Story != b.Story {
			return map[bool]int{false: -1, true: 1}[a.Story]
		}
		return strings.Compare(a.Name, b.Name)
	})
	if a, err = table.Run(ctx, "skill", by); err != nil {
		return out, err
	}
	skills, _ := a.Data.(commands.SkillList)
	out.Problems = skills.Problems
	for _, skill := range skills.Skills {
		line := skillLine{Skill: skill}
		line.Description = s.explain(v.words, "skill", "- "+skill.Name+": ", skill.Description)
		for _, t := range skill.Tools {
			one := toolLine{Name: t.Name, On: true}
			if i := slices.IndexFunc(out.Tools, func(known toolLine) bool { return known.Name == t.Name }); i >= 0 {
				one = out.Tools[i]
			}
			line.Tools = append(line.Tools, one)
		}
		out.Skills = append(out.Skills, line)
	}
	return out, nil
}

// explain returns what a tool or a skill is for in the language of a reader, of which a command has a line that begins with the head; as
// it is where that has no words for it.
func (s *Server) explain(w words, of, head, about string) string {
	for _, short := range []string{about, strings.TrimSuffix(strings.SplitAfter(about, ". ")[0], ". "), strings.TrimSuffix(about, ".")} {
		if own := s.translate(w, of, head+short); own != head+short {
			_, own, _ = strings.Cut(own, strings.Trim(head, "- :"))
			return strings.TrimLeft(own, " :：")
		}
	}
	return about
}

// showTools serves GET /tools.
func (s *Server) showTools(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat) error {
	data, err := s.toolsOf(r.Context(), v, chat)
	if err != nil {
		return err
	}
	return s.show(w, r, s.newView("tools", v, chat, data))
}

// storyView is the story of a chat beside its words.
type storyView struct {
	Title string
	Turn  int64
	Map   string // the address of its map, "" for none
	Zones string // likewise, of the zones
	Parts []template.HTML
}

// storyOf returns the story of a chat, or nil.
func (s *Server) storyOf(ctx context.Context, chat event.Chat) (*storyView, error) {
	if s.cfg.Stories == nil {
		return nil, nil
	}
	is, ok, err := s.cfg.Stories.Story(ctx, chat)
	if err != nil || !ok {
		return nil, err
	}
	out := &storyView{Title: is.Title, Turn: is.Turn, Parts: lists.Map(is.Parts, renderMarkdown)}
	at := url.Values{"chat": {string(chat)}, "turn": {strconv.FormatInt(is.Turn, 10)}}
	if is.Map {
		out.Map = "/map.svg?" + at.Encode()
	}
	if is.Zones {
		at.Set("zones", "1")
		out.Zones = "/map.svg?" + at.Encode()
	}
	return out, nil
}

// takesCommand reports whether the story of a chat reads a command.
func (s *Server) takesCommand(ctx context.Context, chat event.Chat, name, args string) bool {
	if s.cfg.Stories == nil {
		return false
	}
	takes, _ := s.cfg.Stories.Takes(ctx, chat, name, args)
	return takes
}

// showStory serves GET /story.
func (s *Server) showStory(w http.ResponseWriter, r *http.Request, v visit) error {
	chat := chatOf(r, v)
	if err := s.checkWatching(r.Context(), v, chat); err != nil {
		return err
	}
	story, err := s.storyOf(r.Context(), chat)
	if err != nil {
		return err
	}
	return s.show(w, r, s.newView("story", v, chat, chatView{Story: story}))
}

// drawMap serves GET /map.svg: as players know it, whoever asks.
func (s *Server) drawMap(w http.ResponseWriter, r *http.Request, v visit) error {
	chat := chatOf(r, v)
	if err := s.checkWatching(r.Context(), v, chat); err != nil || s.cfg.Stories == nil {
		return errNoChat
	}
	drawn, err := s.cfg.Stories.DrawMap(r.Context(), chat, r.URL.Query().Get("zones") != "", "svg")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", filePolicy)
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(drawn) // a browser that has left gets no answer
	return nil
}

// addPanels adds what stands beside a chat on a wide screen.
func (s *Server) addPanels(ctx context.Context, v visit, chat event.Chat, data *chatView) (err error) {
	if checkChat(v, chat) == nil {
		if data.Tools, err = s.toolsOf(ctx, v, chat); err != nil {
			return err
		}
	}
	data.Story, err = s.storyOf(ctx, chat)
	return err
}

// statusOf returns the status of an error.
func statusOf(err error) int {
	own := (*event.Error)(nil)
	if errors.Is(err, errNoChat) || errors.As(err, &own) && own.Type == event.TypeNotFound {
		return http.StatusNotFound
	}
	return http.StatusServiceUnavailable
}
