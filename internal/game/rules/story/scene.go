package story

import (
	"context"
	"strconv"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// MaxScene is how many bytes a scene block may have (game.md): about a third as many tokens in the worst script.
const MaxScene = 1800

// runScene runs the tool scene. Its result is {"scene"}.
func runScene(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
	b := Scene(s.World, SceneInput{Turn: s.Turn, Actor: s.Actor, Last: Bullets(s.Book, s.Lang, s.Recent(maxLast), 0)})
	return rules.Accept(rules.NewObj().Text("scene", b), "look.text", b)
}

// SceneInput is what a scene block needs besides the world.
type SceneInput struct {
	Turn  int64
	Actor string   // whose eyes it is, "" is the active actor
	Last  []Bullet // the newest events, the oldest of them first
	Says  string   // what the player just said, which brings up lore
	// Daypart is the time of day in the story's language; "" takes that of [Date].
	Daypart string
	// Recent is the words of the turns before, the newest first. They decide which lore stays up or rests: see
	// [LoreReach]. If they have the names of the places of those turns, these count, too.
	Recent []string
}

// Scene returns the block: at most [MaxScene] bytes, nothing hidden and nothing secret in it,
// always the same for the same world. Where there is too much, it leaves out, in this order: lore
// (the last one first), what happened last (the oldest first), attributes, what is inside of
// objects, what those carry who are elsewhere, progress clocks; then lists and names become
// shorter. What is never left out is AT, EXITS, PARTY with the acting actor's hit points and
// conditions before all others, CARRY with what that actor has, LINES and SAYS: in the worst case
// each of them, cut to its share, is the block.
func Scene(w *world.World, t SceneInput) string {
	p := newPainter(w, t)
	for _, p.level = range levels() {
		if p.paint() {
			return string(p.b)
		}
	}
	p.paintShares()
	return string(p.b)
}

// What there is room for at most, whatever the level.
const (
	maxItems = 40
	maxLast  = 3
	maxZones = 6 // of the open world, the nearest
)

// level is how much of everything fits.
type level struct {
	lore, last            int
	attrs, inside, clocks bool
	far                   bool // what people elsewhere carry
	items                 int  // of a list
	name, text            int  // runes
}

// levels returns the levels, from everything to very little.
func levels() []level {
	l := level{
		lore: maxFound, last: maxLast, attrs: true, inside: true, clocks: true, far: true,
		items: maxItems, name: 60, text: 300,
	}
	list := []level{l}
	add := func() { list = append(list, l) }
	for ; l.lore > 0; add() {
		l.lore--
	}
	for ; l.last > 0; add() {
		l.last--
	}
	for _, part := range []*bool{&l.attrs, &l.inside, &l.far, &l.clocks} {
		*part = false
		add()
	}
	for _, room := range [][3]int{{24, 40, 160}, {16, 30, 100}, {10, 24, 60}, {6, 18, 40}, {4, 14, 24}} {
		l.items, l.name, l.text = room[0], room[1], room[2]
		add()
	}
	return list
}

// painter writes a scene.
type painter struct {
	w *world.World
	t SceneInput
	level

	b        []byte
	actor    *world.Actor
	sight    Sight
	beyond   []rules.Zone   // zones that can be reached across country
	people   []*world.Actor // people here who are not of the party
	members  []member
	lores    []*world.Lore
	quests   []*world.Quest
	clocks   []*world.Clock
	required bool // write only what is never left out
}

// member is somebody of the party, or the acting actor, who stands first.
type member struct {
	*world.Actor
	far  bool
	has  []VisibleThing
	more int
}

func newPainter(w *world.World, t SceneInput) *painter {
	p := &painter{w: w, t: t, b: make([]byte, 0, 2*MaxScene), actor: rules.Viewpoint(w, t.Actor)}
	if p.actor != nil {
		p.sight = limitedSight(w, w.Place(p.actor.Place), p.actor.ID, maxItems)
		p.beyond = rules.Zones(w, p.actor)
	}
	p.gatherPeople()
	words := t.Says
	if p.sight.Place != nil {
		words += " " + p.sight.Place.Name
	}
	p.lores = ActiveLore(w, words, maxFound, t.Recent...)
	for _, q := range w.Quests() {
		if q.State == world.Active {
			p.quests = append(p.quests, q)
		}
	}
	p.clocks = rules.OpenClocks(w)
	return p
}

// gatherPeople finds the party, the acting actor first, then those in the same place, then the rest; and the other
// people here.
func (p *painter) gatherPeople() {
	if p.actor == nil {
		return
	}
	party := make(map[string]bool, len(p.w.Self().Party))
	join := func(a *world.Actor, far bool) {
		m := member{Actor: a, far: far}
		m.has, m.more = visibleThings(p.w, a.ID, deepest, maxItems, false)
		p.members = append(p.members, m)
	}
	join(p.actor, false)
	for _, far := range []bool{false, true} {
		for _, id := range p.w.Self().Party {
			a := p.w.Actor(id)
			if a == nil || a.ID == p.actor.ID || (a.Place != p.actor.Place) != far || party[id] {
				continue
			}
			party[id] = true
			join(a, far)
		}
	}
	for _, a := range p.sight.Actors {
		if !party[a.ID] {
			p.people = append(p.people, a)
		}
	}
}

// paint writes all lines and reports whether they fit. It stops as soon as they do not.
func (p *painter) paint() bool {
	p.b = p.b[:0]
	for _, line := range []func(){
		p.headline, p.at, p.exits, p.zones, p.here, p.party, p.carry, p.questLine, p.clockLine, p.loreLines, p.lastLine, p.limits, p.says,
	} {
		if line(); p.isFull() {
			return false
		}
	}
	return true
}

func (p *painter) isFull() bool { return len(p.b) > MaxScene }

// paintShares writes only the required lines, each cut to its share. Together they have at most MaxScene bytes.
func (p *painter) paintShares() {
	p.required = true
	var block []byte
	for _, line := range []struct {
		write func()
		share int
	}{{p.headline, 150}, {p.at, 250}, {p.exits, 280}, {p.party, 300}, {p.carry, 250}, {p.limits, 320}, {p.says, 200}} {
		p.b = p.b[:0]
		if line.write(); len(p.b) == 0 {
			continue
		}
		if len(block) > 0 {
			block = append(block, '\n')
		}
		block = append(block, cutBytes(p.b, line.share)...)
	}
	p.b = block
}

// cutBytes cuts b to n bytes, with a mark where it was cut, never within a rune.
func cutBytes(b []byte, n int) []byte {
	const mark = "…"
	if len(b) <= n {
		return b
	}
	n = display.CutAt(string(b), n-len(mark))
	return append(b[:n:n], mark...)
}

// begin begins a line.
func (p *painter) begin(words ...string) {
	if len(p.b) > 0 {
		p.b = append(p.b, '\n')
	}
	p.put(words...)
}

func (p *painter) put(words ...string) {
	for _, w := range words {
		p.b = append(p.b, w...)
	}
}

// id writes an id. In an imported world it may be any text.
func (p *painter) id(id string) {
	const longest = 80 // the longest id that is written when there is no room
	if id = spelling.Line(id, len(id)); p.required && len(id) > longest {
		p.b = append(p.b, cutBytes([]byte(id), longest)...)
		return
	}
	p.put(id)
}

// name writes a space and a name, or nothing if there is none.
func (p *painter) name(s string) {
	if s = p.short(s); s != "" {
		p.put(" ", s)
	}
}

// label writes an id and a name.
func (p *painter) label(id, name string) {
	p.id(id)
	p.name(name)
}

// shorten returns a text as one line, cut to the length that this level has for texts.
func (p *painter) shorten(s string) string { return spelling.Line(s, p.text) }

// short is shorten to the length of names.
func (p *painter) short(s string) string { return spelling.Line(s, p.level.name) }

// line writes a line of items, unless there are none.
func (p *painter) line(word string, n, more int, item func(i int)) {
	if n > 0 {
		p.begin(word)
		p.list("; ", n, more, item)
	}
}

// list writes items 0 to n-1 with sep between them, as many as fit, and how many more there are.
func (p *painter) list(sep string, n, more int, item func(i int)) {
	for i := range n {
		if i > 0 {
			p.put(sep)
		}
		if i >= p.items {
			p.put("+", number(n-i+more), " more")
			return
		}
		if item(i); p.isFull() && !p.required {
			return
		}
	}
	if more > 0 {
		p.put(sep, "+", number(more), " more")
	}
}

func number[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }
