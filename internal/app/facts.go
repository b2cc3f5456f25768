package app

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/memory"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/recall"
)

// factsOf returns the known facts in a journal.
func factsOf(db *store.DB) recall.Facts {
	return recall.Facts{Memory: memory.New(db.Facts(), time.Now), Who: func(ctx context.Context) (memory.Person, error) {
		return personOf(ctx, db.People(), tools.CallerFrom(ctx))
	}}
}

// ridingFacts returns a function that finds the facts to add to a caller's message.
func ridingFacts(db *store.DB) func(context.Context, tools.Caller, string) ([]string, error) {
	known := factsOf(db)
	return func(ctx context.Context, of tools.Caller, words string) ([]string, error) {
		who, err := known.Who(tools.WithCaller(ctx, of))
		if err != nil {
			return nil, err
		}
		riding, err := known.Riding(ctx, who, words)
		return lists.Map(riding, memory.Line), err
	}
}

// ownerSubject is the machine's owner, at the terminal and on a phone alike.
const ownerSubject event.Subject = "person/owner"

// personOf returns the person whose facts a caller reads and writes. Where others read along, those
// are only the group's. In private everybody of the household has their own, and the house's. A
// person who was not added has none.
func personOf(ctx context.Context, people *store.People, c tools.Caller) (memory.Person, error) {
	p := memory.Person{Party: partyOf(c), Keeps: c.Level >= event.BotAdmin}
	switch {
	case c.Chat.Shared() || c.Scope != "private":
		if c.Chat.Shared() {
			p.Own = event.Subject("group/" + string(c.Chat))
		}
		return p, nil
	case p.Platform != telegramPlatform && c.Level >= event.Owner:
		p.Own, p.House, p.Owner = ownerSubject, true, true
		return p, nil
	}
	id, err := strconv.ParseInt(p.ID, 10, 64)
	if err != nil {
		return p, nil //nolint:nilerr // a person without a number was never added
	}
	person, known, err := people.Person(ctx, p.Platform, id)
	if err != nil || !known {
		return p, err
	}
	p.Own, p.House, p.Owner = event.Subject("person/"+p.Platform+"/"+p.ID), true, c.Level >= event.Owner
	p.Name = person.Name
	if !p.Owner {
		return p, nil
	}
	first, err := isFirstOwner(ctx, people, person)
	if first {
		p.Own = ownerSubject
	}
	return p, err
}

// isFirstOwner reports whether a person is the first owner added on a platform, to whom the machine
// belongs.
func isFirstOwner(ctx context.Context, people *store.People, p event.Person) (bool, error) {
	all, err := people.People(ctx, p.Platform)
	for _, other := range all {
		if other.Level == event.Owner && (other.Since.Before(p.Since) || other.Since.Equal(p.Since) && other.ID < p.ID) {
			return false, err
		}
	}
	return true, err
}

// known implements [commands.Memory] over a journal.
type known struct {
	db     *store.DB
	memory *memory.Memory
}

// Known returns the known facts in a journal, for commands.
func Known(db *store.DB) KnownFacts { return known{db, memory.New(db.Facts(), time.Now)} }

// KnownFacts are the known facts, for commands and for an editor.
type KnownFacts interface {
	commands.Memory
	Text(ctx context.Context, by commands.Request, of string) (string, error)
	Apply(ctx context.Context, by commands.Request, of, before, after string) (changed int, err error)
}

func (k known) person(ctx context.Context, by commands.Request) (memory.Person, error) {
	return personOf(ctx, k.db.People(), tools.Caller{Chat: by.Chat, User: by.From, Principal: by.Principal})
}

// Facts implements [commands.Memory].
func (k known) Facts(ctx context.Context, by commands.Request) ([]commands.Fact, error) {
	who, err := k.person(ctx, by)
	if err != nil {
		return nil, err
	}
	kept, waiting, err := k.memory.List(ctx, who)
	return lists.Map(append(kept, waiting...), func(f event.Fact) commands.Fact { return commands.FactOf(f, who.Own) }), err
}

// Fact implements [commands.Memory].
func (k known) Fact(ctx context.Context, by commands.Request, id int64) (commands.Fact, error) {
	who, err := k.person(ctx, by)
	if err != nil {
		return commands.Fact{}, err
	}
	f, err := k.memory.Find(ctx, who, id)
	if err != nil {
		return commands.Fact{}, err
	}
	shown := commands.FactOf(f, who.Own)
	history, err := k.db.Facts().History(ctx, id)
	shown.History = lists.Map(history, func(c store.FactChange) commands.FactChange {
		return commands.FactChange{Change: c.ID, Time: c.Time, Tool: c.Tool, Before: c.Was.Text}
	})
	return shown, err
}

// Forget implements [commands.Memory].
func (k known) Forget(ctx context.Context, by commands.Request, words string) (commands.Fact, error) {
	who, err := k.person(ctx, by)
	if err != nil {
		return commands.Fact{}, err
	}
	some, err := k.memory.Meant(ctx, who, words)
	switch {
	case err != nil:
		return commands.Fact{}, err
	case len(some) == 0:
		return commands.Fact{}, fmt.Errorf("nothing of that is known: %s", display.Quote(display.Brief(words)))
	case len(some) > 1:
		return commands.Fact{}, fmt.Errorf("more than one fact fits, such as %d and %d: say its number, as /memory shows it", some[0].ID, some[1].ID)
	}
	f, _, err := k.memory.Forget(ctx, who, some[0].ID, causeOf(by, "memory"))
	return commands.FactOf(f, who.Own), err
}

// Accept implements [commands.Memory].
func (k known) Accept(ctx context.Context, by commands.Request, id int64) (commands.Fact, error) {
	who, err := k.person(ctx, by)
	if err != nil {
		return commands.Fact{}, err
	}
	f, _, err := k.memory.Accept(ctx, who, id, causeOf(by, "memory"))
	return commands.FactOf(f, who.Own), err
}

// causeOf returns the cause of a change by a command of the table.
func causeOf(by commands.Request, tool string) event.Cause {
	return tools.Caller{Chat: by.Chat, User: by.From, Principal: by.Principal}.Cause(tool)
}

// WithOwnersCause returns ctx for a change that the owner makes at this machine.
func WithOwnersCause(ctx context.Context, tool string) context.Context {
	return event.WithCause(ctx, tools.Caller{User: "owner", Principal: LocalOwner()}.Cause(tool))
}
