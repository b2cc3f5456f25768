// Package tales holds the stories to begin: hob's own, in English, Russian and Chinese, and those of a
// folder ([Library]). Each makes a world that can be played to its end without a model.
//
// # Files
//
// A tale is data. ID.txt defines what there is, once for all languages. ID.LANG.txt has the words:
// lines "key = text"; # begins a comment. A line of ID.txt is a kind, its words, then name=value
// and flags in any order; "when" begins a condition ([world.Condition]) up to the end of the line:
//
//	begin DATE TIME PLACE                         when the story begins, and where its hero is
//	rule NAME=N                                   a number among the world's rules
//	act TOOL [TARGET] skill= dc= never            how hard an act is that wants a check, 12 to 40, or that none helps
//	place ID X Y kind= search= secret             and its cell of the map; y grows to the south
//	way FROM DIR TO minutes= door= lock= hidden find=   there and back
//	page ID                                       a page of a tale of choices, which has no map: "ID.text" is what is read
//	choice FROM TO                                what leads from a page to another; "TO" is what is chosen
//	actor ID PLACE attitude= hp= secret monster   and its numbers, such as force=2 or defence=11
//	thing ID HOLDER rel= qty= lock= capacity= damage= hit= fine range container closed locked fixed hidden find=
//	fact ID secret importance= place= about= witnesses=
//	talk ACTOR NAME as= skill= dc= gives= reveals= quiet greeting when CONDITION
//	quest ID giver= ends offered
//	goal QUEST NAME when CONDITION
//	clock ID segments= minutes= fails= visible onfail thing=   of a thing or an item: seen where the party has it, or it lies in sight
//	lore ID priority= secret
//	trade ID hp= and its numbers                  a hero that one can be
//	item ID TRADE and what a thing may be         what such a hero carries
//
// Ids are the keys of the words: "ID" is a name, "ID.desc" the description. A talk has "ACTOR.NAME"
// for its text, with ".topic" and ".keys" unless it is a greeting or takes them from another one
// (as=). A quiet talk has no topic, so nobody is told that it can be asked for. A talk stands behind
// its actor, a goal behind its quest, an item behind its trade, and begin before all places and
// clocks; other ids may be named before they are defined.
//
// Beats are words for moments of the story, and for what a text mentions. None is needed: without one the engine has words of its
// own. They stand in the files of words alone, by the ids of what they are about ([moments] has all of them):
//
//	PLACE.first, PLACE.again           how one comes there: in front of what can be seen, and in place of it
//	PLACE.see.NAME (with .keys)        a look at what the text of the place mentions
//	PLACE.open.PLACE, .locked.PLACE    the door between the two opens, or does not
//	THING.take .open .locked .no       it is taken, opens, does not open; what cannot be done with it
//	THING.put.THING                    something is put into it
//	ACTOR.gives.THING                  what they give; .given and .shown, with .THING or without, what they get or see
//	ACTOR.told .accused .shrug .no     they hear something, are accused, know nothing of it, will not have it
//	ACTOR.noticed .thanked .parted .forgiven  somebody nods or smiles to them, thanks them, says goodbye, is sorry
//	ACTOR.hit .missed .hits .misses .dead   a fight: you hit them, they hit you
//	QUEST.GOAL.done, QUEST.done, QUEST.failed
//	CLOCK.near                         it comes nearer: one text for each segment, the last one for all others
//	fallen                             all heroes have fallen
//
// KEY.2 to KEY.9 are other texts for the same moment. Which is told follows from the seed of the campaign and from what was told lately.
// The first and the last texts, "opening", "ending" and "CLOCK.full", have variants, too: the seed picks one when the story begins.
//
// A search finds what is hidden at a place, or in or on something there; what somebody has hidden is
// theirs to give. find= is the difficulty of finding it, 15 by default. search= invites to search a
// place, and is the skill for it. It does not say that anything is hidden: places without hidden
// things have it as well. A hidden thing is a shorter way or a help; no goal may need it.
//
// Each tale has the words title, pitch (one line for a menu), opening, goal, ending, milestone (the
// situation at the beginning), style, weather and hero (a name). It has a quest that ends it, and a
// hero to play. Ways join neighbours on the map, and hidden things appear when they are found or
// given.
//
// Who wrote what: the lines below a remark "# by model NAME" were written by a model, up to a remark "# by hand" or "# by hob"
// ([Tale.Written]). Lines below none of them are a person's.
//
// Every world of a tale is validated before anybody plays it, and [Tale.Problems] returns all
// mistakes in a tale. The files of a folder may be anybody's: they are read up to a bound, as words
// and nothing else, and they cannot replace a tale of hob's. A world keeps what it needs of its tale:
// the heroes who can join, and the ending.
package tales

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

//go:embed data/*.txt
var files embed.FS

// Tale is a story to begin.
type Tale struct {
	ID  string
	own *source // nil: it comes with hob
}

// All returns the tales of hob, the gentlest first.
func All() []Tale { return []Tale{{ID: "cosy"}, {ID: "mystery"}, {ID: "dungeon"}} }

// ByID returns the tale of an id, of hob's.
func ByID(id string) (Tale, bool) {
	t := Tale{ID: id}
	return t, slices.Contains(All(), t)
}

// Own reports whether a tale comes from a folder.
func (t Tale) Own() bool { return t.own != nil }

// WithProver returns a tale of a folder with the prover that [Tale.Problems] asks; nil asks none.
func (t Tale) WithProver(prove Prover) Tale {
	if t.own != nil {
		src := *t.own
		src.prove = prove
		t.own = &src
	}
	return t
}

// Digest returns a hash of the files of a tale.
func (t Tale) Digest() [sha256.Size]byte {
	src := t.source()
	sum := sha256.New()
	for _, text := range append([]string{t.ID, src.what}, src.words["en"], src.words["ru"], src.words["zh"]) {
		fmt.Fprintf(sum, "%d %s", len(text), text)
	}
	return [sha256.Size]byte(sum.Sum(nil))
}

// Langs returns the languages of a tale, in the order of [rules.Langs].
func (t Tale) Langs() []string {
	return slices.DeleteFunc(slices.Clone(rules.Langs()), func(lang string) bool { return t.own != nil && t.own.words[lang] == "" })
}

// Title returns the title in a language, or in the first one of the tale.
func (t Tale) Title(lang string) string { return t.text(lang, "title") }

// Pitch returns one line for a menu, at most 120 characters.
func (t Tale) Pitch(lang string) string { return t.text(lang, "pitch") }

// Opening returns the first words of a story with a seed: some sentences in the second person.
func (t Tale) Opening(lang string, seed [32]byte) string { return t.makerOf(lang, seed).opening }

func (t Tale) text(lang, key string) string { return t.words(lang).text[key] }

// Ending returns the last words of the tale of a world that has come to a good end; "" for any
// other. They are in the world; an older world without them takes those of its tale in lang.
func Ending(w *world.World, lang string) string {
	self := w.Self()
	if !self.Ended || self.EndedReason != "goal" {
		return ""
	}
	for _, q := range w.Quests() {
		if q.Ends && q.State == world.Done && q.Ending != "" {
			return q.Ending
		}
	}
	t, ok := ByID(self.Genre)
	if !ok || self.Heroes != "" || t.text(self.Lang, "goal") != self.GoalText {
		return ""
	}
	return t.text(lang, "ending")
}

// words returns the words of a tale by their keys.
func (t Tale) words(lang string) *wording { return wordsOf(t.source().words[t.LangFor(lang)]) }

// LangFor returns lang, or the first language of the tale if it has no words in lang.
func (t Tale) LangFor(lang string) string {
	langs := t.Langs()
	if slices.Contains(langs, lang) || len(langs) == 0 {
		return lang
	}
	return langs[0]
}

// source is the files of the tale.
func (t Tale) source() *source {
	if t.own != nil {
		return t.own
	}
	data, err := fs.Sub(files, "data")
	if _, ok := ByID(t.ID); !ok || err != nil {
		return &source{}
	}
	return load(data, t.ID)
}

// makerOf reads a tale for a campaign with a seed; without one the first of several texts is taken.
func (t Tale) makerOf(lang string, seed [32]byte) *maker {
	lang, src := t.LangFor(lang), t.source()
	m := newMaker(t.ID, lang, wordsOf(src.words[lang]), seed)
	m.read(src.what)
	return m
}

// Start says how a campaign of a tale begins.
type Start struct {
	Session string   // the campaign's id, which seed 003's tools ask for
	Lang    string   // en, ru, zh; a tale of somebody's own has words in those of [Tale.Langs]
	Hero    string   // the name of the first hero; "" is the tale's own
	Trade   string   // the id of one of [Tale.Trades]; "" is the first
	Title   string   // "" is the tale's
	Seed    [32]byte // the seed of the campaign, by which one of several endings is picked; zero picks the first
}

// CheckSound returns an error if the tale has mistakes, and cannot be begun.
func (t Tale) CheckSound() error {
	if len(t.Problems()) > 0 {
		return fmt.Errorf("the tale %q has mistakes in it: hob game tale check %s says which", t.ID, t.ID)
	}
	return nil
}

// Begin makes the world of a new campaign, with its counters of ids. book is that of the game that will be played. It
// returns an error if the tale has mistakes, or if the book lacks a tool that every tale needs.
func (t Tale) Begin(book *rules.Book, s Start) (*world.World, rules.Counts, error) {
	for _, tool := range []string{"look", "move_player", "move_object", "set_link", "set_container", "talk"} {
		if book.Tool(tool) == nil {
			return nil, nil, fmt.Errorf("begin the tale %q: it cannot be played without the tool %s", t.ID, tool)
		}
	}
	if _, ok := ByID(t.ID); t.own == nil && !ok {
		return nil, nil, fmt.Errorf("there is no tale %q: use cosy, mystery or dungeon", t.ID)
	}
	if t.own != nil {
		if err := t.CheckSound(); err != nil {
			return nil, nil, err
		}
		if langs := t.Langs(); !slices.Contains(langs, s.Lang) {
			return nil, nil, fmt.Errorf("the tale %q has no words in %q: begin it in %s", t.ID, s.Lang, strings.Join(langs, " or "))
		}
	}
	w, counts, err := t.makerOf(s.Lang, s.Seed).world(s)
	if err != nil {
		return nil, nil, fmt.Errorf("begin the tale %q: %w", t.ID, err)
	}
	for _, act := range slices.Sorted(maps.Keys(w.Self().Acts)) {
		name, _, _ := strings.Cut(act, " ")
		if tool := book.Tool(name); tool == nil || tool.Gate.Difficulty == nil {
			return nil, nil, fmt.Errorf("begin the tale %q: no check is ever made for %q, of which it says how hard that is", t.ID, name)
		}
	}
	return w, counts, nil
}

// world makes the world of a tale that was read.
func (m *maker) world(s Start) (*world.World, rules.Counts, error) {
	if m.wrong = append(m.wrong, m.words.wrong...); len(m.wrong) > 0 {
		return nil, nil, fmt.Errorf("line %d: %s", m.wrong[0].no, m.wrong[0].text)
	}
	w := world.Empty()
	self := m.self
	self.Session = s.Session
	self.Title = cmp.Or(strings.TrimSpace(s.Title), self.Title)
	errs := []error{w.Apply(world.Event{Old: w.Self(), New: &self})}
	for _, r := range m.records {
		errs = append(errs, w.Apply(world.Event{New: r}))
	}
	for _, b := range m.beats {
		errs = append(errs, w.Apply(world.Event{New: b}))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	name := cmp.Or(strings.TrimSpace(s.Hero), m.words.text["hero"])
	events, counts, err := join(m.trades, w, rules.Counts{"order": m.order}, s.Trade, hero{name: name, place: m.entry})
	if err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		if err := w.Apply(e); err != nil {
			return nil, nil, err
		}
	}
	if breaches := w.Validate(); len(breaches) > 0 {
		return nil, nil, errors.New(strings.Join(breaches, " "))
	}
	return w, counts, nil
}
