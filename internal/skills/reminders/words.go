package reminders

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/phrases"
	"hob/internal/when"
)

//go:embed words
var files embed.FS

// wordsOf returns what hob says about reminders in a language.
func wordsOf(lang string) phrases.Words { return phrases.In(files, lang) }

// Delivery is how far the message of a reminder has come.
type Delivery string

// The deliveries. Where nobody knows it is "".
const (
	Delivered    Delivery = "delivered"
	NotDelivered Delivery = "not yet"
	Refused      Delivery = "refused" // by Telegram
	Waits        Delivery = "waits"   // for a prompt to be opened
)

// fate says when a reminder was sent, and how far its message came. One that nobody has got was not sent: it was due.
func fate(lang string, at time.Time, d Delivery) string {
	w := wordsOf(lang)
	key := "delivery.sent"
	if d != "" && d != Delivered {
		key = "delivery.due"
	}
	text := w.Text(key, when.Describe(when.Reading{Start: at.Truncate(time.Minute)}, lang, at))
	if d != "" {
		text += ", " + w.Text("delivery."+string(d))
	}
	return text
}

// The words of people in all languages: that something is done, that it is not to be, and who it is for, where that is they.
var (
	doneWords   = sync.OnceValue(func() []string { return inputWords("done") })
	meWords     = sync.OnceValue(func() []string { return inputWords("me") })
	cancelWords = sync.OnceValue(func() []string { return inputWords("cancel") })
	smallWords  = sync.OnceValue(func() []string { return inputWords("small") }) // which do not say which appointment is meant
)

func inputWords(what string) (all []string) {
	for _, lang := range phrases.Languages() {
		all = slices.Concat(all, strings.Split(wordsOf(lang).Text("input."+what), " | "))
	}
	return all
}
