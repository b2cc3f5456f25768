package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
)

const (
	// thumbSize is how many bytes the small sizes of a photo claim to have.
	thumbSize = 1234
	// What a photo may measure.
	maxSides = 10_000 // width and height together
	maxRatio = 20
)

// file is one that Telegram keeps.
type file struct {
	path string
	data []byte
	size int64
}

// keepFile gives a file its id.
func (s *Server) keepFile(f *File) {
	s.serial++
	f.ID = fmt.Sprintf("BQACAgI%08d-%s", s.serial, f.Kind)
	if f.Size == 0 {
		f.Size = int64(len(f.Data))
	}
	s.files[f.ID] = &file{fmt.Sprintf("%ss/file_%d", f.Kind, s.serial), f.Data, f.Size}
	if f.Kind == "photo" {
		for _, small := range []string{"-s", "-m"} {
			s.files[f.ID+small] = &file{fmt.Sprintf("thumbnails/file_%d%s", s.serial, small), []byte("a small size" + small), thumbSize}
		}
	}
}

func (c *call) getFile() any {
	id := c.p["file_id"]
	f := c.files[id]
	switch {
	case f == nil:
		panic(bad("wrong file_id or the file is temporarily unavailable"))
	case f.size > maxDownload:
		panic(bad("file is too big"))
	}
	return map[string]any{"file_id": id, "file_unique_id": "u" + id, "file_size": f.size, "file_path": f.path}
}

// serveFile answers the download of a file. It can fail as the methods can, under the name "file".
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, path string) {
	c := &call{p: params{"path": path}, rec: s.note("file", params{"path": path})}
	f, answered := s.fail(w, r, c)
	if answered {
		return
	}
	c.lost = f.Kind.loses()
	w.Header().Set("Content-Type", "application/octet-stream")
	s.answer(w, r, c, f, http.StatusOK, s.fileAt(path))
}

// fileAt returns the bytes of a file that getFile has named.
func (s *Server) fileAt(path string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.path == path {
			return f.data
		}
	}
	return nil
}

// attached returns the file of a kind that a call sends in the field of that name.
func (c *call) attached(kind, field string) File {
	up, ok := c.uploads[field]
	switch {
	case !ok:
		panic(bad("there is no " + kind + " in the request"))
	case len(up.data) == 0:
		panic(bad("file must be non-empty"))
	}
	f := File{Kind: kind, Name: up.name, Data: up.data, Type: http.DetectContentType(up.data)}
	if kind == "photo" {
		f.Name = ""
		f.measure()
	}
	return f
}

// measure refuses pictures that Telegram does not show as a photo.
func (f *File) measure() {
	if len(f.Data) > maxPhoto {
		panic(bad(fmt.Sprintf("file of size %d bytes is too big for a photo; the maximum size is %d bytes", len(f.Data), maxPhoto)))
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(f.Data))
	if err != nil {
		panic(bad("IMAGE_PROCESS_FAILED"))
	}
	f.Width, f.Height = size.Width, size.Height
	if short := min(f.Width, f.Height); short <= 0 || f.Width+f.Height > maxSides || max(f.Width, f.Height) > maxRatio*short {
		panic(bad("PHOTO_INVALID_DIMENSIONS"))
	}
}

// editMessageMedia puts a file in the place of a message's.
func (c *call) editMessageMedia() any {
	var media struct {
		Type    string `json:"type"`
		Media   string `json:"media"`
		Caption string `json:"caption"`
	}
	if err := json.Unmarshal([]byte(c.p["media"]), &media); err != nil {
		panic(bad("can't parse input media JSON object"))
	}
	if media.Type != "photo" && media.Type != "document" {
		panic(bad("can't parse input media: invalid type of a file specified"))
	}
	caption := checkText(media.Caption, "", maxCaption)
	chat, m := c.ownMessage()
	f := c.attached(media.Type, strings.TrimPrefix(media.Media, "attach://"))
	if old := m.File; old != nil && old.Kind == f.Kind && bytes.Equal(old.Data, f.Data) {
		return c.change(chat, m, caption) // the same picture may have another caption
	}
	c.keepFile(&f)
	m.File, m.Buttons = &f, c.keyboard()
	m.set(caption)
	m.edit(c.now)
	return c.wire(chat, m, true)
}

// PNG returns a picture of that size, all in one shade of grey: another shade is another picture.
func PNG(width, height int, shade uint8) []byte {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Gray{Y: shade}})
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic("telegramtest: a picture cannot be written: " + err.Error())
	}
	return out.Bytes()
}

// Picture returns the picture that a message shows now, its caption, and how often it was edited; shown is
// false where there is none.
func (c *Chat) Picture(message int64) (data []byte, caption string, edits int, shown bool) {
	m, known := c.Message(message)
	if !known || m.File == nil || m.File.Kind != "photo" {
		return nil, "", 0, false
	}
	return m.File.Data, m.Text, m.Edits, true
}
