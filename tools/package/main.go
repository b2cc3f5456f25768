// Command package makes what a release has of programs that are built, for one processor each:
//
//	package -source . -stage FOLDER -version 0.1.0 -time 1764000000 -out dist amd64=FILE arm64=FILE
//
// For each: a .deb and a .rpm, an archive, and a list of the modules in it (SBOM, CycloneDX). For all together: NOTICE with the
// licences of these modules, from Go's module cache, and SHA256SUMS. The stage is what make install laid below it; the program of
// each processor takes the place of the one there. The same input gives the same bytes: nothing is read from the clock, and no
// file has its own time, owner or group.
//
// It is a module of its own, so that hob does not depend on what makes packages.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// release is what is made, but for the programs.
type release struct {
	version string    // without a v
	time    time.Time // of all files
	source  string    // the folder of the sources
	files   []file    // of every processor
}

// file is one of a package's. Its path begins with usr or etc.
type file struct {
	path   string
	mode   fs.FileMode
	text   []byte
	config bool // people change it
}

// program is hob for one processor, in Go's name of it.
type program struct {
	arch string
	text []byte
	info *buildinfo.BuildInfo
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "package: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("package", flag.ContinueOnError)
	var r release
	var stage, out string
	var epoch int64
	flags.StringVar(&r.version, "version", "", "version, without a v")
	flags.StringVar(&r.source, "source", ".", "folder of the sources")
	flags.StringVar(&stage, "stage", "", "folder that make install laid its files below")
	flags.StringVar(&out, "out", "", "folder for what is made")
	flags.Int64Var(&epoch, "time", 0, "seconds since 1970: the time of all files")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if r.version == "" || stage == "" || out == "" || epoch == 0 || flags.NArg() == 0 {
		return fmt.Errorf("say -version, -stage, -out and -time, and for each processor ARCH=FILE")
	}
	r.time = time.Unix(epoch, 0).UTC()
	var programs []program
	for _, arg := range flags.Args() {
		p, err := readProgram(arg)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	if err := r.collect(stage, programs); err != nil {
		return err
	}
	return r.write(out, programs)
}

func readProgram(arg string) (program, error) {
	arch, path, _ := strings.Cut(arg, "=")
	text, err := os.ReadFile(path)
	if err != nil {
		return program{}, fmt.Errorf("read the program for %s: %w", arch, err)
	}
	info, err := buildinfo.Read(bytes.NewReader(text))
	if err != nil {
		return program{}, fmt.Errorf("read the build info of the program for %s: %w", arch, err)
	}
	return program{arch, text, info}, nil
}

// collect reads all files but those that differ from processor to processor.
func (r *release) collect(stage string, programs []program) error {
	add := func(path string, mode fs.FileMode, from string) error {
		text, err := os.ReadFile(from)
		r.files = append(r.files, file{path: path, mode: mode, text: text})
		return err
	}
	err := filepath.WalkDir(stage, func(from string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path, err := filepath.Rel(stage, from)
		if err != nil || path == "usr/bin/hob" {
			return err
		}
		return add(path, 0o644, from)
	})
	if err != nil {
		return fmt.Errorf("read what is installed: %w", err)
	}
	pages, err := filepath.Glob(filepath.Join(r.source, "docs", "*.md"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		if err := add("usr/share/doc/hob/docs/"+filepath.Base(page), 0o644, page); err != nil {
			return err
		}
	}
	for to, from := range map[string]string{"README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md", "copyright": "LICENSE"} {
		if err := add("usr/share/doc/hob/"+to, 0o644, filepath.Join(r.source, from)); err != nil {
			return err
		}
	}
	notice, err := r.notice(programs)
	if err != nil {
		return err
	}
	config, err := os.ReadFile(filepath.Join(r.source, "tools", "package", "config.toml"))
	r.files = append(r.files, file{path: "usr/share/doc/hob/NOTICE", mode: 0o644, text: notice},
		file{path: "etc/hob/config.toml", mode: 0o644, text: config, config: true})
	return err
}

// write writes all of a release, and the checksums.
func (r *release) write(out string, programs []program) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	made := map[string][]byte{}
	for _, p := range programs {
		list, err := r.sbom(p)
		if err != nil {
			return err
		}
		files := append([]file{{path: "usr/bin/hob", mode: 0o755, text: p.text},
			{path: "usr/share/doc/hob/sbom.cdx.json", mode: 0o644, text: list}}, r.files...)
		name := fmt.Sprintf("hob-%s-linux-%s", r.version, debianArch(p.arch))
		made[name+".cdx.json"] = list
		if made[name+".tar.gz"], err = r.archive(name, files); err != nil {
			return err
		}
		for _, format := range []string{"deb", "rpm"} {
			name, text, err := r.pack(format, p.arch, files)
			if err != nil {
				return err
			}
			made[name] = text
		}
	}
	var sums strings.Builder
	for _, name := range sorted(made) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(made[name]), name)
		if err := os.WriteFile(filepath.Join(out, name), made[name], 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// debianArch is a processor as Debian calls it.
func debianArch(goarch string) string {
	if goarch == "arm" {
		return "armhf"
	}
	return goarch
}
