package gamemaster

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/show"
	"hob/internal/game/world"
	"hob/internal/lazyregexp"
)

// closing is the page at the end of a story: how it ended, how long it took, which goals were reached and which were
// not, and how much of the world was seen. It names nothing that nobody found.
func (camp *campaign) closing(ctx context.Context) string {
	end := camp.describeEnd()
	first, err := camp.At(ctx, 0)
	if err != nil {
		return end
	}
	w := camp.World()
	var done, left []string
	for _, q := range w.Quests() {
		switch {
		case q.Ends:
		case q.State == world.Done:
			done = append(done, "“"+show.Name(q.Title)+"”")
		case q.State == world.Active:
			left = append(left, "“"+show.Name(q.Title)+"”")
		}
	}
	seen := tally{}
	pages := false
	for _, p := range first.Places() {
		if pages = pages || p.IsPage(); !p.IsPage() { // the number of pages would give away other endings
			seen.count("places", w.Place(p.ID) != nil && w.Place(p.ID).Visited)
		}
	}
	for _, a := range first.Actors() {
		if now := w.Actor(a.ID); len(a.Talk) > 0 && now != nil {
			met := false
			for _, t := range now.Talk {
				met = met || t.Said
			}
			seen.count("people", met)
		}
	}
	for _, t := range first.Things() {
		if kind, _ := first.Holder(t.ID); t.Hidden && kind == world.PlaceKind {
			seen.count("hidden", w.Thing(t.ID) != nil && !w.Thing(t.ID).Hidden)
		}
	}
	for _, f := range first.Facts() {
		if f.Secret {
			seen.count("secrets", w.Fact(f.ID) != nil && !w.Fact(f.ID).Secret)
		}
	}
	minutes := w.Self().Minute - first.Self().Minute
	turns := strconv.Itoa(camp.countPlayed(ctx))
	took := camp.say("close.time", fmt.Sprintf("%d:%02d", minutes/60, minutes%60), turns)
	if pages {
		took = camp.say("close.turns", turns)
	}
	lines := []string{end, took}
	if len(done) > 0 {
		lines = append(lines, camp.say("close.done", strings.Join(done, ", ")))
	}
	if len(left) > 0 {
		lines = append(lines, camp.say("close.left", strings.Join(left, ", ")))
	}
	for _, kind := range []string{"places", "people", "hidden", "secrets"} {
		if n := seen[kind]; n[1] > 0 {
			lines = append(lines, camp.say("close."+kind, strconv.Itoa(n[0]), strconv.Itoa(n[1])))
		}
	}
	return strings.Join(lines, "\n")
}

// countPlayed returns how many turns of the story were played. Changes of settings do not count.
func (camp *campaign) countPlayed(ctx context.Context) (n int) {
	for parts, err := range camp.history(ctx, whole) {
		if err == nil && len(parts) > 0 && !keepsRound(parts[0]) {
			n++
		}
	}
	return n
}

// tally counts, for each kind, how many were found and how many there are.
type tally map[string][2]int

// count counts one more of a kind, and whether it was found.
func (t tally) count(kind string, found bool) {
	n := t[kind]
	if n[1]++; found {
		n[0]++
	}
	t[kind] = n
}

// leaves reports whether words without a slash ask to pause the story.
func (m *Master) leaves(words string) bool {
	words = strings.Trim(strings.ToLower(words), " .!。！")
	return slices.ContainsFunc(rules.Langs(), func(lang string) bool {
		return slices.Contains(strings.Split(m.Words(lang, "leave"), "|"), words)
	})
}

// momentAs matches words that may stand before the name of a saved moment, as in "the game as".
var momentAs = lazyregexp.New(`(?i)^(?:(?:the |this |my )?game |игру )?(?:as |under |как )?`)

// spokenMoment reads "save NAME" and "load NAME" without a slash, for words that the parser does not understand.
func spokenMoment(words string) (command, name string) {
	words = strings.TrimSpace(words)
	for _, c := range [][2]string{
		{"save ", "save"}, {"сохрани ", "save"}, {"сохранить ", "save"}, {"存档", "save"}, {"保存", "save"},
		{"load ", "load"}, {"restore ", "load"}, {"загрузи ", "load"}, {"загрузить ", "load"}, {"读档", "load"}, {"载入", "load"},
	} {
		if n := len(c[0]); len(words) > n && strings.EqualFold(words[:n], c[0]) {
			return c[1], strings.TrimSpace(momentAs().ReplaceAllString(strings.TrimSpace(words[n:]), ""))
		}
	}
	return "", ""
}
