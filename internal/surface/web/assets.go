package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
)

//go:embed views/*.html
var viewFiles embed.FS

//go:embed static
var staticFiles embed.FS

// assets are the templates and the files of the page, as they are served.
type assets struct {
	views  *template.Template
	static map[string]staticFile
}

// staticFile is a file that every browser gets.
type staticFile struct {
	media      string
	tag        string // of its content
	plain, zip []byte
}

// mediaTypes are the types of static files. A file of another type is not served.
func mediaTypes() map[string]string {
	return map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
		".json": "application/manifest+json",
	}
}

func newAssets(zone func() *time.Location) (*assets, error) {
	a := &assets{static: map[string]staticFile{}}
	err := fs.WalkDir(staticFiles, "static", func(name string, d fs.DirEntry, err error) error {
		media := mediaTypes()[path.Ext(name)]
		if err != nil || d.IsDir() || media == "" {
			return err
		}
		raw, err := staticFiles.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(raw)
		f := staticFile{media: media, tag: hex.EncodeToString(sum[:8]), plain: raw}
		var zipped bytes.Buffer
		zip, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
		if _, err := zip.Write(raw); err != nil {
			return err
		}
		if err := zip.Close(); err != nil {
			return err
		}
		f.zip = zipped.Bytes()
		a.static["/"+name] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the files of the page: %w", err)
	}
	a.views, err = template.New("views").Funcs(template.FuncMap{
		"asset":   a.address,
		"modules": a.modules,
		"clock":   func(t time.Time) string { return t.In(zone()).Format("15:04") },
		"day":     func(w words, t time.Time) string { return day(w, t.In(zone())) },
		"stamp":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"scope":   func(v view, what any) scope { return scope{v, what} },
		"act":     func(id int64, do, word, of string) rowAct { return rowAct{id, do, word, of} },
		"switch":  func(tool string, on bool, where string) toolSwitch { return toolSwitch{tool, where, on} },
	}).ParseFS(viewFiles, "views/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the views of the page: %w", err)
	}
	return a, nil
}

// made returns the assets. Every request has come past the walls, which see that there are some.
func (s *Server) made() *assets {
	a, _ := s.assets()
	return a
}

// serveStatic serves a static file.
func (s *Server) serveStatic(w http.ResponseWriter, r *http.Request) { s.made().serve(w, r) }

// address is that of a static file, with its version: a browser keeps it for ever.
func (a *assets) address(name string) string {
	f, ok := a.static["/static/"+name]
	if !ok {
		return "/static/" + name
	}
	return "/static/" + name + "?v=" + f.tag
}

// modules are the modules that page.js imports. A browser that knows them gets all at once, and not one after the other.
func (a *assets) modules() (all []string) {
	for name := range a.static {
		if strings.HasSuffix(name, ".js") && name != "/static/page.js" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// serve serves a static file.
func (a *assets) serve(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path
	if name == "/manifest.json" {
		name = "/static/manifest.json"
	}
	f, ok := a.static[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("ETag", `"`+f.tag+`"`)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == f.tag {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Add("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == `"`+f.tag+`"` {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = f.zip
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	_, _ = w.Write(body) // a browser that has left gets no answer
}

func takesGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// compress compresses the views, where a browser takes that. Streams and files go out as they are.
func (a *assets) compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !takesGzip(r) {
			next.ServeHTTP(w, r)
			return
		}
		z := &zipWriter{ResponseWriter: w}
		next.ServeHTTP(z, r)
		if z.zip != nil {
			_ = z.zip.Close() // a browser that has left gets no answer
		}
	})
}

// zipWriter compresses an answer that is HTML.
type zipWriter struct {
	http.ResponseWriter
	zip   *gzip.Writer
	begun bool
}

// Unwrap is for [http.ResponseController].
func (z *zipWriter) Unwrap() http.ResponseWriter { return z.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (z *zipWriter) WriteHeader(status int) {
	z.begin()
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipWriter) begin() {
	h := z.Header()
	if z.begun {
		return
	}
	z.begun = true
	if strings.HasPrefix(h.Get("Content-Type"), "text/html") && h.Get("Content-Encoding") == "" {
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
		h.Del("Content-Length")
		z.zip = gzip.NewWriter(z.ResponseWriter)
	}
}

// Write implements [http.ResponseWriter].
func (z *zipWriter) Write(p []byte) (int, error) {
	z.begin()
	if z.zip != nil {
		return z.zip.Write(p)
	}
	return z.ResponseWriter.Write(p)
}

// view is what every view has.
type view struct {
	Words   words
	Name    string // chat, tools, story, house ...
	Chat    event.Chat
	CSRF    string
	Visit   visit
	Seq     int64
	Running bool
	// ReadOnly is true where the visitor reads the chat and writes nothing in it.
	ReadOnly bool
	Data     any // of the view itself

	names func(event.Chat) string
}

// Named is a chat as people call it.
func (v view) Named(chat event.Chat) string { return v.names(chat) }

// MayAllow reports whether the visitor may say yes.
func (v view) MayAllow() bool { return !v.ReadOnly && v.Visit.Level >= event.BotAdmin }

// Own is the chat that the pages beside the chat's are about.
func (v view) Own() event.Chat {
	if v.ReadOnly {
		return v.Visit.Person.Home()
	}
	return v.Chat
}

// scope is a value of a view, for a template that needs both.
type scope struct {
	View view
	It   any
}

// newView returns the view of a visitor.
func (s *Server) newView(name string, v visit, chat event.Chat, data any) view {
	return view{
		Words: v.words, Name: name, Chat: chat, CSRF: v.form, Visit: v, Data: data,
		ReadOnly: chat != "" && checkChat(v, chat) != nil,
		names:    func(chat event.Chat) string { return s.nameOfChat(v, chat) },
	}
}

// render answers with a template. It is whole before anything is sent.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	var page bytes.Buffer
	if err := s.made().views.ExecuteTemplate(&page, name, data); err != nil {
		s.cfg.Log.Error("render a view", "view", name, "err", err)
		http.Error(w, "hob cannot show this", http.StatusInternalServerError)
		return nil
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTimeout))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(page.Bytes()) // a browser that has left gets no answer
	}
	return nil
}

// show answers with a view, or with the part of it that a script asks for.
func (s *Server) show(w http.ResponseWriter, r *http.Request, v view) error {
	name := v.Name
	switch part := r.Header.Get("X-Hob-Part"); part {
	case "":
		if v.Name != "chat" && v.Chat != "" { // what happens from now on can be shown there, too
			var err error
			if v.Seq, err = s.cfg.Journal.Last(r.Context(), v.Chat); err != nil {
				return err
			}
		}
	case "none":
		w.WriteHeader(http.StatusNoContent)
		return nil
	default:
		if s.made().views.Lookup(part) == nil || !strings.HasSuffix(part, "-panel") && part != "answer" {
			return refusal{http.StatusNotFound, errPart}
		}
		name = part
	}
	return s.render(w, r, http.StatusOK, name, v)
}
