package fetch_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
	"hob/internal/race"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

var acceptFetched = flag.Bool("fetch.update", false, "accept what fetch makes of testdata")

// Each page of testdata, served without a declared character set, and what a model is given of it.
func TestFetch_Pages(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) < 4 {
		t.Fatalf("pages %v, %v", pages, err)
	}
	for _, path := range pages {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w := newFetchWorld(t, map[string]http.HandlerFunc{"/bread/page": fetchSends("text/html", string(source))})
		for format, ending := range map[string]string{"text": ".txt", "markdown": ".md"} {
			t.Run(filepath.Base(path)+" as "+format, func(t *testing.T) {
				got := w.page(map[string]any{"url": w.at("/bread/page"), "format": format}).Content
				got = strings.ReplaceAll(got, w.port, "PORT") + "\n"
				golden := strings.TrimSuffix(path, ".html") + ending
				if *acceptFetched {
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("content (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// Pages that are small on the wire and huge in a parser, and pages on which parsers take quadratic time. Every one is
// read in the end; the test's own time limit is what a regression runs into.
func TestFetch_PagesMadeToHurt(t *testing.T) {
	race.Skip(t, "one goroutine reads a lot")
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var fonts strings.Builder
	for i := range 480 {
		fmt.Fprintf(&fonts, "<font a=%d>", i)
	}
	for name, source := range map[string]string{
		"nested without end":         fill("<div>"),
		"misnested formatting":       "<div>" + fonts.String() + "</div>" + fill("<p>x"),
		"nothing but elements":       fill("<p>"),
		"unclosed lists":             fill("<ul><li>"),
		"links on a long base":       "<base href='http://e.example/" + strings.Repeat("A", 2000) + "/'>" + strings.Repeat("<a href=x>y</a>", 50_000),
		"links on a huge base":       "<base href='http://e.example/" + strings.Repeat("A", 1<<20) + "/'>" + strings.Repeat("<a href=x>y</a>", 60_000),
		"cells that span everything": "<table>" + fill("<td colspan=1000 rowspan=60000>x"),
		"one wide cell":              "<table><tr><td>" + strings.Repeat("w", 1<<19) + fill("<tr><td>a<td>b"),
		"quotes in quotes":           strings.Repeat("<blockquote>", 400) + strings.Repeat("x<br>", 100_000),
		"brackets":                   fill("["),
		"attributes":                 "<div " + fill("a ") + ">",
		"one comment":                "<!--" + fill("-"),
		"bytes that are no UTF-8":    fill("\xff<p>"),
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/html; charset=utf-8", source)})
			for _, format := range []string{"text", "markdown"} {
				p := w.page(map[string]any{"url": w.at("/"), "format": format})
				if p.Length > 3*size || !utf8.ValidString(p.Content) || p.Content == "" {
					t.Errorf("%s: %d characters of %d, beginning %.40q", format, p.Length, len(source), p.Content)
				}
			}
		})
	}
}

// What only a machine would read must not reach the model as if a person had seen it.
func TestFetch_HiddenWordsStayHidden(t *testing.T) {
	for name, source := range map[string]string{
		"comment":         "<!-- SECRET -->",
		"script":          "<script>SECRET</script>",
		"style":           "<style>SECRET</style>",
		"noscript":        "<noscript>SECRET</noscript>",
		"template":        "<template>SECRET</template>",
		"hidden":          "<p hidden>SECRET</p>",
		"aria-hidden":     `<p aria-hidden="true">SECRET</p>`,
		"display none":    `<p style="color: red; DISPLAY : none">SECRET</p>`,
		"invisible":       `<p style="visibility:hidden">SECRET</p>`,
		"no size":         `<p style="font-size: 0px">SECRET</p>`,
		"no ink":          `<p style="opacity:0.0;">SECRET</p>`,
		"form":            `<input value="SECRET"><textarea>SECRET</textarea><select><option>SECRET</select>`,
		"closed dialog":   "<dialog>SECRET</dialog>",
		"frame":           `<iframe srcdoc="SECRET">SECRET</iframe>`,
		"drawing":         "<svg><title>SECRET</title><text>SECRET</text></svg>",
		"link's title":    `<a href="/x" title="SECRET">x</a>`,
		"script link":     `<a href="javascript:SECRET">x</a>`,
		"data link":       `<a href="data:text/html,SECRET">x</a>`,
		"meta":            `<meta name="description" content="SECRET">`,
		"tag characters":  "<p>\U000E0053\U000E0045\U000E0043\U000E0052\U000E0045\U000E0054</p>",
		"in an open head": "<head><title>t</title><script>SECRET",
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/html; charset=utf-8", "<p>before</p>"+source+"<p>after</p>")})
			for _, format := range []string{"text", "markdown"} {
				got := w.page(map[string]any{"url": w.at("/"), "format": format}).Content
				shown := strings.Contains(got, "SECRET") || strings.ContainsFunc(got, func(r rune) bool { return r >= 0xE0000 })
				if shown || !strings.Contains(got, "before") {
					t.Errorf("%s: %q", format, got)
				}
			}
		})
	}
}

// And what a person does see must not get lost with it.
func TestFetch_ShownWordsStayShown(t *testing.T) {
	for name, source := range map[string]string{
		"half seen":       `<p style="opacity: 0.5">SHOWN</p>`,
		"small":           `<p style="font-size:0.8em">SHOWN</p>`,
		"block":           `<p style="display:block">SHOWN</p>`,
		"hidden body":     `<body style="opacity:0">SHOWN`,
		"open dialog":     "<dialog open>SHOWN</dialog>",
		"details":         "<details><summary>more</summary>SHOWN</details>",
		"picture":         `<img alt="SHOWN">`,
		"unknown element": "<x-page>SHOWN</x-page>",
	} {
		t.Run(name, func(t *testing.T) {
			w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/html; charset=utf-8", source)})
			for _, format := range []string{"text", "markdown"} {
				if got := w.page(map[string]any{"url": w.at("/"), "format": format}).Content; !strings.Contains(got, "SHOWN") {
					t.Errorf("%s: %q", format, got)
				}
			}
		})
	}
}

// BenchmarkFetch2MB is a page of 2 MB, from the request to the text.
func BenchmarkFetch2MB(b *testing.B) {
	paragraph := `<div class="row"><h2>On the keeping of bees</h2><p>A hive in spring is <em>loud</em>, and <a href="/bees?id=7">its keeper</a> quiet, ` +
		`for what is said near it is heard in it; so the old people tell, and they have it from the older ones.</p><ul><li>one</li><li>two</li></ul></div>` + "\n"
	source := "<!DOCTYPE html><title>Bees</title><body><nav><a href=/>Home</a></nav><article>" + strings.Repeat(paragraph, (2<<20)/len(paragraph)) + "</article>"
	for _, format := range []string{"text", "markdown"} {
		b.Run(format, func(b *testing.B) {
			at, tool := fetchBenchServer(b, source)
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tool.Execute(b.Context(), map[string]any{"url": at, "format": format}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func fetchBenchServer(b *testing.B, page string) (at string, tool tools.Tool) {
	b.Helper()
	srv := httptest.NewServer(fetchSends("text/html; charset=utf-8", page))
	b.Cleanup(srv.Close)
	dialer, err := egress.New(egress.Config{Allow: []string{strings.TrimPrefix(srv.URL, "http://")}})
	if err != nil {
		b.Fatal(err)
	}
	return srv.URL, fetch.New(fetch.Config{Dialer: dialer}).Tools()[0]
}
