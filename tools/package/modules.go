package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
	"golang.org/x/mod/module"
)

// linked are the modules of a program, without the main one, as they are linked.
func (p program) linked() (all []*debug.Module) {
	for _, m := range p.info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, m)
	}
	return all
}

var licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)([._-].*)?$`)

// licence is a file of a module's with terms.
type licence struct{ name, text string }

// licences returns the files with the terms of a module, from the module cache.
func licences(cache string, m *debug.Module) (all []licence, err error) {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return nil, err
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return nil, err
	}
	return licencesIn(filepath.Join(cache, path+"@"+version))
}

func licencesIn(dir string) (all []licence, err error) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read licences: %w", err)
	}
	for _, f := range found {
		if !f.Type().IsRegular() || !licenceName.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, licence{f.Name(), string(text)})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no licence", filepath.Base(dir))
	}
	return all, nil
}

// identifiers returns the SPDX identifiers of the licences that the files hold. A grant of patents has none.
func identifiers(all []licence) (ids []string) {
	for _, l := range all {
		for _, m := range licensecheck.Scan([]byte(l.text)).Match {
			if !m.IsURL && m.ID != "GooglePatentsFile" && !slices.Contains(ids, m.ID) {
				ids = append(ids, m.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// goEnv asks Go where it keeps something.
func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// notice makes the text of NOTICE: the terms of all that is in one of the programs beside hob itself, each once.
func (r *release) notice(programs []program) ([]byte, error) {
	cache, err := goEnv("GOMODCACHE")
	if err != nil {
		return nil, err
	}
	of := map[string][]string{} // by text: who has it
	add := func(who string, all []licence) {
		for _, l := range all {
			text := strings.TrimSpace(strings.ReplaceAll(l.text, "\r\n", "\n"))
			if !slices.Contains(of[text], who) {
				of[text] = append(of[text], who)
			}
		}
	}
	root, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	library, err := licencesIn(root)
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		add("Go's standard library, "+p.info.GoVersion, library)
		for _, m := range p.linked() {
			all, err := licences(cache, m)
			if err != nil {
				return nil, err
			}
			add(m.Path+" "+m.Version, all)
		}
	}
	letters, err := os.ReadFile(filepath.Join(r.source, "internal", "game", "chart", "glyphs.OFL.txt"))
	if err != nil {
		return nil, err
	}
	add("Chinese letters of maps", []licence{{"", string(letters)}})

	var text bytes.Buffer
	fmt.Fprintf(&text, "hob %s is licensed as the file LICENSE (in packages: copyright) says. The program holds the following, too.\n", r.version)
	texts := sorted(of)
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(of[a][0], of[b][0]) })
	for _, t := range texts {
		fmt.Fprintf(&text, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(of[t], "\n"), t)
	}
	return text.Bytes(), nil
}

// sbom makes the list of what a program is built of, as CycloneDX JSON. The build info has no graph: the program depends on all.
func (r *release) sbom(p program) ([]byte, error) {
	cache, err := goEnv("GOMODCACHE")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(p.text)
	root := cdx.Component{BOMRef: "pkg:golang/hob@v" + r.version, Type: cdx.ComponentTypeApplication, Name: "hob", Version: r.version,
		Hashes:   &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}}}
	std := "pkg:golang/std@" + strings.TrimPrefix(p.info.GoVersion, "go")
	components := []cdx.Component{{BOMRef: std, Type: cdx.ComponentTypeLibrary, Name: "std", Version: p.info.GoVersion, PackageURL: std,
		Scope: cdx.ScopeRequired, Licenses: &cdx.Licenses{{License: &cdx.License{ID: "BSD-3-Clause"}}}}}
	depends := []string{std}
	for _, m := range p.linked() {
		c, err := component(cache, m)
		if err != nil {
			return nil, err
		}
		components, depends = append(components, c), append(depends, c.BOMRef)
	}
	list := cdx.NewBOM()
	list.SerialNumber = "urn:uuid:" + uuid(sum[:])
	list.Metadata = &cdx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &root,
		Properties: &[]cdx.Property{{Name: "hob:arch", Value: debianArch(p.arch)}, {Name: "hob:go", Value: p.info.GoVersion}}}
	list.Components = &components
	list.Dependencies = &[]cdx.Dependency{{Ref: root.BOMRef, Dependencies: &depends}}
	var text bytes.Buffer
	err = cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(list, cdx.SpecVersion1_6)
	return text.Bytes(), err
}

// component describes a module. Its hash is the one of go.sum: that of the list of its files' hashes.
func component(cache string, m *debug.Module) (cdx.Component, error) {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url, Scope: cdx.ScopeRequired}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
	if err != nil || len(sum) != sha256.Size {
		return c, fmt.Errorf("%s has no checksum in the build info", m.Path)
	}
	c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	all, err := licences(cache, m)
	if err != nil {
		return c, err
	}
	ids := identifiers(all)
	if len(ids) == 0 {
		return c, fmt.Errorf("%s has a licence that has no SPDX identifier", m.Path)
	}
	c.Licenses = &cdx.Licenses{{Expression: strings.Join(ids, " AND ")}}
	return c, nil
}

// uuid makes an identifier of a hash, which is the same each time (RFC 9562, version 8).
func uuid(sum []byte) string {
	u := slices.Clone(sum[:16])
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
