package lists

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

type showIn struct {
	List string `json:"list,omitempty"`
}

// listData is the Data of list_show for one list.
type listData struct {
	List   string   `json:"list"`
	Open   []string `json:"open"`
	Ticked []string `json:"ticked"`
	More   int      `json:"more,omitempty"` // that are not shown
}

// listsData is the Data of list_show without a list.
type listsData struct {
	Lists []summary `json:"lists"`
}

// summary is a list with the number of its items.
type summary struct {
	List   string `json:"list"`
	Open   int    `json:"open"`
	Ticked int    `json:"ticked"`
	Error  string `json:"error,omitempty"` // it cannot be read
}

func (k *keeper) show(ctx context.Context, in showIn) (tools.Result, error) {
	if strings.TrimSpace(in.List) == "" {
		return k.showAll(ctx)
	}
	name, file, found, err := k.find(in.List)
	if err != nil {
		return tools.Result{}, err
	}
	if !found {
		return k.noList(ctx, name)
	}
	text, from, err := k.Load(ctx, file)
	if err != nil {
		return tools.Result{Label: from}, err
	}
	p := parse(text)
	open, ticked := p.count()
	d := listData{List: name, Open: []string{}, Ticked: []string{}}
	lines := []string{fmt.Sprintf("%s: %d open, %d ticked", name, open, ticked)}
	if open+ticked == 0 {
		lines[0] = name + " is empty"
	}
	for _, wanted := range []bool{false, true} {
		for _, it := range p.items {
			switch {
			case it.ticked != wanted:
			case len(d.Open)+len(d.Ticked) == maxShown:
				d.More++
			case it.ticked:
				d.Ticked = append(d.Ticked, it.whole())
				lines = append(lines, "[x] "+it.whole())
			default:
				d.Open = append(d.Open, it.whole())
				lines = append(lines, "[ ] "+it.whole())
			}
		}
	}
	if d.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more; %s/%s has all", d.More, folder, file))
	}
	from.Private = true
	return tools.Result{Text: strings.Join(lines, "\n"), Data: d, Label: from}, nil
}

// showAll says which lists there are.
func (k *keeper) showAll(ctx context.Context) (tools.Result, error) {
	all, from, err := k.overview(ctx)
	if err != nil {
		return tools.Result{Label: from}, err
	}
	if len(all) == 0 {
		return tools.Result{Text: "there are no lists yet", Data: listsData{[]summary{}}, Label: from}, nil
	}
	lines := []string{display.Count(len(all), "list") + ":"}
	for _, l := range all {
		line := fmt.Sprintf("%s (%d open)", l.List, l.Open)
		if l.Error != "" {
			line = l.List + ": not read: " + l.Error
		}
		lines = append(lines, line)
	}
	return tools.Result{Text: strings.Join(lines, "\n"), Data: listsData{all}, Label: from}, nil
}

// overview counts what is on all lists.
func (k *keeper) overview(ctx context.Context) (all []summary, from event.Label, err error) {
	from.Private = true
	files, err := k.Names()
	if err != nil {
		return nil, from, err
	}
	for _, file := range files {
		if ctx.Err() != nil {
			return nil, from, tools.EndedError(ctx, "the look through the lists", "")
		}
		l := summary{List: k.Name(file)}
		text, label, err := k.Load(ctx, file)
		from = from.Join(label)
		if e := (*tools.Error)(nil); errors.As(err, &e) {
			l.Error = e.Message
		} else if err != nil {
			return nil, from, err
		}
		l.Open, l.Ticked = parse(text).count()
		all = append(all, l)
	}
	return all, from, nil
}
