package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/tools/fetch"
)

const somePDF = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"

// readsPDF is a reader of PDFs that finds text in every one.
func readsPDF(text string) func(*fetch.Config) {
	return func(c *fetch.Config) {
		c.PDF = func(_ context.Context, file []byte) (string, error) {
			if string(file) != somePDF {
				return "", errors.New("that is another file")
			}
			return text, nil
		}
	}
}

// A PDF is known by what it is, whatever the server calls it, and reads like a page.
func TestFetch_PDF(t *testing.T) {
	text := "[page 1]\none\x07\n\n[page 2]\ntwo"
	for name, declared := range map[string]string{
		"declared": "application/pdf", "with a parameter": "application/pdf; charset=binary", "as octets": "application/octet-stream",
		"as a page": "text/html", "not declared": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/a.pdf": fetchSends(declared, somePDF)}, readsPDF(text))
			got := w.page(map[string]any{"url": w.at("/a.pdf")})
			want := fetch.Page{URL: w.at("/a.pdf"), Status: 200, ContentType: "application/pdf", Content: "[page 1]\none\n\n[page 2]\ntwo"}
			if strings.Contains(declared, ";") {
				want.ContentType = declared
			}
			want.Length = len(want.Content)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What does not fit into one result is read on with offset, as of any page.
func TestFetch_LongPDF(t *testing.T) {
	text := strings.Repeat("a line of a long report\n", 300)
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("application/pdf", somePDF)}, readsPDF(text),
		func(c *fetch.Config) { c.Share = func() int { return 1000 } })
	first := w.page(map[string]any{"url": w.at("/")})
	if !strings.Contains(first.Content, "call fetch with offset=") || first.Length != len(text) {
		t.Errorf("%d: %.80q", first.Length, first.Content)
	}
	second := w.page(map[string]any{"url": w.at("/"), "offset": first.Length - 24})
	if second.Content != "a line of a long report\n" {
		t.Errorf("%.80q", second.Content)
	}
}

// What is wrong with a PDF is said in the reader's words, and the page that was reached is told of.
func TestFetch_UnreadablePDF(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("application/pdf", "%PDF-x")}, readsPDF(""))
	res, err := w.call(map[string]any{"url": w.at("/")})
	if err == nil || err.Error() != "that is another file" || len(res.Effects) != 1 || !res.Label.Untrusted {
		t.Errorf("%v, %+v", err, res)
	}
}

// A reader that takes too long is given up with the rest of the fetch.
func TestFetch_PDFOutOfTime(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("application/pdf", somePDF)}, func(c *fetch.Config) {
		c.Timeout = 200 * time.Millisecond
		c.PDF = func(ctx context.Context, _ []byte) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
	})
	if _, err := w.call(map[string]any{"url": w.at("/")}); err == nil || !strings.Contains(err.Error(), "did not deliver the page within 200ms") {
		t.Error(err)
	}
}
