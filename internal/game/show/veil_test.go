package show_test

import (
	"testing"

	"hob/internal/game/show"
	"hob/internal/game/world"
)

// What somebody has spoken of is no secret, although a quest that nobody has got yet is called the same.
func TestVeil(t *testing.T) {
	for said, want := range map[bool]string{true: "Tam tells you about Clover's bell.", false: "Tam tells you about …."} {
		w := set(t, &world.Self{}, &world.Quest{ID: "q", Title: "Clover's bell", State: world.Offered},
			&world.Actor{ID: "tam", Name: "Tam", Talk: []world.Talk{{Topic: "Clover's bell", Text: "In the reeds.", Said: said}}})
		same(t, show.Veil(w, "Tam tells you about Clover's bell."), want)
	}
}
