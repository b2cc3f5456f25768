//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Together the shards have each package, each test of the large one and each script once.
func TestCut(t *testing.T) {
	listed := []string{"./cmd/hob", "./internal/agent", "./internal/game/show", "./internal/gamelike", "./internal/tools", "./tools/x"}
	names, files := []string{"TestScripts", "ok", "hob/cmd/hob", "0.1s"}, []string{}
	for i := range 50 {
		names = append(names, fmt.Sprintf("TestA%02d", i))
		files = append(files, fmt.Sprintf("cmd/hob/testdata/script/s%02d.txtar", i))
	}
	all := cut(listed, names, files)
	if n := len(slow()) + 1 + tests + scripts; len(all) != n {
		t.Errorf("%d shards, want %d", len(all), n)
	}
	whole := ""
	for _, s := range all {
		whole += strings.Join(s.args, " ") + "\n"
	}
	rest := all[len(all)-1]
	if diff := cmp.Diff([]string{"./internal/agent", "./internal/gamelike", "./tools/x"}, rest.args); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for part, count := range map[string]int{"./internal/game/...": 1, "./internal/tools/...": 1, "TestA": 50, "TestScripts": scripts, "TestA07": 1, "s07": 1, "ok": 0} {
		if n := strings.Count(whole, part); n != count {
			t.Errorf("%s is there %d times, want %d", part, n, count)
		}
	}
	changed := 0
	for i, s := range cut(append(listed, "./internal/game/more"), append(names, "TestB"), append(files, "cmd/hob/testdata/script/t.txtar")) {
		if !slices.Equal(s.args, all[i].args) {
			changed++
		}
	}
	if changed != 2 {
		t.Errorf("a package of a folder, a test and a script have changed %d shards", changed)
	}
	t.Setenv("RAPID_SEED", "1")
	last := shard{"", []string{"-run", "^(TestA)$", large}}
	if got := rest.String() + "\n" + last.String(); got != "RAPID_SEED=1 go test -count=1 ./internal/agent ./internal/gamelike ./tools/x\n"+
		"RAPID_SEED=1 go test -count=1 -run '^(TestA)$' ./cmd/hob" {
		t.Error(got)
	}
}

// What became of a shard is known in the next sitting, by what it runs; another round knows nothing of it.
func TestResults(t *testing.T) {
	dir := t.TempDir()
	one, two := shard{"one", []string{"./a"}}, shard{"one", []string{"./b"}}
	for _, is := range []string{"red at v1", "green at v2"} {
		if err := keep(dir+"/round-1", one, is); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir  string
		of   shard
		want []string
	}{{"round-1", one, []string{"red at v1\n", "green at v2\n"}}, {"round-1", two, nil}, {"round-2", one, nil}} {
		got, err := results(dir+"/"+c.dir, c.of)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
	}
}

// In each round another shard is stopped.
func TestTurn(t *testing.T) {
	seen := map[int]bool{}
	for round := range 10 {
		n := turn(round+1, 23)
		if n < 1 || n > 23 || seen[n] {
			t.Errorf("round %d: shard %d", round+1, n)
		}
		seen[n] = true
	}
}
