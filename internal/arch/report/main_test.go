package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A package that passed is a line, a test that failed is printed in full, figures, skipped tests and the slowest come at the end.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		bad, total     int
	}{
		{
			name: "all passes",
			in: `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"    figure: size: 3 MB\n"}
{"Action":"pass","Package":"a","Test":"TestX/part","Elapsed":9}
{"Action":"pass","Package":"a","Test":"TestX","Elapsed":2}
{"Action":"pass","Package":"a","Test":"TestY","Elapsed":3}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}
{"Action":"pass","Package":"a","Elapsed":0.1}
{"Action":"output","Package":"b","Output":"?   \tb\t[no test files]\n"}
{"Action":"skip","Package":"b","Elapsed":0}
`,
			want: "ok  \ta\t0.1s\n" +
				"\nFigures (make bench measures them alone):\n  size: 3 MB\n" +
				"\n2 tests of 2 packages; one after the other they take 5 s. The slowest:\n     3.0 s  a TestY\n     2.0 s  a TestX\n",
			total: 2,
		},
		{
			name: "a test fails, and its package with it",
			in: `{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:1: no\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"--- FAIL: TestX\n"}
{"Action":"fail","Package":"a","Test":"TestX","Elapsed":0}
{"Action":"output","Package":"a","Test":"TestY","Output":"fine\n"}
{"Action":"pass","Package":"a","Test":"TestY","Elapsed":0}
{"Action":"output","Package":"a","Output":"FAIL\ta\t0.1s\n"}
{"Action":"fail","Package":"a","Elapsed":0.1}
`,
			want: "    x_test.go:1: no\n--- FAIL: TestX\nFAIL\ta\t0.1s\n" +
				"\n2 tests of 1 packages; one after the other they take 0 s. The slowest:\n     0.0 s  a TestX\n     0.0 s  a TestY\nFAIL: 1 packages\n",
			bad: 1, total: 1,
		},
		{
			name: "a program dies in a test",
			in: `{"Action":"output","Package":"a","Test":"TestX","Output":"panic: no\n"}
{"Action":"output","Package":"a","Output":"FAIL\ta\t0.1s\n"}
{"Action":"fail","Package":"a","Elapsed":0.1}
`,
			want: "panic: no\nFAIL\ta\t0.1s\n\n0 tests of 1 packages; one after the other they take 0 s. The slowest:\nFAIL: 1 packages\n",
			bad:  1, total: 1,
		},
		{
			name: "what cannot be built, and what is no record",
			in: `go: warning
{"ImportPath":"a","Action":"build-output","Output":"# a\n"}
{"ImportPath":"a","Action":"build-fail"}
{"Action":"output","Package":"a","Output":"FAIL\ta [build failed]\n"}
{"Action":"fail","Package":"a","Elapsed":0,"FailedBuild":"a"}
`,
			want: "go: warning\n# a\nFAIL\ta [build failed]\n\n0 tests of 1 packages; one after the other they take 0 s. The slowest:\nFAIL: 1 packages\n",
			bad:  1, total: 1,
		},
		{
			name: "tests are skipped",
			in: `{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:9: first, a note\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:10: no bwrap here\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"--- SKIP: TestX (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestX","Elapsed":0}
{"Action":"output","Package":"a","Test":"TestY/T1","Output":"        y_test.go:1: no bwrap here\n"}
{"Action":"skip","Package":"a","Test":"TestY/T1","Elapsed":0}
{"Action":"output","Package":"a","Test":"TestY/T2","Output":"        tiers.go:56: no bwrap here\n"}
{"Action":"skip","Package":"a","Test":"TestY/T2","Elapsed":0}
{"Action":"pass","Package":"a","Test":"TestY","Elapsed":0}
{"Action":"skip","Package":"a","Test":"TestZ","Elapsed":0}
{"Action":"pass","Package":"a","Elapsed":0.1}
`,
			want: "\nSkipped:\n    3  no bwrap here (a TestX)\n    1  no reason given (a TestZ)\n" +
				"\n3 tests of 1 packages; one after the other they take 0 s. The slowest:\n     0.0 s  a TestX\n     0.0 s  a TestY\n     0.0 s  a TestZ\n",
			total: 1,
		},
		{name: "nothing", want: "\n0 tests of 0 packages; one after the other they take 0 s. The slowest:\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			r := newReport(&out)
			if err := r.read(strings.NewReader(c.in)); err != nil {
				t.Fatal(err)
			}
			r.end()
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Error(diff)
			}
			if r.bad != c.bad || r.total != c.total {
				t.Errorf("%d of %d failed, want %d of %d", r.bad, r.total, c.bad, c.total)
			}
		})
	}
}

// What a benchmark measures is a figure, too, whether its name stands before it or has come already.
func TestReport_Benchmarks(t *testing.T) {
	r := newReport(new(bytes.Buffer))
	in := `{"Action":"output","Package":"hob/internal/a/b","Test":"BenchmarkX","Output":"BenchmarkX\n"}
{"Action":"output","Package":"hob/internal/a/b","Test":"BenchmarkX","Output":"BenchmarkX-2  \t"}
{"Action":"output","Package":"hob/internal/a/b","Test":"BenchmarkX","Output":"      10\t    17.5 ns/op\t 759.45 MB/s\t       0 B/op\n"}
{"Action":"output","Package":"hob/cmd/hob","Test":"BenchmarkY/part","Output":"BenchmarkY/part-2 \t      10\t    18 ns/op\n"}
`
	if err := r.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	want := []string{"a/b, X: 17.5 ns/op, 759.45 MB/s, 0 B/op\n", "cmd/hob, Y/part: 18 ns/op\n"}
	if diff := cmp.Diff(want, r.figures); diff != "" {
		t.Error(diff)
	}
}

// Figures are a table between two comments, and nothing else of the page changes. Those of a program that was measured beside hob
// are a column of it.
func TestWithFigures(t *testing.T) {
	const begin = "<!-- figures: written by make figures -->\n"
	page := "# hob\n\n" + begin + "| old | 1 |\n" + figuresEnd + "\nMore.\n"
	figures := []string{"hob: start: 12 ms (aim 20 ms)\n", "memory: 30 MB (aim 31 MB), of it 8 MB its own (aim 10 MB)"}
	got, err := withFigures(page, figures)
	want := "# hob\n\n" + begin + "| | |\n|---|---|\n| hob: start | 12 ms |\n| memory | 30 MB, of it 8 MB its own |\n" + figuresEnd + "\nMore.\n"
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	got, err = withFigures(page, append(figures, "of Other 1.2: hob: start: 13 ms\n"))
	want = "# hob\n\n" + begin + "| | hob | Other 1.2 |\n|---|---|---|\n| hob: start | 12 ms | 13 ms |\n| memory | 30 MB, of it 8 MB its own | |\n" +
		figuresEnd + "\nMore.\n"
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	const these = "<!-- these figures: written by make figures -->\n"
	got, err = withFigures(these+"| | |\n|---|---|\n| memory | 40 MB |\n"+figuresEnd, figures)
	want = these + "| | |\n|---|---|\n| memory | 30 MB, of it 8 MB its own |\n" + figuresEnd
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error("a page that has chosen its figures:", diff, err)
	}
	for _, bad := range []string{"# hob\n", begin} {
		if _, err := withFigures(bad, nil); err == nil {
			t.Errorf("%q was written", bad)
		}
	}
}
