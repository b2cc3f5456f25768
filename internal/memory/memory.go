// Package memory is what hob is to know of the people of a household, of their groups and of the house.
//
// A fact is a text in the words of who said it, with a number, a subject (a person's, a group's, or the house's), often a key such as
// "birthday", and where it came from. The store is the truth; nothing lies in the workspace. No model rewrites a fact: it can propose
// one, and ask for one to be forgotten, and each such change stands in the log of changes, where a person takes it back.
//
// # Invariants
//
//   - What strangers' words led to waits: it is in no prompt, and no search finds it, before a person has said yes to it. So does another
//     value of a key that a person has one of: theirs is the choice which of the two is so.
//   - A person's facts are read by that person alone, a group's in that group alone, and the house's by those of the household, in private.
//   - Which facts ride beside a message is decided by code, by a fixed score, and so is their order: see [Memory.Riding].
//
// Words are compared by their forms: as they are spelled, and by their stems in English, German and Russian; Chinese, Japanese and Korean
// as pairs of characters. See words.go.
package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hob/internal/display"
	"hob/internal/event"
)

// Bounds of facts.
const (
	MaxText = 1000 // bytes of a fact
	maxKey  = 40   // bytes of a key
	// MaxWaiting is how many facts of a subject may wait for a yes: whoever can put words before a model could fill the disk.
	MaxWaiting = 100
)

// Store keeps facts.
type Store interface {
	Edit(ctx context.Context, cause event.Cause, keep []event.Fact, remove ...int64) (kept []event.Fact, changes []int64, err error)
	Fact(ctx context.Context, id int64) (f event.Fact, known bool, err error)
	Facts(ctx context.Context, state event.FactState, subjects ...event.Subject) ([]event.Fact, error)
	// Keyed returns the facts that are known of a subject and have that key.
	Keyed(ctx context.Context, subject event.Subject, key string) ([]event.Fact, error)
	// Known reports whether anything is known of one of the subjects.
	Known(ctx context.Context, subjects ...event.Subject) (bool, error)
	Index
}

// Index finds facts.
type Index interface {
	// Holding returns the newest facts that are known of the subjects and have all of some words, each of which is the terms
	// that stand for it. One with a * behind it stands for all that begin so.
	Holding(ctx context.Context, subjects []event.Subject, words [][]string, limit int) ([]int64, error)
	ByNumber(ctx context.Context, ids []int64) ([]event.Fact, error)
}

// Memory is all facts.
type Memory struct {
	store Store
	read  func() *reader
	now   func() time.Time
}

// New returns the facts of a store.
func New(s Store, now func() time.Time) *Memory { return &Memory{s, sync.OnceValue(newReader), now} }

// Person is who reads and writes facts.
type Person struct {
	Own   event.Subject // "" for a guest, who has none and sees none
	House bool          // knows what is known of the house, too
	Keeps bool          // what they say of the house, or of a group, needs nobody's yes
	Owner bool          // says yes to what waits of any subject
	event.Party
}

// Subjects are those that the person may read.
func (p Person) Subjects() []event.Subject {
	switch {
	case p.Own == "":
		return nil
	case p.House:
		return []event.Subject{p.Own, event.House}
	}
	return []event.Subject{p.Own}
}

// mayChange reports whether the person may change or forget a fact.
func (p Person) mayChange(f event.Fact) bool {
	return p.Own != "" && (f.Subject == p.Own && (p.Keeps || !f.Subject.IsGroup()) ||
		f.Subject == event.House && p.House && (p.Keeps || f.By.Is(p.Party)) || p.Owner && f.State == event.FactWaiting)
}

// Saying is a fact as somebody says it.
type Saying struct {
	Text  string
	Key   string      // "": what the text says by itself, if anything
	House bool        // it is of the house; else what the text says
	Label event.Label // of what it was made from
	// Typed says that a person has said it to the letter. Else a model has, and Words are what the person has said in the conversation: a
	// fact whose words are not among them is none that they have said.
	Typed bool
	Words []string
	event.Cause
}

// Outcome is what came of a [Saying].
type Outcome struct {
	event.Fact
	Known  bool       // it was known already, and nothing has changed
	Rival  event.Fact // the fact of the same key that stays, where there is one
	Unsaid bool       // it waits, because the person has not said so
	Change int64      // number of the change; 0: nothing has changed
}

// Refusal says why a fact cannot be kept, for people and models.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Remember keeps what a person says, or has it wait for a yes: where strangers' words led to it, where a person has another value of
// that key, and where it is for others to read and the person may not decide that.
func (m *Memory) Remember(ctx context.Context, by Person, s Saying) (Outcome, error) {
	text := display.Join(display.Clean(s.Text))
	key := fold(s.Key)
	switch {
	case by.Own == "":
		return Outcome{}, refuse("hob remembers things for the people of the household, and not for guests")
	case text == "" || !strings.ContainsFunc(text, isWordRune):
		return Outcome{}, refuse("there is nothing to remember in it")
	case len(text) > MaxText:
		return Outcome{}, refuse("it has %d bytes, and a fact has at most %d: a note is for more", len(text), MaxText)
	case len(key) > maxKey:
		return Outcome{}, refuse("a key is a word or two, such as birthday")
	}
	f := event.Fact{
		Subject: subjectOf(text, by.Own, by.House), State: event.FactKept, Key: cmp.Or(key, m.read().keyOf(text)), Text: text,
		By: by.Party, Chat: s.Chat, Tool: s.Tool, Label: s.Label, Time: m.now().UTC().Truncate(time.Second),
	}
	if s.House && by.House {
		f.Subject = event.House
	}
	f.Terms = strings.Join(m.read().terms(f.Text, f.Key), " ")
	known, err := m.same(ctx, f)
	if err != nil || known.ID != 0 {
		return Outcome{Fact: known, Known: true}, err
	}
	var rival event.Fact
	rivals, err := m.rivals(ctx, f)
	if err != nil {
		return Outcome{}, err
	}
	if len(rivals) > 0 {
		rival = rivals[len(rivals)-1]
	}
	if f.Rival = rival.ID; s.Label.Untrusted || !m.isTheirs(s) || rival.ID != 0 || f.Subject != by.Own && !by.Keeps || f.Subject.IsGroup() && !by.Keeps {
		f.State = event.FactWaiting
		if known, err := m.waits(ctx, f); err != nil || known.ID != 0 {
			return Outcome{Fact: known, Known: true, Rival: rival}, err
		}
	}
	s.What = display.Brief(display.Clean(s.Text))
	kept, changes, err := m.store.Edit(ctx, s.Cause, []event.Fact{f})
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Fact: kept[0], Rival: rival, Unsaid: !m.isTheirs(s), Change: changes[0]}, nil
}

// isTheirs reports whether a person has said what is to be kept: a model may leave out and put around, and add little of its own.
func (m *Memory) isTheirs(s Saying) bool {
	if s.Typed {
		return true
	}
	theirs := m.read().terms(strings.Join(s.Words, "\n"), "")
	words := m.read().words(s.Text)
	missing := 0
	for _, w := range words {
		if w.is(theirs) > 0 {
			continue
		}
		if missing++; strings.ContainsAny(w.forms[0], "0123456789") {
			return false
		}
	}
	return len(words) > 0 && missing <= len(words)/4
}

// MayForget reports whether a model may forget a fact for a person who has said these words: they have asked for something to be
// forgotten, and named it.
func (m *Memory) MayForget(f event.Fact, words []string) bool {
	text := strings.Join(words, "\n")
	all := runs(text)
	asks := slices.ContainsFunc(all, func(run string) bool {
		return slices.ContainsFunc(strings.Fields(wordsOf("forgetting")), func(w string) bool {
			return strings.HasPrefix(run, w) || isIdeograph([]rune(w)[0]) && strings.Contains(run, w)
		})
	})
	named := slices.Contains(all, strconv.FormatInt(f.ID, 10)) || f.Key != "" && slices.Contains(m.read().asked(text), f.Key)
	theirs := m.read().terms(text, "")
	for _, w := range m.read().words(f.Text) {
		named = named || w.is(theirs) == 1
	}
	return asks && named
}

func isWordRune(r rune) bool { return len(runs(string(r))) > 0 }

// same returns the fact that is known already and says the same, if there is one.
func (m *Memory) same(ctx context.Context, f event.Fact) (event.Fact, error) {
	var words [][]string
	for term := range strings.FieldsSeq(f.Terms) {
		if words = append(words, []string{term}); len(words) == maxWords {
			break
		}
	}
	ids, err := m.store.Holding(ctx, []event.Subject{f.Subject}, words, perWord)
	if err != nil {
		return event.Fact{}, err
	}
	some, err := m.store.ByNumber(ctx, ids)
	for _, old := range some {
		if fold(old.Text) == fold(f.Text) {
			return old, err
		}
	}
	return event.Fact{}, err
}

// rivals returns the facts that say something else of the same key, of which a person has one.
func (m *Memory) rivals(ctx context.Context, f event.Fact) ([]event.Fact, error) {
	if !m.read().isSingle(f.Key) {
		return nil, nil
	}
	return m.store.Keyed(ctx, f.Subject, f.Key)
}

// waits returns the fact that says the same and waits already. Too many that wait are an error.
func (m *Memory) waits(ctx context.Context, f event.Fact) (event.Fact, error) {
	waiting, err := m.store.Facts(ctx, event.FactWaiting, f.Subject)
	if err != nil {
		return event.Fact{}, err
	}
	for _, old := range waiting {
		if fold(old.Text) == fold(f.Text) && old.Label.Untrusted == f.Label.Untrusted {
			return old, nil
		}
	}
	if len(waiting) >= MaxWaiting {
		return event.Fact{}, refuse("%d facts wait for a yes already: /memory shows them", len(waiting))
	}
	return event.Fact{}, nil
}

// List returns what a person may know, and what waits for their yes.
func (m *Memory) List(ctx context.Context, by Person) (kept, waiting []event.Fact, err error) {
	subjects := by.Subjects()
	if len(subjects) == 0 {
		return nil, nil, nil
	}
	if kept, err = m.store.Facts(ctx, event.FactKept, subjects...); err != nil {
		return nil, nil, err
	}
	if by.Owner {
		subjects = nil // of all
	}
	if waiting, err = m.store.Facts(ctx, event.FactWaiting, subjects...); err != nil {
		return nil, nil, err
	}
	return kept, slices.DeleteFunc(waiting, func(f event.Fact) bool { return !by.mayChange(f) }), nil
}

// Find returns the fact of that number, if the person may see it.
func (m *Memory) Find(ctx context.Context, by Person, id int64) (event.Fact, error) {
	f, known, err := m.store.Fact(ctx, id)
	if err == nil && (!known || !by.mayChange(f) && (f.State != event.FactKept || !slices.Contains(by.Subjects(), f.Subject))) {
		err = refuse("there is no fact %d here: /memory lists them", id)
	}
	return f, err
}

// change returns the fact of that number, if the person may change it.
func (m *Memory) change(ctx context.Context, by Person, id int64) (event.Fact, error) {
	f, err := m.Find(ctx, by, id)
	if err == nil && !by.mayChange(f) {
		err = refuse("fact %d is not yours to change", id)
	}
	return f, err
}

// Forget removes the fact of that number, and returns it with the number of the change.
func (m *Memory) Forget(ctx context.Context, by Person, id int64, cause event.Cause) (event.Fact, int64, error) {
	f, err := m.change(ctx, by, id)
	if err != nil {
		return event.Fact{}, 0, err
	}
	cause.What = display.Brief(f.Text)
	_, changes, err := m.store.Edit(ctx, cause, nil, id)
	if err != nil || len(changes) == 0 {
		return event.Fact{}, 0, cmp.Or(err, errors.New("it was forgotten at the same moment"))
	}
	return f, changes[0], nil
}

// Accept says yes to a fact that waits. Where another has its key, it takes the place of that.
func (m *Memory) Accept(ctx context.Context, by Person, id int64, cause event.Cause) (f event.Fact, instead event.Fact, err error) {
	if f, err = m.change(ctx, by, id); err != nil {
		return f, instead, err
	}
	if f.State != event.FactWaiting {
		return f, instead, refuse("fact %d waits for nothing: it is known", id)
	}
	if !by.Keeps && (f.Subject == event.House || f.Subject.IsGroup()) { // whose word it is may take it back, and no more
		return f, instead, refuse("fact %d waits for an admin's yes: it is for others to read, too", id)
	}
	var remove []int64
	rivals, err := m.rivals(ctx, f)
	if err != nil {
		return f, instead, err
	}
	for _, old := range rivals {
		instead, remove = old, append(remove, old.ID)
	}
	f.State, f.Rival, f.Agreed, f.Label.Untrusted = event.FactKept, 0, by.Party, false
	cause.What = display.Brief(f.Text)
	_, _, err = m.store.Edit(ctx, cause, []event.Fact{f}, remove...)
	return f, instead, err
}

// Rewrite gives facts other texts and keys, keeps new ones and removes some, all or none, as a person has written them. Facts that say
// what they said stay as they are. It returns how many changed.
func (m *Memory) Rewrite(ctx context.Context, by Person, texts map[int64]Saying, add []Saying, remove []int64, cause event.Cause) (int, error) {
	var keep []event.Fact
	write := func(f event.Fact, s Saying) error {
		text := display.Join(display.Clean(s.Text))
		if len(text) > MaxText || len(s.Key) > maxKey || text == "" {
			return refuse("%s: a fact has a text of at most %d bytes, and a key of at most %d", display.Quote(display.Brief(text)), MaxText, maxKey)
		}
		f.Text, f.Key, f.By, f.Time = text, fold(s.Key), by.Party, m.now().UTC().Truncate(time.Second)
		f.Terms = strings.Join(m.read().terms(f.Text, f.Key), " ")
		keep = append(keep, f)
		return nil
	}
	for id, s := range texts {
		f, err := m.change(ctx, by, id)
		if err != nil {
			return 0, err
		}
		if f.Text != s.Text || f.Key != s.Key {
			if err := write(f, s); err != nil {
				return 0, err
			}
		}
	}
	for _, s := range add {
		if err := write(event.Fact{Subject: by.Own, State: event.FactKept, Chat: cause.Chat, Tool: cause.Tool}, s); err != nil {
			return 0, err
		}
	}
	for _, id := range remove {
		if _, err := m.change(ctx, by, id); err != nil {
			return 0, err
		}
	}
	slices.SortFunc(keep, func(a, b event.Fact) int { return cmp.Compare(uint64(a.ID-1), uint64(b.ID-1)) }) // new ones last
	_, changes, err := m.store.Edit(ctx, cause, keep, remove...)
	return len(changes), err
}
