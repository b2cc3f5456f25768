// Command report reads what `go test -json` prints and prints what a person wants of it:
//
//	go test -json ./... | go run ./internal/arch/report
//
// That is a line for each package as it ends, the whole output of each test that failed and of what could not be built, the
// figures that tests and benchmarks print (lines that begin with "figure: " or have "ns/op"), and at the end the tests that were skipped, by reason, and
// the slowest ones. Its exit status is 1 when something failed or nothing was tested.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
)

// slowest is how many of the slowest tests are listed.
const slowest = 20

// record is an event of test2json, as `go doc test2json` describes it.
type record struct {
	Action  string
	Package string
	Test    string
	Elapsed float64 // seconds
	Output  string
}

// timed is a test that has ended.
type timed struct {
	name    string // package and test
	seconds float64
}

// report is what was read so far.
type report struct {
	out     io.Writer
	output  map[string]*strings.Builder // by package and test: what a test that runs has printed
	figures []string
	skipped map[string][]string // tests by the reason that they gave
	times   []timed
	total   int // packages that have ended
	bad     int // of these, how many failed
}

func main() {
	file := flag.String("figures", "", "write the figures into this `file`, too")
	flag.Parse()
	r := newReport(os.Stdout)
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
	r.end()
	if r.bad > 0 || r.total == 0 {
		os.Exit(1)
	}
	if *file != "" {
		if err := writeFigures(*file, r.figures); err != nil {
			fmt.Fprintln(os.Stderr, "report:", err)
			os.Exit(1)
		}
	}
}

func newReport(out io.Writer) *report {
	return &report{out: out, output: map[string]*strings.Builder{}, skipped: map[string][]string{}}
}

// read reads records to the end. A line that is none is printed.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var rec record
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &rec) == nil {
			r.take(rec)
		} else {
			fmt.Fprint(r.out, line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the output of go test: %w", err)
		}
	}
}

// take handles one record.
func (r *report) take(rec record) {
	name := rec.Package + " " + rec.Test
	switch rec.Action {
	case "build-output":
		fmt.Fprint(r.out, rec.Output)
	case "output":
		if figure, ok := strings.CutPrefix(strings.TrimLeft(rec.Output, " "), "figure: "); ok {
			r.figures = append(r.figures, figure)
		}
		if values := measured().FindString(rec.Output); values != "" && strings.HasPrefix(rec.Test, "Benchmark") {
			r.figures = append(r.figures, benchmarkFigure(rec, values))
		}
		if r.output[name] == nil {
			r.output[name] = new(strings.Builder) // some print a hundred thousand lines: adding strings would be quadratic
		}
		r.output[name].WriteString(rec.Output)
	case "pass", "skip", "fail":
		if rec.Test != "" {
			r.endTest(rec, name)
		} else {
			r.endPackage(rec, name)
		}
		delete(r.output, name)
	}
}

// measured is what go test prints of a benchmark after its name and number of runs: numbers, each with a unit.
var measured = lazyregexp.New(`\S+ ns/op.*`)

// benchmarkFigure returns a benchmark as a figure, such as "store: Append: 9000 ns/op, 600 B/op".
func benchmarkFigure(rec record, values string) string {
	var list []string
	for pair := range slices.Chunk(strings.Fields(values), 2) {
		list = append(list, strings.Join(pair, " "))
	}
	of := strings.TrimPrefix(strings.TrimPrefix(rec.Package, "hob/"), "internal/")
	return of + ", " + strings.TrimPrefix(rec.Test, "Benchmark") + ": " + strings.Join(list, ", ") + "\n"
}

// endTest notes how long a test took and why it was skipped, and prints the output of one that failed.
func (r *report) endTest(rec record, name string) {
	if !strings.Contains(rec.Test, "/") {
		r.times = append(r.times, timed{name, rec.Elapsed})
	}
	switch rec.Action {
	case "fail":
		fmt.Fprint(r.out, r.printed(name))
	case "skip":
		why := skipReason(r.printed(name))
		r.skipped[why] = append(r.skipped[why], name)
	}
}

// logged is a line that a test has logged, or a helper of tests for it: where, and what.
var logged = lazyregexp.New(`(?m)^ *[\w./-]+\.go:\d+: (.*)$`)

// skipReason returns the last line that a skipped test logged, which is its reason.
func skipReason(output string) string {
	all := logged().FindAllStringSubmatch(output, -1)
	if len(all) == 0 {
		return "no reason given"
	}
	return all[len(all)-1][1]
}

// endPackage prints a package's line. Of one that failed it prints all that no test that ended has printed.
func (r *report) endPackage(rec record, name string) {
	r.total++
	if rec.Action != "fail" {
		for line := range strings.Lines(r.printed(name)) {
			if strings.HasPrefix(line, "ok  \t") {
				fmt.Fprint(r.out, line)
			}
		}
		return
	}
	r.bad++
	for test, text := range r.output { // a test that never ended: the program did, or its time
		if strings.HasPrefix(test, rec.Package+" ") && test != name {
			fmt.Fprint(r.out, text.String())
			delete(r.output, test)
		}
	}
	fmt.Fprint(r.out, r.printed(name))
}

// printed is what a test or package has printed.
func (r *report) printed(name string) string {
	if b := r.output[name]; b != nil {
		return b.String()
	}
	return ""
}

// end prints the figures, the skipped tests and the slowest ones.
func (r *report) end() {
	if len(r.figures) > 0 {
		fmt.Fprintln(r.out, "\nFigures (make bench measures them alone):")
	}
	for _, f := range r.figures {
		fmt.Fprint(r.out, "  ", f)
	}
	r.endSkipped()
	slices.SortStableFunc(r.times, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	var sum float64
	for _, t := range r.times {
		sum += t.seconds
	}
	fmt.Fprintf(r.out, "\n%d tests of %d packages; one after the other they take %.0f s. The slowest:\n", len(r.times), r.total, sum)
	for _, t := range r.times[:min(slowest, len(r.times))] {
		fmt.Fprintf(r.out, "%8.1f s  %s\n", t.seconds, t.name)
	}
	if r.bad > 0 {
		fmt.Fprintf(r.out, "FAIL: %d packages\n", r.bad)
	}
}

// endSkipped prints how many tests were skipped for each reason, and the first of them.
func (r *report) endSkipped() {
	if len(r.skipped) == 0 {
		return
	}
	fmt.Fprintln(r.out, "\nSkipped:")
	for _, why := range slices.Sorted(maps.Keys(r.skipped)) {
		names := r.skipped[why]
		fmt.Fprintf(r.out, "%5d  %s (%s)\n", len(names), why, slices.Min(names))
	}
}

// A page's figures are between two comments, of which the first names a target of the Makefile. Where it begins with "these", the
// page has chosen: no figure is added to those that it shows.
var figuresBegin = lazyregexp.New(`<!-- (these )?figures: written by make \w+ -->\n`)

const figuresEnd = "<!-- end of figures -->\n"

// writeFigures puts a table of the figures into a page.
func writeFigures(file string, figures []string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := withFigures(string(page), figures)
	if err != nil {
		return fmt.Errorf("write figures into %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// withFigures returns the page with a table of the figures between its two comments. A figure is "name: value", and what it
// was meant to be, "(aim ...)", is left out. One that is "of PEER: name: value" stands beside the figure of that name, in a column
// of PEER's.
func withFigures(page string, figures []string) (string, error) {
	at := figuresBegin().FindStringSubmatchIndex(page)
	if at == nil {
		return "", errors.New("it has no place for them")
	}
	before, after, ended := strings.Cut(page[at[1]:], figuresEnd)
	if !ended {
		return "", errors.New("the place for them has no end")
	}
	chosen := at[2] >= 0
	peer, beside := peersFigures(figures)
	var table strings.Builder
	if peer == "" {
		table.WriteString("| | |\n|---|---|\n")
	} else {
		fmt.Fprintf(&table, "| | hob | %s |\n|---|---|---|\n", peer)
	}
	for _, f := range figures {
		parts := figure().FindStringSubmatch(f)
		if parts == nil || ofPeer().MatchString(f) || chosen && !strings.Contains(before, "| "+parts[1]+" |") {
			continue
		}
		fmt.Fprintf(&table, "| %s | %s |", parts[1], aim().ReplaceAllString(parts[2], ""))
		if peer != "" {
			table.WriteString(strings.TrimRight(" "+beside[parts[1]], " ") + " |")
		}
		table.WriteString("\n")
	}
	return page[:at[1]] + table.String() + figuresEnd + after, nil
}

// peersFigures returns the name of the program that was measured beside hob, "" for none, and its values by their names.
func peersFigures(figures []string) (peer string, values map[string]string) {
	values = map[string]string{}
	for _, f := range figures {
		if parts := ofPeer().FindStringSubmatch(f); parts != nil {
			peer, values[parts[2]] = parts[1], parts[3]
		}
	}
	return peer, values
}

// figure is a name, which may have a colon, and a value, which begins with a digit. ofPeer is one of another program's.
var (
	figure = lazyregexp.New(`^(.*?): (\d.*)`)
	ofPeer = lazyregexp.New(`^of ([^:]+): (.*?): (\d.*)`)
)

var aim = lazyregexp.New(` \(aim [^)]*\)`)
