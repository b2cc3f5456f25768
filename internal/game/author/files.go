package author

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/tales"
)

// files returns the files of a whole draft.
func (d *draft) files() []tales.File {
	f := &files{draft: d, taken: map[string]bool{}}
	f.writePlaces()
	f.writePeople()
	f.writeLocks()
	f.writeGoals()
	f.writeTalk()
	f.writeHero()
	what := fmt.Sprintf("# A tale about %s\n%s, from what a model chose.\n", plain(d.Premise, mostPremise), tales.ByHob) + f.begin() + f.what.String()
	text := tales.ByModel(d.model) + "\n" + f.frameWords() + f.text.String() + "\n" + tales.ByHob + ", from the names above.\n" + f.keys.String()
	return []tales.File{{Name: d.ID + ".txt", Text: what}, {Name: d.ID + "." + d.Lang + ".txt", Text: text}}
}

// files is the lines of a tale's files.
type files struct {
	*draft
	what, text, keys strings.Builder
	taken            map[string]bool // ids

	placeIDs, peopleIDs, keyIDs, goalIDs []string
}

// id makes an id of a name.
func (f *files) id(prefix, name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(bare(name)), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if b.Len()+len(word) > mostSlug {
			break
		}
		b.WriteString("_" + word)
	}
	id := prefix + b.String()
	for n := 1; f.taken[id] || id == prefix; n++ {
		id = fmt.Sprintf("%s%s_%d", prefix, b.String(), n)
	}
	f.taken[id] = true
	return id
}

// mostSlug is the most letters of an id that come from a name.
const mostSlug = 24

func (f *files) line(format string, args ...any) { fmt.Fprintf(&f.what, format+"\n", args...) }

func (f *files) word(key, text string) { fmt.Fprintf(&f.text, "%s = %s\n", key, text) }

// hours are the times of day at which a tale begins, in the order of [times].
func hours() []string { return []string{"08:00", "12:00", "18:00", "22:00"} }

func (f *files) begin() string {
	return fmt.Sprintf("begin 812-10-31 %s %s\n", hours()[slices.Index(times(), f.frame.Time)], f.placeIDs[0])
}

func (f *files) frameWords() string {
	s := f.frame
	return fmt.Sprintf("title = %s\npitch = %s\nopening = %s\ngoal = %s\nending = %s\nmilestone = %s\nstyle = %s\nweather = %s\nhero = %s\n",
		s.Title, s.Pitch, s.Opening, s.Goal, f.ending, s.Situation, s.Style, s.Weather, s.Hero)
}

// section begins a section of both files.
func (f *files) section() {
	f.what.WriteString("\n")
	f.text.WriteString("\n")
}

func (f *files) writePlaces() {
	f.section()
	layout := f.layOut()
	for i, p := range f.places {
		id := f.id("area", p.Name)
		f.placeIDs = append(f.placeIDs, id)
		kind := ""
		if p.Kind != room {
			kind = " kind=" + p.Kind
		}
		f.line("place %s %d %d%s", id, layout.Rooms[i].GX, layout.Rooms[i].GY, kind)
		f.word(id, p.Name)
		f.word(id+".desc", p.Desc)
	}
	for _, l := range f.locks {
		f.keyIDs = append(f.keyIDs, f.id("obj", l.Key))
	}
	for i, l := range layout.Links {
		from, to, door := f.placeIDs[l.A], f.placeIDs[l.B], ""
		if n := slices.IndexFunc(f.locks, func(l lock) bool { return l.to == i+1 }); n >= 0 {
			door = " door=locked lock=" + f.keyIDs[n]
			f.word(from+".open."+to, f.locks[n].Opens)
		}
		f.line("way %s %s %s minutes=%d%s", from, l.Dir, to, wayMinutes, door)
	}
}

// wayMinutes is how long it takes from a place to its neighbour.
const wayMinutes = 3

func (f *files) writePeople() {
	f.section()
	for _, p := range f.people {
		id := f.id("npc", p.Name)
		f.peopleIDs = append(f.peopleIDs, id)
		f.line("actor %s %s charm=1", id, f.placeIDs[p.at])
		f.word(id, p.Name)
		f.word(id+".desc", p.Desc)
		f.word(id+".wants", p.Wants)
	}
}

func (f *files) writeLocks() {
	f.section()
	for i, l := range f.locks {
		if l.person >= 0 {
			f.line("thing %s %s hidden", f.keyIDs[i], f.peopleIDs[l.person])
		} else {
			f.line("thing %s %s", f.keyIDs[i], f.placeIDs[l.place])
		}
		f.word(f.keyIDs[i], l.Key)
		f.word(f.keyIDs[i]+".desc", l.KeyDesc)
	}
}

func (f *files) writeGoals() {
	quest := f.id("quest", "")
	var goals []string
	for i, g := range f.goals {
		when, id := "", ""
		switch g.Do {
		case give:
			id = f.id("obj", g.What)
			f.line("thing %s %s", id, f.placeIDs[g.at])
			f.word(id, g.What)
			f.word(id+".desc", g.Detail)
			when = fmt.Sprintf("in %s %s", id, f.peopleIDs[g.person])
		case learn:
			id = f.id("fact", g.What)
			f.line("fact %s secret importance=7 about=%s witnesses=%s", id, f.peopleIDs[g.person], f.peopleIDs[g.person])
			f.word(id, g.Detail)
			when = "knows " + id
		case reach:
			when = "at " + f.placeIDs[g.at]
		}
		f.goalIDs = append(f.goalIDs, id)
		goals = append(goals, fmt.Sprintf("goal %s goal_%d when %s", quest, i+1, when))
	}
	f.section()
	f.line("quest %s ends", quest)
	f.word(quest, f.frame.Title)
	for i, g := range f.goals {
		f.line("%s", goals[i])
		f.word(fmt.Sprintf("%s.goal_%d", quest, i+1), g.Text)
		f.word(fmt.Sprintf("%s.goal_%d.done", quest, i+1), g.Done)
	}
	clock := f.id("clock", f.frame.Danger)
	f.line("clock %s segments=%d minutes=%d visible fails=%s", clock, segments, f.minutes, quest)
	f.word(clock, f.frame.Danger)
	f.word(clock+".full", f.frame.TooLate)
}

// segments is how many segments the clock of a tale has.
const segments = 8

func (f *files) writeTalk() {
	f.section()
	for i, id := range f.peopleIDs {
		said := f.lines[i]
		for n, g := range f.goals { // thanks come before the greeting that is always said
			if g.person == i && g.Do == give {
				f.talk(id, fmt.Sprint(thanks, n+1), said, fmt.Sprintf("greeting when in %s %s", f.goalIDs[n], id))
			}
		}
		f.talk(id, hello, said, "greeting")
		for n, l := range f.locks {
			if l.person == i {
				f.ask(id, fmt.Sprint(gives, n+1), said, l.Key, "gives="+f.keyIDs[n])
			}
		}
		for n, g := range f.goals {
			switch {
			case g.person != i:
			case g.Do == learn:
				f.ask(id, fmt.Sprint(tells, n+1), said, g.What, "reveals="+f.goalIDs[n])
			case g.Do == give:
				f.ask(id, fmt.Sprint(wants, n+1), said, g.What, fmt.Sprintf("when not in %s %s", f.goalIDs[n], id))
			}
		}
		f.ask(id, about, said, f.places[f.topic(i)].Name, "")
	}
}

// talk writes something that a person says.
func (f *files) talk(id, name string, said map[string]string, rest string) {
	f.line("%s", strings.TrimSpace(fmt.Sprintf("talk %s %s %s", id, name, rest)))
	f.word(id+"."+name, said[name])
}

// ask writes something that a person says when they are asked about something.
func (f *files) ask(id, name string, said map[string]string, topic, rest string) {
	f.talk(id, name, said, rest)
	fmt.Fprintf(&f.keys, "%s.%s.topic = %s\n%s.%s.keys = %s\n", id, name, topic, id, name, strings.Join(keysOf(topic), ", "))
}

// keysOf returns the words by which something of a name is asked for: the name, and the longer of its words.
func keysOf(name string) []string {
	keys := []string{strings.ToLower(name)}
	for _, w := range rules.Words(strings.ToLower(name)) {
		if utf8.RuneCountInString(w) > 3 && !slices.Contains(keys, w) {
			keys = append(keys, w)
		}
	}
	return keys
}

func (f *files) writeHero() {
	f.section()
	id := f.id("trade", f.frame.Role)
	f.line("trade %s hp=10 force=1 finesse=1 wits=2 charm=1 lore=1", id)
	f.word(id, f.frame.Role)
	f.word(id+".line", f.frame.HeroLine)
}
