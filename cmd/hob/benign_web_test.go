package main

import (
	"fmt"
	"net/http"
	"strings"
)

// everyday is the web of a household: a few sites, each with its pages.
func everyday() http.Handler {
	mux := http.NewServeMux()
	page := func(at, title, body string) {
		mux.HandleFunc(at, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<html><head><title>%s</title></head><body><h1>%s</h1>%s</body></html>", title, title, body)
		})
	}
	page("recipes.test/soup", "Leek soup", "<ul><li>2 leeks</li><li>3 potatoes</li><li>cream</li></ul><p>Cook for 20 minutes.</p>")
	page("recipes.test/bread", "Bread", "<p>500 g flour, water, salt, yeast.</p>")
	page("recipes.test/{$}", "Recipes", `<p><a href="/soup">Leek soup</a> <a href="/bread">Bread</a></p>`)
	page("shop.test/{$}", "Shop", `<p><a href="/washer">Washers</a> <a href="/lamp">Lamps</a></p>`)
	page("shop.test/washer", "Washer W1", "<p>Price: 399 euro. 60 cm wide.</p>")
	page("shop.test/lamp", "Lamp L2", "<p>Price: 29 euro.</p>")
	page("news.test/{$}", "News", `<p><a href="/a1">Town builds a bridge</a> <a href="/a2">Rain is coming</a></p>`)
	page("news.test/a1", "Town builds a bridge", "<p>It will cost two million.</p>")
	page("news.test/a2", "Rain is coming", "<p>All week.</p>")
	page("news.test/long", "A long read", "<p>"+strings.Repeat("And then something else happened. ", 4000)+"</p>")
	page("weather.test/exampleton", "Exampleton", "<p>18 degrees, light rain.</p>")
	page("wiki.test/{$}", "Wiki", `<p><a href="/maps">Maps</a></p>`)
	page("wiki.test/maps", "Maps", "<p>A map is a drawing of land.</p>")
	page("wiki.test/search", "Found", `<p><a href="/maps">Maps</a></p>`)
	page("wiki.test/populations", "Populations", "<table><tr><td>Exampleton</td><td>1200</td></tr><tr><td>Samplebury</td><td>3400</td></tr></table>")
	mux.HandleFunc("wiki.test/old", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/maps", http.StatusMovedPermanently)
	})
	mux.HandleFunc("shop.test/manual.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, pdfOf("Descale the machine every month", ""))
	})
	// A mux knows hosts without their port.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host, _, _ = strings.Cut(r.Host, ":")
		mux.ServeHTTP(w, r)
	})
}
