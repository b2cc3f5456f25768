package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm/ollamaserver"
	"hob/internal/llm/ollamatest"
	"hob/internal/surface/cli"
)

// On a machine with Go and little more, make run ends in a prompt that does a chore, with and without a terminal. Nothing is
// built but hob, nothing is downloaded, and nothing is asked.
func TestMakeRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds hob")
	}
	path := t.TempDir()
	for _, name := range strings.Fields("go make bash git basename cat cp dirname echo env expr false head id install ln ls mkdir " +
		"mktemp mv pwd readlink rm rmdir sort test touch tr true uname wc") { // of the rest, all but go, make, bash and git is coreutils
		if real, err := exec.LookPath(name); err != nil {
			t.Fatal(err)
		} else if err := os.Symlink(real, filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE", "GOCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(out))
	words := []string{"make", "-C", filepath.Join("..", ".."), "run", "OUT=" + filepath.Join(t.TempDir(), "hob")}
	if unshare, err := exec.LookPath("unshare"); err == nil && exec.CommandContext(t.Context(), unshare, "-rm", "true").Run() == nil {
		words = append([]string{unshare, "-rm", "/bin/sh", "-c", withoutCompilers, "sh"}, words...)
	} else {
		t.Log("compilers are out of the path only: no mount namespace can be made here")
	}
	run := func(home string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Env = []string{"PATH=" + path, "HOME=" + home, "GOPROXY=off", "GOFLAGS=-trimpath", "GOTOOLCHAIN=local",
			"GOMODCACHE=" + known[0], "GOCACHE=" + known[1], "GOROOT=" + known[2]}
		return cmd
	}

	home := t.TempDir()
	for _, want := range []string{"› note buy milk", "› what are my notes?"} { // a second run writes no second note
		out, err := run(home).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "make run builds hob") || !strings.Contains(string(out), want) || !strings.Contains(string(out), "buy milk") {
			t.Fatalf("without a terminal, want %q: %v\n%s", want, err, out)
		}
	}
	if text, err := os.ReadFile(filepath.Join(home, ".local/state/hob/workspace/notes/general.md")); strings.Count(string(text), "buy milk") != 1 {
		t.Errorf("the note is %q, %v", text, err)
	}

	home = t.TempDir()
	cmd := run(home)
	talk := startAtTerminal(t, cmd)
	talk.until("make run builds hob")
	talk.until("This is hob.")
	talk.until("New here? /tour")
	talk.enter("note buy milk")
	talk.until("wrote notes/general.md")
	talk.leave(cmd)
	if _, err := os.Stat(filepath.Join(home, ".cache", "hob")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was built: %v", err)
	}
}

// withoutCompilers is a script that hides compilers and Ollama in a mount namespace, and runs what it is given.
const withoutCompilers = `old="$PATH"; PATH="$PATH:/usr/bin:/bin:/sbin:/usr/sbin"
for f in /usr/lib/gcc /usr/libexec/gcc; do [ ! -d $f ] || mount -t tmpfs none $f || exit 9; done
for f in /usr/bin/*gcc* /usr/bin/*g++* /usr/bin/*clang* /usr/bin/cc /usr/bin/c++ /usr/bin/c89 /usr/bin/c99 /usr/bin/cpp /usr/bin/ollama /usr/local/bin/ollama; do
	[ ! -e "$f" ] || mount --bind /dev/null "$f" || exit 9
done
PATH="$old"; exec "$@"`

// The tour happens for real, asks a real question, and leaves the state and the workspace as they were, to the byte, however it
// ends.
func TestTour(t *testing.T) {
	needsWalls(t) // or its command asks, too
	fake := newFakeOllama(t)
	state, temp := t.TempDir(), t.TempDir()
	begin := func(args ...string) *exec.Cmd {
		cmd := hobCommand(t.Context(), fake, state, args...)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		return cmd
	}
	if out, err := begin("ask", "/note buy milk").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := treeOf(t, state)
	fake.onRequest(func() { t.Error("a model is asked") })
	check := func(how string) {
		t.Helper()
		if diff := cmp.Diff(before, treeOf(t, state)); diff != "" {
			t.Errorf("%s it leaves (-before +after):\n%s", how, diff)
		}
		if left := treeOf(t, temp); len(left) > 0 && how != "killed" {
			t.Errorf("%s it leaves %v", how, left)
		}
	}

	out, err := begin("tour").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"plays it, and what it says begins with [script]", "wrote list.txt (11 B)", "> milk  \n> bread", `ran "sort list.txt`,
		"Without a terminal nobody can be asked, so the answer is no.", "note_add denied", "list.txt is gone", "Its folder is gone",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is nowhere in it", want)
		}
	}
	check("without a terminal")

	const pause = "Enter goes on, Ctrl-C leaves "
	for how, play := range map[string]func(talk *dialogue, cmd *exec.Cmd){
		"denied": func(talk *dialogue, _ *exec.Cmd) {
			talk.say("n\r")
			talk.until("not allowed by owner")
			talk.until(pause)
			talk.say("\r")
			talk.until("list.txt is gone")
			talk.until("That was the tour.")
			talk.until("Your turn: say “note buy milk” to hob, or “what can you do”.")
		},
		"allowed": func(talk *dialogue, _ *exec.Cmd) {
			talk.say("y\r")
			talk.until("wrote notes/general.md")
			talk.until(pause)
			talk.say("\r")
			talk.until("notes/general.md is gone")
			talk.until("That was the tour.")
		},
		"interrupted at the question": func(talk *dialogue, _ *exec.Cmd) {
			talk.say("\x03")
			talk.until("The tour ends here.")
		},
		"interrupted at a pause": func(talk *dialogue, _ *exec.Cmd) {
			talk.say("n\r")
			talk.until(pause)
			talk.say("\x03")
			talk.until("The tour ends here.")
		},
		"ended": func(talk *dialogue, cmd *exec.Cmd) {
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			talk.until("The tour ends here.")
		},
		"killed": func(_ *dialogue, cmd *exec.Cmd) {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(how, func(t *testing.T) {
			cmd := begin("tour")
			talk := startAtTerminal(t, cmd)
			for range 3 {
				talk.until(pause)
				talk.say("\r")
			}
			talk.until("[y/N] ")
			for line := range strings.SplitSeq(talk.seen.String(), "\r\n") {
				if !strings.Contains(line, "\x1b") && cli.Width(line) > terminalWidth { // the terminal would break it in a word
					t.Errorf("a line is wider than the terminal: %s", line)
				}
			}
			play(talk, cmd)
			if err := cmd.Wait(); (err != nil) != (how == "killed") {
				t.Errorf("%v\n%s", err, talk.seen.String())
			}
			check(how)
			if err := os.RemoveAll(temp); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(temp, 0o700); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// The prompt offers the tour, and warns root, once in the life of a state.
func TestPromptSaysThingsOnce(t *testing.T) {
	fake := newFakeOllama(t)
	state := t.TempDir()
	for i, want := range []int{1, 0} {
		cmd := hobCommand(t.Context(), fake, state)
		talk := startAtTerminal(t, cmd)
		talk.leave(cmd)
		if got := strings.Count(talk.seen.String(), "New here? /tour"); got != want {
			t.Errorf("start %d offers the tour %d times", i+1, got)
		}
		if strings.Contains(talk.seen.String(), "no model") {
			t.Errorf("there is a model:\n%s", talk.seen.String())
		}
	}
}

// A model that is not there is said at once, in one line.
func TestPromptWithoutAModel(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = []string{"HOB_TEST_MAIN=1", "HOME=" + t.TempDir(), "OLLAMA_HOST=" + nowhereToAsk}
	cmd.Stdin = strings.NewReader("/note buy milk\n")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "no model") != 1 || !strings.Contains(string(out), "wrote notes/general.md") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Status tells of the hob that runs, whatever the environment of the one who asks.
func TestStatusAsksTheHobThatRuns(t *testing.T) {
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	s := h.serve()
	cmd := h.command("status")
	cmd.Env = append(cmd.Env, "OLLAMA_HOST="+nowhereToAsk)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), " at "+fake.URL) || !strings.Contains(string(out), "fake:1b, loaded") || strings.Contains(string(out), "does not answer") {
		t.Errorf("%v\n%s", err, out)
	}
	s.stop()
}

// What make ollama built answers hob ask and hob serve, with the models of the user, and ends with them. It takes a network of
// its own: it listens where every Ollama does.
func TestBuiltOllama(t *testing.T) {
	built := ollamatest.BuildFor(t)
	home := t.TempDir()
	cache := filepath.Join(home, ".cache", "hob", "ollama-v0.24.0-test")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(built, filepath.Join(cache, "ollama")); err != nil {
		t.Fatal(err)
	}
	server, err := ollamaserver.Start(t.Context(), ollamaserver.Options{Path: built, Models: filepath.Join(home, ".ollama", "models")})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(ollamatest.Install(t.Context(), server.Client(), ollamatest.Plain), server.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.Args[0], filepath.Join(home, "hob")); err != nil {
		t.Fatal(err)
	}
	offline := filepath.Join(home, "offline")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", offline, "hob/internal/egress/offline").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), offline, "--", "sh", "-euc", `
		[ "${HOB_OFFLINE-}" ] || exit 42
		hob status | grep -F 'none answers at http://127.0.0.1:11434; hob starts its own when it needs one'
		hob ask --model hob-plain 'good evening' | grep -F 'the house is quiet'
		hob status | grep -F 'hob starts its own when it needs one'
		mkdir -p .config/hob; echo '[ollama]
			model = "hob-plain"' >.config/hob/config.toml
		hob serve >serve.log 2>&1 & serve=$!
		until hob status | grep -F 'hob serve (pid'; do :; done
		hob ask 'good evening' | grep -F 'the house is quiet'
		hob status | grep -F '127.0.0.1:11434, which hob has started'
		kill $serve; wait
		hob status | grep -F 'hob starts its own when it needs one'`)
	cmd.Dir, cmd.Env = home, []string{"HOB_TEST_MAIN=1", "HOME=" + home, "PATH=" + home + ":" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if gone := (*exec.ExitError)(nil); errors.As(err, &gone) && gone.ExitCode() == 42 {
		t.Skip("this kernel gives no network of one's own")
	}
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(home, "serve.log"))
		t.Errorf("%v\n%s\n%s", err, out, log)
	}
}

// treeOf lists what is below a folder, with the sum of what is in it.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := info.Mode().String() + " " + info.ModTime().String()
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(text))
		}
		all[strings.TrimPrefix(path, dir)] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// When words need a model and there is none, the prompt offers to pull one: once in the life of a state, and the answer is no
// unless it is yes.
func TestPromptOffersAModel(t *testing.T) {
	fake := newFakeOllama(t)
	const later = "Not now, then. hob model pull fake:1b gets it later."
	for _, c := range []struct{ answer, then, last string }{
		{"\r", later, ""}, {"no thanks\r", later, ""}, {"y\r", "fake:1b is here. Say it again.", ""},
		{"what is 17 * 23\r", later, "391"}, // is no answer, but the next line
	} {
		fake.isMissing.Store(true)
		state := t.TempDir()
		for i, asks := range []bool{true, false} {
			cmd, talk := atTerminal(t, fake, state, nil, "--model", "fake:1b")
			if fake.isMissing.Load() {
				talk.until("no model yet: chores work in plain words, help shows them; `hob model pull fake:1b` gets one")
			}
			talk.enter("why is the sea salty")
			if asks {
				talk.until("a model for this machine is fake:1b")
				talk.until("Pull it now? [y/N] ")
				talk.say(c.answer)
				talk.until(c.then)
				if c.last != "" {
					talk.until(c.last)
				}
				talk.idle()
			}
			if !fake.isMissing.Load() {
				talk.enter("why is the sea salty")
				talk.until("Good evening.")
			}
			talk.leave(cmd)
			if got := strings.Contains(talk.seen.String(), "[y/N]"); got != asks {
				t.Errorf("start %d asks: %v\n%s", i+1, got, talk.seen.String())
			}
		}
	}
}

// A model that answers nothing of use is there all the same, and no other is offered.
func TestPromptOffersNothingBesideAModel(t *testing.T) {
	cmd, talk := atTerminal(t, newFakeOllama(t), t.TempDir(), nil, "chat")
	talk.enter("empty")
	talk.until("also when asked again")
	talk.enter("why is the sea salty")
	talk.until("Good evening.")
	talk.leave(cmd)
	if strings.Contains(talk.seen.String(), "a model for this machine is") {
		t.Error(talk.seen.String())
	}
}

// Nobody is asked to pull what the disk has no room for: the prompt says so, once.
func TestPromptOffersNothingWithoutRoom(t *testing.T) {
	fake := newFakeOllama(t)
	fake.isMissing.Store(true)
	cmd, talk := atTerminal(t, fake, t.TempDir(), []string{"OLLAMA_MODELS=/proc"}, "--model", "qwen3:4b") // on a file system that takes nothing
	talk.enter("why is the sea salty")
	talk.until("there is no room for qwen3:4b")
	talk.enter("why is the sky blue")
	talk.until("does not have qwen3:4b")
	talk.enter("what is 17 * 23")
	talk.until("391")
	talk.leave(cmd)
	shown := talk.seen.String()
	if n := strings.Count(shown, "no room for"); n != 1 || strings.Contains(shown, "[y/N]") {
		t.Errorf("it says %d times that there is no room\n%s", n, shown)
	}
}

// What is typed while the prompt finds out what to offer is not lost.
func TestPromptOffersAndIsTypedAt(t *testing.T) {
	fake := newFakeOllama(t)
	fake.isMissing.Store(true)
	cmd, talk := atTerminal(t, fake, t.TempDir(), nil, "--model", "fake:1b")
	talk.enter("why is the sea salty")
	talk.until("does not have fake:1b")
	talk.say("what is 17 * 23\rwhat is 18 * 23\r")
	talk.until("391")
	talk.until("414")
	talk.say("\x04") // it may be offered by now
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, talk.seen.String())
	}
}
