package campaigns

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/tales"
)

// Opening selects the story that a player wants to open, or begins a new one.
type Opening struct {
	Name string // "": the last changed one, or the tale's name
	Tale string // begins a new one from a tale or "map"; "": opens the one of that name
	Lang string
	Hero string
}

// Open returns the command line that opens a story in a chat, and the story's name.
func Open(ctx context.Context, j Journal, shelf tales.Library, o Opening) (line, name string, err error) {
	list, err := List(ctx, j)
	if err != nil {
		return "", "", err
	}
	known := slices.ContainsFunc(list, func(c ListEntry) bool { return c.Campaign == o.Name })
	switch {
	case o.Name == "" && o.Tale == "" && len(list) > 0:
		return "/game open " + list[0].Campaign, list[0].Campaign, nil
	case o.Name == "" && o.Tale == "":
		return "", "", exit.Errorf(exit.Usage, "say which story: hob game play cosy, mystery or dungeon")
	case known && o.Tale != "":
		return "", "", exit.Errorf(exit.Usage, "there is a story %q already: leave out --tale to go on with it, or give another name", display.Clean(o.Name))
	case known && o.Lang != "":
		return "", "", exit.Errorf(exit.Usage, "the story %q has begun, and keeps its language: leave out --lang to go on with it, or begin another: hob game play NAME --tale TALE --lang LANGUAGE",
			display.Clean(o.Name))
	case known:
		return "/game open " + o.Name, o.Name, nil
	}
	name = cmp.Or(o.Name, o.Tale)
	tale := cmp.Or(o.Tale, name)
	t, ok := shelf.ByID(tale)
	if !ok && tale != "map" {
		return "", "", exit.Errorf(exit.Usage, "there is no story %q, and no tale of that name: hob game list lists the stories, hob game tale list the tales",
			display.Clean(tale))
	}
	if err := CheckName(name); err != nil {
		return "", "", err
	}
	if ok {
		if err := t.CheckSound(); err != nil {
			return "", "", exit.Errorf(exit.Failed, "%v", err)
		}
	}
	if ok && o.Lang != "" && !slices.Contains(t.Langs(), o.Lang) {
		return "", "", exit.Errorf(exit.Usage, "the tale %q is not written in %q: use --lang with one of %s", tale, display.Clean(o.Lang), strings.Join(t.Langs(), ", "))
	}
	if err := CheckLang(o.Lang); err != nil {
		return "", "", err
	}
	line = strings.Join(strings.Fields(fmt.Sprintf("/game new %s %s name=%s", tale, o.Lang, name)), " ")
	if hero := strings.TrimSpace(o.Hero); hero != "" {
		line += " " + hero
	}
	return line, name, nil
}
