package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"hob/internal/atomicfile"
	"hob/internal/llm"
	"hob/internal/tomlfile"
)

// Save writes the entry for exactly this model into the file at path, and replaces an existing one.
// It creates the file and its folder if necessary. The date and the card's lines are comments in
// the entry. Everything else in the file stays the same to the byte. The new file (0600) replaces
// the old one in one step: a reader, even after a crash, sees the one or the other. Concurrent
// calls, also of other processes, take turns.
//
// A file that does not parse is an error and stays as it is. So does a file from which p would not
// be read back.
func Save(path string, p llm.Profile, model string, date time.Time, card []string) error {
	p.Name = cmp.Or(p.Name, model)
	p.Mode = cmp.Or(p.Mode, llm.NativeMode)
	p.Layout = llm.Layout{} // it comes from the template, not from a file
	if err := save(path, p, model, date, card); err != nil {
		return fmt.Errorf("save profile of %s: %w", model, err)
	}
	return nil
}

func save(path string, p llm.Profile, model string, date time.Time, card []string) error {
	if model == "" || strings.ContainsFunc(model, func(r rune) bool { return !isNameRune(r) }) {
		return errors.New("that is no name of a model")
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // replace the file, not the link to it
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	unlock, err := atomicfile.LockFolder(dir)
	if err != nil {
		return err
	}
	defer unlock()
	src, err := tomlfile.Read(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	edited, err := withEntry(path, src, p, model, text(p, model, date, card))
	if err != nil {
		return err
	}
	return atomicfile.ReplaceText(path, 0o600, edited)
}

// withEntry returns src with the model's entry replaced by text. It verifies the result: if the new
// text does not yield the other entries unchanged, and p as given, it returns an error.
func withEntry(path, src string, p llm.Profile, model, entryText string) (string, error) {
	before, err := parse(path, src)
	if err != nil {
		return "", fmt.Errorf("%w; mend it first", err)
	}
	l := tomlfile.Scan(src)
	var kept []entry
	for i := len(before) - 1; i >= 0; i-- { // from the end, so that earlier positions stay valid
		if !before[i].isOf(model) {
			kept = append(kept, before[i])
			continue
		}
		start, end := l.Block("profile", strconv.Itoa(i))
		src = src[:start] + strings.TrimPrefix(src[end:], "\n")
	}
	slices.Reverse(kept)
	if src = strings.TrimRight(src, "\n"); src != "" {
		src += "\n\n"
	}
	src += entryText
	after, err := parse(path, src)
	if err != nil && len(src) <= maxFile {
		return "", fmt.Errorf("%s has no room for a [[profile]], or this profile cannot be written: %w", path, err)
	}
	if len(src) > maxFile {
		return "", fmt.Errorf("%s would be longer than %d bytes; take entries out that you do not need", path, maxFile)
	}
	last := len(after) - 1
	if last != len(kept) || len(kept) > 0 && !reflect.DeepEqual(after[:last], kept) || !same(after[last].profile, p) || !after[last].isOf(model) {
		return "", fmt.Errorf("%s is written in a way that cannot be edited safely; take the entry of %s out of it yourself", path, model)
	}
	return src, nil
}

// isOf reports whether e is for exactly this model and nothing else.
func (e entry) isOf(model string) bool {
	return len(e.families)+len(e.parsers) == 0 && slices.Equal(e.names, []string{llm.FullName(model)})
}

// same compares profiles by meaning: nil and empty quirks are the same.
func same(a, b llm.Profile) bool {
	if len(a.Quirks)+len(b.Quirks) == 0 {
		a.Quirks, b.Quirks = nil, nil
	}
	return reflect.DeepEqual(a, b)
}

// text returns an entry as text for a file. It sets every key that would otherwise depend on the
// model's size.
func text(p llm.Profile, model string, date time.Time, card []string) string {
	var b strings.Builder
	b.WriteString("[[profile]]\n")
	comment(&b, "Written by a trial of "+model+" on "+date.Format(time.DateOnly)+"; the next trial replaces this entry.")
	for _, l := range card {
		comment(&b, l)
	}
	put := func(key, value string) { fmt.Fprintf(&b, "%s = %s\n", key, value) }
	put("name", tomlfile.Quote(p.Name))
	put("match.names", tomlfile.QuoteList([]string{model}))
	put("mode", tomlfile.Quote(string(p.Mode)))
	if p.Think != "" {
		put("think", tomlfile.Quote(string(p.Think)))
	}
	if p.Keep != "" {
		put("keep_thinking", tomlfile.Quote(string(p.Keep)))
	}
	putSampling(put, "", p.Temperature, p.Sampling)
	putSampling(put, "thinking.", p.ThinkingTemperature, p.ThinkingSampling)
	put("num_ctx", strconv.Itoa(p.NumCtx))
	put("max_tools", strconv.Itoa(p.MaxTools))
	put("one_call", strconv.FormatBool(p.OneCall))
	if p.Example != "" {
		put("example", tomlfile.Quote(p.Example))
	}
	put("quirks", tomlfile.QuoteList(p.Quirks))
	return b.String()
}

// putSampling writes the set sampling values, with the prefix before each key.
func putSampling(put func(key, value string), prefix string, temperature llm.Setting, s llm.Sampling) {
	if temperature.IsSet {
		put(prefix+"temperature", tomlfile.Float(temperature.Value))
	}
	s.Each(func(name string, value float64) {
		text := tomlfile.Float(value)
		if name == "top_k" {
			text = strconv.Itoa(int(value))
		}
		put(prefix+name, text)
	})
}

// comment writes a line of comment. It cleans the text, of which a model may have written a part.
func comment(b *strings.Builder, s string) {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	b.WriteString(strings.TrimRight("# "+s, " ") + "\n")
}
