package tales

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/calendar"
	"hob/internal/game/chart"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// maker makes the records of a tale in one language.
type maker struct {
	words *wording
	self  world.Self
	entry string // the place where the story begins
	at    *line  // that is being read

	order   int64
	lines   []*line
	records []world.Record
	nos     []int // the lines of records
	actors  map[string]*world.Actor
	quests  map[string]*world.Quest
	trades  []*trade
	defs    map[string]def   // by id
	goals   map[string]int   // the lines of objectives, by quest and words
	talks   map[string]int   // the lines of what somebody says, by its key
	spoken  map[string][]int // and in the order in which somebody says it
	begun   bool
	opening string // the first words
	ending  string // the last words
	beats   []*world.Beat
	seed    [32]byte  // the seed of the campaign, by which [maker.once] picks a text
	wrong   []mistake // mistakes in the file of things
}

// def is the definition of an id by a line.
type def struct {
	kind string
	no   int
}

// The bounds of numbers in a tale.
const (
	mostStat    = 20
	mostRule    = 1000
	mostHP      = 999
	mostMinutes = 10080 // a week
	mostCell    = 50    // how far a cell may lie from the middle of the map
	mostTrades  = 6
)

// newMaker returns a maker of the tale of that name, with its words in a language.
func newMaker(id, lang string, words *wording, seed [32]byte) *maker {
	m := &maker{
		words: words, seed: seed, actors: map[string]*world.Actor{}, quests: map[string]*world.Quest{}, defs: map[string]def{}, goals: map[string]int{}, talks: map[string]int{},
		spoken: map[string][]int{}, at: &line{},
	}
	words.of = id + ".txt"
	m.self = world.Self{
		Title: m.word("title", mostTitle), Desc: m.word("pitch", mostPitch), Genre: id,
		Style: m.word("style", mostLine), Lang: lang, ClockSet: true,
		Calendar: "common", Weather: m.word("weather", mostName), AllowAll: true, Rules: map[string]int64{rules.ZeroEnds: 1},
		Integrity: world.Bound,
		GoalText:  m.word("goal", mostLine), GoalStatus: world.Active, Milestone: "intro", MilestoneSummary: m.word("milestone", mostLine),
	}
	m.opening = m.once("opening", mostTale)
	m.ending = m.once("ending", mostTale)
	m.word("hero", mostName)
	return m
}

// read makes the records of a file.
func (m *maker) read(text string) {
	m.lines = lines(text)
	for _, l := range m.lines {
		m.line(l)
	}
	m.at = &line{}
	m.readBeats()
	if len(m.trades) > 0 && len(m.wrong) == 0 {
		m.self.Heroes = m.encodeHeroes()
	}
}

// line makes the records of a line.
func (m *maker) line(l *line) {
	m.at = l
	k, known := kinds()[l.kind]
	if !known {
		m.wrong = append(m.wrong, mistake{l.no, fmt.Sprintf("there is no kind of line %q: begin it with begin, rule, act, place, way, page, choice, actor, thing, fact, "+
			"talk, quest, goal, clock, lore, trade or item", l.kind)})
		return
	}
	k.read(m, l)
	m.wrong = append(m.wrong, l.end()...)
}

// kind is a kind of line.
type kind struct {
	words string // that it begins with
	read  func(*maker, *line)
}

// kinds returns the kinds of lines by their names.
func kinds() map[string]kind {
	return map[string]kind{
		"begin":  {"DATE TIME PLACE, such as begin 812-10-31 14:00 area_bridge", (*maker).begin},
		"rule":   {"", (*maker).rule},
		"act":    {"TOOL, and TARGET for one alone", (*maker).act},
		"place":  {"ID X Y", (*maker).place},
		"way":    {"FROM DIR TO", (*maker).way},
		"page":   {"ID", (*maker).page},
		"choice": {"FROM TO", (*maker).choice},
		"actor":  {"ID PLACE", (*maker).actor},
		"thing":  {"ID HOLDER", (*maker).object},
		"fact":   {"ID", (*maker).fact},
		"talk":   {"ACTOR NAME", (*maker).talk},
		"quest":  {"ID", (*maker).quest},
		"goal":   {"QUEST NAME when CONDITION", (*maker).goal},
		"clock":  {"ID", (*maker).clock},
		"lore":   {"ID", (*maker).lore},
		"trade":  {"ID", (*maker).trade},
		"item":   {"ID TRADE", (*maker).item},
	}
}

// usage returns the form of a line of a kind.
func usage(name string) string { return name + " " + kinds()[name].words }

func (m *maker) rule(l *line) { m.self.Rules = l.rules(m.self.Rules) }

// act says how hard an act is that needs a check in a bound story, or that no check can help.
func (m *maker) act(l *line) {
	key, never, skill := l.next(), l.flag("never"), l.text("skill")
	if key != "" && len(l.words) > 0 {
		key += " " + l.names(l.next(), "place actor thing")
	}
	dc := l.num("dc", rules.Least, mostDC)
	switch said := strings.TrimSpace(skill + " " + strconv.FormatInt(dc, 10)); {
	case never == (dc > 0) || never && skill != "":
		l.fail("say dc= with a number from %d to %d, or never", rules.Least, mostDC)
	case skill != "" && !slices.Contains(rules.Skills(), skill):
		l.fail("there is no skill %.40q: use %s", skill, strings.Join(rules.Skills(), ", "))
	case m.self.Acts[key] != "":
		l.fail("%s is said in another line already: leave one of them out", shorten(key))
	case never:
		m.self.Acts = world.With(m.self.Acts, key, rules.NeverAct)
	default:
		m.self.Acts = world.With(m.self.Acts, key, said)
	}
}

// mostDC is the greatest difficulty of an act.
const mostDC = 40

// id takes an id and notes that this line defines it.
func (m *maker) id(l *line) string {
	id := l.next()
	if id == "" {
		return ""
	}
	if was, twice := m.defs[id]; twice && (was.kind != "item" || l.kind != "item") { // two heroes may carry the same thing
		l.fail("%s is made in line %d already: choose another id", shorten(id), was.no)
	} else if !isID(id) {
		l.fail("%q is no id: it begins with a letter, and has a to z, 0 to 9 and _, at most %d", shorten(id), mostID)
	} else if strings.HasPrefix(id, "pc_") || id == "world" || id == "encounter" {
		l.fail("%s is an id that hob gives: choose another one", id)
	}
	if _, twice := m.defs[id]; !twice {
		m.defs[id] = def{l.kind, l.no}
	}
	return id
}

// mostID is the length of the longest id.
const mostID = 40

func isID(s string) bool {
	bad := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return s != "" && len(s) <= mostID && s[0] >= 'a' && s[0] <= 'z' && !strings.ContainsFunc(s, bad)
}

// word returns the text of a key, of at most so many characters.
func (m *maker) word(key string, most int) string { return m.words.take(key, most, m.at.no) }

// keys returns the words of a key, which has commas between them.
func (m *maker) keys(key string) (list []string) {
	for _, word := range strings.Split(m.word(key, mostTale), ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		list = append(list, word)
	}
	if len(list) > mostKeys {
		m.words.fail(m.words.no[key], "%s has %d words: %d at most", key, len(list), mostKeys)
	}
	return list
}

func (m *maker) put(r world.Record) {
	m.records, m.nos = append(m.records, r), append(m.nos, m.at.no)
}

func (m *maker) next() int64 {
	m.order++
	return m.order
}

func (m *maker) begin(l *line) {
	var d calendar.Date
	day, hour := l.next(), l.next()
	if _, err := fmt.Sscanf(day+" "+hour, "%d-%d-%d %d:%d", &d.Year, &d.Month, &d.Day, &d.Hour, &d.Minute); err != nil {
		l.fail("%q is no date and time: write them as in 812-10-31 14:00", shorten(day+" "+hour))
	} else if minute, err := d.Minutes(); err != nil {
		l.fail("%v", err)
	} else {
		m.self.Minute = minute
	}
	if m.begun {
		l.fail("the story begins in another line already: leave one of them out")
	}
	m.begun, m.entry = true, l.names(l.next(), "place page")
}

func (m *maker) place(l *line) {
	if !m.begun {
		l.fail("begin must stand before all places: move it up")
		m.begun = true // that is said once
	}
	id := m.id(l)
	p := &world.Place{
		ID: id, Order: m.next(), Name: m.word(id, mostName), Desc: m.word(id+".desc", mostLine), Type: "area", Attrs: map[string]string{},
		Visited: id == m.entry, Secret: l.flag("secret"), Search: l.text("search"),
		Grid: &world.Cell{X: l.whole(l.next()), Y: l.whole(l.next())},
	}
	if kind := l.text("kind"); kind != "" {
		if p.Tags = []string{kind}; !slices.Contains(chart.Kinds(), chart.Kind(kind)) {
			l.fail("there is no kind of place %s: use hall, tower, cave, field, wood, water or street, or leave it out", shorten(kind))
		}
	}
	if max(p.Grid.X, -p.Grid.X, p.Grid.Y, -p.Grid.Y) > mostCell {
		l.fail("it lies off the map: use cells from %d to %d", -mostCell, mostCell)
	}
	m.put(p)
}

// page makes a page of a tale of choices.
func (m *maker) page(l *line) {
	if !m.begun {
		l.fail("begin must stand before all pages: move it up")
		m.begun = true // that is said once
	}
	id := m.id(l)
	m.put(&world.Place{
		ID: id, Order: m.next(), Name: m.word(id, mostPitch), Desc: m.word(id+".text", mostTale), Type: world.Page, Attrs: map[string]string{},
		Visited: id == m.entry,
	})
}

// choice makes the choice that leads from one page to another.
func (m *maker) choice(l *line) {
	m.put(&world.Link{From: l.names(l.next(), "page"), To: l.names(l.next(), "page"), Order: m.next(), Minutes: 1})
}

// way makes a way and the way back.
func (m *maker) way(l *line) {
	hidden := l.flag("hidden")
	there := world.Link{
		From: l.names(l.next(), "place"), Dir: l.next(), To: l.names(l.next(), "place"), Order: m.next(),
		Minutes: l.num("minutes", 0, mostMinutes), Door: l.text("door"), Lock: l.names(l.text("lock"), "thing"),
		Hidden: hidden, Find: l.num("find", 0, mostRule),
	}
	if !slices.Contains([]string{world.NoDoor, world.OpenDoor, world.ClosedDoor, world.LockedDoor}, there.Door) {
		l.fail("door=%s: use open, closed or locked", shorten(there.Door))
	}
	if there.Door == world.LockedDoor && there.Lock == "" {
		l.fail("nothing opens this door: say lock= with the id of its key")
	}
	m.put(&there)
	back := there
	back.From, back.To, back.Dir, back.Order = there.To, there.From, "", m.next()
	if len(there.Dir) == 1 { // the map of a tale has no others
		back.Dir = rules.Opposite(there.Dir)
	}
	if back.Dir == "" {
		l.fail("there is no direction %q: use n, s, e, w, u or d", shorten(there.Dir))
	}
	m.put(&back)
}

func (m *maker) actor(l *line) {
	id := m.id(l)
	a := &world.Actor{
		ID: id, Order: m.next(), Role: "npc", Name: m.word(id, mostName), Desc: m.word(id+".desc", mostLine), Attrs: map[string]string{},
		Place: l.names(l.next(), "place"), State: world.Alive, Attitude: l.num("attitude", -3, 3), Wants: m.word(id+".wants", mostLine),
		Speed: world.Known(world.WalkingPace),
	}
	if l.flag("monster") {
		a.Role = "monster"
	}
	if l.flag("secret") {
		a.Secret = m.word(id+".secret", mostLine)
	}
	if hp := l.num("hp", 1, mostHP); hp > 0 {
		a.HP, a.HPMax = world.Known(hp), world.Known(hp)
	}
	a.Stats = l.numbers(append(rules.Skills(), "defence")...)
	m.actors[id] = a
	m.put(a)
}

func (m *maker) object(l *line) {
	id := m.id(l)
	t := m.thing(l, id, l.next())
	l.names(t.Parent, "place actor thing")
	m.put(t)
}

// thing returns the object of a line.
func (m *maker) thing(l *line, id, parent string) *world.Thing {
	t := &world.Thing{
		ID: id, Order: m.next(), Name: m.word(id, mostName), Desc: m.word(id+".desc", mostLine), Attrs: map[string]string{},
		Parent: parent, Rel: l.text("rel"), Qty: l.num("qty", 0, mostRule), Lock: l.names(l.text("lock"), "thing"),
		Capacity: l.num("capacity", 0, mostRule), Container: l.flag("container"), Closed: l.flag("closed"), Locked: l.flag("locked"),
		Fixed: l.flag("fixed"), Hidden: l.flag("hidden"),
		Find: l.num("find", 0, mostRule), Stats: l.numbers("damage", "hit"),
	}
	if !slices.Contains([]string{"", world.In, world.On, world.Held, world.Worn, world.Part}, t.Rel) {
		l.fail("rel=%s: use in, on, held, worn or part", shorten(t.Rel))
	}
	if t.Locked && t.Lock == "" {
		l.fail("nothing opens this lock: say lock= with the id of its key")
	}
	for _, name := range []string{"fine", "range"} {
		if l.flag(name) {
			t.Stats = world.With(t.Stats, name, 1)
		}
	}
	return t
}

func (m *maker) fact(l *line) {
	id := m.id(l)
	f := &world.Fact{
		ID: id, Order: m.next(), Text: m.word(id, mostLine), Place: l.names(l.text("place"), "place"), About: l.list("about"),
		Witnesses: l.list("witnesses"), Importance: max(1, l.num("importance", 1, 10)), Secret: l.flag("secret"),
	}
	for _, id := range f.About {
		l.names(id, "place actor thing quest clock fact lore")
	}
	for _, id := range f.Witnesses {
		l.names(id, "actor")
	}
	m.put(f)
}
