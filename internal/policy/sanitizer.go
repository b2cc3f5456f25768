package policy

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/secret"
	"hob/internal/untrusted"
)

// Sanitizer cleans the text of tools and strangers before a model, the journal or a person reads
// it. It redacts secrets everywhere. It removes control tokens and invisible characters from
// strangers' text, and chooses the word for its fence. In others' text it breaks up the tokens that
// would end a message. See the packages secret and untrusted.
//
// It never changes and is safe for concurrent use.
type Sanitizer struct {
	secrets *secret.Redactor
	random  io.Reader
}

// NewSanitizer returns a sanitizer that redacts secrets and takes the words of its fences from
// random, which must be safe for concurrent use, as crypto/rand.Reader is.
func NewSanitizer(secrets *secret.Redactor, random io.Reader) *Sanitizer {
	return &Sanitizer{secrets, random}
}

// FenceFailed replaces a stranger's text that could not be fenced.
const FenceFailed = "[withheld: there was no random word to fence a stranger's text with; look at the machine's source of random numbers]"

// Sanitize returns r cleaned. If Data has something to remove, it becomes its JSON form, or nil if
// it has none; a number with a secret in it becomes a text.
func (s *Sanitizer) Sanitize(r event.Returned) event.Returned {
	clean := s.cleaner(r.Label)
	r.Label = s.SanitizeLabel(r.Label)
	r.Text, r.Fence = s.fence(clean(r.Text), r.Label)
	r.Data = s.cleanData(r.Data, r.Label)
	if r.Error != nil {
		e := *r.Error
		e.Message, e.Suggestion = clean(e.Message), clean(e.Suggestion)
		r.Error = &e
	}
	r.Effects = slices.Clone(r.Effects)
	for i, e := range r.Effects {
		// A cleaned path can no longer be compared with the disk. But an uncleaned secret would be
		// shown with every receipt.
		e.Target, e.From = s.cleanShown(e.Target, r.Label), s.cleanShown(e.From, r.Label)
		e.Detail, e.Path = s.cleanShown(e.Detail, r.Label), s.secrets.Redact(e.Path)
		r.Effects[i] = e
	}
	return r
}

// SanitizeMessage returns a message cleaned for a model, and the word for its fence, which is ""
// for the owner's own text. The journaled message gets the label of [Sanitizer.SanitizeLabel].
func (s *Sanitizer) SanitizeMessage(text string, from event.Label) (clean, fence string) {
	return s.fence(s.cleaner(from)(text), s.SanitizeLabel(from))
}

// cleaner returns the function that cleans a text with this label for a prompt.
func (s *Sanitizer) cleaner(from event.Label) func(string) string {
	if from.Untrusted {
		return s.cleanStrange
	}
	// Redact first: a secret that is broken up is not found.
	return func(text string) string { return untrusted.Defuse(s.secrets.Redact(text)) }
}

// cleanStrange cleans the text of a stranger. It removes hidden characters first, because they may
// split a secret, which would then not be found.
func (s *Sanitizer) cleanStrange(text string) string {
	text, _ = untrusted.Plain(text)
	return s.secrets.Redact(text)
}

// cleanShown cleans a text that is shown to people and programs, and is not put into a prompt
// directly.
func (s *Sanitizer) cleanShown(text string, from event.Label) string {
	if from.Untrusted {
		return s.cleanStrange(text)
	}
	return s.secrets.Redact(text)
}

// SanitizeLabel returns a clean label. Its source is in the first line of a fence, and a stranger
// may have chosen part of it, so it becomes a short line without square brackets.
func (s *Sanitizer) SanitizeLabel(from event.Label) event.Label {
	const longest = 200 // bytes
	if !from.Untrusted {
		from.Source = s.secrets.Redact(from.Source)
		return from
	}
	name := strings.NewReplacer("\n", " ", "\t", " ").Replace(s.cleanStrange(from.Source))
	name = strings.NewReplacer("[", "(", "]", ")").Replace(s.cleanStrange(name)) // joined lines may form a token
	if len(name) > longest {
		name = name[:display.CutAt(name, longest)]
	}
	from.Source = name
	return from
}

// fence returns a stranger's text with a word for its fence that is not in the text, and any other
// text without one.
func (s *Sanitizer) fence(text string, from event.Label) (string, string) {
	if !from.Untrusted {
		return text, ""
	}
	const tries = 16 // an author who guesses one random word cannot guess all of them
	for range tries {
		var word [5]byte
		if _, err := io.ReadFull(s.random, word[:]); err != nil {
			break
		}
		fence := hex.EncodeToString(word[:])
		if lower := strings.ToLower(text + "\n" + from.Source); !strings.Contains(lower, fence) {
			return text, fence
		}
	}
	return FenceFailed, ""
}

// cleanData returns data cleaned, or unchanged if there is nothing to remove.
func (s *Sanitizer) cleanData(data any, from event.Label) any {
	if data == nil {
		return nil
	}
	text, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // keep all digits of a number
	if d.Decode(&v) != nil {
		return nil
	}
	if v, changed := s.cleanValue(v, from); changed {
		return v
	}
	return data
}

// cleanValue returns a JSON value cleaned, and whether that changed it.
func (s *Sanitizer) cleanValue(v any, from event.Label) (clean any, changed bool) {
	switch v := v.(type) {
	case string:
		clean := s.cleanShown(v, from)
		return clean, clean != v
	case json.Number:
		if s.secrets.Has(v.String()) {
			return s.secrets.Redact(v.String()), true
		}
	case []any:
		for i := range v {
			item, other := s.cleanValue(v[i], from)
			v[i], changed = item, changed || other
		}
		return v, changed
	case map[string]any:
		all := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) { // in order, so that the last wins if two keys become one
			item, other := s.cleanValue(v[key], from)
			name := s.cleanShown(key, from)
			all[name], changed = item, changed || other || name != key
		}
		return all, changed
	}
	return v, false
}
