package web

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// wordsFile has a line for each key: the key, and its words in each language, parted by tabs.
//
//go:embed views/words.tsv
var wordsFile string

var errPart = errors.New("there is no such part of the page")

// languages are those of the words, in the order of their columns.
func languages() []string { return []string{"en", "de", "ru", "zh"} }

// words are the words of the page in one language.
type words struct {
	Lang  string
	texts map[string]string
}

// T returns the words of a key.
func (w words) T(key string) string {
	if text, ok := w.texts[key]; ok {
		return text
	}
	return key
}

// readWords reads the table of words.
func readWords() (map[string]words, error) {
	all := map[string]words{}
	for _, lang := range languages() {
		all[lang] = words{lang, map[string]string{}}
	}
	r := csv.NewReader(strings.NewReader(wordsFile))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, len(languages())+1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the words of the page: %w", err)
	}
	for _, row := range rows {
		for i, lang := range languages() {
			all[lang].texts[row[0]] = row[i+1]
		}
	}
	return all, nil
}

// wordsFor returns the words in the language that a browser likes best.
func (a *assets) wordsFor(r *http.Request) words {
	best, most := "en", 0.0
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, quality, weighed := strings.Cut(strings.TrimSpace(part), ";q=")
		q := 1.0
		if weighed {
			if _, err := fmt.Sscanf(quality, "%f", &q); err != nil {
				continue
			}
		}
		lang, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if _, known := a.langs[lang]; known && q > most {
			best, most = lang, q
		}
	}
	return a.langs[best]
}
