package outbound

import (
	"testing"

	"hob/internal/event"
)

// A picture that changes is drawn when it is sent: it is shown as one though nobody knows its size.
func TestIsPhoto(t *testing.T) {
	for _, c := range []struct {
		file event.File
		want bool
	}{
		{event.File{Type: "image/png", StateOf: "map/mill"}, true}, {event.File{Type: "image/png"}, false}, {event.File{Type: "image/png", Bytes: 1}, true},
		{event.File{Type: "image/png", StateOf: "map/mill", Bytes: maxPhoto}, false}, {event.File{Type: "text/plain", StateOf: "map/mill"}, false},
	} {
		if got := isPhoto(c.file); got != c.want {
			t.Errorf("%+v: %t", c.file, got)
		}
	}
}
