package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/race"
)

// The tests of this package that need a second process start the test binary again, with what it is to do in an
// environment variable. A child prints lines, and does the next thing when it is told by a line or killed.
func TestMain(m *testing.M) {
	if do := os.Getenv("HOB_STORE_CHILD"); do != "" {
		if err := child(context.Background(), do, os.Getenv("HOB_STORE_PATH")); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	race.SkipAll("SQLite is slow there")
	os.Exit(m.Run())
}

func child(ctx context.Context, do, path string) error {
	switch do {
	case "append":
		return appendForEver(ctx, path)
	case "limited":
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 600 << 10, Max: 600 << 10}); err != nil {
			return err
		}
		return appendForEver(ctx, path)
	case "small disk":
		return onSmallDisk(ctx, path)
	case "unwritable disk":
		return onUnwritableDisk(ctx, path)
	case "write":
		return holdWriteLock(ctx, path)
	case "lock":
		return holdLock(path)
	case "keep":
		return keepForEver(ctx, path)
	case "audit":
		return auditForEver(ctx, path, nil)
	case "audit when told":
		return auditForEver(ctx, path, bufio.NewReader(os.Stdin))
	}
	return errors.New("unknown order")
}

// appendForEver appends batches of three, and prints the first Seq of each that was acknowledged.
func appendForEver(ctx context.Context, path string) error {
	db, err := Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	for n := 1; ; n++ {
		events, err := db.Append(ctx, batch(n)...)
		if err != nil {
			return err
		}
		fmt.Println(events[0].Seq, n)
	}
}

// keepForEver keeps changes, and prints the number and the content of each that was acknowledged.
func keepForEver(ctx context.Context, path string) error {
	db, err := Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	cs := db.Changes(Limits{})
	for n := 1; ; n++ {
		id, err := cs.Keep(ctx, oldContent(keptContent(n)), []byte(keptContent(n)))
		if err != nil {
			return err
		}
		fmt.Println(id, n)
	}
}

// keptContent is the n-th content that keepForEver keeps.
func keptContent(n int) string { return strings.Repeat(fmt.Sprint("line ", n, "\n"), 1+n%5*500) }

// batch is the n-th batch that appendForEver appends.
func batch(n int) []Entry {
	text := strings.Repeat(fmt.Sprint(n, " "), 100+n%7*300)
	return []Entry{
		{Chat: "main", Body: event.Noted{Text: text + "a"}},
		{Chat: "main", Body: event.Noted{Text: text + "b"}},
		{Chat: "main", Body: event.Noted{Text: text + "c"}},
	}
}

func holdWriteLock(ctx context.Context, path string) error {
	db, err := Open(ctx, path, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO setting VALUES ('held', 'yes')`); err != nil {
		return err
	}
	fmt.Println("holding")
	bufio.NewReader(os.Stdin).ReadString('\n')
	return tx.Commit()
}

func holdLock(path string) error {
	if _, err := Lock(path, "child of a test"); err != nil {
		return err
	}
	fmt.Println("holding", os.Getpid())
	_, err := bufio.NewReader(os.Stdin).ReadString('\n') // until killed
	return err
}

// process is a child that runs.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
	tell  *os.File
}

func start(t *testing.T, do, path string, attr *syscall.SysProcAttr) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "HOB_STORE_CHILD="+do, "HOB_STORE_PATH="+path)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = attr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, tell, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	p := &process{t: t, cmd: cmd, lines: bufio.NewScanner(out), tell: tell}
	t.Cleanup(p.kill)
	return p
}

// line returns the next line that the child prints, "" at its end.
func (p *process) line() string {
	p.lines.Scan()
	return p.lines.Text()
}

func (p *process) say(line string) {
	if _, err := p.tell.WriteString(line + "\n"); err != nil {
		p.t.Error(err)
	}
}

// kill ends the child as kill -9 does, and returns when it is gone.
func (p *process) kill() {
	if p.cmd.ProcessState != nil {
		return
	}
	p.cmd.Process.Kill()
	for p.lines.Scan() {
	}
	p.cmd.Wait()
	p.tell.Close()
}

// acknowledged reads the rest of what appendForEver printed: first Seq to number of batch. It ends with the child's error.
func (p *process) acknowledged(into map[int64]int) (failure string) {
	for line := p.line(); line != ""; line = p.line() {
		seq, n, ok := parseAck(line)
		if !ok {
			return line
		}
		into[seq] = n
	}
	return ""
}

func parseAck(line string) (seq int64, n int, ok bool) {
	a, b, _ := strings.Cut(line, " ")
	seq, err1 := strconv.ParseInt(a, 10, 64)
	n, err2 := strconv.Atoi(b)
	return seq, n, err1 == nil && err2 == nil
}

// verify checks that the journal holds every acknowledged batch, whole, and at most unacked others, whole, too.
func verify(t *testing.T, db *DB, acked map[int64]int, unacked int) {
	t.Helper()
	if err := db.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	for e, err := range db.Since(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if len(events)%3 != 0 || len(events)/3 < len(acked) || len(events)/3 > len(acked)+unacked {
		t.Fatalf("%d events, want 3 for each of %d acknowledged batches, and at most %d batches more",
			len(events), len(acked), unacked)
	}
	found := 0
	for i := 0; i < len(events); i += 3 {
		n, ok := acked[events[i].Seq]
		if !ok {
			text := events[i].Body.(event.Noted).Text
			fmt.Sscan(text, &n)
		} else {
			found++
		}
		for k, want := range batch(n) {
			if got := events[i+k]; !reflect.DeepEqual(got.Body, want.Body) {
				t.Fatalf("event %d is %.40v, want %.40v", got.Seq, got.Body, want.Body)
			}
		}
	}
	if found != len(acked) {
		t.Fatalf("%d of %d acknowledged batches are there", found, len(acked))
	}
}

func mustOpen(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "hob.db") }
