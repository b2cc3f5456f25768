package http

import (
	"context"
	"net/http"

	"hob/internal/event"
	"hob/internal/session"
)

// Skills returns the skills that are there for the owner in a chat.
type Skills func(ctx context.Context, chat event.Chat) (SkillList, error)

// SkillList is the answer to GET /api/v1/skills?chat=NAME.
type SkillList struct {
	Skills   []Skill  `json:"skills"`
	Problems []string `json:"problems"` // with those that are not there, or not as they were meant; each a line
}

// Skill is a skill as it stands in a chat.
type Skill struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Source      string      `json:"source"`  // "built-in" is hob itself
	Trusted     bool        `json:"trusted"` // its words are not a stranger's
	Open        bool        `json:"open"`
	By          string      `json:"by,omitempty"` // who opened it: message, model, or who it was
	Tools       []SkillTool `json:"tools"`        // those that are known: a server may tell of its own only once the skill is open

	Conventions  string   `json:"conventions,omitempty"`
	Instructions string   `json:"instructions,omitempty"` // what a model reads once it is open
	Keywords     []string `json:"keywords,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Pages        []string `json:"pages,omitempty"` // that can be read on demand
	Leads        bool     `json:"leads,omitempty"` // it leads the chat while it is open

	Level     event.Level `json:"level"`               // the lowest that it is there for
	Platforms []string    `json:"platforms,omitempty"` // none: all
	Scopes    []string    `json:"scopes,omitempty"`    // likewise
	Narrows   bool        `json:"narrows,omitempty"`   // a turn about it may call its own tools and those in Allowed, and no others
	Allowed   []string    `json:"allowed,omitempty"`
}

// SkillTool is a tool of a skill.
type SkillTool struct {
	Name   string `json:"name"`
	Usage  string `json:"usage"`            // as a command, in one line; "" where it is none
	Listed bool   `json:"listed,omitempty"` // the model is told of it
}

// skillRequest is the body of POST /api/v1/skills/open and of POST /api/v1/skills/close.
type skillRequest struct {
	Chat  event.Chat `json:"chat"`
	Skill string     `json:"skill"`
}

func (s *Server) skills(w http.ResponseWriter, r *http.Request) {
	chat, _, err := parameters(r.URL)
	if err != nil {
		answer(w, http.StatusBadRequest, problem{Error: err.Error()})
		return
	}
	out := SkillList{}
	if s.cfg.Skills != nil {
		if out, err = s.cfg.Skills(r.Context(), chat); err != nil {
			refuse(w, err)
			return
		}
	}
	if out.Skills == nil {
		out.Skills = []Skill{}
	}
	if out.Problems == nil {
		out.Problems = []string{}
	}
	answer(w, http.StatusOK, out)
}

func (s *Server) openSkill(w http.ResponseWriter, r *http.Request) {
	s.wish(w, r, s.cfg.Sessions.OpenSkill)
}

func (s *Server) closeSkill(w http.ResponseWriter, r *http.Request) {
	s.wish(w, r, s.cfg.Sessions.CloseSkill)
}

// wish does what the owner wants of a skill.
func (s *Server) wish(w http.ResponseWriter, r *http.Request, do func(context.Context, session.Wish) error) {
	var in skillRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	if err := do(r.Context(), session.Wish{Chat: in.Chat, Skill: in.Skill, By: "owner", Standing: atHome()}); err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}
