package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/blakesmith/ar"
	"github.com/google/go-cmp/cmp"
	"github.com/sassoftware/go-rpmutils"
	"github.com/ulikunitz/xz"
)

// buildSmall builds a small program that has modules, whose licences are in the module cache.
func buildSmall(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./testdata/small").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// makeRelease runs the command over the sources, with a stage of two files, and returns what it made, by name.
func makeRelease(t *testing.T, programs ...string) map[string][]byte {
	t.Helper()
	stage, out := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{"usr/bin/hob": "of another processor", "usr/lib/systemd/system/hob.service": "[Unit]\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(stage, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(stage, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-source", "../..", "-stage", stage, "-out", out, "-version", "0.1.0+git1", "-time", "1764000000"}, programs...)
	if err := run(args); err != nil {
		t.Fatal(err)
	}
	made := map[string][]byte{}
	found, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if made[f.Name()], err = os.ReadFile(filepath.Join(out, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// unpack returns the files of a tar, by path: "MODE OWNER/GROUP", and their text.
func unpack(t *testing.T, from io.Reader) (found map[string]string, texts map[string][]byte) {
	t.Helper()
	found, texts = map[string]string{}, map[string][]byte{}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.ModTime.Unix() != 1764000000 {
			t.Errorf("%s is of %v", h.Name, h.ModTime)
		}
		if h.Typeflag == tar.TypeReg {
			path := strings.TrimPrefix(h.Name, ".")
			found[path] = fmt.Sprintf("%o %d/%d", h.Mode, h.Uid, h.Gid)
			if texts[path], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// readDeb returns the two parts of a .deb.
func readDeb(t *testing.T, deb []byte) (control map[string][]byte, found map[string]string, texts map[string][]byte) {
	t.Helper()
	for r := ar.NewReader(bytes.NewReader(deb)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return control, found, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch h.Name {
		case "control.tar.gz":
			packed, err := gzip.NewReader(r)
			if err != nil {
				t.Fatal(err)
			}
			_, control = unpack(t, packed)
		case "data.tar.xz":
			packed, err := xz.NewReader(r)
			if err != nil {
				t.Fatal(err)
			}
			found, texts = unpack(t, packed)
		}
	}
}

// Every format has the same files, which are root's, and the program of its processor; the sums are right.
func TestRelease(t *testing.T) {
	small := buildSmall(t)
	own, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	made := makeRelease(t, "amd64="+small, "arm="+small)
	want := []string{"SHA256SUMS", "hob-0.1.0+git1-1.armv7hl.rpm", "hob-0.1.0+git1-1.x86_64.rpm",
		"hob-0.1.0+git1-linux-amd64.cdx.json", "hob-0.1.0+git1-linux-amd64.tar.gz", "hob-0.1.0+git1-linux-armhf.cdx.json",
		"hob-0.1.0+git1-linux-armhf.tar.gz", "hob_0.1.0+git1_amd64.deb", "hob_0.1.0+git1_armhf.deb"}
	if d := cmp.Diff(want, sorted(made)); d != "" {
		t.Fatalf("made (-want +got):\n%s", d)
	}
	for _, name := range want[1:] {
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(made[name]), name); !strings.Contains(string(made["SHA256SUMS"]), line) {
			t.Errorf("SHA256SUMS has not %q", line)
		}
	}

	control, found, texts := readDeb(t, made["hob_0.1.0+git1_amd64.deb"])
	if !bytes.Equal(texts["/usr/bin/hob"], own) {
		t.Error("the .deb has another program")
	}
	expected := map[string]string{"/usr/bin/hob": "755 0/0", "/etc/hob/config.toml": "644 0/0", "/usr/lib/systemd/system/hob.service": "644 0/0"}
	for _, doc := range []string{"NOTICE", "README.md", "CHANGELOG.md", "copyright", "sbom.cdx.json"} {
		expected["/usr/share/doc/hob/"+doc] = "644 0/0"
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		expected["/usr/share/doc/hob/docs/"+filepath.Base(page)] = "644 0/0"
	}
	if d := cmp.Diff(expected, found); d != "" {
		t.Errorf("the .deb (-want +got):\n%s", d)
	}
	if got := string(control["/conffiles"]); got != "/etc/hob/config.toml\n" {
		t.Errorf("conffiles are %q", got)
	}
	for _, line := range []string{"Package: hob\n", "Version: 0.1.0+git1\n", "Architecture: amd64\n", "Depends: debconf (>= 0.5) | debconf-2.0\n"} {
		if !strings.Contains(string(control["/control"]), line) {
			t.Errorf("control has no line %q:\n%s", line, control["/control"])
		}
	}
	for name, from := range map[string]string{"/postinst": "postinst.sh", "/prerm": "prerm.sh", "/postrm": "postrm.sh", "/templates": "templates"} {
		if text, err := os.ReadFile(from); err != nil || !bytes.Equal(control[name], text) {
			t.Errorf("%s is not %s, %v", name, from, err)
		}
	}

	packed, err := gzip.NewReader(bytes.NewReader(made["hob-0.1.0+git1-linux-amd64.tar.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	inArchive, _ := unpack(t, packed)
	for path, mode := range expected {
		if below, ok := strings.CutPrefix(path, "/usr/"); ok && inArchive["hob-0.1.0+git1-linux-amd64/"+below] != mode {
			t.Errorf("the archive has %s as %q", below, inArchive["hob-0.1.0+git1-linux-amd64/"+below])
		}
	}
	if len(inArchive) != len(expected)-1 {
		t.Errorf("the archive has %d files, want those %d that are not below /etc", len(inArchive), len(expected)-1)
	}
}

// The .rpm has what the .deb has.
func TestRelease_RPM(t *testing.T) {
	made := makeRelease(t, "arm64="+buildSmall(t))
	rpm, err := rpmutils.ReadRpm(bytes.NewReader(made["hob-0.1.0+git1-1.aarch64.rpm"]))
	if err != nil {
		t.Fatal(err)
	}
	infos, err := rpm.Header.GetFiles()
	if err != nil {
		t.Fatal(err)
	}
	got, config := map[string]string{}, []string{}
	for _, f := range infos {
		got[f.Name()] = fmt.Sprintf("%o %s/%s", f.Mode()&0o777, f.UserName(), f.GroupName())
		if f.Flags()&rpmutils.RPMFILE_CONFIG != 0 && f.Flags()&rpmutils.RPMFILE_NOREPLACE != 0 {
			config = append(config, f.Name())
		}
	}
	_, deb, _ := readDeb(t, made["hob_0.1.0+git1_arm64.deb"])
	want := map[string]string{}
	for path, mode := range deb {
		want[path] = strings.Replace(mode, "0/0", "root/root", 1)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the .rpm (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"/etc/hob/config.toml"}, config); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
}

// The same input makes the same bytes.
func TestRelease_Reproducible(t *testing.T) {
	small := buildSmall(t)
	one, two := makeRelease(t, "riscv64="+small), makeRelease(t, "riscv64="+small)
	for name := range one {
		if !bytes.Equal(one[name], two[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// The list of modules is the one of the build info, and each of them is in NOTICE.
func TestSBOM(t *testing.T) {
	small := buildSmall(t)
	made := makeRelease(t, "amd64="+small)
	info, err := buildinfo.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	var list cdx.BOM
	if err := json.Unmarshal(made["hob-0.1.0+git1-linux-amd64.cdx.json"], &list); err != nil {
		t.Fatal(err)
	}
	_, _, texts := readDeb(t, made["hob_0.1.0+git1_amd64.deb"])
	want, got := map[string]string{"std": info.GoVersion}, map[string]string{}
	for _, m := range info.Deps {
		want[m.Path] = m.Version
		if !strings.Contains(string(texts["/usr/share/doc/hob/NOTICE"]), "\n"+m.Path+" "+m.Version+"\n") {
			t.Errorf("NOTICE has no %s %s", m.Path, m.Version)
		}
	}
	for _, c := range *list.Components {
		got[c.Name] = c.Version
		if c.Licenses == nil || c.Name != "std" && (c.Hashes == nil || len((*c.Hashes)[0].Value) != 64) {
			t.Errorf("%s is listed without a licence or a checksum", c.Name)
		}
	}
	if d := cmp.Diff(want, got); d != "" || len(got) < 3 {
		t.Errorf("components (-want +got):\n%s", d)
	}
	if refs := *(*list.Dependencies)[0].Dependencies; len(refs) != len(want) {
		t.Errorf("hob depends on %d of %d", len(refs), len(want))
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(texts)), func(p string) bool { return strings.HasSuffix(p, "sbom.cdx.json") }) {
		t.Error("the package has no list")
	}
}

// A module without terms makes no release.
func TestLicences(t *testing.T) {
	dir := t.TempDir()
	if all, err := licencesIn(dir); err == nil {
		t.Errorf("found %v", all)
	}
	for _, name := range []string{"LICENSE", "COPYING.txt", "license-mit", "NOTICE", "licenses.go", "main.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := licencesIn(dir)
	var names []string
	for _, l := range all {
		names = append(names, l.name)
	}
	if d := cmp.Diff([]string{"COPYING.txt", "LICENSE", "NOTICE", "license-mit"}, names); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

// The scripts of packages are in the shell's language. What they do is tried by tools/package-test.
func TestScripts(t *testing.T) {
	for _, script := range []string{"postinst.sh", "prerm.sh", "postrm.sh"} {
		if out, err := exec.CommandContext(t.Context(), "sh", "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
}
