package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	got, err := find(fstest.MapFS{
		"a/long.go":          file("package a\n" + strings.Repeat("\n", manyInFile)),
		"a/short.go":         file("package a\n" + strings.Repeat("\n", manyInFile-1)),
		"a/function.go":      file("package a\n\nfunc f() {\n" + strings.Repeat("\n", manyInFunction-1) + "}\n\nfunc g() {\n" + strings.Repeat("\n", manyInFunction-2) + "}\n"),
		"a/long_test.go":     file("package a\n" + strings.Repeat("\n", manyInFile)),
		"a/testdata/long.go": file("package a\n" + strings.Repeat("\n", manyInFile)),
		"b/go.mod":           file("module b\n"),
		"b/long.go":          file("package b\n" + strings.Repeat("\n", manyInFile)),
	})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, l := range got {
		texts = append(texts, l.what)
	}
	if diff := cmp.Diff([]string{"a/long.go", "a/function.go:3 f"}, texts); diff != "" {
		t.Error(diff)
	}
}
