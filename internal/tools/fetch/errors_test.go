package fetch_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

func TestFetch_BadArguments(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/plain", "four")})
	for _, c := range []struct{ row, args, code, words string }{
		{"web_fetch-04/ftp", `{"url":"ftp://page.lan/"}`, event.CodeInvalidValue, "only http:// and https:// addresses can be fetched, not ftp:"},
		{"web_fetch-04/file", `{"url":"file:///etc/passwd"}`, event.CodeInvalidValue, "only http:// and https:// addresses can be fetched, not file:"},
		{"web_fetch-04/no scheme", `{"url":"page.lan"}`, event.CodeInvalidValue, `"page.lan" does not start with http:// or https://`},
		{"web_fetch-04/no scheme, two slashes", `{"url":"//page.lan"}`, event.CodeInvalidValue, `"//page.lan" does not start with http:// or https://`},
		{"web_fetch-04/empty", `{"url":""}`, event.CodeInvalidValue, "url is empty"},
		{"web_fetch-04/blank", `{"url":" \n"}`, event.CodeInvalidValue, "url is empty"},
		{"web_fetch-10", `{"url":"http://page.lan/","timeout":5}`, "", "timeout"},
		{"missing url", `{}`, "", "url"},
		{"url of another type", `{"url":5}`, "", "url"},
		{"unknown format", `{"url":"http://page.lan/","format":"pdf"}`, "", "format"},
		{"offset below 0", `{"url":"http://page.lan/","offset":-1}`, "", "offset"},
		{"offset past the end", fmt.Sprintf(`{"url":%q,"offset":4}`, w.at("/")), event.CodeInvalidValue, "offset 4 is past the end: the page has 4 characters"},
		{"no host", `{"url":"http:///path"}`, event.CodeInvalidValue, `"http:///path" names no host`},
		{"backslashes", `{"url":"http:\\\\page.lan\\"}`, event.CodeInvalidValue, ` names no host`},
		{"control character", `{"url":"http://page.lan/\u0001"}`, event.CodeInvalidValue, `"http://page.lan/\x01" is not a URL`},
		{"user and password", `{"url":"http://me:secret@page.lan/"}`, event.CodeInvalidValue, "an address with a user name or password in it is not fetched"},
		{"port out of range", `{"url":"http://page.lan:99999/"}`, event.CodeInvalidValue, `"99999" is not a port`},
		{"too long", `{"url":"http://page.lan/` + strings.Repeat("x", 9000) + `"}`, event.CodeInvalidValue, "an address of more than 8,192 bytes is not fetched"},
		{"javascript", `{"url":"javascript:alert(1)"}`, event.CodeInvalidValue, "only http:// and https:// addresses can be fetched, not javascript:"},
	} {
		t.Run(c.row, func(t *testing.T) {
			_, err := tools.Call(t.Context(), w.tool, json.RawMessage(c.args))
			var e *tools.Error
			if !errors.As(err, &e) || e.Type != event.TypeValidation || c.code != "" && e.Code != c.code || !strings.Contains(e.Message, c.words) {
				t.Errorf("got %+v, want code %s and the words %q", err, c.code, c.words)
			}
		})
	}
	if got := w.requests(); len(got) != 1 { // the offset is judged after the page is there
		t.Errorf("the server was asked %d times", len(got))
	}
}

// endless writes until the reader has had enough.
func endless(w io.Writer, chunk string) {
	for {
		if _, err := io.WriteString(w, chunk); err != nil {
			return
		}
	}
}

// fetchBomb packs piece as the beginning of a gzip stream without an end, and again as what can follow it as often as one likes.
func fetchBomb(t *testing.T, piece string) (first, more string) {
	t.Helper()
	var out strings.Builder
	z := gzip.NewWriter(&out)
	for range 2 {
		n := out.Len()
		if _, err := io.WriteString(z, piece); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil {
			t.Fatal(err)
		}
		first, more = out.String()[:n], out.String()[n:]
	}
	return first, more
}

func fetchHijacks(raw string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		io.WriteString(conn, raw)
	}
}

// fetchTroubles is a web in which everything goes wrong.
func fetchTroubles(t *testing.T) (w *fetchWorld, secret *httptest.Server) {
	secret = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("what must stay out of reach was asked for %s", r.URL)
	}))
	t.Cleanup(secret.Close)
	secretPort := secret.URL[strings.LastIndex(secret.URL, ":")+1:]
	first, more := fetchBomb(t, strings.Repeat("\x20", 1<<16))
	bomb := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, first)
		endless(w, more)
	}
	packedNothing := strings.Repeat(fetchPacked(t, fetchGzip, ""), 4096)
	emptyMembers := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/html")
		endless(w, packedNothing)
	}
	encoded := func(encoding, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", encoding)
			io.WriteString(w, body)
		}
	}
	packed := fetchPacked(t, fetchGzip, strings.Repeat("many words ", 1000))
	w = newFetchWorld(t, map[string]http.HandlerFunc{
		"/good":          fetchSends("text/plain", "good"),
		"/to-loopback":   fetchRedirects("http://127.0.0.1/secret"),
		"/to-name":       fetchRedirects("http://innocent.example/secret"),
		"/to-metadata":   fetchRedirects("http://169.254.169.254/latest/meta-data/"),
		"/to-metaname":   fetchRedirects("http://metadata.example/computeMetadata/v1/"),
		"/to-port":       fetchRedirects("http://127.0.0.1:" + secretPort + "/secret"),
		"/to-file":       fetchRedirects("file:///etc/passwd"),
		"/to-gopher":     fetchRedirects("gopher://127.0.0.1:6379/_FLUSHALL"),
		"/to-user":       fetchRedirects("http://page.lan@127.0.0.1/"),
		"/to-far":        fetchRedirects("/" + strings.Repeat("x", 9000)),
		"/to-nothing":    fetchRedirects("http://[bad"),
		"/round":         fetchRedirects("/round"),
		"/gzip-bomb":     bomb,
		"/gzip-empty":    emptyMembers,
		"/endless":       func(w http.ResponseWriter, r *http.Request) { endless(w, strings.Repeat("x", 1<<16)) },
		"/headers":       fetchHijacks("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\nbody"),
		"/many-headers":  fetchHijacks("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 200_000) + "\r\nbody"),
		"/not-http":      fetchHijacks("220 mail.example ESMTP\r\n"),
		"/bad-header":    fetchHijacks("HTTP/1.1 200 OK\r\nA B\x01: c\r\n\r\n"),
		"/short":         fetchHijacks("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf"),
		"/huge-length":   fetchHijacks("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9223372036854775807\r\n\r\nhalf"),
		"/gone":          fetchHijacks(""),
		"/br":            encoded("br", "\x0b\x02\x80words\x03"),
		"/twice":         encoded("gzip, gzip", packed),
		"/gzip-noise":    encoded("gzip", "no gzip at all"),
		"/gzip-torn":     encoded("gzip", packed[:len(packed)/2]),
		"/gzip-wrong":    encoded("gzip", packed[:len(packed)-6]+"\x00\x00"+packed[len(packed)-4:]),
		"/deflate-noise": encoded("deflate", "\xff\xff\xff\xff"),
		"/zip":           fetchSends("application/zip", "PK\x03\x04\x14\x00"),
	}, func(c *fetch.Config) { c.MaxResponseSize = 1 << 20 })
	return w, secret
}

// The whole table of what can go wrong with good arguments. The messages are all that a model learns: no address that a
// name stands for, no setting, no word of the server's.
func TestFetch_Errors(t *testing.T) {
	w, _ := fetchTroubles(t)
	const (
		notPublic = "that address is not public, so it is out of reach"
		misled    = "the page redirects to where fetch does not go: "
		tooLarge  = "the page is larger than 1 MiB, the most that fetch reads"
		brokeOff  = "the connection to page.lan:PORT broke off before the page was complete"
		noHTTP    = "what page.lan:PORT answered is not proper HTTP"
		manyHeads = "page.lan:PORT sent more than 64 KiB of headers"
	)
	type want struct {
		Type, Code, Message string
		Retryable           bool
	}
	permission := func(m string) want { return want{event.TypePermission, event.CodePermissionDenied, m, false} }
	execution := func(m string) want { return want{event.TypeExecution, event.CodeExecutionFailed, m, false} }
	again := func(m string) want { return want{event.TypeExecution, event.CodeExecutionFailed, m, true} }
	for _, c := range []struct {
		row, url string
		want     want
	}{
		{"web_fetch-13/loopback", "http://127.0.0.1/", permission(notPublic)},
		{"web_fetch-13/loopback, IPv6", "http://[::1]/", permission(notPublic)},
		{"web_fetch-13/private", "https://192.168.1.1/", permission(notPublic)},
		{"web_fetch-13/metadata", "http://169.254.169.254/latest/meta-data/", permission(notPublic)},
		{"web_fetch-13/name of loopback", "http://innocent.example/", permission(notPublic)},
		{"web_fetch-13/name of metadata", "http://metadata.example/", permission(notPublic)},
		{"web_fetch-13/localhost", "http://localhost:443/", permission(notPublic)},
		{"web_fetch-13/other port", "http://127.0.0.1:1/", permission("port 1 is out of reach: fetch reaches ports 80 and 443")},
		{"web_fetch-13/other port of a public host", "http://example.org:22/", permission("port 22 is out of reach: fetch reaches ports 80 and 443")},
		{"web_fetch-13/redirect to loopback", w.at("/to-loopback"), permission(notPublic)},
		{"web_fetch-13/redirect to a name of loopback", w.at("/to-name"), permission(notPublic)},
		{"web_fetch-13/redirect to metadata", w.at("/to-metadata"), permission(notPublic)},
		{"web_fetch-13/redirect to a name of metadata", w.at("/to-metaname"), permission(notPublic)},
		{"web_fetch-13/redirect to another port", w.at("/to-port"), permission(misled + "port SECRET is out of reach: fetch reaches ports 80 and 443")},
		{"redirect to a file", w.at("/to-file"), permission(misled + "only http:// and https:// addresses can be fetched, not file:")},
		{"redirect to gopher", w.at("/to-gopher"), permission(misled + "only http:// and https:// addresses can be fetched, not gopher:")},
		{"redirect with a user name", w.at("/to-user"), permission(misled + "an address with a user name or password in it is not fetched")},
		{"redirect to an endless address", w.at("/to-far"), permission(misled + "an address of more than 8,192 bytes is not fetched")},
		{"redirect to no URL", w.at("/to-nothing"), execution(noHTTP)},
		{"redirects without end", w.at("/round"), execution("the page redirects more than 5 times")},
		{"bomb", w.at("/gzip-bomb"), execution(tooLarge)},
		{"bomb that decompresses to nothing", w.at("/gzip-empty"), execution(tooLarge)},
		{"endless body", w.at("/endless"), execution(tooLarge)},
		{"length that cannot be", w.at("/huge-length"), execution(tooLarge)},
		{"one huge header", w.at("/headers"), execution(manyHeads)},
		{"many headers", w.at("/many-headers"), execution(manyHeads)},
		{"another protocol", w.at("/not-http"), execution(noHTTP)},
		{"malformed header", w.at("/bad-header"), execution(noHTTP)},
		{"length that lies", w.at("/short"), again(brokeOff)},
		{"no answer at all", w.at("/gone"), again(brokeOff)},
		{"compression that was not asked for", w.at("/br"), execution("the page came in a compression that was not asked for")},
		{"compressed twice", w.at("/twice"), execution("the page came in a compression that was not asked for")},
		{"not gzip", w.at("/gzip-noise"), execution("the page's gzip compression is broken")},
		{"gzip with a wrong checksum", w.at("/gzip-wrong"), execution("the page's gzip compression is broken")},
		{"torn gzip", w.at("/gzip-torn"), again(brokeOff)},
		{"not deflate", w.at("/deflate-noise"), execution("the page's deflate compression is broken")},
		{"not text", w.at("/zip"), execution("there is no text to read: the address holds application/zip")},
		{"no such host", "http://absent.example/", execution("there is no host absent.example")},
		{"broken DNS", "http://broken.example/", again("the name broken.example could not be looked up")},
		{"nobody listens", "http://dead.lan:9/", again("dead.lan:9 refused the connection")},
		{"https at an http port", "https://page.lan:" + w.port + "/", execution("page.lan:PORT does not speak https there")},
	} {
		t.Run(c.row, func(t *testing.T) {
			_, e := w.fails(map[string]any{"url": c.url})
			message := strings.ReplaceAll(e.Message, w.port, "PORT")
			if strings.Contains(c.want.Message, "SECRET") {
				message = strings.ReplaceAll(message, strings.Fields(message)[10], "SECRET")
			}
			if diff := cmp.Diff(c.want, want{e.Type, e.Code, message, e.Retryable}); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFetch_LimitIsExact(t *testing.T) {
	body := strings.Repeat("0123456789", 100)
	serve := func(w http.ResponseWriter, r *http.Request) {
		n := len(body)
		if strings.HasPrefix(r.URL.Path, "/more") {
			n++
		}
		text := (body + "!")[:n]
		w.Header().Set("Content-Type", "text/plain")
		switch r.URL.Query().Get("as") {
		case "gzip":
			w.Header().Set("Content-Encoding", "gzip")
			text = fetchPacked(t, fetchGzip, text)
		case "chunks":
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, text)
	}
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/exact": serve, "/more": serve},
		func(c *fetch.Config) { c.MaxResponseSize = 1000 })
	for _, as := range []string{"", "gzip", "chunks"} {
		t.Run("web_fetch-08/"+as, func(t *testing.T) {
			if diff := cmp.Diff(body, w.page(map[string]any{"url": w.at("/exact?as=" + as)}).Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			_, e := w.fails(map[string]any{"url": w.at("/more?as=" + as)})
			if want := "the page is larger than 1 kB, the most that fetch reads"; e.Message != want || e.Code != event.CodeExecutionFailed {
				t.Errorf("got %+v, want %q", e, want)
			}
		})
	}
}

// A server that never finishes: before its headers, between two bytes of its body, in the middle of gzip.
func TestFetch_TimeIsForTheWholePage(t *testing.T) {
	stall := func(head func(http.ResponseWriter)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			head(w)
			<-r.Context().Done()
		}
	}
	pages := map[string]http.HandlerFunc{
		"/silent": stall(func(http.ResponseWriter) {}),
		"/drip":   stall(func(w http.ResponseWriter) { io.WriteString(w, "a"); w.(http.Flusher).Flush() }),
		"/gzip": stall(func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte{0x1f})
			w.(http.Flusher).Flush()
		}),
	}
	t.Run("timeout", func(t *testing.T) {
		w := newFetchWorld(t, pages, func(c *fetch.Config) { c.Timeout = 50 * time.Millisecond })
		want := event.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: "page.lan:" + w.port + " did not deliver the page within 50ms", Retryable: true}
		for path := range pages {
			if _, e := w.fails(map[string]any{"url": w.at(path)}); e != want {
				t.Errorf("%s: got %+v, want %+v", path, e, want)
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		reached := make(chan struct{}, 1)
		w := newFetchWorld(t, map[string]http.HandlerFunc{"/": stall(func(w http.ResponseWriter) { w.(http.Flusher).Flush(); reached <- struct{}{} })})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-reached; cancel() }()
		_, err := w.tool.(tools.Runner).Run(ctx, json.RawMessage(fmt.Sprintf(`{"url":%q}`, w.at("/"))))
		var e *tools.Error
		if !errors.As(err, &e) || *e != (event.Error{Type: event.TypeExecution, Code: event.CodeCancelled, Message: "the fetch was cancelled"}) {
			t.Errorf("got %+v", err)
		}
	})
	t.Run("the caller's time is up", func(t *testing.T) {
		w := newFetchWorld(t, pages)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := w.tool.(tools.Runner).Run(ctx, json.RawMessage(fmt.Sprintf(`{"url":%q}`, w.at("/drip"))))
		var e *tools.Error
		want := event.Error{Type: event.TypeTimeout, Code: event.CodeTimeout, Message: "page.lan:" + w.port + " did not deliver the page in the time there was", Retryable: true}
		if !errors.As(err, &e) || *e != want {
			t.Errorf("got %+v, want %+v", err, want)
		}
	})
}

func TestFetch_CertificatesAreChecked(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Error("a page was served") }))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // the handshake that must fail
	srv.StartTLS()
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "https://")
	dialer, err := egress.New(egress.Config{Allow: []string{host}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = fetch.New(fetch.Config{Dialer: dialer}).Tools()[0].Execute(t.Context(), map[string]any{"url": srv.URL})
	if want := host + " cannot prove that it is " + host + ": its certificate is not valid"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The person learns beside the error what the model may not know.
func TestFetch_ARefusalHasAHintForThePerson(t *testing.T) {
	w, secret := fetchTroubles(t)
	got := map[string]any{}
	for name, at := range map[string]string{
		"address": "http://192.168.1.10/", "port": "http://192.168.1.10:8123/api", "name": "http://innocent.example/", "metadata": "http://metadata.example/", "redirect": w.at("/to-port"),
	} {
		res, _ := w.fails(map[string]any{"url": at})
		got[name] = res.Data
	}
	secretHost := strings.TrimPrefix(secret.URL, "http://")
	want := map[string]any{
		"address": tools.Hint{Hint: `192.168.1.10 is no public address (private network); if it may be reached, add "192.168.1.10:80" to [fetch] allow`},
		"port":    tools.Hint{Hint: `if 192.168.1.10:8123 may be reached, add "192.168.1.10:8123" to [fetch] allow`},
		"name":    tools.Hint{Hint: `innocent.example is at 127.0.0.1 (loopback); if it may be reached, add "innocent.example:80" to [fetch] allow`},
		"metadata": tools.Hint{Hint: `metadata.example is at 169.254.169.254 (link-local, where cloud metadata services are); ` +
			`if it may be reached, add "169.254.169.254:80" to [fetch] allow`},
		"redirect": tools.Hint{Hint: `if ` + secretHost + ` may be reached, add "` + secretHost + `" to [fetch] allow`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hints (-want +got):\n%s", diff)
	}
}

// What a failed fetch reached is on its receipt.
func TestFetch_AFailureTellsWhatWasReached(t *testing.T) {
	w, _ := fetchTroubles(t)
	res, _ := w.fails(map[string]any{"url": w.at("/zip")})
	want := tools.Result{
		Effects: []event.Effect{{
			Kind: "fetched", Target: "page.lan:" + w.port + "/zip", Detail: "200, not read", Bytes: 6, Status: 200, Failed: true,
		}},
		Label: event.Label{Untrusted: true, Source: "web:page.lan"},
	}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	// The words of such an error can be the server's: here the name of a scheme.
	for path, label := range map[string]event.Label{"/to-gopher": {Untrusted: true, Source: "web:page.lan"}, "/gone": {Untrusted: true, Source: "web:page.lan"}} {
		if res, _ := w.fails(map[string]any{"url": w.at(path)}); res.Label != label || len(res.Effects) > 0 {
			t.Errorf("%s: %+v", path, res)
		}
	}
}

// Fetch has no state to change: after everything has gone wrong, the same request goes out and the same page comes
// back as before, and no file was written.
func TestFetch_UnchangedState(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Chdir(t.TempDir())
	w, _ := fetchTroubles(t)
	good := func() (string, []string) {
		w.requests()
		res, err := w.call(map[string]any{"url": w.at("/good")})
		if err != nil {
			t.Fatal(err)
		}
		return res.Text, w.requests()
	}
	text, asked := good()
	for _, path := range []string{"/to-loopback", "/to-file", "/round", "/gzip-bomb", "/headers", "/short", "/gone", "/zip", "/gzip-noise"} {
		w.fails(map[string]any{"url": w.at(path)})
		after, askedAfter := good()
		if after != text || !slices.Equal(asked, askedAfter) {
			t.Errorf("after %s: %s\n%s", path, after, askedAfter)
		}
	}
	for _, dir := range []string{".", os.TempDir()} {
		if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("in %s: %v, %v", dir, left, err)
		}
	}
}
