package web

import (
	"embed"
	"net/http"
	"strconv"
	"strings"

	"hob/internal/phrases"
)

//go:embed words
var wordFiles embed.FS

// words are the words of the page in one language.
type words struct {
	Lang string
	phrases.Words
}

// wordsFor returns the words in the language that a browser likes best.
func wordsFor(r *http.Request) words {
	best, most := phrases.Languages()[0], 0.0
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, quality, weighed := strings.Cut(strings.TrimSpace(part), ";q=")
		q := 1.0
		if weighed {
			var err error
			if q, err = strconv.ParseFloat(quality, 64); err != nil {
				continue
			}
		}
		if lang := phrases.Language(tag); lang != "" && q > most {
			best, most = lang, q
		}
	}
	return words{best, phrases.In(wordFiles, best)}
}
