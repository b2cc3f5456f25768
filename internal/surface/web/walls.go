package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/surface/web/door"
)

// freshTime is how old a sign-in may be that changes rights.
const freshTime = 10 * time.Minute

// policyHeader is the Content-Security-Policy of views. Scripts and styles are files of the page, and a string becomes HTML only
// through the one policy of Trusted Types that static/dom.js makes.
const policyHeader = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types hob"

// filePolicy is that of files: a browser that shows one gives it no origin, no script and no form.
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

// The refusals of the walls.
var (
	errHost   = errors.New("hob does not answer to that host")
	errOrigin = errors.New("another page may not do that")
	errForm   = errors.New("this form is not of this sign-in: load the page again")
	errFresh  = errors.New("this changes rights, and needs a sign-in of the last 10 minutes: sign in again")
	errPlain  = errors.New("the page is there over HTTPS alone")
	errNoPage = errors.New("there is no page at this address")
)

// walls is the middleware in front of everything: it checks where a request comes from, and says what a browser may do with the
// answer.
func (s *Server) walls(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policyHeader)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin") // with no-referrer a form would have no Origin
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
		h.Set("Cache-Control", "no-store")
		if s.cfg.Site.IsSecure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if _, err := s.assets(); err != nil { // a fault of the program
			s.cfg.Log.Error("read the files of the page", "err", err)
			http.Error(w, "the page has a fault", http.StatusInternalServerError)
			return
		}
		host := s.cfg.Site.hostOf(r)
		if s.cfg.Site.isLoopbackName(host) && r.Method == http.MethodGet {
			// A passkey belongs to a name, and a cookie to one host: there is one name.
			http.Redirect(w, r, s.cfg.Site.Origin+r.URL.EscapedPath(), http.StatusFound)
			return
		}
		if err := s.checkPlace(r, host); err != nil {
			s.refuse(w, r, err)
			return
		}
		s.made().compress(next).ServeHTTP(w, r)
	})
}

// checkPlace checks where a request comes from, and which host it asks for.
func (s *Server) checkPlace(r *http.Request, host string) error {
	switch {
	case !s.cfg.Site.isHost(host):
		return refusal{http.StatusMisdirectedRequest, errHost}
	case s.cfg.Site.isPlain(r):
		return refusal{http.StatusForbidden, errPlain}
	case !s.hasOwnOrigin(r):
		return refusal{http.StatusForbidden, errOrigin}
	}
	return nil
}

// hasOwnOrigin reports whether a request may come from the page that it does. Another may lead here by a link, and nothing else.
func (s *Server) hasOwnOrigin(r *http.Request) bool {
	own := true
	for _, from := range r.Header.Values("Origin") {
		u, err := url.Parse(from)
		own = own && err == nil && strings.HasPrefix(s.cfg.Site.Origin, u.Scheme+"://") && s.cfg.Site.isHost(strings.ToLower(u.Host))
	}
	changes := r.Method != http.MethodGet && r.Method != http.MethodHead
	if !own || changes && r.Header.Get("Origin") == "" {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return !changes && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// visit is a request of somebody who is signed in.
type visit struct {
	door.Session
	Level event.Level
	token string
	form  string // the token of its forms
	words words
}

// principal is the visitor as inputs and commands have it.
func (v visit) principal() event.Principal {
	return event.Principal{Platform: door.Platform, Scope: "private", Level: v.Level}
}

// cookie returns the token that a browser sends, or "".
func (s *Server) cookie(r *http.Request) string {
	all := r.CookiesNamed(s.cfg.Site.cookieName())
	if len(all) != 1 {
		return ""
	}
	return all[0].Value
}

// setCookie gives a browser the token of its session; with "" it takes the old one away.
func (s *Server) setCookie(w http.ResponseWriter, token string) {
	c := &http.Cookie{
		Name: s.cfg.Site.cookieName(), Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: s.cfg.Site.IsSecure(), MaxAge: int(door.IdleTime.Seconds()),
	}
	if token == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// visitor returns who sends a request.
func (s *Server) visitor(r *http.Request) (visit, error) {
	token := s.cookie(r)
	known, level, err := s.cfg.Door.Session(r.Context(), token)
	if err != nil {
		return visit{}, err
	}
	return visit{Session: known, Level: level, token: token, form: door.FormToken(token), words: wordsFor(r)}, nil
}

// signedIn is a handler for those who are signed in. Others are led to the sign-in. A form has to be of this sign-in.
func (s *Server) signedIn(next handler) http.HandlerFunc {
	return s.open(func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.visitor(r)
		switch {
		case errors.Is(err, door.ErrSession):
			return s.turnAway(w, r)
		case err != nil:
			return refusal{http.StatusServiceUnavailable, err}
		}
		if r.Method == http.MethodPost {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
			if r.URL.Path != "/say" { // which reads its form piece by piece
				if err := s.readForm(w, r, v); err != nil {
					return refusal{http.StatusForbidden, err}
				}
			}
		}
		return next(w, r, v)
	})
}

// handler serves a request of a visitor. Its error is the answer: see [Server.refuse].
type handler func(w http.ResponseWriter, r *http.Request, v visit) error

// open is a handler for everybody. Its error is the answer.
func (s *Server) open(serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			s.refuse(w, r, err)
		}
	}
}

// fresh is a handler of what changes rights: for those who have shown of late who they are.
func (s *Server) fresh(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request, v visit) error {
		if !s.isFresh(v) {
			return refusal{http.StatusForbidden, errFresh}
		}
		return next(w, r, v)
	}
}

// readForm reads a form, and checks that it is of this sign-in.
func (s *Server) readForm(w http.ResponseWriter, r *http.Request, v visit) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return err
	}
	if !door.IsFormToken(v.token, formToken(r)) {
		return errForm
	}
	return nil
}

// formToken returns the token that came with a form, in a field or in a header.
func formToken(r *http.Request) string {
	if given := r.Header.Get("X-Hob-CSRF"); given != "" {
		return given
	}
	return r.PostForm.Get("csrf")
}

// turnAway leads a browser that is not signed in to the sign-in. A browser that comes from another site leaves its cookie out once: it
// comes again from here.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	switch {
	case isPart(r) || r.URL.Path == "/events" || r.Method != http.MethodGet:
		return refusal{http.StatusUnauthorized, door.ErrSession}
	case s.cookie(r) == "" && r.Header.Get("Sec-Fetch-Site") == "cross-site" && query.Get("again") == "":
		query.Set("again", "1")
		return s.render(w, r, http.StatusOK, "again", map[string]any{"To": r.URL.Path + "?" + query.Encode(), "Words": wordsFor(r)})
	default:
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
	}
	return nil
}

// isPart reports whether a script asks, for a part of a view.
func isPart(r *http.Request) bool { return r.Header.Get("X-Hob-Part") != "" }

// isFresh reports whether a visitor has shown who they are of late.
func (s *Server) isFresh(v visit) bool { return s.cfg.Now().Sub(v.SignedIn) < freshTime }

// refusal is an error with the status of its answer.
type refusal struct {
	status int
	error
}

// refuse answers with an error: to a script as JSON, else as a page. One that is no [refusal] has the status that statusOf has for it.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	if own := (refusal{}); errors.As(err, &own) {
		status, err = own.status, own.error
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	signIn := status == http.StatusUnauthorized || errors.Is(err, errFresh)
	if isPart(r) || r.URL.Path == "/events" {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": s.sentence(r, err), "sign_in": signIn})
		return
	}
	if errors.Is(err, errHost) || errors.Is(err, errOrigin) { // nothing is said to another page
		http.Error(w, event.SentenceOf(err), status)
		return
	}
	_ = s.render(w, r, status, "problem", map[string]any{"Error": s.sentence(r, err), "SignIn": signIn, "Words": wordsFor(r)})
}

// sentence returns an error as people read it, in the language of their browser.
func (s *Server) sentence(r *http.Request, err error) string {
	return s.translate(wordsFor(r), "page", event.SentenceOf(err))
}

// translate returns what a command says in the language of a reader.
func (s *Server) translate(w words, of, text string) string {
	if s.cfg.Translate == nil {
		return text
	}
	return s.cfg.Translate(w.Lang, of, text)
}

// showNothing serves an address of which there is no page.
func (s *Server) showNothing(http.ResponseWriter, *http.Request, visit) error {
	return refusal{http.StatusNotFound, errNoPage}
}
