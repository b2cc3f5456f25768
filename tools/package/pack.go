package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // a format that nfpm.Get knows
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // another
)

// pack makes a package of a format, as nfpm.yaml describes it, and returns the name of its file, too.
func (r *release) pack(format, arch string, all []file) (string, []byte, error) {
	dir := filepath.Join(r.source, "tools", "package")
	text, err := os.ReadFile(filepath.Join(dir, "nfpm.yaml"))
	if err != nil {
		return "", nil, err
	}
	nfpmArch := arch
	if arch == "arm" {
		nfpmArch = "arm7"
	}
	described, err := nfpm.ParseWithEnvMapping(bytes.NewReader(text), func(name string) string {
		return map[string]string{"VERSION": r.version, "ARCH": nfpmArch}[name]
	})
	if err != nil {
		return "", nil, fmt.Errorf("read nfpm.yaml: %w", err)
	}
	info, err := described.Get(format)
	if err != nil {
		return "", nil, err
	}
	info.MTime = r.time
	for _, script := range []*string{&info.Scripts.PostInstall, &info.Scripts.PreRemove, &info.Scripts.PostRemove, &info.Deb.Scripts.Templates} {
		if *script != "" {
			*script = filepath.Join(dir, *script)
		}
	}
	// nfpm reads files by their names.
	laid, err := os.MkdirTemp("", "hob-package-")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(laid)
	for i, f := range all {
		from := filepath.Join(laid, fmt.Sprint(i))
		if err := os.WriteFile(from, f.text, 0o644); err != nil {
			return "", nil, err
		}
		kind := files.TypeFile
		if f.config {
			kind = files.TypeConfigNoReplace
		}
		info.Contents = append(info.Contents, &files.Content{Source: from, Destination: "/" + f.path, Type: kind,
			FileInfo: &files.ContentFileInfo{Mode: f.mode, MTime: r.time}})
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return "", nil, err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return "", nil, fmt.Errorf("prepare a %s: %w", format, err)
	}
	var made bytes.Buffer
	if err := packager.Package(info, &made); err != nil {
		return "", nil, fmt.Errorf("make a %s: %w", format, err)
	}
	return packager.ConventionalFileName(info), made.Bytes(), nil
}

// archive makes a .tar.gz with one folder, which holds what a package has below /usr.
func (r *release) archive(name string, all []file) ([]byte, error) {
	var made bytes.Buffer
	packed, err := gzip.NewWriterLevel(&made, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(packed)
	below := map[string]file{}
	for _, f := range all {
		if path, ok := strings.CutPrefix(f.path, "usr/"); ok {
			below[name+"/"+path] = f
		}
	}
	for _, path := range sorted(below) {
		f := below[path]
		h := &tar.Header{Typeflag: tar.TypeReg, Name: path, Mode: int64(f.mode), Size: int64(len(f.text)), ModTime: r.time}
		if err := archive.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	err = packed.Close()
	return made.Bytes(), err
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
