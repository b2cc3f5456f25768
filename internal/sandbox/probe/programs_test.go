//go:build linux

package probe_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"hob/internal/sandbox"
)

// program is one that people use, and a small piece of work for it. Those that the machine does not have are passed
// over by name.
type program struct {
	name   string
	needs  string // files that must be there besides, or instead when the name has two words
	script string
	want   string
	weak   string // why it is not tried in the third tier
	full   bool   // only with HOB_TEST_FULL: the standard library is compiled first
}

const (
	noShm  = "that tier has no /dev/shm"
	noUnix = "that tier has no unix sockets"
)

func programs() []program {
	return []program{
		{name: "sh", script: `x=$(printf '%s-' a b); echo "$x" >f; while read l; do echo "$l"; done <f`, want: "a-b-"},
		{name: "bash", script: `bash -c 'a=(1 2 3); diff <(echo x) <(echo x) && echo ${#a[@]} ${a[2]}'`, want: "3 3"},
		{name: "dash", script: `echo 'trap "echo bye" EXIT; echo hi | cat' | dash`, want: "hi\nbye"},
		{name: "coreutils", needs: "/usr/bin/sort /usr/bin/sha256sum", script: `seq 3 | sort -r | tr '\n' ,; mktemp >/dev/null && touch a && cp -a a b && mv b c && ln -s c d && readlink d && df . >/dev/null && printf x | sha256sum | cut -c1-8`, want: "3,2,1,c\n2d711642"},
		{name: "python3", script: `/usr/bin/python3 -c 'import json, os, tempfile, subprocess; tempfile.mkdtemp(); print(json.dumps({"a": [1, 2]}), subprocess.check_output(["echo", "sub"]).decode().strip())'`, want: `{"a": [1, 2]} sub`},
		{name: "python3 multiprocessing", needs: "/usr/bin/python3", weak: noShm, want: "[1, 4, 9]",
			script: "cat >m.py <<'E'\nfrom multiprocessing import Pool, Lock\ndef f(x): return x*x\nif __name__ == '__main__':\n  Lock()\n  with Pool(2) as p: print(p.map(f, [1, 2, 3]))\nE\n/usr/bin/python3 m.py"},
		{name: "python3 asyncio", needs: "/usr/bin/python3", weak: noUnix, want: "done", script: `/usr/bin/python3 -c 'import asyncio
async def f():
  p = await asyncio.create_subprocess_exec("echo", "done", stdout=asyncio.subprocess.PIPE)
  print((await p.communicate())[0].decode().strip())
asyncio.run(f())'`},
		{name: "perl", script: `perl -MFile::Temp=tempfile -e '($f, $n) = tempfile(); print $f "x"; close $f; print -s $n, " ", join(",", map { $_ * 2 } 1..3)'`, want: "1 2,4,6"},
		{name: "node", script: `node -e 'const fs = require("fs"); fs.writeFileSync("f", "x"); setTimeout(() => console.log([1, 2].map(x => x * 2).join(), fs.readFileSync("f", "utf8")), 1)'`, want: "2,4 x", weak: "node's pipes are unix sockets"},
		{name: "ruby", script: `ruby -e 'puts [1, 2].map { |x| x * 2 }.join(",")'`, want: "2,4"},
		{name: "php", script: `php -r 'echo json_encode([1, 2]);'`, want: "[1,2]"},
		{name: "lua", script: `lua -e 'print(1 + 2)'`, want: "3"},
		{name: "tclsh", script: `echo 'puts [expr 6 * 7]' | tclsh`, want: "42"},
		{name: "awk", script: `printf '1 2\n3 4\n' | awk '{s += $2} END {print s}'`, want: "6"},
		{name: "sed", script: `echo abc >f; sed -i 's/b/X/' f; cat f`, want: "aXc"},
		{name: "grep", script: `mkdir d; echo needle >d/f; grep -rl needle .`, want: "./d/f"},
		{name: "find", script: `mkdir -p a/b; touch a/b/c; find . -name c -print0 | xargs -0 ls`, want: "./a/b/c"},
		{name: "ed", weak: "that tier's folder for temporary files is not /tmp, and ed asks for no other", script: `printf 'a\nhello\n.\nw f\nq\n' | ed -s; cat f`, want: "hello"},
		{name: "tar", script: `mkdir d; echo x >d/f; tar czf d.tgz d; rm -r d; tar xzf d.tgz; cat d/f`, want: "x"},
		{name: "gzip", script: `echo x | gzip | gunzip`, want: "x"},
		{name: "bzip2", script: `echo x | bzip2 | bunzip2`, want: "x"},
		{name: "xz", script: `echo x | xz | unxz`, want: "x"},
		{name: "zstd", script: `echo x | zstd -q | zstd -dq`, want: "x"},
		{name: "zip", needs: "/usr/bin/unzip", script: `echo x >f; zip -q f.zip f; rm f; unzip -q f.zip; cat f`, want: "x"},
		{name: "sqlite3", script: `sqlite3 f.db 'pragma journal_mode=wal; create table t(a); insert into t values(1), (2);' && sqlite3 f.db 'select sum(a) from t'`, want: "wal\n3"},
		{name: "jq", script: `echo '{"a": [1, 2]}' | jq -c '.a | add'`, want: "3"},
		{name: "curl", script: `curl --version | head -1 | cut -d' ' -f1; echo x >f; curl -s file://$PWD/f`, want: "curl\nx"},
		{name: "bc", script: `echo '2^100' | bc`, want: "1267650600228229401496703205376"},
		{name: "diff", needs: "/usr/bin/patch", script: `printf 'a\n' >1; printf 'b\n' >2; diff -u 1 2 >p; patch -s 1 <p; cat 1`, want: "b"},
		{name: "git", script: `export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1; git init -q r && cd r && git config user.email a@b && git config user.name n && echo x >f && git add f && git commit -qm first && git checkout -qb other && echo y >f && git commit -qam second && git log --format=%s && git gc -q`, want: "second\nfirst"},
		{name: "gcc", script: "printf '#include <stdio.h>\\n#include <math.h>\\nint main(int c, char **v) { printf(\"%%.0f\\\\n\", sqrt(c * 1764)); }\\n' >m.c; gcc -O2 -o m m.c -lm && ./m", want: "42"},
		{name: "g++", script: "printf '#include <iostream>\\n#include <vector>\\nint main() { std::vector<int> v{1, 2}; std::cout << v.size() << std::endl; }\\n' >m.cc; g++ -o m m.cc && ./m", want: "2"},
		{name: "make", script: `printf 'all: a b\n\t@echo linked\n%%: ; @echo $@\n' >Makefile; make -s -j2 | sort`, want: "a\nb\nlinked"},
		{name: "cmake", script: `printf 'cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(m m.c)\n' >CMakeLists.txt; echo 'int main() { return 0; }' >m.c; cmake -S . -B b >/dev/null && cmake --build b >/dev/null && b/m && echo built`, want: "built"},
		{name: "gdb", script: `gdb -batch -ex 'print 6*7' 2>/dev/null | tail -1`, want: "$1 = 42"},
		{name: "openssl", script: `openssl genrsa -out k 2048 2>/dev/null && printf x | openssl dgst -sha256 | tail -c 9; openssl rand 8 | wc -c`, want: "921a4881\n8"},
		{name: "ssh-keygen", script: `ssh-keygen -q -t ed25519 -N '' -f k && cut -d' ' -f1 k.pub`, want: "ssh-ed25519"},
		{name: "java", weak: noUnix, needs: "/usr/bin/javac", script: `echo 'public class H { public static void main(String[] a) throws Exception { Thread t = new Thread(() -> System.out.println("hello")); t.start(); t.join(); } }' >H.java; javac H.java && java H`, want: "hello"},
		{name: "rustc", script: `echo 'fn main() { println!("hello"); }' >m.rs; rustc m.rs && ./m`, want: "hello"},
		{name: "go", script: `export HOME=$PWD GOCACHE=$PWD/c GOFLAGS=-mod=mod GOPROXY=off GOTELEMETRY=off GOTOOLCHAIN=local; printf 'module m\n' >go.mod; printf 'package m\n' >m.go; gofmt -l . && go list .`, want: "m"},
		{name: "go run", full: true, script: `export HOME=$PWD GOCACHE=$PWD/c GOFLAGS=-mod=mod GOPROXY=off GOTELEMETRY=off GOTOOLCHAIN=local; printf 'module m\n' >go.mod; printf 'package main\nimport "fmt"\nfunc main() { fmt.Println("hello") }\n' >m.go; go run .`, want: "hello"},
		{name: "strings and objects", needs: "/usr/bin/ar /usr/bin/nm /usr/bin/gcc", script: `echo 'int f;' >f.c; gcc -c f.c && ar rc f.a f.o && nm f.a | grep -c ' f$'`, want: "1"},
		{name: "vim", script: `echo abc >f; timeout 20 vim -u NONE -N -es -c '%s/b/X/' -c wq f </dev/null; cat f`, want: "aXc"},
	}
}

// where is the folder of a program as commands see it, or "". Programs in homes are not seen.
func where(name string) string {
	for _, dir := range []string{"/usr/bin", "/bin", "/usr/local/bin", "/usr/local/go/bin", "/usr/lib/go/bin"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
	}
	return ""
}

// missing is what of a program the machine lacks.
func (p program) missing() string {
	for _, path := range strings.Fields(p.needs) {
		if _, err := os.Stat(path); err != nil {
			return path
		}
	}
	if first, second, several := strings.Cut(p.name, " "); (!several || second == "run") && first != "coreutils" && where(first) == "" {
		return first
	}
	return ""
}

// What developers use works inside.
func TestPrograms(t *testing.T) {
	eachTier(t, func(t *testing.T, s *sandbox.Sandbox, tier sandbox.Tier) {
		if testing.Short() && tier != sandbox.T1 {
			t.Skip("takes a minute")
		}
		ran := 0
		for _, p := range programs() {
			if p.full && os.Getenv("HOB_TEST_FULL") == "" {
				t.Logf("%s: takes long", p.name)
				continue
			}
			if lacks := p.missing(); lacks != "" {
				t.Logf("%s: not on this machine (%s)", p.name, lacks)
				continue
			}
			if tier == sandbox.T3 && p.weak != "" {
				t.Logf("%s: not in this tier: %s", p.name, p.weak)
				continue
			}
			ran++
			t.Run(p.name, func(t *testing.T) {
				c := script(p.script)
				c.Timeout = 5 * time.Minute
				c.Env = append(environment(), "PATH=/usr/bin:/bin:/usr/local/bin:/usr/local/go/bin:/usr/lib/go/bin")
				says(t, command(t, s, sandbox.Limits{}, c), p.want)
			})
		}
		t.Logf("%d programs ran in %v on %s", ran, tier, runtime.GOARCH)
		if ran == 0 {
			t.Error("there was no program to run")
		}
	})
}
