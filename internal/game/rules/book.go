// Package rules changes a world: it has the tools, and the one executor that checks, runs and
// reverts their calls.
//
// A [Tool] is a typed request with a name. The executor checks a call in this order: whether the
// tool is allowed, who acts, whether that actor is in a state to act, whether the arguments fit, and
// in a bound story whether the tool's [Gate] lets it pass.
// Then the tool runs. A tool changes the world only through its [Step]. A call that fails leaves
// nothing behind: the executor reverts its changes.
//
// Each family of tools is a package below this one. A [Book] is made of families.
package rules

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"hob/internal/phrases"
)

//go:embed words
var words embed.FS // of the executor itself

// Class says who uses a tool, and so what is checked before it runs.
type Class string

// The classes.
const (
	Narrating Class = ""        // the narrator uses it: allowlist and lifecycle are checked
	Acting    Class = "acting"  // an actor uses it: also who acts, and in which state
	Reading   Class = "reading" // it changes nothing
)

// Type is the type of an argument.
type Type string

// The types of arguments.
const (
	ID     Type = ""         // a string that is not blank; spaces around it are dropped
	Text   Type = "text"     // a string that is not blank
	Any0   Type = "any text" // a string, which may be empty
	Int    Type = "int"      // a JSON integer
	Flag   Type = "flag"     // true or false
	List   Type = "list"     // a list of strings
	Object Type = "object"   // an object
	JSON   Type = "json"     // anything but null; the tool reads it
)

// Param is an argument of a tool.
type Param struct {
	Name string // snake_case; camelCase is understood, too
	Type Type
	Need bool
	Null bool     // null is a value: where the argument is needed, null counts as given
	Doc  string   // for models
	Enum []string // of a string: the values that it may have
	Min  int64    // of an Int, where Max is not 0
	Max  int64
}

// Tool is one way to change the world or to look at it.
type Tool struct {
	Name   string
	Doc    string // for models: what it does, when to use it
	Class  Class
	Params []Param
	// Missing is the key of the text for a needed argument that is missing or blank: {0} is its
	// name. "" is arg_missing.
	Missing string
	// Dying reports whether an actor who is dying may use it with these arguments. Nil: never.
	Dying func(actor string, a Args) bool `json:"-"`
	// Unled is set for an Acting tool that needs no actor: in a world where nobody is active the
	// narrator uses it.
	Unled bool
	// Session is set for the tools of seed 003: they require session_id, and their result is
	// {"ok":...} even where they fail.
	Session bool
	Gate    Gate `json:"-"` // of bound stories
	Run     Run  `json:"-"`
}

// Verdict is how a call ended: see [Accept], [AcceptNoting] and [Refuse]. A helper that may refuse a call returns one,
// or nil if the call can go on.
type Verdict struct {
	Code    Code
	OK      bool
	Say     Sentence
	Result  *Obj
	Created string
}

// Accept ends a call that succeeded, with a sentence.
func Accept(result *Obj, key string, args ...any) *Verdict {
	return &Verdict{OK: true, Result: result, Say: NewSentence(key, args...)}
}

// AcceptNoting ends a call that succeeded but had nothing to do, and says why.
func AcceptNoting(code Code, result *Obj, key string, args ...any) *Verdict {
	return &Verdict{OK: true, Code: code, Result: result, Say: NewSentence(key, args...)}
}

// Refuse refuses a call.
func Refuse(code Code, key string, args ...any) *Verdict {
	return &Verdict{Code: code, Say: NewSentence(key, args...)}
}

// With adds the id of the created record.
func (d *Verdict) With(created string) *Verdict {
	d.Created = created
	return d
}

// Family is a set of tools with their texts. Texts are lines "key = text" by language. {0}, {1} and so on stand for the
// arguments of a sentence, and # begins a comment.
type Family struct {
	Tools []Tool
	Words map[string]string // by language: en, ru, zh
	Files fs.FS             // or words/en.txt, words/ru.txt and words/zh.txt in it, and tools.json
}

// describe completes the tools with what tools.json says of them: by name, an object with the fields of a [Tool].
func (f Family) describe() error {
	if f.Files == nil || len(f.Tools) == 0 {
		return nil
	}
	text, err := fs.ReadFile(f.Files, "tools.json")
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var described map[string]Tool
	if err := d.Decode(&described); err != nil {
		return fmt.Errorf("tools.json: %w", err)
	}
	for i := range f.Tools {
		t := &f.Tools[i]
		full, ok := described[t.Name]
		if !ok {
			return fmt.Errorf("tools.json: nothing describes %q", t.Name)
		}
		full.Name, full.Dying, full.Gate, full.Run = t.Name, t.Dying, t.Gate, t.Run
		*t = full
	}
	return nil
}

// Book has all tools and texts. It does not change, so many campaigns can share one.
type Book struct {
	tools map[string]*Tool
	names []string
	words map[string]func() (map[string]string, error) // by language: the texts by key, read when one is first needed
}

// New makes a book of families. Two tools of one name are an error. Mistakes in texts are found by [Book.Check].
func New(families ...Family) (*Book, error) {
	families = append(families, Family{Files: words})
	b := &Book{tools: map[string]*Tool{}, words: map[string]func() (map[string]string, error){}}
	for _, f := range families {
		if err := f.describe(); err != nil {
			return nil, err
		}
		for i := range f.Tools {
			t := &f.Tools[i]
			if b.tools[t.Name] != nil {
				return nil, fmt.Errorf("two tools are called %q", t.Name)
			}
			b.tools[t.Name] = t
			b.names = append(b.names, t.Name)
		}
	}
	for _, lang := range Langs() {
		b.words[lang] = sync.OnceValues(func() (map[string]string, error) { return readWords(families, lang) })
	}
	slices.Sort(b.names)
	return b, nil
}

// readWords reads the texts of all families in a language.
func readWords(families []Family, lang string) (map[string]string, error) {
	all := map[string]string{}
	for _, f := range families {
		lines := f.Words[lang]
		if f.Files != nil {
			text, err := fs.ReadFile(f.Files, "words/"+lang+".txt")
			if err != nil {
				return all, err
			}
			lines = string(text)
		}
		if err := addWords(all, lines); err != nil {
			return all, fmt.Errorf("words in %s: %w", lang, err)
		}
	}
	return all, nil
}

// addWords reads lines "key = text".
func addWords(all map[string]string, lines string) error {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, text, ok := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		if !ok || all[key] != "" {
			return fmt.Errorf("%q stands twice or is no line key = text", key)
		}
		all[key] = strings.TrimSpace(text)
	}
	return nil
}

// Check reads all texts and checks that every language has each of them. It is for tests, since texts are part of the
// program.
func (b *Book) Check() error {
	english, err := b.words["en"]()
	if err != nil {
		return err
	}
	for _, lang := range Langs() {
		texts, err := b.words[lang]()
		if err != nil {
			return err
		}
		for key := range english {
			if texts[key] == "" {
				return fmt.Errorf("words: %q is missing in %s", key, lang)
			}
		}
		if len(texts) != len(english) {
			return fmt.Errorf("words: %s has more of them than en", lang)
		}
	}
	return nil
}

// wordsIn returns the texts of a language. [Book.Check] has found them to be right.
func (b *Book) wordsIn(lang string) map[string]string {
	if read := b.words[lang]; read != nil {
		texts, _ := read()
		return texts
	}
	return nil
}

// Langs returns the languages of the texts.
func Langs() []string { return []string{"en", "ru", "zh"} }

// Names returns the names of all tools in order.
func (b *Book) Names() []string { return slices.Clone(b.names) }

// Tool returns the tool of that name, or nil.
func (b *Book) Tool(name string) *Tool { return b.tools[name] }

// Sentence is a sentence before it is put into a language.
type Sentence struct {
	Key  string
	Args []string
}

// NewSentence returns a sentence. Its arguments are texts, numbers, or records of the world, for which their names are
// written.
func NewSentence(key string, args ...any) Sentence { return Sentence{Key: key, Args: formatArgs(args)} }

// Text puts a sentence into a language; any unknown language is English. If there is no such key, it returns the key.
func (b *Book) Text(lang string, s Sentence) string {
	text, ok := b.wordsIn(lang)[s.Key]
	if !ok {
		if text, ok = b.wordsIn("en")[s.Key]; !ok {
			return strings.TrimSpace(s.Key + " " + strings.Join(s.Args, " "))
		}
	}
	return phrases.Fill(text, s.Args...)
}
