package ollamatest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"hob/internal/llm/ollamaserver"
	"hob/internal/llm/ollamatest"
)

// parentMode makes the test binary the parent of a server, for a test to kill; its value is the folder of models.
const parentMode = "OLLAMATEST_PARENT"

func TestMain(m *testing.M) {
	if models := os.Getenv(parentMode); models != "" {
		err := beParent(models, os.Stdout, os.Stdin)
		fmt.Fprintln(os.Stderr, "the parent ended:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// beParent starts a server, tells where it listens, and waits for the end of its input.
func beParent(models string, out io.Writer, in io.Reader) error {
	ctx := context.Background()
	src, err := ollamaserver.Source(".")
	if err != nil {
		return err
	}
	path, err := ollamaserver.Build(ctx, src, func(ollamaserver.Progress) {})
	if err != nil {
		return err
	}
	server, err := ollamaserver.Start(ctx, ollamaserver.Options{Path: path, Models: models})
	if err != nil {
		return err
	}
	if err := ollamatest.Install(ctx, server.Client(), ollamatest.Endless); err != nil {
		return err
	}
	fmt.Fprintln(out, server.URL())
	_, err = io.Copy(io.Discard, in)
	return errors.Join(err, server.Close())
}

// start runs a server with one scripted model, whose models and folder are where the test says.
func start(t *testing.T, models string) *ollamaserver.Server {
	t.Helper()
	path := ollamatest.BuildFor(t)
	server, err := ollamaserver.Start(t.Context(), ollamaserver.Options{Path: path, Models: models})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	if err := ollamatest.Install(t.Context(), server.Client(), ollamatest.Endless); err != nil {
		t.Fatal(err)
	}
	return server
}

// count has the server begin an endless answer, and returns a connection to the process that gives it. Whoever reads
// from the connection waits until that process has ended.
func count(t *testing.T, client *api.Client, models string) net.Conn {
	t.Helper()
	begun := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		request := &api.ChatRequest{Model: ollamatest.Endless, Messages: []api.Message{person("Count.")}}
		said := false
		ended <- client.Chat(t.Context(), request, func(api.ChatResponse) error {
			if !said {
				close(begun)
			}
			said = true
			return nil
		})
	}()
	select {
	case <-begun:
	case err := <-ended:
		t.Fatalf("the endless answer ended: %v", err)
	}
	_, port := runner(t, models)
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// runner finds the process that runs a model of a folder, on Linux, by its command line, and the port it listens on.
func runner(t *testing.T, models string) (proc, port string) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, proc := range found {
		line, err := os.ReadFile(filepath.Join(proc, "cmdline"))
		if err != nil {
			continue // it has ended
		}
		words := strings.Split(string(line), "\x00")
		at := slices.Index(words, "--port") + 1
		if at > 0 && at < len(words) && slices.Contains(words, "runner") && strings.Contains(string(line), models) {
			return proc, words[at]
		}
	}
	t.Fatal("nothing runs a model of " + models)
	return "", ""
}

func waitForEnd(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

func TestCloseEndsTheRunnersToo(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	models := t.TempDir()
	server := start(t, models)
	counting := count(t, server.Client(), models)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	waitForEnd(counting)
	<-server.Done()
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := server.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// A server that does not listen any more is killed, and its runners with it. Close gives it five seconds.
func TestCloseEndsAServerThatHangs(t *testing.T) {
	t.Parallel()
	models := t.TempDir()
	server := start(t, models)
	counting := count(t, server.Client(), models)
	proc, _ := runner(t, models)
	stat, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.Fields(string(stat))[3]) // the runner's parent
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	waitForEnd(counting)
	<-server.Done()
}

// Kill -9 gives nobody a chance to clean up, so the kernel has to.
func TestNothingOutlivesItsParent(t *testing.T) {
	ollamatest.BuildFor(t) // or the child would take minutes
	t.Setenv("TMPDIR", t.TempDir())
	models := t.TempDir()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentMode+"="+models)
	parent.Stderr = t.Output()
	stdin, err := parent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	where, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	client, address := clientOf(t, strings.TrimSpace(where))
	counting := count(t, client, models)
	server, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitForEnd(counting)
	waitForEnd(server)
	if err := parent.Wait(); err == nil {
		t.Error("the parent ended by itself")
	}
}

// A server keeps to its own folders, whoever's HOME it is started from, and keeps nothing that another one wrote.
func TestStartTouchesNothingOfTheUser(t *testing.T) {
	path := ollamatest.BuildFor(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("OLLAMA_MODELS", filepath.Join(home, "models"))
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	server, err := ollamaserver.Start(t.Context(), ollamaserver.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	err = ollamatest.Install(t.Context(), server.Client(), ollamatest.Plain, ollamatest.OneTool)
	if err := errors.Join(err, server.Close()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("in the user's HOME: %v", left)
	}
}

// The user's own ollama sees the user's own models.
func TestCommandKeepsTheUsersModels(t *testing.T) {
	path := ollamatest.BuildFor(t)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	var got [][]string
	for range 2 {
		server, err := ollamaserver.Command(t.Context(), path, "")
		if err != nil {
			t.Fatal(err)
		}
		list, err := server.Client().List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, m := range list.Models {
			names = append(names, m.Name)
		}
		got = append(got, names)
		err = ollamatest.Install(t.Context(), server.Client(), ollamatest.Plain)
		if err := errors.Join(err, server.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([][]string{{}, {ollamatest.Plain + ":latest"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStartSaysWhyItFailed(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user left"))
	for name, tt := range map[string]struct {
		ctx  context.Context
		path string
		want string
	}{
		"no such program":        {t.Context(), filepath.Join(dir, "nothing"), "no such file or directory"},
		"it ends at once":        {t.Context(), script("ends", "echo the disk is full >&2; exit 3"), "it ended at once: exit status 3\nthe disk is full"},
		"it ends without a word": {t.Context(), script("quiet", "exit 0"), "it ended at once: exit status 0\n"},
		"no port is free":        {t.Context(), script("taken", "echo listen tcp: address already in use; exit 1"), "address already in use"},
		"it is not waited for":   {cancelled, script("hangs", "exec sleep 1000"), "the user left"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ollamaserver.Start(tt.ctx, ollamaserver.Options{Path: tt.path})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestInstallKnowsItsModels(t *testing.T) {
	err := ollamatest.Install(t.Context(), nil, "hob-nobody")
	if err == nil || err.Error() != "create model hob-nobody: there is no script of that name" {
		t.Errorf("got %v", err)
	}
}

// Many servers start at once in many processes; each has a port and a folder of its own.
func TestServersSideBySide(t *testing.T) {
	for range 4 {
		t.Run("one", func(t *testing.T) {
			t.Parallel()
			got, _, err := ask(t.Context(), ollamatest.Run(t).Client(), api.ChatRequest{Model: ollamatest.Plain, Messages: []api.Message{person("Hello.")}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(answer{Text: ollamatest.PlainAnswer, Reason: "stop"}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func clientOf(t *testing.T, where string) (client *api.Client, address string) {
	t.Helper()
	base, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	return api.NewClient(base, http.DefaultClient), base.Host
}
