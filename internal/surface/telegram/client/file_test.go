package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"hob/internal/surface/telegram/telegramtest"
)

// Requests are given up after their time; those that move bytes are not.
func TestWhoIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, context.Cause(r.Context())
		})
		a := testAPI(t, "", never)
		for method, want := range map[string]time.Duration{"sendMessage": 30 * time.Second, "getUpdates": 65 * time.Second} {
			start := time.Now()
			err := a.Call(t.Context(), method, nil, nil)
			if took := time.Since(start); took != want || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v after %v", method, err, took)
			}
		}
		start := time.Now()
		a = testAPI(t, "", telegramtest.Answering(200, `{"ok":true,"result":true}`))
		err := a.Upload(t.Context(), "sendDocument", nil, "document", "a", &slowly{n: 20, every: 20 * time.Second}, nil)
		if took := time.Since(start); err != nil || took < 6*time.Minute {
			t.Errorf("a slow file: %v after %v", err, took)
		}
		err = a.Upload(t.Context(), "sendDocument", nil, "document", "a", iotest.ErrReader(io.ErrUnexpectedEOF), nil)
		var e *Error
		if !errors.As(err, &e) || e.Unknown || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("a file that cannot be read: %v", err)
		}
	})
}

// slowly is a file of n bytes.
type slowly struct {
	n     int
	every time.Duration
}

func (s *slowly) Read(p []byte) (int, error) {
	if s.n == 0 {
		return 0, io.EOF
	}
	<-time.After(s.every)
	s.n--
	p[0] = 'x'
	return 1, nil
}

// An upload reads no more than the network takes, and not a byte when it is over; the library's goroutine is gone then.
func TestAnUploadIsAStream(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, c := range []struct {
		name string
		over telegramtest.RoundTrip
		code int
	}{
		{"a server that takes little", func(r *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			return telegramtest.Answering(413, `{"ok":false,"error_code":413,"description":"Request Entity Too Large"}`)(&http.Request{})
		}, 413},
		{"a server that takes nothing", func(*http.Request) (*http.Response, error) {
			return telegramtest.Answering(429, `{"ok":false,"error_code":429,"description":"x","parameters":{"retry_after":1}}`)(&http.Request{})
		}, 429},
		{"no server", func(r *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			return nil, io.EOF
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var read atomic.Int64
			a := testAPI(t, "", c.over)
			err := a.Upload(t.Context(), "sendDocument", Params{"chat_id": "1"}, "document", "a", &endless{&read}, nil)
			var e *Error
			if !errors.As(err, &e) || e.Code != c.code {
				t.Error(err)
			}
			after := read.Load()
			if after > 2<<20 {
				t.Errorf("%d bytes were read", after)
			}
			goleak.VerifyNone(t, goleak.IgnoreCurrent())
			if read.Load() != after {
				t.Error("it was read on after the end")
			}
		})
	}
}

// endless is a file that has no end.
type endless struct{ read *atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.read.Add(int64(len(p)))
	return len(p), nil
}

// What is read of a file after the upload is over is nothing, whoever asks.
func TestASourceIsGivenBack(t *testing.T) {
	s := &upload{file: strings.NewReader("hello"), alive: func() {}}
	s.end()
	if n, err := s.Read(make([]byte, 10)); n != 0 || err == nil || err == io.EOF {
		t.Errorf("read %d, %v", n, err)
	}
}

// Files go up and come down as they are.
func TestFilesOverASocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{Token: testToken})
		a := testAPI(t, "", srv.Transport())
		chat := srv.Private(srv.User(77, "Ada"))
		data := bytes.Repeat([]byte("0123456789"), 100_000)
		var sent struct{ Document Attachment }
		err := a.Upload(t.Context(), "sendDocument", Params{"chat_id": "77"}, "document", `a "b".txt`, bytes.NewReader(data), &sent)
		if err != nil {
			t.Fatal(err)
		}
		if got := chat.FromBot(); len(got) != 1 || !bytes.Equal(got[0].File.Data, data) {
			t.Errorf("the server has another file")
		}
		var back bytes.Buffer
		if err := a.Download(t.Context(), sent.Document.ID, int64(len(data)), &back); err != nil || !bytes.Equal(back.Bytes(), data) {
			t.Errorf("%d of %d bytes came back: %v", back.Len(), len(data), err)
		}
		back.Reset()
		if err := a.Download(t.Context(), sent.Document.ID, int64(len(data))-1, &back); !errors.Is(err, ErrTooLarge) || back.Len() != 0 {
			t.Errorf("%d bytes of a file that is too large: %v", back.Len(), err)
		}
	})
}

// What a server can say about a file, and what becomes of it.
func TestDownload(t *testing.T) {
	for _, c := range []struct {
		name, path, body string
		size             int
		status           int
		want             string // in the error; "" that there is none
	}{
		{"a file", "documents/file_0.txt", "hello", 5, 200, ""},
		{"of unknown size", "documents/file_0.txt", "hello", 0, 200, ""},
		{"just as large as may be", "f", strings.Repeat("x", 10), 0, 200, ""},
		{"larger than it said", "f", strings.Repeat("x", 11), 0, 200, "larger"},
		{"larger than may be", "f", "", 11, 200, "larger"},
		{"cut", "f", "hell", 5, 200, "cut off"},
		{"gone", "f", "x", 1, 404, "404 Not Found"},
		{"a way up", "../../etc/passwd", "x", 1, 200, "no path"},
		{"another way up", "a/../../b", "x", 1, 200, "no path"},
		{"no path", "", "x", 1, 200, "no path"},
		{"a line", "a\\nb", "x", 1, 200, "no path"},
		{"a local server", "/var/lib/" + testToken + "/a", "x", 1, 200, "--local"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := testAPI(t, "", telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/getFile") {
					return telegramtest.Answering(200, fmt.Sprintf(`{"ok":true,"result":{"file_size":%d,"file_path":"%s"}}`, c.size, c.path))(r)
				}
				return telegramtest.Answering(c.status, c.body)(r)
			}))
			var got bytes.Buffer
			err := a.Download(t.Context(), "id", 10, &got)
			noToken(t, err)
			if c.want == "" && (err != nil || got.String() != c.body) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%q, %v; want %q", got.String(), err, c.want)
			}
			if got.Len() > 10 {
				t.Errorf("%d bytes were written", got.Len())
			}
		})
	}
	a := testAPI(t, "", telegramtest.Answering(400, `{"ok":false,"error_code":400,"description":"Bad Request: file is too big"}`))
	if err := a.Download(t.Context(), "id", 10, io.Discard); !errors.Is(err, ErrTooLarge) {
		t.Errorf("what Telegram says of more than 20 MB: %v", err)
	}
}

// A server that stops half way is given up; what can be written nowhere says so.
func TestADownloadThatStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := testAPI(t, "", telegramtest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/getFile") {
				return telegramtest.Answering(200, `{"ok":true,"result":{"file_path":"f"}}`)(r)
			}
			body, w := io.Pipe()
			context.AfterFunc(r.Context(), func() { _ = w.CloseWithError(r.Context().Err()) })
			go func() { _, _ = w.Write([]byte("hello")) }()
			return &http.Response{StatusCode: 200, Body: body, Request: r}, nil
		}))
		start := time.Now()
		err := a.Download(t.Context(), "id", 100, io.Discard)
		if took := time.Since(start); !errors.Is(err, tooSlow{}) || took != time.Minute {
			t.Errorf("%v after %v", err, took)
		}
	})
}
