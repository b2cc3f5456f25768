package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"
)

// The names in an image are the hashes of what they name: a program that loads it checks that.
func TestWrite(t *testing.T) {
	root := []byte("a root")
	var made bytes.Buffer
	if err := write(&made, bytes.NewReader(root), "arm64", "0.1.0+git1", time.Unix(1764000000, 0).UTC()); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(&made); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	var all []saved
	if err := json.Unmarshal(files["manifest.json"], &all); err != nil || len(all) != 1 || len(all[0].Layers) != 1 {
		t.Fatalf("%v, %s", err, files["manifest.json"])
	}
	m := all[0]
	if m.RepoTags[0] != "localhost/hob:0.1.0-git1" {
		t.Errorf("it is called %v", m.RepoTags)
	}
	if want := fmt.Sprintf("%x.json", sha256.Sum256(files[m.Config])); m.Config != want {
		t.Errorf("the configuration is called %s, want %s", m.Config, want)
	}
	var config image
	if err := json.Unmarshal(files[m.Config], &config); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(files[m.Layers[0]], root) || config.RootFS.DiffIDs[0] != fmt.Sprintf("sha256:%x", sha256.Sum256(root)) {
		t.Errorf("the layer is %q with the hash %v", files[m.Layers[0]], config.RootFS.DiffIDs)
	}
	if _, one := config.Config.Volumes["/var/lib/hob"]; !one || config.Config.User != "hob" || config.Architecture != "arm64" {
		t.Errorf("the configuration is %+v", config)
	}
}
