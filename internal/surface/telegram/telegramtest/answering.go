package telegramtest

import (
	"io"
	"net/http"
	"strings"
)

// RoundTrip is a transport made of a function.
type RoundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f RoundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Answering is a transport that answers all requests the same. header has names and values in turn.
func Answering(status int, body string, header ...string) RoundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return nil, err
			}
		}
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}
