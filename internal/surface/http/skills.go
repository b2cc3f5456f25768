package http

import (
	"context"
	"net/http"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
)

// Skills returns the skills that are there for the owner in a chat.
type Skills func(ctx context.Context, chat event.Chat) (commands.SkillList, error)

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
	out := commands.SkillList{}
	if s.cfg.Skills != nil {
		if out, err = s.cfg.Skills(r.Context(), chat); err != nil {
			refuse(w, err)
			return
		}
	}
	if out.Skills == nil {
		out.Skills = []commands.Skill{}
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
