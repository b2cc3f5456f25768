// Package trial holds things that players really say and that no plain command is, with which a model that runs a story can be
// measured: for each tale the same kinds of lines, and which tools would be right for each.
//
// Nothing in here plays. Whoever does begins the tale anew for each scene, walks its hero through the places of [Scene.Via], and says
// [Scene.Words]; what comes of it is held against the scene by [Scene.Right] and [Scene.Still].
//
// # On disk
//
// scenes.txt has a line a scene: the tale, the scene's name, and name=value with lists between commas. words/en.txt, ru.txt and zh.txt
// have what is said, "tale.name = words".
package trial

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed scenes.txt
var scenes string

//go:embed words/en.txt
var english string

//go:embed words/ru.txt
var russian string

//go:embed words/zh.txt
var chinese string

// nothing stands among the tools that would be right for: that nothing changes is right as well.
const nothing = "nothing"

// Scene is one thing that a player says in a tale that has just begun.
type Scene struct {
	Tale  string
	Name  string   // unique in its tale: two, try, talk, lie, cannot, vague, ask, self, promise, wait, fight
	Via   []string // ids of the places that the hero walks through before, in this order
	Words string
	Want  []string // names of tools: one of them, at least, is right
	Never []string // names of tools that are wrong whatever else was called, if anything came of it
	Quiet bool     // that nothing changes is right too
}

// Scenes returns the scenes of a tale in a language, in their order, nil where there are none.
func Scenes(tale, lang string) ([]Scene, error) {
	words, err := said(lang)
	if err != nil {
		return nil, err
	}
	var all []Scene
	for line := range strings.Lines(scenes) {
		s, ok, err := read(line)
		if err != nil {
			return nil, err
		}
		if !ok || s.Tale != tale {
			continue
		}
		if s.Words = words[s.Tale+"."+s.Name]; s.Words == "" {
			return nil, fmt.Errorf("read scenes: nobody says anything in %s.%s (%s)", s.Tale, s.Name, lang)
		}
		all = append(all, s)
	}
	return all, nil
}

// read reads a line of scenes.txt. ok is false where it holds no scene.
func read(line string) (s Scene, ok bool, err error) {
	fields := strings.Fields(line)
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return s, false, nil
	}
	if len(fields) < 3 {
		return s, false, fmt.Errorf("read scenes: %q has a word too few", strings.TrimSpace(line))
	}
	s.Tale, s.Name = fields[0], fields[1]
	for _, field := range fields[2:] {
		name, list, _ := strings.Cut(field, "=")
		switch values := strings.Split(list, ","); name {
		case "via":
			s.Via = values
		case "want":
			s.Quiet = slices.Contains(values, nothing)
			s.Want = slices.DeleteFunc(values, func(v string) bool { return v == nothing })
		case "never":
			s.Never = values
		default:
			return s, false, fmt.Errorf("read scenes: %q is no field", field)
		}
	}
	return s, true, nil
}

// said reads what is said in a language.
func said(lang string) (map[string]string, error) {
	text, ok := map[string]string{"en": english, "ru": russian, "zh": chinese}[lang]
	if !ok {
		return nil, fmt.Errorf("there are no texts in %q: use en, ru or zh", lang)
	}
	words := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(key, "#") {
			words[key] = strings.TrimSpace(value)
		}
	}
	return words, nil
}

// Outcome is what came of a scene, as far as it matters.
type Outcome struct {
	Applied []string // names of the tools of those calls that fit and that the game did
	Changed bool     // something is otherwise than before, or dice were thrown, by what was called
}

// Right reports whether what was done is right: one of the tools that would be was applied and something came of it, or nothing changed
// where that is right too; and nothing came of one that never is.
func (s Scene) Right(o Outcome) bool {
	among := func(list []string) bool {
		return slices.ContainsFunc(o.Applied, func(tool string) bool { return slices.Contains(list, tool) })
	}
	if o.Changed && among(s.Never) {
		return false
	}
	return o.Changed && among(s.Want) || !o.Changed && s.Quiet
}

// Still reports whether nothing changed although something should.
func (s Scene) Still(o Outcome) bool { return !s.Quiet && !o.Changed }
