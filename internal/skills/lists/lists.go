// Package lists is the skill that keeps the lists of a household: what is to be bought, done or packed.
//
// A list is Markdown in the workspace, for people to read and edit with anything: lists/NAME.md is a heading and a line for each
// thing,
//
//	# shopping
//
//	- [ ] oat milk
//	- [x] bread
//
// where [x] is ticked off. New things come behind the last one. Items that people write in other forms, such as `* eggs`, count
// as open ones; headings, paragraphs and what is indented below an item are left as they are. A call changes a page once or,
// after an error, not at all.
//
// See package pages for how they are kept.
package lists

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/skills"
	"hob/internal/skills/pages"
	"hob/internal/tools"
)

const (
	folder = "lists" // in the workspace

	maxText  = 500 // bytes of an item that is added
	maxItems = 100 // of one call
	maxShown = 200 // items of a list in a result
	maxNamed = 20  // items in a sentence
	maxLine  = 300 // bytes of an item in a result
)

// New returns the skill, with the tools list_add, list_show, list_tick and list_remove.
func New(files pages.Files) skills.Skill {
	k := &keeper{pages.Folder{Files: files, Dir: folder}}
	home := []string{"private"}
	return skills.Declare(skills.Own("lists"), tools.New(tools.Def{
		Name: "list_add", Description: "Put things on a list.",
		Capabilities: tools.Writes, Level: event.BotAdmin, Scopes: home,
		Command: "list_add <list:string> <items:array...>", Examples: []string{"list_add shopping milk, eggs"},
		Check: tools.CheckArgs(addIn.check),
	}, k.add), tools.New(tools.Def{
		Name: "list_show", Description: "Show a list. Without a name: the names of all lists.",
		Capabilities: tools.Reads | tools.Private, Scopes: home,
		Command: "list [list:string...]", Aliases: []string{"lists"}, Examples: []string{"list shopping", "lists"},
	}, k.show), tools.New(tools.Def{
		Name: "list_tick", Description: "Tick things off a list, or open them again.",
		Capabilities: tools.Writes | tools.Private, Level: event.BotAdmin, Scopes: home,
		Command: "tick <list:string> <items:array...>", Examples: []string{"tick shopping milk, eggs", "tick shopping open=true milk"},
		Check: tools.CheckArgs(tickIn.check),
	}, k.tick), tools.New(tools.Def{
		Name: "list_remove", Description: "Take items off a list: some, the ticked, or all.",
		Capabilities: tools.Writes | tools.Private, Level: event.BotAdmin, Scopes: home,
		Command:  "list_remove <list:string> [items:array...]",
		Examples: []string{"list_remove shopping milk, eggs", "list_remove shopping ticked=true"},
		Check:    tools.CheckArgs(removeIn.check),
	}, k.remove))
}

// Have reports whether each of some things stands on a page just so, or in another form, and is ticked off, or else open.
func Have(page string, things []string, ticked bool) bool {
	p := parse(page)
	such := slices.DeleteFunc(p.all(), func(i int) bool { return p.items[i].ticked != ticked })
	return len(things) > 0 && !slices.ContainsFunc(things, func(thing string) bool {
		return !slices.ContainsFunc(such, func(i int) bool {
			on := pages.Fold(p.items[i].text)
			return on == pages.Fold(thing) || len(strings.Fields(on)) == 1 && pages.HasForm(on, pages.Fold(thing))
		})
	})
}

// Hold reports whether the words of each of some things stand in a thing on a page that is ticked off, or else open: "taxes" is of "do the taxes".
func Hold(page string, things []string, ticked bool) bool {
	p := parse(page)
	return len(things) > 0 && !slices.ContainsFunc(things, func(thing string) bool {
		return !slices.ContainsFunc(p.withWords(itemText(thing)), func(i int) bool { return p.items[i].ticked == ticked })
	})
}

// keeper is all lists.
type keeper struct{ pages.Folder }

// Name returns the name by which the tools know a list that people call so: of its letters and digits, in lower case.
func Name(list string) string { return pages.Folder{Dir: folder}.Name(list) }

// find returns the name of the list that somebody means and its file, and whether it is there.
func (k *keeper) find(list string) (name, file string, found bool, err error) {
	if name = k.Name(list); name == "" {
		return "", "", false, tools.Invalid(event.CodeRequiredField, "list: names no list").Suggest("such as shopping")
	}
	file, found, err = k.Find(name)
	if short, ok := strings.CutSuffix(name, "-list"); ok && !found && err == nil { // "the shopping list" is shopping
		name = short
		file, found, err = k.Find(name)
	}
	return name, file, found, err
}

// change changes a list that is there, and returns what was done.
func (k *keeper) change(ctx context.Context, list, tool string, change func(name string, p *page) (done string, err error)) (tools.Result, error) {
	name, file, found, err := k.find(list)
	if err != nil {
		return tools.Result{}, err
	}
	if !found {
		return k.noList(ctx, name)
	}
	done := ""
	res, err := k.Change(ctx, file, tool, func(text string) (_ string, err error) {
		p := parse(text)
		if done, err = change(name, p); err != nil {
			return "", err
		}
		done += "; " + p.left()
		return p.String(), nil
	})
	if err == nil {
		res.Text = done
	}
	return res, err
}

// noList is the error that there is no list of that name.
func (k *keeper) noList(ctx context.Context, name string) (tools.Result, error) {
	all, from, err := k.overview(ctx)
	if err != nil {
		return tools.Result{Label: from}, err
	}
	hint := "list_add begins one"
	if len(all) > 0 {
		names := lists.Map(all, func(l summary) string { return l.List })
		hint = "there are " + strings.Join(names, ", ")
	}
	return tools.Result{Label: from}, tools.Missing(event.CodeFileNotFound, "there is no list %s", name).Suggest(hint)
}

type addIn struct {
	List  string   `json:"list" jsonschema:"such as shopping or todo"`
	Items []string `json:"items"`
}

func (in addIn) check() error { return checkItems(in.Items) }

// checkItems says what is wrong with items.
func checkItems(items []string) error {
	if len(items) == 0 {
		return tools.Invalid(event.CodeRequiredField, "items: names nothing")
	}
	if len(items) > maxItems {
		return tools.Invalid(event.CodeInvalidValue, "items: are %d, and %d is the most of one call", len(items), maxItems)
	}
	for i, item := range items {
		switch text := itemText(item); {
		case text == "":
			return tools.Invalid(event.CodeRequiredField, "items/%d: says nothing", i)
		case len(text) > maxText:
			return tools.Invalid(event.CodeInvalidValue, "items/%d: has %d bytes, and an item has at most %d", i, len(text), maxText)
		}
	}
	return nil
}

func (k *keeper) add(ctx context.Context, in addIn) (tools.Result, error) {
	name, file, _, err := k.find(in.List)
	if err != nil {
		return tools.Result{}, err
	}
	var added, opened, known []string
	res, err := k.Change(ctx, file, "list_add", func(text string) (string, error) {
		p := parse(text)
		added, opened, known = nil, nil, nil
		for _, item := range in.Items {
			item = itemText(item)
			same := p.exact(item)
			switch {
			case len(same) == 0 && slices.ContainsFunc(added, func(other string) bool { return pages.Fold(other) == pages.Fold(item) }):
			case len(same) == 0:
				added = append(added, item)
			case slices.ContainsFunc(same, func(i int) bool { return !p.items[i].ticked }):
				known = append(known, p.items[same[0]].text)
			default:
				p.mark(same[0], false)
				opened = append(opened, p.items[same[0]].text)
			}
		}
		p.add(name, added)
		return p.String(), nil
	})
	if err != nil {
		return res, err
	}
	if len(opened)+len(known) == 0 {
		res.Label = event.Label{} // nothing of the page is in it
	}
	res.Text = sentence(part{"added to " + name, added}, part{"open again", opened}, part{"on it already", known})
	return res, nil
}

type tickIn struct {
	List  string   `json:"list"`
	Items []string `json:"items"`
	Open  bool     `json:"open,omitempty" jsonschema:"open them again"`
}

func (in tickIn) check() error { return checkItems(in.Items) }

func (k *keeper) tick(ctx context.Context, in tickIn) (tools.Result, error) {
	did, already := "ticked", "ticked already"
	if in.Open {
		did, already = "opened", "open already"
	}
	return k.change(ctx, in.List, "list_tick", func(name string, p *page) (string, error) {
		meant, err := p.find(name, in.Items, did, func(it item) bool { return it.ticked == in.Open })
		if err != nil {
			return "", err
		}
		var done, before []string
		for _, i := range meant {
			if p.items[i].ticked == in.Open {
				p.mark(i, !in.Open)
				done = append(done, p.items[i].text)
			} else {
				before = append(before, p.items[i].text)
			}
		}
		return sentence(part{did + " on " + name, done}, part{already, before}), nil
	})
}

type removeIn struct {
	List   string   `json:"list"`
	Items  []string `json:"items,omitempty"`
	Ticked bool     `json:"ticked,omitempty" jsonschema:"all that is ticked off"`
	All    bool     `json:"all,omitempty" jsonschema:"empty the list"`
}

// check says what is wrong with what is to go: it is said in one way.
func (in removeIn) check() error {
	ways := 0
	for _, given := range []bool{len(in.Items) > 0, in.Ticked, in.All} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		return tools.Invalid(event.CodeRequiredField, "items: names nothing").Suggest("name items, or set ticked or all")
	case ways > 1:
		return tools.Invalid(event.CodeInvalidValue, "of items, ticked and all only one can be given")
	case len(in.Items) > 0:
		return checkItems(in.Items)
	}
	return nil
}

func (k *keeper) remove(ctx context.Context, in removeIn) (tools.Result, error) {
	return k.change(ctx, in.List, "list_remove", func(name string, p *page) (string, error) {
		gone, nothing := p.all(), name+" is empty already"
		var err error
		switch {
		case in.Ticked:
			gone = slices.DeleteFunc(gone, func(i int) bool { return !p.items[i].ticked })
			nothing = "nothing is ticked on " + name
		case len(in.Items) > 0:
			gone, err = p.find(name, in.Items, "removed", func(item) bool { return true })
		}
		if err != nil {
			return "", err
		}
		var texts []string
		for _, i := range gone {
			texts = append(texts, p.items[i].text)
		}
		p.drop(gone)
		return cmp.Or(sentence(part{"removed from " + name, texts}), nothing), nil
	})
}

// part is what was done to some items.
type part struct {
	did   string
	items []string
}

// sentence names what was done to which items. What was done to none is left out.
func sentence(parts ...part) string {
	var words []string
	for _, p := range parts {
		if len(p.items) > 0 {
			words = append(words, p.did+": "+names(p.items))
		}
	}
	return strings.Join(words, "; ")
}

// names lists items in a sentence, at most 20 of them.
func names(items []string) string {
	var short []string
	for _, text := range items[:min(len(items), maxNamed)] {
		short = append(short, display.TruncateBytes(text, maxLine))
	}
	if more := len(items) - len(short); more > 0 {
		short = append(short, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(short, ", ")
}
