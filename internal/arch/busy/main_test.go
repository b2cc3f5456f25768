package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Together the shards have each package, each test of the large one and each script once.
func TestCut(t *testing.T) {
	var listed, names, files []string
	for i := range 2*packages + 1 {
		listed = append(listed, fmt.Sprintf("hob/p%02d", i))
	}
	for i := range tests + 1 {
		names = append(names, fmt.Sprintf("TestA%02d", i))
	}
	for i := range scripts + 1 {
		files = append(files, fmt.Sprintf("cmd/hob/testdata/script/s%02d.txtar", i))
	}
	all := cut(append(listed, "hob/cmd/hob"), append(names, "TestScripts", "ok", "hob/cmd/hob", "0.1s"), files)
	var got []string
	for _, s := range all {
		got = append(got, s.name)
	}
	want := []string{"./p00 to ./p07", "./p08 to ./p15", "./p16 to ./p16", "./cmd/hob TestA00 to TestA19", "./cmd/hob TestA20 to TestA20",
		"./cmd/hob scripts s00 to s15", "./cmd/hob scripts s16 to s16"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	t.Setenv("RAPID_SEED", "1")
	if got := all[2].String() + "\n" + all[4].String() + "\n" + all[6].String(); got != "RAPID_SEED=1 go test -count=1 ./p16\n"+
		"RAPID_SEED=1 go test -count=1 -run '^(TestA20)$' ./cmd/hob\nRAPID_SEED=1 go test -count=1 -run '^TestScripts$/^(s16)$' ./cmd/hob" {
		t.Error(got)
	}
	for part, count := range map[string]int{"p07": 1, "TestA03|": 1, "s11|": 1} {
		n := 0
		for _, s := range all {
			n += strings.Count(strings.Join(s.args, " "), part)
		}
		if n != count {
			t.Errorf("%s is there %d times", part, n)
		}
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
