package tales_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/tales"
)

// A remark says that a model wrote the lines below it, up to the next one that says who wrote. Nothing else is counted.
func TestWritten(t *testing.T) {
	files := []tales.File{
		{Name: "mill.txt", Text: "# a mill\n# by hob\nbegin 812-10-31 18:00 area_mill\n"},
		{Name: "mill.en.txt", Text: "title = A\n\n" + tales.ByModel("qwen3:4b\u202e\n x") + "\n\npitch = B\n# by day it is dark\ngoal = C\n# a remark\nhero = D\n" + tales.ByHand + "\nstyle = E\n"},
		{Name: "mill.ru.txt", Text: "# by model a\ntitle = A\n# by model b\npitch = B\n"},
	}
	want := []tales.Written{
		{File: "mill.en.txt", Model: "qwen3:4b x", First: 5, Last: 9},
		{File: "mill.ru.txt", Model: "a", First: 2, Last: 2}, {File: "mill.ru.txt", Model: "b", First: 4, Last: 4},
	}
	if diff := cmp.Diff(want, tales.FromFiles("mill", files).Written()); diff != "" {
		t.Error(diff)
	}
	for _, shipped := range tales.All() {
		if w := shipped.Written(); w != nil {
			t.Errorf("%s: %v", shipped.ID, w)
		}
	}
}

// A tale in memory is what it is in a folder, with the same mistakes.
func TestFromFiles(t *testing.T) {
	files, err := tales.Example("mill", "en")
	if err != nil {
		t.Fatal(err)
	}
	tale := tales.FromFiles("mill", files)
	if tale.Digest() != own(t, folderWith(t, "mill", "en"), "mill").Digest() || len(tale.Problems()) > 0 || !tale.Own() {
		t.Errorf("%v %v", tale.Problems(), tale.Own())
	}
	files[1].Text = ""
	if got := tales.FromFiles("mill", files).Problems(); len(got) != 1 || got[0].String() != "mill.en.txt: there is nothing in it: write something, or remove it" {
		t.Error(got)
	}
	if got := tales.FromFiles("mill", files[:1]).Problems(); len(got) != 1 {
		t.Error(got)
	}
}
