package fetch_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// What is decided about is what is asked for: the address as the call itself reads it.
func TestFetch_AimsOf(t *testing.T) {
	tool := fetch.New(fetch.Config{}).Tools()[0]
	for _, c := range []struct{ url, host, at string }{
		{"https://example.org/a?b=c#d", "example.org", "https://example.org/a?b=c#d"},
		{" https://Example.ORG/A b\n", "example.org", "https://Example.ORG/A%20b"},
		{"HTTPS://example.org", "example.org", "https://example.org"},
		{"https://example.org:443/", "example.org", "https://example.org:443/"},
		{"http://example.org:80/", "example.org", "http://example.org:80/"},
		{"http://example.org:443/", "example.org:443", "http://example.org:443/"},
		{"https://example.org:8443/", "example.org:8443", "https://example.org:8443/"}, // out of reach, and known all the same
		{"https://example.org./", "example.org", "https://example.org./"},
		{"http://[2001:DB8::1]/", "[2001:db8::1]", "http://[2001:DB8::1]/"},
		{"http://[2001:db8::1]:8080/", "[2001:db8::1]:8080", "http://[2001:db8::1]:8080/"},
		{"https://\u0430pple.com/", "xn--pple-43d.com", "https://%D0%B0pple.com/"}, // a Cyrillic а
	} {
		args, err := json.Marshal(map[string]string{"url": c.url})
		if err != nil {
			t.Fatal(err)
		}
		aims, known := tools.ResourcesOf(tool, args)
		if diff := cmp.Diff([]tools.Resource{{Host: c.host, URL: c.at}}, aims); diff != "" || !known {
			t.Errorf("%s: %v (-want +got):\n%s", c.url, known, diff)
		}
	}
	for _, bad := range []string{`""`, `"example.org"`, `"ftp://example.org/"`, `"http://a\u0001b/"`, `"https://me:secret@example.org/"`, `"http://%zz/"`, `5`} {
		if aims, known := tools.ResourcesOf(tool, json.RawMessage(`{"url":`+bad+`}`)); len(aims) > 0 || !known {
			t.Errorf("%s aims at %v, %v", bad, aims, known)
		}
	}
}

// To say what a call is about asks nobody and notes nothing.
func TestFetch_AimsOfTouchesNothing(t *testing.T) {
	w := newFetchWorld(t, nil)
	for _, url := range []string{w.at("/"), "https://example.org:22/", "http://innocent.example/"} {
		if aims, _ := tools.ResourcesOf(w.tool, json.RawMessage(`{"url":"`+url+`"}`)); len(aims) != 1 || aims[0].URL != url {
			t.Errorf("%s: %v", url, aims)
		}
	}
	if asked := w.requests(); len(asked) > 0 {
		t.Errorf("the server was asked:\n%s", asked)
	}
}

func TestHasLink(t *testing.T) {
	const x, wiki = "https://a.org/x", "https://a.org/X_(y)"
	for _, text := range []string{
		x, " " + x + " ", "see " + x + ".", "see " + x + ", and", "(" + x + ")", "(see " + x + ").", "words <" + x + ">", "[words](" + x + ")",
		"[words](" + x + ").", `[words](` + x + ` "title")`, "[words](" + x + ")more", `<a href="` + x + `">`, "<a href='" + x + "'>", "`" + x + "`", "{" + x + "}",
		x + "y " + x, "<" + x + "y> <" + x + ">", "\n" + x + "\n", "is it " + x + "?", "<b>" + x + "</b>", "\u00a0" + x + "\u00a0", "it's '" + x + "'",
	} {
		if !fetch.HasLink(text, x) {
			t.Errorf("%q has %s", text, x)
		}
	}
	for _, text := range []string{
		"", "https://a.org/", x + "y", x + "?d=1", x + "/", x + "#d", x + ".html", x + "%20", x + "&d", x + "=", x + "(y)", x + ")y", x + "-", x + "~", x + "*", x + ",d",
		x + "\u00e9", x + "{d}", x + "|d", x + "\\d", x + "'d", x + ";d=1",
		"<" + x + " d>", "<" + x + "\"d>", `"` + x + ` d"`, "`" + x + "'`", // a link of blanks, to its end
		"http" + x, "b" + x, "https://b.org/?to=" + x, "/" + x, "=" + x, "\u00e9" + x, "HTTPS://a.org/x", "https://A.org/x", "https:\\/\\/a.org\\/x",
	} {
		if fetch.HasLink(text, x) {
			t.Errorf("%q does not have %s", text, x)
		}
	}
	for text, want := range map[string]bool{
		wiki: true, "(" + wiki + ")": true, "[words](" + wiki + ")": true, wiki + ")": true, "see " + wiki + ".": true, wiki + "z": false, wiki + "_(z)": false,
	} {
		if got := fetch.HasLink(text, wiki); got != want {
			t.Errorf("%q has %s: %v", text, wiki, got)
		}
		for _, prefix := range []string{"https://a.org/X_(y", "https://a.org/X_(", "https://a.org/X_"} {
			if fetch.HasLink(text, prefix) {
				t.Errorf("%q does not have %s", text, prefix)
			}
		}
	}
	for _, none := range []string{"", "x", "ftp://a.org/x", "https://a.org/x y", "https://a.org/<x>", "https://a.org/\u00e9", "//a.org/x", "a.org"} {
		if fetch.HasLink(none, none) {
			t.Errorf("%q is no link", none)
		}
	}
}

// Whatever an address is made of and wherever it stands, a part of it is not there.
func TestHasLink_NoPartOfALink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rest := rapid.StringMatching(`[a-zA-Z0-9\-_~/?#@!$&'()*+,;=%.]{1,20}[a-zA-Z0-9/=_]`).Draw(t, "rest")
		frame := rapid.SampledFrom([]string{"%s", "<%s>", `"%s"`, " %s ", "words <%s>."}).Draw(t, "frame")
		link := "https://a.org/" + rest
		text := strings.ReplaceAll(frame, "%s", link)
		if !fetch.HasLink(text, link) {
			t.Fatalf("%q has %s", text, link)
		}
		cut := rapid.IntRange(len("https://a.org"), len(link)-1).Draw(t, "cut")
		if fetch.HasLink(text, link[:cut]) {
			t.Fatalf("%q does not have %s", text, link[:cut])
		}
	})
}

// seen is what a journal gives back of a result.
func seen(t *testing.T, r event.Returned) event.Returned {
	t.Helper()
	raw, err := event.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	b, err := event.Unmarshal("returned", raw)
	if err != nil {
		t.Fatal(err)
	}
	return b.(event.Returned)
}

func TestLinksTo(t *testing.T) {
	page := fetch.Page{URL: "https://a.org/here", Content: "words <https://a.org/x?d=1&e=2>, \u201cquoted\u201d https://b.org/y.\n"}
	text, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	escaped := strings.ReplaceAll(string(text), "/", `\/`)
	asked := fetch.AskedPage{
		URL: "https://a.org/here", Answer: json.RawMessage(`{"next":"https://a.org/next","words":"https://evil.org/?secret"}`), Links: []string{"https://a.org/next"},
	}
	fetched := event.Returned{Tool: "fetch", OK: true, Data: page}
	for name, c := range map[string]struct {
		r    event.Returned
		want string // those of all that it links to
	}{
		"fetch":                        {fetched, "https://a.org/here https://a.org/x?d=1&e=2 https://b.org/y"},
		"fetch, from the journal":      {seen(t, fetched), "https://a.org/here https://a.org/x?d=1&e=2 https://b.org/y"},
		"fetch, its data left out":     {event.Returned{Tool: "fetch", OK: true, Text: escaped}, "https://a.org/here https://a.org/x?d=1&e=2 https://b.org/y"},
		"fetch that failed":            {event.Returned{Tool: "fetch", Data: page, Text: string(text)}, ""},
		"fetch without a page":         {event.Returned{Tool: "fetch", OK: true, Text: "https://b.org/y"}, ""},
		"ask_page":                     {event.Returned{Tool: "ask_page", OK: true, Data: asked}, "https://a.org/here https://a.org/next"},
		"ask_page, from the journal":   {seen(t, event.Returned{Tool: "ask_page", OK: true, Data: asked}), "https://a.org/here https://a.org/next"},
		"ask_page, its data left out":  {event.Returned{Tool: "ask_page", OK: true, Text: string(asked.Answer)}, ""},
		"a file that looks like pages": {event.Returned{Tool: "read_file", OK: true, Data: page, Text: string(text)}, ""},
	} {
		var got []string
		for _, url := range []string{
			"https://a.org/here", "https://a.org/x?d=1&e=2", "https://b.org/y", "https://a.org/next", "https://evil.org/?secret",
			"", "https://a.org/x", "https://a.org/x?d=1", "https://b.org/", "https://a.org/her",
		} {
			if fetch.LinksTo(c.r, url) {
				got = append(got, url)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// An address that was read with fetch can be asked for as it stood there: the same parser has written both.
func TestLinksTo_WhatAPageHas(t *testing.T) {
	hrefs := `<p>` + strings.Repeat("word ", 50) + `<a href="/a b?q=x y">one</a> <a href="?q=%C3%A9">two</a> <a href="HTTP://Other.LAN/x#y">three</a> <a href="//b.org:8443">four</a>`
	w := newFetchWorld(t, map[string]http.HandlerFunc{"/": fetchSends("text/html", hrefs)})
	res, err := w.call(map[string]any{"url": w.at("/")})
	if err != nil {
		t.Fatal(err)
	}
	r := event.Returned{Tool: "fetch", OK: true, Text: res.Text, Data: res.Data}
	for raw, want := range map[string]bool{
		w.at("/") + "?q=%C3%A9": true, "http://Other.LAN/x#y": true, "http://b.org:8443": true,
		w.at("/a%20b?q=x"): false, "http://Other.LAN/x": false, "http://other.lan/x#y": false,
	} {
		args, err := json.Marshal(map[string]string{"url": raw})
		if err != nil {
			t.Fatal(err)
		}
		aims, _ := tools.ResourcesOf(w.tool, args)
		if got := fetch.LinksTo(r, aims[0].URL); got != want {
			t.Errorf("%s: %v", aims[0].URL, got)
		}
	}
}

func TestLinksTo_FoundPages(t *testing.T) {
	r := event.Returned{Tool: "web_search", OK: true, Text: "https://b.example/", Data: fetch.FoundPages{Links: []string{"https://a.example/x"}}}
	if !fetch.LinksTo(r, "https://a.example/x") || fetch.LinksTo(r, "https://a.example/") || fetch.LinksTo(r, "https://b.example/") {
		t.Error("what was found is not what may be followed")
	}
	r.Data = map[string]any{"links": []any{"https://a.example/x"}}
	if !fetch.LinksTo(r, "https://a.example/x") {
		t.Error("what a journal has kept is not known")
	}
	r.OK = false
	if fetch.LinksTo(r, "https://a.example/x") {
		t.Error("a search that failed has links")
	}
	r.OK, r.Tool = true, "read_file"
	if fetch.LinksTo(r, "https://a.example/x") {
		t.Error("a file has links")
	}
	aim, ok := fetch.ResourceOf("https://Example.org:443/a b")
	if want := (tools.Resource{Host: "example.org", URL: "https://Example.org:443/a%20b"}); !ok || aim != want {
		t.Errorf("%+v, %v", aim, ok)
	}
	if _, ok := fetch.ResourceOf("ftp://example.org"); ok {
		t.Error("fetch reads ftp")
	}
}
