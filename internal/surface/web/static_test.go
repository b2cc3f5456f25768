package web

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"testing"
)

// The scripts of the page stay few, and write no HTML but through the one policy of Trusted Types, which static/dom.js makes.
func TestScripts(t *testing.T) {
	const most = 1500 // lines
	sinks := regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|srcdoc|document\.write|eval|Function\(|javascript:|localStorage|sessionStorage|https?://)`)
	policies := regexp.MustCompile(`createPolicy\(|parseFromString\(`)
	lines := 0
	err := fs.WalkDir(staticFiles, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		text, err := staticFiles.ReadFile(name)
		if err != nil {
			return err
		}
		lines += bytes.Count(text, []byte("\n"))
		if found := sinks.Find(text); found != nil {
			t.Errorf("%s has %s", name, found)
		}
		if found := policies.Find(text); found != nil && name != "static/dom.js" {
			t.Errorf("%s has %s", name, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines == 0 || lines > most {
		t.Errorf("the scripts have %d lines, of %d at most", lines, most)
	}
}
