package land

import (
	"hob/internal/game/rules"
)

// The gates of this family: new ground is found from where somebody is, with a check.

func judgeArea(t *rules.Attempt, a rules.Args) *rules.Verdict { return t.Need(a.Text("link_from")) }

func judgeMap(t *rules.Attempt, a rules.Args) *rules.Verdict { return t.Need(a.Text("parent_area_id")) }

func judgeZone(t *rules.Attempt, _ rules.Args) *rules.Verdict { return t.Need(t.Actor.Place) }

// judgePicture shows no map with its secrets.
func judgePicture(t *rules.Attempt, a rules.Args) *rules.Verdict {
	if a.Flag("reveal", false) {
		return t.Never()
	}
	return nil
}
