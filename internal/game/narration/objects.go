package narration

import (
	"slices"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// object is what a verb is about.
type object struct {
	at     int
	things []string // what the word may name
	goods  bool     // something that can be had, and that is nothing of the story
	light  bool     // nothing that can be had, as in "take a breath"
	it     bool     // it is stood for
}

// thing returns what the word at j is, where that is something to have or to hold, or what stands for it.
func (c *checker) thing(j int) (o object, ok bool) {
	t := &c.toks[j]
	if ids := c.named(j, world.ThingKind); len(ids) > 0 && !c.owns(j) {
		return object{at: j, things: ids}, true
	}
	switch {
	case len(t.names) > 0 || c.owns(j):
		return o, false
	case t.class&cLight != 0 && c.toks[j+1].stop == 0 && c.toks[j+1].class&cGoods != 0: // a little bell
		return o, false
	case t.class&cLight != 0:
		return object{at: j, light: true}, true
	case t.class&cGoods != 0:
		return object{at: j, goods: true}, true
	case t.class&cIt != 0 && (c.lang != "zh" || j == 0 || c.toks[j-1].class&cGive == 0): // not 给了它
		return c.antecedent(j)
	}
	return o, false
}

// antecedent returns what "it" or "which" at j may stand for: things that were named shortly before, or else the last that is nothing
// of the story.
func (c *checker) antecedent(j int) (o object, ok bool) {
	for k := j - 1; k >= max(0, j-40); k-- {
		if ids := c.named(k, world.ThingKind); len(ids) > 0 {
			o.at, o.things = k, append(o.things, ids...)
		} else if c.toks[k].class&cGoods != 0 && len(o.things) == 0 && !o.goods {
			o.at, o.goods = k, true
		} else if c.toks[k].class&cLight != 0 && c.lang == "ru" && len(o.things) == 0 && !o.goods && k > c.start(j, true) {
			return object{at: k, light: true}, true // "he lifts his eyes and hides them"
		}
	}
	o.goods = o.goods && len(o.things) == 0
	o.it = true
	return o, o.goods || len(o.things) > 0
}

// objects returns what the verb at i is about: in its clause behind it with what is listed there, or else, but in English, before it.
func (c *checker) objects(i int, s who, k class) []object {
	list := c.objectsBehind(i)
	still := c.lang == "zh" && k&cPut != 0 && k&(cTake|cGive|cLose) == 0 && !slices.ContainsFunc(c.clause(i), func(t token) bool { return t.word == "把" || t.word == "将" || t.class&cYou != 0 }) // 油罐搁在一旁
	for j := i - 1; len(list) == 0 && !still && j >= c.start(i, c.lang == "zh") && (c.lang == "zh" || c.lang == "ru" && s.id != "" || k&cLose != 0); j-- {
		if o, ok := c.thing(j); ok && (j == 0 || c.toks[j-1].word != "从") {
			list = append(list, o)
		}
	}
	return list
}

func (c *checker) objectsBehind(i int) (list []object) {
	governed, filled := c.lang == "zh" && spelling.HasEnd(c.toks[i].word, "进", "入", "到", "在", "于"), false // 放进罐子
	for j := i + 1; j < len(c.toks)-1; j++ {
		t := &c.toks[j]
		o, ok := c.thing(j)
		switch {
		case t.stop != 0 && (t.stop != ',' || len(list) == 0 || c.lang == "zh" || c.lex.lists.has("theirs", *t)), t.class&cLike != 0, t.word == "as" && c.toks[j+1].class&cDet != 0, // "rough as a loaf"
			t.class&cIt != 0 && c.toks[j-1].class&cConj != 0: // "the can, its tin cool", "the can, and it leaves a ring"
			return list
		case ok:
			if !governed {
				list = append(list, o)
			}
			governed, filled = false, false
			if len(t.names) > 0 {
				j = t.names[0].at + t.names[0].n - 1
			}
		case t.class&cParticle != 0 && j-i <= 2:
		case t.class&cMeasure != 0 && c.toks[j+1].word == "of":
			j++
		case t.class&cPrep != 0:
			governed, filled = true, false
		case t.class&cDet != 0 && filled:
			governed, filled = false, false
		case t.class&cVerb != 0 && c.toks[j-1].class&(cDet|cYour) == 0:
			return list
		default:
			filled = governed
		}
	}
	return list
}

// between returns the part of the draft from one token to another.
func (c *checker) between(i, j int) span {
	i, j = min(i, j), max(i, j)
	return span{c.toks[i].at, c.toks[j].end}
}

// closable returns what is named about i that may be open or shut: places, boxes, and words for doors.
func (c *checker) closable(i int, sentence bool) (ways, boxes []string, doors []int) {
	for j := max(c.start(i, sentence), i-8); j < min(c.end(i, sentence), i+9) && !(j > i && c.toks[j].class&cLike != 0); j++ {
		ways = append(ways, c.named(j, world.PlaceKind)...)
		if ids := slices.DeleteFunc(c.named(j, world.ThingKind), func(id string) bool { return c.d.After.Thing(id) == nil || !c.d.After.Thing(id).Container }); len(ids) > 0 {
			boxes = append(boxes, ids...)
		} else if c.toks[j].class&cDoor != 0 && len(c.toks[j].names) == 0 {
			doors = append(doors, j)
		}
	}
	return ways, boxes, doors
}

// destination returns where a way that nobody went leads, by the verb at i; i where it leads nowhere.
func (c *checker) destination(i int, id string, moved bool) int {
	for j := i + 1; j < min(i+9, c.end(i, false)); j++ {
		t := &c.toks[j]
		switch ids := c.named(j, world.PlaceKind); {
		case len(ids) > 0 && !c.owns(j) && !slices.ContainsFunc(ids, func(p string) bool { return c.d.Moved(id, p) || c.d.At(p) && !moved }),
			len(t.names) == 0 && !moved && t.class&(cOut|cSpot) != 0 && !c.partOf(j) && (c.lang != "en" || t.class&cOut == 0 || c.toks[j+1].stop != 0 || c.toks[j+1].class&(cDet|cYour) == 0):
			return j
		case len(t.names) > 0:
			return i
		}
	}
	return i
}

// partOf reports whether the word at j is of something else, or something else is of it: "the drawers of the house", "a square of light".
func (c *checker) partOf(j int) bool {
	return slices.ContainsFunc(c.toks[max(0, j-2):j+2], func(t token) bool { return t.word == "of" })
}
