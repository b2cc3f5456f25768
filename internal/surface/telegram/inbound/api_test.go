package inbound

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"hob/internal/surface/telegram/client"
)

const testToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

// tripper is a transport made of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func testAPI(t *testing.T, base string, over http.RoundTripper) *client.API {
	t.Helper()
	a, err := client.NewAPI(client.APIConfig{Base: base, Token: testToken, Transport: over})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// answering is a transport that answers all requests the same.
func answering(status int, body string) tripper {
	return func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return nil, err
			}
		}
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}
