package telegramtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// thumbSize is what the small sizes of a photo claim to have.
const thumbSize = 1234

// file is one that Telegram keeps.
type file struct {
	name string
	path string
	data []byte
	size int64
}

// keepFile gives a file its id, and forgets the oldest.
func (s *Server) keepFile(f *File) {
	s.serial++
	f.ID = fmt.Sprintf("BQACAgI%08d-%s", s.serial, f.Kind)
	if f.Size == 0 {
		f.Size = int64(len(f.Data))
	}
	ext := "bin"
	if i := strings.LastIndexByte(f.Name, '.'); i >= 0 {
		ext = f.Name[i+1:]
	}
	switch f.Kind {
	case "photo":
		ext = "jpg"
		for _, small := range []string{"-s", "-m"} {
			s.putFile(f.ID+small, &file{path: fmt.Sprintf("thumbnails/file_%d%s.jpg", s.serial, small),
				data: []byte("a small size" + small), size: thumbSize})
		}
	case "voice":
		ext = "oga"
	}
	s.putFile(f.ID, &file{f.Name, fmt.Sprintf("%ss/file_%d.%s", f.Kind, s.serial, ext), f.Data, f.Size})
}

func (s *Server) putFile(id string, f *file) {
	s.files[id] = f
	s.fileIDs = append(s.fileIDs, id)
	if len(s.fileIDs) > s.opts.Keep {
		delete(s.files, s.fileIDs[0])
		s.fileIDs = s.fileIDs[1:]
	}
}

func (s *Server) getFile(c *call) (any, *refusal) {
	id := c.p["file_id"]
	f := s.files[id]
	switch {
	case id == "":
		return nil, bad("file_id not specified")
	case f == nil:
		return nil, bad("wrong file_id or the file is temporarily unavailable")
	case f.size > maxDownload:
		return nil, bad("file is too big")
	}
	return map[string]any{"file_id": id, "file_unique_id": "u" + id, "file_size": f.size, "file_path": f.path}, nil
}

// serveFile answers the download of a file. It can fail as the methods can, under the name "file".
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, path string) {
	c := &call{p: params{"path": path}, rec: s.note("file", params{"path": path}, nil)}
	f, answered := s.trouble(w, r, c)
	if answered {
		return
	}
	if f.Kind == Slow {
		pause(r.Context(), f.Delay)
	}
	data, found := s.fileAt(path)
	if !found {
		s.finish(c, http.StatusNotFound, false)
		refuse(w, &refusal{code: http.StatusNotFound, text: "Not Found"})
		return
	}
	s.finish(c, http.StatusOK, f.Kind.loses())
	switch f.Kind {
	case BadGatewayAfter:
		page(w, http.StatusBadGateway)
		return
	case DropAfter:
		hangUp(w, false)
	case HangAfter:
		s.hang(r.Context(), c)
		hangUp(w, false)
	case Huge:
		writeHuge(w, f.Bytes)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if f.Kind == Half {
		_, _ = w.Write(data[:len(data)/2])
		hangUp(w, false)
	}
	if _, err := w.Write(data); err != nil {
		s.finish(c, http.StatusOK, true)
	}
}

func (s *Server) fileAt(path string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.path == path && f.size <= maxDownload {
			return f.data, true
		}
	}
	return nil, false
}
