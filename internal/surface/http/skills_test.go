package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
)

// skillSessions are sessions that record requests about skills, and inputs.
type skillSessions struct {
	local.Sessions
	opened, closed []session.SkillRequest
	said           []session.Input
	refuse         error
}

func (w *skillSessions) OpenSkill(_ context.Context, in session.SkillRequest) error {
	w.opened = append(w.opened, in)
	return w.refuse
}

func (w *skillSessions) CloseSkill(_ context.Context, in session.SkillRequest) error {
	w.closed = append(w.closed, in)
	return w.refuse
}

func (w *skillSessions) Submit(_ context.Context, in session.Input) (int64, error) {
	w.said = append(w.said, in)
	return 7, w.refuse
}

func TestSkills(t *testing.T) {
	w := &skillSessions{}
	path := filepath.Join(t.TempDir(), "hob.sock")
	list := commands.SkillList{Skills: []commands.Skill{{Name: "weather", Open: true, By: "model", Level: event.GroupAdmin,
		Tools: []commands.SkillTool{{Name: "forecast", Usage: "forecast <city:string>", Listed: true}}, Pages: []string{"a.md"}}}, Problems: []string{"b/SKILL.md: no name"}}
	cfg := local.Config{Sessions: w, Skills: func(_ context.Context, chat event.Chat) (commands.SkillList, error) {
		switch chat {
		case "main":
			return list, nil
		case "none":
			return commands.SkillList{}, nil
		}
		return commands.SkillList{}, errors.New("the disk is full")
	}}
	s, err := local.Listen(path, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	client := api.NewClient(path)
	got, err := client.SkillList(t.Context(), "main")
	if diff := cmp.Diff(list, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	got, err = client.SkillList(t.Context(), "none")
	if diff := cmp.Diff(commands.SkillList{Skills: []commands.Skill{}, Problems: []string{}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := client.SkillList(t.Context(), "full"); err == nil || err.Error() != "the disk is full" {
		t.Error(err)
	}
	if _, err := client.SkillList(t.Context(), "a b"); err == nil || !strings.Contains(err.Error(), "is no name for a chat") {
		t.Error(err)
	}

	// Whoever may speak is the owner, whatever they say of themselves.
	mine := api.SkillRequest{Chat: "main", Skill: "weather"}
	owner := session.SkillRequest{Chat: "main", Skill: "weather", By: "owner", Principal: event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}}
	if err := errors.Join(client.OpenSkill(t.Context(), mine), client.CloseSkill(t.Context(), mine)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([][]session.SkillRequest{{owner}, {owner}}, [][]session.SkillRequest{w.opened, w.closed}); diff != "" {
		t.Error(diff)
	}
	w.refuse = &event.Error{Type: event.TypeNotFound, Message: `there is no skill "x"`}
	if err := client.OpenSkill(t.Context(), api.SkillRequest{Chat: "main", Skill: "x"}); err == nil || err.Error() != `there is no skill "x"` {
		t.Error(err)
	}
	w.refuse = session.ErrClosed
	if err := client.CloseSkill(t.Context(), mine); !errors.Is(err, api.ErrGone) {
		t.Error(err)
	}
	if err := client.OpenSkill(t.Context(), api.SkillRequest{Chat: "a b", Skill: "x"}); err == nil || len(w.opened) != 2 {
		t.Error(err, w.opened)
	}
}

// That words are a command is said, and never seen by how they look: a program may hand on what
// others wrote.
func TestCommandsAreSaidToBeSuch(t *testing.T) {
	w := &skillSessions{}
	path := filepath.Join(t.TempDir(), "hob.sock")
	s, err := local.Listen(path, local.Config{Sessions: w})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	client := api.NewClient(path)
	for _, command := range []bool{true, false} {
		if _, err := client.Submit(t.Context(), api.SayRequest{Chat: "main", ID: "1", Text: "/write a", Command: command}); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.said) != 2 || !w.said[0].Command || w.said[1].Command {
		t.Errorf("%+v", w.said)
	}

	h := open(t, storetest.NewMemory(time.Now), modelFunc(func(context.Context, string) (*llm.Reply, error) { return textReply("words") }))
	for _, c := range []struct{ body, reply, tools, failed string }{
		{`{"session_id":"a","messages":[{"role":"user","content":"/write a.txt"}],"command":true,"request_id":"r"}`, "write a.txt\nand more", "write", ""},
		{`{"session_id":"a","messages":[{"role":"user","content":"/write a.txt"}],"command":true,"request_id":"r"}`, "write a.txt\nand more", "write", ""}, // once
		{`{"session_id":"a","messages":[{"role":"user","content":"/write a.txt"}]}`, "words", "", ""},
		{`{"session_id":"a","messages":[{"role":"user","content":"/wirte a.txt"}],"command":true}`, `there is no command "wirte"; did you mean write?`, "", "wirte rejected invalid_command"},
		{`{"session_id":"a","messages":[{"role":"user","content":"no slash"}],"command":true}`, `there is no command "no"; /help lists the commands, /tools the tools`, "", "no rejected invalid_command"},
	} {
		status, text := h.post(t, t.Context(), c.body)
		var out api.ChatReply
		if err := json.Unmarshal([]byte(text), &out); err != nil || status != 200 {
			t.Fatal(status, text)
		}
		var ran []string
		for _, e := range out.ToolEvents {
			ran = append(ran, e.Tool)
		}
		reply, _, _ := strings.Cut(out.Reply, "\n\n") // without the receipt
		failed := ""
		for _, f := range out.Failed {
			failed += f.Tool + " " + f.Status + " " + f.Reason
		}
		if reply != c.reply || strings.Join(ran, " ") != c.tools || failed != c.failed {
			t.Errorf("%s: %s", c.body, text)
		}
	}
	calls := 0
	for e, err := range h.journal.Chat(t.Context(), "a", 0) {
		if _, ok := e.Body.(event.Called); ok && err == nil {
			calls++
		}
	}
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}

// Skills are for hob's own commands: nobody reaches them over TCP.
func TestSkillsAreOnTheSocketAlone(t *testing.T) {
	token := strings.Repeat("t", 32)
	s, err := local.ListenTCP(local.TCPConfig{Addr: "127.0.0.1:0", Token: token}, local.Config{Sessions: &skillSessions{}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	for _, what := range []string{"skills?chat=main", "skills/open", "skills/close"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+s.Addr().String()+"/api/v1/"+what, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", what, resp.Status)
		}
	}
}
