package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // photos come in it
	_ "image/jpeg" // likewise
	"image/png"
	"net/http"
	"slices"
	"strings"
)

// What a photo may measure.
const (
	maxSides = 10_000 // width and height together
	maxRatio = 20
)

// carried is the file of a kind that a call sends: an upload, or one that the server knows by its id.
func (s *Server) carried(c *call, kind, from string) (File, *refusal) {
	f := File{Kind: kind}
	up, here := c.files[kind]
	if name, ok := strings.CutPrefix(from, "attach://"); ok {
		up, here = c.files[name]
	}
	switch known := s.files[from]; {
	case here && len(up.Data) == 0:
		return f, bad("file must be non-empty")
	case here && len(up.Data) > maxUpload:
		return f, &refusal{code: http.StatusRequestEntityTooLarge, text: "Request Entity Too Large"}
	case here:
		f.Name, f.Data, f.Type = up.Name, up.Data, http.DetectContentType(up.Data)
	case from == "":
		return f, bad("there is no " + kind + " in the request")
	case known == nil:
		return f, bad("wrong file identifier/HTTP URL specified")
	default:
		f.Data, f.Name = known.data, known.name
	}
	if kind != "photo" {
		return f, nil
	}
	f.Name = ""
	if !here {
		f.Width, f.Height = 800, 600
		return f, nil
	}
	return f, f.measure()
}

// measure refuses what Telegram does not show as a photo.
func (f *File) measure() *refusal {
	if len(f.Data) > maxPhoto {
		return bad(fmt.Sprintf("file of size %d bytes is too big for a photo; the maximum size is %d bytes", len(f.Data), maxPhoto))
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(f.Data))
	if err != nil {
		return bad("IMAGE_PROCESS_FAILED")
	}
	f.Width, f.Height = size.Width, size.Height
	if short := min(f.Width, f.Height); short <= 0 || f.Width+f.Height > maxSides || max(f.Width, f.Height) > maxRatio*short {
		return bad("PHOTO_INVALID_DIMENSIONS")
	}
	return nil
}

// editMessageMedia puts a file in the place of a message's, or of its words.
func (s *Server) editMessageMedia(c *call) (any, *refusal) {
	var media struct {
		Type     string          `json:"type"`
		Media    string          `json:"media"`
		Caption  string          `json:"caption"`
		Entities json.RawMessage `json:"caption_entities"`
		Mode     string          `json:"parse_mode"`
	}
	if c.p["media"] == "" {
		return nil, bad("there is no media in the request")
	}
	if err := json.Unmarshal([]byte(c.p["media"]), &media); err != nil {
		return nil, bad("can't parse input media JSON object")
	}
	if media.Type != "photo" && media.Type != "document" {
		return nil, bad("can't parse input media: invalid type of a file specified")
	}
	if media.Media == "" {
		return nil, bad("can't parse input media: media not found")
	}
	inner := *c
	inner.p = params{"caption": media.Caption, "parse_mode": media.Mode, "caption_entities": string(media.Entities)}
	w, no := inner.words("caption", "caption_entities", maxCaption)
	if no != nil {
		return nil, no
	}
	chat, m, no := s.mine(c)
	if no != nil {
		return nil, no
	}
	f, no := s.carried(c, media.Type, media.Media)
	if no != nil {
		return nil, no
	}
	if old := m.File; old != nil && old.Kind == f.Kind && bytes.Equal(old.Data, f.Data) {
		return s.change(c, chat, m, w) // the same picture may have another caption
	}
	buttons, no := c.keyboard()
	if no != nil {
		return nil, no
	}
	s.keepFile(&f)
	m.File, m.Buttons = &f, buttons
	m.Text, m.Entities, m.Dropped = w.text, w.entities, w.dropped
	m.Edits++
	m.edited = c.now
	return s.wire(chat, m, true), nil
}

// PNG is a picture of that size, all in one shade of grey: another shade is another picture.
func PNG(width, height int, shade uint8) []byte {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Gray{Y: shade}})
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic("telegramtest: a picture cannot be written: " + err.Error())
	}
	return out.Bytes()
}

// Picture returns what a message shows as a photo now, what stands below it and how often it was edited; shown is false where
// it is gone, or no photo.
func (c *Chat) Picture(message int64) (data []byte, caption string, edits int, shown bool) {
	m, known := c.Message(message)
	if !known || m.File == nil || m.File.Kind != "photo" {
		return nil, "", 0, false
	}
	return m.File.Data, m.Text, m.Edits, true
}

// PressLabel presses the button of that text below the newest message of the bot that has one, and returns the id of the
// callback; "" where none has.
func (c *Chat) PressLabel(u *User, label string) string {
	for _, m := range slices.Backward(c.FromBot()) {
		if slices.ContainsFunc(slices.Concat(m.Buttons...), func(b Button) bool { return b.Text == label }) {
			return c.Press(u, m.ID, label)
		}
	}
	return ""
}

// Toast returns what was shown last to a user of the chat for a press; "" also where nothing was.
func (c *Chat) Toast(u *User) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, id := range slices.Backward(c.s.askedIDs) {
		if cb := c.s.asked[id]; cb.Answered && cb.Chat == c.ID && cb.From.ID == u.ID {
			return cb.Text
		}
	}
	return ""
}
