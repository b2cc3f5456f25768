package gamemaster_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/store/storetest"
)

// waited is a house in which rounds go on by themselves, in a bubble of time.
type waited struct {
	*house
	stop func()

	mu     sync.Mutex // what follows is the clock's, too
	handed []string   // the ids of what was handed in
	fails  bool
	first  func() // is done once what goes on was decided and before it is handed in, once
}

// patient is a house of three in rounds of ten minutes.
func patient(t *testing.T) *waited {
	t.Helper()
	w := &waited{house: grouped(t, plan{noModel: true, now: time.Now, journal: storetest.NewMemory(time.Now)}, "")}
	w.standing.Level = event.GroupAdmin
	w.sayAs("cy", "/join Cy", "")
	w.hears("ana", "/mode round 10", "10 min after the first plan")
	w.start()
	return w
}

// start has rounds go on, as a hob does.
func (w *waited) start() {
	ctx, cancel := context.WithCancel(w.t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		w.master.Rounds(ctx, []event.Chat{"nowhere", w.chat}, w.hand)
	}()
	w.stop = func() { cancel(); <-over }
	synctest.Wait()
}

// restart is another hob in the same house, after some time.
func (w *waited) restart(after time.Duration) {
	w.stop()
	w.Close()
	<-time.After(after)
	again := newHouse(w.t, plan{noModel: true, now: time.Now, shelf: w.shelf, journal: w.journal})
	again.standing, again.inputs = w.standing, w.inputs
	w.house = again
	w.start()
}

func (w *waited) hand(ctx context.Context, d gamemaster.Due) error {
	if led, err := w.HasDriver(ctx, d.Chat); !led || err != nil {
		return err
	}
	w.mu.Lock()
	fails, first := w.fails, w.first
	if w.fails, w.first = false, nil; !fails {
		w.handed = append(w.handed, d.Input)
	}
	w.mu.Unlock()
	if fails {
		return errors.New("the disk is full")
	}
	if first != nil {
		first()
	}
	for e, err := range w.journal.Chat(ctx, d.Chat, d.Said-1) {
		if err != nil {
			return err
		}
		s := e.Body.(event.Said)
		_, err = w.submit(ctx, session.Input{Chat: d.Chat, ID: d.Input, From: s.From, Text: "/next", Pick: d.Pick, Principal: s.Principal})
		return err
	}
	return nil
}

// set says what the next one that is handed in comes to.
func (w *waited) set(fails bool, first func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fails, w.first = fails, first
}

// after waits, and looks where Robin is by then, and how often a round has gone on by itself.
func (w *waited) after(d time.Duration, robin string, times int) {
	w.t.Helper()
	<-time.After(d)
	synctest.Wait()
	w.mu.Lock()
	handed := w.handed
	w.mu.Unlock()
	if got := w.place("pc_001"); got != robin || len(handed) != times {
		w.t.Errorf("Robin is at %s, not %s; rounds went on: %v", got, robin, handed)
	}
}

const aSecond = time.Second

// A round goes on without those who have said nothing once its time is up, which counts from the first plan; what is said later changes
// nothing of that, and neither does a restart.
func TestARoundGoesOnByItself(t *testing.T) {
	const kettle, green, orchard = "area_teahouse", "area_green", "area_orchard"
	for name, play := range map[string]func(*waited){
		"nobody has a plan": func(w *waited) { w.after(24*time.Hour, kettle, 0) },
		"from the first plan": func(w *waited) {
			w.hears("ana", "go to the orchard", "Waiting for: Bo, Cy. In 10 min it goes on without them.")
			w.after(5*time.Minute, kettle, 0)
			w.hears("bo", "go to the green", "Waiting for: Cy. In 5 min it goes on without them.")
			w.hears("ana", "go to the green", "In 5 min")
			w.after(5*time.Minute-aSecond, kettle, 0)
			w.after(2*aSecond, green, 1)
			w.told("Time is up, without a word from: Cy.")
			if w.place("pc_002") != green || w.place("pc_003") != kettle {
				w.t.Errorf("Bo is at %s, Cy at %s", w.place("pc_002"), w.place("pc_003"))
			}
			w.after(time.Hour, green, 1)
			w.hears("bo", "go to the school", "In 10 min")
			w.after(11*time.Minute, green, 2)
			if w.place("pc_002") != "area_school" {
				w.t.Errorf("Bo is at %s", w.place("pc_002"))
			}
		},
		"all have a plan": func(w *waited) {
			w.hears("ana", "go to the green", "Robin is in")
			w.hears("bo", "go to the green", "Bo is in")
			w.hears("cy", "go to the green", "The Green")
			w.after(time.Hour, green, 0)
		},
		"the table sets something just then": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.set(false, func() { w.hears("bo", "/lines spiders", "spiders") })
			w.after(11*time.Minute, green, 2) // the first is of a moment that has passed
			w.after(time.Hour, green, 2)
		},
		"a restart before": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.restart(4 * time.Minute)
			w.after(6*time.Minute-2*aSecond, kettle, 0)
			w.after(4*aSecond, green, 1)
		},
		"a restart after": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.restart(time.Hour)
			w.after(aSecond, green, 1)
			w.restart(time.Hour)
			w.after(time.Hour, green, 1)
		},
		"it cannot be handed in": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.set(true, nil)
			w.after(10*time.Minute+30*aSecond, kettle, 0)
			w.after(time.Minute, green, 1)
		},
		"the story rests": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.say("/pause")
			w.after(time.Hour, kettle, 0)
			w.restart(time.Hour)
			w.after(time.Hour, kettle, 0)
			w.say("/game open cosy")
			w.after(9*time.Minute, kettle, 0)
			w.after(2*time.Minute, green, 1)
		},
		"another story is open": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.say("/game new cosy name=other")
			w.after(time.Hour, kettle, 0)
			w.say("/game open cosy")
			w.after(9*time.Minute, kettle, 0)
			w.after(2*time.Minute, green, 1)
		},
		"who spoke first has left": func(w *waited) {
			w.hears("bo", "go to the orchard", "In 10 min")
			w.after(5*time.Minute, kettle, 0)
			w.hears("bo", "/leave")
			w.after(time.Hour, kettle, 0)
			w.hears("ana", "go to the green", "In 10 min")
			w.after(11*time.Minute, green, 1)
		},
		"it cannot be read": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.shelf.damage(true)
			w.restart(time.Hour)
			w.shelf.damage(false)
			w.after(2*time.Minute, green, 1)
		},
		"another time": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.after(5*time.Minute, kettle, 0)
			w.hears("ana", "/mode round 20", "20 min")
			w.after(19*time.Minute, kettle, 0)
			w.after(2*time.Minute, green, 1)
		},
		"no time any more": func(w *waited) {
			w.hears("ana", "go to the green", "In 10 min")
			w.hears("ana", "/mode round", "does not wait")
			w.after(24*time.Hour, kettle, 0)
			w.hears("bo", "go to the green", "Waiting for: Cy.")
		},
		"after an undo": func(w *waited) {
			w.hears("ana", "go to the orchard", "In 10 min")
			w.after(11*time.Minute, orchard, 1)
			w.hears("ana", "/undo", "taken back")
			w.after(9*time.Minute, kettle, 1)
			w.after(2*time.Minute, orchard, 2)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := patient(t)
				play(w)
				w.stop()
				w.legal("cosy")
				w.Close()
			})
		})
	}
}

// What is gone is looked at no more.
func TestNoRoundOfAStoryThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := patient(t)
		w.hears("ana", "go to the green", "In 10 min")
		w.shelf.remove("cosy")
		<-time.After(time.Hour)
		before := w.shelf.looks()
		<-time.After(24 * time.Hour)
		if n := w.shelf.looks() - before; n > 0 || len(w.handed) > 0 {
			t.Errorf("it was looked at %d times a day, and went on: %v", n, w.handed)
		}
		w.stop()
		w.Close()
	})
}

// told looks that the newest reply of the chat has these words.
func (w *waited) told(words string) {
	w.t.Helper()
	newest := ""
	for e, err := range w.journal.Chat(w.t.Context(), w.chat, 0) {
		if err != nil {
			w.t.Fatal(err)
		}
		if r, ok := e.Body.(event.Replied); ok {
			newest = r.Text
		}
	}
	if !strings.Contains(newest, words) {
		w.t.Errorf("%q is not in %q", words, newest)
	}
}

// How long a round may wait.
func TestHowLongARoundWaits(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.standing.Level = event.GroupAdmin
	for _, c := range []struct {
		words, want string
		minutes     int64
	}{
		{"/mode round 1", "1 min after", 1}, {"/mode ROUND 1440", "1440 min after", 1440}, {"/mode", "1440 min after", 1440},
		{"/mode round 0", "Say which", 1440}, {"/mode round 1441", "Say which", 1440}, {"/mode round ten", "Say which", 1440},
		{"/mode round 1 2", "Say which", 1440}, {"/mode free 10", "Say which", 1440}, {"/mode round", "does not wait", 0}, {"/mode round 5", "5 min", 5},
		{"/mode initiative", "in order", 0},
	} {
		h.hears("ana", c.words, c.want)
		if got := h.log("cosy").World().Self().Rules["round_minutes"]; got != c.minutes {
			t.Errorf("%s: %s", c.words, fmt.Sprint(got))
		}
	}
}
