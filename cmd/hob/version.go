package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// stamp is "VERSION COMMIT TIME". The linker sets it in the builds of make dist, because a source
// archive has no repository to read these from. Other builds leave it empty and use Go's build
// info.
var stamp string

// build describes how a program was built, as hob version --json prints it.
type build struct {
	Version string      `json:"version"` // a tag, the pseudo version of a commit, or "unknown"
	Commit  string      `json:"commit,omitempty"`
	Time    string      `json:"time,omitempty"`    // of the commit, RFC 3339
	Changed bool        `json:"changed,omitempty"` // the files differed from the commit
	Go      string      `json:"go"`
	OS      string      `json:"os"`
	Arch    string      `json:"arch"`
	Modules []moduleSum `json:"modules"`
}

// moduleSum is a linked module with its checksum from go.sum.
type moduleSum struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

// version returns this program's version: a tag, or the pseudo version of a commit. A build outside
// a repository has "unknown".
func version() string { return ownBuild().Version }

func ownBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return buildOf(info, stamp)
}

// buildOf describes a build. A stamp wins over the build info.
func buildOf(info *debug.BuildInfo, stamp string) build {
	of := map[string]string{}
	for _, s := range info.Settings {
		of[s.Key] = s.Value
	}
	b := build{Version: info.Main.Version, Commit: of["vcs.revision"], Time: of["vcs.time"], Changed: of["vcs.modified"] == "true",
		Go: info.GoVersion, OS: of["GOOS"], Arch: of["GOARCH"], Modules: []moduleSum{}}
	if words := strings.Fields(stamp); len(words) == 3 {
		b.Version, b.Commit, b.Time, b.Changed = words[0], words[1], words[2], strings.HasSuffix(words[0], ".changed")
	}
	if b.Version == "(devel)" {
		b.Version = ""
	}
	b.Version = cmp.Or(b.Version, "unknown")
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Modules = append(b.Modules, moduleSum{m.Path, m.Version, m.Sum})
	}
	return b
}

// String renders the build as hob version prints it.
func (b build) String() string {
	text := ""
	if b.Commit != "" {
		text = "commit " + b.Commit[:min(len(b.Commit), 12)]
		if b.Changed {
			text += " and changes"
		}
		text += " of " + b.Time + ", "
	}
	return fmt.Sprintf("hob %s\n%s%s, %s/%s", b.Version, text, b.Go, b.OS, b.Arch)
}

func versionCommand(a *program) *cobra.Command {
	return a.withOwnResult(&cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
	}, func(context.Context, []string) (result, error) {
		b := ownBuild()
		return result{value: b, text: b.String() + "\n"}, nil
	})
}
