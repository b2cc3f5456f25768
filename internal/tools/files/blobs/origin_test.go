package blobs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools/files/blobs"
)

// A stored result keeps where it comes from, also for the next hob.
func TestBlobs_Labels(t *testing.T) {
	unknown := event.Label{Private: true, Untrusted: true, Source: "out:1"}
	web := event.Label{Untrusted: true, Source: "web:page.lan"}
	for _, c := range []struct {
		name string
		from event.Label
		then func(chat string) error
		want event.Label // the tools add that it is private
	}{
		{"a stranger's", web, nil, web},
		{"the household's", event.Label{Private: true, Source: "command"}, nil, event.Label{Private: true, Source: "command"}},
		{"hob's own", event.Label{}, nil, event.Label{Source: "out:1"}},
		{"of a hob that did not say", event.Label{}, func(chat string) error { return os.Remove(filepath.Join(chat, "1.from")) }, unknown},
		{"another text", event.Label{}, func(chat string) error {
			return os.WriteFile(filepath.Join(chat, "1.txt"), []byte("a line of theirs"), 0o600)
		}, unknown},
		{"what is no JSON", event.Label{}, func(chat string) error { return os.Truncate(filepath.Join(chat, "1.from"), 20) }, unknown},
		{"said by a link", event.Label{}, func(chat string) error {
			at := filepath.Join(chat, "1.from")
			return errors.Join(os.Rename(at, at+"2"), os.Symlink("1.from2", at))
		}, unknown},
		{"said by a folder", event.Label{}, func(chat string) error {
			at := filepath.Join(chat, "1.from")
			return errors.Join(os.Remove(at), os.Mkdir(at, 0o700))
		}, unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newBlobsWorld(t)
			if _, err := w.out.Put(inChat(t, "main"), "a line", c.from); err != nil {
				t.Fatal(err)
			}
			if c.then != nil {
				if err := c.then(w.chatFolder()); err != nil {
					t.Fatal(err)
				}
			}
			c.want.Private = true
			for tool, args := range map[string]any{"read_file": object{"path": "out:1"}, "search_files": object{"pattern": "line", "path": "out:1"}} {
				res, err := w.in("main", tool, args)
				if diff := cmp.Diff(c.want, res.Label); diff != "" || err != nil {
					t.Errorf("%s: %v (-want +got)\n%s", tool, err, diff)
				}
			}
		})
	}
}

// What a killed hob has said of a result that it did not get to write says nothing of the next one; and what is said of a
// result goes with it.
func TestBlobs_LabelsThatAreLeft(t *testing.T) {
	dir := t.TempDir()
	config := blobs.Config{Dir: dir, MaxChat: 10}
	put := func(o *blobs.Store, from event.Label) {
		t.Helper()
		if _, err := o.Put(inChat(t, "main"), "a line", from); err != nil {
			t.Fatal(err)
		}
	}
	first, err := blobs.New(config)
	if err != nil {
		t.Fatal(err)
	}
	put(first, event.Label{})
	folders, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	for _, left := range []string{"2.from", "7.from"} {
		if err := os.WriteFile(filepath.Join(folders[0], left), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	second, err := blobs.New(config)
	if err != nil {
		t.Fatal(err)
	}
	put(second, event.Label{Untrusted: true})
	names, err := filepath.Glob(filepath.Join(folders[0], "*"))
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	if diff := cmp.Diff([]string{"2.from", "2.txt"}, names); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
