package session_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
)

// spoilt is a journal of which an event, or two that follow each other, cannot be read.
type spoilt struct {
	*storetest.Memory
	seq     int64
	events  int64
	damaged bool
}

func (j spoilt) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return j.spoil(j.Memory.Chat(ctx, chat, after))
}

func (j spoilt) Since(ctx context.Context, prefix string, after int64) iter.Seq2[event.Event, error] {
	return j.spoil(j.Memory.Since(ctx, prefix, after))
}

func (j spoilt) spoil(all iter.Seq2[event.Event, error]) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for e, err := range all {
			if err == nil && e.Chat == "main" && j.seq <= e.Seq && e.Seq < j.seq+j.events {
				e.Body = event.Unreadable{Of: e.Body.Type(), Damaged: j.damaged, Reason: "a test says so"}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// servant is a model that does what it is told: words such as "write a" are a call, and once all
// calls have results it says so. It keeps what is wrong with the conversations that it is shown.
type servant struct {
	mu    sync.Mutex
	wrong []string
}

func (s *servant) Chat(_ context.Context, req llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wanted []llm.Call
	open, had := []string{}, map[string]bool{}
	for _, m := range req.Messages {
		if m.Role != llm.ToolRole && len(open) > 0 {
			s.wrong = append(s.wrong, fmt.Sprintf("%s follows calls without results: %v", m.Role, open))
			open = nil
		}
		switch m.Role {
		case llm.ToolRole:
			i := slices.Index(open, m.CallID)
			if i < 0 {
				s.wrong = append(s.wrong, "a result without a call: "+m.CallID)
				continue
			}
			open, had[m.CallID] = slices.Delete(open, i, i+1), true
		case llm.UserRole:
			line := m.Text[strings.LastIndexByte(m.Text, '\n')+1:]
			if tool, path, ok := strings.Cut(line, " "); ok &&
				slices.Contains([]string{"look", "write", "run"}, tool) {
				wanted = append(wanted, madeCall(tool, path))
			}
		case llm.AssistantRole:
			for _, c := range m.Calls {
				open = append(open, c.ID)
			}
			if len(m.Calls) == 0 {
				wanted = nil
			}
		}
	}
	wanted = slices.DeleteFunc(wanted, func(c llm.Call) bool { return had[c.ID] })
	if len(wanted) > 0 {
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Calls: wanted}}, nil
	}
	return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "done"}}, nil
}

func madeCall(tool, path string) llm.Call {
	c := call(0, tool, path)
	c.ID = tool + "-" + path
	return c
}

// rich is a journal in which all types of events are.
func rich() []store.Entry {
	said := func(id, from, text string) event.Body {
		return event.Said{InputID: id, From: from, Text: text, Principal: owner}
	}
	generated := func(calls ...llm.Call) event.Body {
		m := llm.Message{Role: llm.AssistantRole, Calls: calls}
		if len(calls) == 0 {
			m.Text = "done"
		}
		return event.Generated{Message: m}
	}
	called := func(tool, path string) event.Body {
		c := madeCall(tool, path)
		return event.Called{ID: c.ID, Tool: c.Name, Args: c.Args}
	}
	started := func(id string) event.Body { return event.Started{CallID: id} }
	returned := func(id string) event.Body {
		tool, _, _ := strings.Cut(id, "-")
		return event.Returned{ID: id, Tool: tool, OK: true, Text: "it is done"}
	}
	var all []store.Entry
	in := func(turn int64, bodies ...event.Body) {
		for _, b := range bodies {
			all = append(all, store.Entry{Chat: "main", Turn: turn, Body: b})
		}
	}
	in(0, said("i1", "ana", "write a\nand look"))
	in(1, event.Opened{Skill: "sums", By: "message", Text: "how sums are done"},
		generated(madeCall("write", "a"), madeCall("look", "b")),
		called("write", "a"), called("look", "b"), started("write-a"), returned("write-a"), returned("look-b"),
		event.Nudged{Text: "go on"}, generated(madeCall("run", "c")), called("run", "c"),
		event.Asked{ID: "q", CallID: "run-c", Tool: "run", Args: madeCall("run", "c").Args, Expires: time.Unix(1, 0)},
		event.Decided{ID: "q", CallID: "run-c", Allow: true,
			By: "ana"}, started("run-c"), returned("run-c"), event.Noted{Text: "hm"})
	in(0, said("i2", "ana", "look d")) // 17
	in(1, event.Joined{Said: 17}, generated(madeCall("look", "d")), called("look", "d"),
		returned("look-d"), generated(),
		event.Replied{Text: "done"}, event.Ended{Reason: event.Done})
	in(0, event.Closed{Skill: "sums", By: "ana"}, said("i3", "ana", "write e"), said("i4", "ben", "write f")) // 26, 27
	in(26, generated(madeCall("write", "e")), called("write", "e"), event.Paused{}, event.Resumed{},
		started("write-e"), returned("write-e"),
		event.Compacted{Begin: 1, Session: 1,
			Messages: []llm.Message{{Role: llm.UserRole, Text: "[hob: earlier]"},
				{Role: llm.UserRole, Text: "write e"},
				{Role: llm.AssistantRole, Calls: []llm.Call{madeCall("write", "e")}}, {Role: llm.ToolRole, CallID: "write-e", ToolName: "write", Text: "it is done"}}},
		generated(), event.Replied{Text: "done"}, event.Ended{Reason: event.Done})
	in(27, generated(madeCall("write", "f")), called("write", "f"), started("write-f"),
		returned("write-f"), generated(),
		event.Replied{Text: "done"}, event.Ended{Reason: event.Done})
	in(0, event.Trimmed{Before: 26}, said("i5", "ana", "write g")) // 46
	in(46, generated(madeCall("write", "g")), called("write", "g"), started("write-g"),
		returned("write-g"), generated(),
		event.Replied{Text: "done"}, event.Ended{Reason: event.Done})
	return all
}

// withParked is a journal in which turns wait for the model or are parked, while others go on.
func withParked() []store.Entry {
	said := func(id, text string) event.Body {
		return event.Said{InputID: id, From: "ana", Text: text, Principal: owner,
			Command: strings.HasPrefix(text, "/")}
	}
	done := event.Generated{Message: llm.Message{Role: llm.AssistantRole, Text: "done"}}
	written := func(path string) []event.Body {
		c := madeCall("write", path)
		return []event.Body{event.Requested{},
			event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{c}}},
			event.Called{ID: c.ID, Tool: c.Name,
				Args: c.Args}, event.Started{CallID: c.ID}, event.Returned{ID: c.ID, Tool: c.Name, OK: true, Text: "it is done"}}
	}
	answered := []event.Body{event.Requested{}, done, event.Replied{Text: "done"}, event.Ended{Reason: event.Done}}
	look := madeCall("look", "z")
	look.ID = "command"
	command := []event.Body{event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{look}}},
		event.Called{ID: look.ID, Tool: look.Name, Args: look.Args},
		event.Returned{ID: "command", Tool: "look", OK: true, Text: "z"},
		event.Replied{Text: "z"}, event.Ended{Reason: event.Done}}
	var all []store.Entry
	in := func(turn int64, bodies ...event.Body) {
		for _, b := range bodies {
			all = append(all, store.Entry{Chat: "main", Turn: turn, Body: b})
		}
	}
	in(0, said("i1", "write a"))
	in(1, written("a")...)
	in(1, event.Requested{}, event.Noted{Text: "away"},
		event.Parked{Reason: event.ParkedForModel, Kind: llm.Unreachable, Text: "away"})
	in(0, said("i2", "write b"), said("i3", "/look z")) // 10, 11
	in(11, command...)
	in(1, event.Resumed{}, event.Joined{Said: 10})
	in(1, written("b")...)
	in(1, answered...)
	in(0, said("i4", "write c")) // 28
	in(28, written("c")...)
	in(28, event.Noted{Text: "set aside"}, event.Parked{Reason: event.ParkedBroken, Text: "set aside"})
	in(0, said("i5", "write d")) // 36
	in(36, written("d")...)
	in(36, answered...)
	in(28, event.Resumed{Again: true})
	in(28, answered...)
	return all
}

// aside is a chat beside it, whose turn was cut short.
func aside() []store.Entry {
	c := madeCall("write", "o")
	at := func(turn int64, b event.Body) store.Entry { return store.Entry{Chat: "other", Turn: turn, Body: b} }
	return []store.Entry{
		at(0, event.Said{InputID: "o1", From: "ana", Text: "write o", Principal: owner}),
		at(1, event.Generated{Message: llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{c}}}),
		at(1, event.Called{ID: c.ID, Tool: c.Name, Args: c.Args}), at(1, event.Started{CallID: c.ID}),
		at(1, event.Returned{ID: c.ID, Tool: c.Name, OK: true, Text: "it is done"}),
	}
}

// TestAnUnreadableEventStopsNothing cuts a journal off behind each event, has each event of it
// unreadable, and goes on: what was said is answered or told to be lost, nothing that had begun to
// act does so again, and the next words are answered, after another restart too.
func TestAnUnreadableEventStopsNothing(t *testing.T) { cutAndSpoil(t, rich()) }

// Nor does one among turns that wait for the model or are parked. They go on when they are tried again.
func TestAnUnreadableEventStopsNothingParked(t *testing.T) {
	all := withParked()
	cutAndSpoil(t, all)
	for _, damaged := range []bool{false, true} { // all of it from where it goes on to its end, as of a damaged page
		synctest.Test(t, func(t *testing.T) { goesOn(t, "a page", all[:27], spoilt{seq: 17, events: 11, damaged: damaged}) })
	}
}

func cutAndSpoil(t *testing.T, all []store.Entry) {
	for n := 1; n <= len(all); n++ {
		if _, replied := all[n-1].Body.(event.Replied); replied { // it is journaled together with its Ended
			continue
		}
		if testing.Short() && n%9 != 0 && n != len(all) { // under the race detector all of it takes a minute
			continue
		}
		if n == len(all) {
			synctest.Test(t, func(t *testing.T) { goesOn(t, "whole", all, spoilt{}) })
		}
		first := int64(max(1, n-12)) // what is long over makes no difference to where a journal ends
		if n == len(all) {
			first = 1
		}
		for seq := first; seq <= int64(n); seq++ {
			for _, damaged := range []bool{false, true} {
				if _, ended := all[seq-1].Body.(event.Ended); ended && !damaged { // as a newer hob may say it: the turn is open in the index
					newer := slices.Clone(all[:n])
					newer[seq-1].Body = event.Noted{}
					synctest.Test(t, func(t *testing.T) {
						goesOn(t, fmt.Sprintf("cut after %d, %d is an end of a newer hob", n, seq), newer,
							spoilt{seq: seq, events: 1})
					})
				}
				for events := int64(1); events <= min(seq, 2); events++ {
					if seq+events-1 > int64(n) || events > 1 && seq+6 < int64(n) { // what is two is looked at in what comes soon after
						continue
					}
					name := fmt.Sprintf("cut after %d, %d from %d cannot be read, damaged %t", n, events,
						seq, damaged)
					synctest.Test(t, func(t *testing.T) { goesOn(t, name, all[:n], spoilt{seq: seq, events: events, damaged: damaged}) })
				}
			}
		}
	}
}

func goesOn(t *testing.T, name string, kept []store.Entry, journal spoilt) {
	bad := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
	memory := storetest.NewMemory(time.Now)
	for _, e := range kept {
		if _, err := memory.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for i, e := range aside() {
		if i > 0 {
			e.Turn = int64(len(kept)) + 1
		}
		if _, err := memory.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	wasOpen, err := memory.OpenTurns(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	acted := map[string]int{"write o": 1} // what had begun to act before
	for _, e := range kept {
		if s, ok := e.Body.(event.Started); ok {
			acted[strings.Replace(s.CallID, "-", " ", 1)] = 1
		}
	}
	journal.Memory = memory
	model := &servant{}
	for life := range 2 {
		h := openAs(t, journal, model, func(cfg *session.Config) {
			cfg.Server = newPlant().server(true, time.Hour)
		})
		if _, err := h.IsBusy(t.Context(), "other"); err != nil {
			bad("other: %v", err)
		}
		in := session.Input{Chat: "main", ID: fmt.Sprint("new", life), From: "ana",
			Text: fmt.Sprintf("write new%d", life), Principal: owner}
		said, err := h.Submit(t.Context(), in)
		if err != nil {
			bad("life %d: the next words are not taken: %v", life, err)
			h.Close()
			return
		}
		last := h.watch(said, true)
		if got := types(last); !strings.HasSuffix(got, "replied ended") {
			bad("life %d: the next words come to %s", life, got)
		}
		synctest.Wait()
		parked, err := h.Parked(t.Context(), "main")
		for _, p := range parked {
			err = errors.Join(err, h.Retry(t.Context(), "main", p.ID))
			h.watch(p.ID, true)
		}
		if err != nil {
			bad("life %d: parked %v: %v", life, parked, err)
		}
		h.Close()
		for what, times := range h.did {
			if acted[what] += times; acted[what] > 1 && strings.HasPrefix(what, "write") || acted[what] > 1 &&
				strings.HasPrefix(what, "run") {
				bad("life %d: %s was done %d times", life, what, acted[what])
			}
		}
		if acted[fmt.Sprint("write new", life)] != 1 {
			bad("life %d: the next words are not done: %v", life, acted)
		}
	}
	for _, wrong := range model.wrong {
		bad("the model is shown that %s", wrong)
	}
	for _, chat := range []event.Chat{"main", "other"} {
		if left, err := memory.OpenTurns(t.Context(), chat); len(left) > 0 || err != nil {
			bad("%s: still open are %v, %v", chat, left, err)
		}
	}
	told, lost := 0, false
	answers, begun, joined := map[int64]int{}, map[int64]bool{}, map[int64]bool{}
	for e := range memory.Since(t.Context(), "", 0) {
		if e.Turn == e.Seq {
			begun[e.Seq] = true
		}
	}
	for e, err := range journal.Since(t.Context(), "", 0) {
		switch b := e.Body.(type) {
		case event.Ended:
			delete(begun, e.Turn)
		case event.Joined:
			delete(begun, b.Said)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for turn := range begun {
		bad("that turn %d is over cannot be read anywhere", turn)
	}
	for e, err := range memory.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case event.Noted:
			if b.Unreadable > 0 {
				told++
				if e.Chat != "main" || e.Turn != 0 || b.Unreadable != journal.seq+journal.events-1 ||
					!strings.Contains(b.Text, fmt.Sprintf("Event %d", journal.seq)) {
					bad("told in %s: %+v", e.Chat, b)
				}
			}
		case event.Joined:
			joined[b.Said] = true
		case event.Replied:
			answers[e.Turn]++
			lost = lost || e.Turn == journal.seq && strings.Contains(b.Text, "send it again")
		}
	}
	if want := min(journal.events, 1); told != int(want) {
		bad("it was told %d times", told)
	}
	for _, turn := range wasOpen {
		if answers[turn] == 0 && !joined[turn] {
			bad("turn %d was open and got no answer", turn)
		}
	}
	for turn, times := range answers {
		if times > 1 {
			bad("turn %d has %d answers", turn, times)
		}
	}
	if want := slices.Contains(wasOpen, journal.seq); want != lost && journal.events == 1 {
		bad("that the words of %d are lost was told: %t, want %t", journal.seq, lost, want)
	}
}
