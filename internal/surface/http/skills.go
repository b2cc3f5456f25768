package http

import (
	"context"
	"net/http"

	"hob/internal/commands"
	"hob/internal/session"
	"hob/internal/surface/http/api"
)

// skills serves GET /api/v1/skills.
func (s *Server) skills(w http.ResponseWriter, r *http.Request) {
	chat, _, ok := readParameters(w, r)
	if !ok {
		return
	}
	out, err := s.cfg.Skills(r.Context(), chat)
	if out.Skills == nil {
		out.Skills = []commands.Skill{}
	}
	if out.Problems == nil {
		out.Problems = []string{}
	}
	answerResult(w, out, err)
}

// openSkill serves POST /api/v1/skills/open.
func (s *Server) openSkill(w http.ResponseWriter, r *http.Request) {
	switchSkill(w, r, s.cfg.Sessions.OpenSkill)
}

// closeSkill serves POST /api/v1/skills/close.
func (s *Server) closeSkill(w http.ResponseWriter, r *http.Request) {
	switchSkill(w, r, s.cfg.Sessions.CloseSkill)
}

// switchSkill opens or closes a skill for the owner.
func switchSkill(w http.ResponseWriter, r *http.Request, do func(context.Context, session.SkillRequest) error) {
	var in api.SkillRequest
	if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
		return
	}
	err := do(r.Context(), session.SkillRequest{Chat: in.Chat, Skill: in.Skill, By: "owner", Principal: terminalPrincipal()})
	answerResult(w, struct{}{}, err)
}
