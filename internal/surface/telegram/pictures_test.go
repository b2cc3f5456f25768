package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/sessiontest"
	"hob/internal/surface/telegram/telegramtest"
)

// chart is a state of a map, put where it is opened.
func (w *table) chart(n int, refresh bool) event.File {
	path := fmt.Sprint("story:map/", n)
	w.cfg.Files.(sessiontest.Files)[path] = string(telegramtest.PNG(40, 30, uint8(n)))
	return event.File{Name: "map.png", Type: "image/png", Path: path, Bytes: 80, StateOf: "map", Refresh: refresh, Caption: fmt.Sprint("state ", n)}
}

// tell plays a turn that says something and hands over files.
func (w *table) tell(text string, files ...event.File) {
	w.t.Helper()
	w.reply(adasChat, event.Replied{Text: text, Files: files})
}

// shows says what a message shows: the state of the map, its caption and how often it was changed.
func (w *table) shows(message int64) string {
	data, caption, edits, shown := w.chat.Picture(message)
	if !shown {
		return "nothing"
	}
	for n := range 20 {
		if string(data) == string(telegramtest.PNG(40, 30, uint8(n))) {
			return fmt.Sprintf("%d %q %d", n, caption, edits)
		}
	}
	return "something else"
}

// A picture is changed where it is shown, and nowhere else.
func TestPicturesInPlace(t *testing.T) {
	atTable(t, telegramtest.Options{Limits: telegramtest.Usual()}, func(w *table) {
		w.tell("one", w.chart(1, true))
		w.want("without a message that shows it", w.chat.BotTexts(), []string{"one"})
		w.want("calls", methods(w.srv, "editMessageMedia", "sendPhoto"), 0)

		w.tell("two", w.chart(2, false))
		first := newest(w.chat)
		w.want("shown", w.shows(first), `2 "state 2" 0`)
		after(time.Hour)
		w.tell("three", w.chart(3, true))
		w.want("in place", w.shows(first), `3 "state 3" 1`)
		w.tell("four", w.chart(3, true))
		w.want("the same again", w.shows(first), `3 "state 3" 1`)

		w.stop()
		w.start()
		w.tell("five", w.chart(4, true))
		w.want("after a restart", w.shows(first), `4 "state 4" 2`)

		w.tell("six", w.chart(5, false))
		second := newest(w.chat)
		w.want("anew", []string{w.shows(first), w.shows(second)}, []string{`4 "state 4" 2`, `5 "state 5" 0`})
		w.tell("seven", w.chart(6, true))
		w.want("the newest", []string{w.shows(first), w.shows(second)}, []string{`4 "state 4" 2`, `6 "state 6" 1`})

		w.chat.Delete(second)
		w.tell("eight", w.chart(7, true))
		w.tell("nine", w.chart(8, true))
		w.want("what is gone is forgotten", []string{w.shows(first), w.shows(second)}, []string{`4 "state 4" 2`, "nothing"})
		w.want("asked for no more", methods(w.srv, "editMessageMedia"), 5)
		w.want("sent", strings.Join(w.chat.BotTexts(), " "), "one two <photo > state 4 three four five six seven eight nine")
	})
}

// What nobody would miss is not shown more often than a chat bears, and then as it is by then.
func TestPicturesKeepPace(t *testing.T) {
	atTable(t, telegramtest.Options{Limits: telegramtest.Usual()}, func(w *table) {
		w.tell("map", w.chart(0, false))
		message := newest(w.chat)
		turn := w.log.Say(adasChat, "many")
		began := time.Now()
		for n := range 19 {
			w.log.Add(adasChat, turn, event.Returned{ID: fmt.Sprint(n), OK: true, Files: []event.File{w.chart(n+1, true)}})
			after(500 * time.Millisecond)
		}
		after(10 * time.Second)
		if n := methods(w.srv, "editMessageMedia"); n < 2 || n > 5 {
			t.Errorf("it was changed %d times in %v", n, time.Since(began))
		}
		if got := w.shows(message); !strings.HasPrefix(got, "19 ") {
			t.Error("it shows", got)
		}
		last := time.Time{}
		for _, c := range w.srv.Calls("editMessageMedia") {
			if d := c.At.Sub(last); d < 3*time.Second {
				t.Errorf("changed again after %v", d)
			}
			last = c.At
		}
	})
}

// A picture that changes all the time does not hold up another.
func TestPicturesTakeTurns(t *testing.T) {
	atTable(t, telegramtest.Options{Limits: telegramtest.Usual()}, func(w *table) {
		quiet := func(n int, refresh bool) event.File {
			f := w.chart(n, refresh)
			f.StateOf = "quiet map"
			return f
		}
		w.tell("maps", w.chart(0, false), quiet(0, false))
		message := newest(w.chat)
		turn := w.log.Say(adasChat, "many")
		for n := range 19 {
			files := []event.File{w.chart(n+1, true)}
			if n == 4 {
				files = append(files, quiet(1, true))
			}
			w.log.Add(adasChat, turn, event.Returned{ID: fmt.Sprint(n), OK: true, Files: files})
			after(time.Second)
		}
		w.want("the quiet one", w.shows(message), `1 "state 1" 1`)
	})
}

func TestPicturesThatFail(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault telegramtest.Fault
		play  func(w *table)
		want  string // that the message shows
		calls int
	}{
		{"Telegram wants to be left alone", telegramtest.Fault{Kind: telegramtest.TooMany, Times: 4, RetryAfter: 30 * time.Second}, nil, `2 "state 2" 1`, 5},
		{"no answer comes", telegramtest.Fault{Kind: telegramtest.HangBefore}, nil, `2 "state 2" 1`, 2},
		{"the answer is lost", telegramtest.Fault{Kind: telegramtest.DropAfter}, nil, `2 "state 2" 1`, 2},
		{"it never works", telegramtest.Fault{Kind: telegramtest.Internal, Times: 100}, nil, `1 "state 1" 0`, 3},
		{"there is a newer one meanwhile", telegramtest.Fault{Kind: telegramtest.HangBefore}, func(w *table) { w.tell("more", w.chart(3, true)) },
			`3 "state 3" 1`, 2},
		{"it is shown anew meanwhile", telegramtest.Fault{Kind: telegramtest.TooMany, RetryAfter: 30 * time.Second},
			func(w *table) { w.tell("more", w.chart(3, false)) }, `1 "state 1" 0`, 1},
		{"it cannot be opened", telegramtest.Fault{Kind: telegramtest.Slow}, func(w *table) {
			gone := w.chart(3, true)
			delete(w.cfg.Files.(sessiontest.Files), gone.Path)
			w.tell("more", gone)
		}, `2 "state 2" 1`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			atTable(t, telegramtest.Options{}, func(w *table) {
				w.tell("map", w.chart(1, false))
				message := newest(w.chat)
				c.fault.Method = "editMessageMedia"
				w.srv.Fail(c.fault)
				w.tell("one", w.chart(2, true))
				if c.play != nil {
					c.play(w)
				}
				after(10 * time.Minute)
				w.want("shown", w.shows(message), c.want)
				w.want("calls", methods(w.srv, "editMessageMedia"), c.calls)
			})
		})
	}
}

// What Telegram does not show as a picture is a document, also in place; what cannot be sent at all takes no one's place.
func TestPicturesThatAreNone(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		w.tell("map", w.chart(1, false))
		first := newest(w.chat)
		strip := w.chart(2, true)
		w.cfg.Files.(sessiontest.Files)[strip.Path] = string(telegramtest.PNG(2100, 100, 0))
		w.tell("wide", strip)
		m, _ := w.chat.Message(first)
		w.want("in place", []string{m.File.Kind, m.File.Name, m.Text}, []string{"document", "map.png", "state 2"})

		gone := w.chart(3, false)
		delete(w.cfg.Files.(sessiontest.Files), gone.Path)
		w.tell("gone", gone)
		w.cfg.Files.(sessiontest.Files)[gone.Path] = "" // Telegram takes no empty file
		w.tell("empty", gone)
		w.tell("four", w.chart(4, true))
		w.want("what shows it", w.shows(first), `4 "state 4" 2`)

		long := w.chart(5, false)
		long.Caption = strings.Repeat("漢", 1500)
		w.tell("long", long)
		m, _ = w.chat.Message(newest(w.chat))
		w.want("caption", m.Text, strings.Repeat("漢", 1023)+"…")
		w.srv.Fail(telegramtest.Fault{Method: "sendPhoto", Kind: telegramtest.DropAfter})
		w.tell("twice", long)
		after(time.Minute)
		m, _ = w.chat.Message(newest(w.chat))
		if !strings.HasSuffix(m.Text, "…\n\n(sent again: hob could not know whether this arrived)") {
			t.Errorf("sent again it says %q", m.Text[len(m.Text)-100:])
		}
		w.tell("last", w.chart(6, true))
		w.want("the one that is known to be there", w.shows(m.ID), `6 "state 6" 1`)
	})
}
