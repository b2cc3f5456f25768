package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/surface/web/door"
)

// signInView is the view of a sign-in.
type signInView struct {
	Person string // whose code it is, once that is known
	Where  string // the browser that would be signed in
	Code   string
	Origin string
	Error  string
	Again  bool // somebody is signed in already
}

// showSignIn serves GET /sign-in: a code can be typed, or is in the fragment, which a script puts into the form.
func (s *Server) showSignIn(w http.ResponseWriter, r *http.Request) error {
	return s.answerSignIn(w, r, http.StatusOK, signInView{})
}

func (s *Server) answerSignIn(w http.ResponseWriter, r *http.Request, status int, data signInView) error {
	v, err := s.visitor(r)
	if err != nil {
		v = visit{words: wordsFor(r)}
	}
	data.Again, data.Origin, data.Where = err == nil, s.cfg.Site.Origin, deviceOf(r)
	return s.render(w, r, status, "sign-in", s.newView("sign-in", v, "", data))
}

// lookAtCode serves POST /sign-in/look: it shows who would sign in where. That uses nothing up.
func (s *Server) lookAtCode(w http.ResponseWriter, r *http.Request) error {
	code, err := readCode(w, r)
	if err != nil {
		return err
	}
	person, err := s.cfg.Door.Look(code)
	if err != nil {
		s.logRefused(r, err)
		return s.answerSignIn(w, r, http.StatusForbidden, signInView{Error: s.sentence(r, err)})
	}
	return s.answerSignIn(w, r, http.StatusOK, signInView{Person: s.nameOf(person), Code: code})
}

// enter serves POST /sign-in: the press that uses a code up.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) error {
	code, err := readCode(w, r)
	if err != nil {
		return err
	}
	token, _, err := s.cfg.Door.Enter(r.Context(), code, deviceOf(r), s.cookie(r))
	if err != nil {
		s.logRefused(r, err)
		return s.answerSignIn(w, r, http.StatusForbidden, signInView{Error: s.sentence(r, err)})
	}
	s.setCookie(w, token)
	return redirect(w, r, "/")
}

// logRefused logs that somebody was not signed in, with the address at which a firewall can shut them out.
func (s *Server) logRefused(r *http.Request, err error) {
	s.cfg.Log.Warn("a sign-in was refused", "from", s.cfg.Site.clientOf(r), "device", deviceOf(r), "err", err)
}

// readCode reads the form of a code.
func readCode(w http.ResponseWriter, r *http.Request) (string, error) {
	err := readStrangersForm(w, r, maxHead)
	return strings.TrimSpace(r.PostForm.Get("code")), err
}

// readStrangersForm reads a form of somebody who is not signed in.
func readStrangersForm(w http.ResponseWriter, r *http.Request, most int64) error {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(headTimeout))
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if err := r.ParseForm(); err != nil {
		return refusal{http.StatusBadRequest, err}
	}
	return nil
}

// leave serves POST /sign-in/leave.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, v visit) error {
	if err := s.cfg.Door.Leave(r.Context(), v.token); err != nil {
		return refusal{http.StatusServiceUnavailable, err}
	}
	s.setCookie(w, "")
	return redirect(w, r, "/sign-in")
}

// nameOf returns the name of a person.
func (s *Server) nameOf(p door.Person) string {
	if name := display.Visible(p.Name); name != "" {
		return name
	}
	return p.From()
}

// deviceOf says in a few words which browser sends a request. Browsers may say what they like.
func deviceOf(r *http.Request) string {
	agent := r.UserAgent()
	var parts []string
	for _, all := range [][][2]string{
		{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}},
		{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Mac OS X", "macOS"}, {"Windows", "Windows"}, {"Linux", "Linux"}},
	} {
		if i := slices.IndexFunc(all, func(known [2]string) bool { return strings.Contains(agent, known[0]) }); i >= 0 {
			parts = append(parts, all[i][1])
		}
	}
	return cmp.Or(strings.Join(parts, ", "), display.Truncate(display.Visible(agent), 40))
}

// showDevices serves GET /devices.
func (s *Server) showDevices(w http.ResponseWriter, r *http.Request, v visit) error {
	keys, err := s.cfg.Door.AllPasskeys(r.Context())
	if err != nil {
		return refusal{http.StatusServiceUnavailable, err}
	}
	data := devicesView{Devices: s.devicesOf(v)}
	for _, k := range keys {
		if s.mayEnd(v, k.Person) {
			data.Passkeys = append(data.Passkeys, passkeyLine{Passkey: k, Name: s.nameOf(k.Person)})
		}
	}
	return s.show(w, r, s.newView("devices", v, chatOf(r, v), data))
}

// devicesView is the browsers that are signed in, and the passkeys.
type devicesView struct {
	Devices  []device
	Passkeys []passkeyLine
}

// passkeyLine is a passkey, as a visitor sees it.
type passkeyLine struct {
	door.Passkey
	Name string
}

// device is a browser that is signed in, as a visitor sees it.
type device struct {
	door.Session
	Name string
	This bool
}

// devicesOf returns the browsers that a visitor may see: an owner all, others their own.
func (s *Server) devicesOf(v visit) (all []device) {
	for _, one := range s.cfg.Door.Sessions() {
		if s.mayEnd(v, one.Person) {
			all = append(all, device{Session: one, Name: s.nameOf(one.Person), This: one.ID == v.ID})
		}
	}
	return all
}
