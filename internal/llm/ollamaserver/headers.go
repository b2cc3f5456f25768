package ollamaserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The server's sources come without three libraries that are nothing but headers.
const (
	headerModule   = "github.com/gen2brain/malgo"                                 // has miniaudio.h at its root
	headerProbe    = "#include <nlohmann/json.hpp>\n#include <stb/stb_image.h>\n" // the other two
	headerAdvice   = "install them (Debian, Ubuntu: apt-get install nlohmann-json3-dev libstb-dev; Fedora: dnf install json-devel stb-devel)"
	compilerAdvice = "install one (Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++)"
)

// headerPackages are Debian's packages of the libraries that headerProbe asks for.
func headerPackages() []string { return []string{"nlohmann-json3-dev", "libstb-dev"} }

// includes adds to env where the compilers find the headers. They are named in CPATH and not in flags: what is in flags
// is part of the key under which Go remembers what it has compiled, and the folders are new each time.
func (p *plan) includes(ctx context.Context, work string, env []string) ([]string, error) {
	compiler, err := p.compiler(ctx, env)
	if err != nil {
		return nil, err
	}
	include := filepath.Join(work, "include")
	if err := os.Mkdir(include, 0o755); err != nil {
		return nil, fmt.Errorf("make folder for headers: %w", err)
	}
	malgo, err := moduleDir(ctx, p.src, env, headerModule)
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(malgo, filepath.Join(include, "miniaudio")); err != nil {
		return nil, fmt.Errorf("link miniaudio's header: %w", err)
	}
	path := include
	if old := os.Getenv("CPATH"); old != "" {
		path += string(os.PathListSeparator) + old
	}
	env = append(env, "CPATH="+path)
	if compiles(ctx, work, env, compiler) {
		return env, nil
	}
	return fetchHeaders(ctx, work, env, path, compiler)
}

// compiler returns the C++ compiler that Go would use, as words of a command.
func (p *plan) compiler(ctx context.Context, env []string) ([]string, error) {
	out, err := output(ctx, p.src, env, "go", "env", "CC", "CXX")
	if err != nil {
		return nil, fmt.Errorf("ask go for its compilers: %w", err)
	}
	var words []string
	for line := range strings.Lines(string(out)) {
		if words = strings.Fields(line); len(words) == 0 {
			return nil, errors.New("building Ollama needs a C++ compiler, and go names none; " + compilerAdvice)
		}
		if _, err := exec.LookPath(words[0]); err != nil {
			return nil, fmt.Errorf("building Ollama needs a C and a C++ compiler, and there is no %s; %s", words[0], compilerAdvice)
		}
	}
	return words, nil
}

// compiles reports whether the compiler finds the headers.
func compiles(ctx context.Context, work string, env, compiler []string) bool {
	probe := filepath.Join(work, "probe.cpp")
	if os.WriteFile(probe, []byte(headerProbe), 0o644) != nil {
		return false
	}
	_, err := output(ctx, work, env, compiler[0], append(compiler[1:], "-E", "-o", os.DevNull, probe)...)
	return err == nil
}

// fetchHeaders gets the headers from Debian's packages: installed by root, unpacked into work by anybody.
func fetchHeaders(ctx context.Context, work string, env []string, path string, compiler []string) ([]string, error) {
	missing := errors.New("building Ollama needs the headers of nlohmann-json and stb; " + headerAdvice)
	if _, err := exec.LookPath("apt-get"); err != nil {
		return nil, missing
	}
	quiet := slices.Concat(env, []string{"DEBIAN_FRONTEND=noninteractive"})
	var problems []error
	if os.Getuid() == 0 {
		_, updated := output(ctx, work, quiet, "apt-get", "update", "-qq")
		_, installed := output(ctx, work, quiet, "apt-get", append([]string{"install", "-qq", "-y", "--no-install-recommends"}, headerPackages()...)...)
		if compiles(ctx, work, env, compiler) {
			return env, nil
		}
		problems = append(problems, updated, installed)
	}
	unpacked := filepath.Join(work, "unpacked")
	problems = append(problems, unpack(ctx, work, quiet, unpacked))
	env = append(env, "CPATH="+path+string(os.PathListSeparator)+filepath.Join(unpacked, "usr", "include"))
	if compiles(ctx, work, env, compiler) {
		return env, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, errors.Join(append([]error{missing}, problems...)...)
}

// unpack downloads the packages as an ordinary user can, and unpacks them into a folder.
func unpack(ctx context.Context, work string, env []string, into string) error {
	dir := filepath.Join(work, "packages")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("make folder for packages: %w", err)
	}
	if _, err := output(ctx, dir, env, "apt-get", append([]string{"download", "-qq"}, headerPackages()...)...); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil {
		return fmt.Errorf("list packages: %w", err)
	}
	for _, deb := range found {
		if _, err := output(ctx, dir, env, "dpkg-deb", "-x", deb, into); err != nil {
			return err
		}
	}
	return nil
}
