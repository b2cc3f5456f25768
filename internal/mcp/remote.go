package mcp

import (
	"errors"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxBody is how many bytes of one HTTP answer are read: a stream of events may hold several messages.
const maxBody = 2 * maxMessage

// remote is the way to a server that is asked over HTTP. Nothing is tried again: whether a call was made that has no answer
// nobody knows.
func (c *Client) remote() mcp.Transport {
	bounded := *c.cfg.HTTP
	bounded.Transport = limited{bounded.Transport}
	return &mcp.StreamableClientTransport{
		Endpoint: c.cfg.URL, HTTPClient: &bounded, MaxRetries: -1, MaxEventSize: maxMessage, DisableStandaloneSSE: true,
	}
}

// limited bounds the bodies of answers.
type limited struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(r)
	if err == nil && res.Body != nil {
		res.Body = &limitedBody{res.Body, maxBody}
	}
	return res, err
}

type limitedBody struct {
	io.ReadCloser
	left int64
}

var errBody = errors.New("its answer is too long")

// Read implements [io.Reader].
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBody
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
