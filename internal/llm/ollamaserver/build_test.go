package ollamaserver_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm/ollamaserver"
)

// workshop is a computer on which everything that a build needs is a shell script, in $TOOLS. Each notes what it was
// asked in $TOOLS/log. The headers are found where CPATH names a folder that has nlohmann.
type workshop struct {
	tools, cache, src string
}

const (
	fakeGo = `case "$1" in
env) printf 'cc\nc++\n' ;;
mod) echo "{\"Dir\":\"$TOOLS\"}" ;;
build)
	while [ "$1" != -o ]; do shift; done
	echo "build $3" >>"$TOOLS/log"
	[ ! -e "$TOOLS/broken" ] || { echo "repack.cpp: warning"; echo "repack.cpp: error: no"; exit 1; }
	[ ! -e "$TOOLS/slow" ] || { sleep 1000 >"$TOOLS/slow" & wait; }
	printf '#!/bin/sh\n' >"$2"; chmod +x "$2" ;;
esac`
	fakeCompiler = `IFS=:
for dir in $CPATH; do [ ! -e "$dir/nlohmann" ] || exit 0; done
echo "fatal error: nlohmann/json.hpp: No such file or directory" >&2; exit 1`
	fakeApt = `echo "apt-get $1" >>"$TOOLS/log"
[ "$1" != download ] || : >some.deb`
	fakeUnpack = `echo "dpkg-deb $(basename "$2")" >>"$TOOLS/log"; mkdir -p "$3/usr/include/nlohmann"`
)

// newWorkshop puts the named scripts on an otherwise empty PATH, and points the build's cache into the test's folder.
func newWorkshop(t *testing.T, scripts map[string]string) workshop {
	t.Helper()
	w := workshop{tools: t.TempDir(), cache: t.TempDir(), src: t.TempDir()}
	for name, text := range scripts {
		w.write(t, filepath.Join(w.tools, name), "#!/bin/sh\nPATH=/usr/bin:/bin\n"+text+"\n", 0o755)
	}
	w.write(t, filepath.Join(w.src, "go.mod"), "module x\n\nrequire github.com/ollama/ollama v0.24.0 // indirect\n", 0o644)
	t.Setenv("TOOLS", w.tools)
	t.Setenv("PATH", w.tools)
	t.Setenv("CPATH", "")
	t.Setenv("XDG_CACHE_HOME", w.cache)
	return w
}

func (w workshop) write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// withHeaders makes the compiler find all headers by itself.
func (w workshop) withHeaders(t *testing.T) workshop {
	t.Helper()
	if err := os.Mkdir(filepath.Join(w.tools, "nlohmann"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CPATH", w.tools)
	return w
}

func (w workshop) log(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.tools, "log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Fields(strings.ReplaceAll(string(text), " ", "_"))
}

// kept lists what is in the cache, with the hash left out.
func (w workshop) kept(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(w.cache, func(path string, _ os.DirEntry, err error) error {
		name := strings.TrimPrefix(path, filepath.Join(w.cache, "hob"))
		if i := strings.Index(name, "v0.24.0-"); i >= 0 {
			name = name[:i+len("v0.24.0-")] + "#" + name[i+len("v0.24.0-")+12:]
		}
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names[2:] // of the cache and hob
}

// nothing reports to nobody.
func nothing(ollamaserver.Progress) {}

func tools() map[string]string { return map[string]string{"go": fakeGo, "cc": "", "c++": fakeCompiler} }

var whole = []string{"/ollama-v0.24.0-#", "/ollama-v0.24.0-#/ollama", "/ollama-v0.24.0-#.lock"}

func TestBuildOnce(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			path, err := ollamaserver.Build(t.Context(), w.src, nothing)
			if err != nil {
				t.Error(err)
			}
			if info, err := os.Stat(path); err != nil || info.Size() == 0 || !filepath.IsAbs(path) {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff([]string{"build_github.com/ollama/ollama"}, w.log(t)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(whole, w.kept(t)); diff != "" {
		t.Error(diff)
	}
}

func TestBuildSaysThatItTakesAWhile(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	var got []string
	for range 2 {
		if _, err := ollamaserver.Build(t.Context(), w.src, func(p ollamaserver.Progress) { got = append(got, p.String()) }); err != nil {
			t.Fatal(err)
		}
	}
	// The second call builds nothing. A machine that stands still may see more than the first lines.
	want := []string{"building Ollama v0.24.0 from source; this usually takes 3 to 5 minutes"}
	got = slices.DeleteFunc(got, func(line string) bool { return strings.Contains(line, " so far") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Other sources are another build, and do not replace the first.
func TestBuildFollowsItsSources(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	w.write(t, filepath.Join(w.src, "main.go"), "package main\n", 0o644)
	first, err := ollamaserver.Build(t.Context(), w.src, nothing)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.src, "main.go"), "package mine\n", 0o644)
	second, err := ollamaserver.Build(t.Context(), w.src, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if first == second || len(w.log(t)) != 2 {
		t.Errorf("first %v, then %v, with %v", first, second, w.log(t))
	}
}

func TestBuildThatFailedIsTriedAgain(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	broken := filepath.Join(w.tools, "broken")
	w.write(t, broken, "", 0o644)
	_, err := ollamaserver.Build(t.Context(), w.src, nothing)
	if err == nil || !strings.HasPrefix(err.Error(), "build ollama: go build ") || !strings.HasSuffix(err.Error(), ": exit status 1\nrepack.cpp: warning\nrepack.cpp: error: no") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(whole[2:], w.kept(t)); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	if _, err := ollamaserver.Build(t.Context(), w.src, nothing); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(whole, w.kept(t)); diff != "" {
		t.Error(diff)
	}
}

// What a process that was killed left behind is neither used nor in the way: half a build, an empty file.
func TestBuildRepairs(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	server, err := ollamaserver.Build(t.Context(), w.src, nothing)
	if err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func() error{
		"a server that is missing":    func() error { return os.Remove(server) },
		"a server that is empty":      func() error { return os.Truncate(server, 0) },
		"a server that is no program": func() error { return os.Chmod(server, 0o644) },
		"a folder that is missing":    func() error { return os.RemoveAll(filepath.Dir(server)) },
		"a build that was interrupted": func() error {
			half := filepath.Dir(server) + ".building"
			return errors.Join(os.RemoveAll(filepath.Dir(server)), os.MkdirAll(filepath.Join(half, "out", "ollama"), 0o755),
				os.Symlink("nowhere", filepath.Join(half, "include")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := harm(); err != nil {
				t.Fatal(err)
			}
			if _, err := ollamaserver.Build(t.Context(), w.src, nothing); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(whole, w.kept(t)); diff != "" {
				t.Error(diff)
			}
			if err := exec.Command(server).Run(); err != nil {
				t.Errorf("run what was built: %v", err)
			}
		})
	}
}

// A build that is cancelled ends its compilers, leaves nothing, and frees whoever waits for it.
func TestBuildCancelled(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	slow := filepath.Join(w.tools, "slow")
	if err := syscall.Mkfifo(slow, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error, 2)
	begin := func() {
		go func() {
			_, err := ollamaserver.Build(ctx, w.src, nothing)
			ended <- err
		}()
	}
	begin()
	compiler, err := os.Open(slow) // waits until one runs
	if err != nil {
		t.Fatal(err)
	}
	defer compiler.Close()
	begin() // waits for the lock
	enough := errors.New("enough")
	cancel(enough)
	for range 2 {
		if err := <-ended; !errors.Is(err, enough) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := io.Copy(io.Discard, compiler); err != nil { // waits until none runs
		t.Error(err)
	}
	if diff := cmp.Diff(whole[2:], w.kept(t)); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(slow); err != nil {
		t.Fatal(err)
	}
	if _, err := ollamaserver.Build(t.Context(), w.src, nothing); err != nil {
		t.Error(err)
	}
}

// Headers that are missing come from Debian's packages. Root tries to install them first.
func TestBuildFetchesHeaders(t *testing.T) {
	all := tools()
	all["apt-get"], all["dpkg-deb"] = fakeApt, fakeUnpack
	w := newWorkshop(t, all)
	if _, err := ollamaserver.Build(t.Context(), w.src, nothing); err != nil {
		t.Fatal(err)
	}
	want := []string{"apt-get_download", "dpkg-deb_some.deb", "build_github.com/ollama/ollama"}
	if os.Getuid() == 0 {
		want = slices.Concat([]string{"apt-get_update", "apt-get_install"}, want)
	}
	if diff := cmp.Diff(want, w.log(t)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(whole, w.kept(t)); diff != "" {
		t.Error(diff)
	}
}

func TestBuildSaysWhatIsMissing(t *testing.T) {
	without := func(names ...string) map[string]string {
		all := tools()
		for _, name := range names {
			delete(all, name)
		}
		return all
	}
	failing := tools()
	failing["apt-get"] = "echo 'E: Could not resolve the host' >&2; exit 100"
	const headers = "building Ollama needs the headers of nlohmann-json and stb; install them (Debian, Ubuntu: apt-get install " +
		"nlohmann-json3-dev libstb-dev; Fedora: dnf install json-devel stb-devel)"
	const compiler = "; install one (Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++)"
	for name, tt := range map[string]struct {
		tools map[string]string
		want  string
	}{
		"Go":             {without("go"), "building Ollama needs the Go toolchain, and there is no go command; install it from https://go.dev/dl"},
		"a C compiler":   {without("cc"), "building Ollama needs a C and a C++ compiler, and there is no cc" + compiler},
		"a C++ compiler": {without("c++"), "building Ollama needs a C and a C++ compiler, and there is no c++" + compiler},
		"headers":        {tools(), headers},
		"the network":    {failing, headers},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t, tt.tools)
			_, err := ollamaserver.Build(t.Context(), w.src, nothing)
			first := ""
			if err != nil {
				first, _, _ = strings.Cut(err.Error(), "\n")
			}
			if diff := cmp.Diff(tt.want, first); diff != "" {
				t.Error(diff)
			}
			if name == "the network" && !strings.Contains(err.Error(), "Could not resolve the host") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Without a HOME the cache is below the folder for temporary files, where anybody may have been first.
func TestBuildWithoutHome(t *testing.T) {
	w := newWorkshop(t, tools()).withHeaders(t)
	temp := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("TMPDIR", temp)
	path, err := ollamaserver.Build(t.Context(), w.src, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(path, temp) {
		t.Errorf("built %s", path)
	}
	found, err := filepath.Glob(filepath.Join(temp, "hob-cache-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v: %v", found, err)
	}
	if err := os.Chmod(found[0], 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := ollamaserver.Build(t.Context(), w.src, nothing); err == nil || !strings.Contains(err.Error(), "can be written by others") {
		t.Errorf("used a folder that anybody can write: %v", err)
	}
}

func TestSource(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	src := filepath.Join(root, "tools", "ollama")
	if err := errors.Join(os.MkdirAll(deep, 0o755), os.MkdirAll(src, 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := ollamaserver.Source(deep); err == nil {
		t.Error("found sources that are not there")
	}
	if err := os.WriteFile(filepath.Join(src, "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := ollamaserver.Source(deep); got != src || err != nil {
		t.Errorf("got %s: %v", got, err)
	}
}
