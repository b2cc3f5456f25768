package gamemaster_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/tools"
)

// grouped is a house whose chat is a group, with a story that Ana began and Bo has joined.
func grouped(t *testing.T, p plan, mode string) *house {
	t.Helper()
	h := newHouse(t, p)
	h.group(true)
	h.began("cosy")
	h.sayAs("bo", "/join Bo", "")
	if mode != "" {
		h.say("/mode " + mode)
	}
	h.standing.Level = event.User
	return h
}

func (h *house) place(id string) string {
	h.t.Helper()
	return h.log("cosy").World().Actor(id).Place
}

// hears fails the test unless somebody's words are answered with a text that has all of these.
func (h *house) hears(user, words string, want ...string) said {
	h.t.Helper()
	got := h.sayAs(user, words, "")
	for _, part := range want {
		if !strings.Contains(got.reply.Text, part) {
			h.t.Errorf("%s: %s: %q lacks %q", user, words, got.reply.Text, part)
		}
	}
	return got
}

// eager calls a tool whatever is said, and as often as it may.
func eager(req llm.Request) llm.Step {
	if asksToTell(req) || results(req) > 0 {
		return llm.Say("Surely.")
	}
	return llm.Do(called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`))
}

// What is said out of character changes nothing, in whatever way the party plays, and whatever a model makes of it.
func TestOutOfCharacter(t *testing.T) {
	for _, mode := range []string{"free", "round", "initiative"} {
		for _, p := range []plan{{noModel: true}, {model: speaking(eager)}} {
			h := grouped(t, p, mode)
			for _, words := range []string{"// shall we go to the green?", "((go to the green))", "（（去绿地））", "//go to the green", "/do // go to the green"} {
				before := h.log("cosy")
				if got := h.say(words); strings.TrimSpace(got.reply.Text) == "" || got.ended.Reason != event.Done {
					t.Errorf("%s: %s: %s: %q", mode, words, got.ended.Reason, got.reply.Text)
				}
				if after := h.log("cosy"); after.Turns() != before.Turns() || after.StateHash() != before.StateHash() {
					t.Errorf("%s: %s changed the story (model %v)", mode, words, !p.noModel)
				}
			}
			h.Close()
		}
	}
}

// In initiative one acts after the other, with plain commands as with a model's; who is away is passed over, and so are the dead.
func TestInitiative(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "initiative")
	h.hears("bo", "go to the green", "It is Robin's turn")
	h.hears("bo", "look", "The Singing Kettle")
	h.hears("ana", "go to the green", "The Green")
	h.hears("ana", "go to the school", "It is Bo's turn")
	h.hears("ana", "/next", "who runs this group")
	h.hears("bo", "/next")
	h.hears("bo", "go to the green", "It is Robin's turn")
	h.hears("ana", "/next")
	h.standing.Level = event.GroupAdmin
	h.hears("ana", "/next") // Bo is away
	h.hears("ana", "go to the school", "The Schoolhouse")
	h.hears("cy", "go to the green", "/join")
	if h.place("pc_001") != "area_school" || h.place("pc_002") != "area_teahouse" {
		t.Errorf("Robin is at %s, Bo at %s", h.place("pc_001"), h.place("pc_002"))
	}
	// Bo's hero dies while it is his turn.
	h.die("pc_002")
	h.hears("ana", "go to the green", "The Green")
	h.hears("bo", "go to the green")
	h.hears("ana", "go to the school", "The Schoolhouse")
	if h.place("pc_002") != "area_teahouse" {
		t.Error("the dead walk")
	}
	h.legal("cosy")
}

// die has somebody die.
func (h *house) die(id string) {
	h.t.Helper()
	s := h.log("cosy")
	if _, err := s.Play(h.t.Context(), deadly(id)); err != nil || h.log("cosy").World().Actor(id).State == "" {
		h.t.Fatal(err, h.log("cosy").World().Actor(id).State)
	}
}

// A round is one plan and one narration for all, whoever is away holds, and what was noted follows undo.
func TestARoundIsOnePlanAndOneNarration(t *testing.T) {
	model := llm.NewScript(
		llm.Do(called(1, "move_player", `{"player_id":"pc_001","target_location_id":"area_green"}`), called(2, "move_player", `{"player_id":"pc_002","target_location_id":"area_orchard"}`)),
		llm.Say("Robin and Bo part ways in the cold."),
		llm.Do(called(1, "advance_time", `{"minutes":5}`)), llm.Say("Done."), llm.Say("A while passes."),
	)
	h := grouped(t, plan{model: model}, "round")
	h.hears("ana", "I slip out towards the green, whistling", "Robin is in", "Bo")
	h.hears("ana", "look", "The Singing Kettle")
	if n := len(model.Requests()); n != 0 {
		t.Errorf("%d requests before all are in", n)
	}
	h.hears("cy", "I want to play, too", "/join")
	h.hears("bo", "I sneak off into the orchard")
	if n := len(model.Requests()); n > 3 {
		t.Errorf("a round of two took %d requests", n)
	}
	if h.place("pc_001") != "area_green" || h.place("pc_002") != "area_orchard" {
		t.Errorf("Robin is at %s, Bo at %s", h.place("pc_001"), h.place("pc_002"))
	}
	scene := model.Requests()[0].Messages[len(model.Requests()[0].Messages)-1].Text
	for _, want := range []string{"Robin: I slip out", "Bo: I sneak off"} {
		if !strings.Contains(scene, want) {
			t.Errorf("the plan is made without %q: %s", want, scene)
		}
	}
	h.hears("bo", "/next", "no round")
	h.hears("bo", "I wait and listen to the trees", "Bo is in", "Robin")
	h.inputs++ // what needs a model is no command
	got, err := h.submit(t.Context(), session.Input{Chat: h.chat, ID: "next", From: "ana", Text: "/next", Principal: h.standing})
	if err != nil || !strings.Contains(got.reply.Text, "A while passes") {
		t.Errorf("%v: %q", err, got.reply.Text)
	}
	h.legal("cosy")
}

// A party: who joins, who leaves, who plays nobody, who may decide for all.
func TestWhoMayWhat(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.hears("bo", "/join Boris", "You are Bo already")
	h.hears("cy", "/join "+strings.Repeat("x", 50), "40")
	h.hears("ana", "go to the green", "The Green")
	h.hears("bo", "/save here", "here")
	for _, words := range []string{"/load 0", "/mode round", "/allow -attack", "/export", "/teller off"} {
		if before := h.log("cosy").StateHash(); h.hears("bo", words, "who runs this group").ended.Reason != event.Done || before != h.log("cosy").StateHash() {
			t.Errorf("%s did something", words)
		}
	}
	for _, user := range []string{"cy", "cy", "dora"} { // who play nobody have no vote
		if got := h.hears(user, "/undo"); strings.HasPrefix(got.reply.Text, " ") || strings.Contains(got.reply.Text, "taken back") {
			t.Errorf("%s: %q", user, got.reply.Text)
		}
	}
	h.hears("bo", "/undo", "1 of 2")
	h.hears("bo", "/undo", "1 of 2")
	h.hears("ana", "/undo", "taken back")
	h.hears("bo", "/leave", "Bo")
	h.hears("bo", "/leave", "/join")
	h.hears("bo", "go to the green", "/join")
	h.hears("bo", "/undo") // plays nobody: it is Ana's story alone
	h.hears("ana", "go to the green", "The Green")
	if got := h.hears("bo", "/undo"); strings.Contains(got.reply.Text, "taken back") {
		t.Errorf("%q", got.reply.Text)
	}
	h.hears("ana", "/undo", "taken back")
	h.legal("cosy")
}

// Two chats play one story: one after the other, and nothing is done twice.
func TestTwoChatsAndOneStory(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	if _, err := h.master.Bind(t.Context(), asCaller(h, "other"), "cosy"); err != nil {
		t.Fatal(err)
	}
	before := h.log("cosy").Turns()
	const presses = 10
	done := make(chan error, 2*presses)
	for i, chat := range []event.Chat{h.chat, "other"} {
		for n := range presses {
			go func() {
				_, err := h.submit(t.Context(), input(h, chat, []string{"ana", "bo"}[i], n))
				done <- err
			}()
		}
	}
	for range 2 * presses {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	s := h.log("cosy")
	if got := s.Turns() - before; got != 2*presses {
		t.Errorf("%d inputs made %d turns", 2*presses, got)
	}
	h.legal("cosy")
}

// Another process writes to the log between two turns: nothing is lost.
func TestAnotherWriter(t *testing.T) {
	shelf := newShelf()
	a := newHouse(t, plan{noModel: true, shelf: shelf})
	a.began("cosy")
	b := newHouse(t, plan{noModel: true, shelf: shelf})
	b.chat = "elsewhere"
	b.say("/game open cosy")
	for i := range 3 {
		a.say("check wits")
		b.say("check charm")
		if i == 1 {
			b.say("undo")
		}
	}
	if s := a.log("cosy"); s.Turns() != 6 || s.StateHash() != b.log("cosy").StateHash() {
		t.Errorf("there are %d turns", s.Turns())
	}
	a.hears("ana", "/why", "charm")
	a.legal("cosy")
}

// deadly is a request by which somebody dies.
func deadly(id string) eventlog.Request {
	return eventlog.Request{ID: "deadly", Edit: func(w *world.World, _ rules.Counts) ([]world.Event, error) {
		old := w.Actor(id)
		dead := *old
		dead.HP, dead.State = world.Known(0), "dead"
		return []world.Event{{Old: old, New: &dead}}, nil
	}}
}

func asCaller(h *house, chat event.Chat) tools.Caller {
	return tools.Caller{Chat: chat, User: "bo", Principal: h.standing}
}

func input(h *house, chat event.Chat, user string, n int) session.Input {
	return session.Input{Chat: chat, ID: fmt.Sprint(chat, n), From: user, Text: "check wits", Principal: h.standing}
}

// Another process writes while a turn is played: the turn is played again on what is there now, and both are in the log.
func TestAnotherWriterIsFaster(t *testing.T) {
	for _, words := range []string{"check wits", "/save here", "undo", "/lines spiders", "/mode round", "/x"} {
		h := newHouse(t, plan{noModel: true})
		armed := false
		h.shelf.rival = func() {
			if armed {
				armed = false
				h.shelf.mu.Lock()
				defer h.shelf.mu.Unlock()
				s, err := eventlog.Load(t.Context(), h.shelf.logs["cosy"], optionsOf(h))
				if err != nil {
					t.Error(err)
					return
				}
				r := eventlog.Request{ID: "rival", Actor: "pc_001", Calls: []rules.Call{{Tool: "advance_time", Args: []byte(`{"minutes":7}`)}}}
				if _, err := s.Play(t.Context(), r); err != nil {
					t.Error(err)
				}
			}
		}
		h.began("cosy")
		h.say("check lore")
		first := h.log("cosy")
		armed = true
		got := h.say(words)
		s := h.log("cosy")
		if armed || got.ended.Reason != event.Done || s.Lines() <= first.Lines()+1 {
			t.Errorf("%s: %s: %q: %d lines became %d", words, got.ended.Reason, got.reply.Text, first.Lines(), s.Lines())
		}
		if ok, _ := requested(t, h, "rival"); !ok {
			t.Errorf("%s: the other's turn is lost", words)
		}
		h.legal("cosy")
	}
}

func optionsOf(h *house) eventlog.Options {
	h.t.Helper()
	book := game.Rules()
	return game.Options(book, at0)
}

func requested(t *testing.T, h *house, id string) (bool, error) {
	t.Helper()
	_, ok, err := h.shelf.Log("cosy").Request(t.Context(), id)
	return ok, err
}
