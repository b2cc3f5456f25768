package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"hob/internal/lists"
	"hob/internal/tomlfile"
)

// maxFile bounds a configuration file, in bytes. The example has four thousand.
const maxFile = 1 << 20

// Warning is something in a file that hob can live with.
type Warning struct {
	Path string // of the file
	Line int    // from 1; 0 if it is not known
	Text string // such as "unknown key [fetch] timout at line 3: did you mean timeout?"
}

func (w Warning) String() string { return w.Path + ": " + w.Text }

// Problem is a mistake in a file.
type Problem struct {
	Path string
	Line int    // from 1; 0 if it is not known
	Key  string // such as "[fetch] timeout"; empty for a mistake in the syntax
	Text string // a sentence, which names the key and the line
}

func (p *Problem) Error() string { return p.Path + ": " + p.Text }

// Load lays the file at path over [Default]. A missing file is an empty one. What is wrong in the file is a
// [Problem], or several joined; the Config is Default then.
func Load(path string) (Config, []Warning, error) {
	src, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil, nil
	}
	if err != nil {
		return Default(), nil, err
	}
	cfg, warnings, problems := parse(path, src)
	if len(problems) > 0 {
		return Default(), warnings, joinProblems(problems)
	}
	return cfg, warnings, nil
}

// Check returns everything that is wrong in the file at path, unknown keys included. The file must exist.
func Check(path string) error {
	src, err := read(path)
	if err != nil {
		return err
	}
	return checkText(path, src)
}

// checkText is [Check] for what a file would hold.
func checkText(path, src string) error {
	_, warnings, problems := parse(path, src)
	for _, w := range warnings {
		problems = append(problems, &Problem{Path: w.Path, Line: w.Line, Text: w.Text})
	}
	sortByLine(problems, func(p *Problem) int { return p.Line })
	return joinProblems(problems)
}

func joinProblems(problems []*Problem) error {
	return errors.Join(lists.Map(problems, func(p *Problem) error { return p })...)
}

func read(path string) (string, error) {
	src, err := tomlfile.Read(path, maxFile)
	if err != nil {
		return "", fmt.Errorf("read configuration: %w", err)
	}
	return src, nil
}

func parse(path, src string) (Config, []Warning, []*Problem) {
	tree, bad := tomlfile.Decode(src)
	if bad != nil {
		return Default(), nil, []*Problem{{Path: path, Line: bad.Line, Text: bad.Error()}}
	}
	cfg, r := Default(), &report{path: path, lines: sync.OnceValue(func() tomlfile.Layout { return tomlfile.Scan(src) })}
	cfg.MCP = r.readServers(tree)
	all := keysOf(&cfg)
	for _, k := range all {
		if v, ok := valueAt(tree, k.at()); ok {
			if err := k.set(v); err != nil {
				r.wrong(k.path(), err.Error(), k.at()...)
			}
		}
	}
	for _, s := range cfg.MCP {
		of := func(p *Problem) bool { return strings.HasPrefix(p.Key, "[mcp."+s.Name+"] ") }
		if !slices.ContainsFunc(r.problems, of) { // else what is missing may stand there, and be wrong
			r.checkServerKeys(s)
		}
	}
	inPage := func(p *Problem) bool { return strings.HasPrefix(p.Key, "[page] ") }
	if key, wrong := cfg.Page.check(); key != "" && !slices.ContainsFunc(r.problems, inPage) {
		r.wrong("[page] "+key, wrong, "page", key)
	}
	r.unknownKeys(all, tree)
	sortByLine(r.warnings, func(w Warning) int { return w.Line })
	sortByLine(r.problems, func(p *Problem) int { return p.Line })
	return cfg, r.warnings, r.problems
}

// report collects what is wrong in a file.
type report struct {
	path     string
	lines    func() tomlfile.Layout // made when something is wrong
	warnings []Warning
	problems []*Problem
}

// wrong adds a problem: a sentence that begins with the key, which stands at that path.
func (r *report) wrong(key, predicate string, at ...string) {
	line := r.lines().Line(at...)
	r.problems = append(r.problems, &Problem{Path: r.path, Line: line, Key: key, Text: key + atLine(line) + " " + predicate})
}

// valueAt returns what stands at path in tree.
func valueAt(tree map[string]any, path []string) (v any, ok bool) {
	v, ok = tree, true
	for _, name := range path {
		table, isTable := v.(map[string]any)
		if !isTable {
			return nil, false
		}
		if v, ok = table[name]; !ok {
			return nil, false
		}
	}
	return v, ok
}

// unknownKeys adds a warning for each table and key that no key of all stands for, and a problem for each table that is none.
func (r *report) unknownKeys(all []key, tree map[string]any) {
	warn := func(what string, at ...string) {
		line := r.lines().Line(at...)
		w := Warning{Path: r.path, Line: line, Text: "unknown " + what + atLine(line)}
		if hint := suggest(all, at); hint != "" {
			w.Text += ": " + hint
		}
		r.warnings = append(r.warnings, w)
	}
	within := func(inside map[string]any, at ...string) {
		table := strings.Join(at, ".")
		for _, k := range slices.Sorted(maps.Keys(inside)) {
			if !hasKey(all, table, k) {
				warn(fmt.Sprintf("key [%s] %s", table, tomlfile.Name(k)), append(at[:len(at):len(at)], k)...)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		table, isTable := tree[name].(map[string]any)
		isTop := func(k key) bool { return k.table == name && !strings.Contains(name, ".") }
		switch known := name == "mcp" || slices.ContainsFunc(all, isTop); {
		case !known && isTable:
			shown := tomlfile.Name(name)
			if strings.Contains(name, ".") { // one name, not one below another
				shown = tomlfile.Quote(name)
			}
			warn("table ["+shown+"]", name)
		case !known:
			warn("key "+tomlfile.Name(name), name)
		case !isTable:
			r.wrong("["+name+"]", "must be one table, not "+describe(tree[name]), name)
		case name == "mcp":
			for _, server := range slices.Sorted(maps.Keys(table)) {
				switch inside := table[server].(type) {
				case map[string]any:
					if hasKey(all, "mcp."+server, "command") {
						within(inside, name, server)
					}
				case []map[string]any: // a mistake that readServers has reported
				default:
					warn("key [mcp] "+tomlfile.Name(server), name, server)
				}
			}
		default:
			within(table, name)
		}
	}
}

func sortByLine[E any](list []E, line func(E) int) {
	sort.SliceStable(list, func(i, j int) bool { return line(list[i]) < line(list[j]) })
}

func atLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" at line %d", line)
}
