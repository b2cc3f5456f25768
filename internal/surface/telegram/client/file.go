package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

var (
	errOver  = errors.New("the request is over")
	errShort = errors.New("the file was cut off on its way")
)

func (a *API) Upload(ctx context.Context, method string, p Params, field, name string, file io.Reader, out any) error {
	ctx, alive, stop := withIdleLimit(ctx, moveLimit)
	defer stop()
	s := &upload{file: file, alive: alive}
	defer s.end()
	d := &doer{ctx: ctx, method: method, over: a.over}
	bot := a.bot
	bot.Client = closingDoer{d}
	resp, err := bot.UploadFiles(method, tgbotapi.Params(p), []tgbotapi.RequestFile{{Name: field, Data: tgbotapi.FileReader{Name: name, Reader: s}}})
	if failed := s.failed(); failed != nil && err != nil { // the server did not get the whole file
		return &Error{Method: method, Err: fmt.Errorf("read %s: %w", oneLine(name), failed)}
	}
	return a.result(d, resp, err, out)
}

// closingDoer is a doer that closes the request body. The library writes into the body from a
// goroutine that ends when the other end is closed, and not every transport closes it.
type closingDoer struct{ *doer }

// Do is the doer's.
func (c closingDoer) Do(req *http.Request) (*http.Response, error) {
	defer req.Body.Close()
	return c.doer.Do(req)
}

// upload is a file being sent. A transport may go on reading after its answer; after end it reads
// nothing more, so the caller may use the file again.
type upload struct {
	alive func()

	mu   sync.Mutex
	file io.Reader
	err  error // the error that ended reading
}

// Read reads on.
func (s *upload) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return 0, errOver
	}
	s.alive()
	n, err := s.file.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

func (s *upload) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = nil
}

func (s *upload) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (a *API) Download(ctx context.Context, id string, most int64, w io.Writer) error {
	var f struct {
		Size int64  `json:"file_size"`
		Path string `json:"file_path"`
	}
	if err := a.Call(ctx, "getFile", Params{"file_id": id}, &f); err != nil {
		return err
	}
	fail := func(err error) error { return &Error{Method: "download", Err: a.over.clean(err)} }
	switch {
	case f.Size > most:
		return fail(ErrTooLarge)
	case strings.HasPrefix(f.Path, "/"):
		return fail(errors.New("the Bot API server keeps its files to itself: start it without --local"))
	case len(f.Path) > 1024 || !fs.ValidPath(f.Path) || f.Path == "." || strings.ContainsFunc(f.Path, unicode.IsControl):
		return fail(errors.New("the server names no path that could be fetched"))
	}
	ctx, alive, stop := withIdleLimit(ctx, moveLimit)
	defer stop()
	body, err := a.open(ctx, f.Path)
	if err != nil {
		return err
	}
	defer body.Close()
	n, err := copyAtMost(w, moving{body, alive}, most)
	if err == nil && f.Size > 0 && n != f.Size {
		err = errShort
	}
	if err != nil {
		return fail(causeOf(ctx, err))
	}
	return nil
}

// open requests a file by its path on the server.
func (a *API) open(ctx context.Context, path string) (io.ReadCloser, error) {
	u := *a.base
	u.RawPath = u.EscapedPath() + "/file/bot" + placeholder + "/" + (&url.URL{Path: path}).EscapedPath()
	u.Path += "/file/bot" + placeholder + "/" + path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, &Error{Method: "download", Err: a.over.clean(err)}
	}
	resp, err := a.over.RoundTrip(req)
	if err != nil {
		return nil, &Error{Method: "download", Err: causeOf(ctx, err)}
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, &Error{Method: "download", Code: resp.StatusCode, Message: http.StatusText(resp.StatusCode)}
	}
	return resp.Body, nil
}

// copyAtMost copies all of r. If r is longer than the limit, it fails with [ErrTooLarge].
func copyAtMost(w io.Writer, r io.Reader, most int64) (int64, error) {
	n, err := io.Copy(w, io.LimitReader(r, most))
	if err != nil || n < most {
		return n, err
	}
	if more, _ := io.ReadFull(r, make([]byte, 1)); more > 0 {
		return n, ErrTooLarge
	}
	return n, nil
}

// moving is a reader that reports progress.
type moving struct {
	r     io.Reader
	alive func()
}

// Read reads on.
func (m moving) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.alive()
	}
	return n, err
}
