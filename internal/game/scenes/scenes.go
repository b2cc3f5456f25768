// Package scenes holds scenes that measure a model that runs a story: messages that players really write and that are no plain
// commands. Each tale has the same kinds of messages, and each scene names the tools that are right for it.
//
// The package plays nothing. The evaluation begins the tale anew for each scene, walks its hero through the places of
// [Scene.Via], and sends [Scene.Words]. [Scene.IsRight] and [Scene.IsStill] judge the outcome.
//
// # On disk
//
// scenes.txt has one line per scene: the tale, the name of the scene, and name=value pairs, in which commas separate a list.
// words/en.txt, ru.txt and zh.txt hold the messages as "tale.name = words".
package scenes

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/phrases"
)

//go:embed scenes.txt words
var texts embed.FS

// nothing stands among the right tools where it is also right that nothing changes.
const nothing = "nothing"

// Scene is one message of a player in a tale that has just begun.
type Scene struct {
	Tale  string
	Name  string   // unique in its tale: two, try, talk, lie, cannot, vague, ask, self, promise, wait, fight
	Via   []string // ids of the places that the hero walks through before, in this order
	Words string
	Want  []string // names of tools: one of them, at least, is right
	Never []string // names of tools that are wrong whatever else was called, if anything came of it
	Quiet bool     // that nothing changes is right too
}

// ForTale returns the scenes of a tale in a language, in their order, nil where there are none.
func ForTale(tale, lang string) ([]Scene, error) {
	words, err := readWords(lang)
	if err != nil {
		return nil, err
	}
	scenes, err := texts.ReadFile("scenes.txt")
	if err != nil {
		return nil, err
	}
	var all []Scene
	for line := range strings.Lines(string(scenes)) {
		s, ok, err := readScene(line)
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

// readScene reads a line of scenes.txt. ok is false where it holds no scene.
func readScene(line string) (s Scene, ok bool, err error) {
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

// readWords reads the words of all scenes in a language.
func readWords(lang string) (map[string]string, error) {
	text, err := texts.ReadFile("words/" + lang + ".txt")
	if err != nil {
		return nil, fmt.Errorf("there are no texts in %q: use en, ru or zh", lang)
	}
	return maps.Collect(phrases.File(text).All()), nil
}

// Outcome is the outcome of a scene, as far as the verdict needs it.
type Outcome struct {
	Applied []string // names of the tools of the calls that were valid and that the game carried out
	Changed bool     // the calls changed the world or threw dice
}

// IsRight reports whether an outcome is right: a wanted tool was applied and something changed, or nothing changed where that is
// right too; and no tool that is never right changed anything.
func (s Scene) IsRight(o Outcome) bool {
	among := func(list []string) bool {
		return slices.ContainsFunc(o.Applied, func(tool string) bool { return slices.Contains(list, tool) })
	}
	if o.Changed && among(s.Never) {
		return false
	}
	return o.Changed && among(s.Want) || !o.Changed && s.Quiet
}

// IsStill reports whether nothing changed although something should have.
func (s Scene) IsStill(o Outcome) bool { return !s.Quiet && !o.Changed }
