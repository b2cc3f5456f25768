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

// Sanitizer goes over what tools and strangers say before a model, the journal or a person reads it. Secrets are redacted in all
// of it. What strangers wrote has no control tokens and no invisible characters afterwards, and gets the word for its fence;
// in what others wrote, the tokens that would end a message are broken up. See the packages secret and untrusted.
//
// It does not change and may be used by many at once.
type Sanitizer struct {
	secrets *secret.Redactor
	random  io.Reader
}

// NewSanitizer returns a sanitizer that keeps secrets, and takes the words of its fences from random, which many may read at once, as
// they may crypto/rand.Reader.
func NewSanitizer(secrets *secret.Redactor, random io.Reader) *Sanitizer {
	return &Sanitizer{secrets, random}
}

// FenceFailed is what stands in the place of a stranger's text that could not be fenced.
const FenceFailed = "[withheld: there was no random word to fence a stranger's text with; look at the machine's source of random numbers]"

// Sanitize returns r as it may be read. Data becomes what it is in JSON where there was something to take out, and nothing where
// it cannot be JSON; a number with a secret in it becomes a text.
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
		// A path that has a secret in it cannot be held against the disk afterwards. It would be told with every receipt.
		e.Target, e.From = s.cleanShown(e.Target, r.Label), s.cleanShown(e.From, r.Label)
		e.Detail, e.Path = s.cleanShown(e.Detail, r.Label), s.secrets.Redact(e.Path)
		r.Effects[i] = e
	}
	return r
}

// SanitizeMessage returns the words of a message as a model may be told them, and the word for its fence, which is "" where they are
// the owner's own. What is journaled has the label that [Sanitizer.SanitizeLabel] makes of from.
func (s *Sanitizer) SanitizeMessage(text string, from event.Label) (clean, fence string) {
	return s.fence(s.cleaner(from)(text), s.SanitizeLabel(from))
}

// cleaner returns what makes a text with this label fit for a prompt.
func (s *Sanitizer) cleaner(from event.Label) func(string) string {
	if from.Untrusted {
		return s.cleanStrange
	}
	// A value is looked for as it is; broken up it would not be found.
	return func(text string) string { return untrusted.Defuse(s.secrets.Redact(text)) }
}

// cleanStrange returns the text of a stranger without what nobody should read. What was hidden within a secret goes first: the
// secret would not be found around it.
func (s *Sanitizer) cleanStrange(text string) string {
	text, _ = untrusted.Plain(text)
	return s.secrets.Redact(text)
}

// cleanShown returns a text that is shown to people and programs, and not put in a prompt as it is.
func (s *Sanitizer) cleanShown(text string, from event.Label) string {
	if from.Untrusted {
		return s.cleanStrange(text)
	}
	return s.secrets.Redact(text)
}

// SanitizeLabel returns a label as it may be read. Its source stands in the first line of a fence, and strangers may have chosen a
// part of it: there it is one line without square brackets, and not a long one.
func (s *Sanitizer) SanitizeLabel(from event.Label) event.Label {
	const longest = 200 // bytes
	if !from.Untrusted {
		from.Source = s.secrets.Redact(from.Source)
		return from
	}
	name := strings.NewReplacer("\n", " ", "\t", " ").Replace(s.cleanStrange(from.Source))
	name = strings.NewReplacer("[", "(", "]", ")").Replace(s.cleanStrange(name)) // one line may make a token that two did not
	if len(name) > longest {
		name = name[:display.CutAt(name, longest)]
	}
	from.Source = name
	return from
}

// fence returns the text of a stranger and a word for its fence that is not in it, and other text without one.
func (s *Sanitizer) fence(text string, from event.Label) (string, string) {
	if !from.Untrusted {
		return text, ""
	}
	const tries = 16 // who could write a word that is drawn once could not write all of them
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

// cleanData returns data as it may be read: as it was, where nothing has to be taken out.
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
	d.UseNumber() // a number is not to lose digits
	if d.Decode(&v) != nil {
		return nil
	}
	if v, changed := s.cleanValue(v, from); changed {
		return v
	}
	return data
}

// cleanValue returns a value of JSON as it may be read, and whether something was taken out.
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
		for _, key := range slices.Sorted(maps.Keys(v)) { // in order: where two keys become one, the last stays
			item, other := s.cleanValue(v[key], from)
			name := s.cleanShown(key, from)
			all[name], changed = item, changed || other || name != key
		}
		return all, changed
	}
	return v, false
}
