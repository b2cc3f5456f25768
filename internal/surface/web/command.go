package web

import (
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/web/door"
)

// answerView is the answer of a command, with the commands that can be given next.
type answerView struct {
	Line    string
	HTML    template.HTML
	Text    string // in its place
	Choices [][]commands.Choice
}

// request returns a command of a visitor.
func (s *Server) request(v visit, chat event.Chat, args string) commands.Request {
	return commands.Request{
		Surface: commands.Page, Chat: chat, From: v.Person.From(), Principal: v.principal(), Args: args, Lang: v.words.Lang,
	}
}

// command serves POST /command.
func (s *Server) command(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat) error {
	name, args := commands.Split(r.PostForm.Get("line"))
	return s.runCommand(w, r, v, chat, name, args)
}

// runCommand runs a row of the table and shows its answer. One that changes rights needs a new sign-in.
func (s *Server) runCommand(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat, name, args string) error {
	table := s.cfg.Commands()
	if c, known := table.Find(name, commands.Page); known && c.ChangesRights(args) && !s.isFresh(v) {
		return refusal{http.StatusForbidden, errFresh}
	}
	a, err := table.Run(r.Context(), name, s.request(v, chat, args))
	if err != nil {
		return refusal{http.StatusConflict, err}
	}
	s.sources.wakeAll()
	line := strings.TrimSpace("/" + name + " " + args)
	if back := r.PostForm.Get("back"); !isPart(r) && isBack(back) {
		return redirect(w, r, address(back, chat))
	}
	return s.show(w, r, s.newView("answer-view", v, chat, answerView{Line: line, HTML: renderMarkdown(a.Text), Choices: a.Choices}))
}

// helpCommand lists the commands, or says how a tool is called. It is no row of the table, as each surface has its own.
const helpCommand = "help"

// help lists the commands of a visitor.
func (s *Server) help(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat) error {
	a := s.cfg.Commands().Help(s.request(v, chat, ""))
	return s.show(w, r, s.newView("answer-view", v, chat, answerView{Line: "/" + helpCommand, HTML: renderMarkdown(a.Text)}))
}

// complete serves GET /complete: how a line that begins with a slash can go on.
func (s *Server) complete(w http.ResponseWriter, r *http.Request, v visit, chat event.Chat) error {
	line := r.URL.Query().Get("line")
	lines := s.cfg.Commands().Complete(line, s.request(v, chat, ""))
	if line != "" && strings.HasPrefix("/"+helpCommand, line) {
		lines = append(lines, "/"+helpCommand)
	}
	if word, ok := strings.CutPrefix(line, "/"); ok && !strings.Contains(word, " ") && s.cfg.Tools != nil {
		known, err := s.cfg.Tools(r.Context(), chat, v.principal())
		if err != nil {
			return refusal{http.StatusServiceUnavailable, err}
		}
		for _, t := range known {
			if strings.HasPrefix(t.Name, strings.ToLower(word)) {
				lines = append(lines, "/"+t.Name)
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(append([]string{}, lines...)) // a browser that has left gets no answer
	return nil
}

// mayEnd reports whether a visitor may end what signs a person in: an owner for all, others for themselves.
func (s *Server) mayEnd(v visit, of door.Person) bool {
	return v.Level >= event.Owner || of.Is(v.Person)
}

// endDevice serves POST /devices/end.
func (s *Server) endDevice(w http.ResponseWriter, r *http.Request, v visit) error {
	if _, err := s.cfg.Door.Revoke(r.Context(), r.PostForm.Get("id"), func(of door.Person) bool { return s.mayEnd(v, of) }); err != nil {
		return refusal{http.StatusServiceUnavailable, err}
	}
	return done(w, r, "/devices")
}
