package land

import (
	"hob/internal/game/rules"
)

// The gates of this family: new ground is found from where somebody is, with a check.

// exploring is the difficulty of finding new ground beside or inside the place where somebody is.
func exploring(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	if target != t.Actor.Place {
		return 0, t.Unseen()
	}
	return rules.Uncertain, nil
}

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
