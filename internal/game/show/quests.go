package show

import (
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Quests lists the goal of a story, the quests with their objectives, and the visible progress
// clocks. It leaves out quests that are only offered.
func Quests(w *world.World, lang string) string {
	t := languageOf(lang)
	var lines []string
	if goal := display.Name(w.Self().GoalText, mostText); goal != "" {
		lines = append(lines, t.Text("goal", goal))
	}
	for _, q := range w.Quests() {
		if q.State != world.Offered {
			lines = append(lines, t.quest(q)...)
		}
	}
	if len(lines) == 0 {
		lines = []string{t.Text("quests.none")}
	}
	for _, c := range rules.OpenClocks(w) {
		lines = append(lines, display.Name(c.Name, mostName)+" "+bar(c)+" "+t.segments(c))
	}
	return strings.Join(lines, "\n")
}

// quest returns the lines of a quest, with objectives while it is open.
func (t language) quest(q *world.Quest) []string {
	title := t.Text("quest", displayName(q.Title, q.ID))
	switch q.State {
	case world.Done:
		return []string{t.withNotes(title, t.Text("quest.done"))}
	case world.Failed:
		return []string{t.withNotes(title, t.Text("quest.failed"))}
	}
	lines := []string{title}
	for _, o := range q.Objectives {
		mark := "○ "
		if slices.Contains(q.Met, o) {
			mark = "✓ "
		}
		lines = append(lines, mark+display.Name(o, mostItem))
	}
	return lines
}

// bar draws the progress of a clock.
func bar(c *world.Clock) string {
	const most = 12 // segments that a clock has
	all := min(max(c.Segments, 0), most)
	full := min(max(c.Filled, 0), all)
	return strings.Repeat("▰", int(full)) + strings.Repeat("▱", int(all-full))
}

// segments returns the progress of a clock in numbers.
func (t language) segments(c *world.Clock) string {
	full := ""
	if c.Filled >= c.Segments {
		full = t.Text("full")
	}
	return t.withNotes(number(c.Filled)+"/"+number(c.Segments), full)
}

// Recap heads a summary of what happened, in prose.
func Recap(lang, told string) string {
	t := languageOf(lang)
	if told == "" {
		return t.Text("recap.none")
	}
	return t.Text("recap") + "\n" + told
}
