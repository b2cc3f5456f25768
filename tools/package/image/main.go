// Command image makes an image for containers of one layer, in the form that docker save has and docker load and podman load read.
//
//	image -layer FILE.tar -arch amd64 -version 0.1.0 -time 1764000000 -out FILE.tar
//
// The program of the image runs as its user hob, and keeps all in /var/lib/hob: configuration, journal and workspace.
package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const state = "/var/lib/hob"

// image is its configuration, as OCI's image specification names the fields.
type image struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       settings  `json:"config"`
	RootFS       rootFS    `json:"rootfs"`
}

type settings struct {
	User       string
	Env        []string
	Entrypoint []string
	Cmd        []string
	Volumes    map[string]struct{}
	WorkingDir string
	StopSignal string
	Labels     map[string]string
}

type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

// saved is an entry of manifest.json.
type saved struct {
	Config   string
	RepoTags []string
	Layers   []string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "image: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	layer := flags.String("layer", "", "tar of the root")
	arch := flags.String("arch", "", "processor, as Go calls it")
	version := flags.String("version", "", "version of hob")
	epoch := flags.Int64("time", 0, "seconds since 1970: when it was made")
	out := flags.String("out", "", "file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := os.Open(*layer)
	if err != nil {
		return err
	}
	defer root.Close()
	made, err := os.Create(*out)
	if err != nil {
		return err
	}
	if err := write(made, root, *arch, *version, time.Unix(*epoch, 0).UTC()); err != nil {
		return err
	}
	return made.Close()
}

// write writes the image of a root.
func write(to io.Writer, root io.ReadSeeker, arch, version string, at time.Time) error {
	hash := sha256.New()
	size, err := io.Copy(hash, root)
	if err != nil {
		return fmt.Errorf("read the root: %w", err)
	}
	if _, err := root.Seek(0, io.SeekStart); err != nil {
		return err
	}
	layer := fmt.Sprintf("%x", hash.Sum(nil))
	config, err := json.Marshal(image{Created: at, Architecture: arch, OS: "linux",
		Config: settings{User: "hob", Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + state, "HOB_CONFIG=" + state + "/config.toml", "LANG=C.UTF-8"},
			Entrypoint: []string{"/usr/bin/hob"}, Cmd: []string{"serve"}, Volumes: map[string]struct{}{state: {}}, WorkingDir: state,
			StopSignal: "SIGTERM", Labels: map[string]string{"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT"}},
		RootFS: rootFS{"layers", []string{"sha256:" + layer}}})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%x.json", sha256.Sum256(config))
	// A tag has no plus.
	manifest, err := json.Marshal([]saved{{name, []string{"localhost/hob:" + strings.ReplaceAll(version, "+", "-")}, []string{layer + "/layer.tar"}}})
	if err != nil {
		return err
	}
	archive := tar.NewWriter(to)
	for _, f := range []struct {
		name string
		size int64
		text io.Reader
	}{{name, int64(len(config)), bytes.NewReader(config)}, {layer + "/layer.tar", size, root}, {"manifest.json", int64(len(manifest)), bytes.NewReader(manifest)}} {
		if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: 0o644, Size: f.size, ModTime: at}); err != nil {
			return err
		}
		if _, err := io.Copy(archive, f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}
