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

// switchSkill serves POST /api/v1/skills/open and POST /api/v1/skills/close, for the owner.
func (s *Server) switchSkill(do func(Sessions, context.Context, session.SkillRequest) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in api.SkillRequest
		if !readBody(w, r, &in) || !checkChat(w, in.Chat) {
			return
		}
		err := do(s.cfg.Sessions, r.Context(), session.SkillRequest{Chat: in.Chat, Skill: in.Skill, By: "owner", Principal: terminalPrincipal()})
		answerResult(w, struct{}{}, err)
	}
}
