package commands

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/markdown"
)

// Memory is what hob knows of people and the house.
type Memory interface {
	// Facts returns the facts that the person may know, and those that wait for their yes.
	Facts(ctx context.Context, by Request) ([]Fact, error)
	// Fact returns one of them with what has happened to it.
	Fact(ctx context.Context, by Request, id int64) (Fact, error)
	// Forget removes the one fact that the words mean. The error says where they mean none, or several.
	Forget(ctx context.Context, by Request, words string) (Fact, error)
	// Accept says yes to a fact that waits.
	Accept(ctx context.Context, by Request, id int64) (Fact, error)
}

// Fact is a fact as commands show it.
type Fact struct {
	ID       int64        `json:"id"`
	Of       string       `json:"of"` // "me", "house", or who
	Key      string       `json:"key,omitempty"`
	Text     string       `json:"text"`
	From     string       `json:"from"` // who said it, and where strangers' words are from
	Time     time.Time    `json:"time"`
	Waiting  bool         `json:"waiting,omitempty"`
	Stranger bool         `json:"untrusted,omitempty"` // strangers' words led to it
	Rival    int64        `json:"rival,omitempty"`     // the fact that it would take the place of
	History  []FactChange `json:"history,omitempty"`   // the newest first
}

// FactChange is a change of a fact.
type FactChange struct {
	Change int64     `json:"change"` // its number, for undo
	Time   time.Time `json:"time"`
	Tool   string    `json:"tool"`
	Before string    `json:"before,omitempty"` // the text
}

const maxFacts = 50 // in one answer

// The words of /memory.
const (
	memoryForget  = "forget"
	memoryAccept  = "accept"
	memoryReplace = "replace"
	memoryKeep    = "keep"
)

// memory lists what is known, shows one fact, or does something to it.
func (d Deps) memory(ctx context.Context, by Request) (Answer, error) {
	word, rest, _ := strings.Cut(by.Args, " ")
	rest = strings.TrimSpace(rest)
	do := strings.ToLower(word)
	switch do {
	case "", "list":
		return d.listFacts(ctx, by)
	case memoryForget:
		if rest == "" {
			return Answer{}, usageErrorf("say which fact: /memory forget 12, of those that /memory lists")
		}
		f, err := d.Memory.Forget(ctx, by, rest)
		return Answer{Text: fmt.Sprintf("Forgot %d: %s", f.ID, escape(f.Text)), Data: f}, err
	case memoryAccept, memoryReplace, memoryKeep, "show":
		word = rest
	}
	id, err := factNumber(word)
	if err != nil {
		return Answer{}, err
	}
	if do == memoryAccept || do == memoryReplace {
		f, err := d.Memory.Accept(ctx, by, id)
		return Answer{Text: fmt.Sprintf("Known now, as %d: %s", f.ID, escape(f.Text)), Data: f}, err
	}
	f, err := d.Memory.Fact(ctx, by, id)
	switch {
	case err != nil:
		return Answer{}, err
	case do != memoryKeep:
		return Answer{Text: d.showFact(f), Data: f, Choices: f.choices()}, nil
	case !f.Waiting:
		return Answer{}, fmt.Errorf("fact %d waits for nothing: it is known", id)
	}
	f, err = d.Memory.Forget(ctx, by, strconv.FormatInt(id, 10)) // what was known stays, and the other is gone
	return Answer{Text: fmt.Sprintf("Dropped %d: %s", f.ID, escape(f.Text)), Data: f}, err
}

// factNumber parses the number of a fact.
func factNumber(word string) (int64, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
	if err != nil || id <= 0 {
		return 0, usageErrorf("%s is no number of a fact: /memory lists them, /memory 12 shows one, /memory forget 12 forgets it",
			strconv.Quote(OneLine(word)))
	}
	return id, nil
}

func (d Deps) listFacts(ctx context.Context, by Request) (Answer, error) {
	all, err := d.Memory.Facts(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	if len(all) == 0 {
		return Answer{Text: "Nothing is known yet. Say \"remember that ...\", and it is.", Data: []Fact{}}, nil
	}
	var known, waiting []string
	a := Answer{Data: all}
	for _, f := range all {
		if f.Waiting {
			waiting = append(waiting, d.showFact(f))
			a.Choices = append(a.Choices, f.choices()...)
			continue
		}
		line := fmt.Sprintf("- %d ", f.ID)
		if f.Of != "me" {
			line += escape(f.Of) + ": "
		}
		known = append(known, line+escape(f.Text))
	}
	if len(known) > 0 {
		a.Text = "**Known**\n" + truncateLines(known, maxFacts, ", of which recall finds what you look for")
	}
	const some = 5 // that wait, in one answer
	if len(waiting) > 0 {
		a.Text = strings.TrimPrefix(a.Text+"\n\n**Waits for a yes**, and nothing reads it before\n\n"+
			strings.Join(waiting[:min(some, len(waiting))], "\n\n"), "\n\n")
		if left := len(waiting) - some; left > 0 {
			a.Text += fmt.Sprintf("\n\nand %d more", left)
		}
		a.Choices = a.Choices[:min(some, len(a.Choices))]
	}
	return a, nil
}

// choices are what a person can do about a fact that waits.
func (f Fact) choices() [][]Choice {
	line := func(word string) string { return fmt.Sprintf("/memory %s %d", word, f.ID) }
	switch {
	case !f.Waiting:
		return nil
	case f.Rival != 0 && !f.Stranger:
		return [][]Choice{{{fmt.Sprintf("Keep %d", f.Rival), line(memoryKeep)}, {"Replace it", line(memoryReplace)}}}
	}
	return [][]Choice{{{fmt.Sprintf("Accept %d", f.ID), line(memoryAccept)}, {"Drop it", line(memoryKeep)}}}
}

// showFact is a fact with where it comes from and what has happened to it. What strangers' words led to stands in a fence.
func (d Deps) showFact(f Fact) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d, of %s", f.ID, escape(f.Of))
	if f.Key != "" {
		fmt.Fprintf(&b, ", %s", escape(f.Key))
	}
	fmt.Fprintf(&b, ", from %s, %s", escape(f.From), d.time(f.Time))
	if f.Rival != 0 {
		fmt.Fprintf(&b, ", instead of %d", f.Rival)
	}
	if f.Stranger {
		b.WriteString("\n" + markdown.Fenced(OneLine(f.Text)))
	} else {
		b.WriteString("\n- " + escape(f.Text))
	}
	for _, c := range f.History {
		fmt.Fprintf(&b, "\n- change %d, %s, %s", c.Change, d.time(c.Time), escape(c.Tool))
		if c.Before != "" {
			b.WriteString(": before it was " + escape(c.Before))
		}
	}
	return b.String()
}

// FactOf returns a fact as commands show it to who has the subject own.
func FactOf(f event.Fact, own event.Subject) Fact {
	c := Fact{ID: f.ID, Of: string(f.Subject), Key: f.Key, Text: f.Text, Time: f.Time, From: f.By.Platform, Rival: f.Rival,
		Waiting: f.State == event.FactWaiting, Stranger: f.Label.Untrusted}
	switch {
	case f.Subject == own:
		c.Of = "me"
	case f.By.Name != "" && f.Subject != event.House:
		c.Of = f.By.Name
	}
	if f.By.Name != "" {
		c.From = f.By.Name
	}
	if f.Label.Untrusted && f.Label.Source != "" {
		c.From += ", after reading " + f.Label.Source
	}
	return c
}
