package fetch_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/event"
	"hob/internal/excerpt"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

const fetchHello = "<title>Hello</title><script>x()</script><p>Good <b>morning</b>, <a href=\"/next\">world</a>."

func TestFetch_Success(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{
		"/hello": fetchSends("text/html; charset=utf-8", fetchHello),
		"/json":  fetchSends("application/problem+json", `{"a":"<b>"}`),
		"/old":   fetchRedirects("/hello?from=old"),
		"/broken": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "try later", http.StatusInternalServerError)
		},
		"/empty": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) },
	}, func(c *fetch.Config) { c.UserAgent = "Household/1" })

	t.Run("web_fetch-01", func(t *testing.T) {
		res, err := w.call(map[string]any{"url": w.at("/hello")})
		if err != nil {
			t.Fatal(err)
		}
		page := fetch.Page{URL: w.at("/hello"), Status: 200, ContentType: "text/html; charset=utf-8", Length: 0,
			Content: "Hello\n\nGood morning, world <" + w.at("/next") + ">."}
		page.Length = len(page.Content)
		want := tools.Result{
			Text: fmt.Sprintf(`{"url":%q,"status":200,"contentType":"text/html; charset=utf-8","length":%d,"content":"Hello\n\nGood morning, world <%s>."}`,
				page.URL, page.Length, w.at("/next")),
			Data: page,
			Effects: []event.Effect{{
				Kind: "fetched", Target: "page.lan:" + w.port + "/hello", Detail: fmt.Sprintf("200, %d bytes", len(fetchHello)),
				Bytes: int64(len(fetchHello)), Status: 200,
			}},
			Label: event.Label{Untrusted: true, Source: "web:page.lan"},
		}
		if diff := cmp.Diff(want, res); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
	})
	t.Run("web_fetch-02", func(t *testing.T) {
		if diff := cmp.Diff(fetchHello, w.page(map[string]any{"url": w.at("/hello"), "format": "html"}).Content); diff != "" {
			t.Errorf("content (-want +got):\n%s", diff)
		}
	})
	t.Run("markdown", func(t *testing.T) {
		want := "# Hello\n\nGood **morning**, [world](" + w.at("/next") + ")."
		if diff := cmp.Diff(want, w.page(map[string]any{"url": w.at("/hello"), "format": "markdown"}).Content); diff != "" {
			t.Errorf("content (-want +got):\n%s", diff)
		}
	})
	t.Run("JSON stays as it is", func(t *testing.T) {
		want := fetch.Page{URL: w.at("/json"), Status: 200, ContentType: "application/problem+json", Length: 11, Content: `{"a":"<b>"}`}
		if diff := cmp.Diff(want, w.page(map[string]any{"url": w.at("/json")})); diff != "" {
			t.Errorf("page (-want +got):\n%s", diff)
		}
	})
	t.Run("a redirect is followed and named", func(t *testing.T) {
		if got, want := w.page(map[string]any{"url": w.at("/old")}).URL, w.at("/hello?from=old"); got != want {
			t.Errorf("url %s, want %s", got, want)
		}
	})
	t.Run("web_fetch-05", func(t *testing.T) {
		got := []fetch.Page{w.page(map[string]any{"url": w.at("/absent")}), w.page(map[string]any{"url": w.at("/broken")})}
		want := []fetch.Page{
			{URL: w.at("/absent"), Status: 404, ContentType: "text/plain; charset=utf-8", Length: 19, Content: "404 page not found\n"},
			{URL: w.at("/broken"), Status: 500, ContentType: "text/plain; charset=utf-8", Length: 10, Content: "try later\n"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		res, err := w.call(map[string]any{"url": w.at("/broken")})
		receipt := []event.Effect{{
			Kind: "fetched", Target: "page.lan:" + w.port + "/broken", Detail: "500, 10 bytes", Bytes: 10, Status: 500, Failed: true,
		}}
		if diff := cmp.Diff(receipt, res.Effects); diff != "" || err != nil {
			t.Errorf("%v, receipt (-want +got):\n%s", err, diff)
		}
	})
	t.Run("nothing is a page too", func(t *testing.T) {
		if diff := cmp.Diff(fetch.Page{URL: w.at("/empty"), Status: 204}, w.page(map[string]any{"url": w.at("/empty")})); diff != "" {
			t.Errorf("page (-want +got):\n%s", diff)
		}
	})
	t.Run("web_fetch-14", func(t *testing.T) {
		w.requests()
		w.page(map[string]any{"url": w.at("/hello#part")})
		want := []string{"GET /hello HTTP/1.1\r\nHost: page.lan:" + w.port + "\r\n" +
			"Accept: text/html,application/xhtml+xml,application/json;q=0.9,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.5\r\n" +
			"Accept-Encoding: gzip, deflate\r\nConnection: close\r\nUser-Agent: Household/1\r\n\r\n"}
		if diff := cmp.Diff(want, w.requests()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
	t.Run("many at once", func(t *testing.T) {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() { w.page(map[string]any{"url": w.at("/old"), "format": "markdown"}) })
		}
		all.Wait()
	})
}

func TestFetch_SaysWhatItMayDo(t *testing.T) {
	tool := fetch.New(fetch.Config{}).Tools()[0]
	want := tools.Def{
		Name: "fetch", Description: "Read a web page by its URL.",
		Capabilities: tools.Reads | tools.Sends | tools.Untrusted, Timeout: -1, Examples: []string{"fetch https://example.org"},
	}
	if diff := cmp.Diff(want, tools.DefOf(tool), cmpopts.IgnoreFields(tools.Def{}, "ResourcesOf", "Check")); diff != "" {
		t.Errorf("def (-want +got):\n%s", diff)
	}
	def := tools.Schema([]tools.Tool{tool})[0]
	schema := `{"type":"object","properties":{"url":{"type":"string"}%s},"required":["url"],"additionalProperties":false}`
	if diff := cmp.Diff(fmt.Sprintf(schema, ""), string(def.Parameters)); diff != "" {
		t.Errorf("schema that models are told (-want +got):\n%s", diff)
	}
	more := `,"format":{"type":"string","default":"text","enum":["text","html","markdown"]},"offset":{"type":"integer","minimum":0}`
	if diff := cmp.Diff(fmt.Sprintf(schema, more), string(def.Accepts)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	if n := len(def.Name) + len(def.Description) + len(def.Parameters); n > 200 {
		t.Errorf("the definition takes %d bytes of every prompt; 200 is what it may take", n)
	}
}

// A page is read in pieces: each says where the next begins, each is JSON, and put together they are the page.
func TestFetch_PiecesPutTogetherAreThePage(t *testing.T) {
	var lines strings.Builder
	for i := range 400 {
		fmt.Fprintf(&lines, "Zeile %d — größer als ihr Maß\n", i)
	}
	for name, content := range map[string]string{
		"lines": lines.String(), "one word": strings.Repeat("ü", 5000), "wide": strings.Repeat("𝔘", 1000), "words": strings.Repeat("wort ", 1500), "short": "x",
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/plain; charset=utf-8", content)},
				func(c *fetch.Config) { c.Share = func() int { return 999 } })
			var got strings.Builder
			length, pieces := utf8.RuneCountInString(content), 0
			for offset := 0; ; pieces++ {
				p := w.page(map[string]any{"url": w.at("/"), "offset": offset})
				if p.Length != length {
					t.Fatalf("length %d, want %d", p.Length, length)
				}
				piece, note, cut := strings.Cut(p.Content, "… ")
				if !cut {
					got.WriteString(p.Content)
					break
				}
				var more string
				next := 0
				if _, err := fmt.Sscanf(note, "%s more characters: call fetch with offset=%d", &more, &next); err != nil {
					t.Fatalf("note %q: %v", note, err)
				}
				if want := utf8.RuneCountInString(content) - next; strings.ReplaceAll(more, ",", "") != fmt.Sprint(want) {
					t.Errorf("the note says %s more, there are %d", more, want)
				}
				if utf8.RuneCountInString(piece) > next-offset { // the note stands on a line of its own
					piece = strings.TrimSuffix(piece, "\n")
				}
				if next <= offset || len(piece) > 999 || len(piece) < 499 {
					t.Fatalf("a piece of %d bytes from %d to %d", len(piece), offset, next)
				}
				got.WriteString(piece)
				offset = next
			}
			if diff := cmp.Diff(content, got.String()); diff != "" {
				t.Errorf("%d pieces (-want +got):\n%s", pieces, diff)
			}
		})
	}
}

func TestFetch_TheCutNamesHowToReadOn(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/plain", strings.Repeat("one line\n", 2000))},
		func(c *fetch.Config) { c.Share = func() int { return 30 } })
	want := "one line\none line\none line\n… 17,973 more characters: call fetch with offset=27"
	if diff := cmp.Diff(want, w.page(map[string]any{"url": w.at("/")}).Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}

// What the task is about stands on a page that is cut, wherever it is on the page.
func TestFetch_WhatTheTaskIsAbout(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/plain", strings.Repeat("one line\n", 200)+"the code is K535\n"+strings.Repeat("one line\n", 200))},
		func(c *fetch.Config) { c.Share = func() int { return 100 } })
	ctx := tools.WithTask(t.Context(), tools.Task{Words: excerpt.For("What is the code?")})
	res, err := tools.Call(ctx, w.tool, fmt.Appendf(nil, `{"url":%q}`, w.at("/")))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("one line\n", 9) + "[further on:]\nthe code is K535\n… 3,536 more characters: call fetch with offset=81"
	if diff := cmp.Diff(want, res.Data.(fetch.Page).Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}

func fetchPacked(t *testing.T, pack func(io.Writer) io.WriteCloser, body string) string {
	t.Helper()
	var out bytes.Buffer
	w := pack(&out)
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func fetchGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func fetchZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func fetchFlate(w io.Writer) io.WriteCloser {
	f, err := flate.NewWriter(w, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	return f
}

func TestFetch_Compression(t *testing.T) {
	body := strings.Repeat("all work and no play ", 500)
	pages := map[string]http.HandlerFunc{}
	for path, c := range map[string]struct{ encoding, body string }{
		"/gzip": {"gzip", fetchPacked(t, fetchGzip, body)}, "/x-gzip": {"X-Gzip", fetchPacked(t, fetchGzip, body)},
		"/zlib": {"deflate", fetchPacked(t, fetchZlib, body)}, "/flate": {"deflate", fetchPacked(t, fetchFlate, body)},
		"/identity": {"identity", body}, "/two-members": {"gzip", fetchPacked(t, fetchGzip, body[:100]) + fetchPacked(t, fetchGzip, body[100:])},
	} {
		pages[path] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", c.encoding)
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, c.body)
		}
	}
	pages["/nothing"] = func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Encoding", "gzip") }
	w := newFetchWorld(t, pages)
	for path := range pages {
		want := body
		if path == "/nothing" {
			want = ""
		}
		if got := w.page(map[string]any{"url": w.at(path)}); !strings.HasPrefix(got.Content, want) || got.Length != len(want) {
			t.Errorf("%s: %d characters, %.40q", path, got.Length, got.Content)
		}
	}
}

func TestFetch_WhatCountsAsText(t *testing.T) {
	const pdf = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	for name, c := range map[string]struct{ contentType, body, want string }{
		"html undeclared":        {"", "<!DOCTYPE html><p>words", "words"},
		"text undeclared":        {"", "words", "words"},
		"text as octets":         {"application/octet-stream", "words", "words"},
		"feed":                   {"application/rss+xml", "<rss>words</rss>", "<rss>words</rss>"},
		"drawing":                {"image/svg+xml", "<svg>words</svg>", "<svg>words</svg>"},
		"script":                 {"application/javascript", "let words", "let words"},
		"yaml":                   {"application/x-yaml", "a: words", "a: words"},
		"begins like a bitmap":   {"text/plain", "BMW words", "BMW words"},
		"header without subtype": {"text", "words", "words"},
		"header of noise":        {"te xt/;;", "words", "words"},
		"picture":                {"image/png", png, "there is no text to read: the address holds image/png"},
		"picture as text":        {"text/plain", png, "there is no text to read: the address holds image/png"},
		"picture undeclared":     {"", png, "there is no text to read: the address holds image/png"},
		"pdf":                    {"application/pdf", pdf, "there is no text to read: the address holds application/pdf"},
		"pdf as page":            {"text/html", pdf, "there is no text to read: the address holds application/pdf"},
		"zip as octets":          {"application/octet-stream", "PK\x03\x04\x14\x00\x00\x00", "there is no text to read: the address holds application/zip"},
		"nul bytes":              {"text/html", "<p>\x00\x01\x02words", "there is no text to read: the address holds application/octet-stream"},
		"video":                  {"video/mp4", "words", "there is no text to read: the address holds video/mp4"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends(c.contentType, c.body)})
			res, err := w.call(map[string]any{"url": w.at("/")})
			got := fmt.Sprint(err)
			if err == nil {
				var p fetch.Page
				if err := json.Unmarshal([]byte(res.Text), &p); err != nil {
					t.Fatal(err)
				}
				got = p.Content
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestFetch_CharacterSets(t *testing.T) {
	const greeting = "\xcf\xf0\xe8\xe2\xe5\xf2" // Привет in windows-1251
	for name, c := range map[string]struct{ contentType, body, want string }{
		"header":                     {"text/plain; charset=windows-1251", greeting, "Привет"},
		"header before meta":         {"text/html; charset=windows-1251", "<meta charset=utf-8><p>" + greeting, "Привет"},
		"meta":                       {"text/html", "<meta charset=windows-1251><p>" + greeting, "Привет"},
		"meta of HTML 4":             {"text/html", `<meta http-equiv=content-type content="text/html; charset=windows-1251"><p>` + greeting, "Привет"},
		"xml":                        {"text/xml", `<?xml version="1.0" encoding="iso-8859-13"?>` + "<a>\xd0</a>", `<?xml version="1.0" encoding="iso-8859-13"?><a>Š</a>`},
		"mark before header":         {"text/plain; charset=windows-1251", "\xef\xbb\xbfПривет", "Привет"},
		"UTF-16 by its mark":         {"text/plain", "\xff\xfeH\x00i\x00", "Hi"},
		"UTF-16 by the header":       {"text/plain; charset=utf-16be", "\x00H\x00i", "Hi"},
		"undeclared UTF-8":           {"text/html", "<p>Привет", "Привет"},
		"undeclared UTF-8, far down": {"text/plain", strings.Repeat("a", 3000) + "ü", strings.Repeat("a", 3000) + "ü"},
		"not what it says":           {"text/plain; charset=utf-8", "a\xffb\xc3", "a\uFFFDb\uFFFD"},
		"a set nobody knows":         {"text/plain; charset=klingon", "Привет", "Привет"},
		"Japanese":                   {"text/plain; charset=shift_jis", "\x93\xfa\x96\x7b", "日本"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends(c.contentType, c.body)})
			if diff := cmp.Diff(c.want, w.page(map[string]any{"url": w.at("/")}).Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

// What the server could know of us beyond the request: nothing is carried from one page to the next.
func TestFetch_CarriesNothingAlong(t *testing.T) {
	w := newFetchWorld(t, map[string]http.HandlerFunc{
		"/start": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "4711", Path: "/"})
			http.Redirect(w, r, "/end", http.StatusSeeOther)
		},
		"/end": fetchSends("text/plain", "end"),
	})
	w.page(map[string]any{"url": w.at("/start?secret=1")})
	w.page(map[string]any{"url": w.at("/end")})
	asked := w.requests()
	if len(asked) != 3 || asked[1] != asked[2] {
		t.Errorf("the redirected request and a fresh one differ:\n%s", strings.Join(asked, "\n"))
	}
}

func TestFetch_TheZeroConfigReachesNothingOfTheHousehold(t *testing.T) {
	w := newFetchWorld(t, nil, func(c *fetch.Config) { c.Dialer = nil })
	for _, at := range []string{"http://127.0.0.1/", "http://[::1]/", "http://192.168.1.1/", "https://10.0.0.1:443/"} {
		if _, e := w.fails(map[string]any{"url": at}); e.Code != event.CodePermissionDenied {
			t.Errorf("%s: %+v", at, e)
		}
	}
}
