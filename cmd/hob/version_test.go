package main

import (
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A program says what it was built from: by the build info, by the stamp of a release, or that nobody knows.
func TestBuildOf(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm"}}
	vcs := append([]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-24T10:00:00Z"},
		{Key: "vcs.modified", Value: "true"}}, settings...)
	for _, c := range []struct {
		name, stamp string
		info        debug.BuildInfo
		want        string
	}{
		{"of a repository", "", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.1.0"}, Settings: vcs},
			"hob v0.1.0\ncommit 0123456789ab and changes of 2026-11-24T10:00:00Z, go1.26.8, linux/arm"},
		{"of a folder", "", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: settings},
			"hob unknown\ngo1.26.8, linux/arm"},
		{"of a release", "v0.1.0 fedcba9876543210 2026-11-25T10:00:00Z", debug.BuildInfo{GoVersion: "go1.26.8", Settings: settings},
			"hob v0.1.0\ncommit fedcba987654 of 2026-11-25T10:00:00Z, go1.26.8, linux/arm"},
		{"of changed files", "v0.1.0+git20261125.fedcba98.changed fedcba9876543210 2026-11-25T10:00:00Z", debug.BuildInfo{GoVersion: "go1.26.8", Settings: settings},
			"hob v0.1.0+git20261125.fedcba98.changed\ncommit fedcba987654 and changes of 2026-11-25T10:00:00Z, go1.26.8, linux/arm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := buildOf(&c.info, c.stamp).String(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A module that another takes the place of is shown as what is linked.
func TestBuildOf_Modules(t *testing.T) {
	got := buildOf(&debug.BuildInfo{Deps: []*debug.Module{{Path: "example.org/a", Version: "v1.0.0", Sum: "h1:a"},
		{Path: "example.org/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/fork", Version: "v1.0.1", Sum: "h1:f"}}}}, "").Modules
	want := []moduleSum{{"example.org/a", "v1.0.0", "h1:a"}, {"example.org/fork", "v1.0.1", "h1:f"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
