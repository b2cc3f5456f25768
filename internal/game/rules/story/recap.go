package story

import (
	"context"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
)

// How many turns a recap goes back.
const (
	defaultTurns = 10
	maxTurns     = 50
)

// runRecap runs the tool recap. Its result is {"bullets":[{"turn","text"}]}, the oldest first.
func runRecap(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	turns := a.Int("turns", defaultTurns)
	if a.Has("since") && !a.Has("turns") {
		turns = maxTurns
	}
	lines := Bullets(s.Book, s.Lang, s.Recent(int(turns)), a.Int("since", 0))
	if len(lines) == 0 {
		return rules.Accept(rules.NewObj().Objs("bullets", nil), "recap.none")
	}
	var bullets rules.Items
	for _, l := range lines {
		bullets.Add(rules.NewObj().Int("turn", l.Turn).Text("text", l.Text), "• "+l.Text)
	}
	return rules.Accept(rules.NewObj().Objs("bullets", bullets.Objs), "look.text", strings.Join(bullets.Lines, "\n"))
}

// Bullet is what happened in a turn, in one line.
type Bullet struct {
	Turn int64  `json:"turn"`
	Text string `json:"text"`
}

// Bullets returns what happened in turns, the oldest first, with what they led to. Turns in which nothing happened have
// no bullet.
func Bullets(book *rules.Book, lang string, past []rules.PastTurn, since int64) []Bullet {
	list := []Bullet{}
	for _, p := range slices.Backward(past) {
		if p.Turn <= since {
			continue
		}
		var texts []string
		for _, o := range p.Outcomes {
			if o.OK() && (o.Changed || isChance(o.Call.Tool)) {
				if text := display.Join(book.Text(lang, o.Say)); !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
		for _, n := range p.Notes {
			if text := display.Join(n.Text); n.IsConsequence() && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			list = append(list, Bullet{Turn: p.Turn, Text: strings.Join(texts, " ")})
		}
	}
	return list
}

// isChance reports whether the result of a tool is worth a bullet even if it changed nothing.
func isChance(tool string) bool {
	switch tool {
	case "attack", "opposed_check", "oracle", "roll_dice", "skill_check":
		return true
	}
	return false
}
