package http

import (
	"context"
	"errors"
	"net/http"
	"time"

	"hob/internal/event"
	"hob/internal/surface/http/api"
)

// Stories shows the stories that chats play. Where a chat plays none, the error is an
// [*event.Error] of type not_found.
type Stories interface {
	// StoryState returns the state of the chat's story.
	StoryState(ctx context.Context, chat event.Chat) (api.StoryState, error)
	// StoryMap returns the map as players know it: of the places around them, or of the zones of the
	// open world.
	StoryMap(ctx context.Context, chat event.Chat, zones bool) (api.StoryMap, error)
	// DrawMap returns that map as a file: svg or png.
	DrawMap(ctx context.Context, chat event.Chat, zones bool, format string) ([]byte, error)
}

// story serves GET /api/v1/story.
func (s *Server) story(w http.ResponseWriter, r *http.Request) {
	chat, _, ok := readParameters(w, r)
	if !ok {
		return
	}
	state, err := s.cfg.Stories.StoryState(r.Context(), chat)
	answerResult(w, state, err)
}

// storyMap serves GET /api/v1/map.
func (s *Server) storyMap(w http.ResponseWriter, r *http.Request) {
	chat, also, ok := readParameters(w, r, "format", "scope")
	if !ok {
		return
	}
	zones := also["scope"] == "zone"
	if !zones && also["scope"] != "" && also["scope"] != "area_layer" {
		answerProblem(w, http.StatusBadRequest, errors.New("the scope of a map is area_layer or zone"))
		return
	}
	mediaType := map[string]string{"svg": "image/svg+xml", "png": "image/png"}[also["format"]]
	switch {
	case also["format"] == "" || also["format"] == "json":
		m, err := s.cfg.Stories.StoryMap(r.Context(), chat, zones)
		answerResult(w, m, err)
	case mediaType == "":
		answerProblem(w, http.StatusBadRequest, errors.New("the format of a map is json, svg or png"))
	default:
		drawn, err := s.cfg.Stories.DrawMap(r.Context(), chat, zones, also["format"])
		if err != nil {
			answerError(w, err)
			return
		}
		answerFile(w, mediaType, drawn)
	}
}

// answerFile answers with a file.
func answerFile(w http.ResponseWriter, mediaType string, file []byte) {
	setHeader(w, mediaType)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(file) // a caller that has left gets no answer
}
