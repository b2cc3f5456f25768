package grounding

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "fit weights.txt to the labelled answers")

// The weights are those that fit the labelled answers.
func TestWeights(t *testing.T) {
	var rows []row
	for _, l := range readLabelled(t) {
		if slices.Contains(notFitted, l.File) {
			continue
		}
		c := newChecker(l.Answer, l.Sources)
		c.read()
		for i := range c.claims {
			x := &c.claims[i]
			if invented := l.isInvented(x.text); !x.stands && (invented || l.Invented == "") {
				times := 1.0
				if slices.Contains(byStrangers, l.File) {
					times = 2
				}
				rows = append(rows, row{c.signs(x), invented, times})
			}
		}
	}
	w := fit(rows)
	text := "# How much each sign speaks for a claim being invented: see evidence.go. go test -run TestWeights -update writes them.\n"
	for _, sign := range slices.Sorted(maps.Keys(w)) {
		text += fmt.Sprintf("%s %.2f\n", sign, w[sign])
	}
	if *update {
		if err := os.WriteFile("weights.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text != weightFile {
		t.Errorf("weights.txt does not fit the labelled answers; want\n%s", text)
	}
}

// row is a claim that stands in no source.
type row struct {
	signs    []string
	invented bool
	times    float64 // it counts: those by strangers are more like what a model says
}

// penalty is how much large weights cost; with less the answers of a writer who is left out are judged worse.
const penalty = 2

// fit is a logistic regression by Newton's method, with a penalty on large weights.
func fit(rows []row) weights {
	index := map[string]int{}
	for _, r := range rows {
		for _, s := range r.signs {
			index[s] = 0
		}
	}
	names := slices.Sorted(maps.Keys(index))
	for i, s := range names {
		index[s] = i
	}
	n := len(names)
	w := make([]float64, n)
	for range 10 {
		m := make([][]float64, n) // the second derivatives, and behind them the first
		for i := range m {
			m[i] = make([]float64, n+1)
			m[i][i], m[i][n] = penalty, -penalty*w[i]
		}
		for _, r := range rows {
			z, y := 0.0, 0.0
			for _, s := range r.signs {
				z += w[index[s]]
			}
			if r.invented {
				y = 1
			}
			p := 1 / (1 + math.Exp(-z))
			for _, a := range r.signs {
				i := index[a]
				m[i][n] += r.times * (y - p)
				for _, b := range r.signs {
					m[i][index[b]] += r.times * p * (1 - p)
				}
			}
		}
		solve(m)
		for i := range w {
			w[i] += m[i][n]
		}
	}
	all := weights{}
	for i, s := range names {
		all[s] = w[i]
	}
	return all
}

// solve leaves the solution of linear equations in the last column. The matrix is positive definite.
func solve(m [][]float64) {
	n := len(m)
	for i := range m {
		for k := range m {
			f := m[k][i] / m[i][i]
			for j := i; j <= n && k != i; j++ {
				m[k][j] -= f * m[i][j]
			}
		}
	}
	for i := range m {
		m[i][n] /= m[i][i]
	}
}
