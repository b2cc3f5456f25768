package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // what the journal is
)

// appears PATH waits until a file is there.
func appears(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: appears PATH")
	}
	for path := ts.MkAbs(args[0]); ; <-time.After(glance) { // or the test never ends
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
}

// asking WORDS... asks hob at a terminal and kills it where it waits for a yes, as a power cut would.
func asking(ts *testscript.TestScript, neg bool, args []string) {
	terminal, device, err := newTerminal()
	ts.Check(err)
	defer terminal.Close()
	cmd := exec.CommandContext(context.Background(), os.Args[0], append([]string{"ask"}, args...)...)
	cmd.Env = []string{"HOB_TEST_MAIN=1", "TERM=xterm"}
	for _, name := range []string{"HOME", "HOB_STATE_DIR", "HOB_CONFIG", "OLLAMA_HOST"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = device, device, device
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	device.Close()
	ts.Check(err)
	var seen bytes.Buffer
	buf := make([]byte, 4096)
	for err == nil && !strings.Contains(seen.String(), "Allow it?") {
		var n int
		n, err = terminal.Read(buf)
		seen.Write(buf[:n])
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // its status says how it was ended
	ts.Logf("%s", seen.String())
	if err != nil || neg {
		ts.Fatalf("hob did not ask: %v", err)
	}
}

// recorded MARK FILE writes to a file what the model was told in the requests that hold a mark.
func (f *fakeOllama) recorded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: requests MARK FILE")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []string
	for _, r := range f.requests {
		if strings.Contains(r, args[0]) {
			found = append(found, r+"\n")
		}
	}
	if len(found) == 0 {
		ts.Fatalf("no request holds %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(found, "")), 0o600))
}

// editJournal is edit SQL in a script: it changes the journal behind hob's back.
func editJournal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: edit SQL")
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(ts.Getenv("HOB_STATE_DIR"), "journal.db"))
	ts.Check(err)
	defer db.Close()
	done, err := db.ExecContext(context.Background(), args[0])
	ts.Check(err)
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		ts.Fatalf("%s", fmt.Sprint("nothing was changed: ", err))
	}
}
