package web

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"

	"hob/internal/display"
	"hob/internal/event"
)

var errNoFile = errors.New("there is no such file, or it has changed since it was handed over")

// file serves GET /file: a file of an event, by the place where the chat has it. It goes out as an attachment; pictures are shown,
// by what their bytes are and not by what they are called.
func (s *Server) file(w http.ResponseWriter, r *http.Request, v visit) error {
	chat := chatOf(r, v)
	seq, err := strconv.ParseInt(r.URL.Query().Get("seq"), 10, 64)
	n, bad := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || bad != nil || s.checkWatching(r.Context(), v, chat) != nil {
		return refusal{http.StatusNotFound, errNoFile}
	}
	f, ok := s.findFile(r, v, chat, seq, n)
	if !ok || s.cfg.Files == nil {
		return refusal{http.StatusNotFound, errNoFile}
	}
	content, err := s.cfg.Files.Open(r.Context(), f)
	if err != nil {
		s.cfg.Log.Debug("open a file for the page", "err", err)
		return refusal{http.StatusNotFound, errNoFile}
	}
	defer content.Close()
	head := make([]byte, 16)
	got, err := io.ReadFull(content, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return refusal{http.StatusNotFound, errNoFile}
	}
	h := w.Header()
	h.Set("Content-Security-Policy", filePolicy)
	h.Set("Content-Type", "application/octet-stream")
	kind := "attachment"
	if media := pictureType(head[:got]); media != "" {
		kind = "inline"
		h.Set("Content-Type", media)
	}
	h.Set("Content-Disposition", mime.FormatMediaType(kind, map[string]string{"filename": display.Visible(f.Name)}))
	to := patientWriter{w, http.NewResponseController(w)}
	if _, err = to.Write(head[:got]); err == nil {
		_, _ = io.Copy(to, content) // a browser that has left gets no more of it
	}
	return nil
}

// findFile returns the nth file of an event that a visitor may see.
func (s *Server) findFile(r *http.Request, v visit, chat event.Chat, seq int64, n int) (event.File, bool) {
	for e, err := range s.cfg.Journal.Chat(r.Context(), chat, seq-1) {
		if err != nil || e.Seq != seq {
			return event.File{}, false
		}
		var all []event.File
		switch b := e.Body.(type) {
		case event.Said:
			if checkChat(v, chat) == nil || isOfGroup(chat, b) {
				all = b.Files
			}
		case event.Returned:
			all = b.Files
		case event.Replied:
			all = b.Files
		}
		if n < 0 || n >= len(all) {
			return event.File{}, false
		}
		return all[n], true
	}
	return event.File{}, false
}

// pictureType returns the media type of a picture that a browser can show without harm, by its first bytes; "" for all else.
func pictureType(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return "image/gif"
	case len(head) >= 12 && bytes.HasPrefix(head, []byte("RIFF")) && bytes.Equal(head[8:12], []byte("WEBP")):
		return "image/webp"
	}
	return ""
}
