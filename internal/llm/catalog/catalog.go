// Package catalog is the table of models that hob proposes, and which of them suits a machine.
//
// The table is one file, models.toml, which says of each fact where it comes from. [Table.Propose] is the
// only place that chooses a name: whoever proposes a model to somebody asks it.
package catalog

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed models.toml
var file string

const gib = 1 << 30

// work is what a model takes beside itself and its context, in bytes: buffers for what is being computed.
const work = 500_000_000

// UsualMemory is the memory of the machine that texts speak of which know no machine, such as the
// documentation: 16 GiB.
const UsualMemory = 16 * gib

// Model is a model that hob knows before it is there.
type Model struct {
	Name       string `json:"name"`
	Parameters string `json:"parameters"` // such as "4.0B"
	Size       int64  `json:"size"`       // bytes to download
	Read       int64  `json:"-"`          // bytes that are read for each token
	Cache      int64  `json:"-"`          // bytes of each token of context
	Context    int    `json:"context"`    // tokens that hob asks for
	Memory     uint64 `json:"memory"`     // bytes that models may use, from which on it suits a machine
	Proposed   bool   `json:"-"`          // to machines that it suits
	Licence    string `json:"licence"`
	Released   string `json:"released"` // a day, such as "2025-04-29"
	Languages  string `json:"languages"`
	GoodFor    string `json:"good_for"`
}

// Needs is how many bytes of memory the model takes with its context.
func (m Model) Needs() uint64 { return uint64(m.Size + m.Cache*int64(m.Context) + work) }

// TokensPerSecond is how many tokens a second the model writes at most where memory is read at so many
// bytes a second: each token takes all that is read for one. 0 is unknown.
func TokensPerSecond(bytesPerSecond float64, read int64) float64 {
	if bytesPerSecond <= 0 || read <= 0 {
		return 0
	}
	return bytesPerSecond / float64(read)
}

// Table is models, the one for the least memory first.
type Table []Model

// Read returns the table of this program.
func Read() Table {
	t, err := parse(file)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return t
}

// parse reads the small part of TOML that the file is written in: [[model]] and lines of a key and a
// value. The decoder that reads configurations needs a millisecond for it, at each start; a test holds
// that it reads the same.
func parse(text string) (Table, error) {
	var t Table
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		key, value, isPair := strings.Cut(strings.TrimSpace(line), "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case key == "":
		case key == "[[model]]" && !isPair:
			t = append(t, Model{})
		case !isPair || len(t) == 0 || !t[len(t)-1].set(key, value):
			return nil, fmt.Errorf("models.toml, line %d: %q is not understood", n, strings.TrimSpace(line))
		}
	}
	for i := range t {
		t[i].Read = cmp.Or(t[i].Read, t[i].Size)
	}
	return t, nil
}

// set sets the fact that a line of the file gives, and reports whether there is such a fact.
func (m *Model) set(key, value string) bool {
	texts := map[string]*string{"name": &m.Name, "parameters": &m.Parameters, "licence": &m.Licence, "released": &m.Released,
		"languages": &m.Languages, "good_for": &m.GoodFor}
	if text := texts[key]; text != nil {
		unquoted, err := strconv.Unquote(value)
		*text = unquoted
		return err == nil
	}
	if key == "proposed" {
		m.Proposed = value == "true"
		return m.Proposed || value == "false"
	}
	number, err := strconv.ParseInt(strings.ReplaceAll(value, "_", ""), 10, 64)
	switch key {
	case "size":
		m.Size = number
	case "read":
		m.Read = number
	case "cache":
		m.Cache = number
	case "context":
		m.Context = int(number)
	case "memory":
		m.Memory = uint64(number) * gib
	default:
		return false
	}
	return err == nil && number > 0
}

// Propose returns the model for a machine on which models can use so many bytes of memory. It fits with
// its context and leaves room for other programs; 0 bytes, for unknown, gives the smallest.
func (t Table) Propose(memory uint64) Model {
	var found Model
	for _, m := range t {
		if m.Proposed && (found.Name == "" || m.Memory <= memory) {
			found = m
		}
	}
	return found
}

// ByName returns a model of the table. Names are compared as Ollama does, without regard to case.
func (t Table) ByName(name string) (Model, bool) {
	i := slices.IndexFunc(t, func(m Model) bool { return strings.EqualFold(m.Name, strings.TrimSpace(name)) })
	if i < 0 {
		return Model{}, false
	}
	return t[i], true
}
