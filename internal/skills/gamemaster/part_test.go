package gamemaster_test

import (
	"strings"
	"testing"
)

// TestPart gives what is only a part of something: whoever means the whole says so. Who is to be bandaged speaks of where it hurts.
func TestPart(t *testing.T) {
	for lang, said := range map[string][][2]string{
		"en": {
			{"go to the parlour", "Parlour"}, {"give bandages to ferris", "Did you mean: “give doctor's bag to Constable Ferris”?"}, {"no", "You leave it"},
			{"heal ferris", "Mostly it comes when there are stairs"}, {"give the bag to ferris", "−doctor's bag"},
		},
		"ru": {
			{"идти в гостиную", "Гостиная"}, {"дай бинты констеблю", "отдать: докторский саквояж → Констебль Феррис"}, {"нет", ""},
			{"вылечить констебля", "у лестниц"}, {"дай саквояж констеблю", "−докторский саквояж"},
		},
		"zh": {
			{"去小客厅", "客厅"}, {"把绷带给费里斯", "把药箱给"}, {"不", ""}, {"给费里斯包扎", "见了楼梯就坏"}, {"把药箱给费里斯", "−药箱"},
		},
	} {
		h := newHouse(t, plan{noModel: true})
		h.say("/game new mystery " + lang + " trade=physician")
		for _, s := range said {
			if got := h.say(s[0]).reply.Text; !strings.Contains(got, s[1]) {
				t.Errorf("%s: %q: %q is not in it: %s", lang, s[0], s[1], got)
			}
		}
	}
}
