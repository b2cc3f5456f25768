package http

import (
	"context"
	"net/http"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// Skills returns the skills that are there for the owner in a chat.
type Skills func(ctx context.Context, chat event.Chat) (commands.SkillList, error)

func (s *Server) skills(w http.ResponseWriter, r *http.Request) {
	chat, _, err := parameters(r.URL)
	if err != nil {
		answer(w, http.StatusBadRequest, api.Problem{Error: err.Error()})
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
	s.switchSkill(w, r, s.cfg.Sessions.OpenSkill)
}

func (s *Server) closeSkill(w http.ResponseWriter, r *http.Request) {
	s.switchSkill(w, r, s.cfg.Sessions.CloseSkill)
}

// switchSkill opens or closes a skill for the owner.
func (s *Server) switchSkill(w http.ResponseWriter, r *http.Request, do func(context.Context, session.Wish) error) {
	var in api.SkillRequest
	if !s.read(w, r, &in) || !named400(w, in.Chat) {
		return
	}
	if err := do(r.Context(), session.Wish{Chat: in.Chat, Skill: in.Skill, By: "owner", Standing: atHome()}); err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}
